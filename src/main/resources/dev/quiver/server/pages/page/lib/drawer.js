// The side of a result: the whole value of a cell, or what can be done with cells.

import { full } from '../grid/arrow-values.js';
import { copy, select } from './clipboard.js';
import { element, grouped, isolated, visible } from './elements.js';

/** A browser needs long to show more. */
const MOST_CHARACTERS = 1_000_000;

/** A part of the page that shows something until it is closed. */
export class Drawer {
  #closed = () => null;
  #ended = () => null;

  constructor() {
    this.element = element('aside', { class: 'drawer', tabindex: -1, hidden: true });
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
    const text = full(value, type);
    const isWhole = text.length <= MOST_CHARACTERS;
    const shown = element('pre', { tabindex: 0 }, visible(isWhole ? text : text.slice(0, MOST_CHARACTERS)));
    const title = [isolated(visible(field.name)), ` at row ${grouped(row)}`];
    const nodes = [
      element('p', {}, element('small', {}, field.arrowType)),
      shown,
      isWhole ? null : element('p', {}, 'This is its beginning. A copy has all of it.'),
      element('div', { class: 'bar' }, element('button', { type: 'button', onclick: () => copy(text, () => select(shown)) }, 'Copy')),
    ];
    this.open({ title, nodes }, closed);
  }

  /**
   * Shows nodes below a title.
   *
   * @param closed called once the user has seen enough
   */
  open({ title, nodes, closed: ended = () => null }, closed) {
    this.#ended();
    this.#ended = ended;
    this.#closed = closed;
    const heading = element('h2', { id: 'drawer-title' }, ...title);
    this.element.setAttribute('aria-labelledby', heading.id);
    this.element.replaceChildren(
      element('header', {}, heading, element('button', { type: 'button', onclick: () => this.close() }, 'Close')),
      ...nodes.filter((node) => node !== null),
    );
    this.element.hidden = false;
    this.element.focus();
  }

  close() {
    this.clear();
    this.#closed();
  }

  /** Hides it, and ends what it does. */
  clear() {
    this.#ended();
    this.#ended = () => null;
    this.element.hidden = true;
    this.element.replaceChildren();
  }
}
