// The live table: draws each scene the server sends into the page and sends back what the player does.

import { request } from "./request.js";
import { BoardPage } from "./board_page.js";
import { byRole, html, render } from "./html.js";
import { preference } from "./preferences.js";
import { openStream } from "./stream.js";

let scene = JSON.parse(byRole("scene").textContent);
let chat = null; // loaded after the first drawing
let hints = null; // loaded with the first request for one
let [premoves, effects, gameOverPanel, clocks] = [null, null, null, null]; // loaded when they are needed
let lastSeenStep = 0; // the latest step before the player looked at an earlier moment
scene.picture = byRole("picture").innerHTML;
const source = `/api/tables/${scene.table}`;

document.body.dataset.notes = `${source}/notes`; // what choosing a card would do

const page = new BoardPage({
  source,
  game: scene.game,
  play: async (move) => (mayPlan() ? (await loadPremoves()).save(move) : sendMove(move)),
  question: (move) => asksToConfirm() && !mayPlan() && `Play ${move}?`,
  plan: () => mayPlan() && premoves?.choices,
  onIdlePick: async (handle) => mayPlan() && (await loadPremoves()).start(handle),
  undo: () => scene.can.includes("undo") && page.attempt(() => sendUntilAnswered("/undo")),
  preview: async (move) => scene.explorable && scene.your_turn && page.fetchPicture(`${source}/preview?move=${encodeURIComponent(move)}&`),
  note: async (handle) => (await request("GET", `${source}/notes?handle=${encodeURIComponent(handle)}`).catch(() => null))?.text,
  why: async (path, handle) => !scene.your_turn ? null : request("GET", `${source}/why?${new URLSearchParams([["handle", handle], ...path.map((name) => ["path", name])])}`),
  idleText: () => (page.moment ? (page.moment.result?.text ?? page.moment.words) : waitingText()),
  onDraw,
});

Object.assign(page.commands, {
  draw: () => (playsAllSeats() ? byRole("confirm-draw").showModal() : page.commands.offerDraw()),
  offerDraw: () => post("/offers", { what: "draw" }),
  takeback: () => post("/offers", { what: "takeback" }),
  accept: () => post("/answers", { accept: true }),
  decline: () => post("/answers", { accept: false }),
  resign: () => {
    const opponent = scene.seats.find(({ seat }) => !scene.you.includes(seat));
    if (byRole("winner")) byRole("winner").textContent = (opponent.bot ? "The bot " : "") + opponent.player.name;
    byRole("confirm").showModal();
  },
  confirmResign: () => post("/resign"),
  sit: ({ dataset }) => post("/seats", dataset.seat && { seat: +dataset.seat }).then(stream.reopen),
  stand: () => page.attempt(() => request("DELETE", `${source}/seats`)).then(stream.reopen),
  rematch: async () => (await loadGameOverPanel()).playAgain({}),
  nextBots: async (button) => (await loadGameOverPanel()).playOtherBots(button, scene.next_bots),
  level: async (button) => (await loadGameOverPanel()).playOtherBots(button, button.dataset.level),
  hint: () => page.attempt(async () => (hints ??= new (await import("./hints.js")).Hints(page)).fetch(source)),
  hideHint: () => hints.hide(),
  openChat: () => chat?.open(),
  sound: async () => (await loadEffects()).toggleSound(),
  verify: async () => (await loadGameOverPanel()).verify(),
});

const sendMove = (move) => sendUntilAnswered("/moves", { move });

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

const reactTo = async (...change) => (await loadEffects()).onScene(...change);

const isSolo = () => scene.seats.length === 1;

/** Whether one person plays every side, so that offers need no answer. */
const playsAllSeats = () => scene.seats.length > 1 && scene.you.length === scene.seats.length;

const post = (path, body = {}) => page.attempt(() => request("POST", source + path, body));

/** Sends a step, retrying until there is an answer; its key makes sure that it is played once. */
async function sendUntilAnswered(path, body) {
  const key = Date.now().toString(36) + Math.random().toString(36).slice(2);
  const { version } = scene;
  for (let delay = 500; ; delay *= 2) {
    try {
      return update(await request("POST", `${source}${path}?pictures=true`, { version, key, ...body }));
    } catch (error) {
      if (!["Offline", "Unavailable"].includes(error.code) || delay > 8000) throw error;
      await new Promise((done) => setTimeout(done, delay));
    }
  }
}

function update(next) {
  if (next.version < scene.version) return;
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
  if (before.version < next.version) reactTo(before, next, page.picker.board.hasCaptured);
  premoves?.onScene(next, sendMove);
}

function waitingText() {
  if (scene.status === "open") return "Not started yet.";
  const names = scene.acting.map((seat) => scene.seats[seat].name);
  const waiting = names.length ? `Waiting for ${new Intl.ListFormat("en").format(names)}.` : "";
  return premoves?.describe() || waiting + (mayPlan() ? " You can already choose your next move." : "");
}

function onDraw() {
  const { offer, you, seats, step, result } = scene;
  const can = [...scene.can, scene.explorable && "explore", result && "end", scene.chance && "chance", offer && you.includes(offer.seat) && "withdraw"];
  if (you.length && scene.clock.kind === "days" && !result) can.push("notify");
  const write = (role, text) => (byRole(role).textContent = text || "");
  for (const element of document.querySelectorAll("[data-can]")) {
    element.disabled = !can.includes(element.dataset.can);
    element.hidden = element.disabled && (element.hidden || result || !you.length || !element.closest(".tools")); // a tool keeps its place
  }
  if (playsAllSeats()) byRole("resign").hidden = true;
  else if (!isSolo() && can.includes("undo")) byRole("takeback").disabled = true; // my turn is not over
  if (you.length) write("who", seats[you[0]].player.name);
  if (!page.moment) lastSeenStep = step;
  write("headline", scene.headline);
  write("sub", scene.sub);
  drawNews();
  write("missed", step > lastSeenStep && `${step - lastSeenStep} new`);
  if (result) loadGameOverPanel().then((panel) => panel.draw(scene));
  write("draw", playsAllSeats() ? "End as a draw" : "Offer draw");
  write("takeback", playsAllSeats() || isSolo() ? "Undo turn" : "Request takeback");
  write("resign", isSolo() ? "Give up" : "Resign");
  write("hint-note", hasOtherPeople() && `${seats.length > 2 ? "The others" : "Your opponent"} will see that you asked`);
  write("offer", offer?.words);
  byRole("notation-form").hidden = !page.branch && !can.includes("resign");
  document.title = `${scene.your_turn ? "● " : ""}${scene.headline} · ${scene.title}`;
  document.body.classList.toggle("your-turn", scene.your_turn);
  document.body.dataset.status = scene.status;
  // For the header, which counts the games in which another person waits for this player's move.
  document.dispatchEvent(new CustomEvent("waiting", { detail: { here: +(scene.acting.some((seat) => you.includes(seat)) && hasOtherPeople()) } }));
  render(byRole("seats"), html`${seats.map(seatRow)}`);
  chat?.draw(scene);
  hints?.draw();
  premoves?.draw();
  updateClocks();
}

/** Whether anyone else at the table is a person. */
function hasOtherPeople() {
  return scene.seats.some(({ player, seat }) => player && player.kind !== "bot" && !scene.you.includes(seat));
}

/** Draws what happened last and who watches; the page comes with both as plain text. */
async function drawNews() {
  const { drawLatest, watchingText } = await import("./latest_news.js");
  drawLatest(scene, playsAllSeats() ? scene.acting : scene.you);
  byRole("watching").textContent = watchingText(scene);
}

function seatRow({ seat, name, player, bot, rating, connected, clock, timed_out: late }) {
  const { acting, you, can, seats } = scene;
  const presence = connected ? "online" : "offline";
  const replaced = late && late.id !== player.id && late;
  return html`<li data-seat="${seat}" class="${acting.includes(seat) && "turn"}"><b>${name}</b>
    <span class="player">${player ? html`<a href="/players/${player.id}">${player.name}</a>${bot && html` <span class="soft">· bot${/^level/.test(bot) && html`<span class="level">, level ${bot.slice(5)}</span>`}</span>`}` : "Open seat"}${you.includes(seat) && html` <span>(you)</span>`}</span>
    ${rating && html`<span class="small soft">${rating.value} ± ${rating.plus_minus}</span>`}
    ${acting.includes(seat) && !scene.bell && html`<span class="chip turn">to move</span>`}
    ${player && connected !== null && html`<span class="dot ${presence}" role="img" aria-label="${presence}"></span>`}
    ${clock && html`<span class="clock" data-clock="${seat}"></span>`}
    ${replaced && html`<span class="replaced small soft">for <a href="/players/${replaced.id}">${replaced.name}</a>, out of time</span>`}
    ${!player && can.includes("sit") && seats.length > 2 && html`<button data-do="sit" data-seat="${seat}">Sit here</button>`}</li>`;
}

async function loadChat() {
  const { Chat } = await import("./chat.js");
  chat = new Chat(page, source);
  chat.draw(scene);
}

function updateClocks() {
  effects?.watchClock(scene);
  if (scene.bell || scene.answer || scene.clock.kind !== "none") clocks ??= import("./table_clocks.js");
  clocks?.then(({ drawClocks }) => drawClocks(scene));
}

byRole("invite-link").value = new URL(scene.invite, location).href;
setInterval(updateClocks, 200);
update(scene);
loadChat();
if (scene.can.includes("leave") && sessionStorage.realmtable_rematch) import("./rematch.js").then(({ showAwaited }) => showAwaited(scene));
const stream = openStream(`${source}/events?pictures=true&patches=true&groups=true`, update, (connected) => (byRole("connection").hidden = connected));
if (preference("forced", "off") === "on") loadEffects().then(() => effects.playForced(scene));
