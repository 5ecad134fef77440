// Cells as text that other programs read: to see, to copy and to save.

import { copy, save, select } from './clipboard.js';
import { MOST_COPIED_CELLS, tabbed } from './grid.js';
import { Problem, counted, element, failure, grouped, tell, visible } from './page.js';
import { Type, full, isNumber, isText } from './values.js';

/** A browser needs long to show more, and a clipboard to take it. */
const MOST_SHOWN_CHARACTERS = 1_000_000;
const MOST_CHARACTERS = 20_000_000;
const PREVIEWED_ROWS = 10;
const PREVIEWED_COLUMNS = 100;
const REST_MILLISECONDS = 150;

/** The choices of the user, which the side has again when it is opened next. Null is none. */
const chosen = { format: 'CSV', isAll: null };

/**
 * What the side shows.
 *
 * @param name that of a file, without its suffix
 * @param grid has the selection, the fields, and their values behind `windows.values()`
 */
export function content({ name }, grid) {
  return { title: ['Copy'], nodes: [new Copying(name, grid).element] };
}

class Copying {
  #control = new AbortController();

  constructor(name, grid) {
    this.name = name.replaceAll(/[^\w.-]/g, '_');
    this.grid = grid;
    this.shown = element('pre', { tabindex: 0, 'aria-label': 'Preview', class: 'copied' });
    this.told = element('p', { class: 'count', role: 'status' });
    this.element = element(
      'form',
      { class: 'copying', onsubmit: (event) => (event.preventDefault(), this.#copy()) },
      (this.parts = element('fieldset', {}, element('legend', {}, 'Cells'))),
      element('fieldset', { class: 'formats' }, element('legend', {}, 'Format'), ...Object.keys(FORMATS).map((format) => this.#format(format))),
      element('div', { class: 'bar' }, (this.submit = element('button', { class: 'primary' }, 'Copy')), (this.saving = element('button', { type: 'button', onclick: () => this.#save() }, 'Save'))),
      this.told,
      this.shown,
    );
    const changed = () => {
      if (this.element.isConnected) {
        clearTimeout(this.resting);
        this.resting = setTimeout(() => this.#show(), REST_MILLISECONDS);
      }
    };
    grid.addEventListener('active', changed);
    this.#show();
  }

  #format(format) {
    const input = element('input', { type: 'radio', name: 'format', value: format, checked: format === chosen.format });
    input.addEventListener('change', () => {
      chosen.format = format;
      this.#show();
    });
    return element('label', {}, input, ' ', format);
  }

  #part(isAll, label, cells) {
    const { rows, columns } = cells;
    const count = countOf(cells);
    const input = element('input', { type: 'radio', name: 'part', checked: this.#isAll === isAll, disabled: count > MOST_COPIED_CELLS });
    input.addEventListener('change', () => {
      chosen.isAll = isAll;
      this.#show();
    });
    const size = `${counted(sizeOf(rows), 'row')} of ${counted(sizeOf(columns), 'column')}`;
    const more = count > MOST_COPIED_CELLS ? `, more than ${grouped(MOST_COPIED_CELLS)} cells` : '';
    return element('label', {}, input, ` ${label}: ${size}${more}`);
  }

  get #cells() {
    return this.#isAll ? this.#all : this.grid.selection;
  }

  /** Without a choice, all cells if there are not too many, unless some are selected. */
  get #isAll() {
    return countOf(this.#all) <= MOST_COPIED_CELLS && (chosen.isAll ?? countOf(this.grid.selection) === 1);
  }

  get #all() {
    return { rows: [0, this.grid.windows.rows - 1], columns: [0, this.grid.fields.length - 1] };
  }

  /** Shows what is chosen, and how it begins. */
  async #show() {
    this.#control.abort();
    this.#control = new AbortController();
    const { signal } = this.#control;
    const focused = document.activeElement?.name === 'part';
    this.parts.replaceChildren(this.parts.firstChild, this.#part(false, 'selected', this.grid.selection), this.#part(true, 'all', this.#all));
    if (focused) {
      this.parts.querySelector(':checked')?.focus();
    }
    const { rows, columns } = this.#cells;
    const count = countOf(this.#cells);
    const isPossible = count > 0 && count <= MOST_COPIED_CELLS;
    this.submit.disabled = !isPossible;
    this.saving.disabled = !isPossible;
    this.told.textContent = isPossible ? '' : 'Select less, or take a download.';
    if (!isPossible) {
      this.shown.textContent = '';
      return;
    }
    const first = { rows: [rows[0], Math.min(rows[1], rows[0] + PREVIEWED_ROWS - 1)], columns: [columns[0], Math.min(columns[1], columns[0] + PREVIEWED_COLUMNS - 1)] };
    await this.#attempt(async () => {
      const text = await textOf(this.grid, first, chosen.format, signal);
      const isWhole = sizeOf(first.rows) === sizeOf(rows) && sizeOf(first.columns) === sizeOf(columns);
      this.shown.textContent = lines(text.slice(0, MOST_SHOWN_CHARACTERS)) + (isWhole && text.length <= MOST_SHOWN_CHARACTERS ? '' : '…');
    }, () => this.#show(), signal);
  }

  async #copy() {
    await this.#make((text) =>
      copy(text, () => {
        if (text.length > MOST_SHOWN_CHARACTERS) {
          tell('This browser does not let the page copy that much: save it instead');
          return;
        }
        this.shown.textContent = text;
        select(this.shown);
      }),
    );
  }

  #save() {
    const { suffix, mediaType } = FORMATS[chosen.format];
    return this.#make((text) => save(new Blob([text], { type: mediaType }), this.name + suffix));
  }

  /** Makes the text of all that is chosen, and tells how far that is. */
  async #make(done) {
    this.#control.abort();
    this.#control = new AbortController();
    const { signal } = this.#control;
    const cells = this.#cells;
    const tellRows = (rows) => (this.told.textContent = `${grouped(rows)} of ${counted(sizeOf(cells.rows), 'row')}`);
    await this.#attempt(async () => {
      const text = await textOf(this.grid, cells, chosen.format, signal, tellRows);
      this.told.textContent = `${counted(sizeOf(cells.rows), 'row')}, ${counted(text.length, 'character')}`;
      await done(text);
    }, () => this.#make(done), signal);
  }

  async #attempt(action, retry, signal) {
    this.element.querySelector('.failure')?.remove();
    this.shown.setAttribute('aria-busy', 'true');
    try {
      await action();
    } catch (error) {
      if (signal.aborted) {
        return;
      }
      this.told.textContent = '';
      this.told.after(failure(error, retry));
    }
    this.shown.removeAttribute('aria-busy');
  }
}

const sizeOf = ([first, last]) => last - first + 1;

const countOf = ({ rows, columns }) => sizeOf(rows) * sizeOf(columns);

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
      throw tooLong();
    }
    if (row === rows[0]) {
      parts.push(format.head(names, found.columns));
    }
    for (let i = 0; i < found.count; i++) {
      const part = (parts.length > 1 ? format.between : '') + format.row(found.columns, i, names);
      length += part.length;
      parts.push(part);
    }
    if (length > MOST_CHARACTERS) {
      throw tooLong();
    }
    row += found.count;
    told(row - rows[0]);
  }
  return parts.join('') + format.tail;
}

const tooLong = () => new Problem(0, { detail: 'Some of these values are too long to be copied: take a download, or open one of them.' });

/**
 * The formats. Values are those of the cells, to the last digit; null is nothing, and an empty text is quoted where that
 * differs. In JSON, numbers, truth values, lists, structs and maps are such, and others are text.
 */
const FORMATS = {
  CSV: {
    suffix: '.csv',
    mediaType: 'text/csv',
    // RFC 4180 ends lines so.
    head: (names) => `${names.map(commaSeparated).join()}\r\n`,
    row: (columns, i) => columns.map((values) => ofValue(values, i, commaSeparated)).join(),
    between: '\r\n',
    tail: '\r\n',
  },
  TSV: {
    suffix: '.tsv',
    mediaType: 'text/tab-separated-values',
    head: (names) => `${names.map(tabbed).join('\t')}\n`,
    row: (columns, i) => columns.map((values) => ofValue(values, i, tabbed)).join('\t'),
    between: '\n',
    tail: '\n',
  },
  JSON: {
    suffix: '.json',
    mediaType: 'application/json',
    head: () => '[\n',
    row: (columns, i, names) => `  {${columns.map((values, j) => `${JSON.stringify(names[j])}: ${json(values.at(i), values.type)}`).join(', ')}}`,
    between: ',\n',
    tail: '\n]\n',
  },
  Markdown: {
    suffix: '.md',
    mediaType: 'text/markdown',
    head: (names, columns) => `${markdownRow(names.map(markdown))}\n${markdownRow(columns.map(({ type }) => (isNumber(type) ? '---:' : '---')))}\n`,
    row: (columns, i) => markdownRow(columns.map((values) => ofValue(values, i, markdown, '*null*'))),
    between: '\n',
    tail: '\n',
  },
};

function ofValue(values, i, written, ofNull = '') {
  const value = values.at(i);
  return value === null || value === undefined ? ofNull : written(text(value, values.type));
}

/** A value as a cell shows it, but for the number of bytes. */
function text(value, type) {
  const shown = full(value, type);
  return isBinary(type) ? shown.slice(0, shown.lastIndexOf(' (')) : shown;
}

function isBinary({ typeId }) {
  return [Type.Binary, Type.LargeBinary, Type.BinaryView, Type.FixedSizeBinary].includes(typeId);
}

function commaSeparated(value) {
  return value === '' || /[,\n\r"]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}

const markdownRow = (cells) => `| ${cells.join(' | ')} |`;

/** A text of which Markdown takes no sign as its own, in one line. */
const markdown = (value) => value.replaceAll(/[\\|`*_<[~&]/g, '\\$&').replaceAll(/\r\n?|\n/g, '<br>');

function json(value, type) {
  if (value === null || value === undefined) {
    return 'null';
  }
  const list = (child) => `[${Array.from(value, (each) => json(each, child)).join(', ')}]`;
  switch (type.typeId) {
    case Type.Dictionary:
      return json(value, type.dictionary);
    case Type.RunEndEncoded:
      return json(value, type.children[1].type);
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
    case Type.Union:
      // The decoder tells no type of these values.
      return ['number', 'bigint', 'boolean'].includes(typeof value) ? String(value) : JSON.stringify(full(value, type));
    default:
      return JSON.stringify(text(value, type));
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
