// The clipboard, which only pages of this machine or with TLS may write.

import { tell } from './page.js';

/**
 * Puts text on the clipboard.
 *
 * @param unable called where the browser does not permit that
 */
export async function copy(text, unable) {
  try {
    await navigator.clipboard.writeText(text);
    tell('Copied');
  } catch {
    unable();
  }
}

/** Selects the text of an element, for the user to copy. */
export function select(shown) {
  shown.hidden = false;
  getSelection().selectAllChildren(shown);
  tell('Press Ctrl-C to copy');
}
