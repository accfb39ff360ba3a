// @ts-check
// A move chosen in advance, while another player is to move. It is shown on the board and sent when the turn comes. Loaded
// with the first click on the board while waiting.

import { byRole } from "./html.js";
import { request } from "./request.js";

export class Premoves {
  /** @type {(Choices & { task: string }) | null} */
  offered = null; // the moves to choose from, as the server offered them during this wait
  /** @type {string[]} */
  clicks = []; // those made while the moves are loading
  /** @type {{ move: string, path: string[] } | null} */
  planned = null; // the chosen one: {move, path}

  /**
   * @param {BoardPage} page
   * @param {string} source the table's address
   */
  constructor(page, source) {
    this.page = page;
    this.source = source;
    const { escape } = page.commands;
    page.commands.cancelPlan = () => this.cancel();
    page.commands.escape = () => (this.planned || (this.offered && !page.picker.path.length) ? this.cancel() : escape());
    byRole("board").addEventListener("contextmenu", (event) => {
      if (!this.offered) return;
      event.preventDefault();
      this.cancel();
    });
  }

  /** The choices for the picker while the player plans. */
  get choices() {
    return this.planned ? null : this.offered;
  }

  /** Starts to plan with a click on a handle. @param {string} handle */
  async start(handle) {
    this.clicks.push(handle);
    if (this.clicks.length > 1) return; // the first click loads what there is to choose from
    this.planned = null;
    this.offered ??= await request("GET", `${this.source}/premoves`).catch(() => null);
    const clicks = this.clicks.splice(0);
    if (this.page.scene.your_turn || !this.offered?.choices.length) return this.cancel();
    this.offered.task = "Choose your next move. It is played on your turn.";
    this.page.draw();
    for (const click of clicks) this.page.picker.pick(click);
  }

  /** @param {string} move */
  save(move) {
    const { path } = this.offered?.choices.find((choice) => choice.move === move) ?? { path: [] };
    this.planned = { move, path };
    this.page.announce(`Planned: ${move}.`);
    this.page.draw();
  }

  cancel() {
    Object.assign(this, { planned: null, offered: null });
    this.page.draw();
  }

  /** What to say below the board while waiting. */
  describe() {
    return this.planned ? `Planned: ${this.planned.move}. It is played on your turn.` : "";
  }

  /** Marks the planned move on the board; called after each drawing. */
  draw() {
    const { handles } = this.page.picker.board;
    for (const [name, element] of handles) element.classList.toggle("planned", !!this.planned?.path.includes(name));
    byRole("cancel-plan").hidden = !this.planned;
  }

  /**
   * Sends the planned move once it is the player's turn; if it is not legal any more, says so.
   * @param {Scene} scene @param {(move: string) => Promise<unknown>} send
   */
  async onScene(scene, send) {
    if (!scene.your_turn && !scene.result) return;
    const { planned } = this;
    Object.assign(this, { planned: null, offered: null });
    this.draw();
    if (!planned || scene.result) return;
    const error = await send(planned.move).then(() => null, (refusal) => refusal);
    if (error) this.page.showRefusal(Object.assign(error, { message: `Your planned move ${planned.move} was not played. ${error.message}` }));
  }
}
