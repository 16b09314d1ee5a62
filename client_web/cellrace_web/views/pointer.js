/** One path for mouse, touch and pen: drag, click, double click, a long press to peek. */

/** @typedef {import("./table.js").CardTable} CardTable */
/** @typedef {import("./table.js").Place} Place */

const SLOP = 7; // px before a press becomes a drag
const LONG_MS = 450;
const DOUBLE_MS = 350;
const NEAR = 24; // px between two taps in one place

export class Pointer {
  /** @param {CardTable} table @param {AbortSignal} signal ends it */
  constructor(table, signal) {
    this.table = table;
    /** @type {{id: number, x: number, y: number, place: Place | null, touch: boolean} | null} */
    this.press = null;
    /** @type {HTMLElement[]} */
    this.dragged = [];
    /** @type {Element | null} */
    this.peeked = null;
    this.timer = 0;
    /** The tap before: whether it took a card up, and whether it made a move.
     * @type {{time: number, x: number, y: number, pile: number, held: boolean, moved: boolean}} */
    this.last = { time: 0, x: 0, y: 0, pile: -1, held: false, moved: false };
    table.addEventListener("pointerdown", (event) => this.down(event), { signal });
    table.addEventListener("pointermove", (event) => this.moved(event), { signal });
    // A quick drag would count as a fling too, which takes the next tap with it where the table is gone by then.
    table.addEventListener("touchmove", (event) => this.dragged.length && event.cancelable && event.preventDefault(), { signal, passive: false });
    table.addEventListener("pointerup", (event) => this.up(event), { signal });
    table.addEventListener("pointercancel", () => this.cancel(), { signal });
    table.addEventListener("lostpointercapture", (event) => this.press?.id === event.pointerId && this.cancel(), { signal });
    table.addEventListener("contextmenu", (event) => event.preventDefault(), { signal });
    table.addEventListener("click", (event) => this.clicked(event), { signal });
    addEventListener("keydown", (event) => event.key === "Escape" && this.cancel(), { signal });
    addEventListener("blur", () => this.cancel(), { signal });
    signal.addEventListener("abort", () => this.cancel());
  }

  /** @param {PointerEvent} event */
  down(event) {
    if (this.press) {
      this.cancel(); // a second finger
      return;
    }
    const target = /** @type {Element} */ (event.target);
    if (event.button === 2) {
      this.peek(target);
      this.press = { id: event.pointerId, x: event.clientX, y: event.clientY, place: null, touch: false };
    } else if (event.button === 0) {
      const touch = event.pointerType !== "mouse";
      this.press = { id: event.pointerId, x: event.clientX, y: event.clientY, place: this.table.placeOf(target), touch };
      this.timer = window.setTimeout(() => this.peek(target), LONG_MS);
    }
    try {
      this.table.setPointerCapture(event.pointerId);
    } catch {
      // The pointer is gone already.
    }
  }

  /** @param {PointerEvent} event */
  moved(event) {
    const press = this.press;
    if (!press?.place || press.id !== event.pointerId || this.peeked) return;
    const [dx, dy] = [event.clientX - press.x, event.clientY - press.y];
    if (!this.dragged.length) {
      if (Math.hypot(dx, dy) < SLOP || !this.table.canTake(press.place)) return;
      clearTimeout(this.timer);
      this.table.select(null);
      this.dragged = this.table.elementsOf(press.place);
      this.table.mark(press.place);
      for (const card of this.dragged) card.classList.add("dragged");
    }
    for (const card of this.dragged) card.style.translate = `${dx}px ${dy}px`;
  }

  /** @param {PointerEvent} event */
  up(event) {
    const press = this.press;
    if (!press || press.id !== event.pointerId) return;
    const peeked = this.peeked !== null;
    const { place, touch } = press;
    if (place && this.dragged.length) {
      const [first] = this.table.elementsOf(place);
      const isThere = first === this.dragged[0]; // else a key has changed the pile meanwhile
      const destination = isThere ? this.under(event, place) : null;
      this.putDown();
      this.table.arranged?.carried(place, event.clientX - press.x, event.clientY - press.y);
      if (destination === null || !this.table.move(place, destination)) this.table.arrange(false);
    } else {
      this.putDown();
      if (place && !peeked) this.tapped(event, place, touch);
      else if (!place) this.table.letGo();
    }
  }

  /** The second tap of two in one place is about the card of the first: it sends one that was taken up home, and does
   * nothing where the card has gone already and another lies there. @param {PointerEvent} event @param {Place} place
   * @param {boolean} touch */
  tapped({ clientX: x, clientY: y }, place, touch) {
    const { last, table } = this;
    const now = performance.now();
    const isSoon = now - last.time < DOUBLE_MS;
    if (isSoon && last.moved && Math.hypot(x - last.x, y - last.y) < NEAR) return;
    const { board } = table;
    if (isSoon && last.pile === place.pile && place.count === 1 && last.held) {
      table.select(null);
      table.sendHome(place);
    } else table.tap(place, touch);
    this.last = { time: now, x, y, pile: place.pile, held: table.selected !== null, moved: table.board !== board };
  }

  /** Clicks that no pointer made: by a screen reader, or Enter on a button. @param {MouseEvent} event */
  clicked(event) {
    if (event.detail !== 0) return;
    const place = this.table.placeOf(/** @type {Element} */ (event.target));
    if (place) this.table.tap(place, false);
  }

  /** The pile that the dragged cards are over: the pointer's, or the one that they cover most, legal ones first.
   * @param {PointerEvent} event @param {Place} place @returns {number | null} */
  under(event, place) {
    const laid = this.table.laid;
    const box = this.dragged[0].getBoundingClientRect();
    const frame = this.table.getBoundingClientRect();
    if (!laid) return null;
    const legal = this.table.targets(place);
    let [best, most] = [/** @type {number | null} */ (null), 0];
    laid.piles.forEach(({ x, y }, pile) => {
      if (pile === place.pile) return;
      const bottom = pile < 8 ? frame.height : y + laid.height;
      const across = Math.min(box.right, frame.left + x + laid.width) - Math.max(box.left, frame.left + x);
      const down = Math.min(box.bottom, frame.top + bottom) - Math.max(box.top, frame.top + y);
      const inside = event.clientX >= frame.left + x && event.clientX <= frame.left + x + laid.width && event.clientY >= frame.top + y && event.clientY <= frame.top + bottom;
      const covered = across > 0 && down > 0 ? across * Math.min(down, laid.height) : 0;
      const weight = (inside ? laid.width * laid.height : 0) + covered * (legal.includes(pile) ? 1.5 : 1);
      if (weight > most && covered > 0) [best, most] = [pile, weight];
    });
    return best === null ? null : this.table.targetFor(place, best);
  }

  /** @param {Element} target */
  peek(target) {
    const place = this.table.placeOf(target);
    if (!place || place.count < 2) return;
    this.peeked = target.closest("[data-card]");
    this.peeked?.classList.add("peeked");
  }

  /** End of a press: nothing is held any more. */
  putDown() {
    clearTimeout(this.timer);
    this.peeked?.classList.remove("peeked");
    this.peeked = null;
    this.press = null;
    for (const card of this.dragged) {
      card.style.translate = "";
      card.classList.remove("dragged");
    }
    this.dragged = [];
  }

  cancel() {
    if (!this.press) return;
    const dragging = this.dragged.length > 0;
    this.putDown();
    this.table.mark(null);
    this.table.selected = null;
    if (dragging) this.table.arrange(false);
  }
}
