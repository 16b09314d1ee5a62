/** When something is due, by two clocks: a steady one, which may stand still while a machine sleeps, and the calendar's,
 * which people set. No document is needed. */

const DOUBT_MS = 2_000; // by how much the clocks may differ before neither is believed

export class Deadline {
  /** @param {number} ms from now @param {number} steady @param {number} calendar what the clocks show, in ms */
  constructor(ms, steady, calendar) {
    this.at = steady + ms;
    this.between = calendar - steady;
  }

  /** How long it is until then, in ms. @param {number} steady */
  left(steady) {
    return Math.max(0, this.at - steady);
  }

  /** Whether it is time to ask anew: it is due, or a clock has stood still or was set, so that nobody knows.
   * @param {number} steady @param {number} calendar */
  isPast(steady, calendar) {
    return this.left(steady) === 0 || Math.abs(calendar - steady - this.between) > DOUBT_MS;
  }
}
