// The tabs of several results: the pattern of ARIA's tabs, of which the arrow keys choose one.
// @ts-check

import { element, visible } from '../lib/elements.js';
import { tokens } from './tokens.js';

const MOST_CHARACTERS = 60;

let count = 0;

/** The tabs. They dispatch `chosen` with the position of the tab that the user chooses. */
export class ResultTabs extends EventTarget {
  /** @type {HTMLElement[]} */
  #tabs = [];
  /** @type {HTMLElement[]} */
  #panels = [];

  constructor() {
    super();
    this.element = element('div', { class: 'tabs', role: 'tablist', 'aria-label': 'Results', hidden: true, onkeydown: (event) => this.#pressed(event) });
  }

  clear() {
    this.#tabs = [];
    this.#panels = [];
    this.element.replaceChildren();
    this.element.hidden = true;
  }

  /**
   * Adds a tab, which is shown once there are two.
   *
   * @param {string} sql
   * @param {HTMLElement} panel
   */
  add(sql, panel) {
    const position = this.#tabs.length;
    const [first] = tokens(sql).filter(({ kind }) => kind !== 'comment');
    const text = visible(sql.slice(first?.start).replace(/\s+/g, ' ')).slice(0, MOST_CHARACTERS);
    panel.id = `result-${count++}`;
    const tab = element(
      'button',
      { type: 'button', role: 'tab', id: `${panel.id}-tab`, tabindex: -1, 'aria-selected': 'false', 'aria-controls': panel.id, title: text, onclick: () => this.#choose(position) },
      `${position + 1} `,
      element('code', {}, text),
    );
    this.#tabs.push(tab);
    this.#panels.push(panel);
    this.element.append(tab);
    this.element.hidden = position === 0;
    if (position > 0) {
      this.#panels.forEach((each) => {
        each.setAttribute('role', 'tabpanel');
        each.setAttribute('aria-labelledby', `${each.id}-tab`);
      });
    }
  }

  /**
   * Shows which one is open.
   *
   * @param {number} position
   */
  open(position) {
    this.#tabs.forEach((tab, i) => {
      tab.setAttribute('aria-selected', String(i === position));
      tab.tabIndex = i === position ? 0 : -1;
    });
    this.#tabs[position]?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }

  /** @param {number} position */
  #choose(position) {
    this.dispatchEvent(new CustomEvent('chosen', { detail: position }));
  }

  /** @param {KeyboardEvent} event */
  #pressed(event) {
    const at = this.#tabs.indexOf(/** @type {HTMLElement} */ (event.target));
    const last = this.#tabs.length - 1;
    /** @type {Record<string, number>} */
    const targets = { ArrowRight: at === last ? 0 : at + 1, ArrowLeft: at === 0 ? last : at - 1, Home: 0, End: last };
    if (at >= 0 && Object.hasOwn(targets, event.key)) {
      this.#choose(targets[event.key]);
      this.#tabs[targets[event.key]].focus();
      event.preventDefault();
    }
  }
}
