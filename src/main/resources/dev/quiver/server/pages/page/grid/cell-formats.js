// Cells as text that other programs read: CSV, TSV, JSON and Markdown.
// @ts-check

import { grouped } from '../lib/elements.js';
import { Problem } from '../lib/requests.js';
import { Type, WHOLE_JSON, copiedText, full, isNumber, isText, quotedForTabs, quotedIf, valueType } from './arrow-values.js';
import { columnName } from './grid.js';

/**
 * A value with its type, as text and as JSON: all that any format needs.
 *
 * @typedef {{ isNull: boolean, text: string, json: () => string }} CellValue
 */

/**
 * A format of cells: its head, a row, and what is between rows and after them.
 *
 * @typedef {object} CellFormat
 * @property {string} suffix
 * @property {string} mediaType
 * @property {(names: string[], columns: import('./arrow-values.js').Vector[]) => string} head
 * @property {(cells: CellValue[], names: string[]) => string} row
 * @property {string} between
 * @property {string} tail
 */

/** The most characters that a clipboard takes in reasonable time. */
const MOST_CHARACTERS = 20_000_000;

/** @param {[number, number]} range */
export const sizeOf = ([first, last]) => last - first + 1;

/** @param {import('./grid.js').CellRange} cells */
export const countOf = ({ rows, columns }) => sizeOf(rows) * sizeOf(columns);

/**
 * The text of some cells.
 *
 * @param {import('./grid.js').Grid} grid
 * @param {import('./grid.js').CellRange} cells `{ rows, columns }`, each the first and the last one
 * @param {string} name
 * @param {AbortSignal} signal
 * @param {(rows: number) => void} [told] called with the number of rows that are done
 */
export async function textOf(grid, { rows, columns }, name, signal, told = () => {}) {
  const format = FORMATS[name];
  const fields = grid.fields.slice(columns[0], columns[1] + 1);
  const names = distinct(fields.map((field) => field.name));
  /** @type {string[]} */
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

/**
 * The value of a cell.
 *
 * @param {import('./arrow-values.js').Vector} values
 * @param {number} i
 * @param {import('./grid.js').Field} field
 * @param {number} row
 * @returns {CellValue}
 */
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
 * differ in CSV. In JSON, numbers, truth values, lists, structs, maps and JSON are such, and others are text.
 *
 * @type {Record<string, CellFormat>}
 */
export const FORMATS = {
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

/** @param {string} value */
const commaSeparated = (value) => quotedIf(/^$|[,\n\r"]/, value);

/** @param {string[]} cells */
const markdownRow = (cells) => `| ${cells.join(' | ')} |`;

/**
 * A text of which Markdown takes no sign as its own, in one line.
 *
 * @param {string} value
 */
const markdown = (value) => value.replaceAll(/[\\|\x60*_<[~&]/g, '\\$&').replaceAll(/\r\n?|\n/g, '<br>');

/**
 * @param {any} value
 * @param {import('./arrow-values.js').ValueType} type
 * @returns {string}
 */
function json(value, type) {
  if (value === null || value === undefined) {
    return 'null';
  }
  if (type === WHOLE_JSON) {
    return JSON.stringify(value);
  }
  /** @param {import('./arrow-values.js').ValueType} child */
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
      return (type.extension === 'json' && compacted(value)) || JSON.stringify(copiedText(value, type));
  }
}

/**
 * A JSON text without the blanks between its tokens, or null if it is invalid.
 *
 * @param {string} text
 */
function compacted(text) {
  try {
    JSON.parse(text);
  } catch {
    return null;
  }
  return text.replaceAll(/("(?:[^"\\]|\\.)*")|[ \t\n\r]+/g, (_, string) => string ?? '');
}

/**
 * @param {any} value
 * @param {import('./arrow-values.js').ValueType} type
 */
function struct(value, type) {
  // Throws for a struct that the decoder cannot read.
  full(value, type);
  /** @type {import('./arrow-values.js').ValueField[]} */
  const fields = type.children;
  return `{${fields.map((field) => `${JSON.stringify(field.name)}: ${json(value[field.name], field.type)}`).join(', ')}}`;
}

/**
 * An object if the keys are text, otherwise an array of pairs, as in the JSON of the service.
 *
 * @param {Iterable<any[]>} entries
 * @param {import('./arrow-values.js').ValueField[]} types
 */
function map(entries, [key, value]) {
  const keyType = isText(key.type) ? { typeId: Type.Utf8 } : key.type;
  const pairs = Array.from(entries, (entry) => entry.map((each, i) => json(each, i === 0 ? keyType : value.type)));
  return isText(key.type) ? `{${pairs.map((pair) => pair.join(': ')).join(', ')}}` : `[${pairs.map((pair) => `[${pair.join(', ')}]`).join(', ')}]`;
}

/**
 * Names of which the second of two equal ones gets _2, as in the text of the service.
 *
 * @param {string[]} names
 */
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
