// The state of the view of the rows, as the URL has it: columns, a condition and an order.
// @ts-check

import { Problem, authorization, base, link } from '../lib/requests.js';

// Sorting needs SQL, which not every service has, nor every link permits.
export const hasSql = document.querySelector(`.site a[href="${base}/sql"]`) !== null;
export const canSort = () => hasSql && (link === null || authorization().Authorization !== undefined);

/**
 * Positions such as `3,0,5`, without unknown ones; all positions if none is left.
 *
 * @param {string} text
 * @param {number} count that of all columns
 */
export function positionsOf(text, count) {
  const found = text.split(',').filter((part) => /^\d+$/.test(part)).map(Number);
  const known = [...new Set(found)].filter((position) => position < count);
  return known.length > 0 ? known : Array.from({ length: count }, (_, i) => i);
}

/**
 * Whether a request failed because of the filter: its text or values, or the time or memory that it takes.
 *
 * @param {unknown} error
 */
export const isMistake = (error) => error instanceof Problem && [400, 413, 414, 422, 504].includes(error.status);

/**
 * The parameters of a request for the rows and columns that are shown, in their stored order.
 *
 * @param {Map<string, string>} values
 */
export function selection(values) {
  const columns = values.get('columns') ?? '';
  const positions = /^\d+(,\d+)*$/.test(columns) ? columns.split(',') : [];
  return new Map([
    ['where', values.get('where') ?? ''],
    ['search', values.get('search') ?? ''],
    ['columns', positions.map((position) => `[${position}]`).join()],
  ]);
}
