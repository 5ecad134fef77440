// The statement that *Ask in SQL* begins with: the rows and columns on the screen, in their order.
// @ts-check

import { uniqueNames } from '../grid/row-order.js';
import { sortsOf } from '../grid/sorts.js';
import { visible } from '../lib/elements.js';
import { countRows, json } from '../lib/requests.js';
import { identifier, narrowed, textLiteral, valueType } from '../sql/conditions.js';
import { RESERVED } from '../sql/sql-keywords.js';
import { quoted } from '../sql/tokens.js';
import { positionsOf } from './rows-state.js';

const MOST_ROWS = 1000;
const MOST_SEARCHED = 50;
const TEXTS = new Set(['utf8', 'largeutf8', 'utf8view']);
const KEYWORDS = new Set(RESERVED);

/**
 * @param {import('./dataset-page.js').Dataset} dataset
 * @param {Map<string, string>} values those of the view of the rows
 */
export async function askedStatement({ name, version, pinned, path }, values) {
  /** @type {{ fields: import('../sql/conditions.js').SchemaField[] }} */
  const { fields } = await json(`${path}/schema`);
  const names = uniqueNames(fields).map((each) => quoted(each, KEYWORDS));
  const search = values.get('search') ?? '';
  const found = search === '' ? null : condition(fields, names, search);
  const where = found === null ? (values.get('where') ?? '') : narrowed(values.get('where') ?? '', found);
  const positions = positionsOf(values.get('columns') ?? '', fields.length);
  const isAll = positions.length === fields.length && positions.every((position, i) => position === i);
  const keys = sortsOf(values.get('sort') ?? '', fields.length).map(({ position, descending }) => `${names[position]} ${descending ? 'DESC' : 'ASC'} NULLS LAST`);
  return [
    search !== '' && found === null ? `-- Without the search for ${visible(search)}, which no condition says: add one to WHERE.` : null,
    `SELECT ${isAll ? '*' : positions.map((position) => names[position]).join(', ')}`,
    `FROM ${pinned ? identifier(`${name}@${version}`) : quoted(name, KEYWORDS)}`,
    where === '' ? null : `WHERE ${where}`,
    keys.length === 0 ? null : `ORDER BY ${keys.join(', ')}`,
    `LIMIT ${MOST_ROWS}`,
  ]
    .filter((line) => line !== null)
    .join('\n');
}

/**
 * The condition of the rows that have a text in any case, or null if texts are where no short condition finds them. Letters such
 * as ß, which a search takes for ss, are only themselves in it.
 *
 * @param {import('../sql/conditions.js').SchemaField[]} fields
 * @param {string[]} names
 * @param {string} search
 */
function condition(fields, names, search) {
  const columns = fields.flatMap((field, i) => {
    const { name } = valueType(field);
    return TEXTS.has(name) ? [names[i]] : name === 'uuid' ? [`CAST(${names[i]} AS VARCHAR)`] : [];
  });
  if (columns.length === 0 || columns.length > MOST_SEARCHED || fields.some(({ type, children }) => type.name !== 'runendencoded' && children.some(hasText))) {
    return null;
  }
  return columns.map((column) => `contains(lower(${column}), lower(${textLiteral(search)}))`).join(' OR ');
}

/**
 * The condition that is nearest to a search among the rows of another condition, with the numbers of rows that it finds and that are
 * wanted; null without one. Where the numbers are equal, so are the rows, since each row of the condition has the text.
 *
 * @param {{ path: string, fields: import('../sql/conditions.js').SchemaField[], names: string[] }} dataset
 * @param {string} where the other condition, or ''
 * @param {string} search
 * @param {AbortSignal} [signal]
 */
export async function searched({ path, fields, names }, where, search, signal) {
  const found = condition(fields, names, search);
  if (found === null) {
    return null;
  }
  const all = narrowed(where, found);
  // The other condition is accepted by itself, too, since what closes its brackets may be one only beside this one.
  const [rows, wanted] = await Promise.all([countRows(path, { where: all }, signal), countRows(path, where === '' ? { search } : { where, search }, signal)]);
  return { where: all, rows, wanted };
}

/**
 * @param {import('../sql/conditions.js').SchemaField} field
 * @returns {boolean}
 */
function hasText(field) {
  const { name } = valueType(field);
  return TEXTS.has(name) || name === 'uuid' || field.children.some(hasText);
}
