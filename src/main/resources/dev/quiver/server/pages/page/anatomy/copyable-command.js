// A command that a user copies.
// @ts-check

import { copy, select } from '../lib/clipboard.js';
import { element } from '../lib/elements.js';

/** A command to copy: its element, and `show(text)`. */
export function command() {
  const code = element('code');
  const press = () => copy(code.textContent, () => select(code));
  return {
    element: element('div', { class: 'command' }, code, element('button', { type: 'button', 'aria-label': 'Copy the command', onclick: press }, 'Copy')),
    /** @param {string} text */
    show: (text) => (code.textContent = text),
  };
}
