// The whole value of a cell, beside its grid.

import { copy, select } from './clipboard.js';
import { element, grouped, isolated, visible } from './page.js';
import { full } from './values.js';

/** A browser needs long to show more. */
const MOST_CHARACTERS = 1_000_000;

/** A part of the page that shows one value until it is closed. */
export class Drawer {
  #closed = () => null;

  constructor() {
    this.element = element('aside', { class: 'drawer', 'aria-label': 'Value', hidden: true });
    this.element.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') {
        // It ends this, and not what is behind.
        event.preventDefault();
        event.stopPropagation();
        this.close();
      }
    });
  }

  /** @param closed called once the user has seen enough */
  show(field, { row, value, type }, closed) {
    this.#closed = closed;
    const text = full(value, type);
    const isWhole = text.length <= MOST_CHARACTERS;
    const shown = element('pre', { tabindex: 0 }, visible(isWhole ? text : text.slice(0, MOST_CHARACTERS)));
    this.element.replaceChildren(
      element('h2', {}, isolated(visible(field.name)), ` at row ${grouped(row)}`),
      element('p', {}, element('small', {}, field.arrowType)),
      shown,
      isWhole ? '' : element('p', {}, 'This is its beginning. A copy has all of it.'),
      element('button', { type: 'button', onclick: () => copy(text, () => select(shown)) }, 'Copy'),
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
