// @ts-check
// The end of a game, loaded when one is over: the list of how the scores came about, and a picture that is revealed beat by
// beat, as marked by the game that drew it. An element with data-beat="n" appears at beat n; its data-caption is then written
// under the board and its data-say announced; a number with data-counts counts through those values from its beat on.

import { byRole, html, render } from "./html.js";
import { formatNumber } from "./numbers.js";
import { reducesMotion } from "./preferences.js";

const [QUICKEST_MS, SLOWEST_MS, TOTAL_MS] = [450, 1300, 26000]; // of a beat, and roughly of all of them

export class Reveal {
  running = false;
  /** @type {{ element: HTMLElement, beat: number, caption?: string, say?: string, counts?: string }[]} */
  elements = [];
  lastBeat = 0;
  beatMs = 0;

  /** @param {BoardPage} page */
  constructor(page) {
    const { escape } = page.commands;
    Object.assign(page.commands, {
      reveal: () => this.start(),
      skip: () => this.stop(),
      escape: () => (this.running ? this.stop() : escape()),
    });
    byRole("picture").addEventListener("click", () => this.stop());
    this.page = page;
  }

  /** The picture's name for its reveal; empty if it has none or the reader prefers reduced motion. */
  get title() {
    return (!reducesMotion() && byRole("picture").querySelector("svg")?.dataset.show) || "";
  }

  /** Updates the page after it was drawn; `starts` plays the reveal. @param {boolean} [starts] */
  draw(starts) {
    if (this.running && this.picture !== this.page.picture) this.stop(); // another moment is shown
    const { tallies = [] } = this.page.current;
    byRole("tallies").hidden = !tallies.length;
    render(byRole("tallies"), html`${tallies.map(tallyCard)}`);
    byRole("skip").hidden = !this.running;
    byRole("reveal").hidden = this.running || !this.title;
    byRole("reveal").textContent = `Show ${this.title} again`;
    if (this.running) document.title = byRole("headline").textContent = this.title[0].toUpperCase() + this.title.slice(1);
    else if (starts && this.title) this.start();
    else if (starts) this.page.announce(byRole("headline").textContent);
    if (starts && tallies.length && this.page.panels?.isOpen) this.page.panels.select("score", true);
    if (starts || this.running) document.body.classList.remove("before-reveal"); // the same scene may come twice before the start
  }

  start() {
    this.stop();
    this.picture = this.page.picture;
    this.elements = [...byRole("picture").querySelectorAll("[data-beat]")].map((element) => ({ element, .../** @type {Record<string, string | undefined>} */ (element.dataset), beat: Number(element.dataset.beat) }));
    this.lastBeat = Math.max(...this.elements.map(({ beat }) => beat));
    this.beatMs = Math.max(QUICKEST_MS, Math.min(SLOWEST_MS, TOTAL_MS / this.lastBeat));
    this.setRunning(true);
    this.showBeat(0);
  }

  /** Shows everything at once, as the picture was drawn. */
  stop() {
    clearTimeout(this.timer);
    if (!this.running) return;
    for (const { element, counts } of this.elements) {
      element.classList.remove("later");
      element.countStart = 0;
      if (counts) writeNumber(element, counts.split(" ").at(-1));
    }
    this.setRunning(false);
    this.page.announce(byRole("headline").textContent);
  }

  /** While the reveal runs, the rest of the page hides what it would give away. @param {boolean} on */
  setRunning(on) {
    this.running = on;
    document.body.classList.toggle("revealing", on);
    byRole("beat").textContent = "";
    this.page.options.onDraw();
    this.draw();
  }

  /** Shows everything up to a beat, hides the rest, and schedules the next beat. @param {number} now */
  showBeat(now) {
    const spoken = [];
    for (const { element, beat, caption, say, counts } of this.elements) {
      element.classList.toggle("later", beat > now);
      if (counts && beat <= now) countTo(element, counts.split(" "), now - beat, this.beatMs);
      if (beat !== now) continue;
      element.animate({ opacity: [0, 1], scale: ["1.12", "1"] }, { duration: Math.min(320, this.beatMs / 2), easing: "ease-out" });
      if (caption) byRole("beat").textContent = caption;
      if (say) spoken.push(say);
    }
    if (spoken.length) this.page.announce(spoken[0]);
    if (now < this.lastBeat) this.timer = setTimeout(() => this.showBeat(now + 1), this.beatMs);
    else this.stop();
  }
}

/** @param {Element} element @param {number | string} number */
const writeNumber = (element, number) => ((element.querySelector("text") ?? element).textContent = formatNumber(+number));

/**
 * Counts from the previous of the values to the one at `index`.
 * @param {Element} element @param {string[]} values @param {number} index @param {number} beatMs
 */
function countTo(element, values, index, beatMs) {
  const [from, to] = [+(values[index - 1] ?? 0), +values[index]];
  const start = performance.now();
  if (index >= values.length) return;
  element.countStart = start; // a later count takes over
  /** @param {number} now */
  const tick = (now) => {
    if (element.countStart !== start) return;
    const share = Math.min(1, Math.max(0, (now - start) / (beatMs * 0.6)));
    writeNumber(element, Math.round(from + (to - from) * share));
    if (share < 1) requestAnimationFrame(tick);
  };
  tick(start);
}

/** @param {Tally} tally */
function tallyCard({ seat, name, rank, total, lines, sheet, reached }) {
  const goal = reached === null ? "" : reached ? "Reached their goal" : "Fell short of their goal";
  return html`<article data-seat="${seat}"><h3>${rank}. ${name} <b>${formatNumber(total)} ${total === 1 ? "point" : "points"}</b></h3>
    ${goal && html`<p class="soft small">${goal}</p>`}
    <ol>${lines.map(tallyLine)}</ol>
    ${sheet && html`<p><a href="${sheet}">Open the scoring page to try other choices</a></p>`}</article>`;
}

/** @param {TallyLine} line */
function tallyLine({ title, points, reason, struck }) {
  return html`<li><b class="points">${formatNumber(points)}</b> <span>${struck ? html`<s>${title}</s>` : html`<b>${title}</b>`} <span class="why">${reason}</span></span></li>`;
}
