// The analysis board: a desk without a table behind it, an engine that thinks about whatever stands on it, and a palette
// to set positions up.

import { api, tell } from "./api.js";
import { Desk } from "./board_page.js";
import { html, part, put } from "./html.js";
import { lineButtons, lookAtBoard, percent } from "./engine_lines.js";

const CALM_MS = 250; // before the engine is asked: who steps quickly waits for one thought
const SETTING_UP_MS = 1500; // the same while pieces are put
const { game, names, moment } = JSON.parse(part("board-data").textContent);
moment.picture = part("picture").innerHTML;
let [thinking, timer, draft, piece] = [null, 0, null, null];

const desk = new Desk({ source: null, game, drawn, idle, play: (move) => desk.explore([move]) });
const fold = part("edit-fold");
const pieces = [...document.querySelectorAll("[data-piece]")];
const turns = [...document.querySelectorAll("[data-turn]")];

Object.assign(desk.commands, {
  leave: () => desk.explore([]),
  clear: () => edit({ clear: true }),
  turn: ({ dataset }) => edit({ seat: +dataset.turn }),
  standard: () => load(undefined),
});

// What stands on the board

function idle() {
  if (draft) return piece ? `${piece}: point at a place` : "Point at the place to empty";
  return desk.shown?.result?.text ?? "";
}

function drawn() {
  const { shown, branch } = desk;
  const { position, result, words, acting } = shown;
  const address = `/analyse/${game}?p=${encodeURIComponent(position)}`;
  part("news").hidden = false;
  part("banner").hidden = true;
  part("news").textContent = result?.text ?? (words || `${names[acting[0]]} to move`);
  part("undo").hidden = !branch?.length;
  part("share").dataset.copy = address;
  part("start").href = `/play/${game}?position=${encodeURIComponent(position)}`;
  part("position-text").value = position;
  history.replaceState(null, "", address);
  document.body.classList.remove("away");
  markTurn(acting[0]);
  if (position !== thinking?.position) think(position, !result);
}

/** A position to begin with, as text; refused ones are told. */
async function load(position) {
  try {
    desk.base = await api("POST", "/api/explore", { game, position, moves: [] });
  } catch (error) {
    return tell(part("fault"), error);
  }
  tell(part("fault"), null);
  draft = null;
  desk.show(desk.base, []);
  if (fold.open) setUp();
}

// The engine

function think(position, goes) {
  thinking?.stop.abort();
  clearTimeout(timer);
  put(part("lines"), html``);
  thinking = { position, stop: new AbortController() };
  const on = goes && part("engine").checked;
  part("engine-told").textContent = on ? "Thinking …" : goes ? "The engine is off." : "The game is over here.";
  if (on) timer = setTimeout(ask, fold.open ? SETTING_UP_MS : CALM_MS, thinking);
}

async function ask(asked) {
  const { position, stop } = asked;
  const found = await api("POST", "/api/think", { game, position }, stop.signal).catch((error) => ({ error }));
  if (asked !== thinking) return;
  if (found.error) return void (part("engine-told").textContent = found.error.message);
  const { chance, lines, nodes, seconds, warming } = found;
  part("value").setAttribute("aria-valuenow", Math.round(100 * chance));
  part("value").firstChild.style.width = `${100 * chance}%`;
  part("value-first").textContent = percent(chance);
  part("value-second").textContent = percent(1 - chance);
  put(part("lines"), html`${lines.map(({ chance: worth, proven, turns: line }) => html`<li><b class="worth">${percent(worth)}</b>${proven && html`<span class="chip">certain</span>`} ${lineButtons(line, "")}</li>`)}`);
  part("engine-told").textContent = `${nodes.toLocaleString("en")} positions searched in ${seconds.toFixed(1)} s. Percentages are ${names[0]}'s chances; click a turn of a line to see the position after it.${warming ? " The engine is still being made ready: in some minutes it sees more." : ""}`;
}

part("lines").addEventListener("click", ({ target }) => {
  const moves = target.closest("[data-moves]")?.dataset.moves;
  if (!moves) return;
  desk.explore([...(desk.branch ?? []), ...JSON.parse(moves)]);
  lookAtBoard();
});
part("engine").addEventListener("change", () => think(desk.shown.position, !desk.shown.result));

// Setting up

function setUp() {
  draft = { position: desk.shown.position, picture: desk.shown.picture };
  desk.picker.offer(`set up ${draft.picture}`, [], {}, idle());
}

async function edit(change) {
  if (!draft) setUp();
  try {
    draft = await api("POST", "/api/positions/edits", { game, position: draft.position, ...change });
  } catch (error) {
    return tell(part("fault"), error);
  }
  tell(part("fault"), draft.fault && { message: draft.fault });
  markTurn(draft.position.includes(" move=B") ? 1 : 0);
  if (draft.fault) showDraft();
  else await adopt();
}

/** A draft that can be played is the position from now on. */
async function adopt() {
  desk.base = await api("POST", "/api/explore", { game, position: draft.position, moves: [] });
  desk.show(desk.base, []);
  setUp();
}

function showDraft() {
  thinking?.stop.abort();
  thinking = null;
  clearTimeout(timer);
  put(part("lines"), html``);
  part("engine-told").textContent = "This position cannot be played yet.";
  part("position-text").value = draft.position;
  desk.picture = null; // it is not a moment's
  desk.picker.board.show(draft.picture, null);
  desk.picker.offer(`set up ${draft.picture}`, [], {}, idle());
}

function choose(button) {
  for (const other of pieces) other.setAttribute("aria-checked", other === button);
  piece = button.dataset.piece && button.getAttribute("aria-label");
  desk.picker.offer(`set up ${draft?.picture}`, [], {}, idle());
}

function markTurn(seat) {
  for (const button of turns) button.setAttribute("aria-pressed", +button.dataset.turn === seat);
}

const pick = desk.picker.pick.bind(desk.picker);
desk.picker.pick = (handle) => {
  if (!draft) return pick(handle);
  const token = pieces.find((button) => button.getAttribute("aria-checked") === "true")?.dataset.piece;
  edit({ handle, piece: token || null });
};
for (const button of pieces) button.addEventListener("click", () => choose(button));
part("position-form").addEventListener("submit", (event) => {
  event.preventDefault();
  load(part("position-text").value.trim());
});
fold.addEventListener("toggle", () => {
  document.body.classList.toggle("editing", fold.open);
  if (fold.open) {
    setUp();
    if (pieces.length) choose(pieces.find((button) => button.getAttribute("aria-checked") === "true"));
  } else {
    draft = null;
    desk.draw();
  }
});

const faulty = !part("fault").hidden;
Object.assign(desk, { moment, base: moment, branch: [] }).draw();
if (faulty) fold.open = true;
