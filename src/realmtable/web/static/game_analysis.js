// The analysis of a finished game, next to its replay: requests it, waits for it, and draws it as a graph that is also a
// slider, with the turning points and the best line for the turn on the board.

import { request, showError } from "./request.js";
import { formatPercent, lineButtons, scrollToBoard } from "./engine_lines.js";
import { byRole, html, render } from "./html.js";

const POLL_MS = 1000;
const [WIDTH, HEIGHT] = [300, 120]; // of the graph; the width until it can be measured
const [LEFT, BELOW] = [42, 18]; // room for the scales
const TICK = 34; // least width for a turn number
const MARK_NAMES = { "?!": "dubious", "?": "a mistake", "??": "a blunder" };

export class GameAnalysis {
  turns = [];
  points = [];

  /** @param {import("./board_page.js").BoardPage} page */
  constructor(page, source) {
    Object.assign(this, { page, address: `${source}/analysis` });
    page.commands.analyse = () => this.start();
    const graph = byRole("graph");
    graph.addEventListener("keydown", (event) => this.onKey(event));
    graph.addEventListener("click", ({ clientX }) => this.goToTurn(this.turnAt(clientX)));
    graph.addEventListener("pointermove", ({ clientX, pointerType }) => pointerType === "mouse" && this.describeTurn(this.turnAt(clientX)));
    graph.addEventListener("pointerleave", () => this.draw());
    byRole("best").addEventListener("click", () => (this.pinned = this.described));
    byRole("study").addEventListener("click", ({ target }) => target.closest("[data-step]") && scrollToBoard());
    new ResizeObserver(() => this.draw()).observe(graph);
    this.update(JSON.parse(byRole("analysis-data").textContent));
  }

  async start() {
    await this.page.attempt(async () => this.update(await request("POST", this.address, {})));
  }

  /** Requests the analysis, unless there is one already. */
  startFirst() {
    if (this.status === "none" && !byRole("analyse").hidden) this.start();
  }

  /** Shows the state of the analysis, and polls for the next one until it is done. */
  update(answer) {
    const { status, done, total, ahead, message, can_ask, analysis } = answer;
    this.status = status;
    const isWaiting = status === "waiting" || status === "running";
    byRole("study").hidden = status === "none" && !can_ask;
    byRole("analyse").hidden = !can_ask;
    byRole("analyse").textContent = { failed: "Try again", done: "Analyse again" }[status] ?? "Analyse this game";
    showError(byRole("analysis-fault"), status === "failed" ? { message } : null);
    byRole("analysis-progress").hidden = !isWaiting;
    Object.assign(byRole("analysis-bar"), { max: total || 1, value: done });
    byRole("analysis-status").textContent = !isWaiting ? "" : ahead ? `${ahead} ahead in the queue` : message || `Analysed ${done} of ${total} turns`;
    byRole("analysis-found").hidden = !analysis;
    if (isWaiting) setTimeout(() => this.poll(), POLL_MS);
    if (analysis) this.show(answer);
  }

  async poll() {
    this.update(await request("GET", this.address).catch(() => ({ status: "waiting", done: 0, total: 0, ahead: 0 })));
  }

  show({ analysis, turning_points }) {
    this.names = analysis.seat_names;
    this.turns = analysis.turns;
    this.chance = analysis.chance;
    const ends = turning_points.map(([, last]) => last);
    this.points = this.turns.filter(({ steps }) => ends.includes(steps[1]));
    const marks = new Map(this.turns.map(({ steps, mark }) => [steps[1], mark]));
    for (const line of this.page.lines) line.mark = marks.get(line.steps[1]);
    const [first, second] = this.names;
    byRole("graph-top").textContent = first;
    byRole("graph-bottom").textContent = second;
    byRole("graph-help").textContent = `The light area shows ${first}'s winning chances, the dark area ${second}'s; the dashed line is even. Click a turn to see it.`;
    render(byRole("points"), html`${this.points.map((turn) => this.turningPoint(turn))}`);
    byRole("points-title").textContent = this.points.length ? "Turning points" : "No turn lost 10% or more";
    byRole("points-help").hidden = !this.points.length;
    this.page.draw();
  }

  turningPoint({ number, seat, text, mark, steps, reason }) {
    return html`<li><span class="line-turn"><span class="number">${number}. ${this.names[seat]}</span> <button class="move" data-seat="${seat}" data-step="${steps[1]}" title="Show this turn">${text}<b class="mark">${mark}</b></button></span><p>${reason}</p></li>`;
  }

  // The turn on the board

  /** The index of the turn that the board shows the end or the middle of; -1 before the first. */
  get current() {
    return this.turns.findLastIndex(({ steps }) => steps[0] <= this.page.step);
  }

  draw() {
    if (!this.turns.length) return;
    this.drawGraph();
    // Exploring a turn's best line starts before that turn; keep describing the turn.
    if (this.turns[this.pinned]?.steps[0] !== this.page.step + 1) this.pinned = undefined;
    if (this.pinned !== undefined || !this.page.branch) this.describeTurn(this.pinned ?? this.current);
  }

  describeTurn(index) {
    const turn = this.turns[(this.described = index)];
    const [first] = this.names;
    render(byRole("turn-summary"), turn ? html`<b>${turn.number}. ${this.names[turn.seat]}</b> <span class="notation">${turn.text}${turn.mark && html`<b class="mark">${turn.mark}</b>`}</span>${turn.mark && `, ${MARK_NAMES[turn.mark]}`}. ${this.describeChange(index)}` : html`Before the first turn, ${first}'s winning chances are ${formatPercent(this.chance)}.`);
    const { best, steps } = turn ?? {};
    const line = best && html`<span class="soft">${turn.mark ? "Better" : "Best line"} (${first} ${formatPercent(best.chance)}):</span> ${lineButtons(best.turns, steps[0] - 1)}`;
    render(byRole("best"), line ?? html``);
    byRole("graph").setAttribute("aria-valuenow", index + 1);
    byRole("graph").setAttribute("aria-valuetext", turn ? `Turn ${turn.number}, ${this.names[turn.seat]} ${turn.text}: ${first} ${formatPercent(turn.chance)}${turn.mark ? `, ${MARK_NAMES[turn.mark]}` : ""}` : "Before the first turn");
  }

  /** A sentence on how a turn changed the chances. */
  describeChange(index) {
    const { chance, proven } = this.turns[index];
    const [before, after] = [this.turns[index - 1]?.chance ?? this.chance, chance].map(formatPercent);
    const change = before === after ? `stay at ${after}` : `go from ${before} to ${after}`;
    return `${this.names[0]}'s winning chances ${change}${proven ? ", which is certain" : ""}.`;
  }

  goToTurn(index) {
    this.page.goToStep(index < 0 ? 0 : this.turns[index].steps[1]);
  }

  onKey(event) {
    const { current, turns } = this;
    const to = { ArrowLeft: current - 1, ArrowDown: current - 1, ArrowRight: current + 1, ArrowUp: current + 1, Home: -1, End: turns.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.goToTurn(Math.max(-1, Math.min(to, turns.length - 1)));
  }

  // The graph: the first seat's chance, from the bottom up

  turnAt(clientX) {
    const { left, width } = byRole("graph").getBoundingClientRect();
    const share = (clientX - left - LEFT) / (width - LEFT);
    return Math.max(0, Math.min(this.turns.length - 1, Math.floor(share * this.turns.length)));
  }

  drawGraph() {
    const { turns, current } = this;
    const right = byRole("graph").clientWidth || WIDTH;
    const x = (index) => (LEFT + ((index + 0.5) * (right - LEFT)) / turns.length).toFixed(1);
    const y = (chance) => (4 + (1 - chance) * (HEIGHT - 8)).toFixed(1);
    const line = turns.map(({ chance }, index) => `${x(index)} ${y(chance)}`).join("L");
    const ends = [`${LEFT} ${y(turns[0].chance)}`, `${right} ${y(turns.at(-1).chance)}`];
    const marked = turns.map((turn, index) => ({ ...turn, index })).filter(({ mark }) => mark);
    byRole("graph").setAttribute("aria-valuemax", turns.length);
    render(byRole("graph"), html`<svg viewBox="0 0 ${right} ${HEIGHT + BELOW}" width="${right}" height="${HEIGHT + BELOW}" aria-hidden="true">
      <path class="graph-second" d="M${LEFT} 0H${right}V${HEIGHT}H${LEFT}z"/>
      <path class="graph-first" d="M${LEFT} ${HEIGHT}L${ends[0]}L${line}L${ends[1]}L${right} ${HEIGHT}z"/>
      <path class="graph-even" d="M${LEFT} ${HEIGHT / 2}H${right}"/>
      <path class="graph-line" d="M${ends[0]}L${line}L${ends[1]}"/>
      ${[1, 0.5, 0].map((chance) => html`<text x="${LEFT - 5}" y="${+y(chance) + 4 + 6 * (2 * chance - 1)}" text-anchor="end">${formatPercent(chance)}</text>`)}
      ${this.tickTurns(right).map((index) => html`<text x="${x(index)}" y="${HEIGHT + 14}" text-anchor="middle">${turns[index].number}</text>`)}
      ${marked.map(({ index, chance, mark }) => html`<circle class="graph-mark ${mark === "?!" && "is-small"}" cx="${x(index)}" cy="${y(chance)}" r="${mark === "?!" ? 3.5 : 5}"/>`)}
      ${current >= 0 && html`<path class="graph-here" d="M${x(current)} 0V${HEIGHT}"/><circle class="graph-at" cx="${x(current)}" cy="${y(turns[current].chance)}" r="4"/>`}</svg>`.trim());
  }

  /** The turns whose numbers are written below the graph: the first of each number, as many as fit. */
  tickTurns(right) {
    const { turns } = this;
    const firsts = [...turns.keys()].filter((index) => turns[index].number !== turns[index - 1]?.number);
    const every = Math.ceil((TICK * firsts.length) / (right - LEFT));
    return firsts.filter((_, index) => index % every === 0);
  }
}
