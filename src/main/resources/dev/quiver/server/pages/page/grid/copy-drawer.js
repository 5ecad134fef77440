// The drawer in which cells are chosen to be copied or saved as text.
// @ts-check

import { copyWhenDone, save, select } from '../lib/clipboard.js';
import { counted, element, grouped, tell, visible } from '../lib/elements.js';
import { failure } from '../lib/failure.js';
import { MOST_SHOWN_CHARACTERS } from './cell-content.js';
import { FORMATS, countOf, sizeOf, textOf } from './cell-formats.js';
import { MOST_COPIED_CELLS } from './grid.js';

const PREVIEWED_ROWS = 10;
const PREVIEWED_COLUMNS = 100;
const REST_MILLISECONDS = 150;

/** The format that was chosen last, until the page is left. */
let lastFormat = 'CSV';

/**
 * Lets the user choose cells and a format, at the side.
 *
 * @param {{ name: string }} view its name is that of a file, without its suffix
 * @param {import('./grid.js').Grid} grid has the selection, the fields, and their values behind `windows.values()`
 * @param {boolean} [isSelection] whether the selection was asked for; otherwise a single cell is not taken for one
 * @returns {import('../lib/drawer.js').DrawerContent}
 */
export function content(view, grid, isSelection = false) {
  const copying = new Copying(view.name, grid, isSelection);
  return { title: ['Copy'], nodes: [copying.element], closed: () => copying.close() };
}

class Copying {
  #previewing = new AbortController();
  /** @type {AbortController | null} */
  #making = null;
  #closing = new AbortController();
  /**
   * The latest text, which may be on its way, and what it is of.
   *
   * @type {{ of: string, text: Promise<string> } | null}
   */
  #made = null;

  /**
   * @param {string} name
   * @param {import('./grid.js').Grid} grid
   * @param {boolean} isSelection
   */
  constructor(name, grid, isSelection) {
    this.name = name.replaceAll(/[^\w.-]/g, '_');
    this.grid = grid;
    this.isAll = !isSelection && countOf(grid.selection) === 1;
    this.parts = element('fieldset', {});
    const formats = element('fieldset', { class: 'formats' }, element('legend', {}, 'Format'), ...Object.keys(FORMATS).map((format) => this.#format(format)));
    this.submit = element('button', { class: 'primary' }, 'Copy');
    this.saving = element('button', { type: 'button', onclick: () => this.#save() }, 'Save');
    this.cancel = element('button', { type: 'button', hidden: true, onclick: () => this.#making?.abort() }, 'Cancel');
    this.progress = element('progress', { hidden: true, 'aria-label': 'Rows that are here' });
    this.told = element('p', { class: 'count', role: 'status' });
    this.problem = element('div');
    this.shown = element('pre', { role: 'group', tabindex: 0, 'aria-label': 'How it begins', class: 'copied' });
    /** @param {Event} event */
    const submitted = (event) => {
      event.preventDefault();
      this.#copy();
    };
    this.element = element(
      'div',
      { class: 'copying' },
      element('form', { onsubmit: submitted }, this.parts, formats, element('div', { class: 'bar' }, this.submit, this.saving, this.cancel, this.progress)),
      this.told,
      this.problem,
      this.shown,
    );
    /** @type {number | undefined} */
    this.resting = undefined;
    const moved = () => {
      clearTimeout(this.resting);
      this.resting = setTimeout(() => this.#moved(), REST_MILLISECONDS);
    };
    grid.addEventListener('active', moved, { signal: this.#closing.signal });
    this.#show();
  }

  /** Ends all that is under way. */
  close() {
    clearTimeout(this.resting);
    this.#closing.abort();
    this.#previewing.abort();
    this.#making?.abort();
  }

  /** @param {string} format */
  #format(format) {
    const chosen = () => {
      lastFormat = format;
      this.#show();
    };
    return element('label', {}, element('input', { type: 'radio', name: 'format', value: format, checked: format === lastFormat, onchange: chosen }), ' ', format);
  }

  /**
   * @param {boolean} isAll
   * @param {string} label
   * @param {import('./grid.js').CellRange} cells
   */
  #part(isAll, label, cells) {
    const count = countOf(cells);
    const chosen = () => {
      this.isAll = isAll;
      this.#show();
    };
    const input = element('input', { type: 'radio', name: 'part', checked: this.#isAll === isAll, disabled: count > MOST_COPIED_CELLS, onchange: chosen });
    const size = `${counted(sizeOf(cells.rows), 'row')} of ${counted(sizeOf(cells.columns), 'column')}`;
    const more = count > MOST_COPIED_CELLS ? `, more than ${grouped(MOST_COPIED_CELLS)} cells` : '';
    return element('label', {}, input, ` ${label}: ${size}${more}`);
  }

  /** @returns {import('./grid.js').CellRange} */
  get #all() {
    return { rows: [0, this.grid.windows.rows - 1], columns: [0, this.grid.fields.length - 1] };
  }

  get #isAll() {
    return this.isAll && countOf(this.#all) <= MOST_COPIED_CELLS;
  }

  get #cells() {
    return this.#isAll ? this.#all : this.grid.selection;
  }

  #moved() {
    if (this.#making) {
      // The copy keeps the cells that were chosen when it began.
      this.hasMoved = true;
    } else if (this.#isAll) {
      this.#offerParts();
    } else {
      this.#show();
    }
  }

  #offerParts() {
    const hadFocus = this.parts.contains(document.activeElement);
    const selection = this.#part(false, 'selected', this.grid.selection);
    this.parts.replaceChildren(element('legend', {}, 'Cells'), selection, this.#part(true, 'all', this.#all));
    if (hadFocus) {
      /** @type {HTMLElement | null} */ (this.parts.querySelector(':checked'))?.focus();
    }
  }

  /** Shows what is chosen, and how it begins. */
  async #show() {
    this.#making?.abort();
    this.#previewing.abort();
    this.#previewing = new AbortController();
    const { signal } = this.#previewing;
    this.#offerParts();
    this.problem.replaceChildren();
    const { rows, columns } = this.#cells;
    const count = this.grid.windows.rows === 0 ? 0 : countOf(this.#cells);
    const isPossible = count > 0 && count <= MOST_COPIED_CELLS;
    this.submit.disabled = !isPossible;
    this.saving.disabled = !isPossible;
    this.told.textContent = '';
    if (!isPossible) {
      this.told.textContent = count === 0 ? 'There are no rows to copy.' : 'Select less, or take a download.';
      this.shown.textContent = '';
      this.shown.removeAttribute('aria-busy');
      return;
    }
    const first = { rows: beginning(rows, PREVIEWED_ROWS), columns: beginning(columns, PREVIEWED_COLUMNS) };
    this.shown.setAttribute('aria-busy', 'true');
    try {
      const text = await textOf(this.grid, first, lastFormat, signal);
      const isWhole = countOf(first) === count && text.length <= MOST_SHOWN_CHARACTERS;
      this.shown.textContent = lines(text.slice(0, MOST_SHOWN_CHARACTERS)) + (isWhole ? '' : '…');
    } catch (error) {
      if (signal.aborted) {
        return;
      }
      this.shown.textContent = '';
      this.#fail(error, () => this.#show());
    }
    this.shown.removeAttribute('aria-busy');
  }

  async #copy() {
    const text = this.#text();
    const unable = async () => {
      const whole = await text;
      if (whole.length > MOST_SHOWN_CHARACTERS) {
        tell('This browser does not let the page copy that much. Save it instead.');
        return;
      }
      this.shown.textContent = whole;
      select(this.shown);
    };
    await this.#attempt(() => copyWhenDone(text, unable), () => this.#copy());
  }

  async #save() {
    const { suffix, mediaType } = FORMATS[lastFormat];
    await this.#attempt(async () => save(new Blob([await this.#text()], { type: mediaType }), this.name + suffix), () => this.#save());
  }

  /**
   * @param {() => Promise<unknown>} action
   * @param {() => unknown} retry
   */
  async #attempt(action, retry) {
    this.problem.replaceChildren();
    try {
      await action();
    } catch (error) {
      if (!(error instanceof DOMException && error.name === 'AbortError')) {
        this.#fail(error, retry);
      }
    }
  }

  /**
   * @param {unknown} error
   * @param {() => unknown} retry
   */
  #fail(error, retry) {
    this.problem.replaceChildren(failure(error, retry));
  }

  /** Returns the text of all that is chosen: that of the last time if it is the same. */
  #text() {
    const of = JSON.stringify([lastFormat, this.#cells]);
    if (this.#made?.of !== of) {
      const made = { of, text: this.#make(lastFormat, this.#cells) };
      this.#made = made;
      made.text.catch(() => {
        if (this.#made === made) {
          this.#made = null;
        }
      });
    }
    return this.#made.text;
  }

  /**
   * @param {string} format
   * @param {import('./grid.js').CellRange} cells
   */
  async #make(format, cells) {
    this.#making?.abort();
    const making = new AbortController();
    this.#making = making;
    this.told.textContent = '';
    this.progress.max = sizeOf(cells.rows);
    this.progress.value = 0;
    this.progress.hidden = false;
    this.cancel.hidden = false;
    try {
      const text = await textOf(this.grid, cells, format, making.signal, (rows) => (this.progress.value = rows));
      this.told.textContent = `${counted(sizeOf(cells.rows), 'row')}, ${counted(text.length, 'character')}`;
      return text;
    } finally {
      if (this.#making === making) {
        this.#making = null;
        this.progress.hidden = true;
        if (document.activeElement === this.cancel) {
          this.submit.focus();
        }
        this.cancel.hidden = true;
        if (this.hasMoved && !this.#closing.signal.aborted) {
          this.hasMoved = false;
          this.#moved();
        }
      }
    }
  }
}

/**
 * @param {[number, number]} range
 * @param {number} most
 * @returns {[number, number]}
 */
const beginning = ([first, last], most) => [first, Math.min(last, first + most - 1)];

/**
 * A text whose lines stay, and whose other hidden characters are visible.
 *
 * @param {string} text
 */
const lines = (text) => text.split(/\r?\n/).map((line) => line.split('\t').map(visible).join('\t')).join('\n');
