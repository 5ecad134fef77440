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

/** The values of the URL that are the choices of a chart. */
export const KEYS = ['type', 'x', 'y', 'colour', 'aggregate', 'unit', 'title'];

const MOST_COLOURS = 8;
const MOST_BARS = 50;
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
 * @returns {Pick<Choice, 'x' | 'y'> | null}
 */
function placesOf(columns) {
  const numbers = columns.filter(({ kind }) => kind === 'number');
  const x = numbers.find(({ name }) => LONGITUDE.test(name));
  const y = numbers.find(({ name }) => LATITUDE.test(name));
  const geometry = columns.find(({ kind }) => kind === 'geometry');
  return x && y ? { x, y } : geometry ? { x: geometry, y: null } : null;
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
  const [x, y, colour] = [named('x'), named('y'), named('colour')];
  if (x === null) {
    return null;
  }
  const type = values.get('type') ?? '';
  const aggregate = values.get('aggregate') ?? '';
  const unit = values.get('unit') ?? '';
  return {
    type: x.kind === 'geometry' ? 'map' : Object.hasOwn(TYPES, type) ? type : x.kind === 'time' ? 'line' : 'bar',
    x,
    y: y?.kind === 'number' ? y : null,
    colour: colour?.kind === 'geometry' ? null : colour,
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
export function valuesOf({ type, x, y, colour, aggregate, unit }) {
  return {
    type,
    x: x?.key ?? null,
    y: y?.key ?? null,
    colour: colour?.key ?? null,
    aggregate: y && type !== 'points' && !(type === 'map' && x?.kind !== 'category') ? aggregate : null,
    unit: unit === 'auto' ? null : unit,
  };
}

/**
 * The choice that fits some columns best: a map of places; values over time, with a colour for each of a few series; else bars of a category that
 * has few values; else the histogram of a number.
 *
 * @param {Column[]} columns
 * @param {number} rows
 * @param {Map<Column, number>} distinct
 * @returns {Choice}
 */
export function fitting(columns, rows, distinct) {
  /** @param {Column} column */
  const count = (column) => distinct.get(column) ?? Infinity;
  const numbers = columns.filter(({ kind, name }) => kind === 'number' && !IDENTIFIER.test(name));
  const y = numbers[0] ?? null;
  const categories = columns.filter(({ kind }) => kind === 'category');
  const common = { y, colour: null, aggregate: 'mean', unit: 'auto' };
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
    return { ...common, type: 'line', x: time, y: isSeries ? y : null, colour: rows > 1.1 * count(time) ? colour : null };
  }
  const category = categories.find((column) => count(column) > 1 && count(column) <= MOST_BARS);
  if (category) {
    return { ...common, type: 'bar', x: category, y: rows <= 1.1 * count(category) ? y : null };
  }
  if (numbers.length > 0) {
    return { ...common, type: 'histogram', x: y, y: null };
  }
  return { ...common, type: 'bar', x: categories[0] ?? columns.find(({ kind }) => kind !== 'geometry') ?? null, y: null };
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
      return { ...next, ...(placesOf(columns) ?? { x: country ?? next.x }) };
    }
    if (next.x?.kind === 'geometry') {
      next.x = columns.find(({ kind }) => kind !== 'geometry') ?? null;
    }
    if (next.type === 'histogram' && !isOrdered(next.x)) {
      next.x = next.y ?? numbers[0] ?? columns.find(isOrdered) ?? next.x;
    }
    if (next.type === 'points' && next.y === null) {
      next.y = numbers.find((column) => column !== next.x && !IDENTIFIER.test(column.name)) ?? numbers.find((column) => column !== next.x) ?? numbers[0] ?? null;
    }
  }
  if (change.x && next.type === 'histogram' && !isOrdered(next.x)) {
    next.type = 'bar';
  }
  if (change.y && choice.y === null && next.type !== 'line') {
    next.aggregate = 'sum';
  }
  return next;
}
