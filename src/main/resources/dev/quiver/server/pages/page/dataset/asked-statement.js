// The statement that *Ask in SQL* begins with: the rows and columns on the screen, in their order.
// @ts-check

import { uniqueNames } from '../grid/row-order.js';
import { sortsOf } from '../grid/sorts.js';
import { visible } from '../lib/elements.js';
import { json } from '../lib/requests.js';
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
export function condition(fields, names, search) {
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
 * @param {import('../sql/conditions.js').SchemaField} field
 * @returns {boolean}
 */
function hasText(field) {
  const { name } = valueType(field);
  return TEXTS.has(name) || name === 'uuid' || field.children.some(hasText);
}
