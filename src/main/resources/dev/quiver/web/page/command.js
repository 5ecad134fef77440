// A command that a user copies.

import { element, tell } from './page.js';

/** A command to copy: its element, and `show(text)`. */
export function command() {
  const code = element('code');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(code.textContent);
      tell('Copied');
    } catch {
      // Only pages of this machine or with TLS may.
      getSelection().selectAllChildren(code);
      tell('Selected, to be copied by hand');
    }
  };
  return {
    element: element('div', { class: 'command' }, code, element('button', { type: 'button', 'aria-label': 'Copy the command', onclick: copy }, 'Copy')),
    show: (text) => (code.textContent = text),
  };
}
