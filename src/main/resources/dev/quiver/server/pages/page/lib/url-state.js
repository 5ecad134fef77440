// The state of a page in the fragment of its URL: a view, and values that follow it, such as #rows&row=12&where=a%20%3E%201.
// @ts-check

/** @typedef {{ view: string, values: Map<string, string> }} State */
/** @typedef {{ [name: string]: string | number | null | undefined }} Values */

/** @type {Set<(event: HashChangeEvent) => void>} */
const listeners = new Set();

/**
 * The view and the values of a fragment, by default that of the present URL.
 *
 * @returns {State}
 */
export function readState(hash = location.hash) {
  const [view, ...pairs] = hash.slice(1).split('&');
  // A value that was written by hand may have further equals signs.
  const values = new Map();
  for (const pair of pairs) {
    const [, key, value] = /** @type {RegExpExecArray} */ (/^([^=]*)=?(.*)$/s.exec(pair));
    values.set(decoded(key), decoded(value));
  }
  return { view: decoded(view), values };
}

/** @param {string} text */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * The fragment of a view with values, of which null ones are left out.
 *
 * @param {string} view
 * @param {Values} [values]
 */
export function fragment(view, values = {}) {
  const pairs = Object.entries(values)
    .filter(([, value]) => value !== null && value !== undefined && value !== '')
    .map(([key, value]) => `&${encodeURIComponent(key)}=${encodeURIComponent(String(value))}`);
  return `#${encodeURIComponent(view)}${pairs.join('')}`;
}

/**
 * Changes some values of the present view, without a new entry in the history.
 *
 * @param {Values} changes
 * @param {string} [first] the view if the URL names none
 */
export function replaceState(changes, first = 'rows') {
  const { view, values } = readState();
  const all = { ...Object.fromEntries(values), ...changes };
  const next = fragment(view || first, all);
  if (next !== location.hash) {
    history.replaceState(null, '', location.pathname + location.search + next);
  }
}

/**
 * Goes to a view with values, as a link does.
 *
 * @param {string} view
 * @param {Values} [values]
 * @param {boolean} [replaces] whether the history forgets the present state
 */
export function goTo(view, values, replaces = false) {
  if (replaces) {
    location.replace(fragment(view, values));
  } else {
    location.hash = fragment(view, values);
  }
}

/**
 * Calls a listener with the event of each change by a link, the history or [goTo].
 *
 * @param {(event: HashChangeEvent) => void} listener
 */
export function whenStateChanged(listener) {
  listeners.add(listener);
}

addEventListener('hashchange', (event) => listeners.forEach((listener) => listener(event)));
