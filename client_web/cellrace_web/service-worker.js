/** Keeps the page's files, so that it opens without a network. What it keeps changes only with the page itself. */
const FILES = "%FILES%";
const CACHE = "cellrace %BASE%";
const PAGE = () => new Request("/", { headers: { Accept: "text/html" } }); // programs are answered in plain text

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll([PAGE(), ...FILES])).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  const others = (names) => Promise.all(names.filter((name) => name.startsWith("cellrace ") && name !== CACHE).map((name) => caches.delete(name)));
  event.waitUntil(caches.keys().then(others).then(() => self.clients.claim()));
});

self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== "GET" || url.origin !== self.location.origin) return;
  if (url.pathname.startsWith("/web/")) {
    event.respondWith(caches.match(event.request, { ignoreVary: true }).then((kept) => kept ?? fetch(event.request)));
  } else if (event.request.mode === "navigate") {
    event.respondWith(fetch(event.request).catch(() => caches.match("/", { ignoreVary: true })));
  }
});
