// Sorted rows, which are the result of a statement for each window.

import { identifier } from './conditions.js';
import { Type } from './values.js';

/**
 * The statement of a window of rows that are sorted. Equal ones keep their order.
 *
 * @param windows those that the rows are of
 */
export function statement({ fields, table, where, sort }, row, limit, positions) {
  const names = namesInSql(fields);
  const number = rowNumber(names);
  // A comment at its end ends with its line.
  const condition = where === '' ? '' : ` WHERE (${where}\n)`;
  const direction = sort.descending ? 'DESC' : 'ASC';
  // Durations would be intervals.
  const columns = positions.map((i) => (fields[i].type.name === 'duration' ? `epoch_us(${names[i]})` : names[i])).join(', ');
  return (
    `SELECT ${columns} FROM (SELECT *, row_number() OVER () AS ${number} FROM ${identifier(table)}${condition})` +
    ` ORDER BY ${names[sort.position]} ${direction} NULLS LAST, ${number} LIMIT ${limit} OFFSET ${row}`
  );
}

/** The names that columns have in statements, quoted: a repetition in any case of ASCII letters gets a number. */
function namesInSql(fields) {
  const seen = new Set();
  const lower = (name) => name.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
  return fields.map(({ name }, i) => {
    const first = name === '' ? `C${i}` : name;
    let found = first;
    for (let number = 1; seen.has(lower(found)); number++) {
      found = `${first}_${number}`;
    }
    seen.add(lower(found));
    return identifier(found);
  });
}

/** A name that no column has. */
function rowNumber(names) {
  let name = 'row number';
  while (names.some((other) => other.toLowerCase() === identifier(name))) {
    name += ' ';
  }
  return identifier(name);
}

const UNITS = ['SECOND', 'MILLISECOND', 'MICROSECOND', 'NANOSECOND'];
const MICROSECOND = 2;

/** Values in the unit of their column: results of statements have most times in microseconds. */
export function inUnit(values, { name, unit }) {
  const { type } = values;
  const isTime = name === 'time' || name === 'timestamp';
  if (!isTime && name !== 'duration') {
    return values;
  }
  const wanted = UNITS.indexOf(unit);
  const divisor = 1000n ** BigInt(Math.max(0, (isTime ? type.unit : MICROSECOND) - wanted));
  const divided = (value) => (value === null ? null : BigInt(value) / divisor);
  return { type: isTime ? { ...type, unit: wanted } : { typeId: Type.Duration, unit: wanted }, at: (i) => divided(values.at(i)) };
}
