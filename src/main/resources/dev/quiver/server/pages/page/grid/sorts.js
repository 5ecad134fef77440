// The columns by which rows are sorted: as a URL has them, and as a user changes them.
// @ts-check

/**
 * A column by which rows are sorted. Nulls are last in either direction.
 *
 * @typedef {{ position: number, descending: boolean }} Sort
 */

/** The most columns by which rows are sorted. */
const MOST_SORTS = 8;

/**
 * The columns of an order such as `-5,0`: positions, with `-` before those whose greatest value is first. Unknown ones are
 * left out.
 *
 * @param {string} text
 * @param {number} count that of all columns
 * @returns {Sort[]}
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
 * @param {Sort[]} sorts
 */
export const sortText = (sorts) => sorts.map(({ position, descending }) => `${descending ? '-' : ''}${position}`).join();

/**
 * The order after a column has got a direction.
 *
 * @param {Sort[]} sorts
 * @param {number} position
 * @param {boolean | null} descending whether the greatest value is first, or null to stop
 * @param {boolean} adds whether the other columns of the order stay, which count more than a new one
 */
export function sortedBy(sorts, position, descending, adds) {
  const former = adds ? sorts : [];
  const isNew = former.every((sort) => sort.position !== position);
  const own = descending === null ? [] : [{ position, descending }];
  return isNew ? [...former, ...own] : former.flatMap((sort) => (sort.position === position ? own : [sort]));
}

/**
 * The next direction of a column: the least value first, then the greatest, then none.
 *
 * @param {Sort[]} sorts
 * @param {number} position
 * @param {boolean} adds whether the other columns of the order stay
 * @returns {boolean | null} whether the greatest value is first, or null for none
 */
export function nextDirection(sorts, position, adds) {
  const former = sorts.find((sort) => sort.position === position);
  const isAlone = former !== undefined && (adds || sorts.length === 1);
  return !isAlone ? false : former.descending ? null : true;
}
