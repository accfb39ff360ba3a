// @ts-check
// The analysis of a finished game, next to its replay: requests it, waits for it, and draws it as a graph that is also a
// slider, with the turning points and the best line for the turn on the board.

import { request, showError } from "./request.js";
import { formatPercent, lineButtons, scrollToBoard } from "./engine_lines.js";
import { byRole, html, render } from "./html.js";
import { say } from "./language.js";

const POLL_MS = 1000;
const [WIDTH, HEIGHT] = [300, 120]; // of the graph; the width until it can be measured
const [LEFT, BELOW] = [42, 18]; // room for the scales
const TICK = 34; // least width for a turn number
/** @type {Record<string, string>} */
const AGAIN = { failed: "Try again", done: "Analyse again" };
/** @type {Record<string, string>} */
const MARK_NAMES = { "?!": "dubious", "?": "a mistake", "??": "a blunder" };

export class GameAnalysis {
  /** @type {AnalysedTurn[]} */
  turns = [];
  /** @type {string[]} */
  names = []; // of the seats
  /** @type {number[]} */
  shares = []; // of every seat before the first turn, in games for several seats; otherwise empty
  /** @type {AnalysedTurn[]} */
  points = [];
  unit = ""; // "points" if the numbers are expected final points instead of chances
  least = 0;
  most = 1; // the range of the graph

  /** @param {BoardPage} page @param {string} source the address of the game */
  constructor(page, source) {
    this.page = page;
    this.address = `${source}/analysis`;
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

  /** Shows the state of the analysis, and polls for the next one until it is done. @param {any} answer */
  update(answer) {
    const { status, done, total, ahead, message, can_ask, analysis } = answer;
    this.status = status;
    const isWaiting = status === "waiting" || status === "running";
    byRole("study").hidden = status === "none" && !can_ask && !message;
    byRole("analyse").hidden = !can_ask;
    byRole("analyse").textContent = AGAIN[status] ?? "Analyse this game";
    showError(byRole("analysis-fault"), status === "failed" ? { message } : null);
    byRole("analysis-progress").hidden = !isWaiting && !(status === "none" && message);
    byRole("analysis-bar").hidden = !isWaiting;
    Object.assign(byRole("analysis-bar"), { max: total || 1, value: done });
    byRole("analysis-status").textContent = !isWaiting ? (status === "none" ? message : "") : ahead ? `${ahead} ahead in the queue` : message || `Analysed ${done} of ${total} turns`;
    byRole("analysis-found").hidden = !analysis;
    if (isWaiting) setTimeout(() => this.poll(), POLL_MS);
    if (analysis) this.show(answer);
  }

  async poll() {
    this.update(await request("GET", this.address).catch(() => ({ status: "waiting", done: 0, total: 0, ahead: 0 })));
  }

  /** @param {any} answer */
  show({ analysis, turning_points, mistakes }) {
    this.names = analysis.seat_names;
    this.turns = analysis.turns;
    this.chance = analysis.chance;
    this.shares = analysis.shares ?? []; // older analyses have none
    const ends = turning_points.map((/** @type {number[]} */ [, last]) => last);
    this.points = this.turns.filter(({ steps }) => ends.includes(steps[1]));
    this.unit = analysis.unit ?? "";
    const values = [this.shares, ...this.turns.map(({ shares }) => shares ?? [])].flat();
    if (this.unit) [this.least, this.most] = [Math.min(...values), Math.max(...values)];
    for (const line of this.page.lines) {
      const marks = this.turns.filter(({ steps }) => line.steps[0] <= steps[0] && steps[1] <= line.steps[1]).map(({ mark }) => mark);
      line.mark = ["??", "?", "?!"].find((mark) => marks.includes(mark)) ?? "";
    }
    const [first, second] = this.names;
    const isForMany = this.shares.length > 0;
    byRole("graph-top").textContent = isForMany ? "" : first;
    byRole("graph-bottom").textContent = isForMany ? "" : second;
    render(byRole("mistakes"), html`${isForMany && this.names.map((name, seat) => html`<li><i class="key-line" data-seat="${seat}"></i> <b>${name}</b>: ${mistakes[seat]}</li>`)}`);
    byRole("graph-help").textContent = this.unit ? say("Each line shows the final points that a player could expect, by the cards they knew. Click a step to see it.") : isForMany ? "Each line shows a player's winning chances; the dashed line is a fair share. Click a turn to see it." : `The light area shows ${first}'s winning chances, the dark area ${second}'s; the dashed line is even. Click a turn to see it.`;
    render(byRole("points"), html`${this.points.map((turn) => this.turningPoint(turn))}`);
    byRole("points-title").textContent = this.points.length ? "Turning points" : isForMany ? "No turn gave much away" : "No turn lost 10% or more";
    byRole("points-help").hidden = !this.points.length;
    this.page.draw();
  }

  /** @param {AnalysedTurn} turn */
  turningPoint({ number, seat, text, mark, steps, reason }) {
    return html`<li><span class="line-turn"><span class="number">${number}. ${this.nameOf(seat)}</span> <button class="move" data-seat="${seat}" data-step="${steps[1]}" title="Show this turn">${text}<b class="mark">${mark}</b></button></span><p>${reason}</p></li>`;
  }

  /** @param {number} seat */
  nameOf(seat) {
    return this.names[seat] ?? "Chance";
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
    if (this.turns[this.pinned ?? -1]?.steps[0] !== this.page.step + 1) this.pinned = undefined;
    if (this.pinned !== undefined || !this.page.branch) this.describeTurn(this.pinned ?? this.current);
  }

  /** @param {number} index */
  describeTurn(index) {
    const turn = this.turns[(this.described = index)];
    const seat = this.describedSeat(index);
    const name = this.names[seat];
    render(byRole("turn-summary"), turn ? html`<b>${turn.number}. ${this.nameOf(turn.seat)}</b> <span class="notation">${turn.text}${turn.mark && html`<b class="mark">${turn.mark}</b>`}</span>${turn.mark && `, ${MARK_NAMES[turn.mark]}`}. ${this.describeChange(index)}` : html`${this.unit ? say("Before the first turn, {name} could expect {points} points.", { name, points: this.format(this.chanceOf(-1, seat)) }) : `Before the first turn, ${name}'s winning chances are ${this.format(this.chanceOf(-1, seat))}.`}`);
    const { best, steps } = turn ?? {};
    const line = best && html`<span class="soft">${turn.mark ? "Better" : "Best line"} (${name} ${this.format(best.shares?.[seat] ?? best.chance)}):</span> ${lineButtons(best.turns, steps[0] - 1)}`;
    render(byRole("best"), line ?? html``);
    byRole("graph").setAttribute("aria-valuenow", index + 1);
    byRole("graph").setAttribute("aria-valuetext", turn ? `Turn ${turn.number}, ${this.nameOf(turn.seat)} ${turn.text}: ${name} ${this.format(this.chanceOf(index, seat))}${turn.mark ? `, ${MARK_NAMES[turn.mark]}` : ""}` : "Before the first turn");
  }

  /** A sentence on how a turn changed the chances. @param {number} index */
  describeChange(index) {
    const seat = this.describedSeat(index);
    if (this.unit) return this.describePoints(index, seat);
    const [before, after] = [index - 1, index].map((at) => formatPercent(this.chanceOf(at, seat)));
    const change = before === after ? `stay at ${after}` : `go from ${before} to ${after}`;
    const { proven } = this.turns[index];
    return `${this.names[seat]}'s winning chances ${change}${proven ? ", which is certain" : ""}.`;
  }

  /** A sentence on what a step promised, and on the best one. @param {number} index @param {number} seat */
  describePoints(index, seat) {
    const { best, proven, reason } = this.turns[index];
    const [name, points] = [this.names[seat], this.format(this.chanceOf(index, seat))];
    if (proven) return say("The game is over: {name} has {points} points.", { name, points });
    if (!reason) return say("After it, {name} could expect {points} points.", { name, points });
    const more = this.format(best?.shares?.[seat] ?? 0);
    return say("After it, {name} could expect {points} points; after the best choice, {more}. {reason}", { name, points, more, reason });
  }

  /** A chance, or expected points. @param {number} value */
  format(value) {
    return this.unit ? String(Math.round(value)) : formatPercent(value);
  }

  /**
   * The seat whose chances are described: the first or, among several, the acting one; of chance's steps the one that gains most.
   * @param {number} index
   */
  describedSeat(index) {
    if (!this.shares.length || index < 0) return 0;
    const { seat, shares = [] } = this.turns[index];
    const gains = shares.map((share, other) => share - this.chanceOf(index - 1, other));
    return seat >= 0 ? seat : gains.indexOf(Math.max(...gains));
  }

  /** A seat's chances after a turn, or before the first. @param {number} index @param {number} seat */
  chanceOf(index, seat) {
    const { shares, chance } = this.turns[index] ?? this;
    return shares?.length ? shares[seat] : chance;
  }

  /** @param {number} index */
  goToTurn(index) {
    this.page.goToStep(index < 0 ? 0 : this.turns[index].steps[1]);
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    const { current, turns } = this;
    const to = { ArrowLeft: current - 1, ArrowDown: current - 1, ArrowRight: current + 1, ArrowUp: current + 1, Home: -1, End: turns.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.goToTurn(Math.max(-1, Math.min(to, turns.length - 1)));
  }

  // The graph: the first seat's chance, from the bottom up

  /** @param {number} clientX */
  turnAt(clientX) {
    const { left, width } = byRole("graph").getBoundingClientRect();
    const share = (clientX - left - LEFT) / (width - LEFT);
    return Math.max(0, Math.min(this.turns.length - 1, Math.floor(share * this.turns.length)));
  }

  drawGraph() {
    const { turns, current } = this;
    const right = byRole("graph").clientWidth || WIDTH;
    /** @param {number} index */
    const x = (index) => (LEFT + ((index + 0.5) * (right - LEFT)) / turns.length).toFixed(1);
    /** @param {number} chance */
    const y = (chance) => (4 + ((this.most - chance) / (this.most - this.least || 1)) * (HEIGHT - 8)).toFixed(1);
    const seats = this.shares.length ? [...this.names.keys()] : [0];
    /** @param {number} seat */
    const lineOf = (seat) => [`${LEFT} ${y(this.chanceOf(0, seat))}`, ...turns.map((_, index) => `${x(index)} ${y(this.chanceOf(index, seat))}`), `${right} ${y(this.chanceOf(turns.length - 1, seat))}`].join("L");
    const isForMany = seats.length > 1;
    const marked = turns.map((turn, index) => ({ ...turn, index })).filter(({ mark }) => mark);
    byRole("graph").setAttribute("aria-valuemax", turns.length);
    render(byRole("graph"), html`<svg viewBox="0 0 ${right} ${HEIGHT + BELOW}" width="${right}" height="${HEIGHT + BELOW}" aria-hidden="true">
      <path class="${isForMany ? "graph-ground" : "graph-second"}" d="M${LEFT} 0H${right}V${HEIGHT}H${LEFT}z"/>
      ${!isForMany && html`<path class="graph-first" d="M${LEFT} ${HEIGHT}L${lineOf(0)}L${right} ${HEIGHT}z"/>`}
      ${!this.unit && html`<path class="graph-even" d="M${LEFT} ${isForMany ? y(1 / seats.length) : HEIGHT / 2}H${right}"/>`}
      ${seats.map((seat) => html`<path class="graph-line" ${isForMany && html`data-seat="${seat}"`} d="M${lineOf(seat)}"/>`)}
      ${[1, 0.5, 0].map((part) => html`<text x="${LEFT - 5}" y="${+y(this.least + part * (this.most - this.least)) + 4 + 6 * (2 * part - 1)}" text-anchor="end">${this.format(this.least + part * (this.most - this.least))}</text>`)}
      ${this.tickTurns(right).map((index) => html`<text x="${x(index)}" y="${HEIGHT + 14}" text-anchor="middle">${turns[index].number}</text>`)}
      ${marked.map(({ index, seat, mark }) => html`<circle class="graph-mark ${mark === "?!" && "is-small"}" cx="${x(index)}" cy="${y(this.chanceOf(index, isForMany ? seat : 0))}" r="${mark === "?!" ? 3.5 : 5}"/>`)}
      ${current >= 0 && html`<path class="graph-here" d="M${x(current)} 0V${HEIGHT}"/><circle class="graph-at" cx="${x(current)}" cy="${y(this.chanceOf(current, this.describedSeat(current)))}" r="4"/>`}</svg>`.trim());
  }

  /** The turns whose numbers are written below the graph: the first of each number, as many as fit. @param {number} right */
  tickTurns(right) {
    const { turns } = this;
    const firsts = [...turns.keys()].filter((index) => turns[index].number !== turns[index - 1]?.number);
    const every = Math.ceil((TICK * firsts.length) / (right - LEFT));
    return firsts.filter((_, index) => index % every === 0);
  }
}
