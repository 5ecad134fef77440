// The tables beside the editor: every dataset that the user may read, page by page, and the columns of those that are opened.
//
// The pattern is that of ARIA's tree, of which Tab reaches one item and the arrow keys the others.
// @ts-check

import { columnName, columnTitle } from '../grid/grid.js';
import { plainType } from '../grid/plain-types.js';
import { button, counted, element, grouped, isolated, visible } from '../lib/elements.js';
import { failure } from '../lib/failure.js';
import { base, json } from '../lib/requests.js';
import { columnsOf, forgetColumns } from './dataset-columns.js';

const PAGE_SIZE = 100;
const REST_MILLISECONDS = 300;
const COLUMNS_AT_ONCE = 200;
/** Where the tables stand beside the editor, as in sql.css. */
const WIDE = matchMedia('(min-width: 60.01rem)');

/**
 * The tables. It dispatches `write` with the name of a table or a column, `rows` with the name of a table, and `filled` with that of the first
 * one that has rows, or null without tables.
 */
export class TablesView extends EventTarget {
  #control = new AbortController();
  /** @type {number | undefined} */
  #resting;
  /** Whether the first page was asked for. */
  #isFilled = false;

  constructor() {
    super();
    this.search = element('input', { type: 'search', 'aria-label': 'Search tables', placeholder: 'Search tables', spellcheck: 'false', autocomplete: 'off' });
    this.search.addEventListener('input', () => {
      clearTimeout(this.#resting);
      this.#resting = setTimeout(() => this.fill(), REST_MILLISECONDS);
    });
    this.tree = element('ul', { role: 'tree', 'aria-label': 'Tables', onkeydown: (event) => this.#pressed(event), onfocusin: (event) => this.#focused(event) });
    this.more = element('div', { class: 'more' });
    this.list = element('div', { class: 'list' }, this.tree, this.more);
    this.element = element(
      'details',
      { class: 'tables', open: WIDE.matches, ontoggle: () => this.#opened() },
      element('summary', {}, 'Tables'),
      this.search,
      this.list,
    );
    this.end = new IntersectionObserver(([entry]) => entry.isIntersecting && this.#next?.(), { root: this.list });
    this.end.observe(this.more);
  }

  /**
   * Appends the next page, or null without one.
   *
   * @type {(() => unknown) | null}
   */
  #next = null;

  /** Fetches the first page, if the tables are open. */
  start() {
    this.#opened();
  }

  /** Makes room for the rows, if the tables stand above them. */
  fold() {
    this.element.open &&= WIDE.matches;
  }

  /** Tables out of sight are not asked for. */
  #opened() {
    if (this.element.open && !this.#isFilled) {
      this.fill();
    }
  }

  /** Shows the tables as they are after a write. */
  refresh() {
    forgetColumns();
    this.#isFilled = false;
    this.#opened();
  }

  /** Shows the first tables that have what is searched for. */
  async fill() {
    this.#isFilled = true;
    this.#control.abort();
    this.#control = new AbortController();
    const q = this.search.value.trim();
    const parameters = new URLSearchParams({ limit: String(PAGE_SIZE), ...(q === '' ? {} : { q }) });
    this.tree.setAttribute('aria-busy', 'true');
    await this.#append(`${base}/datasets?${parameters}`, true);
  }

  /**
   * @param {string} path of a page
   * @param {boolean} isFirst
   */
  async #append(path, isFirst = false) {
    const { signal } = this.#control;
    this.#next = null;
    try {
      const { datasets, next } = await json(path, { signal });
      const readable = datasets.filter((/** @type {any} */ { damaged }) => !damaged).map((/** @type {any} */ each) => this.#table(each));
      if (isFirst) {
        this.tree.replaceChildren(...readable);
        this.list.scrollTop = 0;
        this.#tellFirst(datasets);
      } else {
        this.tree.append(...readable);
      }
      this.tree.hidden = this.tree.children.length === 0;
      this.#rove(this.#current);
      this.#next = next ? () => this.#append(next) : null;
      this.more.replaceChildren(next ? 'more…' : this.tree.children.length > 0 ? '' : this.#nothing());
      this.end.unobserve(this.more);
      this.end.observe(this.more);
    } catch (error) {
      if (!signal.aborted) {
        this.more.replaceChildren(failure(error, () => this.#append(path, isFirst)));
      }
    }
    if (!signal.aborted) {
      this.tree.removeAttribute('aria-busy');
    }
  }

  /** @param {{ name: string, rows: number, damaged?: boolean }[]} datasets */
  #tellFirst(datasets) {
    const first = datasets.find(({ damaged, rows }) => !damaged && rows > 0);
    if (this.search.value.trim() === '' && (first || datasets.length === 0)) {
      this.#tell('filled', first?.name ?? null);
    }
  }

  #nothing() {
    return this.search.value.trim() === ''
      ? element('span', {}, 'There are no tables yet. ', element('a', { href: `${base}/` }, 'Upload a file'), ', and it is one.')
      : 'No table has this in its name.';
  }

  /** @param {{ name: string, rows: number }} dataset */
  #table({ name, rows }) {
    const shown = visible(name);
    const write = () => this.#tell('write', name);
    const item = element(
      'li',
      { class: 'table', role: 'treeitem', tabindex: -1, 'aria-expanded': 'false', 'aria-level': 1, 'aria-keyshortcuts': 'Shift+Enter' },
      element('span', { class: 'fold', title: `Columns of ${shown}`, onclick: () => this.#toggle(item) }),
      element('span', { class: 'name', title: `${shown}: a click writes the name`, onclick: write }, isolated(shown)),
      ' ',
      element(
        'span',
        { class: 'end', title: counted(rows, 'row') },
        element('small', { class: 'size' }, grouped(rows)),
        ' ',
        button('Rows', () => this.#tell('rows', name), { tabindex: -1, title: `The first rows of ${shown} (Shift-Enter)` }),
      ),
    );
    this.#names.set(item, name);
    return item;
  }

  /**
   * The names of tables and columns, by their items.
   *
   * @type {WeakMap<Element, string>}
   */
  #names = new WeakMap();

  /**
   * @param {'write' | 'rows' | 'filled'} type
   * @param {string | null} name
   */
  #tell(type, name) {
    this.dispatchEvent(new CustomEvent(type, { detail: name }));
  }

  /**
   * Opens a table, or closes it.
   *
   * @param {Element} item
   */
  async #toggle(item) {
    const isOpen = item.getAttribute('aria-expanded') === 'true';
    item.setAttribute('aria-expanded', String(!isOpen));
    if (isOpen) {
      this.#columnsOf(item).forEach((column) => column.remove());
      return;
    }
    item.setAttribute('aria-busy', 'true');
    /** @type {Element[]} */
    let columns;
    try {
      columns = this.#columns(await columnsOf(this.#names.get(item) ?? ''));
    } catch (error) {
      const again = () => (this.#toggle(item), this.#toggle(item));
      columns = [this.#action(`${error instanceof Error ? error.message : error} Try again`, again)];
    }
    item.removeAttribute('aria-busy');
    if (item.getAttribute('aria-expanded') === 'true' && this.#columnsOf(item).length === 0) {
      item.after(...columns);
    }
  }

  /**
   * The items of the columns of a table that is open.
   *
   * @param {Element} item
   */
  #columnsOf(item) {
    const found = [];
    for (let next = item.nextElementSibling; next?.classList.contains('column'); next = next.nextElementSibling) {
      found.push(next);
    }
    return found;
  }

  /**
   * The items of columns, the last of which makes those of the rest.
   *
   * @param {import('./conditions.js').SchemaField[]} fields
   */
  #columns(fields) {
    const columns = fields.slice(0, COLUMNS_AT_ONCE).map((field) => {
      const item = element(
        'li',
        { class: 'column', role: 'treeitem', tabindex: -1, 'aria-level': 2, title: columnTitle(field), onclick: () => this.#tell('write', field.name) },
        element('span', { class: 'name' }, isolated(columnName(field))),
        ' ',
        element('small', {}, plainType(field.arrowType)),
      );
      this.#names.set(item, field.name);
      return item;
    });
    const rest = fields.slice(COLUMNS_AT_ONCE);
    if (rest.length > 0) {
      const more = this.#action(`${grouped(rest.length)} more…`, () => {
        const others = this.#columns(rest);
        const hadFocus = more === document.activeElement;
        more.replaceWith(...others);
        this.#rove(others[0], hadFocus);
      });
      columns.push(more);
    }
    return columns;
  }

  /**
   * @param {string} text
   * @param {() => unknown} action
   */
  #action(text, action) {
    return element('li', { class: 'column rest', role: 'treeitem', tabindex: -1, 'aria-level': 2, onclick: action }, text);
  }

  // Keys

  /** The items that are in sight, in their order. */
  get #items() {
    return /** @type {HTMLElement[]} */ ([...this.tree.querySelectorAll('[role=treeitem]')]);
  }

  /** The item that Tab reaches. */
  get #current() {
    return /** @type {HTMLElement | null} */ (this.tree.querySelector('[tabindex="0"]'));
  }

  /**
   * Lets Tab reach an item, the first one by default.
   *
   * @param {HTMLElement | null} item
   * @param {boolean} [isFocused] whether it gets the focus
   */
  #rove(item, isFocused = false) {
    const next = item ?? this.#items[0];
    this.#current?.setAttribute('tabindex', '-1');
    next?.setAttribute('tabindex', '0');
    if (isFocused) {
      next?.focus();
    }
  }

  /** @param {FocusEvent} event */
  #focused({ target }) {
    if (target instanceof HTMLElement && target.getAttribute('role') === 'treeitem') {
      this.#rove(target);
    }
  }

  /** @param {KeyboardEvent} event */
  #pressed(event) {
    const item = event.target instanceof Element ? /** @type {HTMLElement | null} */ (event.target.closest('[role=treeitem]')) : null;
    if (!item || event.target !== item || event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    const items = this.#items;
    const at = items.indexOf(item);
    const expanded = item.getAttribute('aria-expanded');
    const parent = items.slice(0, at).findLast((each) => each.hasAttribute('aria-expanded'));
    /** @type {Record<string, () => unknown>} */
    const actions = {
      ArrowDown: () => this.#rove(items[Math.min(at + 1, items.length - 1)], true),
      ArrowUp: () => this.#rove(items[Math.max(at - 1, 0)], true),
      Home: () => this.#rove(items[0], true),
      End: () => this.#rove(items[items.length - 1], true),
      ArrowRight: () => (expanded === 'false' ? this.#toggle(item) : expanded === 'true' && this.#rove(items[at + 1] ?? item, true)),
      ArrowLeft: () => (expanded === 'true' ? this.#toggle(item) : expanded === null && this.#rove(parent ?? item, true)),
      Enter: () => this.#enter(item, event.shiftKey),
    };
    if (Object.hasOwn(actions, event.key)) {
      actions[event.key]();
      event.preventDefault();
    }
  }

  /**
   * @param {HTMLElement} item
   * @param {boolean} isRows whether the rows of a table are wanted
   */
  #enter(item, isRows) {
    const name = this.#names.get(item);
    if (name === undefined) {
      item.click();
    } else if (isRows && item.hasAttribute('aria-expanded')) {
      this.#tell('rows', name);
    } else {
      this.#tell('write', name);
    }
  }
}
