/** When to come back after a connection has ended: what the table of close codes (SPEC 1) asks of a client. */

/** Closes that nothing but another client would help against. */
export const FINAL = [1007, 1009, 4400];

/** How long the server wants nothing of a client that it has closed with these, in ms. @type {Record<number, number>} */
const AWAY = { 1001: 1_000, 4410: 30_000, 4429: 5_000 };
const PAUSES = [200, 500, 1_000, 2_000, 4_000, 8_000];
const LIVED_MS = 3_000; // a connection that has lasted so long was one, a shorter one counts as another try

/** Pauses before the next try, jittered: they grow from try to try, until a connection has lived for a while. */
export class ComingBack {
  constructor() {
    this.tries = 0;
    this.welcomedAt = -1;
  }

  /** There is a connection, and it took our hello. @param {number} now in ms */
  welcomed(now) {
    this.welcomedAt = now;
  }

  /** A connection has ended, or there was none: for how many ms to ask nothing at all, and to wait behind that.
   * @param {number} code @param {number} now in ms @returns {{away: number, pause: number}} */
  closed(code, now) {
    if (this.welcomedAt >= 0 && now - this.welcomedAt >= LIVED_MS) this.tries = 0;
    this.welcomedAt = -1;
    const pause = PAUSES[Math.min(this.tries, PAUSES.length - 1)] * (0.5 + Math.random());
    this.tries += 1;
    return { away: AWAY[code] ?? 0, pause };
  }
}
