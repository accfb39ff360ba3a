// The tour: a board and a voice beside it. Only those legal moves are taken that the step asks for.
import { api, tell } from "./api.js";
import { html, part, put } from "./html.js";
import { Picker } from "./move_picker.js";

const { game, steps, moment: first } = JSON.parse(document.getElementById("tour").textContent);
const OTHER = "That can be played, too. The tour goes on with what stands in bold.";
const tabs = [...document.querySelectorAll("[data-tour]")];
let [at, went, played, lines, moment] = [0, 0, [], [], first];

const wanted = () => steps[at].moves[went];
const explore = (moves) => api("POST", "/api/explore", { game, position: steps[at].position ?? undefined, moves });
const picker = new Picker({ play, preview: (move) => explore([...played, move]), pointed: () => refuse(null) });

function refuse(error) {
  if (error?.clause) error.rules ??= `/rules/${game}#${error.clause}`;
  tell(part("refusal"), error);
  part("caption").hidden = !!error;
}

async function play(text) {
  refuse(null);
  try {
    const tried = await explore([...played, text]);
    if (tried.text !== wanted()) return refuse({ message: OTHER });
    [played, lines, moment] = [[...played, text], [...lines, tried], tried];
    moved(tried.last.slice(-1));
  } catch (error) {
    refuse(error);
    if (error.clause && text === steps[at].refused) finish();
  }
}

async function back() {
  refuse(null);
  [played, lines] = [played.slice(0, -1), lines.slice(0, -1)];
  moment = await explore(played);
  if (wanted() !== "undo") went -= 2; // moved() adds one
  moved(null);
}

function moved(glide) {
  went += 1;
  show(glide);
  if (went === steps[at].moves.length) finish();
}

function finish() {
  const { result, words } = moment;
  put(part("done"), steps[at].done + html`${result && html`<p><b>${result.text}</b></p>`}`);
  part("done").hidden = false;
  tabs[at].classList.add("is-done");
  part("next").classList.add("primary");
  picker.offer("done", [], {}, words);
}

function show(glide) {
  picker.board.show(moment.picture, glide);
  picker.offer(`${at} ${played}`, moment.choices.filter(asked), moment.labels, moment.words);
  part("undo").hidden = !played.length;
  put(part("log"), html`${lines.map(({ text, words }) => html`<li><code>${text}</code> ${words}</li>`)}`);
}

// Only buttons that the step wants.
const asked = ({ path: [first], move }) => picker.board.handles.has(first) || move === wanted();

async function enter(index) {
  [at, went, played, lines] = [index, 0, [], []];
  refuse(null);
  moment = await explore([]);
  part("title").textContent = steps[at].title;
  put(part("text"), steps[at].text);
  part("done").hidden = true;
  part("next").classList.remove("primary");
  part("next").hidden = at === steps.length - 1;
  part("play").hidden = !part("next").hidden;
  tabs.forEach((tab, number) => tab.setAttribute("aria-current", number === at && "step"));
  show(null);
}

document.addEventListener("click", async ({ target }) => {
  const { role, tour, do: command } = target.closest("button")?.dataset ?? {};
  if (command === "escape") picker.go(picker.path.slice(0, -1));
  else if (role === "undo") back();
  else if (role === "again") enter(at);
  else if (role === "next" || tour) enter(tour ? +tour : at + 1).then(() => part("title").focus());
});
part("notation-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  await play(part("notation").value.trim());
  part("notation").value = "";
});
moment.picture = part("picture").innerHTML;
show(null);
