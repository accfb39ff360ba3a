// @ts-check
// The card gallery: shows the cards of the chosen groups, or of all if none is chosen, whose text has every word of the search.
const form = document.querySelector('[data-role="filters"]');
const count = document.querySelector('[data-role="count"]');

/** A text without accents and capitals, so that "ganger" finds "Gänger". @param {string} text */
const simplify = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

const groups = [...document.querySelectorAll("[data-group]")].map((section) => ({
  section,
  cards: [...section.querySelectorAll("[data-search]")].map((card) => ({ card, text: simplify(card.dataset.search ?? "") })),
}));

function filterCards() {
  const words = simplify(form.elements.search.value).split(/\s+/);
  const chosen = new FormData(form).getAll("group");
  let total = 0;
  for (const { section, cards } of groups) {
    const open = !chosen.length || chosen.includes(section.dataset.group ?? "");
    let shown = 0;
    for (const { card, text } of cards) {
      card.hidden = !open || !words.every((word) => text.includes(word));
      shown += +!card.hidden;
    }
    section.hidden = !shown;
    total += shown;
  }
  count.textContent = total ? `${total} card${total === 1 ? "" : "s"}` : "No cards match. Change the search or the filters.";
}

form.addEventListener("input", filterCards);
form.addEventListener("submit", (event) => event.preventDefault());
form.addEventListener("reset", () => setTimeout(filterCards)); // once the fields are empty
filterCards(); // browsers keep the fields when a page is reloaded
