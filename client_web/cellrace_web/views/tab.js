/** What the title of the page's tab says while nobody looks at it: its host would miss the start of a race. */

import { t } from "../i18n.js";

/** @typedef {import("../wire/messages.js").Message} Message */
/** @typedef {import("../wire/race.js").Race} Race */

/** What a message of a race means for its player who looks elsewhere; `null` where the title stays as it is.
 * @param {Message} message @param {Race} race @param {string} stage that was shown last @returns {string | null} */
export function tabWords({ tag, seat, name }, race, stage) {
  if (race.seat < 0) return null;
  if (tag === "joined" && seat !== race.seat) return t("tabJoined", { name });
  if (tag === "countdown") return t("tabCountdown");
  // A connection that was lost meanwhile brings a snapshot.
  if (tag === "go" || (tag === "snap" && race.stage === "play" && ["lobby", "countdown"].includes(stage))) return t("tabStarted");
  return tag === "halted" || tag === "left" ? t("title") : null;
}

/** Say it where nobody looks. @param {string | null} words */
export function tellTab(words) {
  if (words !== null && document.hidden) document.title = words;
}

/** Let the title be the page's again whenever somebody looks. */
export function tendTab() {
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) document.title = t("title");
  });
}
