// The statistics of a result's columns, over the rows that the page keeps, as the service calculates those of datasets.
// @ts-check

import { Type, copiedText, isText, valueType } from '../grid/arrow-values.js';
import { compareTexts } from '../grid/value-order.js';
import { Slices } from '../lib/slices.js';
import { valuesOf } from './result-order.js';

/** @typedef {import('../dataset/statistics.js').ColumnStatistics} ColumnStatistics */
/** @typedef {import('../dataset/statistics.js').Entry} Entry */
/** @typedef {import('../grid/arrow-values.js').ValueType} ValueType */

/**
 * Distinct values, and how often each occurs.
 *
 * @typedef {{ keys: any[], counts: number[] }} Tally
 */

const MOST_BINS = 20;
const MOST_FREQUENT = 10;
const MOST_CHARACTERS = 256;
const CHECKED_ROWS = 1024;
const DAY_MILLISECONDS = 86_400_000;
const SINGLE = 1;

/** The names that documents have for types whose values have an order and bins. */
const BINNED = new Map([
  [Type.Int, 'int'],
  [Type.Decimal, 'decimal'],
  [Type.Float, 'floatingpoint'],
  [Type.Date, 'date'],
  [Type.Time, 'time'],
  [Type.Timestamp, 'timestamp'],
  [Type.Duration, 'duration'],
]);
const BINARY = new Set([Type.Binary, Type.LargeBinary, Type.BinaryView, Type.FixedSizeBinary]);

/** The statistics of a result, none of whose rows a condition can select. */
export class ResultStatistics {
  where = '';
  /** @type {Map<number, ColumnStatistics>} */
  #known = new Map();

  /** @param {import('./query-result.js').Result} result one that has ended */
  constructor(result) {
    this.result = result;
    this.rows = result.rows;
    /** @type {Entry[]} */
    this.entries = (result.fields ?? []).map(({ name, arrowType, nullable, type }, i) => ({
      path: [i],
      names: [name],
      field: { name, arrowType, nullable, type: { name: BINNED.get(/** @type {number} */ (valueType(type).typeId)) ?? 'other' }, children: [] },
    }));
  }

  /** @param {Entry} entry */
  of({ path }) {
    return this.#known.get(path[0]);
  }

  columnOf() {
    return null;
  }

  /**
   * Calculates the statistics of some columns.
   *
   * @param {number[]} positions
   * @param {AbortSignal} signal
   */
  async fetch(positions, signal) {
    const slices = new Slices(signal);
    for (const position of positions) {
      if (!this.#known.has(position)) {
        const field = /** @type {import('./query-result.js').ResultField[]} */ (this.result.fields)[position];
        const values = await valuesOf(this.result, position, slices);
        this.#known.set(position, await statisticsOf(field.name, field.type, values, slices));
      }
    }
  }
}

/**
 * @param {string} column
 * @param {ValueType} type
 * @param {any[]} values
 * @param {Slices} slices
 * @returns {Promise<ColumnStatistics>}
 */
async function statisticsOf(column, type, values, slices) {
  const { typeId } = valueType(type);
  const isBinned = typeId !== null && BINNED.has(typeId);
  const isBytes = typeId !== null && BINARY.has(typeId);
  const isCounted = isBinned || isBytes || isText(type) || typeId === Type.Bool;
  const isFloat = typeId === Type.Float;
  const present = values.filter((value) => value !== null && value !== undefined);
  const nulls = values.length - present.length;
  if (!isCounted) {
    return { column, nulls };
  }
  const tally = await counted(isBytes ? present.map((value) => copiedText(value, type)) : present, type, slices);
  /** @param {any} key */
  const told = (key) => (isBytes ? cut(key) : written(key, type));
  const compare = isText(type) || isBytes ? compareTexts : ascending;
  const ordered = isFloat ? tally.keys.filter((key) => !Number.isNaN(key)) : tally.keys;
  const range = ordered.length === 0 ? {} : { min: told(least(ordered, compare)), max: told(least(ordered, (a, b) => compare(b, a))) };
  /** @param {number} number */
  const count = (number) => tally.counts[tally.keys.findIndex((key) => Object.is(key, number))] ?? 0;
  return {
    column,
    nulls,
    ...(isFloat ? { nan: count(NaN), infinite: count(Infinity) + count(-Infinity) } : {}),
    ...range,
    distinctApproximate: tally.keys.length,
    ...(isBinned ? { histogram: await histogram(tally, type, slices) } : {}),
    top: frequent(tally, compare).map(([key, number]) => ({ value: told(key), count: number })),
  };
}

/**
 * The distinct values and how often each occurs. Numbers are sorted first, which is faster than to look each of them up.
 *
 * @param {any[]} values
 * @param {ValueType} type
 * @param {Slices} slices
 * @returns {Promise<Tally>}
 */
async function counted(values, type, slices) {
  const sorted = sortedNumbers(values, type);
  /** @type {Tally} */
  const tally = { keys: [], counts: [] };
  /** @type {Map<any, number>} */
  const places = new Map();
  for (let i = 0; i < values.length; i++) {
    const value = sorted ? sorted[i] : values[i];
    const last = tally.keys.length - 1;
    // 0 and -0 are one value, as NaN is.
    const place = sorted ? (value === tally.keys[last] || (Number.isNaN(value) && Number.isNaN(tally.keys[last])) ? last : undefined) : places.get(value);
    if (place === undefined) {
      if (!sorted) {
        places.set(value, tally.keys.length);
      }
      tally.keys.push(Object.is(value, -0) ? 0 : value);
      tally.counts.push(1);
    } else {
      tally.counts[place]++;
    }
    if (i % CHECKED_ROWS === 0 && slices.isOver) {
      await slices.next();
    }
  }
  return tally;
}

/**
 * Numbers of at most 64 bits in their order, or null for other values.
 *
 * @param {any[]} values
 * @param {ValueType} type
 */
function sortedNumbers(values, type) {
  const { typeId, signed } = valueType(type);
  if (typeof values[0] === 'number') {
    return Float64Array.from(values).sort();
  }
  const isSigned = (typeId === Type.Int && signed) || typeId === Type.Timestamp || typeId === Type.Time || typeId === Type.Duration;
  return typeof values[0] === 'bigint' && isSigned ? BigInt64Array.from(values).sort() : null;
}

/**
 * @template Key
 * @param {Key[]} keys
 * @param {(a: Key, b: Key) => number} compare
 */
function least(keys, compare) {
  return keys.reduce((found, key) => (compare(key, found) < 0 ? key : found));
}

/**
 * The most frequent values. Equally frequent ones are in their order, of which NaN is the last.
 *
 * @param {Tally} tally
 * @param {(a: any, b: any) => number} compare
 */
function frequent({ keys, counts }, compare) {
  /** @param {[any, number]} a @param {[any, number]} b */
  const order = (a, b) => b[1] - a[1] || Number(Number.isNaN(a[0])) - Number(Number.isNaN(b[0])) || compare(a[0], b[0]);
  /** @type {[any, number][]} */
  const found = [];
  for (let i = 0; i < keys.length; i++) {
    if (found.length < MOST_FREQUENT || order([keys[i], counts[i]], found[found.length - 1]) < 0) {
      found.push([keys[i], counts[i]]);
      found.sort(order);
      found.length = Math.min(found.length, MOST_FREQUENT);
    }
  }
  return found;
}

/**
 * At most 20 bins of equal width from the least finite value to the greatest. Whole numbers have bins of whole numbers.
 *
 * @param {Tally} tally
 * @param {ValueType} type
 * @param {Slices} slices
 */
async function histogram({ keys, counts }, type, slices) {
  const { typeId, precision, unit } = valueType(type);
  const isFloat = typeId === Type.Float;
  const step = typeId === Type.Date && unit === 0 ? DAY_MILLISECONDS : 1;
  const finite = keys.filter(isFiniteKey);
  if (finite.length === 0) {
    return [];
  }
  const [first, last] = [least(finite, ascending), least(finite, (a, b) => ascending(b, a))];
  const isBig = typeof first === 'bigint';
  const bounds = isFloat
    ? numberBounds(Number(first), Number(last), precision === SINGLE)
    : integerBounds(BigInt(isBig ? first : Number(first) / step), BigInt(isBig ? last : Number(last) / step)).map((bound) => (isBig ? bound : Number(bound) * step));
  const bins = new Array(bounds.length - 1).fill(0);
  for (let i = 0; i < keys.length; i++) {
    if (isFiniteKey(keys[i])) {
      bins[binOf(bounds, keys[i])] += counts[i];
    }
    if (i % CHECKED_ROWS === 0 && slices.isOver) {
      await slices.next();
    }
  }
  const texts = bounds.map((bound) => written(bound, type));
  return bins.map((count, i) => ({ from: texts[i], to: texts[i + 1], count }));
}

/** @param {any} key */
const isFiniteKey = (key) => typeof key === 'bigint' || Number.isFinite(key);

/** @param {any} a @param {any} b */
const ascending = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

/**
 * The bin of a number: the last one that begins at it or before.
 *
 * @param {(number | bigint)[]} bounds
 * @param {number | bigint} number
 */
function binOf(bounds, number) {
  let bin = bounds.length - 2;
  while (bin > 0 && number < bounds[bin]) {
    bin--;
  }
  return bin;
}

/**
 * @param {bigint} first
 * @param {bigint} last
 */
function integerBounds(first, last) {
  const span = last - first + 1n;
  const count = span < MOST_BINS ? Number(span) : MOST_BINS;
  return [...Array.from({ length: count }, (_, i) => first + (span * BigInt(i)) / BigInt(count)), last];
}

/**
 * Bounds of which only the last two may be equal.
 *
 * @param {number} first
 * @param {number} last
 * @param {boolean} isSingle whether the numbers have single precision
 * @returns {(number | bigint)[]}
 */
function numberBounds(first, last, isSingle) {
  const bounds = [first];
  for (let i = 1; i < MOST_BINS; i++) {
    const part = i / MOST_BINS;
    const exact = first * (1 - part) + last * part;
    const bound = isSingle ? Math.fround(exact) : exact;
    if (bound > bounds[bounds.length - 1] && bound < last) {
      bounds.push(bound);
    }
  }
  return [...bounds, last];
}

/**
 * A value as statistics have it: numbers and truth values are such, all else is text.
 *
 * @param {any} value
 * @param {ValueType} type
 */
function written(value, type) {
  const { typeId } = valueType(type);
  if (typeId === Type.Float) {
    return Number(copiedText(value, type));
  }
  return typeId === Type.Bool ? value : cut(copiedText(value, type));
}

/** @param {string} text */
const cut = (text) => (text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text);
