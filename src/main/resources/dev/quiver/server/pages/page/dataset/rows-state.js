// The state of the view of the rows, as the URL has it: columns, a condition and an order.
// @ts-check

import { load } from '../lib/modules.js';
import { Problem, authorization, base, json, link } from '../lib/requests.js';

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
 * A position, with `-` before it if the greatest value is first.
 *
 * @param {string} text
 * @param {number} count that of all columns
 * @returns {import('../grid/row-order.js').Sort | null}
 */
export function sortOf(text, count) {
  const found = /^(-?)(\d+)$/.exec(text);
  return found && Number(found[2]) < count ? { position: Number(found[2]), descending: found[1] === '-' } : null;
}

/**
 * Whether a request failed because of the filter: its text or values, or the time or memory that it takes.
 *
 * @param {unknown} error
 */
export const isMistake = (error) => error instanceof Problem && [400, 413, 414, 422, 504].includes(error.status);

/**
 * A condition as an example, on a column of the data: the first one of numbers, of times, or of text.
 *
 * @param {import('../sql/conditions.js').SchemaField[]} fields
 */
export function exampleOf(fields) {
  /** @param {RegExp} type */
  const name = (type) => fields.find((field) => field.name !== '' && field.name.length < 25 && type.test(field.arrowType))?.name;
  /** @param {string} found */
  const spelled = (found) => (/^[a-z_]\w*$/i.test(found) ? found : `"${found}"`);
  const [number, time, text] = [name(/^(u?int|float|decimal)/), name(/^(date|timestamp)/), name(/utf8/)];
  return number ? `${spelled(number)} > 100` : time ? `${spelled(time)} >= '2026-01-31'` : text ? `${spelled(text)} = 'a'` : 'a condition';
}

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
  const [{ fields }, { statement }] = await Promise.all([json(`${path}/schema`), load('grid/row-order.js')]);
  const sort = sortOf(text, fields.length);
  const positions = positionsOf(values.get('columns') ?? '', fields.length);
  return sort && statement(fields, positions, { table: `${name}@${version}`, where: values.get('where') ?? '', sort });
}
