// @ts-check
// The panel of a game that is over, loaded with the first one: the final scores, and how to play again.

import { byRole, html, render } from "./html.js";
import { formatNumber } from "./numbers.js";
import { request } from "./request.js";

/** @type {Record<string, string>} */
const NEXT_BOTS = { easier: "Try an easier bot", stronger: "Try a stronger bot" };

const ARRIVAL_MS = 4000; // until the player who asked has opened the new table
const CHECK_MS = 20000;
const DOUBLE_CLICK_MS = 600; // the second click must not hit the button that follows

export class GameOverPanel {
  absence = ""; // whether the player who wants a rematch still waits
  /** @type {string | null} */
  declined = null; // the rematch that was declined
  /** @type {boolean | null} */
  isNotified = null; // whether that player knows

  /** @param {BoardPage} page @param {string} source the table's address */
  constructor(page, source) {
    this.page = page;
    this.source = source;
    page.commands.declineRematch = () => this.decline();
  }

  /** @param {Scene} scene */
  draw(scene) {
    const { result, rated, rematch, next_bots: nextBots, seats, you } = scene;
    const isSolo = seats.length === 1;
    render(byRole("result"), result?.scores ? standings(scene, result.scores, isSolo) : result?.reason === "aborted" ? "Game aborted" : "Game over");
    this.drawOffer(scene);
    byRole("rematch").textContent = isSolo ? "Play again" : rematch ? "Join rematch" : "Rematch";
    Object.assign(byRole("next-bots"), { textContent: NEXT_BOTS[nextBots ?? ""] ?? "", hidden: !nextBots });
    byRole("levels").hidden = rated || you.length !== 1 || isSolo || !seats.every(({ seat, bot }) => bot || you.includes(seat));
  }

  /** Says who asked for a rematch, and whether they still wait. @param {Scene} scene */
  drawOffer(scene) {
    const asking = findAsking(scene);
    const isOther = asking && !scene.you.includes(asking.seat);
    const hasDeclined = this.declined === scene.rematch && this.isNotified !== null;
    const isOpen = isOther && scene.you.length && !hasDeclined;
    const text = !asking ? "" : !isOther ? "You asked for a rematch." : hasDeclined ? `You declined the rematch${this.isNotified ? "" : `, but ${asking.player?.name} was not notified`}.` : `${asking.player?.name} wants a rematch${this.absence}.`;
    if (byRole("rematch-offer").textContent !== text) byRole("rematch-offer").textContent = text;
    byRole("decline-rematch").hidden = !isOpen;
    if (isOpen) this.timer ??= setTimeout(() => this.checkAsking(scene), ARRIVAL_MS);
  }

  /**
   * Asks from time to time whether the player who wants a rematch is at the new table.
   * @param {Pick<Scene, "rematch" | "rematch_by">} scene
   */
  async checkAsking({ rematch, rematch_by: id }) {
    const next = document.hidden || this.declined ? null : await request("GET", `/api/tables/${rematch}`).catch(() => null);
    const seat = next?.seats.find((/** @type {Seat} */ { player }) => player?.id === id);
    if (next) this.absence = !seat ? ", but has left" : seat.connected === false ? ", but is offline" : "";
    this.drawOffer(this.page.scene);
    if (!this.declined) this.timer = setTimeout(() => this.checkAsking({ rematch, rematch_by: id }), CHECK_MS);
  }

  /** Answers the player who asked for a rematch, who waits at the new table; it may have no chat for this player. */
  async decline() {
    const { rematch } = this.page.scene;
    if (this.declined === rematch) return;
    this.declined = rematch;
    byRole("decline-rematch").disabled = true;
    const text = "No rematch for me, thank you.";
    const answer = request("POST", `/api/tables/${rematch}/chat`, { text }).then(() => true, () => false);
    const pause = new Promise((resolve) => setTimeout(resolve, DOUBLE_CLICK_MS));
    [this.isNotified] = await Promise.all([answer, pause]);
    this.drawOffer(this.page.scene);
  }

  /** @param {{ bots?: string | null }} body */
  playAgain(body) {
    return this.page.attempt(async () => {
      const { table, url } = await request("POST", `${this.source}/rematch`, body);
      (await import("./rematch.js")).rememberRematch(table, this.page.scene);
      location.assign(url);
    });
  }

  /** @param {HTMLButtonElement} button @param {string | null | undefined} bots */
  async playOtherBots(button, bots) {
    button.disabled = true; // a second click would open a second table
    button.disabled = await this.playAgain({ bots });
  }

  verify() {
    return this.page.attempt(async () => (byRole("fairness").textContent = (await request("GET", `${this.source}/fairness`)).text));
  }
}

/** The seat of the player who asked for a rematch. @param {Scene} scene */
const findAsking = ({ rematch_by: player, seats }) => seats.find((seat) => player && seat.player?.id === player);

/** The final scores, best first. @param {Scene} scene @param {number[]} scores @param {boolean} isSolo */
function standings({ result, seats, you, score_units: units }, scores, isSolo) {
  const { ranking = [], reached } = result ?? {};
  const order = seats.map(({ seat }) => seat).sort((one, other) => ranking[one] - ranking[other]);
  /** @param {number} seat */
  const nameOf = (seat) => (you.length === 1 && you[0] === seat && !isSolo ? "You" : seats[seat].name);
  /** @param {number} score */
  const scoreText = (score) => (units.length ? `${units[0] && ":"} ${formatNumber(score)} ${units[score === 1 ? 0 : 1]}`.trimEnd() : "");
  /** @param {number} seat */
  const entry = (seat) => `${isSolo ? "" : `${ranking[seat]}. `}${nameOf(seat)}${scoreText(scores[seat])}${goalText(reached?.[seat])}`;
  return html`${order.map((seat) => html`<span class="${you.includes(seat) && "own"}">${entry(seat)}</span> `)}`;
}

/** @param {boolean} [reached] */
const goalText = (reached) => (reached === undefined ? "" : reached ? " (goal reached)" : " (fell short)");
