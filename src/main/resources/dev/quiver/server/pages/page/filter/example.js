// An example of what to write in the filter.
// @ts-check

import { textLiteral } from '../sql/conditions.js';

/** @typedef {import('../sql/conditions.js').SchemaField} SchemaField */
/** @typedef {import('../dataset/statistics.js').ColumnStatistics} ColumnStatistics */

const MOST_VALUE_CHARACTERS = 20;
const DIGITS = 3;

/**
 * The columns that an example may have, in the order in which they are tried: those of numbers, of times, and of text. Each has
 * its operator and a value that some rows have, or one that any column of its type may have if no statistics are known.
 *
 * @type {{ type: RegExp, operator: string, value: (statistics: ColumnStatistics) => string | null, other: string }[]}
 */
const EXAMPLES = [
  {
    type: /^(u?int|float|decimal)/,
    operator: '>',
    value: ({ median }) => (Number.isFinite(Number(median ?? NaN)) ? String(Number(Number(median).toPrecision(DIGITS))) : null),
    other: '100',
  },
  { type: /^(date|timestamp)/, operator: '>=', value: ({ median }) => /^'?\d{4}-\d\d-\d\d/.test(String(median)) ? `'${String(median).slice(0, 10)}'` : null, other: `'2026-01-31'` },
  { type: /utf8/, operator: '=', value: ({ top }) => (top && top[0]?.value.length <= MOST_VALUE_CHARACTERS ? textLiteral(top[0].value) : null), other: `'a'` },
];

/**
 * A condition as an example, on a column of the data, with a value in the midst of those of the column.
 *
 * @param {SchemaField[]} fields
 * @param {(position: number) => ColumnStatistics | undefined} known returns the statistics of a column if they are here
 */
export function exampleOf(fields, known = () => undefined) {
  for (const { type, operator, value, other } of EXAMPLES) {
    const position = fields.findIndex((field) => field.name !== '' && field.name.length < 25 && type.test(field.arrowType));
    if (position >= 0) {
      const { name } = fields[position];
      const statistics = known(position);
      // A keyword gets its quotes when it is sent.
      const spelled = /^[a-z_]\w*$/i.test(name) ? name : `"${name.replaceAll('"', '""')}"`;
      return `${spelled} ${operator} ${(statistics && value(statistics)) ?? other}`;
    }
  }
  return 'a filter';
}
