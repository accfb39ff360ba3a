// Copies a link and says so on the button.

export async function copyLink(button, path) {
  const link = new URL(path, location).href;
  try {
    await navigator.clipboard.writeText(link);
  } catch {
    prompt("Copy this link:", link); // browsers lend the clipboard only to secure pages
  }
  const { textContent } = button;
  button.textContent = "Copied";
  setTimeout(() => (button.textContent = textContent), 1500);
}
