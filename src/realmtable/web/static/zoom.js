// A place of the picture shown large beside it, with what is said of it; fetched when somebody first chooses such a place.

import { middle } from "./animate.js";
import { part } from "./html.js";

/** @param {SVGGraphicsElement=} place none takes it away */
export function enlarge(place) {
  const panel = part("closeup");
  panel.hidden = !place;
  if (!place) return panel.replaceChildren();
  const { x, y, width, height } = place.getBBox();
  const [svg, copy, words] = [place.ownerSVGElement.cloneNode(false), place.cloneNode(true), document.createElement("p")];
  svg.setAttribute("viewBox", `${x - 2} ${y - 2} ${width + 4} ${height + 4}`);
  for (const attribute of ["transform", "data-handle", "tabindex", "class"]) copy.removeAttribute(attribute);
  words.textContent = place.getAttribute("aria-label");
  svg.append(copy);
  panel.replaceChildren(svg, words);
  const frame = part("picture").getBoundingClientRect();
  panel.classList.toggle("below", middle(place).y < frame.y + frame.height / 2); // never over the place itself
}
