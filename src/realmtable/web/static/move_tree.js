// Legal moves as a tree of clicks. Pure, and without a rule: whatever a game's handles are, walking is the same.

/** @typedef {{move: string, path: string[], words?: string}} Choice */

/**
 * Where a walk stands after the handles of `path`: `next` are the handles to go on with, `done` the moves said in full.
 * @param {Choice[]} choices
 * @param {string[]} path
 * @returns {{next: Set<string>, done: Choice[]}}
 */
export function walk(choices, path) {
  const along = choices.filter((choice) => goes(choice, path));
  const next = along.map((choice) => choice.path[path.length]).filter((handle) => handle !== undefined);
  return { next: new Set(next), done: along.filter((choice) => choice.path.length === path.length) };
}

const goes = (choice, path) => path.every((handle, index) => choice.path[index] === handle);

/** Whether any move begins with the handles of `path`. */
export const leads = (choices, path) => choices.some((choice) => goes(choice, path));

/** The move that is chosen but not yet meant: it takes only the last handle of `path` once more. */
export function unsure(choices, path) {
  const { next } = walk(choices, path);
  return next.size === 1 && next.has(path.at(-1)) ? walk(choices, [...path, path.at(-1)]).done[0] : undefined;
}

/** The words that all choices begin with and none of several ends with: "Base on" of "Base on b2" and "Base on e5". */
export function beginning(choices) {
  const [first = [], ...others] = choices.map(({ words }) => words?.split(" ") ?? []);
  const end = first.findIndex((word, index) => others.some((other) => other[index] !== word || other.length === index + 1));
  return first.slice(0, !others.length ? undefined : end < 0 ? -1 : end).join(" ");
}

/** The path after pointing at a handle: one further, one back, over to another beginning, or none. */
export function pointed(choices, path, handle) {
  if (walk(choices, path).next.has(handle)) return [...path, handle];
  if (handle === path.at(-1)) return path.slice(0, -1);
  return walk(choices, []).next.has(handle) ? [handle] : [];
}
