// The choices of a chart: those of the URL, and by default those that fit the columns.
// @ts-check

import { visible } from '../lib/elements.js';
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
const COLUMN_KEYS = ['x', ...Y_KEYS, 'colour'];

const MOST_COLOURS = 8;
const MOST_BARS = 50;
/** The part of the rows that have a place of their own in series. About as many of all places have a row. */
const LEAST_APART = 0.85;
const [LEAST_FILLED, MOST_FILLED] = [0.6, 1.1];
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
 * The choice that a URL names, of which unknown columns are left out. That of x is then the one of the best choice; without it, the
 * choice is null.
 *
 * @param {Column[]} columns
 * @param {Map<string, string>} values
 * @param {Choice | null} best
 * @returns {Choice | null}
 */
export function choiceOf(columns, values, best) {
  /** @param {string} key */
  const named = (key) => columns.find((column) => column.key === values.get(key)) ?? null;
  const [x, colour] = [named('x') ?? best?.x ?? null, named('colour')];
  const ys = new Set(Y_KEYS.map(named).filter((y) => y !== null && y.kind === 'number'));
  if (x === null) {
    return null;
  }
  const type = values.get('type') ?? '';
  if (best && ys.size === 0 && !colour) {
    return Object.hasOwn(TYPES, type) ? changed(best, { type }, columns) : best;
  }
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
 * Whether a URL names any of some columns.
 *
 * @param {Column[]} columns
 * @param {Map<string, string>} values
 */
export const namesAny = (columns, values) => columns.some(({ key }) => COLUMN_KEYS.some((each) => values.get(each) === key));

/**
 * The sentences about the columns of a URL that are unknown, or cannot be drawn where it names them.
 *
 * @param {Column[]} columns
 * @param {{ name: string }[]} fields all of the rows
 * @param {Map<string, string>} values
 */
export function mistakesIn(columns, fields, values) {
  return COLUMN_KEYS.flatMap((key) => {
    const name = values.get(key) ?? '';
    const column = columns.find((each) => each.key === name);
    const isY = Y_KEYS.includes(key);
    if (name === '' || (column && !(isY && column.kind !== 'number'))) {
      return [];
    }
    const place = isY ? 'the Y axis' : key === 'x' ? 'the X axis' : 'the colour';
    const rest = key === 'x' ? ' Another column is drawn.' : '';
    return [fields.some((field) => field.name === name) ? `${visible(name)} cannot be ${place}.${rest}` : `Unknown column for ${place}: ${visible(name)}.${rest}`];
  });
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
 * The column whose values may be times: one of times, or else one of years.
 *
 * @param {Column[]} columns
 */
export const timeOf = (columns) => columns.find(({ kind }) => kind === 'time') ?? columns.find(({ isYear }) => isYear) ?? null;

/**
 * The numbers that a chart begins with. Others only name rows.
 *
 * @param {Column[]} columns
 */
const numbersOf = (columns) => columns.filter(({ kind, name }) => kind === 'number' && !IDENTIFIER.test(name));

/**
 * The choice that fits some columns best: a map of places; values over time, with a colour for each of some series, be they columns or values of
 * one; bars of events over time, which are counted; else bars of a category that has few values; else the histogram of a number.
 *
 * @param {Column[]} columns
 * @param {import('./chart-question.js').Description} described
 * @returns {Choice}
 */
export function fitting(columns, { rows, distinct, pairs, sizes }) {
  /** @param {Column} column */
  const count = (column) => distinct.get(column) ?? Infinity;
  const time = timeOf(columns);
  const isTimed = time !== null && count(time) > 1 && count(time) < Infinity;
  const numbers = numbersOf(columns).filter((column) => !isTimed || column !== time);
  const ys = numbers.slice(0, 1);
  const categories = columns.filter(({ kind }) => kind === 'category');
  const common = { ys, colour: null, aggregate: 'mean', unit: 'auto' };
  const places = placesOf(columns);
  if (places) {
    return { ...common, ...places, type: 'map' };
  }
  if (isTimed) {
    if (rows <= MOST_FILLED * count(time)) {
      const isFilled = rows > LEAST_FILLED * count(time);
      return { ...common, type: isFilled ? 'line' : 'bar', x: time, ys: isFilled ? comparable(numbers, sizes) : [] };
    }
    // Rows each of which has a time and a colour of its own are series. Others are events, which are counted.
    const series = categories.find((column) => {
      const filled = rows / (count(time) * count(column));
      return count(column) > 1 && filled > LEAST_FILLED && filled < MOST_FILLED && (pairs.get(column) ?? 0) > LEAST_APART * rows;
    });
    const few = categories.find((column) => count(column) > 1 && count(column) <= MOST_COLOURS);
    return { ...common, type: series ? 'line' : 'bar', x: time, ys: series ? ys : [], colour: series ?? few ?? null };
  }
  const category = categories.find((column) => count(column) > 1 && count(column) <= MOST_BARS);
  if (category) {
    return { ...common, type: 'bar', x: category, ys: rows <= MOST_FILLED * count(category) ? ys : [] };
  }
  if (numbers.length > 0) {
    return { ...common, type: 'histogram', x: numbers[0], ys: [] };
  }
  return { ...common, type: 'bar', x: categories[0] ?? columns.find(({ kind }) => kind !== 'geometry') ?? null, ys: [] };
}

/**
 * The choice of bars of a number in place of bars of rows, or null without a number.
 *
 * @param {Choice} choice
 * @param {Column[]} columns
 * @returns {Choice | null}
 */
export function valued(choice, columns) {
  const number = numbersOf(columns).find((column) => column !== choice.x);
  return number ? { ...choice, ys: [number] } : null;
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
