/** How a series of races stands. No document is needed. */

/** @typedef {import("./wire/model.js").Model} Model */
/** `wins` by seat; `winners` are the seats that have won the series. `isOver`: the next race begins another.
 * @typedef {{game: number, most: number, wins: number[], winners: number[], isOver: boolean}} Series */

/** @typedef {{player: string, name: string, wins: number}} Score */

/** Who has won how many of the races of a series that goes on; nobody where it does not. @param {Model} model @returns {Score[]} */
export function scoresOf(model) {
  const series = seriesOf(model);
  if (!series || series.isOver) return [];
  return model.seats.flatMap(({ player, name }, at) => (player ? [{ player, name, wins: series.wins[at] }] : []));
}

/** Where a race's series stands, with the race itself once it is over; `null` where it is a race by itself.
 * @param {Model} model @returns {Series | null} */
export function seriesOf({ snap, seats, standings, phase }) {
  const { best_of: most, game, wins: before } = snap;
  if (!(most > 1)) return null;
  const isWon = (/** @type {number} */ at) => standings.some(({ seat, place, time }) => seat === at && place === 1 && time >= 0);
  const wins = seats.map((_, at) => (before[at] ?? 0) + Number(phase === "ended" && isWon(at)));
  const winners = [...wins.keys()].filter((at) => wins[at] > most / 2);
  return { game, most, wins, winners, isOver: winners.length > 0 || (phase === "ended" && game >= most) };
}
