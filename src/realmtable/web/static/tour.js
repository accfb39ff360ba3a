// The tour: a board with explanations next to it. It accepts only the legal moves that a step asks for.
import { request, showError } from "./request.js";
import { byRole, html, render } from "./html.js";
import { MovePicker } from "./move_picker.js";

const { game, steps, moment: start } = JSON.parse(document.getElementById("tour").textContent);
const OTHER_MOVE = "That move is legal too, but the tour continues with the one in bold.";
const tabs = [...document.querySelectorAll("[data-tour]")];
// `done` counts the asked-for moves of the current step that were made, undos included.
let [current, done, played, lines, moment] = [0, 0, [], [], start];

const expectedMove = () => steps[current].moves[done];
const explore = (moves) => request("POST", "/api/explore", { game, position: steps[current].position ?? undefined, moves });
const picker = new MovePicker({ play, preview: (move) => explore([...played, move]), point: () => showRefusal(null) });

function showRefusal(error) {
  if (error?.clause) error.rules ??= `/rules/${game}#${error.clause}`;
  showError(byRole("refusal"), error);
  byRole("caption").hidden = !!error;
}

async function play(text) {
  showRefusal(null);
  try {
    const next = await explore([...played, text]);
    if (next.text !== expectedMove()) return showRefusal({ message: OTHER_MOVE });
    [played, lines, moment] = [[...played, text], [...lines, next], next];
    advance(next.last.slice(-1));
  } catch (error) {
    showRefusal(error);
    if (error.clause && text === steps[current].refused) finishStep();
  }
}

async function undo() {
  showRefusal(null);
  [played, lines] = [played.slice(0, -1), lines.slice(0, -1)];
  moment = await explore(played);
  if (expectedMove() !== "undo") done -= 2; // advance() adds one
  advance(null);
}

function advance(animatedSteps) {
  done += 1;
  draw(animatedSteps);
  if (done === steps[current].moves.length) finishStep();
}

function finishStep() {
  const { result, words } = moment;
  render(byRole("done"), steps[current].done + html`${result && html`<p><b>${result.text}</b></p>`}`);
  byRole("done").hidden = false;
  tabs[current].classList.add("is-done");
  byRole("next").classList.add("primary");
  picker.setChoices("done", [], {}, words);
}

function draw(animatedSteps) {
  picker.board.showLayers(moment.layers);
  picker.board.show(moment.picture, animatedSteps);
  picker.setChoices(`${current} ${played}`, moment.choices.filter(isOffered), moment.labels, moment.words);
  byRole("undo").hidden = !played.length;
  render(byRole("log"), html`${lines.map(({ text, words }) => html`<li><code>${text}</code> ${words}</li>`)}`);
}

/** Everything on the board can be tried; of the buttons, only the one that the step asks for. */
const isOffered = ({ path: [first], move }) => picker.board.handles.has(first) || move === expectedMove();

async function enterStep(index) {
  [current, done, played, lines] = [index, 0, [], []];
  showRefusal(null);
  moment = await explore([]);
  byRole("title").textContent = steps[current].title;
  render(byRole("text"), steps[current].text);
  byRole("done").hidden = true;
  byRole("next").classList.remove("primary");
  byRole("next").hidden = current === steps.length - 1;
  byRole("play").hidden = !byRole("next").hidden;
  tabs.forEach((tab, number) => tab.setAttribute("aria-current", number === current && "step"));
  draw(null);
}

document.addEventListener("click", async ({ target }) => {
  const { role, tour, do: command } = target.closest("button")?.dataset ?? {};
  if (command === "escape") picker.goTo(picker.path.slice(0, -1));
  else if (role === "undo") undo();
  else if (role === "again") enterStep(current);
  else if (role === "next" || tour) enterStep(tour ? +tour : current + 1).then(() => byRole("title").focus());
});
byRole("notation-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  await play(byRole("notation").value.trim());
  byRole("notation").value = "";
});
moment.picture = byRole("picture").innerHTML;
draw(null);
