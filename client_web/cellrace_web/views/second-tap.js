/** The second of two quick taps in one place is meant for what lay there at the first. Where that is gone and something else
 * has come in its place, nothing is meant by it. No document is needed. */

const SOON_MS = 400;
const NEAR = 24; // px

export class SecondTap {
  constructor() {
    /** @type {{time: number, x: number, y: number, target: Node | null} | null} */
    this.last = null;
  }

  /** Something was typed since: the next tap is no second one. */
  forget() {
    this.last = null;
  }

  /** Whether a click means nothing. @param {{detail: number, timeStamp: number, clientX: number, clientY: number, target: EventTarget | null}} event */
  isStray({ detail, timeStamp: time, clientX: x, clientY: y, target }) {
    if (!detail) return false; // by a key
    const { last } = this;
    const isSecond = last && time - last.time < SOON_MS && Math.hypot(x - last.x, y - last.y) < NEAR;
    if (isSecond && last.target?.isConnected === false) return true;
    this.last = { time, x, y, target: /** @type {Node | null} */ (target) };
    return false;
  }
}
