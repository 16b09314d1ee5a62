/** A line of short texts that change often, like a clock: only what is different is touched. */

import { h, setText } from "./dom.js";

export class Status {
  /** @param {...string} kinds what its texts are, in order: their classes */
  constructor(...kinds) {
    this.parts = kinds.map((kind) => h("span", { class: kind, hidden: true }));
    this.element = h("div", { class: "status" }, ...this.parts);
  }

  /** Say these texts, in the order of the kinds; what is empty or missing takes no room. @param {...string} texts */
  show(...texts) {
    this.parts.forEach((part, at) => {
      const text = texts[at] ?? "";
      setText(part, text);
      if (part.hidden === Boolean(text)) part.hidden = !text;
    });
  }
}
