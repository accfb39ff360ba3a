// The live table: one scene after another from the server, drawn into the page; what a person does is sent back.

import { api } from "./api.js";
import { clockText } from "./clock.js";
import { Desk } from "./board_page.js";
import { html, part, put } from "./html.js";
import { follow } from "./stream.js";

const PASSING = ["Offline", "Unavailable"]; // refusals worth another try
const each = (selector, change) => document.querySelectorAll(selector).forEach(change);

let scene = JSON.parse(part("scene").textContent);
let read = scene.chat.length; // how much of the chat has been seen
let hints = null; // fetched when somebody asks for one
let left = 0; // the step at which the table was left for an earlier moment
scene.picture = part("picture").innerHTML;
const source = `/api/tables/${scene.table}`;

const desk = new Desk({
  source,
  game: scene.game,
  play: (move) => sendSurely("/moves", { move }),
  undo: () => scene.can.includes("undo") && desk.attempt(() => sendSurely("/undo")),
  preview: async (move) => scene.explorable && api("GET", `${source}/preview?move=${encodeURIComponent(move)}`),
  idle: () => (desk.moment ? (desk.moment.result?.text ?? desk.moment.words) : waiting()),
  drawn,
});

Object.assign(desk.commands, {
  draw: () => (alone() ? part("confirm-draw").showModal() : desk.commands.drawn()),
  drawn: () => act("/offers", { what: "draw" }),
  takeback: () => act("/offers", { what: "takeback" }),
  accept: () => act("/answers", { accept: true }),
  decline: () => act("/answers", { accept: false }),
  resign: () => part("confirm").showModal(),
  resigned: () => act("/resign"),
  sit: ({ dataset }) => act("/seats", dataset.seat && { seat: +dataset.seat }).then(stream.open),
  stand: () => desk.attempt(() => api("DELETE", `${source}/seats`)).then(stream.open),
  rematch: () => desk.attempt(async () => location.assign((await api("POST", `${source}/rematch`, {})).url)),
  hint: () => desk.attempt(async () => (hints ??= new (await import("./hints.js")).Hints(desk)).ask(source)),
  unhint: () => hints.hide(),
  verify: () => desk.attempt(async () => (part("fairness").textContent = (await api("GET", `${source}/fairness`)).text)),
});

/** Whether one person plays every side, with nobody to offer anything to. */
const alone = () => scene.seats.length > 1 && scene.you.length === scene.seats.length;

const act = (path, body = {}) => desk.attempt(() => api("POST", source + path, body));

/** Sends a step again and again until there is an answer; its key makes sure that it is taken once. */
async function sendSurely(path, body) {
  const key = Date.now().toString(36) + Math.random().toString(36).slice(2);
  const { version } = scene;
  for (let wait = 500; ; wait *= 2) {
    try {
      return take(await api("POST", `${source}${path}?pictures=true`, { version, key, ...body }));
    } catch (error) {
      if (!PASSING.includes(error.code) || wait > 8000) throw error;
      await new Promise((done) => setTimeout(done, wait));
    }
  }
}

function take(next) {
  if (next.version < scene.version) return;
  const news = next.news.flatMap(({ version, words }) => (words && version > scene.version ? words : []));
  const ended = next.result && !scene.result && !desk.moment;
  if (next.headline !== scene.headline) news.push(next.headline);
  if (news.length) desk.say(news.join(". "));
  if (next.picture !== scene.picture) desk.moments.clear(); // steps may have been taken back
  scene = next;
  document.body.classList.toggle("awaits", !!ended); // what unfolds does not show before
  Object.assign(desk, { present: next, lines: next.lines, steps: next.step }).draw();
  if (ended) desk.drawEnding(true);
}

function waiting() {
  const names = scene.acting.map((seat) => scene.seats[seat].name);
  return names.length ? `Waiting for ${names.join(" and ")}` : "";
}

function drawn() {
  const { offer, you, seats, step, result } = scene;
  const mine = offer && you.includes(offer.seat);
  const can = [...scene.can, scene.explorable && "explore", result && "end", scene.chance && "chance", mine && "withdraw"];
  const write = (role, text) => (part(role).textContent = text || "");
  each("[data-can]", (element) => (element.hidden = !can.includes(element.dataset.can)));
  if (alone()) part("resign").hidden = true;
  if (you.length) write("who", seats[you[0]].player.name);
  if (!desk.moment) left = step;
  write("headline", scene.headline);
  write("sub", scene.sub);
  write("news", (part("news").title = scene.latest));
  write("missed", step > left && `${step - left} new since`);
  write("result", result?.scores?.map((score, seat) => `${seats[seat].name} ${score}`).join(" · ") ?? "The game is over");
  write("draw", alone() ? "End as a draw" : "Offer draw");
  write("takeback", alone() ? "Take back a turn" : "Ask to take back");
  write("rematch", scene.rematch ? "Join the rematch" : "Rematch");
  write("offered", offer?.words);
  part("notation-form").hidden = !desk.branch && !(you.length && scene.status === "running");
  document.title = `${scene.your_turn ? "● " : ""}${scene.headline} · ${scene.title}`;
  document.body.classList.toggle("your-turn", scene.your_turn);
  put(part("seats"), html`${seats.map(seatRow)}`);
  part("chat-fold").hidden = !scene.chat_open;
  put(part("chat"), html`${scene.chat.map(({ name, text }) => html`<li><b>${name}</b> ${text}</li>`)}`);
  hints?.drawn();
  countUnread();
}

function seatRow({ seat, name, player, rating, connected, clock }) {
  const { acting, you, can, now, seats } = scene;
  const here = connected ? "here" : "away";
  return html`<li data-seat="${seat}" class="${acting.includes(seat) && "turn"}"><b>${name}</b>
    <span class="player">${player ? html`<a href="/players/${player.id}">${player.name}</a>` : "nobody yet"}${you.includes(seat) && html` <span>(you)</span>`}</span>
    ${rating && html`<span class="small soft">${rating.value} ± ${rating.plus_minus}</span>`}
    ${acting.includes(seat) && html`<span class="chip turn">to move</span>`}
    ${player && connected !== null && html`<span class="dot ${here}" role="img" aria-label="${here}"></span>`}
    ${clock && html`<span class="clock" data-clock="${seat}">${clockText(clock, now)}</span>`}
    ${!player && can.includes("sit") && seats.length > 2 && html`<button data-do="sit" data-seat="${seat}">Sit here</button>`}</li>`;
}

function countUnread() {
  if (part("chat-fold").open) read = scene.chat.length;
  part("unread").textContent = scene.chat.length > read ? `${scene.chat.length - read} new` : "";
}

part("invite-link").value = new URL(scene.invite, location).href;
part("chat-fold").addEventListener("toggle", countUnread);
part("chat-form").addEventListener("submit", (event) => desk.submit(event, "chat-text", (text) => act("/chat", { text })));
const ring = () => each("[data-bell]", (face) => (face.textContent = scene.bell ? `${clockText(scene.bell, scene.now)} left` : ""));
setInterval(ring, 200);
setInterval(() => each("[data-clock]", (face) => (face.textContent = clockText(scene.seats[face.dataset.clock].clock, scene.now))), 200);
take(scene);
const stream = follow(`${source}/events?pictures=true`, take, (yes) => (part("connection").hidden = yes));
