// @ts-check
// The clocks of a table, loaded with the first scene that has some: one per seat, and the bell when all act at once, a seat
// is asked out of turn, or the first move is due.

import { formatClock, formatTime, timeLeft } from "./clock.js";

const LOW_S = { live: 20, days: 6 * 3600 }; // a running clock with less is red

/** Draws the time that is left now on every clock of the page. @param {Scene} scene */
export function drawClocks(scene) {
  for (const face of document.querySelectorAll("[data-bell]")) drawClock(scene, face, scene.bell ?? scene.answer ?? scene.first_step, scene.bell || scene.answer ? " left" : " left for the first move");
  for (const button of document.querySelectorAll("[data-claim]")) button.disabled = !scene.claim || timeLeft({ until: scene.claim.possible_at }, scene.now) > 0;
  for (const face of document.querySelectorAll("[data-clock]")) drawClock(scene, face, scene.seats[Number(face.dataset.clock)].clock, "");
}

/** @param {Scene} scene @param {HTMLElement} face @param {Clock | null} clock @param {string} after */
function drawClock(scene, face, clock, after) {
  const isSlow = scene.clock.kind === "days";
  const left = clock ? timeLeft(clock, scene.now) : 0;
  const text = clock ? formatClock(clock, scene.now) + after : "";
  if (face.textContent !== text) face.textContent = text;
  if (clock?.until && isSlow) face.title = `Until ${formatTime(Date.now() + 1000 * left)}`;
  face.classList.toggle("low", !!clock?.until && left < LOW_S[isSlow ? "days" : "live"]);
}
