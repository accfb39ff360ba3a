// The analysis of a finished game beside its replay: asked for, awaited, then drawn as a graph that is also a slider,
// with the turning points and the best line of the turn that is looked at.

import { api, tell } from "./api.js";
import { html, part, put, unbroken } from "./html.js";
import { lineButtons, lookAtBoard, percent } from "./engine_lines.js";

const LOOK_EVERY_MS = 1000;
const [WIDTH, HEIGHT] = [300, 120]; // of what is drawn, where nothing is measured yet
const [LEFT, BELOW] = [42, 18]; // room for the scales
const TICK = 34; // least room for the number of a turn
const SPOKEN = { "?!": "dubious", "?": "a mistake", "??": "a blunder" };

export class Study {
  turns = [];
  points = [];

  constructor(desk, source) {
    Object.assign(this, { desk, address: `${source}/analysis` });
    desk.commands.analyse = () => this.ask();
    const graph = part("graph");
    graph.addEventListener("keydown", (event) => this.key(event));
    graph.addEventListener("click", ({ clientX }) => this.go(this.turnAt(clientX)));
    graph.addEventListener("pointermove", ({ clientX, pointerType }) => pointerType === "mouse" && this.tellTurn(this.turnAt(clientX)));
    graph.addEventListener("pointerleave", () => this.drawn());
    part("best").addEventListener("click", () => (this.pinned = this.told));
    part("study").addEventListener("click", ({ target }) => target.closest("[data-step]") && lookAtBoard());
    new ResizeObserver(() => this.drawn()).observe(graph);
    this.take(JSON.parse(part("analysis-data").textContent));
  }

  async ask() {
    await this.desk.attempt(async () => this.take(await api("POST", this.address, {})));
  }

  /** What the server says of the analysis; asked again until there is nothing to wait for. */
  take(answer) {
    const { status, done, total, ahead, message, can_ask, analysis } = answer;
    const waits = status === "waiting" || status === "running";
    part("study").hidden = status === "none" && !can_ask;
    part("analyse").hidden = !can_ask;
    part("analyse").textContent = { failed: "Try again", done: "Analyse again" }[status] ?? "Analyse this game";
    tell(part("analysis-fault"), status === "failed" ? { message } : null);
    part("analysis-progress").hidden = !waits;
    Object.assign(part("analysis-bar"), { max: total || 1, value: done });
    part("analysis-status").textContent = !waits ? "" : ahead ? `Waiting: ${ahead} before this one` : message || `Turn ${done} of ${total} judged`;
    part("analysis-found").hidden = !analysis;
    if (waits) setTimeout(() => this.look(), LOOK_EVERY_MS);
    if (analysis) this.show(answer);
  }

  async look() {
    this.take(await api("GET", this.address).catch(() => ({ status: "waiting", done: 0, total: 0, ahead: 0 })));
  }

  show({ analysis, turning_points }) {
    this.names = analysis.seat_names;
    this.turns = analysis.turns;
    this.chance = analysis.chance;
    const ends = turning_points.map(([, last]) => last);
    this.points = this.turns.filter(({ steps }) => ends.includes(steps[1]));
    const marks = new Map(this.turns.map(({ steps, mark }) => [steps[1], mark]));
    for (const line of this.desk.lines) line.mark = marks.get(line.steps[1]);
    const [first, second] = this.names;
    part("graph-top").textContent = first;
    part("graph-bottom").textContent = second;
    part("graph-told").textContent = `The light part is what ${first} can expect of the game, the dark part what ${second} can; on the dashed line both have the same chances. Click a turn to see it.`;
    put(part("points"), html`${this.points.map((turn) => this.point(turn))}`);
    part("points-title").textContent = this.points.length ? "Turning points" : "No turn gave away a tenth of the game or more.";
    part("points-told").hidden = !this.points.length;
    this.desk.draw();
  }

  point({ number, seat, text, mark, steps, reason }) {
    return html`<li><span class="line-turn"><span class="number">${number}. ${this.names[seat]}</span> <button class="move" data-seat="${seat}" data-step="${steps[1]}" title="Show this turn">${text}<b class="mark">${mark}</b></button></span><p>${unbroken(reason)}</p></li>`;
  }

  // The turn that is looked at

  /** The number of the turn that the desk shows the end or the middle of; -1 before the first. */
  get at() {
    return this.turns.findLastIndex(({ steps }) => steps[0] <= this.desk.at);
  }

  drawn() {
    if (!this.turns.length) return;
    this.drawGraph();
    // A line that is tried out starts before its turn; the turn stays in view.
    if (this.turns[this.pinned]?.steps[0] !== this.desk.at + 1) this.pinned = undefined;
    if (this.pinned !== undefined || !this.desk.branch) this.tellTurn(this.pinned ?? this.at);
  }

  tellTurn(index) {
    const turn = this.turns[(this.told = index)];
    const [first] = this.names;
    put(part("judged"), turn ? html`<b>${turn.number}. ${this.names[turn.seat]}</b> <span class="notation">${turn.text}${turn.mark && html`<b class="mark">${turn.mark}</b>`}</span>${turn.mark && `, ${SPOKEN[turn.mark]}`}. ${this.went(index)}` : html`Before the first turn ${first}'s chances are ${percent(this.chance)}.`);
    const { best, steps } = turn ?? {};
    const told = best && html`<span class="soft">${turn.mark ? "Better was" : "Best line found"} (${first} ${percent(best.chance)}):</span> ${lineButtons(best.turns, steps[0] - 1)}`;
    put(part("best"), told ?? html``);
    part("graph").setAttribute("aria-valuenow", index + 1);
    part("graph").setAttribute("aria-valuetext", turn ? `Turn ${turn.number}, ${this.names[turn.seat]} ${turn.text}: ${first} ${percent(turn.chance)}${turn.mark ? `, ${SPOKEN[turn.mark]}` : ""}` : "Before the first turn");
  }

  /** What a turn did to the chances, in a sentence. */
  went(index) {
    const { chance, proven } = this.turns[index];
    const [before, after] = [this.turns[index - 1]?.chance ?? this.chance, chance].map(percent);
    const told = before === after ? `stay at ${after}` : `go from ${before} to ${after}`;
    return `${this.names[0]}'s chances ${told}${proven ? ": that is certain" : ""}.`;
  }

  go(index) {
    this.desk.look(index < 0 ? 0 : this.turns[index].steps[1]);
  }

  key(event) {
    const { at, turns } = this;
    const to = { ArrowLeft: at - 1, ArrowDown: at - 1, ArrowRight: at + 1, ArrowUp: at + 1, Home: -1, End: turns.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.go(Math.max(-1, Math.min(to, turns.length - 1)));
  }

  // The graph: the first seat's chance grows from below

  turnAt(clientX) {
    const { left, width } = part("graph").getBoundingClientRect();
    const share = (clientX - left - LEFT) / (width - LEFT);
    return Math.max(0, Math.min(this.turns.length - 1, Math.floor(share * this.turns.length)));
  }

  drawGraph() {
    const { turns, at } = this;
    const right = part("graph").clientWidth || WIDTH;
    const x = (index) => (LEFT + ((index + 0.5) * (right - LEFT)) / turns.length).toFixed(1);
    const y = (chance) => (4 + (1 - chance) * (HEIGHT - 8)).toFixed(1);
    const line = turns.map(({ chance }, index) => `${x(index)} ${y(chance)}`).join("L");
    const ends = [`${LEFT} ${y(turns[0].chance)}`, `${right} ${y(turns.at(-1).chance)}`];
    const marked = turns.map((turn, index) => ({ ...turn, index })).filter(({ mark }) => mark);
    part("graph").setAttribute("aria-valuemax", turns.length);
    put(part("graph"), html`<svg viewBox="0 0 ${right} ${HEIGHT + BELOW}" width="${right}" height="${HEIGHT + BELOW}" aria-hidden="true">
      <path class="graph-second" d="M${LEFT} 0H${right}V${HEIGHT}H${LEFT}z"/>
      <path class="graph-first" d="M${LEFT} ${HEIGHT}L${ends[0]}L${line}L${ends[1]}L${right} ${HEIGHT}z"/>
      <path class="graph-even" d="M${LEFT} ${HEIGHT / 2}H${right}"/>
      <path class="graph-line" d="M${ends[0]}L${line}L${ends[1]}"/>
      ${[1, 0.5, 0].map((chance) => html`<text x="${LEFT - 5}" y="${+y(chance) + 4 + 6 * (2 * chance - 1)}" text-anchor="end">${percent(chance)}</text>`)}
      ${this.ticks(right).map((index) => html`<text x="${x(index)}" y="${HEIGHT + 14}" text-anchor="middle">${turns[index].number}</text>`)}
      ${marked.map(({ index, chance, mark }) => html`<circle class="graph-mark ${mark === "?!" && "is-small"}" cx="${x(index)}" cy="${y(chance)}" r="${mark === "?!" ? 3.5 : 5}"/>`)}
      ${at >= 0 && html`<path class="graph-here" d="M${x(at)} 0V${HEIGHT}"/><circle class="graph-at" cx="${x(at)}" cy="${y(turns[at].chance)}" r="4"/>`}</svg>`.trim());
  }

  /** The turns whose numbers stand below the graph: the first of each number, as many as there is room for. */
  ticks(right) {
    const { turns } = this;
    const firsts = [...turns.keys()].filter((index) => turns[index].number !== turns[index - 1]?.number);
    const every = Math.ceil((TICK * firsts.length) / (right - LEFT));
    return firsts.filter((_, index) => index % every === 0);
  }
}
