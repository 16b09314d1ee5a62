/** Work that has time until what a person waits for is to be seen. */

/** @type {Set<Later>} in the order in which they were asked */
const waiting = new Set();
let isAwaited = false; // whether the next frame is
let timer = 0;
let frame = 0;

/** Something to do behind the next frame, once however often it was asked for; each in a task of its own, so that what a
 * person does next need not wait for all of them. */
export class Later {
  /** @param {() => void} run */
  constructor(run) {
    this.run = run;
  }

  /** Do it behind the next frame. */
  ask() {
    waiting.add(this);
    if (!isAwaited) begin();
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

/** What is not done yet comes behind the next frame too: somebody waits for that. A page that is not seen has no frames. */
function begin() {
  isAwaited = true;
  if (timer) clearTimeout(timer);
  if (document.hidden) timer = window.setTimeout(runOne, 0);
  else frame = requestAnimationFrame(() => (timer = window.setTimeout(runOne, 0)));
}

/** The page is seen no more, and the frame does not come. */
function hide() {
  if (!document.hidden || !isAwaited) return;
  cancelAnimationFrame(frame);
  begin();
}

function runOne() {
  isAwaited = false;
  timer = 0;
  const [later] = waiting;
  if (!later) return;
  waiting.delete(later);
  if (waiting.size) timer = window.setTimeout(runOne, 0);
  later.run();
}

document.addEventListener("visibilitychange", hide);
