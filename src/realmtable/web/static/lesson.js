// @ts-check
// A lesson: a board with a text for each step. The server plays the reader's moves and says whether they were asked for.
import { readStored, store } from "./preferences.js";
import { fetchReason, request, showError } from "./request.js";
import { byRole, html, render } from "./html.js";
import { MovePicker } from "./move_picker.js";
import { drawSeatsOf } from "./table_parts.js";

const { game, names, number: lessonNumber, steps, bots, preset, start } = JSON.parse(document.getElementById("lesson").textContent);
const OTHER_MOVE = "That move is legal, but this step asks for another one: see the words in bold.";
const NOT_HERE = "You cannot choose that now. Do what the words in bold say.";
const OFFLINE_LESSON = "You are offline. You can read on; the board needs a connection.";
document.body.dataset.game = game;
const STORE = lessonNumber > 1 ? `lesson ${game} ${lessonNumber}` : `lesson ${game}`; // in the browser, so that a reader can come back later
const tabs = [...document.querySelectorAll(".lesson-steps [data-step]")];

const SKIP_AFTER_MS = 600; // the second tap of a double tap on "Next" does not skip a step

let [current, enteredAt] = [0, -Infinity];
/** @type {string[]} */
let played = [];
/** @type {{ moment: Moment, done: boolean }} */
let practice = start;
const saved = { step: 0, done: [], ...readStored(STORE, {}) };

/** @param {string[]} moves */
const practise = (moves) => request("POST", `/api/lessons/${game}/${current}`, { lesson: lessonNumber, moves });
const picker = new MovePicker({
  play,
  preview: async (move) => (await practise([...played, move])).moment,
  clear: () => showRefusal(null),
  refuse: explainRefusal,
});

/**
 * Says why `handle` cannot follow `path`, unless the reader has gone on before the answer comes.
 * @param {string[]} path @param {string} handle
 */
async function explainRefusal(path, handle) {
  const { moment } = practice;
  const { sentence, ...rule } = await fetchReason(game, moment.position, path, handle).catch(() => ({ sentence: NOT_HERE }));
  if (moment === practice.moment) showRefusal({ message: sentence, ...rule });
}

/** @param {Refusal | null} error */
function showRefusal(error) {
  if (error?.clause) error.rules ??= `/rules/${game}#${error.clause}`;
  showError(byRole("refusal"), error);
}

/** @param {string} text */
async function play(text) {
  showRefusal(null);
  try {
    const next = await practise([...played, text]);
    if (next.other) return showRefusal({ message: OTHER_MOVE });
    const isLater = next.moment.step - practice.moment.step;
    [played, practice] = [[...played, text], next];
    draw(next.moment.last.slice(-isLater));
  } catch (error) {
    showRefusal(error);
  }
}

/** @param {string[]} moves */
async function goBack(moves) {
  showRefusal(null);
  [played, practice] = [moves, await practise(moves)];
  draw(null);
}

/** @param {string[][] | null} animatedSteps */
function draw(animatedSteps) {
  const { moment, done } = practice;
  const { marks, done: words, text, later } = steps[current];
  const task = later[played.length - 1];
  drawSeatsOf(moment, names.slice(0, Object.keys(moment.chips).length || names.length));
  picker.board.showLayers(moment.layers);
  picker.board.show(moment.picture, animatedSteps);
  render(byRole("text"), task ? html`<p><strong>${task}</strong></p>` : text);
  picker.setPrompt({ text: done && played.length ? "" : html`<span class="task">${task ?? taskOf(current)}</span>` }); // the game's own prompt may say something else
  picker.setChoices(`${current} ${played}`, moment.choices, moment.labels, played.length ? moment.words : "");
  for (const [name, element] of picker.board.handles) element.classList.toggle("noted", !played.length && marks.includes(name));
  render(byRole("done"), done && played.length ? words + html`${moment.result && html`<p><b>${moment.result.text}</b></p>`}` : "");
  byRole("done").hidden = !done || !played.length;
  byRole("text").hidden = !byRole("done").hidden; // in its place, so that the board stays where it is
  if (!byRole("done").hidden) byRole("done").scrollIntoView({ block: "nearest" });
  byRole("undo").hidden = !played.length || done;
  byRole("again").hidden = !played.length || !done;
  showNext(done);
  if (done && !saved.done.includes(current)) saved.done.push(current);
  tabs.forEach((tab, number) => {
    tab.classList.toggle("is-done", saved.done.includes(number));
    tab.setAttribute("aria-current", number === current && "step");
  });
  store(STORE, { ...saved, step: current });
}

/** Offers the next step: as the main button once this one is done, before that only to those who want to skip it. After the
 * last step, offers a table, and the next lesson if there is one. */
/** @param {boolean} done */
function showNext(done) {
  const isLast = current === steps.length - 1;
  const next = Object.assign(byRole("next"), { hidden: isLast, disabled: false, textContent: done ? "Next" : "Skip this step" });
  next.classList.toggle("primary", done);
  next.classList.toggle("quiet", !done);
  byRole("play").hidden = !isLast;
  byRole("play").classList.toggle("primary", done);
  const following = byRole("following");
  if (following) following.hidden = !isLast;
}

/** What a step asks for: its last words in bold. @param {number} number */
function taskOf(number) {
  const text = new DOMParser().parseFromString(steps[number].text, "text/html");
  return [...text.querySelectorAll("strong")].at(-1)?.textContent ?? "";
}

/** @param {number} index */
async function enterStep(index) {
  [current, played, enteredAt] = [index, [], performance.now()];
  showRefusal(null);
  byRole("next").disabled = true; // until it says what it does there
  byRole("title").textContent = steps[current].title;
  render(byRole("text"), steps[current].text);
  try {
    practice = await practise([]);
    draw(null);
  } catch (error) {
    readOn(error);
  }
}

/** Shows the text of a step alone: without the server the lesson can still be read. @param {Refusal} error */
function readOn(error) {
  byRole("text").hidden = false;
  for (const role of ["done", "undo", "again"]) byRole(role).hidden = true;
  showNext(true);
  tabs.forEach((tab, number) => tab.setAttribute("aria-current", number === current && "step"));
  showRefusal(error.code === "Offline" ? { message: OFFLINE_LESSON } : error);
}

/** Opens a table with the weakest bots; a second click opens no second table. @param {HTMLButtonElement} button */
async function openTable(button) {
  const seats = ["me", ...Array(bots).fill("bot:level1")];
  button.disabled = true;
  try {
    location.assign((await request("POST", "/api/tables", { game, preset, seats })).url);
  } catch (error) {
    button.disabled = false;
    showRefusal(error);
  }
}

document.addEventListener("click", ({ target }) => {
  const button = target.closest("button");
  const { role, step, do: command } = button?.dataset ?? {};
  if (command === "escape") picker.goTo(picker.path.slice(0, -1));
  else if (role === "undo") goBack(played.slice(0, -1));
  else if (role === "again") goBack([]);
  else if (role === "play" && button) openTable(button);
  else if (role === "next" && !practice.done && performance.now() - enteredAt < SKIP_AFTER_MS) return;
  else if (role === "next" || step) enterStep(step ? +step : current + 1).then(() => byRole("title").focus());
});

practice.moment.picture = byRole("picture").innerHTML;
if (saved.step > 0 && saved.step < steps.length) enterStep(saved.step);
else draw(null);
