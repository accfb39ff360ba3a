// @ts-check
// The news: where the game is, or one card of what happened since the viewer's last move. Cards stay for some seconds, those
// that concern the viewer until they act or have read them. Loaded with the first scene.

import { byRole, html, render, trusted } from "./html.js";
import { say, sayCount } from "./language.js";
import { reducesMotion } from "./preferences.js";
import { icon } from "./seat_chips.js";

const [STAY_MS, CALM_MS] = [6000, 8000];
const HAS_SUBJECT = /^(the|you) /i; // news that need no name before them: "the game ends"

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
    this.card.classList.toggle("has-card", !!shown);
    for (const place of document.querySelectorAll(".in-the-news")) place.classList.remove("in-the-news");
    for (const handle of shown?.handles ?? []) document.querySelector(`[data-role="picture"] [data-handle="${CSS.escape(handle)}"]`)?.classList.add("in-the-news");
  }

  /** The moment of the game; in a game without moments the latest news. @param {News[]} news */
  momentContent(news) {
    const { moment, news: all, latest, headline, chips } = /** @type {Scene} */ (this.scene);
    const last = news.at(-1) ?? all.at(-1);
    if (moment) return html`${art(icon(moment.icon))}<div class="news-text"><h2 data-role="news" title="${latest}">${moment.title}</h2><p>${moment.text || last?.words}</p></div>
      ${moment.parts.length > 0 && html`<ol class="moment-parts">${moment.parts.map(([name, label], index) => html`<li class="${index < moment.at ? "past" : index === moment.at && "now"}" title="${label}">${icon(name)}<span class="unseen">${label}${index === moment.at ? `, ${say("now")}` : ""}</span></li>`)}</ol>`}`;
    const { seat = -1 } = last ?? {};
    return html`${art(html`<span class="disc" data-seat="${seat ?? -1}">${icon(chips[seat ?? -1]?.icon)}</span>`)}<div class="news-text"><h2 data-role="news" title="${latest}">${latest || headline}</h2></div>`;
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
