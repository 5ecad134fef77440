// The statements that were run in this browser, which stay in it, and their list.
// @ts-check

import { button, element, visible } from '../lib/elements.js';
import { labelled } from '../lib/icons.js';

const KEPT = 'quiver.statements';
const MOST_STATEMENTS = 50;
const MOST_CHARACTERS = 200_000;
const SHOWN_CHARACTERS = 120;

/** The statements, the latest first, each with the time when it ran. */
function statements() {
  try {
    const found = JSON.parse(localStorage.getItem(KEPT) ?? '[]');
    return Array.isArray(found) ? found.filter(({ sql }) => typeof sql === 'string') : [];
  } catch {
    return [];
  }
}

/**
 * Remembers a statement that starts to run. Drops the oldest ones if there are too many, or their text is too long.
 *
 * @param {string} sql
 */
export function keep(sql) {
  const all = [{ sql, at: Date.now() }, ...statements().filter((each) => each.sql !== sql)].slice(0, MOST_STATEMENTS);
  let characters = 0;
  const kept = all.filter((each) => (characters += each.sql.length) <= MOST_CHARACTERS);
  try {
    localStorage.setItem(KEPT, JSON.stringify(kept));
  } catch {
    // The browser stores nothing, or has no space left. The statement runs anyway.
  }
}

function forgetAll() {
  localStorage.removeItem(KEPT);
}

/** The statements that were run before, behind a button. */
export class StatementHistory {
  /** @param {(sql: string) => void} chosen */
  constructor(chosen) {
    this.chosen = chosen;
    this.list = element('ul', { class: 'history' });
    this.element = element(
      'section',
      { 'aria-label': 'History', hidden: true },
      this.list,
      button('Clear the history', () => {
        forgetAll();
        this.refresh();
      }),
      element('small', {}, ' It is kept in this browser alone.'),
    );
    this.button = button(labelled('history', 'History'), () => this.#toggle(), { title: 'History', 'aria-expanded': 'false' });
    this.refresh();
  }

  #toggle() {
    this.element.hidden = !this.element.hidden;
    this.button.setAttribute('aria-expanded', String(!this.element.hidden));
  }

  refresh() {
    const all = statements();
    this.list.replaceChildren(
      ...all.map(({ sql, at }) =>
        element(
          'li',
          {},
          button(visible(sql.replace(/\s+/g, ' ').trim().slice(0, SHOWN_CHARACTERS)), () => this.chosen(sql)),
          element('small', {}, ` ${new Date(at).toLocaleString()}`),
        ),
      ),
    );
    if (all.length === 0) {
      this.list.append(element('li', { class: 'empty' }, 'No statement has run yet.'));
    }
  }
}
