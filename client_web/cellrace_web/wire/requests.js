/** What was asked and has no answer yet, over as many connections as it takes. */

/** @typedef {import("./messages.js").Message} Message */
/** Makes a request, each time that it is sent. `null`: it cannot be said yet. Throws `Refused` where it never can.
 * @typedef {() => Message | null} Make */
/** @typedef {{make: Make, isSent: boolean, resolve: (message: Message) => void, reject: (error: unknown) => void}} Asked */

/** What the server says to programs of what it refuses (SPEC 8.1). @typedef {Record<string, string | number>} Facts */

/** A request was refused. */
export class Refused extends Error {
  /** @param {string} code @param {string} text @param {Facts} [facts] */
  constructor(code, text, facts = {}) {
    super(text);
    this.code = code;
    this.facts = facts;
  }
}

export class Requests {
  constructor() {
    this.last = 0;
    /** @type {Map<number, Asked>} by number */
    this.asked = new Map();
  }

  /** The answer to come; what there is to send for it is `due`. Rejects with `Refused`. @param {Make} make
   * @returns {Promise<Message>} */
  begin(make) {
    const r = this.number();
    return new Promise((resolve, reject) => this.asked.set(r, { make, isSent: false, resolve, reject }));
  }

  /** The number of another request. */
  number() {
    this.last += 1;
    return this.last;
  }

  /** What is to be sent now: all that was not sent on this connection, and can be said. @returns {Message[]} */
  due() {
    return [...this.asked].flatMap(([r, asked]) => {
      const message = asked.isSent ? null : this.made(r, asked);
      asked.isSent ||= message !== null;
      return message ? [{ ...message, r }] : [];
    });
  }

  /** @param {number} r @param {Asked} asked */
  made(r, asked) {
    try {
      return asked.make();
    } catch (error) {
      this.asked.delete(r);
      asked.reject(error);
      return null;
    }
  }

  /** A request is due again. @param {number} r */
  again(r) {
    const asked = this.asked.get(r);
    if (asked) asked.isSent = false;
  }

  /** The connection is lost: everything is due again. */
  lost() {
    for (const r of this.asked.keys()) this.again(r);
  }

  /** Whether a message answers a request. @param {Message} message */
  answered(message) {
    const asked = this.asked.get(message.r);
    this.asked.delete(message.r);
    asked?.resolve(message);
    return asked !== undefined;
  }

  /** @param {number} r @param {Refused} error */
  failed(r, error) {
    this.asked.get(r)?.reject(error);
    this.asked.delete(r);
  }

  /** No answer will come any more. @param {Refused} error */
  failAll(error) {
    for (const r of [...this.asked.keys()]) this.failed(r, error);
  }
}
