// The live table: draws each scene the server sends into the page and sends back what the player does.

import { request } from "./request.js";
import { BoardPage } from "./board_page.js";
import { formatClock } from "./clock.js";
import { byRole, html, render } from "./html.js";
import { openStream } from "./stream.js";

const TEMPORARY = ["Offline", "Unavailable"]; // errors worth another try
const forEach = (selector, change) => document.querySelectorAll(selector).forEach(change);

let scene = JSON.parse(byRole("scene").textContent);
let readMessages = scene.chat.length;
let hints = null; // loaded with the first request for one
let isWaitedFor = waitsForMe();
let lastSeenStep = 0; // the latest step before the player looked at an earlier moment
scene.picture = byRole("picture").innerHTML;
const source = `/api/tables/${scene.table}`;

const page = new BoardPage({
  source,
  game: scene.game,
  play: (move) => sendUntilAnswered("/moves", { move }),
  undo: () => scene.can.includes("undo") && page.attempt(() => sendUntilAnswered("/undo")),
  preview: async (move) => scene.explorable && page.fetchPicture(`${source}/preview?move=${encodeURIComponent(move)}&`),
  why: (path, handle) => request("GET", `${source}/why?${new URLSearchParams([["handle", handle], ...path.map((name) => ["path", name])])}`),
  idleText: () => (page.moment ? (page.moment.result?.text ?? page.moment.words) : waitingText()),
  onDraw,
});

Object.assign(page.commands, {
  draw: () => (playsAllSeats() ? byRole("confirm-draw").showModal() : page.commands.offerDraw()),
  offerDraw: () => post("/offers", { what: "draw" }),
  takeback: () => post("/offers", { what: "takeback" }),
  accept: () => post("/answers", { accept: true }),
  decline: () => post("/answers", { accept: false }),
  resign: () => byRole("confirm").showModal(),
  confirmResign: () => post("/resign"),
  sit: ({ dataset }) => post("/seats", dataset.seat && { seat: +dataset.seat }).then(stream.reopen),
  stand: () => page.attempt(() => request("DELETE", `${source}/seats`)).then(stream.reopen),
  rematch: () => playAgain({}),
  nextBots: async (button) => {
    button.disabled = true; // a second click would open a second table
    button.disabled = await playAgain({ bots: scene.next_bots });
  },
  hint: () => page.attempt(async () => (hints ??= new (await import("./hints.js")).Hints(page)).fetch(source)),
  hideHint: () => hints.hide(),
  verify: () => page.attempt(async () => (byRole("fairness").textContent = (await request("GET", `${source}/fairness`)).text)),
});

const isSolo = () => scene.seats.length === 1;

/** Whether one person plays every side, so that offers need no answer. */
const playsAllSeats = () => scene.seats.length > 1 && scene.you.length === scene.seats.length;

const NEXT_BOTS = { easier: "Try an easier bot", stronger: "Try a stronger bot" };
const playAgain = (body) => page.attempt(async () => location.assign((await request("POST", `${source}/rematch`, body)).url));
const post = (path, body = {}) => page.attempt(() => request("POST", source + path, body));

/** Sends a step, retrying until there is an answer; its key makes sure that it is played once. */
async function sendUntilAnswered(path, body) {
  const key = Date.now().toString(36) + Math.random().toString(36).slice(2);
  const { version } = scene;
  for (let delay = 500; ; delay *= 2) {
    try {
      return update(await request("POST", `${source}${path}?pictures=true`, { version, key, ...body }));
    } catch (error) {
      if (!TEMPORARY.includes(error.code) || delay > 8000) throw error;
      await new Promise((done) => setTimeout(done, delay));
    }
  }
}

function update(next) {
  if (next.version < scene.version) return;
  const news = next.news.flatMap(({ version, words }) => (words && version > scene.version ? words : []));
  const hasEnded = next.result && !scene.result && !page.moment;
  if (next.headline !== scene.headline) news.push(next.headline);
  if (news.length) page.announce(news.join(". "));
  for (const layer of next.layers) layer.url = `${source}/layers/${layer.key}.svg`;
  if (next.picture !== scene.picture) page.moments.clear(); // steps may have been taken back
  scene = next;
  document.body.classList.toggle("before-reveal", !!hasEnded); // hides what the reveal will show
  page.moveList.update(next);
  Object.assign(page, { scene: next, steps: next.step }).draw();
  if (hasEnded) page.drawReveal(true);
}

function waitingText() {
  const names = scene.acting.map((seat) => scene.seats[seat].name);
  return names.length ? `Waiting for ${new Intl.ListFormat("en").format(names)}.` : "";
}

function onDraw() {
  const { offer, you, seats, step, result } = scene;
  const isOwnOffer = offer && you.includes(offer.seat);
  const can = [...scene.can, scene.explorable && "explore", result && "end", scene.chance && "chance", isOwnOffer && "withdraw"];
  if (you.length && scene.clock.kind === "days" && !result) can.push("notify");
  const write = (role, text) => (byRole(role).textContent = text || "");
  forEach("[data-can]", (element) => (element.hidden = !can.includes(element.dataset.can)));
  if (playsAllSeats()) byRole("resign").hidden = true;
  if (you.length) write("who", seats[you[0]].player.name);
  if (!page.moment) lastSeenStep = step;
  write("headline", scene.headline);
  write("sub", scene.sub);
  drawNews();
  write("missed", step > lastSeenStep && `${step - lastSeenStep} new`);
  write("result", result?.scores?.map((score, seat) => `${seats[seat].name} ${score}${goalText(result.reached?.[seat])}`).join(" · ") ?? "Game over");
  write("draw", playsAllSeats() ? "End as a draw" : "Offer draw");
  write("takeback", playsAllSeats() || isSolo() ? "Undo turn" : "Request takeback");
  write("rematch", isSolo() ? "Play again" : scene.rematch ? "Join rematch" : "Rematch");
  write("next-bots", NEXT_BOTS[scene.next_bots]);
  byRole("next-bots").hidden = !scene.next_bots;
  write("resign", isSolo() ? "Give up" : "Resign");
  write("offer", offer?.words);
  byRole("notation-form").hidden = !page.branch && !(you.length && scene.status === "running");
  document.title = `${scene.your_turn ? "● " : ""}${scene.headline} · ${scene.title}`;
  document.body.classList.toggle("your-turn", scene.your_turn);
  countWaiting();
  render(byRole("seats"), html`${seats.map(seatRow)}`);
  byRole("chat-fold").hidden = !scene.chat_open;
  render(byRole("chat"), html`${scene.chat.map(({ name, text }) => html`<li><b>${name}</b> ${text}</li>`)}`);
  hints?.draw();
  updateUnread();
}

/** Whether another person waits for this player's move. */
function waitsForMe() {
  const isOther = ({ player, seat }) => player && player.kind !== "bot" && !scene.you.includes(seat);
  return scene.acting.some((seat) => scene.you.includes(seat)) && scene.seats.some(isOther);
}

/** Changes the number of waiting games in the header by this one. */
function countWaiting() {
  const change = waitsForMe() - isWaitedFor;
  isWaitedFor = waitsForMe();
  if (change) document.dispatchEvent(new CustomEvent("waiting", { detail: { change } }));
}

/** Draws what happened last, marked with the seats that did it; without enough space, the oldest parts are left out. */
function drawNews() {
  const line = Object.assign(byRole("news"), { title: scene.latest });
  const events = splitNews(scene.latest);
  const draw = () => render(line, html`${events.map((event, index) => newsEvent(event, index === events.length - 1))}`);
  for (draw(); line.scrollHeight > line.clientHeight + 1 && leaveOldestOut(events); ) draw();
}

/** Splits the line of news into events, each by one seat and of one or more parts. */
function splitNews(latest) {
  const events = [];
  for (const part of latest ? latest.split(/(?<=[;,]) /) : []) {
    const names = scene.seats.map(({ name, seat }) => (scene.you.includes(seat) && part.startsWith("You ") ? "You" : name));
    const seat = names.findIndex((name) => part.startsWith(`${name} `) || part.startsWith(`${name}:`));
    if (seat >= 0 || !events.length) events.push({ seat, name: names[seat] ?? "", parts: [part], isCut: false });
    else events.at(-1).parts.push(part);
  }
  return events;
}

/** Whether there was a part that could be left out; the newest stays. */
function leaveOldestOut(events) {
  const [oldest] = events;
  if (events.length < 2 && oldest.parts.length < 2) return false;
  oldest.parts.shift();
  oldest.isCut = true;
  if (!oldest.parts.length) events.shift();
  return true;
}

function newsEvent({ seat, name, parts, isCut }, isLast) {
  const isOwn = playsAllSeats() ? scene.acting.includes(seat) : scene.you.includes(seat);
  const isNews = isLast && seat >= 0 && !isOwn;
  return html`<span class="${isNews && "newest"}" data-seat="${seat}">${isCut && `${name} … `}${parts.join(" ")}</span> `;
}

const goalText = (reached) => (reached === undefined ? "" : reached ? " (goal reached)" : " (fell short)");

function seatRow({ seat, name, player, rating, connected, clock, timed_out: late }) {
  const { acting, you, can, now, seats } = scene;
  const presence = connected ? "online" : "offline";
  const replaced = late && late.id !== player.id && late;
  return html`<li data-seat="${seat}" class="${acting.includes(seat) && "turn"}"><b>${name}</b>
    <span class="player">${player ? html`<a href="/players/${player.id}">${player.name}</a>` : "Open seat"}${you.includes(seat) && html` <span>(you)</span>`}</span>
    ${rating && html`<span class="small soft">${rating.value} ± ${rating.plus_minus}</span>`}
    ${acting.includes(seat) && html`<span class="chip turn">to move</span>`}
    ${player && connected !== null && html`<span class="dot ${presence}" role="img" aria-label="${presence}"></span>`}
    ${clock && html`<span class="clock" data-clock="${seat}">${formatClock(clock, now)}</span>`}
    ${replaced && html`<span class="replaced small soft">for <a href="/players/${replaced.id}">${replaced.name}</a>, out of time</span>`}
    ${!player && can.includes("sit") && seats.length > 2 && html`<button data-do="sit" data-seat="${seat}">Sit here</button>`}</li>`;
}

function updateUnread() {
  if (byRole("chat-fold").open) readMessages = scene.chat.length;
  byRole("unread").textContent = scene.chat.length > readMessages ? `${scene.chat.length - readMessages} new` : "";
}

function updateClocks() {
  forEach("[data-bell]", (face) => (face.textContent = scene.bell ? `${formatClock(scene.bell, scene.now)} left` : ""));
  forEach("[data-clock]", (face) => (face.textContent = formatClock(scene.seats[face.dataset.clock].clock, scene.now)));
}

byRole("invite-link").value = new URL(scene.invite, location).href;
byRole("chat-fold").addEventListener("toggle", updateUnread);
byRole("chat-form").addEventListener("submit", (event) => page.submitText(event, "chat-text", (text) => post("/chat", { text })));
setInterval(updateClocks, 200);
update(scene);
const stream = openStream(`${source}/events?pictures=true&patches=true`, update, (connected) => (byRole("connection").hidden = connected));
