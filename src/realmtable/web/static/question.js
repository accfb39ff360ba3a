// @ts-check
// What is asked and what answers it: sentences on what can be clicked next and what it does, the game's cards, buttons for what
// has no card and is not on the board, and apart from them, always at the same place, what ends the turn. Loaded with the first
// question.

import { commonWords, continuations, isPrefix, moveToConfirm, splitLabel } from "./click_paths.js";
import { byRole, html, render, trusted } from "./html.js";
import { say } from "./language.js";
import { icon } from "./table_parts.js";

const MAX_NAMED = 3; // buttons that a caption can name
const AGAIN = matchMedia("(pointer: coarse)").matches ? "Tap it again" : "Click it again";
const MAX_FLAT = 12; // more buttons than this are folded by group
const BACK = "back"; // the handle with which a game takes back a choice itself
const ENDS = new Set(["end", "done", "ready"]); // handles that end a turn or a part of it

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
  const isApart = (/** @type {string} */ handle) => ENDS.has(handle) || handle === BACK;
  const offered = path.length || pending ? [] : picker.cards;
  const cards = offered.filter(({ handles }) => handles.length !== 1 || !isApart(handles[0]));
  const ends = new Map(offered.filter((card) => !cards.includes(card)).map((card) => [card.handles[0], card]));
  const carded = new Set(cards.flatMap(({ handles }) => handles));
  const buttons = confirmable ? [] : [...next].filter((handle) => picker.buttonText(handle) && !carded.has(handle));
  const rare = picker.rareHandles();
  const [apart, others] = [buttons.filter(isApart), buttons.filter((handle) => !isApart(handle))];
  const isOnly = next.size - +next.has(BACK) === 1;
  const moves = confirmable ? [confirmable] : complete;
  const isChoice = !confirmable && complete.length > 1;
  const done = (/** @type {Choice} */ { move, words }) => html`<button class="primary" data-move="${move}">${confirmable || isChoice ? (words ?? move) : say("Done")}</button>`;
  render(byRole("choices"), html`${isChoice && moves.map(done)}${cards.map((card, index) => choiceCard(card, index, picker))}
    ${others.length > MAX_FLAT ? foldButtons(picker, others) : others.sort((one, other) => +rare.has(one) - +rare.has(other)).map((handle) => choiceButton(picker, handle, isOnly, rare.has(handle)))}`.trim());
  render(byRole("turn-choices"), html`${apart.sort((one, other) => rank(one) - rank(other)).map((handle) => choiceButton(picker, handle, isOnly || !!ends.get(handle)?.is_main || (ENDS.has(handle) && buttons.length === next.size && others.length === 0 && !cards.length), false, handle === BACK ? say("Take back") : ends.get(handle)?.title))}${!isChoice && moves.map(done)}`.trim());
  const area = byRole("choices");
  area.classList.toggle("has-cards", cards.length > 0);
  // While a choice goes on, nothing moves up into the place of what it has replaced.
  area.style.minHeight = path.length ? `${picker.choicesHeight}px` : "";
  if (!path.length) picker.choicesHeight = area.offsetHeight;
}

/** @param {string} handle */
const rank = (handle) => +(handle !== BACK);

/** @param {MovePicker} picker @param {string} handle @param {boolean} isOnly @param {boolean} [isRare] @param {string} [title] that of its card */
const choiceButton = (picker, handle, isOnly, isRare, title) => html`<button class="${handle === BACK || isRare ? "quiet" : isOnly && "primary"}" data-pick="${handle}">${title ?? picker.buttonText(handle)}</button>`;

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

/** Outlines places on the board: those of a card that is pointed at or, if it was `chosen`, until the next choice. @param {MovePicker} picker @param {string[]} [handles] @param {boolean} [chosen] */
export function showPlaces({ board, listener }, handles = [], chosen = false) {
  for (const [name, place] of board.handles) place.classList.toggle("outlined", handles.includes(name));
  const first = chosen && board.handles.get(handles[0]);
  if (!first) return;
  listener.reveal?.(first);
  first.focus({ preventScroll: true });
  board.follow();
}

// Sentences

/** Draws the question, with what the game says about it; without a title of the game's own, the words for what can be clicked. @param {MovePicker} picker */
export function drawQuestion(picker) {
  const { choices } = picker;
  const title = String(html`${picker.title || (choices.length ? describePath(picker, []) : picker.idleText)}`).replace(/\.$/, "");
  const { text, progress } = ((picker.title || !choices.length) && picker.asked) || {};
  const [at, of] = progress ?? [];
  render(byRole("prompt"), html`${title && html`<h2 class="prompt-title" tabindex="-1">${trusted(title)}</h2>`}${(text || progress) && html`<p>${progress && html`<progress max="${of}" value="${at}" aria-label="${at} of ${of}"></progress> `}${text}</p>`}`);
}

/** Splits off a preposition at the end: "Base on" becomes ["Base", " on"]. @param {string} words */
const splitPreposition = (words) => /** @type {string[]} */ (words.match(/^(.*?)( (?:at|from|on|onto|to))?$/)).slice(1).map((part) => part ?? "");

/** What a path does once it is a move, or how it goes on. @param {MovePicker} picker @param {string[]} path */
export function describePath(picker, path) {
  const { next, complete } = continuations(picker.choices, path);
  const move = moveToConfirm(picker.choices, path) ?? (next.size ? null : complete[0]);
  if (!move) return html`${next.size ? promptAfter(picker, path, [...next]) : picker.idleText}`;
  const words = move.words ?? move.move;
  const asks = path === picker.path && next.size;
  if (asks && !picker.board.handles.has(path[0])) return html`${words}?`; // its button is the answer
  const name = picker.nameOf(path[0]);
  const note = path.length === 1 && picker.board.explains() && picker.notes.get(path[0])?.text;
  return asks ? html`${!words.includes(name) && html`<span class="about">${name}</span> `}${words}? ${AGAIN} to confirm.` : html`${words}${note && `. ${note}`}`;
}

/** A sentence on what to click after `path`. @param {MovePicker} picker @param {string[]} path @param {string[]} next */
function promptAfter(picker, path, next) {
  if (!path.length && picker.task !== null) return picker.task;
  const { handles, picture } = picker.board;
  const lit = next.filter((handle) => handles.has(handle));
  const buttons = next.length - lit.length;
  const useButton = `use ${buttons > 1 ? "a" : "the"} button below.`;
  const alternative = buttons ? `, or ${useButton}` : ".";
  const question = !lit.length && questionAfter(picker, path, next);
  if (question) return question;
  const subject = nameMover(picker, path) || path.map((handle) => shortNameOf(picker, handle)).join(", then ").replace(/\.$/, "");
  if (!lit.length && subject && next.length <= MAX_NAMED) return `${subject}: ${next.map((handle) => picker.nameOf(handle).replace(/^./, (first) => first.toLowerCase())).join(" or ")}`;
  if (!lit.length) return subject ? `${subject}: ${useButton}` : useButton.replace("u", "U");
  const note = path.length === 1 && picker.notes.get(path[0])?.text;
  const ownNoun = handles.get(lit[0])?.dataset.noun ?? picture.querySelector("svg")?.dataset.noun;
  const noun = lit.some((handle) => !picture.contains(handles.get(handle))) ? "entry" : (ownNoun ?? (picker.board.hasGrid() ? "space" : "card"));
  if (note) return `${note} Pick a highlighted ${noun}${alternative}`;
  if (path.length) return noun === "space" && !buttons && handles.has(path[0]) ? `${subject}: where to?` : `${subject}: pick a highlighted ${noun}${alternative}`;
  const [words, preposition] = splitPreposition(commonWords(picker.choices));
  if (picker.choices.length === 1 && words) return `${words}${preposition}.`;
  if (movesPiece(picker, lit)) return `Move a highlighted piece${alternative}`;
  if (!words) return `Pick a highlighted ${noun}${alternative}`;
  return preposition || noun === "space" ? `${words}: pick a highlighted ${noun}${alternative}` : `${words} a ${noun}${alternative}`;
}

/**
 * The question that is the group of all buttons in `next`, after what `path` has settled; empty if there is none.
 * @param {MovePicker} picker @param {string[]} path @param {string[]} next
 */
function questionAfter(picker, path, next) {
  const [group, ...others] = new Set(next.map((handle) => splitLabel(picker.labels[handle] ?? "").group));
  if (others.length || !group.endsWith("?")) return "";
  const [settled] = commonWords(picker.choices.filter((choice) => isPrefix([choice], path))).split(/,[^,]*$/);
  return settled ? `${settled}. ${group}` : group;
}

/**
 * What the moves that start with `path` have in common, if they name its end and differ in the place: "Frog from b2".
 * @param {MovePicker} picker @param {string[]} path
 */
function nameMover(picker, path) {
  const matching = path.length ? picker.choices.filter((choice) => isPrefix([choice], path)) : [];
  const [words, preposition] = splitPreposition(commonWords(matching));
  return preposition && words.split(" ").includes(path.at(-1)) ? words : "";
}

/** Whether every move that starts at one of these handles goes on to another place on the board. @param {MovePicker} picker @param {string[]} starts */
function movesPiece(picker, starts) {
  const moves = picker.choices.filter(({ path: [first] }) => starts.includes(first));
  return moves.every(({ path: [first, second] }) => second !== first && picker.board.handles.has(second));
}

/** A shorter name of a place whose label starts with its handle and ends with a piece: "White Agent on b2". @param {MovePicker} picker @param {string} handle */
function shortNameOf(picker, handle) {
  const name = picker.nameOf(handle);
  const [place, ...facts] = name.split(", ");
  return place === handle && /^\p{Lu}/u.test(facts.at(-1)) ? `${facts.at(-1)} on ${place}` : name;
}
