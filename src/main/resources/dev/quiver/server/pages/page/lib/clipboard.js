// The clipboard, which only pages of this machine or with TLS may write, and files of the user.
// @ts-check

import { element, tell } from './elements.js';
import { keys } from './keys.js';

/**
 * Puts text on the clipboard.
 *
 * @param {string} text
 * @param {() => unknown} unable called where the browser does not permit that
 */
export async function copy(text, unable) {
  try {
    await navigator.clipboard.writeText(text);
    tell('Copied');
  } catch {
    unable();
  }
}

/**
 * Puts text on the clipboard that is not there yet. Some browsers permit that only a few seconds after a click, unless they
 * are told at once that a text will come.
 *
 * @param {Promise<string>} promise of the text, whose failure is thrown
 * @param {() => unknown} unable called where the browser does not permit that
 */
export async function copyWhenDone(promise, unable) {
  try {
    const blob = promise.then((text) => new Blob([text], { type: 'text/plain' }));
    // The promise itself tells of a failure.
    blob.catch(() => null);
    await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })]);
    tell('Copied');
  } catch {
    await promise;
    await unable();
  }
}

/**
 * Saves bytes as a file of the user.
 *
 * @param {Blob} blob
 * @param {string} name
 */
export function save(blob, name) {
  const url = URL.createObjectURL(blob);
  element('a', { href: url, download: name }).click();
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/**
 * Selects the text of an element, for the user to copy.
 *
 * @param {HTMLElement} shown
 */
export function select(shown) {
  shown.hidden = false;
  getSelection()?.selectAllChildren(shown);
  tell(keys('Press Ctrl-C to copy'));
}
