// @ts-check
// The puzzles solved in this browser, for visitors the server does not know; marks them on the lists.

import { readStored, store } from "./preferences.js";

const KEY = "realmtable_solved";
const DAY_MS = 86_400_000;

/** The day on which each puzzle was solved as the puzzle of the day, or 0, by id. @returns {Record<string, number>} */
const readSolved = () => readStored(KEY, {});

/** Stores a solved puzzle; `daily` if it is today's. @param {string} id @param {boolean} daily */
export function saveSolved(id, daily) {
  const solved = readSolved();
  const day = Math.floor(Date.now() / DAY_MS);
  solved[id] = daily ? day : (solved[id] ?? 0);
  store(KEY, solved);
}

/** @param {string} id */
export const isSolved = (id) => id in readSolved();

/**
 * The number of days in a row, up to today or yesterday, with a solved puzzle of the day.
 * @param {Set<number>} days @param {number} today
 */
function streakLength(days, today) {
  let day = days.has(today) ? today : today - 1;
  let count = 0;
  while (days.has(day--)) count++;
  return count;
}

function markSolvedPuzzles() {
  const solved = readSolved();
  for (const element of document.querySelectorAll("[data-puzzle]")) {
    if (!(String(element.dataset.puzzle) in solved)) continue;
    element.hidden = false;
    element.classList.add("is-solved");
    element.querySelector('[data-role="solved"]')?.removeAttribute("hidden");
  }
  for (const bar of /** @type {NodeListOf<HTMLProgressElement>} */ (document.querySelectorAll("progress[data-ids]"))) {
    const known = (bar.dataset.ids ?? "").split(" ").filter((id) => id in solved).length;
    bar.value = Math.max(bar.value, known);
    /** @type {HTMLElement} */ (bar.parentElement).querySelector('[data-role="count"]').textContent = `${bar.value}`;
  }
  const streak = document.querySelector('[data-role="streak"]');
  const days = streakLength(new Set(Object.values(solved)), Number(streak?.dataset.day));
  if (streak && days > Number(streak.dataset.streak)) {
    streak.hidden = false;
    streak.replaceChildren("Daily streak: ", Object.assign(document.createElement("strong"), { textContent: days }), ` day${days > 1 ? "s" : ""}`);
  }
}

markSolvedPuzzles();
