// The whole value of a cell, beside its grid, and the clipboard.

import { element, grouped, isolated, tell, visible } from './page.js';
import { full } from './values.js';

/** Puts text on the clipboard, or selects it in an element where the browser does not permit that. */
export async function copy(text, shown) {
  try {
    await navigator.clipboard.writeText(text);
    tell('Copied');
  } catch {
    // Only pages of this machine or with TLS may.
    shown.hidden = false;
    getSelection().selectAllChildren(shown);
    tell('Selected, to be copied by hand');
  }
}

/** A part of the page that shows one value until it is closed. */
export class Drawer {
  #closed = () => null;

  constructor() {
    this.element = element('aside', { class: 'drawer', 'aria-label': 'Value', hidden: true });
    this.element.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') {
        // It ends this, and not what is behind.
        event.stopPropagation();
        this.close();
      }
    });
  }

  /** @param closed called once the user has seen enough */
  show(field, { row, value, type }, closed) {
    this.#closed = closed;
    const text = full(value, type);
    const shown = element('pre', { tabindex: 0 }, visible(text));
    this.element.replaceChildren(
      element('h2', {}, isolated(visible(field.name)), ` at row ${grouped(row)}`),
      element('p', {}, element('small', {}, field.arrowType)),
      shown,
      element('button', { type: 'button', onclick: () => copy(text, shown) }, 'Copy'),
      ' ',
      element('button', { type: 'button', onclick: () => this.close() }, 'Close'),
    );
    this.element.hidden = false;
    shown.focus();
  }

  close() {
    this.element.hidden = true;
    this.#closed();
  }
}
