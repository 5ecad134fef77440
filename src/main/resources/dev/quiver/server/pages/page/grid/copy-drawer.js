// Cells as text that other programs read, to be copied and saved.

import { copyWhenDone, save, select } from '../lib/clipboard.js';
import { counted, element, grouped, tell, visible } from '../lib/elements.js';
import { failure } from '../lib/failure.js';
import { Problem } from '../lib/requests.js';
import { WHOLE_JSON, Type, copiedText, full, isNumber, isText, quotedForTabs, quotedIf, valueType } from './arrow-values.js';
import { MOST_COPIED_CELLS, columnName } from './grid.js';

/** A browser needs long to show more, and a clipboard to take it. */
const MOST_SHOWN_CHARACTERS = 1_000_000;
const MOST_CHARACTERS = 20_000_000;
const PREVIEWED_ROWS = 10;
const PREVIEWED_COLUMNS = 100;
const REST_MILLISECONDS = 150;

/** The format that was chosen last, until the page is left. */
let lastFormat = 'CSV';

/**
 * Lets the user choose cells and a format, at the side.
 *
 * @param name that of a file, without its suffix
 * @param grid has the selection, the fields, and their values behind `windows.values()`
 * @param isSelection whether the selection was asked for; otherwise a single cell is not taken for one
 */
export function content({ name }, grid, isSelection = false) {
  const copying = new Copying(name, grid, isSelection);
  return { title: ['Copy'], nodes: [copying.element], closed: () => copying.close() };
}

class Copying {
  #previewing = new AbortController();
  #making = null;
  #closing = new AbortController();
  /** The latest text, which may be on its way, and what it is of. */
  #made = null;

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
    this.shown = element('pre', { tabindex: 0, 'aria-label': 'How it begins', class: 'copied' });
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

  #format(format) {
    const chosen = () => {
      lastFormat = format;
      this.#show();
    };
    return element('label', {}, element('input', { type: 'radio', name: 'format', value: format, checked: format === lastFormat, onchange: chosen }), ' ', format);
  }

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
      // What is copied stays what was chosen.
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
      this.parts.querySelector(':checked')?.focus();
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

  async #attempt(action, retry) {
    this.problem.replaceChildren();
    try {
      await action();
    } catch (error) {
      if (error.name !== 'AbortError') {
        this.#fail(error, retry);
      }
    }
  }

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

const sizeOf = ([first, last]) => last - first + 1;

const countOf = ({ rows, columns }) => sizeOf(rows) * sizeOf(columns);

const beginning = ([first, last], most) => [first, Math.min(last, first + most - 1)];

/** A text whose lines stay, and whose other hidden characters are visible. */
const lines = (text) => text.split(/\r?\n/).map((line) => line.split('\t').map(visible).join('\t')).join('\n');

/**
 * The text of some cells.
 *
 * @param cells `{ rows, columns }`, each the first and the last one
 * @param told called with the number of rows that are done
 */
async function textOf(grid, { rows, columns }, name, signal, told = () => {}) {
  const format = FORMATS[name];
  const fields = grid.fields.slice(columns[0], columns[1] + 1);
  const names = distinct(fields.map((field) => field.name));
  const parts = [];
  let length = 0;
  for (let row = rows[0]; row <= rows[1]; ) {
    const found = await grid.windows.values(row, rows[1] + 1, [columns[0], columns[1] + 1], signal);
    signal.throwIfAborted();
    if (found === null) {
      throw new Problem(0, { detail: `A value of row ${grouped(row)} is too long to be copied here. Open it to save it, or take a download.` });
    }
    if (row === rows[0]) {
      parts.push(format.head(names, found.columns));
    }
    for (let i = 0; i < found.count; i++) {
      const cells = found.columns.map((values, j) => valueAt(values, i, fields[j], row + i));
      const part = (parts.length > 1 ? format.between : '') + format.row(cells, names);
      length += part.length;
      parts.push(part);
    }
    if (length > MOST_CHARACTERS) {
      throw new Problem(0, { detail: `These cells have more than ${grouped(MOST_CHARACTERS)} characters. Select less, or take a download.` });
    }
    row += found.count;
    told(row - rows[0]);
  }
  return parts.join('') + format.tail;
}

/** A value with its type, as text and as JSON: all that any format needs. */
function valueAt(values, i, field, row) {
  const { type } = values;
  try {
    const value = values.at(i);
    const isNull = value === null || value === undefined;
    return { isNull, text: isNull ? '' : copiedText(value, type), json: () => json(value, type) };
  } catch {
    throw new Problem(0, { detail: `The value of ${columnName(field)} at row ${grouped(row)} cannot be shown here. A download has it.` });
  }
}

/**
 * The formats. Values are those of the cells, to the last digit; null is nothing, from which the quotes of an empty text
 * differ in CSV. In JSON, numbers, truth values, lists, structs and maps are such, and others are text.
 */
const FORMATS = {
  CSV: {
    suffix: '.csv',
    mediaType: 'text/csv',
    // RFC 4180 ends lines so.
    head: (names) => `${names.map(commaSeparated).join()}\r\n`,
    row: (cells) => cells.map(({ isNull, text }) => (isNull ? '' : commaSeparated(text))).join(),
    between: '\r\n',
    tail: '\r\n',
  },
  TSV: {
    suffix: '.tsv',
    mediaType: 'text/tab-separated-values',
    head: (names) => `${names.map(quotedForTabs).join('\t')}\n`,
    row: (cells) => cells.map(({ text }) => quotedForTabs(text)).join('\t'),
    between: '\n',
    tail: '\n',
  },
  JSON: {
    suffix: '.json',
    mediaType: 'application/json',
    head: () => '[\n',
    row: (cells, names) => `  {${cells.map((cell, j) => `${JSON.stringify(names[j])}: ${cell.json()}`).join(', ')}}`,
    between: ',\n',
    tail: '\n]\n',
  },
  Markdown: {
    suffix: '.md',
    mediaType: 'text/markdown',
    head: (names, columns) => `${markdownRow(names.map(markdown))}\n${markdownRow(columns.map(({ type }) => (isNumber(type) ? '---:' : '---')))}\n`,
    row: (cells) => markdownRow(cells.map(({ isNull, text }) => (isNull ? '*null*' : markdown(text)))),
    between: '\n',
    tail: '\n',
  },
};

const commaSeparated = (value) => quotedIf(/^$|[,\n\r"]/, value);

const markdownRow = (cells) => `| ${cells.join(' | ')} |`;

/** A text of which Markdown takes no sign as its own, in one line. */
const markdown = (value) => value.replaceAll(/[\\|`*_<[~&]/g, '\\$&').replaceAll(/\r\n?|\n/g, '<br>');

function json(value, type) {
  if (value === null || value === undefined) {
    return 'null';
  }
  if (type === WHOLE_JSON) {
    return JSON.stringify(value);
  }
  const list = (child) => `[${Array.from(value, (each) => json(each, child)).join(', ')}]`;
  switch (type.typeId) {
    case Type.Dictionary:
    case Type.RunEndEncoded:
      return json(value, valueType(type));
    case Type.Bool:
      return String(value);
    case Type.Int:
    case Type.Decimal:
      return full(value, type);
    case Type.Float:
      return Number.isFinite(value) ? full(value, type) : JSON.stringify(full(value, type));
    case Type.List:
    case Type.LargeList:
    case Type.FixedSizeList:
    case Type.ListView:
    case Type.LargeListView:
      return list(type.children[0].type);
    case Type.Struct:
      return struct(value, type);
    case Type.Map:
      return map(value, type.children[0].type.children);
    default:
      return JSON.stringify(copiedText(value, type));
  }
}

function struct(value, type) {
  // Throws for a struct that the decoder cannot read.
  full(value, type);
  return `{${type.children.map((field) => `${JSON.stringify(field.name)}: ${json(value[field.name], field.type)}`).join(', ')}}`;
}

/** An object if the keys are text, otherwise an array of pairs, as in the JSON of the service. */
function map(entries, [key, value]) {
  const pairs = Array.from(entries, (entry) => entry.map((each, i) => json(each, [key, value][i].type)));
  return isText(key.type) ? `{${pairs.map((pair) => pair.join(': ')).join(', ')}}` : `[${pairs.map((pair) => `[${pair.join(', ')}]`).join(', ')}]`;
}

/** Names of which the second of two equal ones gets _2, as in the text of the service. */
function distinct(names) {
  const taken = new Set(names);
  const counts = new Map();
  return names.map((name) => {
    let count = (counts.get(name) ?? 0) + 1;
    let found = name;
    if (count > 1) {
      for (; taken.has((found = `${name}_${count}`)); count++);
      taken.add(found);
    }
    counts.set(name, count);
    return found;
  });
}
