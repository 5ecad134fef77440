// Arrow data, and its values as text, exactly: integers, decimals and times are never numbers of 53 bits.

import { visible } from '../lib/elements.js';
// The decoder is vendored as it was published: a script that defines a global.
import '../vendor/flechette-2.6.0.min.js';

export const { Type } = globalThis.fl;

// Proxies have members of any name, such as __proto__.
const DECODING = { useBigInt: true, useDecimalInt: true, useBigIntTimestamp: true, useProxy: true };

/** Reads a stream, whose integers, decimals and times stay exact. */
export const tableOf = (stream) => globalThis.fl.tableFromIPC(stream, DECODING);

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
const MIDNIGHT = '00:00:00.000Z';

/** The parts of a cell: its text, and the kind of its value. */
export function cell(value, type) {
  if (type === JSON_VALUE && value === undefined) {
    return { text: 'too long to show here', kind: 'null' };
  }
  if (value === null || value === undefined) {
    return { text: 'null', kind: 'null' };
  }
  const text = isText(type) ? String(value) : describe(value, type);
  if (text === '') {
    return { text: 'empty', kind: 'empty' };
  }
  const cut = text.length > MOST_CHARACTERS ? whole(text.slice(0, MOST_CHARACTERS)) + '…' : text;
  return { text: visible(cut), kind: isNumber(type) ? 'number' : 'text' };
}

/** The whole value as text, with hidden characters as they are. */
export function full(value, type) {
  if (value === null || value === undefined) {
    return 'null';
  }
  return isText(type) ? String(value) : describe(value, type, Infinity);
}

/** A value as it is copied: whole, and of bytes without their number. */
export function copiedText(value, type) {
  const text = full(value, type);
  return isBinary(type) ? text.slice(0, text.lastIndexOf(' (')) : text;
}

/** A text in quotes if it has any of some characters, as spreadsheets read it. */
export const quotedIf = (special, text) => (special.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** A value for lines with tabs. */
export const quotedForTabs = (text) => quotedIf(/[\t\n\r"]/, text);

const BINARY = new Set([Type.Binary, Type.LargeBinary, Type.BinaryView, Type.FixedSizeBinary]);
const NUMBERS = new Set([Type.Int, Type.Float, Type.Decimal]);
const TEXTS = new Set([Type.Utf8, Type.LargeUtf8, Type.Utf8View]);

const isBinary = (type) => BINARY.has(valueType(type).typeId);
export const isNumber = (type) => NUMBERS.has(valueType(type).typeId);
export const isText = (type) => TEXTS.has(valueType(type).typeId);

/** The type of the values of dictionaries and runs. */
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

/** Drops half of a surrogate pair at the end. */
function whole(text) {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last < 0xdc00 ? text.slice(0, -1) : text;
}

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
      return bytes(value, most);
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

function item(value, type, most) {
  if (value === null || value === undefined) {
    return 'null';
  }
  return isText(type) ? JSON.stringify(String(value)) : describe(value, type, most);
}

/** Joins parts until there are so many characters. */
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

function* mapped(values, change) {
  for (const value of values) {
    yield change(value);
  }
}

function list(values, type, most) {
  return joined(mapped(values, (value) => item(value, type, most)), '[', ']', most);
}

function struct(value, fields, most) {
  const names = new Set(fields.map(({ name }) => name));
  // The decoder has members by name, of which these would be others.
  if (names.size < fields.length || names.has('constructor') || names.has('toJSON')) {
    throw new Error('A struct whose fields have such names cannot be shown here');
  }
  return joined(mapped(fields, (field) => `${field.name}: ${item(value[field.name], field.type, most)}`), '{', '}', most);
}

/** The value of a union, of which the decoder does not tell the member. */
function member(value, type) {
  if (!type.children.every((child) => child.type.typeId === Type.Int || child.type.typeId === Type.Bool || isText(child.type))) {
    throw new Error('A union of such types cannot be shown here');
  }
  return String(value);
}

function map(entries, [key, value], most) {
  const texts = mapped(entries, (entry) => `${item(entry[0], key.type, most)}: ${item(entry[1], value.type, most)}`);
  return joined(texts, '{', '}', most);
}

/** The shortest text that reads as the same number of its precision: half, single or double. */
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

/** The nearest number of half precision. */
function half(value) {
  const exponent = Math.max(Math.floor(Math.log2(Math.abs(value))), -14);
  const unit = 2 ** (exponent - 10);
  return Math.round(value / unit) * unit;
}

export function decimal(unscaled, scale) {
  const digits = (unscaled < 0n ? -unscaled : unscaled).toString();
  const sign = unscaled < 0n ? '-' : '';
  if (scale <= 0) {
    return sign + digits + (unscaled === 0n ? '' : '0'.repeat(-scale));
  }
  const padded = digits.padStart(scale + 1, '0');
  return `${sign}${padded.slice(0, -scale)}.${padded.slice(-scale)}`;
}

function pad(number, digits) {
  return String(number).padStart(digits, '0');
}

/** Divides towards negative infinity. */
function divided(dividend, divisor) {
  let quotient = dividend / divisor;
  let rest = dividend % divisor;
  if (rest < 0n) {
    rest += divisor;
    quotient -= 1n;
  }
  return [quotient, rest];
}

function date(milliseconds) {
  const value = Number(milliseconds);
  if (Math.abs(value) > 8.64e15) {
    return `${milliseconds} ms`;
  }
  const [day, time] = new Date(value).toISOString().split('T');
  // A date64 should have whole days, and may not.
  return time === MIDNIGHT ? day : `${day} ${time.slice(0, -1)}`;
}

function fraction(value, unit) {
  return unit === 0 ? '' : `.${pad(value, NANOSECOND_DIGITS[unit])}`;
}

function time(value, unit) {
  const [seconds, rest] = divided(value, 10n ** BigInt(NANOSECOND_DIGITS[unit]));
  if (seconds < 0n || seconds > SECONDS_PER_DAY) {
    return `${value} ${UNITS[unit]}`;
  }
  const clock = [seconds / 3600n, (seconds / 60n) % 60n, seconds % 60n];
  return clock.map((part) => pad(part, 2)).join(':') + fraction(rest, unit);
}

function timestamp(value, unit, zone) {
  const [seconds, rest] = divided(value, 10n ** BigInt(NANOSECOND_DIGITS[unit]));
  if (seconds > LARGEST_DATE_SECONDS || seconds < -LARGEST_DATE_SECONDS) {
    return `${value} ${UNITS[unit]}`;
  }
  const [text] = new Date(Number(seconds) * 1000).toISOString().split('.');
  return text.replace('T', ' ') + fraction(rest, unit) + (zone ? 'Z' : '');
}

function interval(value, unit) {
  if (unit === 0) {
    return months(value);
  }
  const [first, second, third] = value;
  return unit === 1 ? `${first} d ${second} ms` : `${months(first)} ${second} d ${third} ns`;
}

const months = (count) => `${count} ${count === 1 ? 'month' : 'months'}`;

function bytes(value, most) {
  const shown = most === Infinity ? value.length : Math.min(value.length, MOST_BYTES);
  let text = '';
  for (let i = 0; i < shown; i++) {
    text += pad(value[i].toString(16), 2);
  }
  return `0x${text}${shown < value.length ? '…' : ''} (${value.length} B)`;
}
