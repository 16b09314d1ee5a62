/** Work that has time until what a person waits for is to be seen. */

const HIDDEN_MS = 100; // a page that is not seen has no frames

/** @type {Set<Later>} in the order in which they were asked */
let waiting = new Set();
let timer = 0;
let frame = 0;

/** Something to do behind the next frame, once however often it was asked for. */
export class Later {
  /** @param {() => void} run */
  constructor(run) {
    this.run = run;
  }

  /** Do it behind the next frame. */
  ask() {
    if (!waiting.size) begin();
    waiting.add(this);
  }

  /** Do it now if it is still to do. */
  now() {
    if (waiting.delete(this)) this.run();
  }

  /** Do not do it. */
  drop() {
    waiting.delete(this);
  }
}

function begin() {
  clearTimeout(timer);
  cancelAnimationFrame(frame);
  timer = window.setTimeout(runAll, HIDDEN_MS);
  frame = requestAnimationFrame(() => {
    clearTimeout(timer);
    timer = window.setTimeout(runAll, 0);
  });
}

function runAll() {
  const due = waiting;
  waiting = new Set();
  for (const later of due) later.run();
}
