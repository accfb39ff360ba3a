// @ts-check
// What the live table, the replay and the analysis board share: the board, the list of moves, earlier moments, exploring
// moves from them ("what if"), keys, links to copy, and announcements to screen readers.

import { fetchReason, request, showError, showReason } from "./request.js";
import { byRole, html, render } from "./html.js";
import { MoveList } from "./move_list.js";
import { MovePicker } from "./move_picker.js";
import { notation } from "./notation.js";

const WIDE = matchMedia("(min-width: 60rem) and (min-height: 34rem)"); // there the tabs are visible from the start
const CANNOT_CHOOSE = "This cannot be chosen now; choose something that is highlighted, or use a button.";
const LIST_MARGIN = 4; // below the current move in the list, in pixels

export class BoardPage {
  /** @type {Scene} */
  scene = /** @type {any} */ (null); // the live scene; none in a replay
  /** @type {Moment | null} */
  moment = null; // the moment shown instead of it
  /** @type {string[] | null} */
  branch = null; // the moves of a "what if" that starts at `base`
  steps = 0;
  depth = NaN; // the step of the picture on the board
  targetStep = 0; // the step that was asked for last
  picture = ""; // the one on the board
  /** @type {Promise<import("./score_reveal.js").Reveal> | undefined} */
  reveal;
  /** @type {string | undefined} */
  scrolledTo; // the step of the line in the middle of the list
  /** @type {Moment} */
  base = /** @type {any} */ (null); // where a "what if" starts
  /** @type {Map<number, Moment>} */
  moments = new Map();
  /** @type {import("./panels.js").Panels | null} */
  panels = null; // their script is loaded when they are seen
  picker = new MovePicker({
    play: (move) => this.play(move),
    question: (move) => !this.branch && this.options.question?.(move),
    staysPut: () => !this.branch && !!this.options.staysPut?.(),
    idle: (handle) => !this.moment && this.options.onIdlePick?.(handle),
    preview: (move) => this.preview(move),
    note: (handle) => !this.branch && this.options.note?.(handle),
    refuse: (path, handle) => this.explainRefusal(path, handle),
    miss: (name) => this.showReason({ sentence: `${name} just appeared or moved there. Tap again if you mean it.` }),
    lose: (name) => this.showReason({ sentence: `${name} is no longer available. Nothing was sent.` }),
    clear: () => (this.showReason(null), this.showRefusal(null)),
    reveal: (element) => this.panels?.reveal(element),
    marked: () => this.panels?.markTabs(),
    continueAt: (element) => this.panels?.open(element),
  });

  /** What buttons (data-do) and keys do; a page adds its own. @type {Record<string, (button?: any) => unknown>} */
  commands = {
    first: () => this.goToStep(0),
    back: () => (this.branch?.length ? this.commands.undo() : this.goToStep(this.targetStep - 1)),
    forward: () => this.goToStep(this.targetStep + 1),
    last: () => this.goToStep(this.steps),
    whatif: () => (this.branch ? this.commands.leave() : this.explore([])),
    leave: () => this.show(this.scene ? null : this.base, null),
    undo: () => (this.branch ? this.explore(this.branch.slice(0, -1)) : this.options.undo?.()),
    escape: () => this.picker.goTo(this.picker.path.slice(0, -1)),
    flip: () => byRole("flip")?.click(),
    next: () => this.picker.board.focusNextLit(),
    type: () => this.openNotation(),
    earlier: () => this.loadEarlier(),
    help: () => byRole("help").showModal(),
    copy: async (button) => (await import("./copy_link.js")).copyLink(button, button.dataset.copy || location.hash),
    share: async () => (await import("./share.js")).openShare(this),
    position: (button) => this.attempt(async () => (await import("./copy_link.js")).copyPositionLink(button, this)),
  };

  /** @param {PageOptions} options */
  constructor(options) {
    this.options = options;
    document.body.dataset.game = options.game;
    this.moveList = new MoveList(options.source);
    byRole("moves").addEventListener("scroll", ({ target }) => target.scrollTop < 8 && this.loadEarlier());
    new ResizeObserver(() => this.scrollToCurrentMove()).observe(byRole("moves")); // what appears above it makes it smaller
    byRole("topics")?.addEventListener("change", ({ target }) => this.changeMoves(() => this.moveList.setFilter(target.value)));
    document.addEventListener("click", (event) => this.onClick(event));
    byRole("panels")?.addEventListener("pointerdown", () => this.loadPanels());
    byRole("panels")?.addEventListener("click", ({ target }) => this.panels || this.loadPanels().then(() => this.panels?.select(target.closest("[data-panel]")?.dataset.panel)));
    import("./page_keys.js").then(({ watchKeys }) => watchKeys(this));
    byRole("slider").addEventListener("input", ({ target }) => this.goToStep(+target.value));
    byRole("notation").addEventListener("focus", () => this.listLegalMoves());
    byRole("notation-form").addEventListener("submit", (event) => this.submitText(event, "notation", (text) => this.play(text)));
  }

  /** The turns in the list of moves. */
  get lines() {
    return this.moveList.lines;
  }

  /** What the board shows: a moment or the live scene. @returns {Moment} */
  get current() {
    return this.moment ?? this.scene;
  }

  /** The step of the game on the board, or the one a "what if" starts from. */
  get step() {
    return (this.branch ? this.base : this.current).step;
  }

  /** @param {string} text */
  announce(text) {
    byRole("announcer").textContent = text;
  }

  /** Does something that may be refused and shows the refusal; resolves to whether it was done. @param {() => Promise<unknown>} work */
  async attempt(work) {
    const error = await work().then(() => null, (refusal) => refusal);
    this.showRefusal(error);
    return !error;
  }

  /** @param {Refusal | null} error */
  showRefusal(error) {
    showError(byRole("refusal"), error);
  }

  /**
   * Says why `handle` cannot follow `path`, unless the player has gone on before the answer came.
   * @param {string[]} path @param {string} handle
   */
  async explainRefusal(path, handle) {
    const asked = (this.asked = {});
    const isLive = !this.moment && !this.branch;
    const why = isLive ? this.options.why?.(path, handle) : fetchReason(this.options.game, this.current.position, path, handle);
    const reason = await why?.catch(() => null);
    if (this.asked === asked) this.showReason(reason ?? { sentence: CANNOT_CHOOSE });
  }

  /** @param {Reason | null} reason */
  showReason(reason) {
    this.asked = null;
    showReason(byRole("why"), reason);
  }

  // Looking back, and what if

  /** @param {number} step */
  goToStep(step) {
    const target = (this.targetStep = Math.max(0, Math.min(step, this.steps))); // quick clicks count on from here
    if (target === this.scene?.step) return this.show(null, null);
    return this.attempt(async () => {
      const moment = await this.fetchMoment(target);
      if (this.targetStep === target) this.show(moment, null);
    });
  }

  /** @param {number} step @returns {Promise<Moment>} */
  async fetchMoment(step) {
    const moment = this.moments.get(step) ?? (await this.fetchPicture(`${this.options.source}/moments/${step}?`));
    this.moments.set(step, moment);
    return moment;
  }

  /** Fetches something with a picture, without the layers that are known already; `path` ends with ? or &. @param {string} path */
  async fetchPicture(path) {
    const { layers } = this.picker.board;
    const moment = await request("GET", path + new URLSearchParams(layers?.knownKeys().map((key) => ["known_layers", key])));
    return layers?.complete(moment) ?? moment;
  }

  /** @param {string[]} moves */
  explore(moves) {
    return this.attempt(async () => {
      const base = this.branch ? this.base : (this.moment ?? (await this.fetchMoment(this.step)));
      const moment = moves.length ? await this.fetchAfter(base, moves) : base;
      this.base = base;
      this.show(moment, moves);
    });
  }

  /** The moment after `moves` from a position. @param {{ position: string }} moment @param {string[]} moves @returns {Promise<Moment>} */
  async fetchAfter({ position }, moves) {
    const { layers } = this.picker.board;
    const moment = await request("POST", "/api/explore", { game: this.options.game, position, moves, known_layers: layers?.knownKeys() });
    return layers?.complete(moment) ?? moment;
  }

  /** @param {string} move */
  play(move) {
    return this.branch ? this.explore([...this.branch, move]) : this.attempt(() => this.options.play(move));
  }

  /** @param {string} move */
  preview(move) {
    return this.branch ? this.fetchAfter(this.base, [...this.branch, move]) : this.options.preview?.(move);
  }

  // Drawing

  /** @param {Moment | null} moment @param {string[] | null} branch @returns {undefined} */
  show(moment, branch) {
    Object.assign(this, { moment, branch });
    if (moment) this.announce(moment.words);
    this.draw();
  }

  draw() {
    const { current, branch, step, picker } = this;
    if (current.panels?.length || WIDE.matches) this.loadPanels(); // otherwise the sheet is closed at first
    const depth = step + (branch?.length ?? 0);
    const advanced = depth - this.depth;
    picker.board.showLayers(current.layers);
    this.panels?.draw(current.panels);
    if (current.picture !== this.picture) picker.board.show(current.picture, advanced > 0 && advanced < 4 ? current.last.slice(-advanced) : null, !!current.bell);
    else picker.board.indexHandles(); // those of the panels may have changed
    Object.assign(this, { depth, targetStep: step, picture: current.picture });
    const playable = !this.moment || !!branch;
    picker.setPrompt(playable ? (current.prompt ?? this.options.waitingNote?.() ?? null) : null, playable ? current.choice_cards : []);
    const key = current.bell ? "all at once" : current.picture; // while everyone acts at once, a started move is kept
    const plan = !this.moment && this.options.plan?.(); // for a move in advance
    if (plan) picker.task = plan.task;
    if (plan) picker.setChoices("plan", plan.choices, plan.labels, this.options.idleText());
    else picker.setChoices(playable + key, playable ? current.choices : [], current.labels, this.options.idleText());
    this.drawMoves();
    this.drawParts(playable);
    this.options.onDraw();
    this.drawReveal();
    this.showTips();
  }

  /** Draws the seats with what the game says of them, and the parts of the turn. @param {boolean} playable */
  async drawParts(playable) {
    const [{ drawSeats, drawScores }, { drawSteps }] = await Promise.all([import("./table_parts.js"), import("./question.js")]);
    const { current, scene } = this;
    const seated = { ...scene, seats: this.options.seats?.() ?? scene.seats, acting: current.acting, result: current.result, chips: Object.values(current.chips ?? {}) };
    drawSeats(seated);
    drawScores(seated);
    drawSteps(playable ? current.turn_steps : []);
    this.options.afterSeats?.();
  }

  /** Shows a player what the picture tells those who see its kind for the first time. */
  showTips() {
    const picture = this.scene?.your_turn && byRole("picture").querySelector("svg[data-tips]");
    if (picture) import("./tips.js").then(({ showTips }) => showTips(picture));
  }

  /** Loads the script of the panels once, then draws them. */
  async loadPanels() {
    if (this.panels || !byRole("panels")) return;
    const { Panels } = await import("./panels.js");
    if (this.panels) return;
    this.panels = new Panels();
    this.panels.draw(this.current.panels);
    this.picker.board.indexHandles();
    this.picker.draw();
  }

  /** Draws the final scores of a game that is over; `starts` plays their reveal, if the game has just ended. @param {boolean} [starts] */
  async drawReveal(starts) {
    if (!this.reveal && !this.current.tallies?.length) return;
    this.reveal ??= import("./score_reveal.js").then(({ Reveal }) => new Reveal(this));
    (await this.reveal).draw(starts);
  }

  /** Loads earlier turns and keeps the place in the list. */
  async loadEarlier() {
    const list = byRole("moves");
    const { scrollHeight, scrollTop } = list;
    if (await this.changeMoves(() => this.moveList.loadEarlier())) list.scrollTop = scrollTop + list.scrollHeight - scrollHeight;
  }

  /** Draws the list of moves after a change; resolves to what the change did. @param {() => Promise<unknown>} change */
  async changeMoves(change) {
    let changed;
    await this.attempt(async () => (changed = await change()));
    this.drawMoves();
    return changed;
  }

  drawMoves() {
    const { step, steps, branch, moment, scene, moveList } = this;
    const [list, topics] = [byRole("moves"), byRole("topics")];
    /** @type {Map<number, Line[]>} */
    const rows = new Map();
    const current = moveList.shown.findLast(({ steps: [first] }) => first <= step); // some steps are not in the list
    for (const line of moveList.shown) rows.set(line.turn, [...(rows.get(line.turn) ?? []), line]);
    if (topics) render(topics, moveList.filterMenu());
    render(list, html`${moveList.hasEarlier && html`<li class="earlier"><button type="button" class="quiet" data-do="earlier">Earlier moves</button></li>`}${[...rows].map(([number, row]) => html`<li><span class="number">${number}.</span>${row.map((line) => turnButton(line, line === current))}</li>`)}`);
    /** @type {HTMLElement | null} */
    const here = list.querySelector("[aria-current]");
    if (here?.dataset.step !== this.scrolledTo) this.scrollToCurrentMove();
    this.scrolledTo = here?.dataset.step;
    Object.assign(byRole("slider"), { max: steps, value: step, disabled: !steps });
    for (const button of document.querySelectorAll("button:is([data-do='first'], [data-do='back'])")) button.toggleAttribute("disabled", !step && !branch?.length);
    for (const button of document.querySelectorAll("button:is([data-do='forward'], [data-do='last'])")) button.toggleAttribute("disabled", step >= steps);
    const latest = byRole("latest-move");
    if (latest) render(latest, current ? html`<b>${current.turn}</b> ${notation(current.text)}` : "");
    byRole("whatif")?.setAttribute("aria-pressed", !!branch);
    render(byRole("branch"), html`${branch?.map((text, index) => html`<li><button class="move" data-keep="${index + 1}">${notation(text)}</button></li>`)}`);
    const away = !!moment && !!(scene || branch);
    byRole("banner").hidden = !away;
    byRole("news-card").hidden = away;
    document.body.classList.toggle("away", away);
    byRole("where").textContent = branch ? `What if? ${byRole("whatif")?.title}` : `Viewing step ${step} of ${steps}`;
    const link = byRole("picture-link");
    if (link) link.href = `${this.options.source}/moments/${step}.svg`;
  }

  /** Scrolls the list so that the whole current move is visible, in the middle if it can be. */
  scrollToCurrentMove() {
    const list = byRole("moves");
    const { offsetTop = 0, offsetHeight = 0 } = list.querySelector("[aria-current]") ?? {};
    list.scrollTop = Math.max(offsetTop - list.clientHeight / 2, offsetTop + offsetHeight - list.clientHeight + LIST_MARGIN);
  }

  // Input

  /** @param {On<MouseEvent>} event */
  onClick({ target }) {
    const button = target.closest("button");
    if (!button && !target.closest("[data-handle], a, input, select, summary, dialog, [data-role='panels']")) this.picker.goTo([]);
    const { do: command, step, moves, keep } = button?.dataset ?? {};
    if (button && command !== "copy" && command !== "position") button.closest("[popover]")?.hidePopover();
    if (command) this.commands[command](button);
    else if (keep) this.explore(/** @type {string[]} */ (this.branch).slice(0, +keep));
    else if (step) this.goToStep(+step)?.then(() => void (moves && this.explore(JSON.parse(moves))));
  }

  /** Shows the field for moves in notation. */
  async openNotation() {
    if (byRole("notation-form").hidden) return;
    await this.loadPanels();
    this.panels?.select("moves", true);
    byRole("notation-form").classList.add("is-open");
    byRole("notation").focus();
  }

  listLegalMoves() {
    render(byRole("legal"), html`${this.picker.choices.map(({ move, words }) => html`<option value="${move}">${words}</option>`)}`);
  }

  /**
   * Sends the text of a field and empties it, unless it is refused.
   * @param {SubmitEvent} event @param {string} role @param {(text: string) => Promise<unknown>} send
   */
  async submitText(event, role, send) {
    event.preventDefault();
    /** @type {any} */
    const field = byRole(role);
    const { value } = field;
    if (value === field.sent) return; // it is on its way
    field.sent = value;
    const isSent = await send(value.trim()).finally(() => (field.sent = null));
    if (isSent && value === field.value) field.value = "";
  }
}

/** @param {Line} line @param {boolean} isCurrent */
function turnButton({ seat, text, mark, steps: [first, last], comment, variations = [] }, isCurrent) {
  const here = isCurrent ? html`aria-current="step"` : "";
  return html`<button class="move" data-seat="${seat}" data-step="${last}" ${here}>${notation(text)}${mark && html`<b class="mark">${mark}</b>`}</button>
    ${comment && html`<p class="comment">${comment}</p>`}
    ${variations.map((other) => html`<button class="move variation" data-step="${first - 1}" data-moves="${JSON.stringify(other.moves)}">${notation(other.text)}</button>`)}`;
}
