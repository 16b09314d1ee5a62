/** State that others look at: a value, and who is told when it becomes another. No document is needed. */

/** @template State */
export class Store {
  /** @param {State} state */
  constructor(state) {
    this.state = state;
    /** @type {Set<(state: State, before: State) => void>} */
    this.watchers = new Set();
  }

  /** Change some fields; watchers are told at once, unless nothing is different. @param {Partial<State>} changes */
  set(changes) {
    const before = this.state;
    const keys = /** @type {(keyof State)[]} */ (Object.keys(changes));
    if (keys.every((key) => Object.is(before[key], changes[key]))) return;
    this.state = { ...before, ...changes };
    for (const watcher of [...this.watchers]) watcher(this.state, before);
  }

  /** Be told of changes; returns what ends it. @param {(state: State, before: State) => void} watcher */
  watch(watcher) {
    this.watchers.add(watcher);
    return () => void this.watchers.delete(watcher);
  }
}
