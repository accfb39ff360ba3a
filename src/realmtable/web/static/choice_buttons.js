// @ts-check
// What answers the question: the game's cards, buttons for what has no card and is not on the board, and apart from them, always
// at the same place, what ends the turn. Loaded with the first question.

import { splitLabel } from "./click_paths.js";
import { byRole, html, render } from "./html.js";
import { say } from "./language.js";
import { icon } from "./seat_chips.js";

const MAX_FLAT = 12; // more buttons than this are folded by group
const BACK = "back"; // the handle with which a game takes back a choice itself
const ENDS = new Set(["end", "done", "ready", "pass"]); // handles that end a turn or a part of it

/**
 * Draws all that can be chosen next besides places on the board.
 * @param {MovePicker} picker @param {{ next: Set<string>, complete: Choice[], confirmable?: Choice | null }} found
 */
export function drawButtons(picker, { next, complete, confirmable }) {
  const { path, pending, question } = picker;
  if (question) {
    render(byRole("choices"), html`<button class="primary" data-answer="yes">${say("Confirm")}</button><button data-answer="no">${say("Cancel")}</button>`);
    return render(byRole("turn-choices"), "");
  }
  const cards = path.length || pending ? [] : picker.cards;
  const carded = new Set(cards.flatMap(({ handles }) => handles));
  const buttons = confirmable ? [] : [...next].filter((handle) => picker.buttonText(handle) && !carded.has(handle));
  const rare = picker.rareHandles();
  const isApart = (/** @type {string} */ handle) => ENDS.has(handle) || handle === BACK || rare.has(handle);
  const [apart, others] = [buttons.filter(isApart), buttons.filter((handle) => !isApart(handle))];
  const isOnly = next.size - +next.has(BACK) === 1;
  const moves = confirmable ? [confirmable] : complete;
  const isChoice = !confirmable && complete.length > 1;
  const done = (/** @type {Choice} */ { move, words }) => html`<button class="primary" data-move="${move}">${confirmable || isChoice ? (words ?? move) : say("Done")}</button>`;
  render(byRole("choices"), html`${isChoice && moves.map(done)}${cards.map((card, index) => choiceCard(card, index, picker))}
    ${others.length > MAX_FLAT ? foldButtons(picker, others) : others.map((handle) => choiceButton(picker, handle, isOnly))}`.trim());
  render(byRole("turn-choices"), html`${apart.sort((one, other) => rank(one) - rank(other)).map((handle) => choiceButton(picker, handle, isOnly || (ENDS.has(handle) && buttons.length === next.size && others.length === 0 && !cards.length)))}${!isChoice && moves.map(done)}`.trim());
  byRole("choices").classList.toggle("has-cards", cards.length > 0);
}

/** @param {string} handle */
const rank = (handle) => +(handle !== BACK);

/** @param {MovePicker} picker @param {string} handle @param {boolean} isOnly */
const choiceButton = (picker, handle, isOnly) => html`<button class="${handle === BACK ? "quiet" : isOnly && "primary"}" data-pick="${handle}">${picker.buttonText(handle)}</button>`;

/**
 * A card: it picks its only handle if that is not on the board; otherwise it shows its places there.
 * @param {ChoiceCard} card @param {number} index @param {MovePicker} picker
 */
function choiceCard({ title, note, handles, icon: name, cost, gain, off, is_main: isMain }, index, picker) {
  const onBoard = handles.filter((handle) => picker.board.picture.contains(picker.board.handles.get(handle) ?? null));
  const button = handles.length === 1 && !onBoard.length ? handles[0] : "";
  const kinds = [isMain && "primary", onBoard.length && "on-board", off && "off"].filter(Boolean).join(" ");
  const action = off ? html`aria-disabled="true"` : button ? html`data-pick="${button}"` : html`data-places="${index}"`;
  return html`<button type="button" class="choice-card ${kinds}" ${action}>${icon(name) || html`<span></span>`}<span class="choice-text"><b>${title}</b>${(off || note) && html`<small>${off || note}</small>`}</span>${(cost || gain) && html`<span class="choice-price">${cost && html`<span>${cost}</span>`}${gain && html`<b>${gain}</b>`}</span>`}</button>`;
}

/** Buttons folded by the groups of their labels; those without a group stay outside. @param {MovePicker} picker @param {string[]} handles */
function foldButtons(picker, handles) {
  const groups = Map.groupBy(handles, (handle) => splitLabel(picker.labels[handle] ?? "").group);
  const alone = groups.get("") ?? [];
  groups.delete("");
  /** @param {[string, string[]]} entry */
  const fold = ([group, inside]) => html`<details class="choice-group" name="choices" data-group="${group}" ${group === picker.openGroup && "open"}>
    <summary>${group} <span class="badge">${inside.length}</span></summary><div class="choice-list">${inside.map((handle) => choiceButton(picker, handle, false))}</div></details>`;
  return html`${[...groups].map(fold)}${alone.map((handle) => choiceButton(picker, handle, false))}`;
}

/** Notes which group was unfolded: it stays open in the next drawing. @param {MovePicker} picker @param {HTMLDetailsElement} fold */
export function noteGroup(picker, fold) {
  const { group = "" } = fold.dataset;
  if (fold.open) fold.scrollIntoView({ block: "nearest" });
  if (fold.open) picker.openGroup = group;
  else if (picker.openGroup === group) picker.openGroup = "";
}

/** Draws the parts of the turn. @param {TurnStep[]} [steps] */
export function drawSteps(steps = []) {
  const list = byRole("turn-steps");
  list.hidden = !steps.length;
  render(list, html`${steps.map(({ title, note, state, icon: name }) => html`<li class="is-${state}" ${state === "now" && html`aria-current="step"`}>${icon(name)}<b>${state === "done" && !name && html`<span class="tick" aria-hidden="true">✓</span>`}${title}</b><span class="step-note">${note}</span><span class="unseen">${STATES[state]}</span></li>`)}`);
}

const STATES = { done: say("done"), now: say("now"), later: "", lost: say("lost") };
