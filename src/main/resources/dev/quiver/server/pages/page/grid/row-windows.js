// The rows of a version in windows of fixed numbers of rows and columns, which are fetched when they come into sight.
// @ts-check

import { load } from '../lib/modules.js';
import { Problem, send, transferred } from '../lib/requests.js';
import { JSON_VALUE, WHOLE_JSON, tableOf } from './arrow-values.js';
import { WINDOW_COLUMNS, WINDOW_ROWS } from './grid.js';

/**
 * The parameters of a request that select rows: from an offset on, or by their numbers if they are sorted.
 *
 * @typedef {{ offset?: number, limit?: number, rows?: number[] }} RowParameters
 */

const MOST_REQUESTS = 4;
const MOST_WINDOWS = 160;
const MOST_KEPT_BYTES = 64_000_000;
// The windows that are in sight at once, however long their values are.
const LEAST_WINDOWS = 16;
// A window of 128 × 32 short values is less than a tenth of it.
const MOST_WINDOW_BYTES = 4_000_000;
const MOST_VALUE_BYTES = 1000;
// Limits of a request for values that are all wanted. Its URL has the numbers of sorted rows, which are in one part of the
// order, and the positions of columns, beside a condition.
const MOST_CELLS = 100_000;
const SORTED_ROWS = WINDOW_ROWS;
const MOST_COLUMNS = 2 * WINDOW_COLUMNS;
/** Types whose values have a length of their own. */
const LONG = /utf8|json|binary|list|struct|map|union/;

/**
 * The windows of some columns of a version, all rows or those that match a condition, in the order of the version or
 * sorted. A version never changes, so a window is fetched once, and kept while it is among those that were looked at last.
 */
export class RowWindows {
  /** @type {Map<string, import('./grid.js').Window & { byteSize: number }>} */
  #kept = new Map();
  #keptBytes = 0;
  /** @type {Map<string, AbortController>} */
  #open = new Map();
  /** Ends what the order of all rows needs, which windows share. */
  #closing = new AbortController();
  /** @type {{ numbers(row: number, limit: number, signal: AbortSignal): Promise<number[]> } | null} */
  #order = null;
  /**
   * The columns that were copied last, and of how many rows their values were short enough to come at once.
   *
   * @type {{ columns: string, rows: number } | null}
   */
  #copied = null;

  /**
   * @param {object} options
   * @param {string} options.path of the version, without a suffix
   * @param {string} options.table the name of the version in a statement
   * @param {number} options.rows the number of rows that match
   * @param {import('../sql/conditions.js').SchemaField[]} options.fields those of the whole schema
   * @param {number[]} options.positions of the columns in the schema
   * @param {string} options.where a condition, or '' for all rows
   * @param {string} options.search a text that the rows have, or '' for all rows
   * @param {import('./sorts.js').Sort[]} options.sorts the positions of columns and whether their greatest values are first
   * @param {() => void} options.changed called after a window has arrived or failed
   */
  constructor({ path, table, rows, fields, positions, where, search, sorts, changed }) {
    this.path = path;
    this.table = table;
    this.rows = rows;
    this.fields = fields;
    this.positions = positions;
    this.where = where;
    this.search = search;
    this.sorts = sorts;
    this.changed = changed;
  }

  /**
   * The window of a cell: its columns or its failure, or undefined if it is not here.
   *
   * @param {number} row
   * @param {number} column
   * @returns {import('./grid.js').Window | undefined}
   */
  at(row, column) {
    const key = this.#key(row, column);
    const window = this.#kept.get(key);
    if (window) {
      // The latest ones are at the end.
      this.#kept.delete(key);
      this.#kept.set(key, window);
    }
    return window;
  }

  /**
   * Fetches the windows of some cells, and gives up those that are no longer in sight.
   *
   * @param {[number, number][]} cells
   */
  want(cells) {
    const wanted = new Map(cells.map(([row, column]) => [this.#key(row, column), [row, column]]));
    for (const [key, control] of this.#open) {
      if (!wanted.has(key)) {
        control.abort();
        this.#open.delete(key);
      }
    }
    for (const [key, [row, column]] of wanted) {
      if (this.#open.size >= MOST_REQUESTS) {
        break;
      }
      if (!this.#kept.has(key) && !this.#open.has(key)) {
        this.#fetch(key, row, column);
      }
    }
  }

  /** Forgets the failures, so that they are tried again. */
  retry() {
    for (const [key, window] of this.#kept) {
      if (window.failure) {
        this.#kept.delete(key);
        this.#keptBytes -= window.byteSize;
      }
    }
    this.changed();
  }

  close() {
    this.#open.forEach((control) => control.abort());
    this.#open.clear();
    this.#closing.abort();
  }

  /**
   * The URL of some rows of some columns.
   *
   * @param {string} suffix of the format
   * @param {RowParameters} rows the parameters that select the rows
   * @param {number[]} positions
   * @param {Record<string, any>} [parameters]
   */
  url(suffix, rows, positions, parameters = {}) {
    const query = new URLSearchParams(/** @type {Record<string, any>} */ ({ ...rows, columns: positions.map((i) => `[${i}]`).join(), ...parameters }));
    if (this.where !== '') {
      query.set('where', this.where);
    }
    if (this.search !== '') {
      query.set('search', this.search);
    }
    // Commas may stand as they are, and a request line has its limit.
    return `${this.path}${suffix}?${String(query).replaceAll('%2C', ',')}`;
  }

  /**
   * @param {number} row
   * @param {number} column
   */
  #key(row, column) {
    return `${Math.floor(row / WINDOW_ROWS)} ${Math.floor(column / WINDOW_COLUMNS)}`;
  }

  /**
   * @param {string} key
   * @param {number} row
   * @param {number} column
   */
  async #fetch(key, row, column) {
    const control = new AbortController();
    this.#open.set(key, control);
    const first = { row: row - (row % WINDOW_ROWS), column: column - (column % WINDOW_COLUMNS) };
    /** @type {import('./grid.js').Window} */
    let window;
    try {
      window = await this.#read(first.row, first.column, control.signal);
    } catch (failure) {
      window = { ...first, columns: [], failure };
    }
    if (this.#open.get(key) !== control) {
      return;
    }
    this.#open.delete(key);
    const byteSize = received.get(control.signal) ?? 0;
    this.#kept.set(key, { ...window, byteSize });
    this.#keptBytes += byteSize;
    for (const [oldest, { byteSize: length }] of this.#kept) {
      if (this.#kept.size <= MOST_WINDOWS && (this.#keptBytes <= MOST_KEPT_BYTES || this.#kept.size <= LEAST_WINDOWS)) {
        break;
      }
      this.#kept.delete(oldest);
      this.#keptBytes -= length;
    }
    this.changed();
  }

  /**
   * @param {number} row
   * @param {number} column
   * @param {AbortSignal} signal
   * @returns {Promise<import('./grid.js').Window>}
   */
  async #read(row, column, signal) {
    const limit = Math.min(WINDOW_ROWS, this.rows - row);
    const positions = this.positions.slice(column, column + WINDOW_COLUMNS);
    if (positions.length === 0) {
      return { column, row, columns: [] };
    }
    return { column, row, columns: await this.#columns(row, limit, positions, signal) };
  }

  /**
   * @param {number} row
   * @param {number} limit
   * @param {number[]} positions
   * @param {AbortSignal} signal
   */
  async #columns(row, limit, positions, signal) {
    const rows = await this.selected(row, limit, signal);
    const columns = (await this.#stored(rows, limit, positions, signal)) ?? (await this.#cut(rows, limit, positions, signal));
    return this.#inOrder(columns, rows);
  }

  /**
   * The parameters that select some rows: `{ offset, limit }`, or `{ rows }` with their numbers if they are sorted.
   *
   * @param {number} row
   * @param {number} limit
   * @param {AbortSignal} signal
   * @returns {Promise<RowParameters>}
   */
  async selected(row, limit, signal) {
    const { fields, table, where, search, sorts, rows } = this;
    if (sorts.length === 0) {
      return { offset: row, limit };
    }
    if (search === '') {
      const { Order } = await load('grid/row-order.js');
      this.#order ??= new Order({ fields, table, where, sorts });
    } else {
      const { FoundOrder } = await load('grid/found-order.js');
      this.#order ??= new FoundOrder(rows, sorts, (positions) => this.#allOf(positions));
    }
    return { rows: await this.#order.numbers(row, limit, signal) };
  }

  /**
   * The values of columns in all rows that match, as they are stored.
   *
   * @param {number[]} positions
   */
  async #allOf(positions) {
    const found = await this.#stored({ offset: 0, limit: this.rows }, this.rows, positions, this.#closing.signal, MOST_KEPT_BYTES);
    if (!found) {
      throw new Problem(0, { detail: `Expected at most ${MOST_KEPT_BYTES} bytes to sort after a search but found more`, hint: 'Search for more, or add a filter.' });
    }
    return found;
  }

  /**
   * The values of one row, of which long ones are cut if they are too long for a page.
   *
   * @param {number} row
   * @param {number} count that of the columns, from the first one on
   * @param {AbortSignal} signal
   */
  async record(row, count, signal) {
    /** @type {import('./arrow-values.js').Vector[]} */
    const found = [];
    while (found.length < count) {
      const end = Math.min(count, found.length + WINDOW_COLUMNS);
      found.push(...(await this.#columns(row, 1, this.positions.slice(found.length, end), signal)));
    }
    return found;
  }

  /**
   * Columns as they are stored, or null if they are long.
   *
   * @param {RowParameters} rows
   * @param {number} count
   * @param {number[]} positions
   * @param {AbortSignal} signal
   * @param {number} [most] the most bytes
   * @returns {Promise<import('./arrow-values.js').Vector[] | null>}
   */
  async #stored(rows, count, positions, signal, most = MOST_WINDOW_BYTES) {
    /** @param {number} position */
    const isUnknown = (position) => isUnknownType(this.fields[position]);
    const known = positions.filter((position) => !isUnknown(position));
    /** @type {Map<number, import('./arrow-values.js').Vector>} */
    const found = new Map();
    if (known.length > 0) {
      const url = this.url('.arrows', rows, known, { codec: 'none', dictionaries: 'used' });
      const body = await bytes(await send(url, { signal }), most, signal);
      if (!body) {
        return null;
      }
      columnsOf(body, count).forEach((values, i) => found.set(known[i], values));
    }
    for (const position of positions.filter(isUnknown)) {
      const values = await this.#json(rows, position, {}, signal);
      if (!values) {
        return null;
      }
      found.set(position, { type: WHOLE_JSON, at: (i) => values[i] });
    }
    return /** @type {import('./arrow-values.js').Vector[]} */ (positions.map((position) => found.get(position)));
  }

  /**
   * The values of one column in JSON, or null if they are long. Only one, since names may repeat.
   *
   * @param {RowParameters} rows
   * @param {number} position
   * @param {Record<string, any>} parameters
   * @param {AbortSignal} signal
   * @returns {Promise<any[] | null>}
   */
  async #json(rows, position, parameters, signal) {
    const url = this.url('.json', rows, [position], { numbers: 'string', ...parameters });
    const body = await bytes(await send(url, { signal }), MOST_WINDOW_BYTES, signal);
    if (!body) {
      return null;
    }
    const text = new TextDecoder().decode(body);
    return isJson(this.fields[position]) ? jsonTexts(text) : /** @type {object[]} */ (JSON.parse(text)).map((line) => Object.values(line)[0]);
  }

  /**
   * Columns of which long values are cut. The others are as they are stored.
   *
   * @param {RowParameters} rows
   * @param {number} count
   * @param {number[]} positions
   * @param {AbortSignal} signal
   * @returns {Promise<import('./arrow-values.js').Vector[]>}
   */
  async #cut(rows, count, positions, signal) {
    /** @param {number} position */
    const isLong = (position) => LONG.test(this.fields[position].arrowType);
    const short = positions.filter((position) => !isLong(position));
    const stored = short.length === 0 ? [] : /** @type {import('./arrow-values.js').Vector[]} */ (await this.#stored(rows, count, short, signal));
    const found = new Map(short.map((position, i) => [position, stored[i]]));
    for (const position of positions.filter(isLong)) {
      const values = await this.#json(rows, position, { 'max-value-bytes': MOST_VALUE_BYTES }, signal);
      found.set(position, { type: JSON_VALUE, at: (i) => (values ? values[i] : undefined) });
    }
    return /** @type {import('./arrow-values.js').Vector[]} */ (positions.map((position) => found.get(position)));
  }

  /**
   * Fetches the exact values of a row and of the rows after it, in one request.
   *
   * @param {number} row
   * @param {number} end the row after the last one that is wanted
   * @param {[number, number]} columns the first one, and the one after the last
   * @param {AbortSignal} signal
   * @returns `{ count, columns }`, or null if those of one row are too long for a page
   */
  async values(row, end, columns, signal) {
    const positions = this.positions.slice(...columns);
    const most = this.sorts.length > 0 ? SORTED_ROWS - (row % SORTED_ROWS) : Math.max(1, Math.floor(MOST_CELLS / positions.length));
    // Values as long as the last ones of these columns are not asked for in vain.
    const known = this.#copied?.columns === positions.join() ? this.#copied.rows : most;
    for (let count = Math.min(end - row, most, known); count > 0; count = count === 1 ? 0 : Math.max(1, Math.floor(count / 4))) {
      const rows = await this.selected(row, count, signal);
      const found = await this.#whole(rows, count, positions, signal);
      if (found) {
        if (this.#copied && known < most) {
          this.#copied.rows = 4 * count;
        }
        return { count, columns: await this.#inOrder(found, rows) };
      }
      this.#copied = { columns: positions.join(), rows: Math.max(1, Math.floor(count / 4)) };
    }
    return null;
  }

  /**
   * Fetches columns as they are stored, at most `MOST_COLUMNS` at a time; null if they are too long.
   *
   * @param {RowParameters} rows
   * @param {number} count
   * @param {number[]} positions
   * @param {AbortSignal} signal
   */
  async #whole(rows, count, positions, signal) {
    /** @type {import('./arrow-values.js').Vector[]} */
    const found = [];
    let columns = MOST_COLUMNS;
    while (found.length < positions.length) {
      const part = await this.#stored(rows, count, positions.slice(found.length, found.length + columns), signal);
      if (part) {
        found.push(...part);
      } else if (count > 1 || columns === 1) {
        return null;
      } else {
        // One row: fewer of its values at a time.
        columns = Math.ceil(columns / 4);
      }
    }
    return found;
  }

  /**
   * @param {import('./arrow-values.js').Vector[]} columns
   * @param {RowParameters} parameters
   */
  async #inOrder(columns, { rows }) {
    if (rows === undefined) {
      return columns;
    }
    const { ordered } = await load('grid/row-order.js');
    return ordered(columns, rows);
  }

  /**
   * The whole value of one cell, exactly.
   *
   * @param {number} row
   * @param {number} column
   * @param {AbortSignal} signal
   * @returns `{ value, type }`, or null if it is too long for a page
   */
  async whole(row, column, signal) {
    const [found] = (await this.#stored(await this.selected(row, 1, signal), 1, [this.positions[column]], signal)) ?? [];
    return found ? { value: found.at(0), type: found.type } : null;
  }
}

/**
 * Whether the decoder does not know a type, or not all of it: JSON has its values.
 *
 * @param {import('../sql/conditions.js').SchemaField} field
 * @returns {boolean}
 */
function isUnknownType({ type, children }) {
  return type.name === 'union' || (type.name === 'decimal' && type.scale < 0) || children.some(isUnknownType);
}

/**
 * @param {import('../sql/conditions.js').SchemaField} field
 * @returns {boolean}
 */
function isJson({ arrowType }) {
  return /^(dictionary<[^,]*, )?json/.test(arrowType);
}

/**
 * The values of a column of JSON as texts, since a number of JSON may have more digits than one of the page. Each is alone on
 * its line, after the name of the column. One that is cut is a string.
 *
 * @param {string} document the rows as the service has them
 */
function jsonTexts(document) {
  return document
    .split('\n')
    .slice(1, -2)
    .map((line) => {
      const text = /** @type {RegExpMatchArray} */ (line.match(/^\{"(?:[^"\\]|\\.)*":(.*)\},?$/))[1];
      return text === 'null' ? null : text.endsWith('…"') ? JSON.parse(text) : text;
    });
}

/**
 * @param {Uint8Array} body
 * @param {number} rows
 * @returns {import('./arrow-values.js').Vector[]}
 */
function columnsOf(body, rows) {
  const table = tableOf(body);
  // A stream whose end is missing has fewer.
  if (table.numRows !== rows) {
    throw new Problem(0, { detail: `Expected ${rows} rows but found ${table.numRows} in a response` });
  }
  return Array.from({ length: table.numCols }, (_, i) => table.getChildAt(i));
}

/**
 * The number of bytes that were read for a window, by the signal of its requests.
 *
 * @type {WeakMap<AbortSignal, number>}
 */
const received = new WeakMap();

/**
 * The body of a response, or null if it has more bytes, of which no more are fetched then.
 *
 * @param {Response} response
 * @param {number} most
 * @param {AbortSignal} signal
 */
async function bytes(response, most, signal) {
  if (Number(response.headers.get('Content-Length')) > most) {
    await response.body?.cancel();
    return null;
  }
  const parts = [];
  let length = 0;
  const reader = /** @type {ReadableStream<Uint8Array>} */ (response.body).getReader();
  for (;;) {
    const { done, value } = await transferred(reader.read());
    if (done) {
      break;
    }
    length += value.length;
    if (length > most) {
      await reader.cancel();
      return null;
    }
    parts.push(value);
  }
  received.set(signal, (received.get(signal) ?? 0) + length);
  const whole = new Uint8Array(length);
  let position = 0;
  for (const part of parts) {
    whole.set(part, position);
    position += part.length;
  }
  return whole;
}
