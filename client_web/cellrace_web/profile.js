/** What is drawn and kept of a player's career. No document is needed. */

/** The lists of an export that go on from page to page (SPEC 2.7). */
const PAGED = ["rating_steps", "races", "runs", "deals_seen"];

/** The pages of an export as one document. @param {string[]} documents in JSON @returns {Record<string, any>} */
export function wholeExport(documents) {
  const [first, ...others] = documents.map((text) => /** @type {Record<string, any>} */ (JSON.parse(text)));
  const whole = { ...first };
  for (const page of others) for (const list of PAGED) whole[list] = [...(whole[list] ?? []), ...(page[list] ?? [])];
  return whole;
}

/** A line through numbers, in the coordinates of a drawing so wide and so high: the largest at the top, one number alone in
 * the middle. @param {number[]} numbers @param {number} width @param {number} height */
export function linePath(numbers, width, height) {
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
  const x = (/** @type {number} */ at) => (numbers.length > 1 ? (at * width) / (numbers.length - 1) : 0);
  const y = (/** @type {number} */ value) => (high > low ? height - ((value - low) * height) / (high - low) : height / 2);
  const points = numbers.map((value, at) => `${round(x(at))} ${round(y(value))}`);
  return `M${points.join("L")}${numbers.length === 1 ? `H${width}` : ""}`;
}

/** @param {number} value */
const round = (value) => Math.round(value * 10) / 10;
