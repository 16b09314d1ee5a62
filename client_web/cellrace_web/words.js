/** Cards, piles and refusals in words. */

import { FIRST_CELL, FIRST_FOUNDATION, pileOf } from "./game/board.js";
import { RANKS, SUITS } from "./game/cards.js";
import { dealCode, readDeal } from "./game/deals.js";
import { filled, has, isolated, spoken, t } from "./i18n.js";
import { Refused } from "./wire/requests.js";

/** @param {number} card */
export const cardWords = (card) => t("card", { rank: t(`rank${(card >> 2) + 1}`), suit: t(`suit${card & 3}`) });

/** A card's name such as `TH`, in words. @param {string} name */
const namedCard = (name) => cardWords(RANKS.indexOf(name[0]) * 4 + SUITS.indexOf(name[1]));

/** @param {number} pile */
export function pileWords(pile) {
  if (pile < 8) return t("column", { n: pile + 1 });
  return pile < 12 ? t("cell", { name: "abcd"[pile - 8] }) : t("foundation", { suit: t(`suit${pile - 12}`) });
}

/** A card where it lies: "7 of hearts, column 3, 2 cards above it". @param {number} card @param {number} pile
 * @param {number} above how many cards lie on it */
export function placeWords(card, pile, above) {
  const where = `${cardWords(card)}, ${pileWords(pile)}`;
  return above > 0 ? `${where}, ${t("above", { n: above })}` : where;
}

/** A legal move by the cards that it is about: "10 of diamonds to a cell".
 * @param {import("./game/referee.js").Move} move @param {import("./game/board.js").Board} board before it */
export function moveWords({ source, destination, count }, board) {
  const card = cardWords(pileOf(board, source).slice(-count)[0]);
  const onto = destination < FIRST_CELL ? board.columns[destination].at(-1) : undefined;
  const cards = t("wayCards", { n: count, card });
  if (onto !== undefined) return t("wayOnto", { cards, onto: cardWords(onto) });
  return t(destination < FIRST_CELL ? "wayColumn" : destination < FIRST_FOUNDATION ? "wayCell" : "wayHome", { cards });
}

/** Why something is refused, in one short line. @param {import("./game/referee.js").Refusal} refusal */
export function refusalWords({ reason, asked = 0, possible = 0, cells = 0, columns = 0, card, onto, colour, rank }) {
  if (reason === "over_capacity") {
    return t("no_over_capacity", { asked, possible, cells: t("emptyCells", { n: cells }), columns: t("emptyColumns", { n: columns }) });
  }
  const values = { n: possible, card: card ? namedCard(card) : "", onto: onto ? namedCard(onto) : "" };
  if (reason === "wrong_colour_or_rank" && card && !rank) return t("no_king", values);
  if (reason === "wrong_colour_or_rank" && colour && rank) {
    return t(`no_needs_${colour}`, { ...values, rank: t(`rank${RANKS.indexOf(rank) + 1}`) });
  }
  return has(`no_${reason}`) ? t(`no_${reason}`, values) : t("no_other", { reason });
}

/** What a rule set is called. @param {string} rules its text, such as `pocket+cells=2` */
export function rulesWords(rules) {
  const [preset, ...changes] = rules.split("+");
  return [t(`rules_${preset}`), ...changes.map(changeWords)].join(", ");
}

/** What is different from a preset; what there are no words for, as it is written. @param {string} change */
function changeWords(change) {
  const [field, value] = change.split("=");
  if (field === "cells") return t("cells", { n: Number(value) });
  if (change === "undo_depth=0") return t("undo_none");
  return change === "undo_depth=all" ? t("undo_all") : change;
}

/** A time of whole seconds, minutes or hours. @param {number} seconds */
export function duration(seconds) {
  const [n, unit] = seconds % 60 || !seconds ? [seconds, "second"] : seconds % 3600 ? [seconds / 60, "minute"] : [seconds / 3600, "hour"];
  return new Intl.NumberFormat(spoken(), { style: "unit", unit, unitDisplay: "long" }).format(n);
}

/** A day, in which no month can be taken for a day. @param {number} ms since 1970 */
export const dayWords = (ms) => new Date(ms).toLocaleDateString(spoken(), { dateStyle: "medium" });

/** As it begins a line. @param {string} text */
export const capital = (text) => text[0].toUpperCase() + text.slice(1);

const KNOWN_MOST = 1_000_000; // the deals that there are in other programs too

/** A deal by the number that people know it by; others, and those with fewer cells, by the code. @param {string} code */
export function dealWords(code) {
  const found = readDeal(code);
  return found && found.number <= KNOWN_MOST && dealCode(found.number) === code ? `#${found.number}` : code;
}

const USUAL_LIMIT_MS = 1_800_000;

/** The terms of a race that are not the usual ones, but for its rules and its series. @param {import("./wire/messages.js").Message} snap */
export function termsWords(snap) {
  const terms = [
    snap.ranked ? t("ranked") : "",
    snap.limit_ms !== USUAL_LIMIT_MS ? `${t("limit")}: ${duration(Math.round(snap.limit_ms / 1_000))}` : "",
    snap.open_boards ? t("boardsOpen") : "",
  ];
  return terms.filter(Boolean).map(capital).join(" · ");
}

/** Several names in a text. @param {string[]} names */
export const listed = (names) => names.map(isolated).join(", ");

/** Who has won how many races: of two as in sports, which no number in a name can be taken for; of more, one by one.
 * @param {import("./series.js").Score[]} scores */
function scoreWords(scores) {
  const [one, other] = scores;
  if (scores.length === 2) return `${isolated(one.name)} ${one.wins} : ${other.wins} ${isolated(other.name)}`;
  return scores.map(({ name, wins }) => `${isolated(name)}: ${wins}`).join(" · ");
}

/** How a series stands: who has won how many of its races, and who has won it. @param {import("./series.js").Series} series
 * @param {{player: string, name: string}[]} seats @param {import("./series.js").Score[]} [before] how it stood after the race
 * before: whoever has not come to this one yet has still won */
export function seriesWords({ game, most, wins, winners }, seats, before = []) {
  const here = seats.flatMap(({ player, name }, at) => (player ? [{ player, name, wins: wins[at] }] : []));
  const free = seats.length - here.length;
  const missing = before.filter(({ player }) => here.every((one) => one.player !== player)).slice(0, free);
  const score = scoreWords([...here, ...missing]);
  const won = winners.length ? t("seriesWon", { name: listed(winners.map((at) => seats[at].name)) }) : "";
  return [t("seriesGame", { game, most }), score, won].filter(Boolean).join(" — ");
}

/** How a series stands, as a line that breaks in no name. @type {typeof seriesWords} */
export function seriesLine(series, seats, before = []) {
  const names = [...seats, ...before].map(({ name }) => name).filter(Boolean);
  return names.reduce((line, name) => line.replaceAll(name, name.replaceAll(" ", "\u00a0")), seriesWords(series, seats, before));
}

/** What is different under a rule set, in a sentence or two. @param {string} preset */
export const rulesNote = (preset) => t(`about_${preset}`);

/** What is told by the words for what is typed wrongly here. @type {Record<string, string>} */
const OWN_WORDS = { bad_deal_format: "badDeal", bad_deal_cells: "badDeal", bad_deal_number: "badDeal", bad_deal_other_cells: "dealCells" };

/** What the server refuses, by its code and by what it says of it to programs; `text`, which is English, where there are
 * no words for it, or they need more. @param {string} code @param {string} text @param {import("./wire/requests.js").Facts} [facts] */
export function codeWords(code, text, facts = {}) {
  const values = { ...facts, text };
  const because = `${code}_${facts.reason}`;
  return [OWN_WORDS[because] ?? `err_${because}`, `err_${code}`, `no_${code}`].map((key) => filled(key, values)).find(Boolean) ?? text;
}

/** What went wrong. @param {unknown} error */
export function errorWords(error) {
  if (error instanceof Refused) return codeWords(error.code, error.message, error.facts);
  return error instanceof Error ? error.message : String(error);
}

/** What the server says for the host where the host gives no reason. */
const NO_REASON = ["", "the host of this server closes the race", "the host of this server closes this connection"];
const REASONED = ["closed", "sent_away"];

/** A notice of the server: by its code where there are words for it, with the host's own where there are any; a name that
 * it does not take any more, as any refusal; what the host announces, and codes that are not known here, as it came.
 * @param {import("./wire/messages.js").Message} notice */
export function noticeWords({ code, text, facts }) {
  if (!has(`notice_${code}`)) return code === "bad_name" ? codeWords(code, text, facts) : text;
  const said = t(`notice_${code}`);
  return REASONED.includes(code) && !NO_REASON.includes(text) ? t("notice_reason", { said, reason: text }) : said;
}
