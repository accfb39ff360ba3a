// @ts-check
// What is shown around the board: the seats in the bar with what everyone should see of them, the same as a table of scores, the
// news, and words of a live table. Loaded with the first scene.

import { byRole, html, render, trusted } from "./html.js";
import { say, sayCount } from "./language.js";
import { reducesMotion } from "./preferences.js";
import { seatsOfOthers } from "./scene.js";

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
  const about = [rating && say("Rating {value} ± {plus_minus}", { ...rating }), late && late.id !== player?.id && say("for {name}, out of time", { ...late })];
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

// ---- the news: where the game is, or one card of what happened since the viewer's last move. Cards stay for some seconds, those
// that concern the viewer until they act or have read them.

const [STAY_MS, CALM_MS] = [6000, 8000];

/** @typedef {Scene["news"][number]} News */

export class NewsBar {
  card = byRole("news-card");
  /** @type {Scene | null} */
  scene = null;
  seen = 0; // news up to this version have been shown long enough, or before the page was opened
  isOpen = false; // whether all news are shown
  timer = 0;
  hasTime = true; // whether a card still shows

  /** @param {boolean} [stays] whether cards stay until the next step */
  constructor(stays = false) {
    this.stays = stays;
    this.card.addEventListener("click", ({ target }) => {
      const command = target.closest("button")?.dataset.news;
      if (command === "all") this.setOpen(!this.isOpen);
      if (command === "read") this.forget();
    });
    document.addEventListener("click", ({ target }) => this.isOpen && !byRole("news-bar").contains(target) && this.setOpen(false));
    document.addEventListener("keydown", ({ key }) => key === "Escape" && this.setOpen(false));
  }

  /** Shows the news of a scene. @param {Scene} scene */
  draw(scene) {
    const before = this.scene;
    const latest = scene.news.at(-1)?.version ?? 0;
    if (!before) this.seen = scene.your_turn ? 0 : latest;
    const hasActed = before?.your_turn && !scene.your_turn;
    if (hasActed) this.seen = before.news.at(-1)?.version ?? 0;
    this.scene = scene;
    if (!before || latest !== before.news.at(-1)?.version) {
      clearTimeout(this.timer);
      this.hasTime = true;
      if (!this.stays && !this.news.some(({ card }) => this.concernsViewer(card))) this.timer = setTimeout(() => this.forget(), reducesMotion() ? CALM_MS : STAY_MS);
    }
    this.render();
  }

  /** What has happened since the viewer's last move, as far as the page was told. */
  get news() {
    const { news, you } = /** @type {Scene} */ (this.scene);
    const last = news.findLastIndex(({ seat, kind }) => kind === "stepped" && you.includes(seat ?? -1));
    return news.slice(last + 1).filter(({ words }) => words);
  }

  /** @param {Card | null | undefined} card */
  concernsViewer(card) {
    return !!card?.concerns?.some((seat) => this.scene?.you.includes(seat));
  }

  forget() {
    this.hasTime = false;
    this.setOpen(false);
  }

  /** @param {boolean} isOpen */
  setOpen(isOpen) {
    if (isOpen === this.isOpen && !this.hasTime && !isOpen) return this.render();
    this.isOpen = isOpen;
    this.render();
  }

  render() {
    const { scene } = this;
    if (!scene) return;
    const news = this.news;
    const cards = news.filter(({ card }) => card);
    const heaviest = cards.reduce((/** @type {News | null} */ best, item) => (best && (best.card?.weight ?? 0) > (item.card?.weight ?? 0) ? best : item), null);
    const shown = this.hasTime ? heaviest?.card : null;
    const others = news.length - 1;
    const isLong = this.isOpen && news.length > 0;
    byRole("news-bar").classList.toggle("is-open", isLong);
    const more = others > 0 && html`<button type="button" class="news-more" data-news="all" aria-expanded="${String(isLong)}">${isLong ? say("Close") : sayCount("{count} more", "{count} more", others)}</button>`;
    const read = this.concernsViewer(shown) && html`<button type="button" class="news-more" data-news="read">${say("Got it")}</button>`;
    const top = shown ? cardContent(shown, heaviest?.seat) : this.momentContent(news);
    render(this.card, html`${top}<div class="news-buttons">${more}${read}</div>${isLong && html`<ol class="all-news">${news.map((item) => html`<li data-seat="${item.seat ?? -1}">${item.card?.title ?? item.words}${item.card?.text && html` <span class="soft">${item.card.text}</span>`}</li>`)}</ol>`}`);
    this.card.title = scene.latest;
    this.card.classList.toggle("has-card", !!shown);
    for (const place of document.querySelectorAll(".in-the-news")) place.classList.remove("in-the-news");
    for (const handle of shown?.handles ?? []) document.querySelector(`[data-role="picture"] [data-handle="${CSS.escape(handle)}"]`)?.classList.add("in-the-news");
  }

  /** The moment of the game; in a game without moments the latest news. @param {News[]} news */
  momentContent(news) {
    const { moment, news: all, latest, headline, chips } = /** @type {Scene} */ (this.scene);
    const last = news.at(-1) ?? all.at(-1);
    if (moment) return html`${art(icon(moment.icon))}<div class="news-text"><h2 data-role="news">${moment.title}</h2><p>${moment.text || last?.words}</p></div>
      ${moment.parts.length > 0 && html`<ol class="moment-parts">${moment.parts.map(([name, label], index) => html`<li class="${index < moment.at ? "past" : index === moment.at && "now"}" title="${label}">${icon(name)}<span class="unseen">${label}${index === moment.at ? `, ${say("now")}` : ""}</span></li>`)}</ol>`}`;
    const { seat = -1 } = last ?? {};
    return html`${(seat ?? -1) >= 0 && art(html`<span class="disc" data-seat="${seat}">${icon(chips[seat ?? -1]?.icon)}</span>`)}<div class="news-text"><h2 data-role="news">${latest || headline}</h2></div>`;
  }
}

/** @param {any} content */
const art = (content) => html`<span class="news-art" aria-hidden="true">${content}</span>`;

/** @param {Card} card @param {number | null} [seat] */
export function cardContent({ title, text, icon: name, svg, roll }, seat) {
  const picture = roll ? html`${roll.dice.map((pips, index) => die(pips, roll.counts[index]))}` : svg ? trusted(svg) : name ? icon(name) : html`<span class="disc" data-seat="${seat ?? -1}"></span>`;
  return html`${art(picture)}<div class="news-text"><h2 data-role="news">${title}</h2>${text && html`<p>${text}</p>`}${roll && html`<p class="roll">${roll.additions.map(([source, amount]) => html`<span>${source} <b>${amount}</b></span> `)}<b>${roll.result}</b></p>`}</div>
    ${roll && roll.rows.length > 0 && html`<ol class="roll-rows">${roll.rows.map((row, index) => html`<li class="${index === roll.row && "hit"}">${row}</li>`)}</ol>`}`;
}

/** @type {Record<number, [number, number][]>} */
const PIPS = { 1: [[12, 12]], 2: [[7, 7], [17, 17]], 3: [[7, 7], [12, 12], [17, 17]], 4: [[7, 7], [17, 7], [7, 17], [17, 17]], 5: [[7, 7], [17, 7], [12, 12], [7, 17], [17, 17]], 6: [[7, 6], [17, 6], [7, 12], [17, 12], [7, 18], [17, 18]] };

/** @param {number} pips @param {boolean} counts */
const die = (pips, counts) => html`<svg class="die ${counts ? "counts" : ""}" viewBox="0 0 24 24"><rect x="1.5" y="1.5" width="21" height="21" rx="4"/>${(PIPS[pips] ?? []).map(([x, y]) => html`<circle cx="${x}" cy="${y}" r="2.1"/>`)}</svg>`;

// ---- words of a live table

/** Writes that you are watching or, for players, how many others are. @param {Scene} scene */
export function drawWatching(scene) {
  const text = watchingText(scene);
  byRole("watching").textContent = text && ` · ${text}`;
}

/** @param {Scene} scene */
function watchingText({ you, status, watching }) {
  if (you.length) return watching ? say("{watching} watching", { watching }) : "";
  if (status !== "running") return "";
  const others = watching - 1;
  return others < 1 ? say("You are watching") : others > 1 ? say("You are watching with {others} others", { others }) : say("You are watching with 1 other");
}

/** Writes on the buttons what they do at this table. @param {Scene} scene @param {boolean} playsAllSeats whether one person plays every side */
export function nameButtons(scene, playsAllSeats) {
  const isSolo = scene.seats.length === 1;
  const others = seatsOfOthers(scene).length;
  byRole("draw").textContent = playsAllSeats ? say("End as a draw") : say("Offer draw");
  byRole("takeback").textContent = playsAllSeats || isSolo ? say("Undo turn") : say("Request takeback");
  byRole("resign").textContent = isSolo ? say("Give up") : say("Resign");
  byRole("hint").title = !others ? say("Suggests a move and says why") : scene.seats.length > 2 ? say("Suggests a move and says why. The others will see that you asked.") : say("Suggests a move and says why. Your opponent will see that you asked.");
}
