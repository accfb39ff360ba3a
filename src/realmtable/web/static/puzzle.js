// @ts-check
// A puzzle: the board, an answer that the server checks turn by turn, and the solution on request.

import { fetchReason, request, showError } from "./request.js";
import { byRole, html, render, trusted } from "./html.js";
import { say } from "./language.js";
import { reducesMotion } from "./preferences.js";
import { MovePicker } from "./move_picker.js";
import { drawSeatsOf } from "./table_parts.js";
import { isSolved, saveSolved } from "./solved_puzzles.js";

const { game, id, names, task, day, moment: start } = JSON.parse(document.getElementById("puzzle").textContent);
const REPLY_AFTER_MS = 700;
const GOOD = ["right", "solved", "wins"];
/** @type {{ moves: string[], moment: Moment }} */
let checkpoint = { moves: [], moment: start }; // where "Try again" goes back to
// `isOver` is true after a try has succeeded or failed.
let { moves: played, moment } = checkpoint;
let [step, isOver] = [0, false];
let length = 0; // the number of steps of the solution once it is shown
start.picture = byRole("picture").innerHTML;

/** @param {string} position @param {string[]} moves @returns {Promise<Moment>} */
const explore = (position, moves) => request("POST", "/api/explore", { game, position, moves });
/** @param {string[]} moves */
const answer = (moves) => request("POST", `/api/puzzles/${game}/${id}/answers`, { moves });
const picker = new MovePicker({
  play,
  preview: (move) => explore(moment.position, [move]),
  clear: () => showRefusal(null),
  refuse: explainRefusal,
});

/**
 * Says why `handle` cannot follow `path`, unless the position has changed before the answer comes.
 * @param {string[]} path @param {string} handle
 */
async function explainRefusal(path, handle) {
  const asked = moment;
  const reason = await fetchReason(game, moment.position, path, handle).catch(() => null);
  if (asked === moment && reason) showRefusal({ message: reason.sentence, ...reason });
}

/** @param {Refusal | null} error */
function showRefusal(error) {
  if (error?.clause) error.rules ??= `/rules/${game}#${error.clause}`;
  showError(byRole("refusal"), error);
}

/** @param {number} ms */
const pause = (ms) => new Promise((done) => setTimeout(done, reducesMotion() ? 0 : ms));

/** @param {string} text */
async function play(text) {
  showRefusal(null);
  try {
    await showVerdict(await answer([...played, text]), text);
  } catch (error) {
    showRefusal(error);
  }
}

/** @param {any} answer @param {string} text */
async function showVerdict({ verdict, words, moment: next, reply }, text) {
  played = [...played, text];
  isOver = verdict !== "open" && verdict !== "right";
  showMoment(next, next.last.slice(-1));
  if (verdict === "open") return;
  if (verdict === "solved" || verdict === "wins") markSolved();
  showMessage(words, GOOD.includes(verdict));
  byRole("undo").hidden = true;
  byRole("again").hidden = verdict !== "wrong";
  if (reply) {
    await pause(REPLY_AFTER_MS);
    showMoment(reply, reply.last);
  }
  if (verdict === "right") checkpoint = { moves: played, moment };
  if (verdict === "wrong") byRole("again").focus();
}

function markSolved() {
  saveSolved(id, day);
  byRole("tick").hidden = false;
  byRole("next").classList.add("primary");
  byRole("show").classList.remove("quiet");
}

/** @param {string} words @param {boolean} isGood */
function showMessage(words, isGood) {
  const box = byRole("verdict");
  box.className = `verdict ${isGood ? "note" : "alert"}`;
  render(box, html`<p>${words}</p>`);
}

/** @param {Moment} next @param {string[][] | null} steps */
function showMoment(next, steps) {
  moment = next;
  picker.board.showLayers(moment.layers);
  picker.board.show(moment.picture, steps);
  showPanels();
  drawSeatsOf(moment, names);
  picker.setPrompt(length ? null : moment.prompt, length ? [] : moment.choice_cards);
  picker.setChoices(moment.position, length ? [] : moment.choices, moment.labels, moment.result?.text ?? moment.words);
  byRole("headline").textContent = length ? say("Solution") : task;
  byRole("undo").hidden = length > 0 || isOver || played.length <= checkpoint.moves.length;
}

/** Shows the pictures beside the board, such as what can be taken, and lets them be clicked. */
function showPanels() {
  const pages = byRole("panel-pages");
  if (!pages) return;
  const pictures = moment.panels.filter(({ svg }) => svg);
  render(pages, html`${pictures.map(({ title, svg }) => html`<figure><figcaption>${title}</figcaption>${trusted(svg)}</figure>`)}`);
  picker.board.indexHandles();
}

async function undo() {
  const moves = played.slice(0, -1);
  if (moves.length === checkpoint.moves.length) return retry();
  const { moment: before } = await answer(moves);
  played = moves;
  showMoment(before, null);
}

function retry() {
  showRefusal(null);
  byRole("again").hidden = true;
  const box = byRole("verdict");
  box.className = "verdict";
  render(box, html`<p>${task}.</p>`);
  [played, isOver] = [checkpoint.moves, false];
  showMoment(checkpoint.moment, null);
}

// The solution, step by step

async function showSolution() {
  /** @type {{ turns: (LineTurn & { name: string, words: string })[], words: string }} */
  const { turns, words } = await request("GET", `/api/puzzles/${game}/${id}/solution`);
  length = turns.flatMap(({ moves }) => moves).length;
  let end = 0;
  render(byRole("line"), html`${turns.map((turn) => html`<li><button class="move" data-seat="${turn.seat}" data-end="${(end += turn.moves.length)}" title="${turn.text}">${turn.name}: ${turn.words}</button></li>`)}`);
  showMessage(words, true);
  for (const role of ["again", "undo", "show"]) byRole(role).hidden = true;
  byRole("walk").hidden = false;
  byRole("next").classList.add("primary");
  await goToStep(turns[0].moves.length);
}

/** @param {number} wanted */
async function goToStep(wanted) {
  if (!length) return;
  const target = Math.max(0, Math.min(wanted, length));
  const isNext = target === step + 1;
  step = target;
  const next = target ? await request("GET", `/api/puzzles/${game}/${id}/solution/${target}`) : start;
  if (step !== target) return; // a later click came first
  showMoment(next, isNext ? next.last.slice(-1) : null);
  byRole("back").disabled = !step;
  byRole("forward").disabled = step === length;
  byRole("where").textContent = `Step ${step} of ${length}`;
  for (const button of byRole("line").querySelectorAll("[data-end]")) button.toggleAttribute("aria-current", Number(button.dataset.end) === step);
}

/** @type {Record<string, () => unknown>} */
const commands = { again: retry, undo, show: showSolution, back: () => goToStep(step - 1), forward: () => goToStep(step + 1) };
document.addEventListener("click", async ({ target }) => {
  const { role, end, do: command } = target.closest("button")?.dataset ?? {};
  if (command === "escape") return picker.goTo(picker.path.slice(0, -1));
  try {
    await (end ? goToStep(+end) : commands[role ?? ""]?.());
  } catch (error) {
    showRefusal(error);
  }
});
byRole("notation-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  if (!length) await play(byRole("notation").value.trim());
  byRole("notation").value = "";
});
if (isSolved(id)) byRole("tick").hidden = false;
showMoment(start, null);
