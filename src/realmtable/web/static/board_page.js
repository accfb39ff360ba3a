// What the live table and the replay share: the board, the list of moves, looking at earlier moments, playing on from
// them for oneself ("what if"), keys, links to copy, and the voice for screen readers.

import { api, tell } from "./api.js";
import { html, part, put } from "./html.js";
import { Picker } from "./move_picker.js";

const KEYS = { n: "next", u: "undo", "/": "type", "[": "back", "]": "forward", "?": "help", Escape: "escape" };

export class Desk {
  present = null; // the live scene; none in a replay
  moment = null; // what is looked at instead of it
  branch = null; // the moves of a "what if" that starts at `base`
  lines = [];
  steps = 0;
  moments = new Map();
  picker = new Picker({
    play: (move) => this.play(move),
    preview: (move) => this.preview(move),
    pointed: () => this.refuse(null),
  });

  /** What buttons (data-do) and keys do; a page adds its own. @type {Record<string, (button?: HTMLElement) => void>} */
  commands = {
    first: () => this.look(0),
    back: () => (this.branch?.length ? this.commands.undo() : this.look(this.wanted - 1)),
    forward: () => this.look(this.wanted + 1),
    last: () => this.look(this.steps),
    whatif: () => (this.branch ? this.commands.leave() : this.explore([])),
    leave: () => this.show(this.present ? null : this.base, null),
    undo: () => (this.branch ? this.explore(this.branch.slice(0, -1)) : this.page.undo?.()),
    escape: () => this.picker.go(this.picker.path.slice(0, -1)),
    next: () => this.picker.board.focusNextLit(),
    type: () => part("notation").focus(),
    help: () => part("help").showModal(),
    copy: (button) => copy(button, button.dataset.copy || location.hash),
    position: (button) => this.attempt(async () => copy(button, await this.positionLink())),
  };

  /**
   * @param {{source: string | null, game: string, play(move: string): Promise<void>, preview(move: string): Promise<object>,
   *   idle(): string, drawn(): void, undo?(): void}} page
   */
  constructor(page) {
    this.page = page;
    document.addEventListener("click", (event) => this.click(event));
    document.addEventListener("keydown", (event) => this.key(event));
    part("slider").addEventListener("input", ({ target }) => this.look(+target.value));
    part("notation").addEventListener("focus", () => this.listLegal());
    part("notation-form").addEventListener("submit", (event) => this.submit(event, "notation", (text) => this.play(text)));
  }

  get shown() {
    return this.moment ?? this.present;
  }

  /** The step of the game that is shown, or that a "what if" starts from. */
  get at() {
    return (this.branch ? this.base : this.shown).step;
  }

  say(text) {
    part("voice").textContent = text;
  }

  /** Does something that may be refused, and says why if it is; whether it was done. */
  async attempt(work) {
    const error = await work().then(() => null, (refusal) => refusal);
    this.refuse(error);
    return !error;
  }

  refuse(error) {
    tell(part("refusal"), error);
    part("caption").hidden = !!error;
  }

  // Looking back, and what if

  look(step) {
    const to = (this.wanted = Math.max(0, Math.min(step, this.steps))); // quick stepping counts on from here
    if (to === this.present?.step) return this.show(null, null);
    return this.attempt(async () => {
      const moment = await this.momentAt(to);
      if (this.wanted === to) this.show(moment, null);
    });
  }

  async momentAt(step) {
    if (!this.moments.has(step)) this.moments.set(step, await api("GET", `${this.page.source}/moments/${step}`));
    return this.moments.get(step);
  }

  explore(moves) {
    return this.attempt(async () => {
      const base = this.branch ? this.base : (this.moment ?? (await this.momentAt(this.at)));
      const moment = moves.length ? await this.tried(base, moves) : base;
      this.base = base;
      this.show(moment, moves);
    });
  }

  tried({ position }, moves) {
    return api("POST", "/api/explore", { game: this.page.game, position, moves });
  }

  play(move) {
    return this.branch ? this.explore([...this.branch, move]) : this.attempt(() => this.page.play(move));
  }

  preview(move) {
    return this.branch ? this.tried(this.base, [...this.branch, move]) : this.page.preview(move);
  }

  async positionLink() {
    const { position } = this.moment ?? (await this.momentAt(this.at));
    return `/positions/${this.page.game}?p=${encodeURIComponent(position)}`;
  }

  // Drawing

  show(moment, branch) {
    Object.assign(this, { moment, branch });
    if (moment) this.say(moment.words);
    this.draw();
  }

  draw() {
    const { shown, branch, at, picker } = this;
    const depth = at + (branch?.length ?? 0);
    const gone = depth - this.depth;
    if (shown.picture !== this.picture) picker.board.show(shown.picture, gone > 0 && gone < 4 ? shown.last.slice(-gone) : null);
    Object.assign(this, { depth, wanted: at, picture: shown.picture });
    const open = !this.moment || !!branch;
    const kept = shown.bell ? "all at once" : shown.picture; // while all act at once, what somebody has begun goes on
    picker.offer(open + kept, open ? shown.choices : [], shown.labels, this.page.idle());
    this.drawMoves();
    this.page.drawn();
    this.drawEnding();
  }

  /** What is told of a game that is over is fetched then; `unfolds` where it has just ended. */
  async drawEnding(unfolds) {
    if (!this.ending && !this.shown.tallies?.length) return;
    this.ending ??= import("./reveal.js").then(({ Ending }) => new Ending(this));
    (await this.ending).drawn(unfolds);
  }

  drawMoves() {
    const { at, steps, branch, moment, present } = this;
    const list = part("moves");
    const rows = new Map();
    for (const line of this.lines) rows.set(line.turn, [...(rows.get(line.turn) ?? []), line]);
    put(list, html`${[...rows].map(([number, row]) => html`<li><span class="number">${number}.</span>${row.map((line) => turn(line, at))}</li>`)}`);
    const here = list.querySelector("[aria-current]");
    if (here?.dataset.step !== this.scrolledTo) list.scrollTop = (here?.offsetTop ?? 0) - list.clientHeight / 2;
    this.scrolledTo = here?.dataset.step;
    Object.assign(part("slider"), { max: steps, value: at, disabled: !steps });
    for (const role of ["first", "back"]) part(role).disabled = !at && !branch?.length;
    for (const role of ["forward", "last"]) part(role).disabled = at >= steps;
    part("whatif").setAttribute("aria-pressed", !!branch);
    put(part("branch"), html`${branch?.map((text, index) => html`<li><button class="move" data-keep="${index + 1}">${text}</button></li>`)}`);
    const away = !!moment && !!(present || branch);
    part("banner").hidden = !away;
    part("news").hidden = away;
    document.body.classList.toggle("away", away);
    part("where").textContent = branch ? "What if? Only you see this" : `Looking at step ${at} of ${steps}`;
    const link = part("picture-link");
    if (link) link.href = `${this.page.source}/moments/${at}.svg`;
  }

  // What people do

  click({ target }) {
    const button = target.closest("button");
    if (!button && !target.closest("[data-handle], a, input, summary, dialog")) this.picker.go([]);
    const { do: command, step, moves, keep } = button?.dataset ?? {};
    if (command) this.commands[command](button);
    else if (keep) this.explore(this.branch.slice(0, keep));
    else if (step) this.look(+step)?.then(() => moves && this.explore(JSON.parse(moves)));
    if (step) part("board").scrollIntoView({ block: "nearest" });
  }

  key(event) {
    const { key, target } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || target.closest("input, dialog")) return;
    const inList = target.closest('[data-role="moves"]') && { ArrowLeft: "back", ArrowRight: "forward" };
    const command = (inList && inList[key]) || KEYS[key];
    if (!command) return;
    event.preventDefault();
    this.commands[command]();
  }

  listLegal() {
    put(part("legal"), html`${this.picker.choices.map(({ move, words }) => html`<option value="${move}">${words}</option>`)}`);
  }

  /** Sends what stands in a box and empties it, unless it is refused. */
  async submit(event, role, send) {
    event.preventDefault();
    if (await send(part(role).value.trim())) part(role).value = "";
  }
}

function turn({ seat, text, mark, steps: [first, last], comment, variations = [] }, at) {
  const here = first <= at && at <= last ? html`aria-current="step"` : "";
  return html`<button class="move" data-seat="${seat}" data-step="${last}" ${here}>${text}${mark && html`<b class="mark">${mark}</b>`}</button>
    ${comment && html`<p class="comment">${comment}</p>`}
    ${variations.map((other) => html`<button class="move variation" data-step="${first - 1}" data-moves="${JSON.stringify(other.moves)}">${other.text}</button>`)}`;
}

async function copy(button, path) {
  const link = new URL(path, location).href;
  try {
    await navigator.clipboard.writeText(link);
  } catch {
    prompt("Copy this link:", link); // browsers lend the clipboard only to secure pages
  }
  const { textContent } = button;
  button.textContent = "Copied";
  setTimeout(() => (button.textContent = textContent), 1500);
}
