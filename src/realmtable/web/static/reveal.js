// A game that is over, fetched when one is: how its scores came about, as a list; and a picture that unfolds beat by beat, as
// the game that drew it says. What has data-beat="n" appears at beat n, data-told is written under the board then, data-say
// is spoken, and a number with data-counts goes through those values from its beat on.

import { html, part, put } from "./html.js";

const [QUICKEST_MS, SLOWEST_MS, ALL_MS] = [450, 1300, 26000]; // a beat, and about how long all of them take
const calm = matchMedia("(prefers-reduced-motion: reduce)");

export class Ending {
  running = false;

  constructor(desk) {
    const { escape } = desk.commands;
    Object.assign(desk.commands, {
      unfold: () => this.start(),
      skip: () => this.stop(),
      escape: () => (this.running ? this.stop() : escape()),
    });
    part("picture").addEventListener("click", () => this.stop());
    this.desk = desk;
  }

  /** What the picture calls its unfolding, if it has any and whoever looks does not mind things that move. */
  get show() {
    return (!calm.matches && part("picture").querySelector("svg")?.dataset.show) || "";
  }

  /** The page was drawn; `unfolds` where the game has just ended. */
  drawn(unfolds) {
    document.body.classList.remove("awaits");
    if (this.running && this.picture !== this.desk.picture) this.stop(); // another moment is looked at
    const { tallies = [] } = this.desk.shown;
    part("tallies").hidden = !tallies.length;
    put(part("tallies"), html`${tallies.map(tally)}`);
    part("skip").hidden = !this.running;
    part("unfold").hidden = this.running || !this.show;
    part("unfold").textContent = `Show ${this.show} again`;
    if (this.running) document.title = part("headline").textContent = this.show[0].toUpperCase() + this.show.slice(1);
    else if (unfolds && this.show) this.start();
  }

  start() {
    this.stop();
    this.picture = this.desk.picture;
    this.parts = [...part("picture").querySelectorAll("[data-beat]")].map((element) => ({ element, ...element.dataset, beat: +element.dataset.beat }));
    this.last = Math.max(...this.parts.map(({ beat }) => beat));
    this.pace = Math.max(QUICKEST_MS, Math.min(SLOWEST_MS, ALL_MS / this.last));
    this.turn(true);
    this.to(0);
  }

  /** All is there at once, as the picture was drawn. */
  stop() {
    clearTimeout(this.timer);
    if (!this.running) return;
    for (const { element, counts } of this.parts) {
      element.classList.remove("later");
      element.counting = 0;
      if (counts) write(element, counts.split(" ").at(-1));
    }
    this.turn(false);
  }

  /** While a picture unfolds the page keeps quiet about what it will show; what stands above the board comes and goes. */
  turn(on) {
    this.running = on;
    document.body.classList.toggle("unfolding", on);
    part("beat").textContent = "";
    this.desk.page.drawn();
    this.drawn();
    part(on ? "skip" : "board").scrollIntoView({ block: "nearest" });
  }

  /** Shows all that has come until a beat, the rest not yet; and goes on. */
  to(now) {
    const heard = [];
    for (const { element, beat, told, say, counts } of this.parts) {
      element.classList.toggle("later", beat > now);
      if (counts && beat <= now) count(element, counts.split(" "), now - beat, this.pace);
      if (beat !== now) continue;
      element.animate({ opacity: [0, 1], scale: ["1.12", "1"] }, { duration: Math.min(320, this.pace / 2), easing: "ease-out" });
      if (told) part("beat").textContent = told;
      if (say) heard.push(say);
    }
    if (heard.length) this.desk.say(heard[0]);
    if (now < this.last) this.timer = setTimeout(() => this.to(now + 1), this.pace);
    else this.stop();
  }
}

const write = (element, number) => ((element.querySelector("text") ?? element).textContent = signed(+number));
const signed = (points) => (points < 0 ? `−${-points}` : `${points}`);

/** Counts up, or down, to the next of the values. */
function count(element, values, index, pace) {
  const [from, to] = [+(values[index - 1] ?? 0), +values[index]];
  const begun = performance.now();
  if (index >= values.length) return;
  element.counting = begun; // a later count takes over
  const tick = (now) => {
    if (element.counting !== begun) return;
    const part = Math.min(1, Math.max(0, (now - begun) / (pace * 0.6)));
    write(element, Math.round(from + (to - from) * part));
    if (part < 1) requestAnimationFrame(tick);
  };
  tick(begun);
}

function tally({ seat, name, rank, total, lines, sheet }) {
  return html`<article data-seat="${seat}"><h3>${rank}. ${name} <b>${signed(total)} points</b></h3>
    <ol>${lines.map(line)}</ol>
    ${sheet && html`<p><a href="${sheet}">See it on the scoring page, try other choices</a></p>`}</article>`;
}

function line({ title, points, reason, struck }) {
  return html`<li><b class="points">${signed(points)}</b> <span>${struck ? html`<s>${title}</s>` : html`<b>${title}</b>`} <span class="why">${reason}</span></span></li>`;
}
