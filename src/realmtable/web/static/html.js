// Markup from data, and how it gets into the page: only what differs is changed, which keeps focus, scroll positions and
// running animations.

class Markup extends String {}

function escape(value) {
  if (Array.isArray(value)) return value.map(escape).join("");
  if (value instanceof Markup) return value;
  return String(value || value === 0 ? value : "").replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt()};`);
}

/** A template tag: escapes text, joins lists, keeps other html`…`, and renders null and false as nothing. */
export const html = (strings, ...values) => new Markup(String.raw({ raw: strings }, ...values.map(escape)));

/** Makes the content of an element equal to the markup. */
export function render(element, markup) {
  const template = document.createElement("template");
  template.innerHTML = markup;
  morph(element, template.content);
}

/** Makes the content of an element equal to that of another, which is used up. Children are matched by position. */
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

/** The element with this data-role. */
export const byRole = (role) => document.querySelector(`[data-role="${role}"]`);
