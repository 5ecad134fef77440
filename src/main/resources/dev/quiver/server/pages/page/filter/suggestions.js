// The suggestions below a box, of which the arrows choose one: the pattern of ARIA's combobox with a list.
// @ts-check

import { element, isolated, visible } from '../lib/elements.js';

/** @typedef {import('./typed-text.js').Suggestion} Suggestion */

const ID = 'suggestions';
const MOST_CHARACTERS = 80;

/** The list of a box. Nothing is chosen in it until an arrow is pressed, so that Enter runs what is typed. */
export class Suggestions {
  /** @type {Suggestion[]} */
  #shown = [];
  #chosen = -1;

  /**
   * @param {HTMLInputElement} box
   * @param {(suggestion: Suggestion) => unknown} take called with the one that the user takes
   */
  constructor(box, take) {
    this.box = box;
    this.take = take;
    this.list = element('ul', { class: 'suggestions', id: ID, role: 'listbox', 'aria-label': 'Suggestions', hidden: true });
    // The box keeps the focus.
    this.list.addEventListener('mousedown', (event) => event.preventDefault());
    this.list.addEventListener('click', ({ target }) => this.#takeAt([...this.list.children].findIndex((each) => each.contains(/** @type {Node} */ (target)))));
    const attributes = { role: 'combobox', 'aria-autocomplete': 'list', 'aria-expanded': 'false', 'aria-controls': ID };
    Object.entries(attributes).forEach(([name, value]) => box.setAttribute(name, value));
    box.after(this.list);
  }

  get isOpen() {
    return !this.list.hidden;
  }

  /** @param {Suggestion[]} suggestions */
  show(suggestions) {
    this.#shown = suggestions;
    this.#chosen = -1;
    this.list.hidden = suggestions.length === 0;
    this.list.replaceChildren(
      ...suggestions.map(({ label, detail }, i) =>
        element('li', { id: `${ID}-${i}`, role: 'option', 'aria-selected': 'false' }, element('span', {}, isolated(visible(label.slice(0, MOST_CHARACTERS)))), element('small', {}, detail)),
      ),
    );
    this.box.setAttribute('aria-expanded', String(this.isOpen));
    this.box.removeAttribute('aria-activedescendant');
  }

  close() {
    this.show([]);
  }

  /**
   * Whether a key is one of the list.
   *
   * @param {KeyboardEvent} event
   */
  pressed(event) {
    if (!this.isOpen) {
      return false;
    }
    const count = this.#shown.length;
    if (event.key === 'ArrowDown') {
      this.#choose(this.#chosen + 1 < count ? this.#chosen + 1 : 0);
    } else if (event.key === 'ArrowUp') {
      this.#choose(this.#chosen > 0 ? this.#chosen - 1 : count - 1);
    } else if ((event.key === 'Enter' || event.key === 'Tab') && this.#chosen >= 0) {
      this.#takeAt(this.#chosen);
    } else if (event.key === 'Escape') {
      this.close();
    } else {
      return false;
    }
    event.preventDefault();
    event.stopPropagation();
    return true;
  }

  /** @param {number} i */
  #takeAt(i) {
    const taken = this.#shown[i];
    if (taken) {
      this.close();
      this.take(taken);
    }
  }

  /** @param {number} i */
  #choose(i) {
    this.list.children[this.#chosen]?.setAttribute('aria-selected', 'false');
    this.#chosen = i;
    const chosen = this.list.children[i];
    chosen.setAttribute('aria-selected', 'true');
    chosen.scrollIntoView({ block: 'nearest' });
    this.box.setAttribute('aria-activedescendant', chosen.id);
  }
}
