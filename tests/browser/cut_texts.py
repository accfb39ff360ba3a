"""Find texts that are cut off or leave the place they belong to, as far as the boxes of a page tell."""

from __future__ import annotations

# Returns a line for each: its beginning, and what it leaves. Texts are measured by their lines, not by their elements,
# because an element may be as narrow as its place while its text is not.
FIND_CUT_TEXTS = """() => {
  const SLACK = 1.5; // pixels: a line is rounded
  const UNSEEN = "script, style, title, desc, option, .unseen, .fact-label, .skip, [hidden]";
  const BOXES = "button, .button, .chip, .card, .panel, dialog, li, td, th, fieldset";
  const MAPS = "svg[data-pans], [data-layer], .preview, .zoom"; // a part of them may be outside
  const faults = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (!node.data.trim() || parent.closest(UNSEEN) || !parent.checkVisibility({ visibilityProperty: true })) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const { left, right, width } = range.getBoundingClientRect();
    const place = width && (parent.ownerSVGElement ? findInPicture : findInPage)(parent, left, right);
    if (place) faults.add(`"${node.data.trim().slice(0, 40)}" leaves ${place}`);
  }
  return [...faults].slice(0, 10);

  function isOutside(place, left, right) {
    const box = place.getBoundingClientRect();
    return left < box.left - SLACK || right > box.right + SLACK;
  }

  /** Finds the picture, or the card in it that can be chosen: the first rectangle of its group. */
  function findInPicture(text, left, right) {
    if (text.closest(MAPS)) return "";
    const card = text.closest("[data-card], [data-handle]")?.querySelector(":scope > rect[class]");
    if (card && isOutside(card, left, right)) return "its card";
    return isOutside(text.ownerSVGElement, left, right) ? "the picture" : "";
  }

  /** Finds the closest box around an element that cuts it off, or that it should stay in. */
  function findInPage(element, left, right) {
    for (let place = element; place !== document.body; place = place.parentElement) {
      const { overflowX, textOverflow, display } = getComputedStyle(place);
      if (/auto|scroll/.test(overflowX) || textOverflow === "ellipsis") return "";
      const isBox = display !== "inline" && (place.matches(BOXES) || /hidden|clip/.test(overflowX));
      if (isBox && isOutside(place, left, right)) return `${place.nodeName.toLowerCase()}.${place.className}`;
    }
    return left < -SLACK || right > innerWidth + SLACK ? "the window" : "";
  }
}"""
