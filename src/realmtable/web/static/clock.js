// Clocks that run between two scenes: the server says what was left and when, this counts on.

let ahead = Infinity; // by how much this machine's clock is ahead of the server's; the quickest scene tells it best

/** What a clock shows now. @param {{remaining_s: number, running: boolean}} clock @param {number} then the scene's now */
export function clockText({ remaining_s, running }, then) {
  const here = Date.now() / 1000;
  ahead = Math.min(ahead, here - then);
  const left = Math.max(0, running ? remaining_s - (here - ahead - then) : remaining_s);
  if (left < 20) return left.toFixed(1);
  const [days, hours, minutes] = [left / 86400, (left / 3600) % 24, (left / 60) % 60].map(Math.floor);
  if (days) return `${days} d ${hours} h`;
  const two = (number) => String(number).padStart(2, "0");
  return `${hours ? `${hours}:${two(minutes)}` : minutes}:${two(Math.floor(left % 60))}`;
}
