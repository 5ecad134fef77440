// The choices of a chart: those of the URL, and by default those that fit the columns.
// @ts-check

import { OFFERED_UNITS } from './chart-steps.js';

/** @typedef {import('./chart-columns.js').Column} Column */
/** @typedef {import('./chart-question.js').Choice} Choice */

/** The types of charts, by their names in the URL. */
export const TYPES = {
  line: 'Line',
  bar: 'Bars',
  grouped: 'Bars side by side',
  area: 'Area',
  points: 'Points',
  histogram: 'Histogram',
  map: 'Map',
};

/** The aggregates of y, by their names in the URL. */
export const AGGREGATES = { mean: 'mean', sum: 'sum', median: 'median', count: 'count' };

/** The most columns of y, each of which has a colour. */
export const MOST_YS = 8;
const Y_KEYS = ['y', ...Array.from({ length: MOST_YS - 1 }, (_, i) => `y${i + 2}`)];

/** The values of the URL that are the choices of a chart. A name may have any sign, so that each y has a key of its own. */
export const KEYS = ['type', 'x', ...Y_KEYS, 'colour', 'aggregate', 'unit', 'title'];

const MOST_COLOURS = 8;
const MOST_BARS = 50;
/** Numbers have one axis together if the usual size of the largest is at most so many times that of the smallest. */
const MOST_RATIO = 20;
const IDENTIFIER = /(^|[\W_])(id|key|code|index|number|nr|no|year|month|day|zip|lat|latitude|lon|lng|longitude)$|[a-z]I[dD]$/i;

const LONGITUDE = /(^|[\W_])(lon|lng|long|longitude)$/i;
const LATITUDE = /(^|[\W_])(lat|latitude)$/i;
const COUNTRY = /countr|nation|iso/i;

/** @param {Column | null} column */
const isOrdered = (column) => column?.kind === 'number' || column?.kind === 'time';

/**
 * The columns of the places of rows, or null if none have such a name: longitude and latitude, or a geometry.
 *
 * @param {Column[]} columns
 * @returns {Pick<Choice, 'x' | 'ys'> | null}
 */
function placesOf(columns) {
  const numbers = columns.filter(({ kind }) => kind === 'number');
  const x = numbers.find(({ name }) => LONGITUDE.test(name));
  const y = numbers.find(({ name }) => LATITUDE.test(name));
  const geometry = columns.find(({ kind }) => kind === 'geometry');
  return x && y ? { x, ys: [y] } : geometry ? { x: geometry, ys: [] } : null;
}

/**
 * The choice that a URL names, of which unknown columns are left out; null if it names no known x.
 *
 * @param {Column[]} columns
 * @param {Map<string, string>} values
 * @returns {Choice | null}
 */
export function choiceOf(columns, values) {
  /** @param {string} key */
  const named = (key) => columns.find((column) => column.key === values.get(key)) ?? null;
  const [x, colour] = [named('x'), named('colour')];
  const ys = new Set(Y_KEYS.map(named).filter((y) => y !== null && y.kind === 'number'));
  if (x === null) {
    return null;
  }
  const type = values.get('type') ?? '';
  const aggregate = values.get('aggregate') ?? '';
  const unit = values.get('unit') ?? '';
  return {
    type: x.kind === 'geometry' ? 'map' : Object.hasOwn(TYPES, type) ? type : x.kind === 'time' ? 'line' : 'bar',
    x,
    ys: /** @type {Column[]} */ ([...ys]),
    // The colours of several y are theirs.
    colour: colour?.kind === 'geometry' || ys.size > 1 ? null : colour,
    aggregate: Object.hasOwn(AGGREGATES, aggregate) ? aggregate : 'mean',
    unit: OFFERED_UNITS.includes(unit) ? unit : 'auto',
  };
}

/**
 * The values of a choice for the URL.
 *
 * @param {Choice} choice
 * @returns {import('../lib/url-state.js').Values}
 */
export function valuesOf({ type, x, ys, colour, aggregate, unit }) {
  return {
    type,
    x: x?.key ?? null,
    ...Object.fromEntries(Y_KEYS.map((key, i) => [key, ys[i]?.key ?? null])),
    colour: colour?.key ?? null,
    aggregate: ys.length > 0 && type !== 'points' && !(type === 'map' && x?.kind !== 'category') ? aggregate : null,
    unit: unit === 'auto' ? null : unit,
  };
}

/**
 * The choice that fits some columns best: a map of places; values over time, with a colour for each of a few series, be they columns or values of
 * one; bars of events over time, which are counted; else bars of a category that has few values; else the histogram of a number.
 *
 * @param {Column[]} columns
 * @param {{ rows: number, distinct: Map<Column, number>, sizes: Map<Column, number> }} described
 * @returns {Choice}
 */
export function fitting(columns, { rows, distinct, sizes }) {
  /** @param {Column} column */
  const count = (column) => distinct.get(column) ?? Infinity;
  const numbers = columns.filter(({ kind, name }) => kind === 'number' && !IDENTIFIER.test(name));
  const ys = numbers.slice(0, 1);
  const categories = columns.filter(({ kind }) => kind === 'category');
  const common = { ys, colour: null, aggregate: 'mean', unit: 'auto' };
  const places = placesOf(columns);
  if (places) {
    return { ...common, ...places, type: 'map' };
  }
  const time = columns.find(({ kind }) => kind === 'time');
  if (time && count(time) > 1) {
    const colour = categories.find((column) => count(column) > 1 && count(column) <= MOST_COLOURS) ?? null;
    // About as many rows as times and colours together are series. Others are events, which are counted.
    const filled = rows / (count(time) * (rows > 1.1 * count(time) && colour ? count(colour) : 1));
    const isSeries = filled > 0.6 && filled < 1.1;
    const isLong = rows > 1.1 * count(time);
    return { ...common, type: isSeries ? 'line' : 'bar', x: time, ys: !isSeries ? [] : isLong ? ys : comparable(numbers, sizes), colour: isLong ? colour : null };
  }
  const category = categories.find((column) => count(column) > 1 && count(column) <= MOST_BARS);
  if (category) {
    return { ...common, type: 'bar', x: category, ys: rows <= 1.1 * count(category) ? ys : [] };
  }
  if (numbers.length > 0) {
    return { ...common, type: 'histogram', x: numbers[0], ys: [] };
  }
  return { ...common, type: 'bar', x: categories[0] ?? columns.find(({ kind }) => kind !== 'geometry') ?? null, ys: [] };
}

/**
 * The first number, and the others whose lines can be seen on its axis.
 *
 * @param {Column[]} numbers
 * @param {Map<Column, number>} sizes
 */
function comparable(numbers, sizes) {
  /** @type {Column[]} */
  const found = [];
  let [least, greatest] = [Infinity, 0];
  for (const number of numbers) {
    const size = sizes.get(number) || NaN;
    const [low, high] = [Math.min(least, size), Math.max(greatest, size)];
    if (found.length === 0 || high / low <= MOST_RATIO) {
      found.push(number);
      [least, greatest] = [low, high];
    }
  }
  return found.slice(0, MOST_YS);
}

/**
 * A choice after another value of one of its parts, which the others follow where they do not fit.
 *
 * @param {Choice} choice
 * @param {Partial<Choice>} change
 * @param {Column[]} columns
 * @returns {Choice}
 */
export function changed(choice, change, columns) {
  const next = { ...choice, ...change };
  const numbers = columns.filter(({ kind }) => kind === 'number');
  if (change.type) {
    if (next.type === 'map') {
      const country = columns.find(({ kind, name }) => kind === 'category' && COUNTRY.test(name)) ?? columns.find(({ kind }) => kind === 'category');
      return { ...next, ...(placesOf(columns) ?? { x: country ?? next.x, ys: next.ys.slice(0, 1) }) };
    }
    if (next.x?.kind === 'geometry') {
      next.x = columns.find(({ kind }) => kind !== 'geometry') ?? null;
    }
    if (next.type === 'histogram' && !isOrdered(next.x)) {
      next.x = next.ys[0] ?? numbers[0] ?? columns.find(isOrdered) ?? next.x;
    }
    if (next.type === 'points' && next.ys.length === 0) {
      const others = numbers.filter((column) => column !== next.x);
      next.ys = [others.find(({ name }) => !IDENTIFIER.test(name)) ?? others[0] ?? numbers[0]].filter((y) => y !== undefined);
    }
  }
  if (change.x && next.type === 'histogram' && !isOrdered(next.x)) {
    next.type = 'bar';
  }
  if (change.ys && choice.ys.length === 0 && next.type !== 'line') {
    next.aggregate = 'sum';
  }
  if (next.ys.length > 1) {
    next.colour = null;
    // Sums of different columns are seldom parts of a whole.
    next.type = choice.ys.length === 1 && next.type === 'bar' ? 'grouped' : next.type;
  }
  return next;
}
