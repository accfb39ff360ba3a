// @ts-check
// A plan: steps chosen in advance while another player is to move. They are listed, shown on the board and sent one by one when the
// turn comes; decision 16 explains them. Loaded with the first click on the board while waiting.

import { byRole, html, render } from "./html.js";
import { say, sayCount } from "./language.js";
import { copyTo, piecesOf } from "./moving_pieces.js";
import { notation } from "./notation.js";
import { request } from "./request.js";

/** @typedef {Choice & { turn: number }} PlannedStep after how many of the player's turns it is played: 0 in the next one */

const MAX_STEPS = 40; // as in premoves.py
const MARK_RADIUS = 9; // of the numbers on the board, in pixels

export class Premoves {
  /** @type {(Choices & { task: string, turn: number }) | null} */
  offered = null; // what can be planned next, as the server offered it for this position
  /** @type {PlannedStep[]} */
  steps = [];
  /** @type {string[]} */
  clicks = []; // those made while the choices are loading
  /** @type {object | null} */
  loading = null; // the latest request
  isPlaying = false;
  step = NaN; // of the game, when the choices were loaded

  /**
   * @param {BoardPage} page
   * @param {string} source the table's address
   */
  constructor(page, source) {
    this.page = page;
    this.source = source;
    const { escape, undo } = page.commands;
    const isPlanned = () => !page.scene.your_turn && this.steps.length > 0;
    page.commands.takeBackPlanned = () => this.takeBack();
    page.commands.cancelPlan = () => this.cancel();
    page.commands.undo = () => (isPlanned() ? this.takeBack() : undo());
    page.commands.escape = () => {
      if (page.picker.path.length) escape();
      else if (isPlanned()) this.takeBack();
      else if (this.offered) this.cancel();
      else escape();
    };
    byRole("board").addEventListener("contextmenu", (event) => {
      if (!this.offered && !this.steps.length) return;
      event.preventDefault();
      this.cancel();
    });
  }

  /** The choices for the picker while the player plans. */
  get choices() {
    return this.offered?.choices.length ? this.offered : null;
  }

  /** Starts to plan, or goes on, with a click on a handle. @param {string} handle */
  start(handle) {
    this.clicks.push(handle);
    if (this.loading) return; // the first click loads what there is to choose from
    const isComplete = this.offered && this.steps.length > 0;
    if (isComplete && this.steps.length === 1) this.steps = []; // another move instead
    else if (isComplete) return this.refuseMore();
    return this.load();
  }

  refuseMore() {
    this.clicks = [];
    this.page.showReason({ sentence: say("Your plan is complete. Remove its last step to change it.") });
  }

  /** Loads what can follow the planned steps, and makes the clicks that waited for it. */
  async load() {
    const loading = (this.loading = {});
    this.step = this.page.scene.step;
    const query = new URLSearchParams(this.steps.map(({ move }) => ["planned", move]));
    /** @type {any} */
    const answer = await request("GET", `${this.source}/premoves?${query}`).catch((error) => ({ error }));
    if (this.loading !== loading) return; // the position or the plan has changed
    this.loading = null;
    const clicks = this.clicks.splice(0);
    if (this.page.scene.your_turn || answer.error?.code === "NotYourTurn") return; // or the turn has begun, which the page learns now
    if (answer.error?.status && this.steps.length) return this.stop(answer.error);
    if (answer.error) return this.steps.length || this.cancel(); // without a connection the plan waits
    const { length } = this.steps;
    const task = length ? sayCount("{count} step planned. Choose the next one, or wait for your turn.", "{count} steps planned. Choose the next one, or wait for your turn.", length) : say("Choose your next move. It is played on your turn.");
    this.offered = { ...answer, task, choices: this.steps.length < MAX_STEPS ? answer.choices : [] };
    this.page.draw();
    for (const click of clicks) this.page.picker.pick(click);
  }

  /** Adds a step to the plan. @param {string} move */
  save(move) {
    const { choices, turn } = /** @type {NonNullable<typeof this.offered>} */ (this.offered);
    const choice = /** @type {Choice} */ (choices.find((one) => one.move === move));
    this.steps.push({ ...choice, turn });
    this.page.announce(say("Planned: {step}.", { step: choice.words ?? move }));
    this.change();
  }

  /** Removes the last planned step. */
  takeBack() {
    const { words, move } = /** @type {PlannedStep} */ (this.steps.pop());
    this.page.announce(say("No longer planned: {step}.", { step: words ?? move }));
    if (this.steps.length) this.change();
    else this.cancel();
  }

  change() {
    this.offered = null;
    this.page.draw();
    this.load();
  }

  cancel() {
    Object.assign(this, { steps: [], clicks: [], offered: null, loading: null });
    this.page.draw();
  }

  /** Cancels the plan and says why. @param {Refusal} error */
  stop(error) {
    this.cancel();
    this.page.showRefusal({ ...error, message: say("Plan cancelled: {reason}", { reason: error.message }) });
  }

  /** What to say below the board while waiting. */
  describe() {
    const { length } = this.steps;
    if (length === 1) return say("Planned: {step}. It is played on your turn.", { step: this.steps[0].move });
    return length ? sayCount("Planned: {count} step. It is played on your turn.", "Planned: {count} steps. They are played on your turn.", length) : "";
  }

  /** Shows the plan on the board and as a list; called after each drawing. */
  draw() {
    const { picker, moment } = this.page;
    const { handles, picture } = picker.board;
    const steps = moment ? [] : this.steps;
    const planned = new Set(steps.flatMap(({ path }) => path));
    for (const [name, element] of handles) element.classList.toggle("planned", planned.has(name));
    for (const old of picture.querySelectorAll(".plan-ghost, .plan-number")) old.remove();
    /** @type {Map<string, Element[]>} */
    const moved = new Map(); // the pieces that stand somewhere else once the plan so far is played
    steps.forEach(({ path }, index) => {
      const [from, to] = /** @type {SVGGraphicsElement[]} */ ([handles.get(path[0]), handles.get(path.findLast((name) => picture.contains(handles.get(name))))]);
      if (!to) return;
      const pieces = moved.get(path[0]) ?? (picture.contains(from) && picker.board.hasGrid() ? [...piecesOf(from)] : []);
      if (from !== to && pieces.length === 1 && path.at(-1) === to.dataset.handle) {
        copyTo(pieces, from, to, "plan-ghost");
        moved.set(path.at(-1), pieces).set(path[0], []);
      }
      drawNumber(to, index + 1);
    });
    const list = byRole("plan");
    list.hidden = !this.steps.length;
    render(list, this.steps.length ? html`<ol>${this.steps.map(({ words, move }) => html`<li>${words ?? notation(move)}</li>`)}</ol>
      <button type="button" data-do="takeBackPlanned">${say("Remove last step")}</button>
      <button type="button" class="quiet" data-do="cancelPlan">${say("Cancel plan")}</button>`.trim() : "");
  }

  /**
   * Reacts to a new scene: plays the plan once it is the player's turn; while they wait, checks that it still fits.
   * @param {Scene} scene @param {(move: string) => Promise<unknown>} send
   */
  onScene(scene, send) {
    if (this.isPlaying) return; // it goes on after the answer
    if (scene.result) this.cancel();
    else if (scene.your_turn) this.play(send);
    else if (scene.step !== this.step && (this.steps.length || this.offered || this.loading)) this.load();
  }

  /** Sends the steps for this turn one by one, until one is refused. @param {(move: string) => Promise<unknown>} send */
  async play(send) {
    const { page } = this;
    Object.assign(this, { clicks: [], offered: null, loading: null, isPlaying: true });
    this.draw();
    while (page.scene.your_turn && this.steps[0]?.turn === 0) {
      const { move, path } = this.steps[0];
      const same = page.scene.choices.find((choice) => String(choice.path) === String(path)); // what it captures may differ
      const error = await send(same?.move ?? move).then(() => null, (refusal) => refusal);
      if (error) this.stop(error);
      else this.steps.shift();
      this.draw();
    }
    this.isPlaying = false;
    if (!page.scene.your_turn && this.steps.length) this.endTurn();
  }

  /** Keeps what is planned for the next turn. */
  endTurn() {
    if (this.steps[0].turn === 0) return this.stop({ message: say("Your turn is over.") });
    this.steps = this.steps.map((step) => ({ ...step, turn: step.turn - 1 }));
    this.change();
  }
}

/** Draws a number in the corner of a place. @param {SVGGraphicsElement} place @param {number} number */
function drawNumber(place, number) {
  const svg = /** @type {SVGSVGElement} */ (place.ownerSVGElement);
  const [box, frame, view] = [place.getBoundingClientRect(), svg.getBoundingClientRect(), svg.viewBox.baseVal];
  const unit = Math.max(view.width / frame.width, view.height / frame.height); // of the picture, for one pixel
  const matrix = /** @type {any} */ (svg).getScreenCTM().inverse();
  const { x, y } = new DOMPoint(box.right - MARK_RADIUS, box.top + MARK_RADIUS).matrixTransform(matrix);
  const group = document.createElementNS(svg.namespaceURI, "g");
  group.innerHTML = `<circle r="${MARK_RADIUS * unit}"/><text font-size="${1.3 * MARK_RADIUS * unit}" dy=".35em" text-anchor="middle">${number}</text>`;
  group.setAttribute("class", "plan-number");
  group.setAttribute("aria-hidden", "true");
  group.setAttribute("transform", `translate(${x} ${y})`);
  svg.append(group);
}
