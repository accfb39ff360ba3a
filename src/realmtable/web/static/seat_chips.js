// @ts-check
// The seats in the bar: who plays, what everyone should see of them, their clocks and whose turn it is; and the same as a table
// of scores. Loaded with the first scene.

import { byRole, html, render } from "./html.js";
import { say } from "./language.js";

/** @typedef {Pick<Scene, "seats" | "acting" | "chips"> & Partial<Scene>} Seated */

const FEW = 2; // seats, and facts of each, that leave room for words
const MANY = 4; // seats from here on have two lines without the names of bots …
const MOST = 7; // … and from here on only a mark, a name and the total

/** An icon of the game, or of ours. @param {string} [name] */
export const icon = (name) => (name ? html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><use href="#icon-${name}"/></svg>` : "");

/** Draws a chip for each seat. @param {Seated} scene */
export function drawSeats(scene) {
  const list = byRole("seats");
  const count = scene.seats.length;
  const isWorded = count <= FEW && scene.chips.every(({ facts }) => facts.length <= FEW);
  list.className = `seats ${count >= MOST ? "is-dense" : count >= MANY ? "is-many" : isWorded ? "is-worded" : ""}`;
  render(list, html`${scene.seats.map((seat) => seatChip(seat, scene))}`);
}

/**
 * Draws the seats of a position without a table. @param {Pick<Moment, "acting" | "chips" | "result">} moment
 * @param {string[]} names @param {(string | undefined)[]} [players]
 */
export const drawSeatsOf = ({ acting, chips, result }, names, players = []) => drawSeats({ ...seatsOf(names, players), acting, result: result && null, chips: Object.values(chips) });

/** @param {string[]} names @param {(string | undefined)[]} [players] @returns {any} */
export const seatsOf = (names, players = []) => ({ seats: names.map((name, seat) => ({ seat, name, player: players[seat] && { name: players[seat] } })) });

/** @param {Seat} seat @param {Seated} scene */
function seatChip(seat, { acting, chips, you = [], can = [], seats, bell, result }) {
  const { seat: number, name, player, bot, rating, connected, clock, away_since: away, timed_out: late } = seat;
  const chip = chips[number];
  const isTurn = result ? result.ranking?.[number] === 1 : acting.includes(number);
  const isReady = !result && bell === undefined ? false : !!bell && !acting.includes(number);
  const place = result?.ranking && seats.length > 1 ? ordinal(result.ranking[number]) : "";
  const about = [rating && say("Rating {value} ± {plus_minus}", rating), late && late.id !== player?.id && say("for {name}, out of time", late)];
  return html`<li data-seat="${number}" class="${isTurn && "turn"}" title="${about.filter(Boolean).join(" · ")}">
    <span class="disc" aria-hidden="true">${icon(chip?.icon)}</span>
    <span class="seat-name"><b>${name}</b> ${who(player, bot, you.includes(number), seats.length)}${player && connected === false && html` <span class="offline">${say(away ? "away" : "offline")}</span>`}${!player && can.includes("sit") && seats.length > 2 && html`<button data-do="sit" data-seat="${number}">${say("Sit here")}</button>`}</span>
    <span class="facts-row">${chip?.facts.map(fact)}${place && html`<span class="place">${place}</span>`}${isReady && html`<span class="is-ready">✓<span class="unseen">${say("ready")}</span></span>`}</span>
    ${total(chip?.total, clock, number)}
    ${isTurn && !result && html`<span class="unseen">${say("to move")}</span>`}</li>`;
}

/** @param {Partial<Player> | null | undefined} player @param {string | null} bot @param {boolean} isYou @param {number} count */
function who(player, bot, isYou, count) {
  if (player === undefined) return "";
  if (!player) return html`<span class="player">${say("Open seat")}</span>`;
  if (!player.id) return html`<span class="player">${player.name}</span>`;
  if (isYou) return html`<span class="player is-you"><a href="/players/${player.id}">${say("you")}</a></span>`;
  const level = bot?.match(/^level(\d)/)?.[1];
  const kind = !bot ? "" : level && count < 3 ? say("bot, level {level}", { level }) : say("bot");
  return html`<span class="player ${bot && "is-bot"}"><a href="/players/${player.id}">${player.name}</a>${kind && html`<span class="kind"> · ${kind}</span>`}</span>`;
}

/** @param {Fact} given */
const fact = ({ icon: name, value, label }) => html`<span class="fact" title="${label}">${icon(name)}${value && html` <span>${value}</span>`} <span class="fact-label">${label}</span></span>`;

/** The total at the end of a chip, or the clock instead of its unit. @param {Total | null | undefined} given @param {Clock | null} clock @param {number} seat */
function total(given, clock, seat) {
  const number = given && html`${icon(given.icon)}<b>${given.value}</b>${given.of ? html`<small>/${given.of}</small><span class="unseen">${given.label}</span>` : html`<small class="${(clock || given.icon) && "unseen"}">${given.label}</small>`}`;
  const share = given?.share;
  return html`${(given || clock) && html`<span class="total" title="${given?.label}">${number}${clock && html`<span class="clock" data-clock="${seat}"></span>`}</span>`}
    ${share !== null && share !== undefined && html`<progress class="goal-bar" max="1" value="${share}" aria-hidden="true"></progress>`}`;
}

/** @param {number} number */
const ordinal = (number) => say({ 1: "1st", 2: "2nd", 3: "3rd" }[number] ?? "{number}th", { number });

/** Draws the same as a table, with every number named; for two seats as bars against each other. @param {Seated} scene */
export function drawScores(scene) {
  const box = byRole("scores");
  if (box) render(box, scoreRows(scene));
}

/** @param {Seated} scene */
function scoreRows({ seats, chips, result }) {
  const [first, second] = chips;
  if (!first) return result ? "" : html`<p class="soft">${say("No scores yet.")}</p>`;
  if (chips.length === 2) {
    const rows = numbersOf(first).map(({ label, value, of }, index) => ({ label, of, values: [value, numbersOf(second)[index]?.value ?? ""] }));
    return html`${rows.map(balance)}`;
  }
  return html`<table class="score-table"><tbody>${seats.map(({ name, seat }) => html`<tr data-seat="${seat}"><th><span class="disc" aria-hidden="true">${icon(chips[seat]?.icon)}</span> ${name}</th>
    <td>${chips[seat]?.facts.filter(({ value }) => value).map(({ icon: sign, value, label }) => html`<span class="fact">${icon(sign)} ${value} <span class="soft">${label}</span></span> `)}</td>
    <td class="score">${chips[seat]?.total && html`${icon(chips[seat].total.icon)} <b>${chips[seat].total.value}</b>${chips[seat].total.of && html`<small> / ${chips[seat].total.of}</small>`}`}</td></tr>`)}</tbody></table>`;
}

/** @param {Chip} chip */
const numbersOf = ({ total: whole, facts }) => [...(whole ? [whole] : []), ...facts.filter(({ value }) => value)].map((given) => ({ of: "", ...given }));

/** Two numbers against each other: of the goal if there is one. @param {{ label: string, of: string, values: string[] }} row */
function balance({ label, of, values: [one, other] }) {
  const [left, right] = [parseFloat(one) || 0, parseFloat(other) || 0];
  const whole = Math.max(parseFloat(of) || 0, left + right, 1);
  const isCount = [one, other].every((value) => /^\d+(\/\d+)?$/.test(value));
  return html`<div class="balance"><h3>${of ? say("{label}, of {goal}", { label, goal: of }) : label}</h3><b>${one}</b>
    ${isCount ? html`<svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true"><path class="balance-ground" d="M0 0H100V10H0z"/><path data-seat="0" d="M0 0H${(100 * left) / whole}V10H0z"/><path data-seat="1" d="M100 0H${100 - (100 * right) / whole}V10H100z"/></svg>` : html`<span></span>`}<b>${other}</b></div>`;
}
