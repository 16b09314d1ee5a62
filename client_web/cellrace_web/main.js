/** Where the page begins. */

import { App } from "./app.js";
import { Held } from "./held.js";
import { chosen, speak } from "./i18n.js";
import { raceNamed } from "./race-names.js";
import { calledIn, loadSettings } from "./settings.js";

const settings = loadSettings();
const race = /^\/r\/([\w-]+)/.exec(location.pathname)?.[1] ?? "";
const [held] = await Promise.all([Held.found(calledIn(settings.state), raceNamed(race)), speak(settings.state.language || chosen(navigator.languages))]);
const app = new App(settings, held, /** @type {HTMLElement} */ (document.getElementById("app")));
app.open();
app.online.entering.begun();

const KEEP_MS = 2_000; // behind the board, which is to be there first

setTimeout(() => {
  if (!("serviceWorker" in navigator) || !isSecureContext) return;
  navigator.serviceWorker.register("/service-worker.js").catch(() => {
    // Without it the page needs the network, and nothing else is different.
  });
}, KEEP_MS);
