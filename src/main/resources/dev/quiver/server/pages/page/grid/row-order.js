// The order of sorted rows: their numbers, which a statement returns for many windows at a time.
// @ts-check

import { Problem, base, send, transferred } from '../lib/requests.js';
import { identifier } from '../sql/conditions.js';
import { tableOf } from './arrow-values.js';

/** @typedef {import('./sorts.js').Sort} Sort */

/**
 * The order of rows by columns, of which the first counts most.
 *
 * @typedef {object} Ordering
 * @property {import('../sql/conditions.js').SchemaField[]} fields those of the whole schema
 * @property {string} table the name of the version in a statement
 * @property {string} where a condition, or '' for all rows
 * @property {Sort[]} sorts
 */

/**
 * A part of the order that is fetched, or was: how many wait for it, and its numbers.
 *
 * @typedef {{ control: AbortController, waiting: number, isDone: boolean, numbers: Promise<number[]> }} OpenPart
 */

/** The rows of a statement, of which a window has 128. */
const ORDERED_ROWS = 8192;
const MOST_PARTS = 64;

/** The order of the rows that match a condition. Equal ones keep their order. */
export class Order {
  /** @type {Map<number, OpenPart>} */
  #parts = new Map();

  /** @param {Ordering} ordering */
  constructor({ fields, table, where, sorts }) {
    this.fields = fields;
    this.table = table;
    this.where = where;
    this.sorts = sorts;
  }

  /**
   * The numbers of some rows among those that match, in their order.
   *
   * @param {number} row the first one of a window, or one of its rows
   * @param {number} limit no more than the window has left
   * @param {AbortSignal} [signal] ends the wait, if present
   */
  async numbers(row, limit, signal) {
    const part = Math.floor(row / ORDERED_ROWS);
    const numbers = await this.#part(part, signal);
    const first = row - part * ORDERED_ROWS;
    const found = numbers.slice(first, first + limit);
    if (found.length !== limit) {
      this.#parts.delete(part);
      throw new Problem(0, { detail: `Expected ${limit} rows but found ${found.length} at row ${row}` });
    }
    return found;
  }

  /**
   * A part of the order. Windows that need the same one share the statement, which ends if none of them waits.
   *
   * @param {number} part
   * @param {AbortSignal} [signal]
   */
  #part(part, signal) {
    const open = this.#parts.get(part) ?? this.#open(part);
    open.waiting++;
    const leave = () => {
      open.waiting--;
      if (open.waiting === 0 && !open.isDone) {
        open.control.abort();
        this.#forget(part, open);
      }
    };
    signal?.addEventListener('abort', leave, { once: true });
    return open.numbers;
  }

  /**
   * @param {number} part
   * @returns {OpenPart}
   */
  #open(part) {
    const control = new AbortController();
    const open = { control, waiting: 0, isDone: false, numbers: this.#fetch(part, control.signal) };
    this.#parts.set(part, open);
    if (this.#parts.size > MOST_PARTS) {
      this.#parts.delete(/** @type {number} */ (this.#parts.keys().next().value));
    }
    open.numbers.then(
      () => (open.isDone = true),
      () => this.#forget(part, open),
    );
    return open;
  }

  /**
   * @param {number} part
   * @param {OpenPart} open
   */
  #forget(part, open) {
    if (this.#parts.get(part) === open) {
      this.#parts.delete(part);
    }
  }

  /**
   * @param {number} part
   * @param {AbortSignal} signal
   * @returns {Promise<number[]>}
   */
  async #fetch(part, signal) {
    const response = await send(`${base}/sql.arrows`, {
      method: 'POST',
      body: this.#statement(part * ORDERED_ROWS),
      headers: { 'Content-Type': 'application/sql' },
      signal,
    });
    const table = tableOf(await transferred(response.arrayBuffer()));
    return Array.from(table.getChildAt(0).toArray(), Number);
  }

  /** @param {number} offset */
  #statement(offset) {
    const names = namesInSql(this.fields);
    const number = rowNumber(names);
    // One SELECT, so that the service evaluates the condition as it does that of other reads.
    return `SELECT row_number() OVER () - 1 AS ${number} ${fromOrdered(names, this, number)} LIMIT ${ORDERED_ROWS} OFFSET ${offset}`;
  }
}

/**
 * A statement whose result is the rows that match a condition, in an order, as SQL has their values.
 *
 * @param {import('../sql/conditions.js').SchemaField[]} fields
 * @param {number[]} positions
 * @param {Omit<Ordering, 'fields'>} ordering
 */
export function statement(fields, positions, { table, where, sorts }) {
  const names = namesInSql(fields);
  const isAll = positions.length === names.length && positions.every((position, i) => position === i);
  const columns = isAll ? '*' : positions.map((position) => names[position]).join(', ');
  return `SELECT ${columns} ${fromOrdered(names, { table, where, sorts }, 'row_number() OVER ()')}`;
}

/**
 * The part of a statement from its FROM on.
 *
 * @param {string[]} names
 * @param {Omit<Ordering, 'fields'>} ordering
 * @param {string} number
 */
function fromOrdered(names, { table, where, sorts }, number) {
  // A comment at the end of a condition ends with its line.
  const condition = where === '' ? '' : ` WHERE (${where}\n)`;
  const keys = sorts.map(({ position, descending }) => `${names[position]} ${descending ? 'DESC' : 'ASC'} NULLS LAST`);
  return `FROM ${identifier(table)}${condition} ORDER BY ${keys.join(', ')}, ${number}`;
}

/**
 * Values of rows that came in the order of the version, in that of some numbers of rows.
 *
 * @param {import('./arrow-values.js').Vector[]} columns
 * @param {number[]} numbers
 * @returns {import('./arrow-values.js').Vector[]}
 */
export function ordered(columns, numbers) {
  const places = new Map([...numbers].sort((a, b) => a - b).map((number, i) => [number, i]));
  return columns.map((values) => ({ type: values.type, at: (i) => values.at(places.get(numbers[i]) ?? -1) }));
}

/**
 * The names that columns have in statements, quoted.
 *
 * @param {import('../sql/conditions.js').SchemaField[]} fields
 */
export const namesInSql = (fields) => uniqueNames(fields).map(identifier);

/**
 * The names that columns have in statements: a repetition in any case of ASCII letters gets a number.
 *
 * @param {import('../sql/conditions.js').SchemaField[]} fields
 */
export function uniqueNames(fields) {
  const seen = new Set();
  /** @param {string} name */
  const lower = (name) => name.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
  return fields.map(({ name }, i) => {
    const first = name === '' ? `C${i}` : name;
    let found = first;
    for (let number = 1; seen.has(lower(found)); number++) {
      found = `${first}_${number}`;
    }
    seen.add(lower(found));
    return found;
  });
}

/**
 * A name that no column has.
 *
 * @param {string[]} names
 */
function rowNumber(names) {
  let name = 'row number';
  while (names.some((other) => other.toLowerCase() === identifier(name))) {
    name += ' ';
  }
  return identifier(name);
}
