// @ts-check
// Loads earlier lines of a long game into its list of moves.

import { request } from "./request.js";

/** Loads the page of lines before those shown; resolves to whether there were any. @param {MoveList} list */
export async function loadEarlier(list) {
  const { filter, found, lines } = list;
  if (list.loading) return false;
  const before = (found?.lines[0] ?? lines[0])?.steps[0] ?? 0;
  const only = list.onlyMine ? "&mine=true" : filter && `&topic=${encodeURIComponent(filter)}`;
  list.loading = true;
  try {
    const page = await request("GET", `${list.source}/lines?before=${before}${only}`);
    if (filter !== list.filter || found !== list.found) return false; // the list has changed meanwhile
    if (filter) list.found = { lines: [...page.lines, ...(found?.lines ?? [])], earlier: page.earlier };
    else if (lines[0] === list.lines[0]) Object.assign(list, { lines: [...page.lines, ...list.lines], earlier: page.earlier });
    return page.lines.length > 0;
  } finally {
    list.loading = false;
  }
}
