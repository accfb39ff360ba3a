// @ts-check
// The live table: draws each scene the server sends into the page and sends back what the player does.

import { request } from "./request.js";
import { BoardPage } from "./board_page.js";
import { byRole } from "./html.js";
import { say } from "./language.js";
import { preference } from "./preferences.js";
import { readScene, seatsOfOthers } from "./scene.js";
import { TableSocket } from "./table_socket.js";

/** @type {Scene} */
let scene = readScene(JSON.parse(byRole("scene").textContent));
/** @type {import("./chat.js").Chat | null} */
let chat = null; // loaded after the first drawing
/** @type {import("./hints.js").Hints | null} */
let hints = null; // loaded with the first request for one
/** @type {import("./premoves.js").Premoves | null} */
let premoves = null; // this and the others are loaded when they are needed
/** @type {import("./table_effects.js").TableEffects | null} */
let effects = null;
/** @type {import("./table_parts.js").NewsBar | null} */
let news = null;
/** @type {import("./game_over_panel.js").GameOverPanel | null} */
let gameOverPanel = null;
/** @type {Promise<typeof import("./table_clocks.js")> | null} */
let clocks = null;
let lastSeenStep = 0; // the latest step before the player looked at an earlier moment
scene.picture = byRole("picture").innerHTML;
const source = `/api/tables/${scene.table}`;
const connection = byRole("connection");

document.body.dataset.notes = `${source}/notes`; // what choosing a card would do

/** @type {BoardPage} */
const page = new BoardPage({
  source,
  game: scene.game,
  play: async (move) => (mayPlan() ? (await loadPremoves()).save(move) : sendMove(move)),
  question: (move) => asksToConfirm() && !mayPlan() && `Play ${move}?`,
  plan: () => mayPlan() && premoves?.choices,
  onIdlePick: async (handle) => mayPlan() && (await loadPremoves()).start(handle),
  undo: () => scene.can.includes("undo") && act({ do: "undo", version: scene.version }),
  preview: async (move) => scene.explorable && scene.your_turn && page.fetchPicture(`${source}/preview?${new URLSearchParams({ move })}&`),
  note: (handle) => request("GET", `${source}/notes?${new URLSearchParams({ handle })}`).catch(() => null),
  why: async (path, handle) => !scene.your_turn ? null : request("GET", `${source}/why?${new URLSearchParams([["handle", handle], ...path.map((name) => ["path", name])])}`),
  idleText: () => (page.moment ? (page.moment.result?.text ?? page.moment.words) : waitingText()),
  waitingNote: () => (mayPlan() && !premoves?.steps.length ? { text: say("You can already choose your next move.") } : null),
  staysPut: () => mayPlan() || !connection.hidden,
  onDraw,
  afterSeats: () => updateClocks(),
});

Object.assign(page.commands, {
  draw: () => (playsAllSeats() ? byRole("confirm-draw").showModal() : page.commands.offerDraw()),
  offerDraw: () => offer("draw"),
  takeback: () => offer("takeback"),
  accept: () => answer(true),
  decline: () => answer(false),
  resign: () => {
    const opponent = scene.seats.find(({ seat }) => !scene.you.includes(seat));
    const winner = byRole("winner");
    if (winner) winner.textContent = (opponent?.bot ? "The bot " : "") + opponent?.player?.name;
    byRole("confirm").showModal();
  },
  abort: () => act({ do: "abort" }),
  claim: (/** @type {HTMLElement} */ { dataset }) => act({ do: "claim", what: dataset.what }),
  confirmResign: () => act({ do: "resign" }),
  sit: (/** @type {HTMLElement} */ { dataset }) => change(() => request("POST", `${source}/seats`, dataset.seat ? { seat: +dataset.seat } : {})),
  stand: () => change(() => request("DELETE", `${source}/seats`)),
  rematch: async () => (await loadGameOverPanel()).playAgain({}),
  nextBots: async (/** @type {HTMLButtonElement} */ button) => (await loadGameOverPanel()).playOtherBots(button, scene.next_bots),
  level: async (/** @type {HTMLButtonElement} */ button) => (await loadGameOverPanel()).playOtherBots(button, button.dataset.level),
  hint: () => page.attempt(async () => (hints ??= new (await import("./hints.js")).Hints(page)).fetch(source)),
  hideHint: () => hints?.hide(),
  playHint: () => hints?.play(),
  openChat: () => chat?.open(),
  sound: async () => (await loadEffects()).toggleSound(),
  verify: async () => (await loadGameOverPanel()).verify(),
});

/** @param {string} move */
const sendMove = (move) => socket.send({ do: "move", version: scene.version, move });

/** Does something at the table, once however often it is clicked, and shows the refusal if there is one. @param {import("./table_socket.js").Action} message */
const act = (message) => !socket.isSending(message.do) && page.attempt(() => socket.send(message));

/** @param {string} what */
const offer = (what) => act({ do: "offer", what });
/** @param {boolean} accept */
const answer = (accept) => act({ do: "answer", accept, what: scene.offer?.what });

/** Takes or leaves a seat; from then on the table looks different. @param {() => Promise<unknown>} work */
const change = (work) => page.attempt(work).then((isDone) => isDone && socket.open());

/** Whether the player waits and may choose their next move already. */
const mayPlan = () => scene.can.includes("premove") && preference("premoves", "on") === "on";

/** Whether the player wants to be asked before a move is played. */
const asksToConfirm = () => ({ always: true, correspondence: scene.clock.kind === "days" })[preference("confirm", "off")];

async function loadPremoves() {
  const { Premoves } = await import("./premoves.js");
  return (premoves ??= new Premoves(page, source));
}

async function loadEffects() {
  const { TableEffects } = await import("./table_effects.js");
  return (effects ??= new TableEffects(page));
}

async function loadGameOverPanel() {
  const { GameOverPanel } = await import("./game_over_panel.js");
  return (gameOverPanel ??= new GameOverPanel(page, source));
}

const isSolo = () => scene.seats.length === 1;

/** Whether one person plays every side, so that offers need no answer. */
const playsAllSeats = () => scene.seats.length > 1 && scene.you.length === scene.seats.length;

/** @param {Scene} next */
function update(next) {
  const before = scene;
  const news = next.news.flatMap(({ version, words }) => (words && version > scene.version ? words : []));
  const hasEnded = next.result && !scene.result && !page.moment;
  if (next.headline !== scene.headline && !(hasEnded && next.tallies.length)) news.push(next.headline); // the reveal says it later
  if (news.length) page.announce(news.map((words) => words.replace(/[^.!?]$/, "$&.")).join(" "));
  for (const layer of next.layers) layer.url = `${source}/layers/${layer.key}.svg`;
  if (next.picture !== scene.picture) page.moments.clear(); // steps may have been taken back
  scene = next;
  if (hasEnded && next.tallies.length) document.body.classList.add("before-reveal"); // hides what the reveal will show
  page.moveList.update(next);
  Object.assign(page, { scene: next, steps: next.step }).draw();
  if (hasEnded) page.drawReveal(true);
  if (before.version < next.version) loadEffects().then((effects) => effects.onScene(before, next, page.picker.board.hasCaptured));
  premoves?.onScene(next, sendMove);
}

function waitingText() {
  if (scene.result) return scene.tie_break?.title ?? "";
  if (scene.status === "open") return say("Not started yet");
  const names = new Intl.ListFormat("en").format(scene.acting.map((seat) => scene.seats[seat].name));
  return premoves?.describe() || (names && say("Waiting for {names}", { names }));
}

function onDraw() {
  const { offer, you, seats, step, result } = scene;
  /** @type {unknown[]} */
  const can = [...scene.can, scene.explorable && "explore", result && "end", offer && you.includes(offer.seat) && "withdraw"];
  if (you.length && scene.clock.kind === "days" && !result) can.push("notify");
  const write = (/** @type {string} */ role, /** @type {any} */ text) => (byRole(role).textContent = text || "");
  for (const element of /** @type {NodeListOf<HTMLButtonElement>} */ (document.querySelectorAll("[data-can]"))) {
    element.disabled = !can.includes(element.dataset.can);
    const keepsPlace = element.closest(".table-menu, [data-role='hint'], [data-role='undo']") && !result && you.length && scene.status === "running";
    element.hidden = element.disabled && (!keepsPlace || (element.hidden && element.dataset.role !== "undo"));
  }
  if (playsAllSeats()) byRole("resign").hidden = true;
  else if (!isSolo() && can.includes("undo")) byRole("takeback").disabled = true; // my turn is not over
  if (you.length) write("who", seats[you[0]].player?.name);
  if (!page.moment) lastSeenStep = step;
  write("headline", scene.headline);
  write("sub", scene.sub);
  drawNews();
  write("missed", step > lastSeenStep && `${step - lastSeenStep} new`);
  if (result) loadGameOverPanel().then((panel) => panel.draw(scene));
  write("offer", offer?.words);
  byRole("notation-form").hidden = !page.branch && !can.includes("resign");
  document.title = `${scene.your_turn ? "● " : ""}${scene.headline} · ${scene.title}`;
  document.body.classList.toggle("your-turn", scene.your_turn);
  document.body.dataset.status = scene.status;
  // For the header, which counts the games in which another person waits for this player's move.
  document.dispatchEvent(new CustomEvent("waiting", { detail: { here: +(scene.acting.some((seat) => you.includes(seat)) && hasOtherPeople()) } }));
  chat?.draw(scene);
  hints?.draw();
  premoves?.draw();
}

/** Whether anyone else at the table is a person. */
const hasOtherPeople = () => seatsOfOthers(scene).length > 0;

/** Draws what happened last, who watches, and what the buttons do at this table. */
async function drawNews() {
  const { NewsBar, drawWatching, nameButtons } = await import("./table_parts.js");
  (news ??= new NewsBar()).draw(scene);
  drawWatching(scene);
  nameButtons(scene, playsAllSeats());
}

const showLost = () => notice.then((notice) => notice.showLost(page, socket));

async function loadChat() {
  const { Chat } = await import("./chat.js");
  chat = new Chat(page, source, (text) => socket.send({ do: "chat", text }));
  chat.draw(scene);
}

function updateClocks() {
  effects?.watchClock(scene);
  if (scene.bell || scene.answer || scene.clock.kind !== "none") clocks ??= import("./table_clocks.js");
  clocks?.then(({ drawClocks }) => drawClocks(scene));
}

byRole("invite-link").value = location.origin + scene.invite;
setInterval(updateClocks, 200);
update(scene);
loadChat();
const notice = import("./connection_notice.js");
if (scene.can.includes("leave") && sessionStorage.realmtable_rematch) import("./rematch.js").then(({ showAwaited }) => showAwaited(scene));
const socket = new TableSocket(`${source}/socket?me=${byRole("chat").dataset.me}`, {
  scene: (sent) => update(readScene(sent)),
  lost: () => showLost(),
  found: () => connection.hidden || notice.then((notice) => notice.hide()),
  refused: ({ message }) => notice.then((notice) => notice.show(message)),
  blocked: () => notice.then((notice) => notice.show(connection.dataset.blocked)),
  delayed: () => connection.hidden || showLost(), // not while the first connection is made
});
if (scene.plays_forced && scene.choices.length === 1) loadEffects().then((effects) => effects.playForced(scene));
