// The order of the rows: columns by which they are sorted, how a user changes them, and a statement with the same order.
// @ts-check

import { tell } from '../lib/elements.js';
import { load } from '../lib/modules.js';
import { json } from '../lib/requests.js';
import { readState } from '../lib/url-state.js';
import { canSort, hasSql, positionsOf } from './rows-state.js';

/** The most columns by which rows are sorted. */
const MOST_SORTS = 8;

/**
 * The columns of an order such as `-5,0`: positions, with `-` before those whose greatest value is first. Unknown ones are
 * left out.
 *
 * @param {string} text
 * @param {number} count that of all columns
 * @returns {import('../grid/row-order.js').Sort[]}
 */
export function sortsOf(text, count) {
  const parts = text.split(',').filter((part) => /^-?\d+$/.test(part));
  const sorts = parts.map((part) => ({ position: Number(part.replace('-', '')), descending: part.startsWith('-') }));
  const isFirst = (/** @type {number} */ i) => sorts.findIndex(({ position }) => position === sorts[i].position) === i;
  return sorts.filter(({ position }, i) => position < count && isFirst(i)).slice(0, MOST_SORTS);
}

/**
 * An order as the URL has it.
 *
 * @param {import('../grid/row-order.js').Sort[]} sorts
 */
export const sortText = (sorts) => sorts.map(({ position, descending }) => `${descending ? '-' : ''}${position}`).join();

/**
 * Sorts by a column, or no more by it.
 *
 * @param {import('./rows-view.js').RowsView} view
 * @param {number} position
 * @param {boolean | null} descending whether the greatest value is first, or null to stop
 * @param {boolean} [adds] whether the other columns of the order stay, which count more than a new one
 */
export function sortBy(view, position, descending, adds = false) {
  if (descending !== null && !canSort()) {
    tell(hasSql ? 'Sorting needs SQL, which the link that opened this page does not permit.' : 'Sorting needs SQL, which this service does not have.');
    return;
  }
  const former = adds ? sortsOf(readState().values.get('sort') ?? '', view.fields.length) : [];
  const isNew = former.every((sort) => sort.position !== position);
  const own = descending === null ? [] : [{ position, descending }];
  const sorts = isNew ? [...former, ...own] : former.flatMap((sort) => (sort.position === position ? own : [sort]));
  // The column stays in sight.
  view.change({ sort: sortText(sorts), column: position || null });
}

/**
 * Sorts by a column, the least value first, then the greatest, then not. The rows may still be those before the last change.
 *
 * @param {import('./rows-view.js').RowsView} view
 * @param {number} position
 * @param {boolean} adds whether other columns stay in the order
 */
export function sortOn(view, position, adds) {
  const sorts = sortsOf(readState().values.get('sort') ?? '', view.fields.length);
  const former = sorts.find((sort) => sort.position === position);
  const isAlone = former !== undefined && (adds || sorts.length === 1);
  sortBy(view, position, !isAlone ? false : former.descending ? null : true, adds);
}

/**
 * A statement that returns what is shown in its order, or null if that is the stored one.
 *
 * @param {import('./dataset-page.js').Dataset} dataset
 * @param {Map<string, string>} values
 */
export async function sortedSelection({ path, name, version }, values) {
  const text = values.get('sort');
  // No statement finds what a search does.
  if (text === undefined || !canSort() || (values.get('search') ?? '') !== '') {
    return null;
  }
  const [{ fields }, { statement }] = await Promise.all([json(`${path}/schema`), load('grid/row-order.js')]);
  const sorts = sortsOf(text, fields.length);
  const positions = positionsOf(values.get('columns') ?? '', fields.length);
  return sorts.length === 0 ? null : statement(fields, positions, { table: `${name}@${version}`, where: values.get('where') ?? '', sorts });
}
