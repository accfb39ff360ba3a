// @ts-check
// A scene as the server sends it: fields, some of which are objects with an entry for each part, choice, line and so on.

const BY_ENTRY = ["picture", "panels", "panel_parts", "choices", "lines", "news", "chat", "chips", "turn_steps", "choice_cards"];

/**
 * The scene after a change: of the fields in BY_ENTRY only the entries that differ were sent, and null removes one.
 * @param {SentScene} scene @param {SentScene} change @returns {SentScene}
 */
export function applyChange(scene, change) {
  const after = { ...scene, ...change };
  for (const name of BY_ENTRY) if (change[name]) after[name] = merge(scene[name], change[name]);
  return after;
}

/** @param {Entries} before @param {Entries} change */
function merge(before, change) {
  const entries = { ...before, ...change };
  for (const key of Object.keys(change)) if (!change[key]) delete entries[key];
  return entries;
}

/** @param {[string, any][]} parts */
const join = (parts) => parts.map(([, { svg }]) => svg).join("");
/** What is keyed by numbers is in order already. @param {Entries} entries */
const inOrder = (entries) => Object.entries(entries).sort(([, one], [, other]) => one.at - other.at || 0);

/** The seats of people who are not the viewer. @param {Scene} scene @returns {any[]} */
export const seatsOfOthers = ({ seats, you }) => seats.filter(({ player, seat }) => player && player.kind !== "bot" && !you.includes(seat));

/**
 * The scene with its entries as lists in order, the parts of its picture joined, and a path of clicks for each choice.
 * @param {SentScene} scene @returns {any}
 */
export function readScene(scene) {
  const lists = Object.fromEntries(BY_ENTRY.map((name) => [name, inOrder(scene[name] ?? {})]));
  const values = (/** @type {string} */ name) => lists[name].map(([, entry]) => entry);
  return {
    ...scene,
    picture: join(lists.picture),
    panels: values("panels").map((panel) => ({ ...panel, svg: join(lists.panel_parts.filter(([key]) => key.startsWith(`${panel.id}/`))) })),
    choices: lists.choices.flatMap(([first, { moves, words }]) => Object.entries(moves).map(([move, rest]) => ({ move, path: [first, ...rest], words: words?.[move] }))),
    lines: values("lines"),
    news: values("news"),
    chat: values("chat"),
    chips: values("chips"),
    turn_steps: values("turn_steps"),
    choice_cards: values("choice_cards"),
  };
}
