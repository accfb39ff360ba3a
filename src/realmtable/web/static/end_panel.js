// The panel of a game that is over, loaded with the first one: the final scores, and how to play again.

import { byRole, html, render } from "./html.js";
import { request } from "./request.js";

const NEXT_BOTS = { easier: "Try an easier bot", stronger: "Try a stronger bot" };

export class EndPanel {
  /** @param {import("./board_page.js").BoardPage} page */
  constructor(page, source) {
    Object.assign(this, { page, source });
  }

  draw(scene) {
    const { result, rated, rematch, next_bots: nextBots, seats, you } = scene;
    const isSolo = seats.length === 1;
    render(byRole("result"), result.scores ? standings(scene, isSolo) : "Game over");
    if (byRole("rematch-offer").textContent !== offerText(scene)) byRole("rematch-offer").textContent = offerText(scene);
    byRole("rematch").textContent = isSolo ? "Play again" : rematch ? "Join rematch" : "Rematch";
    Object.assign(byRole("next-bots"), { textContent: NEXT_BOTS[nextBots] ?? "", hidden: !nextBots });
    byRole("levels").hidden = rated || you.length !== 1 || isSolo || !seats.every(({ seat, bot }) => bot || you.includes(seat));
  }

  playAgain(body) {
    return this.page.attempt(async () => {
      const { table, url } = await request("POST", `${this.source}/rematch`, body);
      (await import("./rematch.js")).rememberRematch(table, this.page.scene);
      location.assign(url);
    });
  }

  async playOtherBots(button, bots) {
    button.disabled = true; // a second click would open a second table
    button.disabled = await this.playAgain({ bots });
  }

  verify() {
    return this.page.attempt(async () => (byRole("fairness").textContent = (await request("GET", `${this.source}/fairness`)).text));
  }
}

/** Says who asked for a rematch. */
function offerText({ rematch_by: player, seats, you }) {
  const asking = seats.find((seat) => player && seat.player?.id === player);
  if (!asking) return "";
  return you.includes(asking.seat) ? "You asked for a rematch." : `${asking.player.name} wants a rematch.`;
}

/** The final scores, best first. */
function standings({ result: { scores, ranking, reached }, seats, you, score_units: units }, isSolo) {
  const order = seats.map(({ seat }) => seat).sort((one, other) => ranking[one] - ranking[other]);
  const nameOf = (seat) => (you.length === 1 && you[0] === seat && !isSolo ? "You" : seats[seat].name);
  const scoreText = (score) => (units.length ? `${units[0] && ":"} ${score} ${units[score === 1 ? 0 : 1]}`.trimEnd() : "");
  const entry = (seat) => `${isSolo ? "" : `${ranking[seat]}. `}${nameOf(seat)}${scoreText(scores[seat])}${goalText(reached?.[seat])}`;
  return html`${order.map((seat) => html`<span class="${you.includes(seat) && "own"}">${entry(seat)}</span> `)}`;
}

const goalText = (reached) => (reached === undefined ? "" : reached ? " (goal reached)" : " (fell short)");
