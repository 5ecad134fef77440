// A grid of any number of rows and columns, of which only the visible cells are elements.
//
// The pattern is that of ARIA's grid: one element has the focus, and names the active cell.
// @ts-check

import { element, grouped, isolated, visible } from '../lib/elements.js';
import { COARSEST, JSON_VALUE, cell, copiedText, quotedForTabs, sharpened } from './arrow-values.js';
import { ColumnAxis, RowAxis } from './axes.js';
import { plainType } from './plain-types.js';

/** @typedef {{ name: string, arrowType: string, nullable: boolean }} Field */
/** @typedef {{ row: number, column: number }} Cell */
/** @typedef {Cell & { value?: any, type?: import('./arrow-values.js').ValueType }} OpenedCell */

/**
 * The first and the last one of some rows, and of some columns.
 *
 * @typedef {{ rows: [number, number], columns: [number, number] }} CellRange
 */

/**
 * Values of some rows and columns from a first one on, or the failure of their fetch.
 *
 * @typedef {Cell & { columns: import('./arrow-values.js').Vector[], failure?: unknown }} Window
 */

/**
 * A source of the rows of a grid. `at` returns the window of a cell if it was fetched, and `want` fetches the windows of cells.
 * `values` returns the whole values of a row and of the rows after it that fit one response, or null if one row is too long.
 *
 * @typedef {object} RowSource
 * @property {number} rows
 * @property {(row: number, column: number) => Window | undefined} at
 * @property {(cells: [number, number][]) => void} want
 * @property {(row: number, end: number, columns: [number, number], signal: AbortSignal) =>
 *     Promise<{ count: number, columns: import('./arrow-values.js').Vector[] } | null>} values
 */

/**
 * The events of a grid: the user opens a cell or a row, the grid rejects something with a sentence, cells are to be copied that were
 * not fetched, and the grid was painted.
 *
 * @typedef {{ open: OpenedCell, record: number, refused: string, copying: void, painted: { first: number, last: number, complete: boolean } }} GridEvents
 */

/** The cells that are fetched at once. */
export const WINDOW_ROWS = 128;
export const WINDOW_COLUMNS = 32;

const ROW_PIXELS = 26;
const COLUMN_PIXELS = 132;
const LEAST_COLUMN_PIXELS = 48;
const LEAST_NUMBER_PIXELS = 44;
const DIGIT_PIXELS = 8.4;
/** The types whose values may be times with zeros that say nothing. */
const TIMES = /timestamp|time\d/;
// The header has room for a picture of its values.
const LEAST_FITTED_PIXELS = 66;
const MOST_COLUMN_PIXELS = 360;
const FITTED_COLUMNS = 400;
const FITTED_CHARACTERS = 60;
const REST_MILLISECONDS = 40;
const SETTLE_MILLISECONDS = 150;
export const MOST_COPIED_CELLS = 100_000;
const STEP_PIXELS = 24;

let count = 0;

/** The grid. Its listeners are those of [on], and of `active` after another cell has become the active one. */
export class Grid extends EventTarget {
  /** @type {Map<number, HTMLElement>} */
  #heads = new Map();
  /** @type {{ line: HTMLElement, number: HTMLElement, cells: HTMLElement[] }[]} */
  #lines = [];
  /** @type {Cell} */
  #active = { row: 0, column: 0 };
  /** @type {Cell | null} */
  #anchor = null;
  /** @type {number | null} */
  #frame = null;
  /**
   * The windows of columns whose widths are fitted to values.
   *
   * @type {Set<number>}
   */
  #fitted = new Set();
  #isTapped = false;
  #laidOut = false;
  /** @type {HTMLElement | null} */
  #activeCell = null;
  /** @type {number | undefined} */
  #settling;
  /** @type {number | undefined} */
  #resting;
  #painted = 0;
  #scrollTop = 0;
  /**
   * The precision of the times of columns, which only increases.
   *
   * @type {Map<number, import('./arrow-values.js').Precision>}
   */
  #precisions = new Map();
  /** The width of the numbers of the rows. */
  #numberPixels = LEAST_NUMBER_PIXELS;
  /** Whether columns keep at least the widths that they had among other rows. */
  #keepsWidths = false;
  #startLeft = 0;

  /**
   * @param {object} options
   * @param {RowSource} options.windows
   * @param {Field[]} options.fields those of the schema document: `name`, `arrowType`
   * @param {string} options.label
   * @param {(field: Field, column: number) => HTMLElement} options.head makes the content of a column's header
   * @param {(column: number) => string} [options.sorted] how the rows are sorted by a column, in the words of ARIA
   */
  constructor({ windows, fields, label, head, sorted = () => 'none' }) {
    super();
    this.windows = windows;
    this.fields = fields;
    this.head = head;
    this.sorted = sorted;
    this.rows = new RowAxis(windows.rows, ROW_PIXELS);
    this.columns = new ColumnAxis(fields.map(() => COLUMN_PIXELS));
    this.id = `grid-${count++}`;
    this.headRow = element('div', { class: 'heads', role: 'row', 'aria-rowindex': 1 });
    this.body = element('div', { class: 'lines', role: 'rowgroup' });
    this.pane = element('div', { class: 'pane', role: 'presentation' }, this.headRow, this.body);
    this.space = element('div', { class: 'space', role: 'presentation' }, this.pane);
    this.element = element(
      'div',
      {
        class: 'grid',
        role: 'grid',
        tabindex: 0,
        'aria-label': label,
        'aria-rowcount': windows.rows + 1,
        // The first one has the numbers of the rows.
        'aria-colcount': fields.length + 1,
        'aria-multiselectable': 'true',
        onkeydown: (event) => this.#pressed(event),
        onmousedown: (event) => this.#clicked(event),
        onmousemove: (event) => this.#dragged(event),
        onpointerdown: (event) => this.#touched(event),
        onclick: (event) => this.#tapped(event),
        ondblclick: (event) => cellAt(event) && this.#open(),
        oncopy: (event) => this.#copied(event),
      },
      this.space,
    );
    this.#fitNumbers();
    this.element.addEventListener('scroll', () => this.#scrolled(), { passive: true });
    new ResizeObserver(() => this.#layOut()).observe(this.element);
  }

  /**
   * Calls a listener with what the grid tells.
   *
   * @template {keyof GridEvents} Name
   * @param {Name} name
   * @param {(detail: GridEvents[Name]) => unknown} listener
   */
  on(name, listener) {
    this.addEventListener(name, (event) => listener(/** @type {CustomEvent} */ (event).detail));
  }

  /**
   * @template {keyof GridEvents} Name
   * @param {Name} name
   * @param {GridEvents[Name]} detail
   */
  #tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  get active() {
    return this.#active;
  }

  /**
   * The precision with which the times of a column are shown.
   *
   * @param {number} column
   */
  precision(column) {
    return this.#precisions.get(column);
  }

  /**
   * Places the same columns as another grid has them, so that other rows take their place without a jump.
   *
   * @param {Grid} other
   */
  follow(other) {
    this.columns = other.columns;
    this.#precisions = other.#precisions;
    this.#keepsWidths = other.#fitted.size > 0;
    this.#startLeft = other.element.scrollLeft;
  }

  /**
   * Makes a cell the active one, and visible.
   *
   * @param {number} row
   * @param {number} column
   * @param {boolean} [extend]
   */
  go(row, column, extend = false) {
    this.#anchor = extend ? (this.#anchor ?? this.#active) : null;
    this.#active = {
      row: Math.min(Math.max(0, row), Math.max(0, this.windows.rows - 1)),
      column: Math.min(Math.max(0, column), this.fields.length - 1),
    };
    if (this.rows.reveal(this.#active.row)) {
      this.#synchronize();
    }
    this.revealColumn();
    this.paintSoon();
    this.dispatchEvent(new Event('active'));
  }

  /** Makes a column visible, by default that of the active cell. */
  revealColumn(column = this.#active.column) {
    const start = this.columns.start(column);
    const end = start + this.columns.width(column) + this.#numberPixels;
    const left = this.element.scrollLeft;
    if (start < left) {
      this.element.scrollLeft = start;
    } else if (end > left + this.element.clientWidth) {
      this.element.scrollLeft = Math.min(start, end - this.element.clientWidth);
    }
  }

  /** Shows the rows that the source has by now, which may be more than before. */
  grow() {
    this.rows.count = this.windows.rows;
    this.element.setAttribute('aria-rowcount', String(this.windows.rows + 1));
    this.#fitNumbers();
    this.#layOut();
  }

  /** Paints at the next frame. */
  paintSoon() {
    this.#frame ??= requestAnimationFrame(() => {
      this.#frame = null;
      this.#paint();
    });
  }

  /**
   * The value of a cell and its type, or null if it is not here.
   *
   * @param {number} row
   * @param {number} column
   */
  value(row, column) {
    const window = this.windows.at(row, column);
    if (!window || window.failure) {
      return null;
    }
    const values = window.columns[column - window.column];
    return { value: values.at(row - window.row), type: values.type };
  }

  /**
   * The value of a cell and its type, or null if it is not here or cannot be decoded.
   *
   * @param {number} row
   * @param {number} column
   */
  #valueAt(row, column) {
    try {
      return this.value(row, column);
    } catch {
      return null;
    }
  }

  /**
   * @param {number} row
   * @param {number} column
   */
  #shownAt(row, column) {
    const window = this.windows.at(row, column);
    return window && !window.failure ? cellOf(window.columns[column - window.column], row - window.row, this.#precisions.get(column)) : null;
  }

  // Layout

  /** Fits the width of the numbers of the rows to the last one. */
  #fitNumbers() {
    const digits = grouped(Math.max(0, this.windows.rows - 1)).length;
    this.#numberPixels = Math.max(LEAST_NUMBER_PIXELS, Math.ceil(digits * DIGIT_PIXELS) + 22);
    this.element.style.setProperty('--number-width', `${this.#numberPixels}px`);
  }

  #layOut() {
    const height = this.element.clientHeight - this.headRow.offsetHeight;
    if (this.element.clientHeight === 0) {
      return;
    }
    this.rows.resize(height);
    this.space.style.height = `${this.rows.length + this.headRow.offsetHeight}px`;
    this.space.style.width = `${this.columns.length + this.#numberPixels}px`;
    this.pane.style.width = `${this.element.clientWidth}px`;
    this.pane.style.height = `${this.element.clientHeight}px`;
    if (!this.#laidOut) {
      // Until now there was nothing to scroll.
      this.#laidOut = true;
      this.rows.reveal(this.#active.row);
      this.#synchronize();
      this.element.scrollLeft = this.#startLeft;
      this.revealColumn();
    }
    this.paintSoon();
  }

  /**
   * Fits the columns in sight to the rows in sight, so that no digit is cut that need not be: those of a window once, when
   * the first of its values are here. The first time, other columns are fitted to their headers. Later, none becomes
   * narrower, and the first one in sight stays where it is.
   *
   * @param {number} first
   * @param {number} last
   * @param {[number, number]} columns
   */
  #fit(first, last, [from, to]) {
    const rows = numbers(first, last);
    const windows = numbers(Math.floor(from / WINDOW_COLUMNS), Math.ceil(to / WINDOW_COLUMNS));
    const arrived = windows.filter((each) => !this.#fitted.has(each) && rows.every((row) => this.#isHere(row, each * WINDOW_COLUMNS)));
    if (arrived.length === 0) {
      return;
    }
    const isFirst = this.#fitted.size === 0 && !this.#keepsWidths;
    const measure = this.#measure();
    const start = this.columns.start(from);
    /** @param {number} column */
    const least = (column) => (isFirst ? 0 : this.columns.width(column));
    if (isFirst) {
      numbers(0, Math.min(this.fields.length, FITTED_COLUMNS)).forEach((column) => this.columns.resize(column, this.#fittedWidth(measure, column, [])));
    }
    for (const each of arrived) {
      this.#fitted.add(each);
      const end = Math.min((each + 1) * WINDOW_COLUMNS, this.fields.length);
      numbers(each * WINDOW_COLUMNS, end).forEach((column) =>
        this.columns.resize(column, Math.max(least(column), this.#fittedWidth(measure, column, rows))),
      );
    }
    this.#layOut();
    if (isFirst) {
      this.revealColumn();
    } else {
      this.element.scrollLeft += this.columns.start(from) - start;
    }
  }

  /**
   * @param {number} row
   * @param {number} column
   */
  #isHere(row, column) {
    const window = this.windows.at(row, column);
    return window !== undefined && !window.failure;
  }

  /**
   * Fits one column to what is in sight of it, also if it becomes narrower.
   *
   * @param {number} column
   */
  #fitColumn(column) {
    const first = Math.floor(this.rows.top);
    const rows = numbers(first, Math.min(first + this.rows.visible + 2, this.windows.rows));
    this.columns.resize(column, this.#fittedWidth(this.#measure(), column, rows));
    this.#layOut();
  }

  /** Returns a function of the width of a text in pixels. */
  #measure() {
    const context = /** @type {CanvasRenderingContext2D} */ (document.createElement('canvas').getContext('2d'));
    const style = getComputedStyle(this.element);
    context.font = `600 ${style.fontSize} ${style.fontFamily}`;
    return (/** @type {string} */ text) => context.measureText(text.slice(0, FITTED_CHARACTERS)).width;
  }

  /**
   * The width of a column for its header and some rows.
   *
   * @param {(text: string) => number} measure
   * @param {number} column
   * @param {number[]} rows
   */
  #fittedWidth(measure, column, rows) {
    const { name, arrowType } = this.fields[column];
    let width = Math.max(LEAST_FITTED_PIXELS, measure(name), measure(plainType(arrowType)) * 0.9);
    for (const row of rows) {
      const found = this.#shownAt(row, column);
      width = Math.max(width, found ? measure(found.text) : 0);
    }
    return Math.min(MOST_COLUMN_PIXELS, Math.ceil(width) + 40);
  }

  #scrolled() {
    if (this.element.scrollTop !== this.#scrollTop) {
      this.#scrollTop = this.element.scrollTop;
      this.rows.scrolledTo(this.#scrollTop);
      clearTimeout(this.#settling);
      if (this.rows.hasDrifted) {
        this.#settling = setTimeout(() => this.#synchronize(), SETTLE_MILLISECONDS);
      }
    }
    this.paintSoon();
  }

  /** Moves the scroll bar to the rows. */
  #synchronize() {
    this.element.scrollTop = this.rows.offset;
    // Browsers round it.
    this.#scrollTop = this.element.scrollTop;
    this.rows.synchronized(this.#scrollTop);
  }

  // Painting

  #paint() {
    if (this.element.clientHeight === 0) {
      return;
    }
    const left = this.element.scrollLeft;
    const columns = this.columns.between(left, left + this.element.clientWidth);
    const first = Math.floor(this.rows.top);
    const last = Math.min(first + this.rows.visible + 2, this.windows.rows);
    this.#sharpen(first, last, columns);
    this.#paintHeads(columns, left);
    /** @type {Map<string, [number, number]>} */
    const missing = new Map();
    this.#paintLines(first, last, columns, left, missing);
    this.#fetch(missing);
    this.#fit(first, last, columns);
    this.#tell('painted', { first, last, complete: missing.size === 0 });
  }

  /**
   * Shows the times of columns as finely as those in sight need.
   *
   * @param {number} first
   * @param {number} last
   * @param {[number, number]} columns
   */
  #sharpen(first, last, [from, to]) {
    for (let column = from; column < to; column++) {
      if (!TIMES.test(this.fields[column].arrowType)) {
        continue;
      }
      let precision = this.#precisions.get(column) ?? COARSEST;
      for (let row = first; row < last; row++) {
        const found = this.#valueAt(row, column);
        precision = found ? sharpened(precision, found.value, found.type) : precision;
      }
      this.#precisions.set(column, precision);
    }
  }

  /**
   * @param {[number, number]} columns
   * @param {number} left
   */
  #paintHeads([from, to], left) {
    for (const [column, head] of this.#heads) {
      if (column < from || column >= to) {
        head.remove();
        this.#heads.delete(column);
      }
    }
    for (let column = from; column < to; column++) {
      let head = this.#heads.get(column);
      if (!head) {
        const attributes = { class: 'head', role: 'columnheader', 'aria-colindex': column + 2, 'aria-sort': this.sorted(column) };
        head = element('div', attributes, this.head(this.fields[column], column), this.#handle(column));
        this.#heads.set(column, head);
        this.headRow.append(head);
      }
      this.#place(head, column, left);
    }
  }

  /**
   * @param {HTMLElement} target
   * @param {number} column
   * @param {number} left
   */
  #place(target, column, left) {
    target.style.transform = `translateX(${this.columns.start(column) - left + this.#numberPixels}px)`;
    target.style.width = `${this.columns.width(column)}px`;
  }

  /**
   * @param {number} first
   * @param {number} last
   * @param {[number, number]} columns
   * @param {number} left
   * @param {Map<string, [number, number]>} missing
   */
  #paintLines(first, last, [from, to], left, missing) {
    const shift = (first - this.rows.top) * ROW_PIXELS;
    const before = this.#activeCell;
    this.#activeCell = null;
    while (this.#lines.length < last - first) {
      const number = element('div', { class: 'rownumber', role: 'rowheader', 'aria-colindex': 1 });
      const line = element('div', { class: 'line', role: 'row' }, number);
      this.#lines.push({ line, number, cells: [] });
      this.body.append(line);
    }
    this.#lines.forEach((each, i) => {
      const row = first + i;
      each.line.hidden = row >= last;
      if (each.line.hidden) {
        return;
      }
      each.line.setAttribute('aria-rowindex', String(row + 2));
      each.line.style.transform = `translateY(${shift + i * ROW_PIXELS}px)`;
      setText(each.number, grouped(row));
      while (each.cells.length < to - from) {
        const made = element('div', { role: 'gridcell', dir: 'auto' });
        each.cells.push(made);
        each.line.append(made);
      }
      each.cells.forEach((target, j) => {
        const column = from + j;
        target.hidden = column >= to;
        if (!target.hidden) {
          this.#place(target, column, left);
          this.#paintCell(target, row, column, missing);
        }
      });
    });
    this.#nameActive(before);
  }

  /**
   * Names the active cell for screen readers, or none if it is out of sight.
   *
   * @param {HTMLElement | null} before
   */
  #nameActive(before) {
    const active = this.#activeCell;
    if (active === before) {
      return;
    }
    before?.removeAttribute('id');
    if (active) {
      active.id = `${this.id}-active`;
      this.element.setAttribute('aria-activedescendant', active.id);
    } else {
      this.element.removeAttribute('aria-activedescendant');
    }
  }

  /**
   * @param {HTMLElement} target
   * @param {number} row
   * @param {number} column
   * @param {Map<string, [number, number]>} missing
   */
  #paintCell(target, row, column, missing) {
    const window = this.windows.at(row, column);
    let shown;
    if (!window) {
      missing.set(`${Math.floor(row / WINDOW_ROWS)} ${Math.floor(column / WINDOW_COLUMNS)}`, [row, column]);
      shown = { text: '', kind: 'waiting' };
    } else if (window.failure) {
      shown = { text: '·', kind: 'failed' };
    } else {
      const values = window.columns[column - window.column];
      shown = cellOf(values, row - window.row, this.#precisions.get(column));
    }
    setText(target, shown.text);
    const active = row === this.#active.row && column === this.#active.column;
    const kind = `cell ${shown.kind}${this.#isSelected(row, column) ? ' selected' : ''}${active ? ' active' : ''}`;
    if (target.className !== kind) {
      target.className = kind;
    }
    target.setAttribute('aria-colindex', String(column + 2));
    target.setAttribute('aria-selected', String(active || this.#isSelected(row, column)));
    target.dataset.row = String(row);
    target.dataset.column = String(column);
    if (active) {
      this.#activeCell = target;
    }
  }

  /**
   * Fetches what is missing: after a rest, if the rows jump.
   *
   * @param {Map<string, [number, number]>} missing
   */
  #fetch(missing) {
    clearTimeout(this.#resting);
    const now = performance.now();
    const moves = now - this.#painted < REST_MILLISECONDS;
    this.#painted = now;
    const ask = () => this.windows.want([...missing.values()]);
    if (missing.size > 0 && moves && this.rows.isScaled) {
      this.#resting = setTimeout(ask, REST_MILLISECONDS);
    } else if (missing.size > 0) {
      ask();
    }
  }

  // Selection

  /** Whether more than one cell is selected. */
  get isSelecting() {
    return this.#anchor !== null && (this.#anchor.row !== this.#active.row || this.#anchor.column !== this.#active.column);
  }

  /**
   * The first and the last of the selected rows, and of the columns.
   *
   * @returns {CellRange}
   */
  get selection() {
    const other = this.#anchor ?? this.#active;
    return {
      rows: [Math.min(other.row, this.#active.row), Math.max(other.row, this.#active.row)],
      columns: [Math.min(other.column, this.#active.column), Math.max(other.column, this.#active.column)],
    };
  }

  /**
   * @param {number} row
   * @param {number} column
   */
  #isSelected(row, column) {
    if (!this.#anchor) {
      return false;
    }
    const { rows, columns } = this.selection;
    return row >= rows[0] && row <= rows[1] && column >= columns[0] && column <= columns[1];
  }

  /**
   * Puts the selected cells on the clipboard, as lines with tabs, if all of them are here.
   *
   * @param {ClipboardEvent} event
   */
  #copied(event) {
    const { rows, columns } = this.selection;
    if ((rows[1] - rows[0] + 1) * (columns[1] - columns[0] + 1) > MOST_COPIED_CELLS) {
      this.#tell('refused', `At most ${grouped(MOST_COPIED_CELLS)} cells are copied at once`);
      return;
    }
    const lines = [];
    for (let row = rows[0]; row <= rows[1]; row++) {
      const line = [];
      for (let column = columns[0]; column <= columns[1]; column++) {
        const found = this.value(row, column);
        if (!found || found.type === JSON_VALUE) {
          // They have to be fetched, which the clipboard does not wait for.
          this.#tell('copying', undefined);
          return;
        }
        try {
          line.push(found.value === null ? '' : quotedForTabs(copiedText(found.value, found.type)));
        } catch {
          // The side tells which one it is.
          this.#tell('copying', undefined);
          return;
        }
      }
      lines.push(line.join('\t'));
    }
    event.clipboardData?.setData('text/plain', lines.join('\n'));
    event.preventDefault();
  }

  // Keys and the mouse

  /** @param {KeyboardEvent} event */
  #pressed(event) {
    const { row, column } = this.#active;
    const far = event.ctrlKey || event.metaKey;
    const page = Math.max(1, this.rows.visible - 1);
    const lastRow = this.windows.rows - 1;
    const lastColumn = this.fields.length - 1;
    /** @type {Record<string, [number, number]>} */
    const targets = {
      ArrowDown: [far ? lastRow : row + 1, column],
      ArrowUp: [far ? 0 : row - 1, column],
      ArrowRight: [row, far ? lastColumn : column + 1],
      ArrowLeft: [row, far ? 0 : column - 1],
      PageDown: [row + page, column],
      PageUp: [row - page, column],
      Home: [far ? 0 : row, 0],
      End: [far ? lastRow : row, lastColumn],
    };
    if (Object.hasOwn(targets, event.key) && !event.altKey) {
      this.go(...targets[event.key], event.shiftKey);
    } else if ((event.key === '+' || event.key === '-') && !far && !event.altKey) {
      this.#resize(column, this.columns.width(column) + (event.key === '+' ? STEP_PIXELS : -STEP_PIXELS));
      this.revealColumn();
    } else if (event.key === 'Enter') {
      this.#open();
    } else if (event.key === 'Escape' && this.#anchor) {
      this.go(row, column);
    } else {
      return;
    }
    event.preventDefault();
  }

  /** @param {MouseEvent} event */
  #clicked(event) {
    const target = cellAt(event);
    const number = event.target instanceof Element ? event.target.closest('.rownumber') : null;
    if (number && event.button === 0) {
      const row = Number(number.parentElement?.getAttribute('aria-rowindex')) - 2;
      this.go(row, this.#active.column);
      this.#tell('record', row);
    } else if (target && event.button === 0) {
      this.go(Number(target.dataset.row), Number(target.dataset.column), event.shiftKey);
    }
  }

  /**
   * Notes that the active cell is touched.
   *
   * @param {PointerEvent} event
   */
  #touched(event) {
    this.#isTapped = event.pointerType !== 'mouse' && this.#isActive(cellAt(event));
  }

  /**
   * A tap on the active cell opens it. A mouse has double clicks for that.
   *
   * @param {MouseEvent} event
   */
  #tapped(event) {
    if (this.#isTapped && this.#isActive(cellAt(event))) {
      this.#open();
    }
    this.#isTapped = false;
  }

  /** @param {HTMLElement | null} target */
  #isActive(target) {
    return target !== null && Number(target.dataset.row) === this.#active.row && Number(target.dataset.column) === this.#active.column;
  }

  /** @param {MouseEvent} event */
  #dragged(event) {
    const target = event.buttons === 1 ? cellAt(event) : null;
    const row = Number(target?.dataset.row);
    const column = Number(target?.dataset.column);
    if (target && (row !== this.#active.row || column !== this.#active.column)) {
      this.go(row, column, true);
    }
  }

  #open() {
    const found = this.value(this.#active.row, this.#active.column);
    if (found) {
      this.#tell('open', { ...this.#active, ...found });
    }
  }

  /**
   * Returns the handle that changes the width of a column.
   *
   * @param {number} column
   */
  #handle(column) {
    const handle = element('span', { class: 'handle', role: 'presentation' });
    handle.addEventListener('pointerdown', (event) => {
      const start = event.clientX;
      const width = this.columns.width(column);
      handle.setPointerCapture(event.pointerId);
      handle.onpointermove = (moved) => this.#resize(column, width + moved.clientX - start);
      handle.onlostpointercapture = () => (handle.onpointermove = null);
      event.preventDefault();
      event.stopPropagation();
    });
    handle.addEventListener('dblclick', () => this.#fitColumn(column));
    return handle;
  }

  /**
   * @param {number} column
   * @param {number} width
   */
  #resize(column, width) {
    this.columns.resize(column, Math.max(LEAST_COLUMN_PIXELS, width));
    this.#layOut();
  }
}

/**
 * The whole numbers from one on and before another.
 *
 * @param {number} from
 * @param {number} to
 */
function numbers(from, to) {
  return Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i);
}

/**
 * The element of the cell that an event is about, or null.
 *
 * @param {Event} event
 * @returns {HTMLElement | null}
 */
function cellAt({ target }) {
  return target instanceof Element ? target.closest('[data-row]') : null;
}

/**
 * A cell whose value the decoder cannot read is one that says so, and leaves the others as they are.
 *
 * @param {import('./arrow-values.js').Vector} values
 * @param {number} i
 * @param {import('./arrow-values.js').Precision} [precision]
 * @returns {import('./arrow-values.js').CellText}
 */
function cellOf(values, i, precision) {
  try {
    return cell(values.at(i), values.type, precision);
  } catch {
    return { text: 'cannot be shown', kind: 'failed' };
  }
}

/**
 * @param {HTMLElement} target
 * @param {string} text
 */
function setText(target, text) {
  if (target.textContent !== text) {
    target.textContent = text;
  }
}

/**
 * The name of a column as it is shown.
 *
 * @param {{ name: string }} field
 */
export const columnName = ({ name }) => (name === '' ? '(no name)' : visible(name));

/** @param {Field} field */
export const columnTitle = (field) => `${columnName(field)}: ${field.arrowType}${field.nullable ? '' : ', not null'}`;

/**
 * The header of a column: its name and type, which open what is known of it, a button that sorts, and room for a picture.
 *
 * @param {Field} field
 * @param {object} options
 * @param {number} options.position
 * @param {import('./sorts.js').Sort[] | null} options.sorts those of the rows, or null if they cannot be sorted
 * @param {(event: MouseEvent) => unknown} options.open
 * @param {(adds: boolean) => unknown} options.sort called with whether other columns stay in the order
 */
export function columnHead(field, { position, sorts, open, sort }) {
  const name = columnName(field);
  const [arrow, next] = {
    none: ['↕', `Sort by ${name}, ascending`],
    ascending: ['↑', `Sort by ${name}, descending`],
    descending: ['↓', `Stop sorting by ${name}`],
  }[directionOf(sorts ?? [], position)];
  const rank = sorts && sorts.length > 1 ? sorts.findIndex((each) => each.position === position) + 1 : 0;
  return element(
    'div',
    {},
    element(
      'button',
      { type: 'button', class: 'column', tabindex: -1, title: columnTitle(field), onclick: open },
      element('strong', {}, isolated(name)),
      element('small', {}, plainType(field.arrowType)),
    ),
    sorts
      ? element(
          'button',
          { type: 'button', class: 'sort', tabindex: -1, title: `${next}. With Shift, beside other columns`, 'aria-label': next, onclick: (event) => sort(event.shiftKey) },
          rank > 0 ? `${arrow}${rank}` : arrow,
        )
      : null,
    element('span', { class: 'summary', 'data-position': position }),
  );
}

/**
 * The order of rows by a column, in the terms of ARIA.
 *
 * @param {import('./sorts.js').Sort[]} sorts
 * @param {number} position
 */
export function directionOf(sorts, position) {
  const sort = sorts.find((each) => each.position === position);
  return !sort ? 'none' : sort.descending ? 'descending' : 'ascending';
}
