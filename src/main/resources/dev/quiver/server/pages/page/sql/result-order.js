// The order of the rows of a result.
//
// A complete result is sorted in the browser, which has all of its rows. Of any other result, the rows that are first in an order
// may be among those that are not here, so a statement sorts: the one of the result, as a part of another. Either way, rows that
// are equal keep their order. A statement that returns other rows each time, such as those of random(), returns others then.
// @ts-check

import { Type } from '../grid/arrow-values.js';
import { isComparable, orderOf } from '../grid/value-order.js';
import { Slices } from '../lib/slices.js';
import { identifier } from './conditions.js';
import { withoutEnd } from './tokens.js';

/** @typedef {import('../grid/sorts.js').Sort} Sort */
/** @typedef {import('./query-result.js').Result} Result */

/** The most rows whose values are taken at once, as cells are copied. */
const MOST_ROWS = 10_000;
const CHECKED_ROWS = 1024;

/** A complete result in another order. */
export class OrderedRows {
  /** @type {import('../grid/grid.js').Window} */
  #all;

  /**
   * @param {Result} result
   * @param {Uint32Array} order
   */
  constructor(result, order) {
    this.rows = result.rows;
    const columns = (result.fields ?? []).map(({ type }, i) => ({ type, at: (/** @type {number} */ row) => valueAt(result, order[row], i) }));
    this.#all = { row: 0, column: 0, columns };
  }

  at() {
    return this.#all;
  }

  /** All rows are here. */
  want() {}

  /**
   * @param {number} row
   * @param {number} end the row after the last one
   * @param {[number, number]} columns the first one, and the one after the last
   */
  async values(row, end, columns) {
    const found = this.#all.columns.slice(...columns);
    return { count: Math.min(end - row, MOST_ROWS), columns: found.map(({ type, at }) => ({ type, at: (/** @type {number} */ i) => at(row + i) })) };
  }
}

/**
 * @param {Result} result
 * @param {number} row
 * @param {number} column
 */
function valueAt(result, row, column) {
  const batch = result.at(row);
  return batch.columns[column].at(row - batch.row);
}

/**
 * Sorts a result in the browser, or returns null if that would not be the order of all its rows, or not the one of SQL.
 *
 * @param {Result} result
 * @param {Sort[]} sorts
 * @param {AbortSignal} signal
 */
export async function orderedHere(result, sorts, signal) {
  const fields = result.fields ?? [];
  if (result.state !== 'complete' || !sorts.every(({ position }) => isSortedHere(fields[position].type))) {
    return null;
  }
  const slices = new Slices(signal);
  const columns = [];
  for (const { position, descending } of sorts) {
    columns.push({ type: fields[position].type, keys: await valuesOf(result, position, slices), descending });
  }
  return new OrderedRows(result, await orderOf(columns, result.rows, signal));
}

/**
 * Whether values of a type have the same order here as in SQL, which orders those of an ENUM as it lists them.
 *
 * @param {import('../grid/arrow-values.js').ValueType} type
 */
function isSortedHere(type) {
  return isComparable(type) && !(type.typeId === Type.Dictionary && type.ordered);
}

/**
 * The values of a column.
 *
 * @param {Result} result
 * @param {number} column
 * @param {Slices} slices
 */
export async function valuesOf(result, column, slices) {
  const found = new Array(result.rows);
  let row = 0;
  for (const { values, count } of result.parts(column)) {
    for (let i = 0; i < count; i++, row++) {
      found[row] = values.at(i);
      if (row % CHECKED_ROWS === 0 && slices.isOver) {
        await slices.next();
      }
    }
  }
  return found;
}

/**
 * A statement that returns the rows of a result in an order.
 *
 * @param {string} sql
 * @param {{ name: string }[]} fields
 * @param {Sort[]} sorts
 */
export function sortedStatement(sql, fields, sorts) {
  // Names of results may be repeated, and are those of the outer columns alone.
  const columns = fields.map(({ name }, i) => (name === '' ? `r.c${i}` : `r.c${i} AS ${identifier(name)}`));
  const keys = sorts.map(({ position, descending }) => `r.c${position} ${descending ? 'DESC' : 'ASC'} NULLS LAST`);
  return `SELECT ${columns.join(', ')}
FROM (SELECT *, row_number() OVER () AS n FROM (
${withoutEnd(sql)}
) AS t(${fields.map((_, i) => `c${i}`).join(', ')})) AS r
ORDER BY ${keys.join(', ')}, r.n`;
}
