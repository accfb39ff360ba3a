// Shows a place of the picture enlarged over the board, with its label. Loaded when such a place is first chosen.

import { centreOf } from "./board.js";
import { byRole } from "./html.js";

/** @param {SVGGraphicsElement=} place none closes the panel */
export function showZoom(place) {
  const panel = byRole("zoom");
  panel.hidden = !place;
  if (!place) return panel.replaceChildren();
  const { x, y, width, height } = place.getBBox();
  const [svg, copy, label] = [place.ownerSVGElement.cloneNode(false), place.cloneNode(true), document.createElement("p")];
  svg.setAttribute("viewBox", `${x - 2} ${y - 2} ${width + 4} ${height + 4}`);
  for (const attribute of ["transform", "data-handle", "tabindex", "class"]) copy.removeAttribute(attribute);
  label.textContent = place.getAttribute("aria-label");
  svg.append(copy);
  panel.replaceChildren(svg, label);
  const frame = byRole("picture").getBoundingClientRect();
  panel.classList.toggle("below", centreOf(place).y < frame.y + frame.height / 2); // never over the place itself
}
