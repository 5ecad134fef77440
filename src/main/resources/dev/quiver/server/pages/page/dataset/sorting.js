// The order of the rows: columns by which they are sorted, how a user changes them, and a statement with the same order.
// @ts-check

import { nextDirection, sortText, sortedBy, sortsOf } from '../grid/sorts.js';
import { tell } from '../lib/elements.js';
import { load } from '../lib/modules.js';
import { json } from '../lib/requests.js';
import { readState } from '../lib/url-state.js';
import { canSort, hasSql, positionsOf } from './rows-state.js';

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
  // The column stays in sight.
  view.change({ sort: sortText(sortedBy(wantedSorts(view), position, descending, adds)), column: position || null });
}

/**
 * Sorts by a column, in its next direction.
 *
 * @param {import('./rows-view.js').RowsView} view
 * @param {number} position
 * @param {boolean} adds whether other columns stay in the order
 */
export function sortOn(view, position, adds) {
  sortBy(view, position, nextDirection(wantedSorts(view), position, adds), adds);
}

/**
 * The order that is wanted. The rows may still have the one before.
 *
 * @param {import('./rows-view.js').RowsView} view
 */
const wantedSorts = (view) => sortsOf(readState().values.get('sort') ?? '', view.fields.length);

/**
 * A statement that returns what is shown in its order, or null if that is the stored one.
 *
 * @param {import('./dataset-page.js').Dataset} dataset
 * @param {Map<string, string>} values
 */
export async function sortedSelection({ path, name, version }, values) {
  const text = values.get('sort');
  if (text === undefined || !canSort()) {
    return null;
  }
  const [{ fields }, { namesInSql, statement }] = await Promise.all([json(`${path}/schema`), load('grid/row-order.js')]);
  const sorts = sortsOf(text, fields.length);
  const positions = positionsOf(values.get('columns') ?? '', fields.length);
  const search = values.get('search') ?? '';
  const own = values.get('where') ?? '';
  const near = search === '' ? null : await (await load('dataset/asked-statement.js')).searched({ path, fields, names: namesInSql(fields) }, own, search);
  // No condition may find exactly the rows of a search, which folds more letters.
  const where = search === '' ? own : near && near.rows === near.wanted ? near.where : null;
  return sorts.length === 0 || where === null ? null : statement(fields, positions, { table: `${name}@${version}`, where, sorts });
}
