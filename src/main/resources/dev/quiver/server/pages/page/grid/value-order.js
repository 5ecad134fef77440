// The order of rows whose values are here: they are compared as SQL compares them.
// @ts-check

import { Slices } from '../lib/slices.js';
import { Type, isText, valueType } from './arrow-values.js';

/** @typedef {import('./arrow-values.js').ValueType} ValueType */
/** @typedef {(a: any, b: any) => number} Compare */

const COMPARED = new Set([Type.Int, Type.Float, Type.Decimal, Type.Bool, Type.Date, Type.Time, Type.Timestamp, Type.Duration]);
const SURROGATES = 0xd800;
const AFTER_SURROGATES = 0xe000;
/** The rows of a part that is sorted at once, and those after which a merge looks at the time. */
const PART_ROWS = 8192;

/**
 * Whether values of a type are compared here.
 *
 * @param {ValueType} type
 */
export function isComparable(type) {
  const { typeId } = valueType(type);
  return isText(type) || (typeId !== null && COMPARED.has(typeId));
}

/**
 * The numbers of rows in their order. Equal rows keep theirs.
 *
 * @param {{ type: ValueType, keys: any[], descending: boolean }[]} columns the values by which rows are sorted, and the first of
 *     which count most
 * @param {number} rows
 * @param {AbortSignal} signal
 */
export async function orderOf(columns, rows, signal) {
  const compares = columns.map(({ type, descending }) => comparing(type, descending));
  /** @param {number} a @param {number} b */
  const compare = (a, b) => {
    for (let i = 0; i < columns.length; i++) {
      const { keys } = columns[i];
      const order = compares[i](keys[a], keys[b]);
      if (order !== 0) {
        return order;
      }
    }
    return a - b;
  };
  return sorted(Uint32Array.from({ length: rows }, (_, i) => i), compare, new Slices(signal));
}

/**
 * Sorts in parts, which are merged, so that the browser can respond meanwhile.
 *
 * @param {Uint32Array<ArrayBuffer>} numbers
 * @param {Compare} compare
 * @param {Slices} slices
 */
async function sorted(numbers, compare, slices) {
  let [from, to] = [numbers, new Uint32Array(numbers.length)];
  for (let start = 0; start < from.length; start += PART_ROWS) {
    from.subarray(start, start + PART_ROWS).sort(compare);
    if (slices.isOver) {
      await slices.next();
    }
  }
  for (let width = PART_ROWS; width < from.length; width *= 2) {
    for (let start = 0; start < from.length; start += 2 * width) {
      await merge(from.subarray(start, start + width), from.subarray(start + width, start + 2 * width), to.subarray(start), compare, slices);
    }
    [from, to] = [to, from];
  }
  return from;
}

/**
 * Merges two sorted parts into one.
 *
 * @param {Uint32Array} first
 * @param {Uint32Array} second
 * @param {Uint32Array} to
 * @param {Compare} compare
 * @param {Slices} slices
 */
async function merge(first, second, to, compare, slices) {
  let [i, j] = [0, 0];
  for (let k = 0; k < first.length + second.length; k++) {
    const isFirst = j >= second.length || (i < first.length && compare(first[i], second[j]) <= 0);
    to[k] = isFirst ? first[i++] : second[j++];
    if (k % PART_ROWS === 0 && slices.isOver) {
      await slices.next();
    }
  }
}

/**
 * A comparison of values, of which null is the last in either direction.
 *
 * @param {ValueType} type
 * @param {boolean} isDescending
 * @returns {Compare}
 */
function comparing(type, isDescending) {
  const compare = isText(type) ? compareTexts : compareNumbers;
  return (a, b) => {
    const nulls = Number(a === null || a === undefined) - Number(b === null || b === undefined);
    return nulls !== 0 || a === null || a === undefined ? nulls : isDescending ? compare(b, a) : compare(a, b);
  };
}

/**
 * NaN is equal to itself and greater than all others.
 *
 * @param {any} a
 * @param {any} b
 */
function compareNumbers(a, b) {
  return a < b ? -1 : a > b ? 1 : Number(Number.isNaN(a)) - Number(Number.isNaN(b));
}

/**
 * Compares texts by their bytes in UTF-8, which is by their characters.
 *
 * @param {string} a
 * @param {string} b
 */
export function compareTexts(a, b) {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const [x, y] = [a.charCodeAt(i), b.charCodeAt(i)];
    if (x !== y) {
      return rank(x) - rank(y);
    }
  }
  return a.length - b.length;
}

/**
 * Returns a number by which halves of surrogate pairs come after all other units, as their characters do.
 *
 * @param {number} unit
 */
const rank = (unit) => (unit < SURROGATES ? unit : unit < AFTER_SURROGATES ? unit + 0x10000 : unit);
