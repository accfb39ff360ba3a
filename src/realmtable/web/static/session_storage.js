// What a page remembers until the tab is closed. Some browsers refuse storage; then it is forgotten on reload.

const keyOf = (name) => `${name} ${location.pathname}`;

export function load(name) {
  try {
    return sessionStorage.getItem(keyOf(name));
  } catch {
    return null;
  }
}

export function save(name, text) {
  try {
    sessionStorage.setItem(keyOf(name), text);
  } catch {
    // it is kept until the page is left
  }
}
