// Conditions of `where` on a column: the rows of a bar or of a value of its statistics. Nothing here touches the page.
// @ts-check

/**
 * The type of a field in a schema document: its other members depend on its name.
 *
 * @typedef {{ name: string, [member: string]: any }} SchemaType
 */

/**
 * A field of a schema document.
 *
 * @typedef {object} SchemaField
 * @property {string} name
 * @property {string} arrowType
 * @property {boolean} nullable
 * @property {SchemaType} type
 * @property {SchemaField[]} children
 * @property {{ key: string, value: string }[]} [metadata]
 * @property {{ id: number, indexType: { isSigned: boolean, bitWidth: number }, isOrdered: boolean }} [dictionary]
 */

/**
 * A column that conditions name: its name after those of the structs around it, and the type of its values.
 *
 * @typedef {{ names: string[], type: SchemaType }} Column
 */

/** The most bytes of a text or binary value in statistics, unless it is cut. */
const MOST_BYTES = 256;
const BYTES_OF_A_CHARACTER = 4;

/** Limits of SQL: the digits of a decimal, and the years before and after year 1. */
const MOST_DIGITS = 38;
const MOST_YEARS_OF_TIMESTAMPS = 290_000;
const MOST_YEARS_OF_DATES = 5_800_000;

/**
 * A name as an identifier of SQL.
 *
 * @param {string} name
 */
export function identifier(name) {
  return `"${name.replaceAll('"', '""')}"`;
}

/**
 * A text as a literal of SQL.
 *
 * @param {string} text
 */
export function textLiteral(text) {
  return `'${text.replaceAll("'", "''")}'`;
}

/**
 * A column that conditions name, or null if no condition can name it: SQL has no empty names, and a name of several columns,
 * whatever their case, is ambiguous.
 *
 * @param {SchemaField[]} fields the fields of the schema document
 * @param {number[]} path the position of a column, and those of fields within structs
 * @returns {Column | null}
 */
export function columnAt(fields, path) {
  const names = [];
  let siblings = fields;
  /** @type {SchemaField | null} */
  let field = null;
  for (const position of path) {
    field = siblings[position];
    if (field.name === '' || isRepeated(siblings, field.name)) {
      return null;
    }
    names.push(field.name);
    siblings = field.children;
  }
  return field && { names, type: valueType(field) };
}

/** @type {WeakMap<SchemaField[], Map<string, number>>} */
const counted = new WeakMap();

/**
 * @param {SchemaField[]} fields
 * @param {string} name
 */
function isRepeated(fields, name) {
  let counts = counted.get(fields);
  if (!counts) {
    counts = new Map();
    const found = counts;
    fields.forEach((each) => found.set(folded(each.name), (found.get(folded(each.name)) ?? 0) + 1));
    counted.set(fields, counts);
  }
  return (counts.get(folded(name)) ?? 0) > 1;
}

/** @param {string} name */
function folded(name) {
  return name.toLowerCase();
}

/**
 * The type of the values of a field, which dictionaries and runs only encode. UUIDs have one of their own.
 *
 * @param {SchemaField} field
 * @returns {SchemaType}
 */
export function valueType(field) {
  if (field.type.name === 'runendencoded') {
    return valueType(field.children[1]);
  }
  return /^(dictionary<[^,]*, )?uuid/.test(field.arrowType) ? { name: 'uuid' } : field.type;
}

/**
 * A column in a condition. Its name is quoted, whatever it is.
 *
 * @param {Column} column
 */
export function reference({ names }) {
  return names.map(identifier).join('.');
}

/**
 * The condition of the rows that match two conditions, of which the first may be '' for all rows.
 *
 * @param {string} where
 * @param {string} condition
 */
export function narrowed(where, condition) {
  // A comment at its end ends with its line.
  return where === '' || where === condition ? condition : `(${where}${where.includes('--') ? '\n' : ''}) AND (${condition})`;
}

/** @param {Column} column */
export function isNull(column) {
  return `${reference(column)} IS NULL`;
}

/**
 * The rows that have a value of the statistics, or null if the type has no such condition or the value is cut.
 *
 * @param {Column} column
 * @param {any} value
 * @returns {string | null}
 */
export function equals(column, value) {
  const written = literal(column.type, value);
  return written === null ? null : `${reference(column)} = ${written}`;
}

/**
 * The rows of a bin of the statistics, or null if the type has no such condition.
 *
 * @param {Column} column
 * @param {any} from
 * @param {any} to
 * @param {boolean} isLast whether this is the last bin, which includes its upper bound
 * @returns {string | null}
 */
export function between(column, from, to, isLast) {
  const [least, greatest] = [literal(column.type, from), literal(column.type, to)];
  if (least === null || greatest === null) {
    return null;
  }
  const name = reference(column);
  return least === greatest ? `${name} = ${least}` : `${name} >= ${least} AND ${name} ${isLast ? '<=' : '<'} ${greatest}`;
}

/**
 * A value as a literal that equals it exactly, or null if no literal does.
 *
 * @param {SchemaType} type the type of the schema document
 * @param {any} value the value of the statistics with `numbers=string`
 * @returns {string | null}
 */
export function literal(type, value) {
  switch (type.name) {
    case 'int':
      return String(value);
    case 'decimal':
      // SQL has decimals of 38 digits, and no negative scale.
      return type.precision > MOST_DIGITS || type.scale < 0 ? null : String(value);
    case 'floatingpoint':
      return floatLiteral(type.precision, value);
    case 'bool':
      return value ? 'TRUE' : 'FALSE';
    case 'utf8':
    case 'largeutf8':
    case 'utf8view':
      return isCut(value) ? null : textLiteral(value);
    case 'uuid':
      return textLiteral(value);
    case 'binary':
    case 'largebinary':
    case 'binaryview':
    case 'fixedsizebinary':
      return value.endsWith('…') ? null : bytesLiteral(value);
    case 'date':
      return dateLiteral(value);
    case 'time':
      return type.unit === 'NANOSECOND' ? `TIME_NS '${value}'` : `TIME '${value}'`;
    case 'timestamp':
      return timestampLiteral(type, value);
    case 'duration':
      return durationLiteral(type, value);
    default:
      return null;
  }
}

/** @param {string} text */
function isCut(text) {
  return text.endsWith('…') && new TextEncoder().encode(text).length > MOST_BYTES - BYTES_OF_A_CHARACTER;
}

/**
 * @param {string} precision
 * @param {any} value
 */
function floatLiteral(precision, value) {
  const written = precision === 'HALF' && Number.isFinite(value) ? half(value) : value;
  return `'${written}'::${precision === 'DOUBLE' ? 'DOUBLE' : 'FLOAT'}`;
}

/**
 * The nearest number of half precision, of which statistics have the shortest text.
 *
 * @param {number} value
 */
function half(value) {
  const exponent = Math.max(Math.floor(Math.log2(Math.abs(value))), -14);
  const unit = 2 ** ((value === 0 ? 0 : exponent) - 10);
  return Math.round(value / unit) * unit;
}

/** @param {string} base64 */
function bytesLiteral(base64) {
  const bytes = [...atob(base64)].map((character) => `\\x${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);
  return `'${bytes.join('')}'::BLOB`;
}

/**
 * A date or time as SQL writes it: years before 1 as BC, and those after 9999 without a sign. Null if SQL lacks it.
 *
 * @param {string} value
 * @param {number} mostYears
 */
function sqlTime(value, mostYears) {
  const [, sign, year, rest] = /** @type {RegExpMatchArray} */ (value.match(/^([+-]?)(\d+)(.*)$/));
  if (Number(year) > mostYears) {
    return null;
  }
  const time = rest.replace('T', ' ');
  const isCommon = sign !== '-' && Number(year) > 0;
  return isCommon ? year + time : `${String(Number(year) + 1).padStart(4, '0')}${time} (BC)`;
}

/** @param {string} value */
function dateLiteral(value) {
  const time = sqlTime(value, MOST_YEARS_OF_DATES);
  return time === null ? null : `DATE '${time}'`;
}

/**
 * @param {SchemaType} type
 * @param {string} value
 */
function timestampLiteral({ unit, timezone }, value) {
  const time = sqlTime(value, MOST_YEARS_OF_TIMESTAMPS);
  // With a zone, SQL has microseconds at most.
  if (time === null || (timezone !== undefined && unit === 'NANOSECOND')) {
    return null;
  }
  const name = timezone !== undefined ? 'TIMESTAMPTZ' : unit === 'NANOSECOND' ? 'TIMESTAMP_NS' : 'TIMESTAMP';
  return `${name} '${time}'`;
}

/**
 * A duration of whole microseconds, since SQL has no shorter one.
 *
 * @param {SchemaType} type
 * @param {string} value
 */
function durationLiteral({ unit }, value) {
  if (unit === 'NANOSECOND') {
    return null;
  }
  const [, sign, seconds, fraction = ''] = /** @type {RegExpMatchArray} */ (value.match(/^PT(-?)(\d+)(?:\.(\d+))?S$/));
  return `to_microseconds(${sign}${BigInt(seconds + fraction.padEnd(6, '0'))})`;
}
