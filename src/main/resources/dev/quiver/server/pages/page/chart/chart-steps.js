// The steps of an axis: units of time and bins of numbers, so fine that a picture of some width can show them.
// @ts-check

import { tickIncrement } from '../vendor/plot-0.6.17.min.js';

/** @typedef {import('./chart-question.js').Step} Step */

const MICROSECONDS_PER_DAY = 86_400e6;
const MICROSECONDS_PER_YEAR = 365.25 * MICROSECONDS_PER_DAY;

/**
 * The units of time, with their microseconds, and of the longer ones their months.
 *
 * @type {Record<string, { microseconds: number, months?: number }>}
 */
const UNITS = {
  second: { microseconds: 1e6 },
  minute: { microseconds: 60e6 },
  hour: { microseconds: 3600e6 },
  day: { microseconds: MICROSECONDS_PER_DAY },
  week: { microseconds: 7 * MICROSECONDS_PER_DAY },
  month: { microseconds: MICROSECONDS_PER_YEAR / 12, months: 1 },
  quarter: { microseconds: MICROSECONDS_PER_YEAR / 4, months: 3 },
  year: { microseconds: MICROSECONDS_PER_YEAR, months: 12 },
  decade: { microseconds: 10 * MICROSECONDS_PER_YEAR, months: 120 },
  century: { microseconds: 100 * MICROSECONDS_PER_YEAR, months: 1200 },
  millennium: { microseconds: 1000 * MICROSECONDS_PER_YEAR, months: 12_000 },
};
const DATE_UNITS = Object.keys(UNITS).slice(3);

/** @param {Step} step */
export const isOfDays = ({ unit = '' }) => DATE_UNITS.includes(unit);

export const OFFERED_UNITS = ['second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'];

const MOST_BARS = 130;
const BINS = 30;
const MOST_PLACES = 400;
const MOST_EXACT = 2_000;
const MOST_WHOLE_BINS = 60;

/** @param {import('./chart-question.js').Choice} choice */
export const isAdditive = ({ ys, aggregate }) => ys.length === 0 || aggregate === 'sum' || aggregate === 'count';

/** @param {string} type */
export const hasBars = (type) => type === 'bar' || type === 'grouped' || type === 'histogram';

/**
 * The steps between values of x.
 *
 * @param {import('./chart-question.js').Choice} choice
 * @param {import('./chart-question.js').Extent} extent
 * @returns {Step}
 */
export function stepOf(choice, extent) {
  const { type, x } = choice;
  if (!x || x.kind === 'category' || type === 'points') {
    return {};
  }
  return x.kind === 'time' ? unitOf(choice, x.isDate, extent) : binOf(choice, x.isWhole, extent);
}

/**
 * @param {import('./chart-question.js').Choice} choice
 * @param {boolean} isDate
 * @param {import('./chart-question.js').Extent} extent
 * @returns {Step}
 */
function unitOf(choice, isDate, { rows, least, greatest, distinct, colours, unit }) {
  const { type, unit: wanted } = choice;
  const isExact = distinct <= MOST_PLACES || (distinct <= MOST_EXACT && rows <= 1.1 * distinct * Math.max(1, colours));
  // The numbers and sums of times without rows are zero, which takes steps to show.
  if (!hasBars(type) && !isAdditive(choice) && isExact && wanted === 'auto') {
    return {};
  }
  const units = isDate ? DATE_UNITS : Object.keys(UNITS);
  const most = wanted !== 'auto' ? MOST_EXACT : hasBars(type) ? MOST_BARS : MOST_PLACES;
  const first = Math.max(0, units.indexOf(wanted !== 'auto' ? wanted : (unit ?? '')));
  const fitting = units.slice(first).find((each) => (greatest - least) / UNITS[each].microseconds <= most);
  return { unit: fitting ?? 'millennium' };
}

/**
 * @param {import('./chart-question.js').Choice} choice
 * @param {boolean} isWhole
 * @param {import('./chart-question.js').Extent} extent
 * @returns {Step}
 */
function binOf(choice, isWhole, { least, greatest, distinct }) {
  const { type } = choice;
  if (isWhole && (hasBars(type) ? greatest - least < MOST_WHOLE_BINS : isAdditive(choice) && greatest - least < MOST_EXACT)) {
    return { width: 1, isCentred: true };
  }
  if (!hasBars(type) && distinct <= MOST_EXACT) {
    return {};
  }
  const margin = greatest > least ? 0 : Math.max(Math.abs(least), 1) / 2;
  const width = tickIncrement(least - margin, greatest + margin, hasBars(type) ? BINS : MOST_PLACES);
  return { width: isWhole && width < 0 ? 1 : width };
}

/**
 * The interval of a step, in milliseconds or numbers.
 *
 * @param {number} x the beginning of a unit in milliseconds, or the number of a bin
 * @param {Step} step
 * @returns {[number, number]}
 */
export function interval(x, { unit, width, isCentred }) {
  if (unit) {
    const { microseconds, months } = UNITS[unit];
    return [x, months ? addMonths(x, months) : x + microseconds / 1000];
  }
  if (isCentred) {
    return [x - 0.5, x + 0.5];
  }
  const size = /** @type {number} */ (width);
  return size > 0 ? [x * size, (x + 1) * size] : [x / -size, (x + 1) / -size];
}

/**
 * @param {number} milliseconds
 * @param {number} months
 */
function addMonths(milliseconds, months) {
  const time = new Date(milliseconds);
  time.setUTCMonth(time.getUTCMonth() + months);
  return time.getTime();
}
