// @ts-check
// Sentences about choices: what can be clicked next, and what it does. Loaded with the first question.

import { commonWords, continuations, isPrefix, moveToConfirm, splitLabel } from "./click_paths.js";
import { html } from "./html.js";

const MAX_NAMED = 3; // buttons that a caption can name
const AGAIN = matchMedia("(pointer: coarse)").matches ? "Tap it again" : "Click it again";

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
