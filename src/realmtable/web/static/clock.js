// @ts-check
// Clocks that run between two scenes: the server sends its own time and when a clock ends, this counts down.

let ahead = Infinity; // seconds this machine's clock is ahead of the server's; the scene with the least delay shows it best

/**
 * The seconds left on a clock now.
 * @param {Clock} clock
 * @param {number} sentAt the scene's `now`
 */
export function timeLeft({ remaining_s, until }, sentAt) {
  const here = Date.now() / 1000;
  ahead = Math.min(ahead, here - sentAt);
  return Math.max(0, until ? until - (here - ahead) : (remaining_s ?? 0));
}

/** The text a clock shows now. @param {Clock} clock @param {number} sentAt */
export function formatClock(clock, sentAt) {
  const left = timeLeft(clock, sentAt);
  if (left < 20) return left.toFixed(1);
  const [days, hours, minutes] = [left / 86400, (left / 3600) % 24, (left / 60) % 60].map(Math.floor);
  if (days) return `${days} d ${hours} h`;
  const pad = (/** @type {number} */ number) => String(number).padStart(2, "0");
  return `${hours ? `${hours}:${pad(minutes)}` : minutes}:${pad(Math.floor(left % 60))}`;
}

/** A time in the reader's own time zone. @param {number} time in milliseconds */
export const formatTime = (time) => new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" }).format(time);
