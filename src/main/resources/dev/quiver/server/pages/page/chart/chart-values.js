// The values of a chart by their places on its axes: series, stacks, gaps, and what is left out.
// @ts-check

import { grouped, visible } from '../lib/elements.js';
import { MOST_COLOURS } from './chart-limits.js';
import { leftOut, stepless, totalled } from './chart-notes.js';
import { hasBars, interval, isAdditive } from './chart-steps.js';
import { numberText, timeText } from './chart-texts.js';

/** @typedef {import('./chart-question.js').Choice} Choice */
/** @typedef {import('./chart-question.js').Step} Step */

/**
 * A value with its place on the axes.
 *
 * @typedef {object} Value
 * @property {number} x the middle of its interval, if it has one; of times in milliseconds
 * @property {number} x0
 * @property {number} x1
 * @property {string} name of x
 * @property {number} start the place without the width of its interval
 * @property {number} series
 * @property {number | null} y
 * @property {number} base
 * @property {number | null} top
 * @property {number} rows
 * @property {number} known rows with y
 * @property {number} [shade] the number of a colour without series
 */

/**
 * The values of a chart.
 *
 * @typedef {object} Model
 * @property {Choice} choice
 * @property {Step} step
 * @property {Value[]} values in the order of their series and of x
 * @property {{ name: string, isRest: boolean, place?: number }[]} series those of categories with the place of their colour
 * @property {string[] | null} categories
 * @property {boolean} isAggregated whether a value is that of several rows
 * @property {string[]} notes sentences about what is left out
 * @property {(labels: import('./chart-picture.js').Labels, look: import('./chart-picture.js').Look) => SVGElement} [draw] draws it
 *     in place of axes and marks
 */

const BAND = 0.8;
const CALENDARS = [
  ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'],
  ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'],
];

/**
 * The values of y by x and colour.
 *
 * @param {Choice} choice
 * @param {Step} step
 * @param {{ rows: import('./chart-question.js').Rows, totals: import('./chart-question.js').Totals, isCut: boolean }} found
 * @returns {Model}
 */
export function valuesOf(choice, step, { rows, totals, isCut }) {
  const isRanked = choice.x?.kind === 'category';
  const categories = isRanked ? categoriesOf(rows, hasBars(choice.type)) : null;
  const { series, indexOf } = seriesOf(choice, rows);
  const places = new Map(categories?.map((name, i) => [name, i]));
  const values = rows.filter((row) => row.x !== null).map((row) => valueOf(row, choice, step, indexOf(row), places));
  values.sort((a, b) => a.series - b.series || a.x - b.x);
  const isAggregated = values.some((value) => value.rows > 1);
  const steps = hasBars(choice.type) || !(step.unit || isAdditive(choice)) ? [] : stepsOf(rows, choice, step);
  const hasAllPlaces = steps.length > 0 || (choice.type === 'area' && series.length > 1 && isAdditive(choice));
  const filled = hasAllPlaces ? withAllPlaces(values, steps, series.length, isAdditive(choice) && steps.length > 0) : values;
  place(filled, choice, step, series.length);
  return {
    choice,
    step,
    values: filled,
    series,
    categories: categories?.map((name) => nameOf(name)) ?? null,
    isAggregated,
    notes: [...totalled(choice, totals, isCut), ...stepless(choice, filled), ...leftOut(choice, rows, series)],
  };
}

/**
 * The points of rows.
 *
 * @param {Choice} choice
 * @param {import('./chart-question.js').Rows} rows
 * @param {string[]} notes
 * @returns {Model}
 */
export function pointsOf(choice, rows, notes) {
  const categories = choice.x?.kind === 'category' ? categoriesOf(rows, false) : null;
  const places = new Map(categories?.map((name, i) => [name, i]));
  const isContinuous = choice.colour?.kind === 'number';
  const { series, indexOf } = isContinuous ? { series: [{ name: '', isRest: false }], indexOf: () => 0 } : seriesOf(choice, rows);
  const values = rows
    .filter((row) => row.x !== null)
    .map((row) => ({ ...valueOf(row, choice, {}, indexOf(row), places), ...(isContinuous ? { shade: row.c ?? NaN } : {}) }));
  const all = [...notes, ...leftOut(choice, rows, series)];
  return { choice, step: {}, values, series, categories: categories?.map((name) => nameOf(name)) ?? null, isAggregated: false, notes: all };
}

/** @param {string} text */
const nameOf = (text) => (text === '' ? '(empty)' : visible(text));

/**
 * @param {any} row
 * @param {Choice} choice
 * @param {Step} step
 * @param {number} series
 * @param {Map<string, number>} places
 * @returns {Value}
 */
function valueOf(row, { x }, step, series, places) {
  const y = row.y === null || !Number.isFinite(row.y) ? null : row.y;
  const rest = { series, y, base: 0, top: y, rows: row.n, known: row.known };
  if (x?.kind === 'category') {
    const i = /** @type {number} */ (places.get(row.x));
    const margin = (1 - BAND) / 2;
    return { x: i + 0.5, start: i, x0: i + margin, x1: i + 1 - margin, name: nameOf(row.x), ...rest };
  }
  const start = x?.kind === 'time' ? row.x / 1000 : row.x;
  if (step.unit || step.width) {
    const [x0, x1] = interval(start, step);
    const name = step.unit || !x ? '' : step.isCentred ? numberText(start, true) : `${numberText(x0)} to ${numberText(x1)}`;
    const isLine = step.unit !== undefined;
    return { x: isLine ? x0 : (x0 + x1) / 2, start: x0, x0, x1, name: x && step.unit ? timeText(start, x, step) : name, ...rest };
  }
  return { x: start, start, x0: start, x1: start, name: x?.kind === 'time' ? timeText(start, x, step) : numberText(start, x?.isWhole), ...rest };
}

/**
 * The categories of an axis: those of bars from the greatest to the least, others by their names.
 *
 * @param {import('./chart-question.js').Rows} rows
 * @param {boolean} isRanked
 */
function categoriesOf(rows, isRanked) {
  const places = new Map(rows.filter((row) => row.x !== null).map((row) => [row.x, row.x_place]));
  const names = [...places.keys()];
  const calendar = CALENDARS.find((days) => names.every((name) => days.includes(name.slice(0, 3).toLowerCase())));
  if (calendar) {
    /** @param {string} name */
    const day = (name) => calendar.indexOf(name.slice(0, 3).toLowerCase());
    return names.sort((a, b) => day(a) - day(b));
  }
  return names.sort((a, b) => (isRanked ? places.get(a) - places.get(b) : a.localeCompare(b, 'en', { numeric: true })));
}

/**
 * The series of several y, or of colours: the frequent ones, all others together, and rows without a colour.
 *
 * @param {Choice} choice
 * @param {import('./chart-question.js').Rows} rows
 */
export function seriesOf({ ys, colour }, rows) {
  if (ys.length > 1) {
    return { series: ys.map(({ label }) => ({ name: label, isRest: false })), indexOf: (/** @type {any} */ row) => row.series };
  }
  if (!colour) {
    return { series: [{ name: '', isRest: false }], indexOf: () => 0 };
  }
  const places = new Map(rows.filter((row) => row.c !== null).map((row) => [row.c, row.c_place]));
  const isOrdered = colour.kind !== 'category';
  const names = [...places.keys()].sort((a, b) => (isOrdered ? a.localeCompare(b, 'en', { numeric: true }) : places.get(a) - places.get(b)));
  // A value that has no mark keeps its colour for other charts of the rows.
  /** @type {Model['series']} */
  const series = names.map((name, i) => ({ name: nameOf(name), isRest: false, place: isOrdered ? i : places.get(name) - 1 }));
  const indexes = new Map(names.map((name, i) => [name, i]));
  const others = (rows.find((row) => row.c !== null)?.c_among ?? 0) - MOST_COLOURS;
  const [rest, none] = [rows.some((row) => row.c === null && !row.c_null), rows.some((row) => row.c_null)];
  if (rest) {
    series.push({ name: `${grouped(others)} others`, isRest: true });
  }
  if (none) {
    series.push({ name: 'null', isRest: true });
  }
  /** @param {any} row */
  const indexOf = (row) => indexes.get(row.c) ?? (row.c_null ? series.length - 1 : names.length);
  return { series, indexOf };
}

/**
 * The places of all steps from the first to the last one.
 *
 * @param {import('./chart-question.js').Rows} rows
 * @param {Choice} choice
 * @param {Step} step
 * @returns {Value[]}
 */
function stepsOf(rows, choice, step) {
  if (!step.unit && !step.width) {
    return [];
  }
  const starts = rows.filter(({ x }) => x !== null).map(({ x }) => (choice.x?.kind === 'time' ? x / 1000 : x));
  const last = starts.reduce((most, start) => Math.max(most, start), -Infinity);
  const steps = [];
  for (let start = starts.reduce((least, each) => Math.min(least, each), Infinity); start <= last; start = step.unit ? interval(start, step)[1] : start + 1) {
    const row = { x: choice.x?.kind === 'time' ? start * 1000 : start, y: null, n: 0, known: 0 };
    steps.push(valueOf(row, choice, step, 0, new Map()));
  }
  return steps;
}

/**
 * Adds a value for each place at which a series has none, which is zero or a gap. The areas of all series thus have the same
 * places.
 *
 * @param {Value[]} values
 * @param {Value[]} steps
 * @param {number} count that of the series
 * @param {boolean} areZero
 */
function withAllPlaces(values, steps, count, areZero) {
  const places = [...new Map([...steps, ...values].map((value) => [value.x, value])).values()].sort((a, b) => a.x - b.x);
  const found = new Map(values.map((value) => [`${value.series} ${value.x}`, value]));
  const y = areZero ? 0 : null;
  return Array.from({ length: count }, (_, series) => series).flatMap((series) =>
    places.map((at) => found.get(`${series} ${at.x}`) ?? { ...at, series, y, base: 0, top: y, rows: 0, known: 0 }),
  );
}

/**
 * Places the values of several series above or beside each other. Sums and counts alone are stacked.
 *
 * @param {Value[]} values
 * @param {Choice} choice
 * @param {Step} step
 * @param {number} count that of the series
 */
function place(values, choice, step, count) {
  if (count < 2) {
    return;
  }
  if ((choice.type === 'area' || hasBars(choice.type)) && choice.type !== 'grouped' && isAdditive(choice)) {
    stack(values, choice.type === 'area');
  } else if (hasBars(choice.type) && new Set(values.map(({ start }) => start)).size < values.length) {
    for (const value of values) {
      const width = (value.x1 - value.x0) * (choice.x?.kind === 'category' ? 1 : BAND);
      const start = (value.x0 + value.x1 - width) / 2;
      value.x0 = start + (width * value.series) / count;
      value.x1 = value.x0 + width / count;
      value.x = (value.x0 + value.x1) / 2;
    }
  }
}

/**
 * Stacks the values at each x, those above and those below zero apart.
 *
 * @param {Value[]} values
 * @param {boolean} isArea whether one without y has no height, rather than no place
 */
function stack(values, isArea) {
  /** @type {Map<number, [number, number]>} */
  const heights = new Map();
  for (const value of values) {
    const height = heights.get(value.x) ?? [0, 0];
    const side = (value.y ?? 0) < 0 ? 1 : 0;
    value.base = height[side];
    height[side] += value.y ?? 0;
    value.top = value.y === null && !isArea ? null : height[side];
    heights.set(value.x, height);
  }
}
