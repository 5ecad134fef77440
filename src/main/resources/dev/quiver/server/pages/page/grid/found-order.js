// The order of the rows that a search has found, which no statement can tell: their values are compared here, as SQL does.
// @ts-check

import { counted, grouped } from '../lib/elements.js';
import { Problem } from '../lib/requests.js';
import { isComparable, orderOf } from './value-order.js';

/** @typedef {import('./arrow-values.js').Vector} Vector */

const MOST_ROWS = 100_000;

/** The order of at most 100,000 rows by some columns. Equal ones keep their order. */
export class FoundOrder {
  /** @type {Promise<number[]> | null} */
  #numbers = null;

  /**
   * @param {number} rows
   * @param {import('./sorts.js').Sort[]} sorts
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
    if (!columns.every(({ type }) => isComparable(type))) {
      throw new Problem(0, { detail: 'Expected numbers, texts or times to sort by after a search but found another type', hint: 'Sort by another column, or write a filter in place of the search.' });
    }
    const keys = columns.map((values, i) => ({
      type: values.type,
      keys: Array.from({ length: this.rows }, (_, row) => values.at(row)),
      descending: this.sorts[i].descending,
    }));
    return Array.from(await orderOf(keys, this.rows, new AbortController().signal));
  }
}
