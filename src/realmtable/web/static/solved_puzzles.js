// Which puzzles were solved in this browser, for those whom the server does not know; it shows them on the lists.

const KEY = "realmtable_solved";
const DAY_MS = 86_400_000;

const read = () => {
  try {
    return JSON.parse(localStorage[KEY] ?? "{}");
  } catch {
    return {}; // somebody else's, or a browser that keeps nothing
  }
};

/** Notes a solved puzzle; `daily` where it is today's. */
export function note(id, daily) {
  const solved = read();
  const day = Math.floor(Date.now() / DAY_MS);
  solved[id] = daily ? day : (solved[id] ?? 0);
  try {
    localStorage[KEY] = JSON.stringify(solved);
  } catch {} // then it is forgotten when the page is left
}

export const isSolved = (id) => id in read();

/** How many days in a row, until today or yesterday, have a solved puzzle of the day. */
function streak(days, today) {
  let day = days.has(today) ? today : today - 1;
  let count = 0;
  while (days.has(day--)) count++;
  return count;
}

function show() {
  const solved = read();
  for (const element of document.querySelectorAll("[data-puzzle]")) {
    if (!(element.dataset.puzzle in solved)) continue;
    element.hidden = false;
    element.classList.add("is-solved");
    element.querySelector('[data-role="solved"]')?.removeAttribute("hidden");
  }
  for (const bar of document.querySelectorAll("progress[data-ids]")) {
    const known = bar.dataset.ids.split(" ").filter((id) => id in solved).length;
    bar.value = Math.max(bar.value, known);
    bar.parentElement.querySelector('[data-role="count"]').textContent = bar.value;
  }
  const told = document.querySelector('[data-role="streak"]');
  const days = streak(new Set(Object.values(solved)), +told?.dataset.day);
  if (told && days > +told.dataset.streak) {
    told.hidden = false;
    told.replaceChildren("Puzzles of the day solved ", Object.assign(document.createElement("strong"), { textContent: days }), ` day${days > 1 ? "s" : ""} in a row`);
  }
}

show();
