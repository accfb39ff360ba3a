// @ts-check
// Buttons folded by the groups of their labels. Loaded when there are too many buttons to show them all.

import { splitLabel } from "./click_paths.js";
import { html } from "./html.js";

/** Buttons without a group stay outside. @param {MovePicker} picker @param {string[]} handles */
export function foldButtons(picker, handles) {
  const groups = Map.groupBy(handles, (handle) => splitLabel(picker.labels[handle] ?? "").group);
  const alone = groups.get("") ?? [];
  groups.delete("");
  /** @param {[string, string[]]} entry */
  const fold = ([group, inside]) => html`<details class="choice-group" name="choices" data-group="${group}" ${group === picker.openGroup && "open"}>
    <summary>${group} <span class="badge">${inside.length}</span></summary><div class="choice-list">${inside.map((handle) => picker.choiceButton(handle))}</div></details>`;
  return html`${[...groups].map(fold)}${alone.map((handle) => picker.choiceButton(handle))}`;
}

/**
 * Shows all of a group that was unfolded, which stays open in the next drawing.
 * @param {MovePicker} picker @param {HTMLDetailsElement} fold
 */
export function noteGroup(picker, fold) {
  const { group = "" } = fold.dataset;
  if (fold.open) fold.scrollIntoView({ block: "nearest" });
  if (fold.open) picker.openGroup = group;
  else if (picker.openGroup === group) picker.openGroup = "";
}
