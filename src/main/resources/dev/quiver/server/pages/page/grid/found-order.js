// The order of the rows that a search has found, which no statement can tell: their values are compared here, as SQL does.
// @ts-check

import { counted, grouped } from '../lib/elements.js';
import { Problem } from '../lib/requests.js';
import { Type, isText, valueType } from './arrow-values.js';

/** @typedef {import('./arrow-values.js').Vector} Vector */

const MOST_ROWS = 100_000;
const COMPARED = new Set([Type.Int, Type.Float, Type.Decimal, Type.Bool, Type.Date, Type.Time, Type.Timestamp, Type.Duration]);
const SURROGATES = 0xd800;
const AFTER_SURROGATES = 0xe000;

/** The order of at most 100,000 rows by some columns. Equal ones keep their order. */
export class FoundOrder {
  /** @type {Promise<number[]> | null} */
  #numbers = null;

  /**
   * @param {number} rows
   * @param {import('./row-order.js').Sort[]} sorts
   * @param {(positions: number[]) => Promise<Vector[]>} fetched returns the values of columns of all rows
   */
  constructor(rows, sorts, fetched) {
    this.rows = rows;
    this.sorts = sorts;
    this.fetched = fetched;
  }

  /**
   * The numbers of some rows among those that were found, in their order.
   *
   * @param {number} row
   * @param {number} limit
   */
  async numbers(row, limit) {
    if (this.rows > MOST_ROWS) {
      throw new Problem(0, { detail: `Expected at most ${counted(MOST_ROWS, 'row')} to sort after a search but found ${grouped(this.rows)}`, hint: 'Search for more, or add a filter.' });
    }
    this.#numbers ??= this.#order();
    this.#numbers.catch(() => (this.#numbers = null));
    return (await this.#numbers).slice(row, row + limit);
  }

  async #order() {
    const columns = await this.fetched(this.sorts.map(({ position }) => position));
    const keys = columns.map((values) => Array.from({ length: this.rows }, (_, i) => values.at(i)));
    const compares = columns.map(({ type }, i) => comparing(type, this.sorts[i].descending));
    return Array.from({ length: this.rows }, (_, i) => i).sort((a, b) => {
      for (let i = 0; i < keys.length; i++) {
        const order = compares[i](keys[i][a], keys[i][b]);
        if (order !== 0) {
          return order;
        }
      }
      return a - b;
    });
  }
}

/**
 * Returns a comparison of values, of which null is the last in either direction.
 *
 * @param {import('./arrow-values.js').ValueType} type
 * @param {boolean} isDescending
 */
function comparing(type, isDescending) {
  const { typeId } = valueType(type);
  const compare = isText(type) ? compareTexts : typeId !== null && COMPARED.has(typeId) ? compareNumbers : null;
  if (!compare) {
    throw new Problem(0, { detail: 'Expected numbers, texts or times to sort by after a search but found another type', hint: 'Sort by another column, or write a filter in place of the search.' });
  }
  /** @param {any} a @param {any} b */
  return (a, b) => {
    const nulls = Number(a === null || a === undefined) - Number(b === null || b === undefined);
    return nulls !== 0 || a === null || a === undefined ? nulls : isDescending ? compare(b, a) : compare(a, b);
  };
}

/**
 * NaN is equal to itself and greater than all others.
 *
 * @param {any} a
 * @param {any} b
 */
function compareNumbers(a, b) {
  return a < b ? -1 : a > b ? 1 : Number(Number.isNaN(a)) - Number(Number.isNaN(b));
}

/**
 * Compares texts by their bytes in UTF-8, which is by their characters.
 *
 * @param {string} a
 * @param {string} b
 */
function compareTexts(a, b) {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const [x, y] = [a.charCodeAt(i), b.charCodeAt(i)];
    if (x !== y) {
      return rank(x) - rank(y);
    }
  }
  return a.length - b.length;
}

/**
 * Returns a number by which halves of surrogate pairs come after all other units, as their characters do.
 *
 * @param {number} unit
 */
const rank = (unit) => (unit < SURROGATES ? unit : unit < AFTER_SURROGATES ? unit + 0x10000 : unit);
