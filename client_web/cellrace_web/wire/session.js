/** What a client has to remember about a race so that it can be picked up on a new connection. */

/** @typedef {import("./messages.js").Message} Message */
/** @typedef {import("../game/line.js").Action} Action */
/** Checksums (SPEC 4.3) of the board on which something was done and of that to which it led; -1 where nobody here knows.
 * @typedef {{on: number, to: number}} Seen */
/** `n` is 0 for an action that was not sent yet. @typedef {{ticket: number, n: number, action: Action, seen: () => Seen}} Pending */
/** An action that may have to be sent by a page that comes after, with its number.
 * @typedef {{n: number, action: Action} & Seen} Unsaid */
/** @typedef {{ticket: number, code: string, text: string, expected: number}} Refused */
/**
 * What a message means: tickets answered now, what there is to send, after how many ms to send `again()`, that
 * a fact was missed (`lost`: ask for a snapshot) or is known already (`seen`).
 * @typedef {{applied: number[], refused: Refused[], send: Message[], retryAfter: number, lost: boolean, seen: boolean}} Heard
 */

const TRY_AGAIN = ["unavailable", "busy", "slow_down"];
const UNDER_WAY_MOST = 64; // SPEC 5.1

/** @param {Partial<Heard>} [some] @returns {Heard} */
const heard = (some) => ({ applied: [], refused: [], send: [], retryAfter: 0, lost: false, seen: false, ...some });

/**
 * One race on one client: its channel on the present connection (`null` before it is entered there), the last fact seen,
 * actions without an answer. Actions are sent at once, without waiting for answers. When one is refused, the server refuses
 * those sent behind it; until those answers are here new ones are kept back, and so they are behind `finish`. When one is
 * put off (the store is away), those behind it are too; then all are sent again in order.
 */
export class Session {
  /** @param {Message} entered an `in` */
  constructor(entered) {
    this.race = entered.race;
    /** @type {number | null} */
    this.ch = entered.ch;
    this.seat = entered.seat;
    this.k = 0;
    this.ended = false;
    this.next = entered.n;
    this.tickets = 0;
    /** @type {Pending[]} */
    this.sent = [];
    /** @type {Pending[]} */
    this.kept = [];
    this.finishing = false;
    this.refusedN = 0;
    this.putOff = false;
  }

  /** How many actions have no answer yet. */
  get waiting() {
    return this.sent.length + this.kept.length;
  }

  /** What has no answer yet, in order, without what is refused for sure. What was not sent has the number with which it will
   * be: it may be sent by this page still. @returns {Unsaid[]} */
  get unsaid() {
    const sent = this.rollingBack ? this.sent.filter((pending) => pending.n < this.refusedN) : this.sent;
    const next = this.rollingBack ? this.refusedN : this.next;
    const kept = this.kept.map((pending, index) => ({ ...pending, n: next + index }));
    return [...sent, ...kept].map(({ n, action, seen }) => ({ n, action, ...seen() }));
  }

  /** Actions sent behind a refused one wait for their own refusals. */
  get rollingBack() {
    return this.refusedN > 0 && this.refusedN < Math.max(0, ...this.sent.map((pending) => pending.n));
  }

  /** Take up an action. @param {Action} action @param {() => Seen} seen told when it is asked for
   * @returns {{ticket: number, send: Message[]}} */
  act(action, seen) {
    this.tickets += 1;
    this.kept.push({ ticket: this.tickets, n: 0, action, seen });
    return { ticket: this.tickets, send: this.sendKept() };
  }

  /** What was put off, to be sent again now that it is time; nothing where nothing is put off any more.
   * @returns {Message[]} */
  again() {
    return this.putOff && this.ch !== null ? this.unanswered() : [];
  }

  /** The connection is gone: nothing can be sent before the race is entered again. */
  channelLost() {
    this.ch = null;
  }

  /** The actions to send again, in order. @returns {Message[]} */
  unanswered() {
    this.putOff = false;
    const most = this.rollingBack ? this.refusedN : this.next;
    return [...this.sent.filter((pending) => pending.n < most).map((pending) => this.command(pending)), ...this.sendKept()];
  }

  /** The request that picks the race up on a new connection. @returns {Message} */
  resume() {
    return { tag: "resume", race: this.race, after: this.k };
  }

  /** The race goes on as `entered` says. Where it was received all the time, nothing was lost. @param {Message} entered
   * @returns {Heard} */
  enteredAgain(entered) {
    if (entered.ch === this.ch && entered.seat === this.seat && this.sent.length) return heard();
    this.ch = entered.ch;
    this.seat = entered.seat;
    const applied = this.answeredBelow(entered.n);
    /** @type {Refused[]} */
    let refused = [];
    if (this.seat < 0) refused = this.allRefused("not_seated");
    else if (this.rollingBack) {
      const behind = this.sent.filter((pending) => pending.n > this.refusedN);
      this.sent = this.sent.filter((pending) => pending.n < this.refusedN);
      refused = behind.map(({ ticket }) => ({ ticket, code: "out_of_order", text: "", expected: entered.n }));
    }
    this.refusedN = 0;
    this.finishing = this.sent.some((pending) => isFinish(pending.action));
    this.next = entered.n;
    this.sent = this.sent.map((pending) => ({ ...pending, n: this.number() }));
    return heard({ applied, refused, send: this.unanswered() });
  }

  /** @param {string} code @returns {Refused[]} */
  allRefused(code) {
    const pending = [...this.sent, ...this.kept];
    this.sent = [];
    this.kept = [];
    return pending.map(({ ticket }) => ({ ticket, code, text: "", expected: 0 }));
  }

  /** Take note of a message on this race's channel. @param {Message} message @returns {Heard} */
  hear(message) {
    if (message.tag === "snap") return this.stands(message);
    if (message.tag === "no") return this.refused(message);
    return "k" in message ? this.happened(message) : heard();
  }

  /** All that was missed is in a snapshot, answers too: every action below its `n` was applied (SPEC 4.4).
   * @param {Message} snap @returns {Heard} */
  stands({ k, phase, you, n }) {
    this.k = k;
    this.seat = you;
    this.ended = phase === "ended";
    if (you < 0) return heard({ refused: this.allRefused("not_seated") });
    const applied = this.answeredBelow(n);
    this.finishing = this.sent.some((pending) => isFinish(pending.action));
    return heard({ applied, send: this.sendKept() });
  }

  /** @param {Message} message @returns {Heard} */
  happened(message) {
    const seen = message.k <= this.k;
    if (message.k > this.k + 1) return heard({ lost: true });
    this.k = Math.max(this.k, message.k);
    this.ended ||= message.tag === "end";
    const applied = this.acknowledged(message);
    if (message.tag === "end" || (message.tag === "done" && message.seat === this.seat)) this.finishing = false;
    return heard({ applied, send: this.sendKept(), seen });
  }

  /** The tickets of our own actions that a fact answers. @param {Message} message @returns {number[]} */
  acknowledged(message) {
    if (message.tag === "a") return this.answeredBelow(message.n + 1);
    if (message.tag === "gaveup" && message.seat === this.seat) {
      const given = this.sent.find((pending) => "tag" in pending.action && pending.action.tag === "giveup");
      return given ? this.answeredBelow(given.n + 1) : [];
    }
    if (message.tag === "left" && message.seat === this.seat) this.seat = -1;
    return [];
  }

  /** @param {number} n @returns {number[]} */
  answeredBelow(n) {
    const answered = this.sent.filter((pending) => pending.n < n).map((pending) => pending.ticket);
    this.sent = this.sent.filter((pending) => pending.n >= n);
    this.next = Math.max(this.next, n);
    return answered;
  }

  /** @param {Message} message @returns {Heard} */
  refused({ n, code, text, expected, retry_after }) {
    if (n === 0) return heard({ refused: [{ ticket: 0, code, text, expected }] });
    const found = this.sent.find((pending) => pending.n === n);
    if (!found) return heard();
    if (TRY_AGAIN.includes(code) || (this.putOff && code === "out_of_order")) {
      const first = !this.putOff;
      this.putOff = true;
      return heard(first ? { retryAfter: Math.max(1, retry_after) } : {});
    }
    this.sent = this.sent.filter((pending) => pending !== found);
    if (isFinish(found.action)) this.finishing = false;
    if (!this.rollingBack) this.refusedN = found.n;
    if (this.sent.length === 0 && expected) this.next = expected;
    return heard({ refused: [{ ticket: found.ticket, code, text, expected }], send: this.sendKept() });
  }

  /** @returns {Message[]} */
  sendKept() {
    if (this.rollingBack || this.putOff || this.ch === null) return [];
    this.refusedN = 0;
    /** @type {Pending[]} */
    const numbered = [];
    while (this.kept.length && !this.finishing && this.sent.length + numbered.length < UNDER_WAY_MOST) {
      const pending = /** @type {Pending} */ (this.kept.shift());
      numbered.push({ ...pending, n: this.number() });
      this.finishing = isFinish(pending.action);
    }
    this.sent.push(...numbered);
    return numbered.map((pending) => this.command(pending));
  }

  number() {
    this.next += 1;
    return this.next - 1;
  }

  /** @param {Pending} pending @returns {Message} */
  command({ n, action }) {
    return "move" in action ? { tag: "m", ch: this.ch, n, move: action.move } : { tag: action.tag, ch: this.ch, n };
  }
}

/** @param {Action} action */
const isFinish = (action) => "tag" in action && action.tag === "finish";
