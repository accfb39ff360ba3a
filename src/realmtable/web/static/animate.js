// Shows what a new picture changed: pieces glide along the clicks of a step, other places that changed light up softly.

const STEP_MS = 220;
const calm = matchMedia("(prefers-reduced-motion: reduce)");

const pieces = (element) => element.querySelectorAll(":scope > g");
const label = (element) => element.getAttribute("aria-label");

/** What stands where, to be compared once the picture has changed. */
export function standing(handles) {
  return new Map([...handles].map(([name, element]) => [name, { said: label(element), full: pieces(element).length }]));
}

/** @param {Map<string, Element>} handles @param {ReturnType<standing>} before @param {string[][]} steps their clicks */
export function glide(handles, before, steps) {
  if (calm.matches) return;
  const still = new Map(handles);
  steps.forEach((step, index) => {
    const places = step.map((name) => handles.get(name)).filter(Boolean);
    const target = places.at(-1);
    if (places.length < 2 || places[0] === target) return;
    for (const piece of pieces(target)) slide(piece, places, index * STEP_MS);
    if (before.get(step.at(-1)).full) flash(target, index * STEP_MS);
    for (const name of step) still.delete(name);
  });
  for (const [name, element] of still) {
    if (before.get(name)?.said !== label(element)) flash(element, steps.length * STEP_MS);
  }
}

/** The middle of an element on the screen. */
export function middle(element) {
  const box = element.getBoundingClientRect();
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

function slide(piece, places, delay) {
  const scale = piece.ownerSVGElement.getScreenCTM().a;
  const end = middle(places.at(-1));
  const translate = places.map(middle).map(({ x, y }) => `${(x - end.x) / scale}px ${(y - end.y) / scale}px`);
  piece.animate({ translate }, { duration: STEP_MS, delay, easing: "ease-in-out", fill: "backwards" });
}

function flash(element, delay) {
  const frames = [0.5, 0].map((fillOpacity) => ({ fill: "var(--rt-mark, currentColor)", fillOpacity }));
  (element.querySelector("rect") ?? element).animate(frames, { duration: 3 * STEP_MS, delay });
}
