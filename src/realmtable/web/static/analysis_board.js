// @ts-check
// The analysis board: a board page without a live table, an engine that evaluates the position on it, and a palette to set
// positions up.

import { request, showError } from "./request.js";
import { BoardPage } from "./board_page.js";
import { formatPercent, lineButtons, scrollToBoard } from "./engine_lines.js";
import { byRole, html, render } from "./html.js";
import { say } from "./language.js";

const THINK_AFTER_MS = 250; // so that stepping quickly asks the engine once
const THINK_WHILE_EDITING_MS = 1500;
const { game, names, moment } = JSON.parse(byRole("board-data").textContent);
moment.picture = byRole("picture").innerHTML;
/** @typedef {{ position: string, stop: AbortController }} Thought */
/** @type {Thought | null} */
let thinking = null;
let timer = 0;
/** @typedef {{ position: string, picture: string, fault?: string | null }} Draft */
/** @type {Draft | null} */
let draft = null; // the position being set up
let piece = ""; // the name of the piece to place, empty for the eraser

/** @type {BoardPage} */
const page = new BoardPage({ source: null, game, onDraw, idleText, seats: () => names.map((/** @type {string} */ name, /** @type {number} */ seat) => ({ seat, name })), play: (move) => page.explore([move]) });
const fold = byRole("edit-fold");
const pieceButtons = [...document.querySelectorAll("[data-piece]")];
const turnButtons = [...document.querySelectorAll("[data-turn]")];

Object.assign(page.commands, {
  leave: () => page.explore([]),
  clear: () => edit({ clear: true }),
  turn: (/** @type {HTMLElement} */ { dataset }) => edit({ seat: Number(dataset.turn) }),
  standard: () => loadPosition(undefined),
});

// The position on the board

function idleText() {
  if (draft) return piece ? `${piece}: click a space to place it.` : "Click a space to clear it.";
  return page.current?.result?.text ?? "";
}

function onDraw() {
  const { current, branch } = page;
  const { position, result, words, acting } = current;
  const address = `/analyse/${game}?p=${encodeURIComponent(position)}`;
  byRole("news-card").hidden = false;
  byRole("banner").hidden = true;
  byRole("headline").textContent = result ? say("The game is over") : say("{name} to move", { name: names[acting[0]] });
  byRole("news").textContent = result?.text ?? (words || `${names[acting[0]]} to move`);
  byRole("undo").hidden = !branch?.length;
  byRole("share").dataset.copy = address;
  byRole("start").href = `/play/${game}?position=${encodeURIComponent(position)}`;
  byRole("position-text").value = position;
  history.replaceState(null, "", address);
  document.body.classList.remove("away");
  markTurn(acting[0]);
  if (position !== thinking?.position) think(position, !result);
}

/** Starts from a position given as text, or shows why it is refused. @param {string} [position] */
async function loadPosition(position) {
  try {
    page.base = await request("POST", "/api/explore", { game, position, moves: [] });
  } catch (error) {
    return showError(byRole("fault"), error);
  }
  showError(byRole("fault"), null);
  draft = null;
  page.show(page.base, []);
  if (fold.open) startEditing();
}

// The engine

function stopThinking() {
  thinking?.stop.abort();
  thinking = null;
  clearTimeout(timer);
  render(byRole("lines"), html``);
}

/** @param {string} position @param {boolean} isRunning */
function think(position, isRunning) {
  stopThinking();
  thinking = { position, stop: new AbortController() };
  const on = isRunning && byRole("engine").checked;
  byRole("engine-status").textContent = on ? "Thinking…" : isRunning ? "The engine is off." : "The game is over in this position.";
  if (on) timer = setTimeout(fetchLines, fold.open ? THINK_WHILE_EDITING_MS : THINK_AFTER_MS, thinking);
}

/** @param {Thought} asked */
async function fetchLines(asked) {
  const { position, stop } = asked;
  /** @type {{ chance: number, lines: { chance: number, proven: boolean, turns: LineTurn[] }[], nodes: number, seconds: number, warming: boolean, error?: Refusal }} */
  const found = await request("POST", "/api/think", { game, position }, stop.signal).catch((error) => ({ error }));
  if (asked !== thinking) return;
  if (found.error) return void (byRole("engine-status").textContent = found.error.message);
  const { chance, lines, nodes, seconds, warming } = found;
  byRole("value").setAttribute("aria-valuenow", Math.round(100 * chance));
  /** @type {HTMLElement} */ (byRole("value").firstElementChild).style.width = `${100 * chance}%`;
  byRole("value-first").textContent = formatPercent(chance);
  byRole("value-second").textContent = formatPercent(1 - chance);
  render(byRole("lines"), html`${lines.map(({ chance: worth, proven, turns }) => html`<li><b class="worth">${formatPercent(worth)}</b>${proven && html`<span class="chip">certain</span>`} ${lineButtons(turns, "")}</li>`)}`);
  byRole("engine-status").textContent = `${nodes.toLocaleString("en")} positions searched in ${seconds.toFixed(1)} s. Percentages are ${names[0]}'s winning chances. Click a turn to see the position after it.${warming ? " The engine is still warming up; it gets stronger in about half a minute." : ""}`;
}

byRole("lines").addEventListener("click", ({ target }) => {
  const moves = target.closest("[data-moves]")?.dataset.moves;
  if (!moves) return;
  page.explore([...(page.branch ?? []), ...JSON.parse(moves)]);
  scrollToBoard();
});
byRole("engine").addEventListener("change", () => think(page.current.position, !page.current.result));

// Setting up a position

function startEditing() {
  const { position, picture } = page.current;
  draft = { position, picture };
  blockMoves();
  return draft;
}

/** Offers no moves while a position is being set up. */
function blockMoves() {
  page.picker.setChoices(`set up ${draft?.picture}`, [], {}, idleText());
}

/** @param {object} change */
async function edit(change) {
  const { position } = draft ?? startEditing();
  /** @type {Draft} */
  let changed;
  try {
    changed = await request("POST", "/api/positions/edits", { game, position, ...change });
  } catch (error) {
    return showError(byRole("fault"), error);
  }
  draft = changed;
  showError(byRole("fault"), changed.fault ? { message: changed.fault } : null);
  markTurn(changed.position.includes(" move=B") ? 1 : 0);
  if (changed.fault) showDraft(changed);
  else await loadPosition(changed.position);
}

/** Shows a draft that cannot be played yet. @param {Draft} draft */
function showDraft({ position, picture }) {
  stopThinking();
  byRole("engine-status").textContent = "This position is not playable yet.";
  byRole("position-text").value = position;
  page.picture = ""; // the draft's picture belongs to no moment
  page.picker.board.showLayers(); // they are part of the draft's picture
  page.picker.board.show(picture, null);
  blockMoves();
}

/** @param {HTMLElement} button */
function selectPiece(button) {
  for (const other of pieceButtons) other.setAttribute("aria-checked", other === button);
  piece = (button.dataset.piece && button.getAttribute("aria-label")) || "";
  blockMoves();
}

const selectedPiece = () => pieceButtons.find((button) => button.getAttribute("aria-checked") === "true");

/** @param {number} seat */
function markTurn(seat) {
  for (const button of turnButtons) button.setAttribute("aria-pressed", Number(button.dataset.turn) === seat);
}

const pickMove = page.picker.pick.bind(page.picker);
page.picker.pick = (/** @type {string} */ handle) => {
  if (!draft) return pickMove(handle);
  edit({ handle, piece: selectedPiece()?.dataset.piece || null });
};
for (const button of pieceButtons) button.addEventListener("click", () => selectPiece(button));
byRole("position-form").addEventListener("submit", (event) => {
  event.preventDefault();
  loadPosition(byRole("position-text").value.trim());
});
fold.addEventListener("toggle", () => {
  document.body.classList.toggle("editing", fold.open);
  if (fold.open) {
    startEditing();
    if (pieceButtons.length) selectPiece(selectedPiece() ?? pieceButtons[0]);
  } else {
    draft = null;
    page.draw();
  }
});

document.addEventListener("panel", ({ detail }) => (fold.open = detail === "edit"));
const panels = byRole("panels");
if (panels && !byRole("fault").hidden) panels.dataset.first = "edit";
Object.assign(page, { moment, base: moment, branch: [] }).draw();
