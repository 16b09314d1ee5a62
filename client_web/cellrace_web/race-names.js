/** What can be a race's name. No document is needed. */

/** Whether the server takes what was typed for a race's name, if one that there may not be (SPEC 3.9), and not for a deal.
 * @param {string} text */
export const isRaceName = (text) => /^(?:[a-z]+|(?=.*[a-z])[a-z012568]{7})$/i.test(text.replace(/[ \-_.]/g, ""));
