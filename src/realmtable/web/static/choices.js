// Legal moves as a tree of clicks. Pure, and without a rule: whatever a game's handles are, walking is the same.

/** @typedef {{move: string, path: string[], words?: string}} Choice */

/**
 * Where a walk stands after the handles of `path`: `next` are the handles to go on with, `done` the moves said in full.
 * @param {Choice[]} choices
 * @param {string[]} path
 * @returns {{next: Set<string>, done: Choice[]}}
 */
export function walk(choices, path) {
  const along = choices.filter((choice) => path.every((handle, index) => choice.path[index] === handle));
  const next = along.map((choice) => choice.path[path.length]).filter((handle) => handle !== undefined);
  return { next: new Set(next), done: along.filter((choice) => choice.path.length === path.length) };
}

/** The path after pointing at a handle: one further, one back, over to another beginning, or none. */
export function pointed(choices, path, handle) {
  if (walk(choices, path).next.has(handle)) return [...path, handle];
  if (handle === path.at(-1)) return path.slice(0, -1);
  return walk(choices, []).next.has(handle) ? [handle] : [];
}
