// A puzzle: the board, an answer that the server judges turn by turn, and the solution once it is asked for.

import { api, tell } from "./api.js";
import { html, part, put } from "./html.js";
import { Picker } from "./move_picker.js";
import { isSolved, note } from "./solved_puzzles.js";

const { game, id, seat, names, day, moment: first } = JSON.parse(document.getElementById("puzzle").textContent);
const REPLY_AFTER_MS = 700;
const GOOD = ["right", "solved", "wins"];
const begun = [[], first]; // the steps and the moment that "Try again" goes back to
// `line` are the steps of the solution, once they are shown; `told` is what was said of a try that is over.
let [played, moment, line, at, told] = [[], first, null, 0, ""];
first.picture = part("picture").innerHTML;

const explore = (position, moves) => api("POST", "/api/explore", { game, position, moves });
const picker = new Picker({ play, preview: (move) => explore(moment.position, [move]), pointed: () => refuse(null) });

function refuse(error) {
  if (error?.clause) error.rules ??= `/rules/${game}#${error.clause}`;
  tell(part("refusal"), error);
  part("caption").hidden = !!error;
}

const pause = (ms) => new Promise((done) => setTimeout(done, matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : ms));

async function play(text) {
  refuse(null);
  try {
    await judged(await api("POST", `/api/puzzles/${game}/${id}/answers`, { moves: [...played, text] }), text);
  } catch (error) {
    refuse(error);
  }
}

async function judged({ verdict, words, moment: next, reply }, text) {
  played = [...played, text];
  told = verdict === "open" || verdict === "right" ? "" : verdict;
  show(next, next.last.slice(-1));
  if (verdict === "open") return;
  if (verdict === "solved" || verdict === "wins") solved();
  say(words, GOOD.includes(verdict));
  part("undo").hidden = true;
  part("again").hidden = verdict !== "wrong";
  if (reply) {
    await pause(REPLY_AFTER_MS);
    show(reply, reply.last);
  }
  if (verdict === "right") begun.splice(0, 2, played, moment);
  if (verdict === "wrong") part("again").focus();
}

function solved() {
  note(id, day);
  part("tick").hidden = false;
  part("next").classList.add("primary");
  part("show").classList.remove("quiet");
}

function say(words, good) {
  const box = part("verdict");
  box.className = `verdict ${good ? "told" : "alert"}`;
  put(box, html`<p>${words}</p>`);
}

function show(next, glide) {
  moment = next;
  picker.board.show(moment.picture, glide);
  picker.offer(moment.position, line ? [] : moment.choices, moment.labels, moment.result?.text ?? moment.words);
  part("undo").hidden = line || told || played.length <= begun[0].length;
}

async function back() {
  const steps = played.slice(0, -1);
  if (steps.length === begun[0].length) return again();
  const { moment: before } = await api("POST", `/api/puzzles/${game}/${id}/answers`, { moves: steps });
  played = steps;
  show(before, null);
}

function again() {
  refuse(null);
  part("again").hidden = true;
  const box = part("verdict");
  box.className = "verdict";
  put(box, html`<p>${names[seat]} to move. Find the turn that wins.</p>`);
  [played, told] = [begun[0], ""];
  show(begun[1], null);
}

// The solution, step by step

async function reveal() {
  const { turns, words } = await api("GET", `/api/puzzles/${game}/${id}/solution`);
  line = turns.flatMap(({ moves }) => moves);
  let end = 0;
  put(part("line"), html`${turns.map((turn) => html`<li><button class="move" data-seat="${turn.seat}" data-end="${(end += turn.moves.length)}">${names[turn.seat]}: ${turn.text}</button></li>`)}`);
  say(words, true);
  for (const role of ["again", "undo", "show"]) part(role).hidden = true;
  part("walk").hidden = false;
  part("next").classList.add("primary");
  await go(turns[0].moves.length);
}

async function go(step) {
  const to = Math.max(0, Math.min(step, line.length));
  const forward = to === at + 1;
  at = to;
  const next = to ? await explore(first.position, line.slice(0, to)) : first;
  if (at !== to) return; // a later click was quicker
  show(next, forward ? next.last.slice(-1) : null);
  part("back").disabled = !at;
  part("forward").disabled = at === line.length;
  part("where").textContent = `Step ${at} of ${line.length}`;
  for (const button of part("line").querySelectorAll("[data-end]")) button.toggleAttribute("aria-current", +button.dataset.end === at);
}

const commands = { again, undo: back, show: reveal, back: () => go(at - 1), forward: () => go(at + 1) };
document.addEventListener("click", async ({ target }) => {
  const { role, end, do: command } = target.closest("button")?.dataset ?? {};
  if (command === "escape") return picker.go(picker.path.slice(0, -1));
  try {
    await (end ? go(+end) : commands[role]?.());
  } catch (error) {
    refuse(error);
  }
});
part("notation-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  if (!line) await play(part("notation").value.trim());
  part("notation").value = "";
});
if (isSolved(id)) part("tick").hidden = false;
show(first, null);
