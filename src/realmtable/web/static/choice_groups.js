// Buttons folded by the groups of their labels. Loaded when there are too many buttons to show them all.

import { splitLabel } from "./click_paths.js";
import { html } from "./html.js";

/** Buttons without a group stay outside. @param {import("./move_picker.js").MovePicker} picker @param {string[]} handles */
export function foldButtons(picker, handles) {
  const groups = Map.groupBy(handles, (handle) => splitLabel(picker.labels[handle] ?? "").group);
  const alone = groups.get("") ?? [];
  groups.delete("");
  const fold = ([group, inside]) => html`<details class="choice-group" name="choices" data-group="${group}" ${group === picker.openGroup && "open"}>
    <summary>${group} <span class="badge">${inside.length}</span></summary><div class="choice-list">${inside.map((handle) => picker.choiceButton(handle))}</div></details>`;
  return html`${[...groups].map(fold)}${alone.map((handle) => picker.choiceButton(handle))}`;
}
