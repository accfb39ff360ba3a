// @ts-check
// Legal moves as a tree of clicks. Pure, and free of rules: it works the same for any game's handles.

/**
 * What can follow the handles of `path`: the handles to click `next`, and the moves that are `complete`.
 * @param {Choice[]} choices
 * @param {string[]} path
 * @returns {{next: Set<string>, complete: Choice[]}}
 */
export function continuations(choices, path) {
  const matching = choices.filter((choice) => startsWith(choice, path));
  const next = matching.map((choice) => choice.path[path.length]).filter((handle) => handle !== undefined);
  return { next: new Set(next), complete: matching.filter((choice) => choice.path.length === path.length) };
}

/** @param {Choice} choice @param {string[]} path */
const startsWith = (choice, path) => path.every((handle, index) => choice.path[index] === handle);

/** Whether any move starts with the handles of `path`. @param {Choice[]} choices @param {string[]} path */
export const isPrefix = (choices, path) => choices.some((choice) => startsWith(choice, path));

/** The move that only needs a second click on the last handle of `path` to confirm it. @param {Choice[]} choices @param {string[]} path */
export function moveToConfirm(choices, path) {
  const { next } = continuations(choices, path);
  return next.size === 1 && next.has(path.at(-1)) ? continuations(choices, [...path, path.at(-1)]).complete[0] : undefined;
}

/** The words all choices start with, short of a whole text: "Base on" for "Base on b2" and "Base on e5". @param {Choice[]} choices */
export function commonWords(choices) {
  const [first = [], ...others] = choices.map(({ words }) => words?.split(" ") ?? []);
  const end = first.findIndex((word, index) => others.some((other) => other[index] !== word || other.length === index + 1));
  return first.slice(0, !others.length ? undefined : end < 0 ? -1 : end).join(" ");
}

/**
 * The path after a click on a handle: one longer, one shorter, a new start, or empty.
 * @param {Choice[]} choices @param {string[]} path @param {string} handle
 */
export function pathAfterClick(choices, path, handle) {
  if (continuations(choices, path).next.has(handle)) return [...path, handle];
  if (handle === path.at(-1)) return path.slice(0, -1);
  return continuations(choices, []).next.has(handle) ? [handle] : [];
}

/** @type {Record<string, string>} */
const OPPOSITES = { "▲ Up": "▼ Down", "▼ Down": "▲ Up", "► Right": "◄ Left", "◄ Left": "► Right" };

/** A label in which directions are as seen on a turned board. @param {string} label */
export const turnDirections = (label) => label.replace(/[▲▼►◄] \w+/, (direction) => OPPOSITES[direction] ?? direction);

/** The group and the text of a button's label: "Food/Bread" is Bread in the group Food. @param {string} text */
export function splitLabel(text) {
  const at = text.indexOf("/");
  return at > 0 ? { group: text.slice(0, at), label: text.slice(at + 1) } : { group: "", label: text };
}
