// @ts-check
// What is written above the board: who plays, what happened last, and who watches; and on the buttons beside it. Loaded with the
// first scene.

import { byRole, html, render } from "./html.js";
import { seatsOfOthers } from "./scene.js";

/** @typedef {{ seat: number, name: string, parts: string[], isCut: boolean }} NewsEvent */

const HAS_SUBJECT = /^(the|you) /; // a part that needs no name before it: "the game ends"
const fold = byRole("all-news");
document.addEventListener("click", ({ target }) => fold.contains(target) || (fold.open = false));
document.addEventListener("keydown", ({ key }) => key === "Escape" && (fold.open = false));

/** Draws a row for each seat. @param {Scene} scene */
export function drawSeats(scene) {
  render(byRole("seats"), html`${scene.seats.map((seat) => seatRow(seat, scene))}`);
}

/** @param {Seat} seat @param {Scene} scene */
function seatRow({ seat, name, player, bot, rating, connected, away_since: away, clock, timed_out: late }, { acting, you, can, seats, bell }) {
  const presence = connected ? "online" : "offline";
  const replaced = late && late.id !== player?.id && late;
  return html`<li data-seat="${seat}" class="${acting.includes(seat) && "turn"}"><b>${name}</b>
    <span class="player">${player ? html`<a href="/players/${player.id}">${player.name}</a>${bot && html` <span class="soft">· bot${/^level/.test(bot) && html`<span class="level">, level ${bot.slice(5)}</span>`}</span>`}` : "Open seat"}${you.includes(seat) && html` <span>(you)</span>`}</span>
    ${rating && html`<span class="small soft">${rating.value} ± ${rating.plus_minus}</span>`}
    ${acting.includes(seat) && !bell && html`<span class="chip turn">to move</span>`}
    ${player && connected !== null && html`<span class="dot ${presence}" role="img" aria-label="${presence}"></span>${away && html`<span class="small soft">away</span>`}`}
    ${clock && html`<span class="clock" data-clock="${seat}"></span>`}
    ${replaced && html`<span class="replaced small soft">for <a href="/players/${replaced.id}">${replaced.name}</a>, out of time</span>`}
    ${!player && can.includes("sit") && seats.length > 2 && html`<button data-do="sit" data-seat="${seat}">Sit here</button>`}</li>`;
}

/**
 * Draws the line, marked with the seats that acted; without enough space, the oldest parts of others are left out first,
 * and a button shows everything, with a line for each seat.
 * @param {Scene} scene @param {number[]} ownSeats
 */
export function drawLatest(scene, ownSeats) {
  const line = Object.assign(byRole("news"), { title: scene.latest });
  const events = splitNews(scene);
  const draw = () => render(line, html`${events.map((event, index) => newsEvent(event, index === events.length - 1, ownSeats))}`);
  const isTooLong = () => line.scrollHeight > line.clientHeight + 1;
  let left = 0;
  fold.hidden = true;
  draw();
  render(byRole("all-news-lines"), html`${joinBySeat(events).map(({ seat, text }) => html`<li data-seat="${seat}">${text.replace(/[;,]$/, "")}</li>`)}`);
  fold.hidden = !isTooLong(); // it takes some of the space
  for (let count; isTooLong() && (count = leaveOldestOut(events)); left += count) draw();
  byRole("all-news-count").textContent = left ? `${left} more` : "More";
  fold.open &&= !fold.hidden;
}

/** Splits the line into events, each by one seat and of one or more parts. @param {Scene} scene */
function splitNews({ latest, seats, you }) {
  /** @type {NewsEvent[]} */
  const events = [];
  for (const part of latest ? latest.split(/(?<=[;,]) /) : []) {
    const names = seats.map(({ name, seat }) => (you.includes(seat) && part.startsWith("You ") ? "You" : name));
    const seat = names.findIndex((name) => part.startsWith(`${name} `) || part.startsWith(`${name}:`));
    if (seat >= 0 || !events.length) events.push({ seat, name: names[seat] ?? "", parts: [part], isCut: false });
    else events.at(-1).parts.push(part);
  }
  return events;
}

/** Joins the events that follow each other by one seat. @param {NewsEvent[]} events */
function joinBySeat(events) {
  /** @type {{ seat: number, text: string }[]} */
  const lines = [];
  for (const { seat, parts } of events) {
    const text = parts.join(" ");
    if (lines.at(-1)?.seat === seat) lines.at(-1).text += ` ${text}`;
    else lines.push({ seat, text });
  }
  return lines;
}

/**
 * Leaves out the oldest part of others or, without any, of the viewer; the newest stays. Of what nobody did, such as a roll,
 * nothing is left: its end alone says nothing. Returns how many parts there were.
 * @param {NewsEvent[]} events
 */
function leaveOldestOut(events) {
  /** @param {NewsEvent} event */
  const isSpare = (event) => event !== events.at(-1) || event.parts.length > 1;
  const oldest = events.find((event) => isSpare(event) && event.name !== "You") ?? events.find(isSpare);
  if (!oldest) return 0;
  const isWhole = !oldest.name && oldest !== events.at(-1);
  const { length } = oldest.parts.splice(0, isWhole ? Infinity : 1);
  oldest.isCut = true;
  if (!oldest.parts.length) events.splice(events.indexOf(oldest), 1);
  return length;
}

/** @param {NewsEvent} event @param {boolean} isLast @param {number[]} ownSeats */
function newsEvent({ seat, name, parts, isCut }, isLast, ownSeats) {
  const isNews = isLast && seat >= 0 && !ownSeats.includes(seat);
  const subject = HAS_SUBJECT.test(parts[0]) ? "" : `${name} `;
  return html`<span class="${isNews && "newest"}" data-seat="${seat}">${isCut && `${subject}… `}${parts.join(" ")}</span> `;
}

/** Writes that you are watching or, for players, how many others are. @param {Scene} scene */
export function drawWatching(scene) {
  byRole("watching").textContent = watchingText(scene);
}

/** @param {Scene} scene */
function watchingText({ you, status, watching }) {
  if (you.length) return watching ? `${watching} watching` : "";
  if (status !== "running") return "";
  return watching > 1 ? `You are watching with ${watching - 1} other${watching > 2 ? "s" : ""}` : "You are watching";
}

/**
 * Writes on the buttons what they do at this table.
 * @param {Scene} scene
 * @param {boolean} playsAllSeats whether one person plays every side
 */
export function nameButtons(scene, playsAllSeats) {
  const isSolo = scene.seats.length === 1;
  byRole("draw").textContent = playsAllSeats ? "End as a draw" : "Offer draw";
  byRole("takeback").textContent = playsAllSeats || isSolo ? "Undo turn" : "Request takeback";
  byRole("resign").textContent = isSolo ? "Give up" : "Resign";
  for (const what of ["abort", "claim_win", "claim_draw"]) byRole(what.replace("_", "-")).hidden = !scene.can.includes(what); // they leave no gap
  const others = scene.seats.length > 2 ? "The others" : "Your opponent";
  byRole("hint-note").textContent = seatsOfOthers(scene).length ? `${others} will see that you asked` : "";
}
