// Markup from data, and how it gets into the page: only what differs is changed, so that focus, scrolling and running
// animations stay.

class Markup extends String {}

function escaped(value) {
  if (Array.isArray(value)) return value.map(escaped).join("");
  if (value instanceof Markup) return value;
  return String(value || value === 0 ? value : "").replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt()};`);
}

/** A template tag: text is escaped, lists are joined, other html`…` is kept, null and false are nothing. */
export const html = (strings, ...values) => new Markup(String.raw({ raw: strings }, ...values.map(escaped)));

/** Makes the inside of an element equal to the markup. */
export function put(element, markup) {
  const fresh = document.createElement("template");
  fresh.innerHTML = markup;
  morph(element, fresh.content);
}

/** Makes the inside of an element equal to that of another, which is used up. Children are matched by their place. */
export function morph(old, fresh) {
  const before = [...old.childNodes];
  const after = [...fresh.childNodes];
  after.forEach((node, index) => {
    const was = before[index];
    if (!was) old.append(node);
    else if (was.isEqualNode(node)) return;
    else if (was.nodeName !== node.nodeName || !node.attributes) was.replaceWith(node);
    else {
      for (const { name } of [...was.attributes]) if (!node.hasAttribute(name)) was.removeAttribute(name);
      for (const { name, value } of node.attributes) was.setAttribute(name, value);
      morph(was, node);
    }
  });
  for (const node of before.slice(after.length)) node.remove();
}

/** The element with a role in the page. */
export const part = (role) => document.querySelector(`[data-role="${role}"]`);

/** A sentence in which no number is parted from its percent sign. */
export const unbroken = (text) => text.replaceAll(" %", "\u00a0%");
