// What the page's network modules need of a browser: sockets whose other end is the test, and a clock that it moves.
import { mock } from "node:test";
import { readMessage, writeMessage } from "../../../client_web/cellrace_web/wire/messages.js";

/** A connection, seen from the server. */
class Socket {
  static OPEN = 1;
  static all = [];

  constructor() {
    this.readyState = 0;
    this.said = [];
    this.closed = false;
    Socket.all.push(this);
  }

  send(text) {
    this.said.push(readMessage(JSON.parse(text), "client"));
  }

  close() {
    this.readyState = 3;
    this.closed = true;
  }

  open() {
    this.readyState = Socket.OPEN;
    this.onopen();
  }

  /** The connection ends from the other side. */
  end(code = 1006) {
    this.readyState = 3;
    this.onclose?.({ code });
  }

  /** Messages from the server, each in its own turn of the loop. */
  async hear(...messages) {
    for (const message of messages) {
      this.onmessage({ data: JSON.stringify(writeMessage(message, "server")) });
      await settled();
    }
  }

  /** What was said with this tag. */
  of(tag) {
    return this.said.filter((message) => message.tag === tag);
  }
}

/** What a browser keeps: its keys are those of the object, as in one. */
class Texts {
  getItem(key) {
    return Object.hasOwn(this, key) ? this[key] : null;
  }

  setItem(key, text) {
    this[key] = text;
  }

  removeItem(key) {
    delete this[key];
  }
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Put the browser in place. `socket()` is the newest connection, `pass(ms)` lets time pass. */
export function browser() {
  let now = 1;
  const pass = (/** @type {number} */ ms) => {
    for (let left = ms; left > 0; left -= 100) {
      now += Math.min(left, 100);
      mock.timers.tick(Math.min(left, 100));
    }
  };
  const enable = () => mock.timers.enable({ apis: ["setTimeout", "setInterval"] });
  enable();
  mock.method(performance, "now", () => now);
  mock.method(Math, "random", () => 0.5);
  Socket.all.length = 0;
  /** @type {Map<string, (() => void)[]>} */
  const heeded = new Map();
  const heed = (what, run) => void heeded.set(what, [...(heeded.get(what) ?? []), run]);
  const happen = (what) => heeded.get(what)?.forEach((run) => run());
  Object.assign(globalThis, { WebSocket: Socket, window: globalThis, addEventListener: heed, document: { addEventListener: heed, hidden: false } });
  const store = new Map();
  globalThis.localStorage = new Texts();
  globalThis.sessionStorage = {
    getItem: (key) => store.get(key) ?? null,
    setItem: (key, value) => void store.set(key, value),
    removeItem: (key) => void store.delete(key),
    get size() {
      return store.size;
    },
  };
  const claimed = new Set();
  const locks = {
    async request(name, { ifAvailable }, have) {
      if (!claimed.has(name)) return claimed.add(name), have({ name });
      if (!ifAvailable) throw new Error("another page has it");
      return have(null);
    },
  };
  Object.defineProperty(globalThis, "navigator", { value: { locks }, configurable: true });
  globalThis.location = { protocol: "http:", host: "races.example", search: "?json" };
  return {
    sockets: Socket.all,
    socket: () => Socket.all.at(-1),
    pass,
    /** Something happens to the window. */
    happen,
    /** The page dies, and all that it was about to do. */
    crash() {
      heeded.clear();
      mock.timers.reset();
      enable();
      claimed.clear();
    },
    /** The page makes way for another. */
    leave() {
      happen("pagehide");
      this.crash();
    },
    /** The page is seen, or not any more. */
    see(seen = true) {
      document.hidden = !seen;
      happen("visibilitychange");
    },
    /** Let time pass until the page connects anew; returns how many ms that took. */
    passUntilConnecting() {
      const [before, from] = [Socket.all.length, now];
      while (Socket.all.length === before && now - from < 60_000) pass(100);
      return now - from;
    },
    restore() {
      delete globalThis.localStorage;
      mock.timers.reset();
      mock.restoreAll();
    },
  };
}
