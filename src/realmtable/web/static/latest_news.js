// What is written above the board: what happened last, and who watches. Loaded with the first scene.

import { byRole, html, render } from "./html.js";

const HAS_SUBJECT = /^(the|you) /; // a part that needs no name before it: "the game ends"
const fold = byRole("all-news");
document.addEventListener("click", ({ target }) => fold.contains(target) || (fold.open = false));
document.addEventListener("keydown", ({ key }) => key === "Escape" && (fold.open = false));

/**
 * Draws the line, marked with the seats that acted; without enough space, the oldest parts of others are left out first,
 * and a button shows everything, with a line for each seat.
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

/** Splits the line into events, each by one seat and of one or more parts. */
function splitNews({ latest, seats, you }) {
  const events = [];
  for (const part of latest ? latest.split(/(?<=[;,]) /) : []) {
    const names = seats.map(({ name, seat }) => (you.includes(seat) && part.startsWith("You ") ? "You" : name));
    const seat = names.findIndex((name) => part.startsWith(`${name} `) || part.startsWith(`${name}:`));
    if (seat >= 0 || !events.length) events.push({ seat, name: names[seat] ?? "", parts: [part], isCut: false });
    else events.at(-1).parts.push(part);
  }
  return events;
}

/** Joins the events that follow each other by one seat. */
function joinBySeat(events) {
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
 */
function leaveOldestOut(events) {
  const isSpare = (event) => event !== events.at(-1) || event.parts.length > 1;
  const oldest = events.find((event) => isSpare(event) && event.name !== "You") ?? events.find(isSpare);
  if (!oldest) return 0;
  const isWhole = !oldest.name && oldest !== events.at(-1);
  const { length } = oldest.parts.splice(0, isWhole ? Infinity : 1);
  oldest.isCut = true;
  if (!oldest.parts.length) events.splice(events.indexOf(oldest), 1);
  return length;
}

function newsEvent({ seat, name, parts, isCut }, isLast, ownSeats) {
  const isNews = isLast && seat >= 0 && !ownSeats.includes(seat);
  const subject = HAS_SUBJECT.test(parts[0]) ? "" : `${name} `;
  return html`<span class="${isNews && "newest"}" data-seat="${seat}">${isCut && `${subject}… `}${parts.join(" ")}</span> `;
}

/** Returns the label at the headline: that you are watching or, for players, how many others are. */
export function watchingText({ you, status, watching }) {
  if (you.length) return watching ? `${watching} watching` : "";
  if (status !== "running") return "";
  return watching > 1 ? `You are watching with ${watching - 1} other${watching > 2 ? "s" : ""}` : "You are watching";
}
