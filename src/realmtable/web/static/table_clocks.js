// @ts-check
// The clocks of a table, loaded with the first scene that has some: one per seat, and the bell when all act at once, a seat
// is asked out of turn, or the first move is due.

import { formatClock, formatTime, timeLeft } from "./clock.js";
import { byRole } from "./html.js";
import { say } from "./language.js";

const LOW_S = { live: 20, days: 6 * 3600 }; // a running clock with less is red

/** Draws the time that is left now on every clock of the page. @param {Scene} scene */
export function drawClocks(scene) {
  const timer = scene.bell ?? scene.answer ?? scene.first_step;
  /** @param {string} time */
  const timerText = (time) => (timer === scene.first_step ? say("{time} left for the first move", { time }) : say("{time} left", { time }));
  for (const face of document.querySelectorAll("[data-bell]")) drawClock(scene, face, timer, timerText);
  for (const face of document.querySelectorAll("[data-clock]")) drawClock(scene, face, scene.seats[Number(face.dataset.clock)].clock);
  byRole("claim-note").textContent = scene.claim ? claimText(scene, scene.claim) : "";
}

/** Says when the game can be claimed; until then, the buttons are off. @param {Scene} scene @param {NonNullable<Scene["claim"]>} claim */
function claimText({ now, seats }, { seat, possible_at: until }) {
  const isOff = timeLeft({ until }, now) > 0;
  for (const role of ["claim-win", "claim-draw"]) byRole(role).disabled = isOff;
  const { name } = seats[seat];
  return isOff ? say("{name} is away. You can claim the game in {time}.", { name, time: formatClock({ until }, now) }) : say("{name} has left the game.", { name });
}

/** @param {Scene} scene @param {HTMLElement} face @param {Clock | null} clock @param {(time: string) => string} [describe] */
function drawClock(scene, face, clock, describe = (time) => time) {
  const isSlow = scene.clock.kind === "days";
  const left = clock ? timeLeft(clock, scene.now) : 0;
  const text = clock ? describe(formatClock(clock, scene.now)) : "";
  if (face.textContent !== text) face.textContent = text;
  if (clock?.until && isSlow) face.title = `Until ${formatTime(Date.now() + 1000 * left)}`;
  face.classList.toggle("low", !!clock?.until && left < LOW_S[isSlow ? "days" : "live"]);
}
