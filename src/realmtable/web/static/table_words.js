// @ts-check
// Words around a live table: who watches, and what the buttons do here. Loaded with the first scene.

import { byRole } from "./html.js";
import { say } from "./language.js";
import { seatsOfOthers } from "./scene.js";

/** Writes that you are watching or, for players, how many others are. @param {Scene} scene */
export function drawWatching(scene) {
  const text = watchingText(scene);
  byRole("watching").textContent = text && ` · ${text}`;
}

/** @param {Scene} scene */
function watchingText({ you, status, watching }) {
  if (you.length) return watching ? say("{watching} watching", { watching }) : "";
  if (status !== "running") return "";
  const others = watching - 1;
  return others < 1 ? say("You are watching") : others > 1 ? say("You are watching with {others} others", { others }) : say("You are watching with 1 other");
}

/** Writes on the buttons what they do at this table. @param {Scene} scene @param {boolean} playsAllSeats whether one person plays every side */
export function nameButtons(scene, playsAllSeats) {
  const isSolo = scene.seats.length === 1;
  const others = seatsOfOthers(scene).length;
  byRole("draw").textContent = playsAllSeats ? say("End as a draw") : say("Offer draw");
  byRole("takeback").textContent = playsAllSeats || isSolo ? say("Undo turn") : say("Request takeback");
  byRole("resign").textContent = isSolo ? say("Give up") : say("Resign");
  byRole("hint").title = !others ? say("Suggests a move and says why") : scene.seats.length > 2 ? say("Suggests a move and says why. The others will see that you asked.") : say("Suggests a move and says why. Your opponent will see that you asked.");
}
