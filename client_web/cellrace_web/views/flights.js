/** Where the cards of a table lie, and how they travel. To set out takes neither layout nor painting: a card travels by an
 * animation of its transform alone, on a layer that it has already, and lies where it went in the document when told to. */

const FLIGHT = /** @type {KeyframeAnimationOptions} */ ({ duration: 130, easing: "ease-out", fill: "forwards" });
const STANDBY = { duration: 1, delay: 1 }; // it is never begun

/** Above all that lie on a table. */
export const ALOFT = 100;

export class Flights {
  /** @param {HTMLElement[]} cards @param {() => void} arrived */
  constructor(cards, arrived) {
    this.cards = cards;
    this.arrived = arrived;
    this.still = matchMedia("(prefers-reduced-motion: reduce)");
    /** @type {string[]} where each card is or travels to, as it was written: a browser writes it in another way */
    this.points = [];
    /** @type {string[]} where each card lies in the document */
    this.written = [];
    /** @type {number[]} how high each card lies */
    this.heights = cards.map(() => 0);
    /** @type {Map<number, Animation>} of cards that do not lie in the document yet where they are */
    this.flights = new Map();
    /** @type {Set<number>} cards on their way */
    this.underWay = new Set();
    /** @type {Map<number, Animation>} of cards that may set out next: what has an animation, even one that waits, has a layer */
    this.standby = new Map();
  }

  /** Let a card be elsewhere; whether it travels there. @param {number} card @param {number} x @param {number} y
   * @param {boolean} moving */
  go(card, x, y, moving) {
    const next = `translate(${Math.round(x * 2) / 2}px,${Math.round(y * 2) / 2}px)`;
    const before = this.points[card];
    if (before === next) return false;
    this.points[card] = next;
    this.flights.get(card)?.cancel();
    if (moving && before && !this.still.matches) this.setOut(card, before, next);
    else this.land(card);
    return this.underWay.has(card);
  }

  /** @param {number} card @param {string} before @param {string} next */
  setOut(card, before, next) {
    const flight = this.cards[card].animate([{ transform: before }, { transform: next }], FLIGHT);
    flight.onfinish = () => {
      this.underWay.delete(card);
      this.arrived();
    };
    this.underWay.add(card);
    this.flights.set(card, flight);
  }

  /** Let a card lie in the document where it is. @param {number} card */
  land(card) {
    if (this.written[card] !== this.points[card]) this.cards[card].style.transform = this.written[card] = this.points[card];
    this.flights.get(card)?.cancel();
    this.flights.delete(card);
    this.underWay.delete(card);
  }

  /** A card was carried by hand, and travels on from there. @param {number} card @param {number} x @param {number} y how far */
  carried(card, x, y) {
    this.points[card] += ` translate(${x}px,${y}px)`;
  }

  /** Let a card lie so high. @param {number} card @param {number} height */
  raise(card, height) {
    if (this.heights[card] === height) return;
    this.heights[card] = height;
    this.cards[card].style.zIndex = height ? String(height) : "";
  }

  /** Let a card be ready to set out, or not any more. @param {number} card @param {boolean} isReady */
  standBy(card, isReady) {
    const known = this.standby.get(card);
    const isWanted = isReady && !this.still.matches;
    if (isWanted === Boolean(known)) return;
    if (!known) {
      const waits = this.cards[card].animate({ transform: "none" }, STANDBY);
      waits.pause();
      this.standby.set(card, waits);
    } else {
      known.cancel();
      this.standby.delete(card);
    }
  }
}
