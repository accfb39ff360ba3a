// @ts-check
// Sentences that people read, in the reader's language: the page contains translations by English sentence, none in English.

/** @type {Record<string, string>} */
const translations = JSON.parse(document.querySelector('[data-role="translations"]')?.textContent || "{}");

/**
 * A whole sentence with its named fields filled in: say("{name} is to move", { name }). Never put sentences together from pieces.
 * @param {string} sentence @param {Record<string, unknown>} [fields]
 */
export const say = (sentence, fields = {}) => (translations[sentence] ?? sentence).replace(/\{(\w+)\}/g, (whole, name) => String(fields[name] ?? whole));

/** The sentence for one or for `count` things, which is a field, too. @param {string} one @param {string} many @param {number} count */
export const sayCount = (one, many, count) => say(count === 1 ? one : many, { count });
