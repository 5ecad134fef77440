// Arrow data, and its values as text, exactly: integers, decimals and times are never numbers of 53 bits.
// @ts-check

import { groupedDigits, visible } from '../lib/elements.js';
// The decoder is vendored as it was published: a script that defines a global.
import '../vendor/flechette-2.6.0.min.js';

/**
 * The type of values, as the decoder has it: its members depend on its id, which JSON has not.
 *
 * @typedef {{ typeId: number | null, [member: string]: any }} ValueType
 */
/** @typedef {{ name: string, type: ValueType, nullable: boolean }} ValueField */
/** @typedef {{ type: ValueType, at(i: number): any }} Vector */
/** @typedef {{ text: string, kind: string }} CellText */

export const Type = globalThis.fl.Type;

// Proxies have members of any name, such as __proto__.
const DECODING = { useBigInt: true, useDecimalInt: true, useBigIntTimestamp: true, useProxy: true };

/**
 * Reads a stream, whose integers, decimals and times stay exact.
 *
 * @param {ArrayBuffer | Uint8Array | Uint8Array[]} stream
 */
export function tableOf(stream) {
  const table = globalThis.fl.tableFromIPC(stream, DECODING);
  table.schema.fields.forEach(nameExtension);
  return table;
}

const UUID_BYTES = 16;

/**
 * Gives types the name of an extension whose text differs from that of its storage: the decoder has it at fields alone.
 *
 * @param {any} field
 */
function nameExtension(field) {
  const type = field.type.typeId === Type.Dictionary ? field.type.dictionary : field.type;
  const name = field.metadata?.get('ARROW:extension:name');
  if (name === 'arrow.uuid' && type.typeId === Type.FixedSizeBinary && type.stride === UUID_BYTES) {
    type.extension = 'uuid';
  } else if (name === 'arrow.json' && isText(type)) {
    type.extension = 'json';
  }
  type.children?.forEach(nameExtension);
}

/** The type of values of a JSON document, of which long ones are cut. An undefined one was too long even so. */
export const JSON_VALUE = { typeId: null };

/** The type of values of a JSON document that are whole, since the decoder does not know theirs. */
export const WHOLE_JSON = { typeId: null };

const MOST_CHARACTERS = 300;
const UNITS = ['s', 'ms', 'µs', 'ns'];
const NANOSECOND_DIGITS = [0, 3, 6, 9];
const LARGEST_DATE_SECONDS = 8_640_000_000_000n;
const MOST_BYTES = 32;
const SECONDS_PER_DAY = 86_400n;
const SECONDS_PER_MINUTE = 60n;
const MIDNIGHT = '00:00:00.000Z';

/**
 * The fineness with which the times of a column are shown: with their time of day unless all are midnight, with seconds unless
 * all are whole minutes, and with as many digits of a second as one of them needs.
 *
 * @typedef {{ hasTime: boolean, hasSeconds: boolean, digits: number }} Precision
 */

/** @type {Precision} */
export const COARSEST = { hasTime: false, hasSeconds: false, digits: 0 };
const DIGITS_IN_A_GROUP = 3;

/**
 * The precision that shows a value as exactly as others of its column.
 *
 * @param {Precision} precision
 * @param {any} value
 * @param {ValueType} type
 * @returns {Precision}
 */
export function sharpened(precision, value, type) {
  const { typeId, unit, timezone } = valueType(type);
  if ((typeId !== Type.Timestamp && typeId !== Type.Time) || value === null || value === undefined) {
    return precision;
  }
  const most = NANOSECOND_DIGITS[unit];
  const [seconds, rest] = divided(BigInt(value), 10n ** BigInt(most));
  const zeros = rest === 0n ? most : (/0*$/.exec(String(rest))?.[0].length ?? 0);
  const digits = Math.ceil((most - zeros) / DIGITS_IN_A_GROUP) * DIGITS_IN_A_GROUP;
  const hasTime = typeId === Type.Time || Boolean(timezone) || rest !== 0n || seconds % SECONDS_PER_DAY !== 0n;
  const hasSeconds = rest !== 0n || seconds % SECONDS_PER_MINUTE !== 0n;
  return { hasTime: precision.hasTime || hasTime, hasSeconds: precision.hasSeconds || hasSeconds, digits: Math.max(precision.digits, digits) };
}

/**
 * A time without the zeros that say nothing in its column.
 *
 * @param {string} text
 * @param {Precision} precision
 */
function shortened(text, { hasTime, hasSeconds, digits }) {
  const [, day, minutes, seconds, fraction = '', zone] = /^(.*? |)(\d\d:\d\d)(:\d\d)(\.\d+)?(Z?)$/.exec(text) ?? [];
  if (minutes === undefined) {
    return text;
  }
  const clock = minutes + (hasSeconds ? seconds : '') + (digits === 0 ? '' : fraction.slice(0, digits + 1));
  return hasTime ? day + clock + zone : day.trimEnd();
}

/**
 * The parts of a cell: its text, and the kind of its value.
 *
 * @param {any} value
 * @param {ValueType} type
 * @param {Precision} [precision] that of its column, or nothing for all digits
 * @returns {CellText}
 */
export function cell(value, type, precision) {
  if (type === JSON_VALUE && value === undefined) {
    return { text: 'too long to show here', kind: 'null' };
  }
  if (value === null || value === undefined) {
    return { text: 'null', kind: isNumber(type) ? 'null number' : 'null' };
  }
  const text = isText(type) ? String(value) : isNumber(type) ? groupedDigits(describe(value, type)) : shownTime(describe(value, type), type, precision);
  if (text === '') {
    return { text: 'empty', kind: 'empty' };
  }
  const cut = text.length > MOST_CHARACTERS ? whole(text.slice(0, MOST_CHARACTERS)) + '…' : text;
  return { text: visible(cut), kind: isNumber(type) ? 'number' : 'text' };
}

/**
 * @param {string} text
 * @param {ValueType} type
 * @param {Precision} [precision]
 */
function shownTime(text, type, precision) {
  const { typeId } = valueType(type);
  return precision && (typeId === Type.Timestamp || typeId === Type.Time) ? shortened(text, precision) : text;
}

/**
 * The whole value as text, with hidden characters as they are.
 *
 * @param {any} value
 * @param {ValueType} type
 * @returns {string}
 */
export function full(value, type) {
  if (value === null || value === undefined) {
    return 'null';
  }
  return isText(type) ? String(value) : describe(value, type, Infinity);
}

/**
 * A value as it is copied: whole, and of bytes without their number.
 *
 * @param {any} value
 * @param {ValueType} type
 */
export function copiedText(value, type) {
  const text = full(value, type);
  return isBinary(type) ? text.slice(0, text.lastIndexOf(' (')) : text;
}

/**
 * A text in quotes if it has any of some characters, as spreadsheets read it.
 *
 * @param {RegExp} special
 * @param {string} text
 */
export const quotedIf = (special, text) => (special.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/**
 * A value for lines with tabs.
 *
 * @param {string} text
 */
export const quotedForTabs = (text) => quotedIf(/[\t\n\r"]/, text);

/** @type {Set<number | null>} */
const BINARY = new Set([Type.Binary, Type.LargeBinary, Type.BinaryView, Type.FixedSizeBinary]);
/** @type {Set<number | null>} */
const NUMBERS = new Set([Type.Int, Type.Float, Type.Decimal]);
/** @type {Set<number | null>} */
const TEXTS = new Set([Type.Utf8, Type.LargeUtf8, Type.Utf8View]);

/** @param {ValueType} type */
const isBinary = (type) => BINARY.has(valueType(type).typeId) && valueType(type).extension === undefined;
/** @param {ValueType} type */
export const isNumber = (type) => NUMBERS.has(valueType(type).typeId);
/** @param {ValueType} type */
export const isText = (type) => TEXTS.has(valueType(type).typeId);

/**
 * The type of the values of dictionaries and runs.
 *
 * @param {ValueType} type
 * @returns {ValueType}
 */
export function valueType(type) {
  switch (type.typeId) {
    case Type.RunEndEncoded:
      return valueType(type.children[1].type);
    case Type.Dictionary:
      return valueType(type.dictionary);
    default:
      return type;
  }
}

/**
 * Drops half of a surrogate pair at the end.
 *
 * @param {string} text
 */
function whole(text) {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last < 0xdc00 ? text.slice(0, -1) : text;
}

/**
 * @param {any} value
 * @param {ValueType} type
 * @param {number} [most]
 * @returns {string}
 */
function describe(value, type, most = MOST_CHARACTERS) {
  switch (type.typeId) {
    case Type.Dictionary:
    case Type.RunEndEncoded:
      return describe(value, valueType(type), most);
    case Type.Float:
      return float(value, type.precision);
    case Type.Decimal:
      return decimal(BigInt(value), type.scale);
    case Type.Date:
      return date(value);
    case Type.Time:
      return time(BigInt(value), type.unit);
    case Type.Timestamp:
      return timestamp(BigInt(value), type.unit, type.timezone);
    case Type.Duration:
      return `${value} ${UNITS[type.unit]}`;
    case Type.Interval:
      return interval(value, type.unit);
    case Type.Binary:
    case Type.LargeBinary:
    case Type.BinaryView:
    case Type.FixedSizeBinary:
      return type.extension === 'uuid' ? uuid(value) : bytes(value, most);
    case Type.List:
    case Type.LargeList:
    case Type.FixedSizeList:
    case Type.ListView:
    case Type.LargeListView:
      return list(value, type.children[0].type, most);
    case Type.Struct:
      return struct(value, type.children, most);
    case Type.Map:
      return map(value, type.children[0].type.children, most);
    case Type.Union:
      return member(value, type);
    default:
      return typeof value === 'object' ? JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? `${each}` : each)) : String(value);
  }
}

/**
 * @param {any} value
 * @param {ValueType} type
 * @param {number} most
 * @returns {string}
 */
function item(value, type, most) {
  if (value === null || value === undefined) {
    return 'null';
  }
  return isText(type) ? JSON.stringify(String(value)) : describe(value, type, most);
}

/**
 * Joins parts until the text has `most` characters.
 *
 * @param {Iterable<string>} parts
 * @param {string} open
 * @param {string} close
 * @param {number} most
 */
function joined(parts, open, close, most) {
  const texts = [];
  let length = 0;
  for (const part of parts) {
    if (length > most) {
      texts.push('…');
      break;
    }
    texts.push(part);
    length += part.length + 2;
  }
  return open + texts.join(', ') + close;
}

/**
 * @param {Iterable<any>} values
 * @param {(value: any) => string} change
 */
function* mapped(values, change) {
  for (const value of values) {
    yield change(value);
  }
}

/**
 * @param {Iterable<any>} values
 * @param {ValueType} type
 * @param {number} most
 */
function list(values, type, most) {
  return joined(mapped(values, (value) => item(value, type, most)), '[', ']', most);
}

/**
 * @param {any} value
 * @param {ValueField[]} fields
 * @param {number} most
 */
function struct(value, fields, most) {
  const names = new Set(fields.map(({ name }) => name));
  // The decoder has members by name, of which these would be others.
  if (names.size < fields.length || names.has('constructor') || names.has('toJSON')) {
    throw new Error('A struct whose fields have such names cannot be shown here');
  }
  return joined(mapped(fields, (field) => `${field.name}: ${item(value[field.name], field.type, most)}`), '{', '}', most);
}

/**
 * The value of a union, of which the decoder does not tell the member.
 *
 * @param {any} value
 * @param {ValueType} type
 */
function member(value, type) {
  /** @type {ValueField[]} */
  const members = type.children;
  if (!members.every((child) => child.type.typeId === Type.Int || child.type.typeId === Type.Bool || isText(child.type))) {
    throw new Error('A union of such types cannot be shown here');
  }
  return String(value);
}

/**
 * @param {Iterable<any>} entries
 * @param {ValueField[]} types
 * @param {number} most
 */
function map(entries, [key, value], most) {
  const texts = mapped(entries, (entry) => `${item(entry[0], key.type, most)}: ${item(entry[1], value.type, most)}`);
  return joined(texts, '{', '}', most);
}

/**
 * The shortest text that reads as the same number of its precision: half, single or double.
 *
 * @param {number} value
 * @param {number} precision
 */
function float(value, precision) {
  if (Object.is(value, -0)) {
    return '-0';
  }
  if (precision === 2 || value === 0 || !Number.isFinite(value)) {
    return String(value);
  }
  const rounded = precision === 0 ? half : Math.fround;
  for (let digits = 1; digits < 9; digits++) {
    const shorter = Number(value.toPrecision(digits));
    if (rounded(shorter) === value) {
      return String(shorter);
    }
  }
  return String(Number(value.toPrecision(9)));
}

/**
 * The nearest number of half precision.
 *
 * @param {number} value
 */
function half(value) {
  const exponent = Math.max(Math.floor(Math.log2(Math.abs(value))), -14);
  const unit = 2 ** (exponent - 10);
  return Math.round(value / unit) * unit;
}

/**
 * @param {bigint} unscaled
 * @param {number} scale
 */
export function decimal(unscaled, scale) {
  const digits = (unscaled < 0n ? -unscaled : unscaled).toString();
  const sign = unscaled < 0n ? '-' : '';
  if (scale <= 0) {
    return sign + digits + (unscaled === 0n ? '' : '0'.repeat(-scale));
  }
  const padded = digits.padStart(scale + 1, '0');
  return `${sign}${padded.slice(0, -scale)}.${padded.slice(-scale)}`;
}

/**
 * @param {number | bigint | string} number
 * @param {number} digits
 */
function pad(number, digits) {
  return String(number).padStart(digits, '0');
}

/**
 * Divides towards negative infinity.
 *
 * @param {bigint} dividend
 * @param {bigint} divisor
 * @returns {[bigint, bigint]}
 */
function divided(dividend, divisor) {
  let quotient = dividend / divisor;
  let rest = dividend % divisor;
  if (rest < 0n) {
    rest += divisor;
    quotient -= 1n;
  }
  return [quotient, rest];
}

/** @param {number | bigint} milliseconds */
function date(milliseconds) {
  const value = Number(milliseconds);
  if (Math.abs(value) > 8.64e15) {
    return `${milliseconds} ms`;
  }
  const [day, time] = new Date(value).toISOString().split('T');
  // A date64 should have whole days, and may not.
  return time === MIDNIGHT ? day : `${day} ${time.slice(0, -1)}`;
}

/**
 * @param {bigint} value
 * @param {number} unit
 */
function fraction(value, unit) {
  return unit === 0 ? '' : `.${pad(value, NANOSECOND_DIGITS[unit])}`;
}

/**
 * @param {bigint} value
 * @param {number} unit
 */
function time(value, unit) {
  const [seconds, rest] = divided(value, 10n ** BigInt(NANOSECOND_DIGITS[unit]));
  if (seconds < 0n || seconds > SECONDS_PER_DAY) {
    return `${value} ${UNITS[unit]}`;
  }
  const clock = [seconds / 3600n, (seconds / 60n) % 60n, seconds % 60n];
  return clock.map((part) => pad(part, 2)).join(':') + fraction(rest, unit);
}

/**
 * @param {bigint} value
 * @param {number} unit
 * @param {string | null} zone
 */
function timestamp(value, unit, zone) {
  const [seconds, rest] = divided(value, 10n ** BigInt(NANOSECOND_DIGITS[unit]));
  if (seconds > LARGEST_DATE_SECONDS || seconds < -LARGEST_DATE_SECONDS) {
    return `${value} ${UNITS[unit]}`;
  }
  const [text] = new Date(Number(seconds) * 1000).toISOString().split('.');
  return text.replace('T', ' ') + fraction(rest, unit) + (zone ? 'Z' : '');
}

/**
 * @param {any} value
 * @param {number} unit
 */
function interval(value, unit) {
  if (unit === 0) {
    return months(value);
  }
  const [first, second, third] = value;
  return unit === 1 ? `${first} d ${second} ms` : `${months(first)} ${second} d ${third} ns`;
}

/** @param {number} count */
const months = (count) => `${count} ${count === 1 ? 'month' : 'months'}`;

/**
 * A UUID, of which eight hexadecimal digits come first, then three times four, then twelve.
 *
 * @param {Uint8Array} value
 */
function uuid(value) {
  return Array.from(value, (byte, i) => (i >= 4 && i <= 10 && i % 2 === 0 ? '-' : '') + pad(byte.toString(16), 2)).join('');
}

/**
 * @param {Uint8Array} value
 * @param {number} most
 */
function bytes(value, most) {
  const shown = most === Infinity ? value.length : Math.min(value.length, MOST_BYTES);
  let text = '';
  for (let i = 0; i < shown; i++) {
    text += pad(value[i].toString(16), 2);
  }
  return `0x${text}${shown < value.length ? '…' : ''} (${value.length} B)`;
}
