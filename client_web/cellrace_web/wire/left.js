/** What becomes of actions that windows have left without an answer, judged by the board as it stands. */

/** @typedef {import("./session.js").Unsaid} Unsaid */

/** Whether these can be made now, in their places and on the board on which they were done.
 * @param {Unsaid[]} open @param {number} next the number of the next action @param {number} board its checksum */
const fits = (open, next, board) => open[0]?.on === board && open.every(({ n }, at) => n === next + at);

/** @param {Unsaid[]} list @param {number} next */
const openOf = (list, next) => list.filter(({ n }) => n >= next);

/** How many of these may be missing. A number alone says nothing: another device may have done something with it. Those below
 * the next were made where they lead to the board that stands.
 * @param {Unsaid[]} list @param {number} next @param {number} board @param {Unsaid[]} sent */
function missingOf(list, next, board, sent) {
  const open = openOf(list, next);
  const isKnown = board >= 0 && (open.length ? fits(open, next, board) : list.at(-1)?.to === board);
  const isSent = (/** @type {Unsaid} */ one) => sent.some(({ n, on, to }) => n === one.n && on === one.on && to === one.to);
  return isKnown ? open.filter((one) => !isSent(one)).length : list.length;
}

/** What is to be sent of what several windows have left, the one that counts most first, and how many others may be missing.
 * @param {Unsaid[][]} lists each in order @param {number} next the number of the next action
 * @param {number} board the checksum of one's own board; -1: there is none @param {boolean} isOpen whether anything can be made
 * @returns {{send: Unsaid[], missing: number}} */
export function judged(lists, next, board, isOpen) {
  const open = lists.map((list) => openOf(list, next));
  const send = (isOpen && board >= 0 && open.find((list) => fits(list, next, board))) || []; // what is done blindly is on -1
  const missing = lists.map((list) => missingOf(list, next, board, send));
  return { send, missing: missing.reduce((all, one) => all + one, 0) };
}
