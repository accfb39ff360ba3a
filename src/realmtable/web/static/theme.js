// Light or dark: the reader's system decides until the switch is used; then a cookie tells the server, too.
const { dataset } = document.documentElement;

document.querySelector("[data-theme-switch]").addEventListener("click", () => {
  const dark = dataset.theme === "auto" ? matchMedia("(prefers-color-scheme: dark)").matches : dataset.theme === "dark";
  const theme = (dataset.theme = dark ? "light" : "dark");
  document.cookie = `realmtable_theme=${theme}; path=/; max-age=31536000; samesite=lax`;
  // Pictures that are files of their own do not see the page's theme.
  for (const picture of document.querySelectorAll("img[data-themed]")) {
    picture.src = picture.src.replace(/theme=\w+/, `theme=${theme}`);
  }
});
