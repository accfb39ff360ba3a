// @ts-check
// Copies a link and says so on the button.

/** @param {HTMLElement} button @param {string} path */
export async function copyLink(button, path) {
  const link = new URL(path, location.href).href;
  try {
    await navigator.clipboard.writeText(link);
  } catch {
    prompt("Copy this link:", link); // browsers lend the clipboard only to secure pages
  }
  const { textContent } = button;
  button.textContent = "Copied";
  setTimeout(() => (button.textContent = textContent), 1500);
}

/** Copies a link to the position on the board. @param {HTMLElement} button @param {BoardPage} page */
export async function copyPositionLink(button, page) {
  const { position } = page.moment ?? (await page.fetchMoment(page.step));
  await copyLink(button, `/positions/${page.options.game}?p=${encodeURIComponent(position)}`);
}
