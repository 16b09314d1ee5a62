/** What can be a race's name. No document is needed. */

const LENGTH = 7;

/** What looks like a letter of a name. @type {Record<string, string>} */
const MEANT = { 0: "q", o: "q", 1: "j", i: "j", l: "j", 2: "z", 5: "s", 6: "g", 8: "b" };

/** @param {string} text */
const plain = (text) => text.replace(/[ \-_.]/g, "");

/** Whether the server takes what was typed for a race's name, if one that there may not be (SPEC 3.9), and not for a deal.
 * @param {string} text */
export const isRaceName = (text) => /^(?:[a-z]+|(?=.*[a-z])[a-z012568]{7})$/i.test(plain(text));

/** The name of the race that is meant by what was typed, as messages have it; empty where that is none. @param {string} text */
export function raceNamed(text) {
  const name = isRaceName(text) ? plain(text).toLowerCase() : "";
  return name.length === LENGTH ? name.replace(/[0o1il2568]/g, (found) => MEANT[found]) : name;
}
