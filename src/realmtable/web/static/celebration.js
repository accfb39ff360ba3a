// @ts-check
// A won game: paper falls over the board for two seconds. Loaded when a game is won, and never with reduced motion.

const [PIECES, DURATION_MS, SPREAD_MS] = [48, 1500, 500];
const COLOURS = ["var(--amber)", "var(--teal)", "var(--mark)", "var(--piece-1-mark, var(--amber))"];
/** @param {number} low @param {number} high */
const between = (low, high) => low + Math.random() * (high - low);

/** @param {HTMLElement} frame the element to celebrate over */
export function celebrate(frame) {
  const layer = Object.assign(document.createElement("div"), { className: "celebration", ariaHidden: "true" });
  frame.append(layer);
  const falls = Array.from({ length: PIECES }, () => fall(layer));
  Promise.allSettled(falls).then(() => layer.remove());
}

/** @param {HTMLElement} layer */
function fall(layer) {
  const paper = document.createElement("i");
  paper.style.left = `${between(0, 100)}%`;
  paper.style.background = COLOURS[Math.floor(Math.random() * COLOURS.length)];
  layer.append(paper);
  const height = layer.clientHeight;
  const frames = [
    { transform: `translate(0, -2rem) rotate(0)`, opacity: 1 },
    { opacity: 1, offset: 0.7 },
    { transform: `translate(${between(-5, 5)}rem, ${between(0.6, 1) * height}px) rotate(${between(-720, 720)}deg)`, opacity: 0 },
  ];
  return paper.animate(frames, { duration: DURATION_MS, delay: between(0, SPREAD_MS), easing: "cubic-bezier(.2, .6, .6, 1)", fill: "both" }).finished;
}
