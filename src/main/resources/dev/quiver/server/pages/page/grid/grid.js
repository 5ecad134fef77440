// A grid of any number of rows and columns, of which only the visible cells are elements.
//
// The pattern is that of ARIA's grid: one element has the focus, and names the active cell.

import { element, grouped, isolated, visible } from '../lib/elements.js';
import { JSON_VALUE, cell, copiedText, quotedForTabs } from './arrow-values.js';

/** The cells that are fetched at once. */
export const WINDOW_ROWS = 128;
export const WINDOW_COLUMNS = 32;

// Browsers end elements at 17 million pixels or more.
const MOST_PIXELS = 8_000_000;

/** The rows of a grid, of any number, behind a scroll bar of at most eight million pixels. */
class RowAxis {
  /** The first visible row, with the part of it that is above. */
  top = 0;

  #lastOffset = 0;

  constructor(count, rowPixels) {
    this.count = count;
    this.rowPixels = rowPixels;
    this.resize(0);
  }

  /** @param pixels the height in which rows are seen */
  resize(pixels) {
    this.pixels = pixels;
    this.visible = Math.max(1, Math.floor(pixels / this.rowPixels));
    this.lastTop = Math.max(0, this.count - this.visible);
    this.top = Math.min(this.top, this.lastTop);
  }

  /** The height of all rows for the scroll bar. */
  get length() {
    return Math.min(this.count * this.rowPixels, MOST_PIXELS);
  }

  get isScaled() {
    return this.count * this.rowPixels > MOST_PIXELS;
  }

  /** The offset of the scroll bar for the present rows. */
  get offset() {
    return this.isScaled
      ? Math.round((this.top / this.lastTop) * (this.length - this.pixels))
      : this.top * this.rowPixels;
  }

  /**
   * Follows the scroll bar. A small movement is one of exact rows; a large one goes to the part of the rows that the bar
   * shows.
   */
  scrolledTo(offset) {
    const movement = offset - this.#lastOffset;
    const end = this.length - this.pixels;
    if (!this.isScaled) {
      this.top = offset / this.rowPixels;
    } else if (Math.abs(movement) < 2 * this.pixels && offset > 0 && offset < end) {
      this.top += movement / this.rowPixels;
    } else {
      this.top = (offset / end) * this.lastTop;
    }
    this.top = Math.min(Math.max(0, this.top), this.lastTop);
    this.#lastOffset = offset;
  }

  /** Notes that the scroll bar was moved to the present rows. */
  synchronized(offset) {
    this.#lastOffset = offset;
  }

  /** Whether the scroll bar is a screen or more from the part that it stands for. */
  get hasDrifted() {
    return this.isScaled && Math.abs(this.offset - this.#lastOffset) > this.pixels;
  }

  /** Makes a row visible. Returns whether the rows have moved. */
  reveal(row) {
    const before = this.top;
    if (row < this.top) {
      this.top = row;
    } else if (row >= this.top + this.visible) {
      this.top = row - this.visible + 1;
    }
    this.top = Math.min(Math.max(0, this.top), this.lastTop);
    return this.top !== before;
  }
}

/** The columns of a grid, each of its own width. */
class ColumnAxis {
  constructor(widths) {
    this.starts = new Float64Array(widths.length + 1);
    widths.forEach((width, i) => (this.starts[i + 1] = this.starts[i] + width));
  }

  get count() {
    return this.starts.length - 1;
  }

  get length() {
    return this.starts[this.count];
  }

  start(column) {
    return this.starts[column];
  }

  width(column) {
    return this.starts[column + 1] - this.starts[column];
  }

  resize(column, width) {
    const change = width - this.width(column);
    for (let i = column + 1; i < this.starts.length; i++) {
      this.starts[i] += change;
    }
  }

  /** The columns between two offsets: the first one, and the one after the last. */
  between(from, to) {
    return [this.#at(from), Math.min(this.#at(to) + 1, this.count)];
  }

  #at(offset) {
    let low = 0;
    let high = this.count;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.starts[middle] <= offset) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return low;
  }
}

const ROW_PIXELS = 26;
const NUMBER_PIXELS = 92;
const COLUMN_PIXELS = 132;
const LEAST_COLUMN_PIXELS = 48;
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

export class Grid extends EventTarget {
  #heads = new Map();
  #lines = [];
  #active = { row: 0, column: 0 };
  #anchor = null;
  #frame = null;
  /** The windows of columns whose widths are fitted to values. */
  #fitted = new Set();
  #isTapped = false;
  #laidOut = false;
  #activeCell = null;

  /**
   * @param fields those of the schema document: `name`, `arrowType`
   * @param head makes the content of a column's header
   * @param sorted how the rows are sorted by a column, in the words of ARIA
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
        ondblclick: (event) => event.target.closest('[data-row]') && this.#open(),
        oncopy: (event) => this.#copied(event),
      },
      this.space,
    );
    this.element.addEventListener('scroll', () => this.#scrolled(), { passive: true });
    new ResizeObserver(() => this.#layOut()).observe(this.element);
  }

  get active() {
    return this.#active;
  }

  /** Makes a cell the active one, and visible. */
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
    this.dispatchEvent(new CustomEvent('active', { detail: this.#active }));
  }

  /** Makes a column visible, by default that of the active cell. */
  revealColumn(column = this.#active.column) {
    const start = this.columns.start(column);
    const end = start + this.columns.width(column) + NUMBER_PIXELS;
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
    this.element.setAttribute('aria-rowcount', this.windows.rows + 1);
    this.#layOut();
  }

  /** Paints at the next frame. */
  paintSoon() {
    this.#frame ??= requestAnimationFrame(() => {
      this.#frame = null;
      this.#paint();
    });
  }

  /** The value of a cell and its type, or null if it is not here. */
  value(row, column) {
    const window = this.windows.at(row, column);
    if (!window || window.failure) {
      return null;
    }
    const values = window.columns[column - window.column];
    return { value: values.at(row - window.row), type: values.type };
  }

  #shownAt(row, column) {
    const window = this.windows.at(row, column);
    return window && !window.failure ? cellOf(window.columns[column - window.column], row - window.row) : null;
  }

  // Layout

  #layOut() {
    const height = this.element.clientHeight - this.headRow.offsetHeight;
    if (this.element.clientHeight === 0) {
      return;
    }
    this.rows.resize(height);
    this.space.style.height = `${this.rows.length + this.headRow.offsetHeight}px`;
    this.space.style.width = `${this.columns.length + NUMBER_PIXELS}px`;
    this.pane.style.width = `${this.element.clientWidth}px`;
    this.pane.style.height = `${this.element.clientHeight}px`;
    if (!this.#laidOut) {
      // Until now there was nothing to scroll.
      this.#laidOut = true;
      this.rows.reveal(this.#active.row);
      this.#synchronize();
      this.revealColumn();
    }
    this.paintSoon();
  }

  /**
   * Fits the columns in sight to the rows in sight, so that no digit is cut that need not be: those of a window once, when
   * the first of its values are here. The first time, other columns are fitted to their headers. Later, none becomes
   * narrower, and the first one in sight stays where it is.
   */
  #fit(first, last, [from, to]) {
    const rows = numbers(first, last);
    const windows = numbers(Math.floor(from / WINDOW_COLUMNS), Math.ceil(to / WINDOW_COLUMNS));
    const arrived = windows.filter((each) => !this.#fitted.has(each) && rows.every((row) => this.#isHere(row, each * WINDOW_COLUMNS)));
    if (arrived.length === 0) {
      return;
    }
    const isFirst = this.#fitted.size === 0;
    const measure = this.#measure();
    const start = this.columns.start(from);
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

  #isHere(row, column) {
    const window = this.windows.at(row, column);
    return window !== undefined && !window.failure;
  }

  /** Fits one column to what is in sight of it, also if it becomes narrower. */
  #fitColumn(column) {
    const first = Math.floor(this.rows.top);
    const rows = numbers(first, Math.min(first + this.rows.visible + 2, this.windows.rows));
    this.columns.resize(column, this.#fittedWidth(this.#measure(), column, rows));
    this.#layOut();
  }

  /** Returns a function of the width of a text in pixels. */
  #measure() {
    const context = document.createElement('canvas').getContext('2d');
    const style = getComputedStyle(this.element);
    context.font = `600 ${style.fontSize} ${style.fontFamily}`;
    return (text) => context.measureText(text.slice(0, FITTED_CHARACTERS)).width;
  }

  /** The width of a column for its header and some rows. */
  #fittedWidth(measure, column, rows) {
    const { name, arrowType } = this.fields[column];
    let width = Math.max(LEAST_FITTED_PIXELS, measure(name), measure(arrowType) * 0.9);
    for (const row of rows) {
      const found = this.#shownAt(row, column);
      width = Math.max(width, found ? measure(found.text) : 0);
    }
    return Math.min(MOST_COLUMN_PIXELS, Math.ceil(width) + 40);
  }

  #scrolled() {
    if (this.element.scrollTop !== this.scrollTop) {
      this.scrollTop = this.element.scrollTop;
      this.rows.scrolledTo(this.scrollTop);
      clearTimeout(this.settling);
      if (this.rows.hasDrifted) {
        this.settling = setTimeout(() => this.#synchronize(), SETTLE_MILLISECONDS);
      }
    }
    this.paintSoon();
  }

  /** Moves the scroll bar to the rows. */
  #synchronize() {
    this.element.scrollTop = this.rows.offset;
    // Browsers round it.
    this.scrollTop = this.element.scrollTop;
    this.rows.synchronized(this.scrollTop);
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
    this.#paintHeads(columns, left);
    const missing = new Map();
    this.#paintLines(first, last, columns, left, missing);
    this.#fetch(missing);
    this.#fit(first, last, columns);
    this.dispatchEvent(new CustomEvent('painted', { detail: { first, last, complete: missing.size === 0 } }));
  }

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

  #place(target, column, left) {
    target.style.transform = `translateX(${this.columns.start(column) - left + NUMBER_PIXELS}px)`;
    target.style.width = `${this.columns.width(column)}px`;
  }

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
      each.line.setAttribute('aria-rowindex', row + 2);
      each.line.style.transform = `translateY(${shift + i * ROW_PIXELS}px)`;
      setText(each.number, grouped(row));
      while (each.cells.length < to - from) {
        const made = element('div', { role: 'gridcell' });
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

  /** Names the active cell for screen readers, or none if it is out of sight. */
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
      shown = cellOf(values, row - window.row);
    }
    setText(target, shown.text);
    const active = row === this.#active.row && column === this.#active.column;
    const kind = `cell ${shown.kind}${this.#isSelected(row, column) ? ' selected' : ''}${active ? ' active' : ''}`;
    if (target.className !== kind) {
      target.className = kind;
    }
    target.setAttribute('aria-colindex', column + 2);
    target.setAttribute('aria-selected', String(active || this.#isSelected(row, column)));
    target.dataset.row = row;
    target.dataset.column = column;
    if (active) {
      this.#activeCell = target;
    }
  }

  /** Fetches what is missing: after a rest, if the rows jump. */
  #fetch(missing) {
    clearTimeout(this.resting);
    const now = performance.now();
    const moves = now - (this.painted ?? 0) < REST_MILLISECONDS;
    this.painted = now;
    const ask = () => this.windows.want([...missing.values()]);
    if (missing.size > 0 && moves && this.rows.isScaled) {
      this.resting = setTimeout(ask, REST_MILLISECONDS);
    } else if (missing.size > 0) {
      ask();
    }
  }

  // Selection

  /** The first and the last of the selected rows, and of the columns. */
  get selection() {
    const other = this.#anchor ?? this.#active;
    return {
      rows: [Math.min(other.row, this.#active.row), Math.max(other.row, this.#active.row)],
      columns: [Math.min(other.column, this.#active.column), Math.max(other.column, this.#active.column)],
    };
  }

  #isSelected(row, column) {
    if (!this.#anchor) {
      return false;
    }
    const { rows, columns } = this.selection;
    return row >= rows[0] && row <= rows[1] && column >= columns[0] && column <= columns[1];
  }

  /** Puts the selected cells on the clipboard, as lines with tabs, if all of them are here. */
  #copied(event) {
    const { rows, columns } = this.selection;
    if ((rows[1] - rows[0] + 1) * (columns[1] - columns[0] + 1) > MOST_COPIED_CELLS) {
      this.dispatchEvent(new CustomEvent('refused', { detail: `At most ${grouped(MOST_COPIED_CELLS)} cells are copied at once` }));
      return;
    }
    const lines = [];
    for (let row = rows[0]; row <= rows[1]; row++) {
      const line = [];
      for (let column = columns[0]; column <= columns[1]; column++) {
        const found = this.value(row, column);
        if (!found || found.type === JSON_VALUE) {
          // They have to be fetched, which the clipboard does not wait for.
          this.dispatchEvent(new Event('copying'));
          return;
        }
        try {
          line.push(found.value === null ? '' : quotedForTabs(copiedText(found.value, found.type)));
        } catch {
          // The side tells which one it is.
          this.dispatchEvent(new Event('copying'));
          return;
        }
      }
      lines.push(line.join('\t'));
    }
    event.clipboardData.setData('text/plain', lines.join('\n'));
    event.preventDefault();
  }

  // Keys and the mouse

  #pressed(event) {
    const { row, column } = this.#active;
    const far = event.ctrlKey || event.metaKey;
    const page = Math.max(1, this.rows.visible - 1);
    const lastRow = this.windows.rows - 1;
    const lastColumn = this.fields.length - 1;
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

  #clicked(event) {
    const target = event.target.closest('[data-row]');
    if (target && event.button === 0) {
      this.go(Number(target.dataset.row), Number(target.dataset.column), event.shiftKey);
    }
  }

  /** Notes that the active cell is touched. */
  #touched(event) {
    this.#isTapped = event.pointerType !== 'mouse' && this.#isActive(event.target.closest('[data-row]'));
  }

  /** A tap on the active cell opens it. A mouse has double clicks for that. */
  #tapped(event) {
    if (this.#isTapped && this.#isActive(event.target.closest('[data-row]'))) {
      this.#open();
    }
    this.#isTapped = false;
  }

  #isActive(target) {
    return target !== null && Number(target.dataset.row) === this.#active.row && Number(target.dataset.column) === this.#active.column;
  }

  #dragged(event) {
    const target = event.buttons === 1 ? event.target.closest('[data-row]') : null;
    const row = Number(target?.dataset.row);
    const column = Number(target?.dataset.column);
    if (target && (row !== this.#active.row || column !== this.#active.column)) {
      this.go(row, column, true);
    }
  }

  #open() {
    const found = this.value(this.#active.row, this.#active.column);
    if (found) {
      this.dispatchEvent(new CustomEvent('open', { detail: { ...this.#active, ...found } }));
    }
  }

  /** What changes the width of a column. */
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

  #resize(column, width) {
    this.columns.resize(column, Math.max(LEAST_COLUMN_PIXELS, width));
    this.#layOut();
  }
}

/** The whole numbers from one on and before another. */
function numbers(from, to) {
  return Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i);
}

/** A cell whose value the decoder cannot read is one that says so, and leaves the others as they are. */
function cellOf(values, i) {
  try {
    return cell(values.at(i), values.type);
  } catch {
    return { text: 'cannot be shown', kind: 'failed' };
  }
}

function setText(target, text) {
  if (target.textContent !== text) {
    target.textContent = text;
  }
}

/** The name of a column as it is shown. */
export const columnName = ({ name }) => (name === '' ? '(no name)' : visible(name));

export const columnTitle = (field) => `${columnName(field)}: ${field.arrowType}${field.nullable ? '' : ', not null'}`;

/** The header of a column: its name and type. */
export function columnHead(field) {
  return element(
    'div',
    { class: 'column', title: columnTitle(field) },
    element('strong', {}, isolated(columnName(field))),
    element('small', {}, field.arrowType),
  );
}
