// The drawer beside the rows: a module that is loaded when it is asked for fills it, and the URL tells of it.
// @ts-check

import { Drawer } from '../lib/drawer.js';
import { failure } from '../lib/failure.js';
import { load } from '../lib/modules.js';

const FOLLOW_MILLISECONDS = 150;

const CELL = 'drawers/cell-drawer.js';
const COLUMN = 'drawers/column-drawer.js';
const COPYING = 'grid/copy-drawer.js';
const RECORD = 'drawers/record-drawer.js';

/** The states that tell of the active cell. */
const FOLLOWING = new Set(['value', 'record']);

/**
 * The modules that fill the drawer. Each exports `content(view, …)`, which returns what the drawer shows, or a promise of it.
 *
 * @typedef {typeof CELL | typeof COLUMN | typeof COPYING | typeof RECORD | 'drawers/column-chooser.js' | 'drawers/keys-drawer.js' | 'drawers/link-drawer.js'} DrawerModule
 */

export class RowsDrawer {
  #drawer;
  /**
   * The module whose content is shown, and the parameters of that.
   *
   * @type {{ module: DrawerModule, parameters: any[] } | null}
   */
  #shown = null;
  /**
   * The module of what is on its way, or null.
   *
   * @type {DrawerModule | null}
   */
  #loading = null;
  #control = new AbortController();
  /** @type {number | undefined} */
  #following;

  /**
   * @param {import('../dataset/rows-view.js').RowsView} view
   * @param {() => void} changed called after the state has changed
   */
  constructor(view, changed) {
    this.view = view;
    this.changed = changed;
    this.#drawer = new Drawer(() => view.grid?.element);
    this.#drawer.addEventListener('closed', () => {
      this.#next();
      changed();
    });
  }

  get element() {
    return this.#drawer.element;
  }

  get isOpen() {
    return this.#drawer.isOpen;
  }

  /** Ends what is of no use once the drawer shows something else. */
  get signal() {
    return this.#control.signal;
  }

  /** The state in the URL: `column-5`, `value` for that of the active cell, `record` for its row, or '' for all else. */
  get state() {
    if (!this.isOpen || this.#shown === null) {
      return '';
    }
    const { module, parameters } = this.#shown;
    return module === COLUMN ? `column-${parameters[0]}` : module === CELL ? 'value' : module === RECORD ? 'record' : '';
  }

  /**
   * Opens what a module shows.
   *
   * @param {DrawerModule} module
   * @param {any[]} [parameters]
   * @param {boolean} [keepsFocus] whether the focus stays where it is
   */
  async open(module, parameters = [], keepsFocus = false) {
    const { signal } = this.#next();
    this.#loading = module;
    try {
      const { content } = /** @type {{ content: (...all: any[]) => any }} */ (await load(module));
      const made = await content(this.view, ...parameters);
      // The user wants the latest that was opened or closed.
      if (signal.aborted) {
        made.closed?.();
        return;
      }
      this.#show(made, module, parameters, keepsFocus);
      this.changed();
      this.#revealColumn();
    } catch (error) {
      if (!signal.aborted) {
        // The value of the next cell may be shown.
        this.#show({ title: ['This cannot be shown'], nodes: [failure(error, () => this.open(module, parameters))] }, module, parameters, keepsFocus);
      }
    }
  }

  /**
   * @param {import('../lib/drawer.js').DrawerContent} content
   * @param {DrawerModule} module
   * @param {any[]} parameters
   * @param {boolean} keepsFocus
   */
  #show(content, module, parameters, keepsFocus) {
    this.#loading = null;
    this.#shown = { module, parameters };
    this.#drawer.open(content, keepsFocus);
  }

  /** Ends what the drawer does. */
  #next() {
    this.#control.abort();
    this.#control = new AbortController();
    this.#loading = null;
    return this.#control;
  }

  /** Closes the drawer as its user does. */
  close() {
    this.#drawer.close();
  }

  /** Hides the drawer, which the URL does not tell. */
  hide() {
    this.#next();
    this.#drawer.hide();
  }

  /** @param {number | null} position */
  openColumn(position) {
    return this.open(COLUMN, [position]);
  }

  /** @param {import('../grid/grid.js').OpenedCell} cell */
  openCell(cell, keepsFocus = false) {
    return this.open(CELL, [cell], keepsFocus);
  }

  /**
   * @param {number} row
   * @param {boolean} [keepsFocus]
   */
  openRecord(row, keepsFocus = false) {
    return this.open(RECORD, [row], keepsFocus);
  }

  /** @param {boolean} [isSelection] whether it was asked for from the selection */
  openCopying(isSelection = false) {
    return this.view.grid && this.open(COPYING, [this.view.grid, isSelection]);
  }

  /**
   * @param {string} state that of the value or of the row
   * @param {boolean} [keepsFocus]
   */
  #openActive(state, keepsFocus = false) {
    const { grid } = this.view;
    if (!grid) {
      return;
    }
    const { row, column } = grid.active;
    if (state === 'record') {
      this.openRecord(row, keepsFocus);
    } else {
      this.openCell({ row, column, ...grid.value(row, column) }, keepsFocus);
    }
  }

  /** Lets the value or the row that is shown be that of the active cell. */
  followActive() {
    clearTimeout(this.#following);
    const { state } = this;
    const isSame = state === 'record' && this.#shown?.parameters[0] === this.view.grid?.active.row;
    if (FOLLOWING.has(state) && !isSame) {
      this.#following = setTimeout(() => this.state === state && this.#openActive(state, true), FOLLOW_MILLISECONDS);
    }
  }

  /**
   * Opens what the URL says.
   *
   * @param {string} state
   */
  follow(state) {
    if (state === this.state) {
      return;
    }
    const position = Number(/^column-(\d+)$/.exec(state)?.[1] ?? NaN);
    if (position < this.view.fields.length) {
      this.openColumn(position);
    } else if (FOLLOWING.has(state) && this.view.windows.rows > 0) {
      this.#openActive(state);
    } else {
      this.close();
    }
  }

  /** Shows what is open as it is among other rows or in another order. */
  refresh() {
    const { module, parameters = [] } = (this.isOpen && this.#shown) || {};
    if (module === CELL || module === RECORD || this.#loading === CELL || this.#loading === RECORD) {
      // Its row is another one now.
      this.hide();
    } else if (module === COLUMN) {
      this.open(module, parameters, true);
    } else if (module === COPYING) {
      this.open(module, [this.view.grid], true);
    }
  }

  /** Shows the column of what is open, since the grid may have become narrower. */
  #revealColumn() {
    const { grid, positions } = this.view;
    const { module, parameters: [opened] = [] } = this.#shown ?? {};
    if (module === CELL || module === RECORD) {
      grid?.revealColumn();
    } else if (module === COLUMN && positions.includes(opened)) {
      grid?.revealColumn(positions.indexOf(opened));
    }
  }
}
