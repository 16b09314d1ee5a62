/** The drawings of the cards: suits, and what stands for jack, queen and king. */

/** @type {Record<string, string>} */
const PATHS = {
  suit0: "M16 3a6.2 6.2 0 0 1 5 9.9 6.3 6.3 0 1 1-3.5 9.6c.1 3 1 4.900 3 6.500h-9c2-1.600 2.900-3.500 3-6.500a6.3 6.3 0 1 1-3.500-9.600A6.2 6.2 0 0 1 16 3z",
  suit1: "M16 2l9.500 14L16 30 6.500 16z",
  suit2: "M16 29C9 22.500 3 17.500 3 11.300A6.800 6.800 0 0 1 16 8.200a6.800 6.800 0 0 1 13 3.100C29 17.500 23 22.500 16 29z",
  suit3: "M16 2.500c5.500 7.500 12 10.800 12 17a6.200 6.200 0 0 1-10.300 4.300c.2 2.500 1.100 4 2.800 5.200h-9c1.700-1.200 2.600-2.700 2.800-5.200A6.200 6.200 0 0 1 4 19.500c0-6.200 6.500-9.500 12-17z",
  court10: "M8 27h16v-3H8zM9 22V12c0-5 3-8 7-8s7 3 7 8v10h-4v-7h-6v7zM23 4c3 0 5 2 5 6-3 0-5-2-5-6z",
  court11: "M6 27h20v-3H6zM6 22L4 11l6 4 6-9 6 9 6-4-2 11zM16 3a1.800 1.800 0 1 1 0 .1z",
  court12: "M5 27h22v-3H5zM5 22L3 8l7 6 4-7h4l4 7 7-6-2 14zM14.800 2h2.400v1.800H19v2.200h-6V3.800h1.800z",
};

const SVG = "http://www.w3.org/2000/svg";

/** One of the drawings. @param {string} name */
export const drawing = (name) => svg("0 0 32 32", PATHS[name]);

/** The path of a suit, in a square of 32. @param {number} suit */
export const suitPath = (suit) => PATHS[`suit${suit}`];

/** @type {Map<string, string>} */
const made = new Map();

/** What is drawn on a card that is 100 wide and 140 high: its suit beside the rank, and something large. @param {number} card */
export function face(card) {
  const suit = `suit${card & 3}`;
  return part(suit, 1.0625, 60, 4) + part(card >> 2 >= 10 ? `court${card >> 2}` : suit, 2.5, 10, 49.6);
}

/** A drawing as a part of cards; each is worked out once. @param {string} name @param {number} times @param {number} x @param {number} y */
function part(name, times, x, y) {
  const key = `${name} ${times}`;
  const known = made.get(key) ?? scaled(PATHS[name], times, x, y);
  made.set(key, known);
  return known;
}

/** The drawing of a card: one path, for there are 52 of these on each table. @param {number} card */
export const faceDrawing = (card) => svg("0 0 100 140", face(card));

/** The path itself, not a `use` of it: a browser makes those anew whenever the card goes to another pile.
 * @param {string} box @param {string} path */
function svg(box, path) {
  const element = document.createElementNS(SVG, "svg");
  element.setAttribute("viewBox", box);
  element.setAttribute("class", "drawing");
  element.setAttribute("aria-hidden", "true");
  const drawn = document.createElementNS(SVG, "path");
  drawn.setAttribute("d", path);
  element.append(drawn);
  return element;
}

/** A path enlarged and put elsewhere: what is absolute (capitals) moves, an arc keeps its turn and flags.
 * @param {string} path @param {number} times @param {number} x @param {number} y */
function scaled(path, times, x, y) {
  return path.replace(/([a-z])([^a-z]*)/gi, (_, /** @type {string} */ letter, /** @type {string} */ values) => {
    const isArc = /a/i.test(letter);
    const isMoved = letter === letter.toUpperCase();
    const sized = (values.match(/-?(?:\d+\.?\d*|\.\d+)/g) ?? []).map((value, at) => {
      const part = isArc ? at % 7 : letter === "V" ? 6 : letter === "H" ? 5 : 5 + (at % 2); // as in an arc, which ends with x and y
      if (part >= 2 && part <= 4) return Number(value);
      const offset = isMoved && part >= 5 ? [x, y][part - 5] : 0;
      return Number((Number(value) * times + offset).toFixed(2));
    });
    return letter + sized.join(" ");
  });
}
