// The statistics of columns: fetched once, and told as facts, a histogram and frequent values.
// @ts-check

import { counted, element, grouped, groupedDigits, isolated, visible } from '../lib/elements.js';
import { Problem, json } from '../lib/requests.js';
import { between, columnAt, equals, isNull, valueType } from '../sql/conditions.js';
import { histogram } from './histogram.js';

/**
 * A field that has statistics: its position and those of the structs around it, their names and its own.
 *
 * @typedef {{ path: number[], names: string[], field: import('../sql/conditions.js').SchemaField }} Entry
 */

/**
 * The statistics of a field, of which the members depend on its type.
 *
 * @typedef {object} ColumnStatistics
 * @property {string} column
 * @property {number} nulls
 * @property {number} [nan]
 * @property {number} [infinite]
 * @property {any} [min]
 * @property {any} [max]
 * @property {number} [mean]
 * @property {number} [deviation]
 * @property {any} [median]
 * @property {[any, any]} [quartiles]
 * @property {{ min: number, max: number, mean: number }} [length] of texts, in characters
 * @property {number} [distinctApproximate]
 * @property {{ value: any, count: number }[]} [top]
 * @property {{ from: any, to: any, count: number }[]} [histogram]
 */

/** @typedef {{ label: string, count: number, condition: string | null }} Facet */

/**
 * Makes the URL of the rows that match a condition on the column, or null without such a condition.
 *
 * @typedef {(makeCondition: (column: import('../sql/conditions.js').Column) => string | null) => string | null} Selecting
 */

/** The digits of a scale that say enough about a number on it. */
const DIGITS = 4;

/** The powers of ten from and to which numbers have no exponent. */
const LEAST_PLAIN = -5;
const PLAIN_END = 16;

/** The digits of a value after which it is shortened. */
const SHORT = 12;

/** The most frequent values that are shown below a histogram, which tells of them, too. */
const MOST_BESIDE_HISTOGRAM = 5;

/**
 * Statistics of columns, which are fetched or calculated when they are asked for.
 *
 * @typedef {object} StatisticsSource
 * @property {Entry[]} entries
 * @property {number} rows the number of rows that they are over, once some are here
 * @property {string} where the condition of the rows, or '' for all
 * @property {(entry: Entry) => ColumnStatistics | undefined} of returns those of an entry, or undefined if they are not here
 * @property {(entry: Entry) => import('../sql/conditions.js').Column | null} columnOf returns an entry as conditions name it, or
 *     null if none can select its rows
 * @property {(positions: number[], signal: AbortSignal) => Promise<unknown>} fetch
 */

/**
 * The fields that have statistics, in the order of the document: a struct comes before its fields.
 *
 * @param {import('../sql/conditions.js').SchemaField[]} fields
 * @param {number[]} [path]
 * @param {string[]} [names]
 * @param {Entry[]} [found]
 * @returns {Entry[]} each with its `path` of positions, its `names` and its `field`
 */
function entries(fields, path = [], names = [], found = []) {
  fields.forEach((field, i) => {
    const entry = { path: [...path, i], names: [...names, field.name], field };
    found.push(entry);
    if (field.type.name === 'struct' && !field.dictionary) {
      entries(field.children, entry.path, entry.names, found);
    }
  });
  return found;
}

/** The statistics of the columns of a version, over all of its rows or those that match a condition. */
export class Statistics {
  /** @type {Map<string, ColumnStatistics>} */
  #known = new Map();

  /**
   * @param {string} path
   * @param {import('../sql/conditions.js').SchemaField[]} fields
   * @param {string} [where] a condition, or '' for all rows
   * @param {string} [search] a text that the rows have, or '' for all rows
   */
  constructor(path, fields, where = '', search = '') {
    this.path = path;
    this.where = where;
    this.search = search;
    /** The number of rows that they are over, once some are here. */
    this.rows = 0;
    this.fields = fields;
    this.entries = entries(fields);
  }

  /** @param {Entry} entry */
  columnOf({ path }) {
    return columnAt(this.fields, path);
  }

  /**
   * The statistics of an entry, or undefined if they are not here.
   *
   * @param {Entry} entry
   * @returns {ColumnStatistics | undefined}
   */
  of({ path }) {
    return this.#known.get(path.join());
  }

  /**
   * Fetches those of some columns, and of the fields of those that are structs.
   *
   * @param {number[]} positions
   * @param {AbortSignal} signal
   */
  async fetch(positions, signal) {
    const columns = positions.map((position) => `[${position}]`).join();
    const query = new URLSearchParams({ columns, numbers: 'string' });
    if (this.where !== '') {
      query.set('where', this.where);
    }
    if (this.search !== '') {
      query.set('search', this.search);
    }
    const { columns: found, rows } = await json(`${this.path}/statistics?${query}`, { signal });
    this.rows = rows;
    const expected = positions.flatMap((position) => this.entries.filter(({ path }) => path[0] === position));
    expected.forEach(({ path, names }, i) => {
      if (found[i]?.column !== names.join('.')) {
        throw new Problem(0, { detail: `Expected statistics of ${names.join('.')} but found ${found[i]?.column}` });
      }
      this.#known.set(path.join(), found[i]);
    });
  }
}

/**
 * The statistics of an entry as elements, in which bars and values are links to their rows.
 *
 * @param {StatisticsSource} source
 * @param {Entry} entry
 * @param {(condition: string) => string} link makes the URL of the rows that match a condition
 */
export function described(source, entry, link) {
  const statistics = source.of(entry);
  if (!statistics) {
    return [];
  }
  const { rows } = source;
  const column = source.columnOf(entry);
  const type = valueType(entry.field);
  /** @param {(column: import('../sql/conditions.js').Column) => string | null} makeCondition */
  const selecting = (makeCondition) => {
    const condition = column && makeCondition(column);
    return condition === null ? null : link(condition);
  };
  return [facts(statistics, rows, type, selecting), ...bars(entry, statistics, type, selecting), ...top(statistics, rows, type, selecting)];
}

/**
 * The bins of a histogram, or the most frequent values without one.
 *
 * @param {import('../sql/conditions.js').Column | null} column that conditions name, or null if none can
 * @param {Entry} entry
 * @param {ColumnStatistics} statistics
 * @returns {Facet[]} each with its `label`, its `count`, and the `condition` of its rows, or null if absent
 */
export function facets(column, entry, { histogram: bins, top: values = [] }) {
  const type = valueType(entry.field);
  /**
   * @param {string} label
   * @param {number} count
   * @param {string | null} condition
   */
  const facet = (label, count, condition) => ({ label: `${label}: ${counted(count, 'row')}`, count, condition });
  return bins && bins.length > 1
    ? bins.map(({ from, to, count }, i) =>
        facet(
          `${shortened(from, type, 10 * (to - from))} to ${shortened(to, type, 10 * (to - from))}`,
          count,
          column && between(column, from, to, i === bins.length - 1),
        ),
      )
    : values.map(({ value, count }) => facet(value === '' ? 'empty' : text(value, type), count, column && equals(column, value)));
}

/**
 * Returns the facts of a column as terms and descriptions.
 *
 * @param {ColumnStatistics} statistics
 * @param {number} rows
 * @param {import('../sql/conditions.js').SchemaType} type
 * @param {Selecting} selecting
 */
function facts(statistics, rows, type, selecting) {
  const { nulls, nan = 0, infinite = 0, min, max, mean, deviation, median, quartiles, length, distinctApproximate: distinct, top } = statistics;
  const list = element('dl', {});
  /**
   * @param {string} term
   * @param {Node | string | (Node | string)[]} value
   * @param {string} [title] says in words what the term means
   */
  const add = (term, value, title) =>
    list.append(element('dt', { title }, term), element('dd', { title }, ...(Array.isArray(value) ? value : [value])));
  /**
   * @param {number} count
   * @param {string | null} href
   */
  const share = (count, href) => {
    const told = count === 0 ? '0' : `${grouped(count)} (${percentage(count, rows)})`;
    return href && count > 0 ? element('a', { href }, told) : told;
  };
  add('nulls', share(nulls, selecting(isNull)));
  if (nan > 0) {
    add('NaN', share(nan, selecting((column) => equals(column, 'NaN'))));
  }
  if (infinite > 0) {
    add('infinite', share(infinite, null));
  }
  if (distinct !== undefined) {
    add('distinct', `${top === undefined ? 'about ' : ''}${grouped(distinct)}`);
  }
  if (min !== undefined) {
    add('min', min === '' ? shown(min, type) : isolated(shortened(min, type, min / 100)), text(min, type));
    add('max', max === '' ? shown(max, type) : isolated(shortened(max, type, max / 100)), text(max, type));
  }
  if (mean !== undefined) {
    add('mean', brief(mean, deviation ?? 0), `The sum of the values by their number: ${mean}`);
  }
  if (deviation !== undefined) {
    add('deviation', brief(deviation, 0), `The standard deviation, how far values usually are from the mean: ${deviation}`);
  }
  if (median !== undefined && quartiles !== undefined) {
    const [first, third] = quartiles;
    const distance = Number(third) - Number(first);
    /** @param {any} value */
    const told = (value) => isolated(shortened(value, type, distance || 0));
    add('median', told(median), `At least half of the values are not greater, and at least half are not less: ${text(median, type)}`);
    add(
      'middle half',
      // Long ones take a line each.
      first === third ? told(first) : [element('span', {}, told(first), ' to'), ' ', element('span', {}, told(third))],
      `At least a quarter of the values are not greater than the first, and at least a quarter are not less than the second: ${text(first, type)} to ${text(third, type)}`,
    );
  }
  if (length !== undefined) {
    const range = length.min === length.max ? grouped(length.min) : `${grouped(length.min)} to ${grouped(length.max)}`;
    add('characters', length.min === length.max ? range : `${range}, mean ${grouped(Number(length.mean.toFixed(1)))}`, 'The lengths of the texts');
  }
  return list;
}

/**
 * @param {Entry} entry
 * @param {ColumnStatistics} statistics
 * @param {import('../sql/conditions.js').SchemaType} type
 * @param {Selecting} selecting
 */
function bars({ names }, { histogram: bins, median, quartiles }, type, selecting) {
  if (!bins || bins.length < 2) {
    return [];
  }
  const described = bins.map(({ from, to, count }, i) => ({
    from: shortened(from, type, 10 * (to - from)),
    to: shortened(to, type, 10 * (to - from)),
    count,
    href: selecting((column) => between(column, from, to, i === bins.length - 1)),
  }));
  const ends = [bins[0].from, bins[bins.length - 1].to];
  const places = quartiles && [quartiles[0], median, quartiles[1]].map((value) => place(value, ends, type));
  return [histogram(visible(names[names.length - 1]), described, places?.every(Number.isFinite) ? places : null)];
}

/**
 * Where a value is between two others, as a part of their distance, or NaN if that is unknown.
 *
 * @param {any} value
 * @param {any[]} ends
 * @param {import('../sql/conditions.js').SchemaType} type
 */
function place(value, ends, type) {
  const isMoment = type.name === 'date' || type.name === 'timestamp';
  const [at, from, to] = [value, ...ends].map((each) => (isMoment ? Date.parse(each) : Number(each)));
  return (at - from) / (to - from);
}

/**
 * The most frequent values, unless each is as frequent as all others.
 *
 * @param {ColumnStatistics} statistics
 * @param {number} rows
 * @param {import('../sql/conditions.js').SchemaType} type
 * @param {Selecting} selecting
 */
function top({ top: values, distinctApproximate: distinct, histogram: bins }, rows, type, selecting) {
  if (!values || values.length === 0) {
    return [];
  }
  if (values[0].count === 1 && (distinct ?? 0) > values.length) {
    return [element('p', { class: 'count' }, 'Each value occurs once.')];
  }
  const most = bins && bins.length > 1 ? MOST_BESIDE_HISTOGRAM : values.length;
  const items = values.slice(0, most).map(({ value, count }) => {
    const share = element('span', { class: 'share' });
    share.style.width = `${(100 * count) / rows}%`;
    const href = selecting((column) => equals(column, value));
    const told = element('span', { class: 'value' }, shown(value, type));
    const parts = [share, told, ' ', element('span', { class: 'number' }, grouped(count))];
    const attributes = { class: 'row', title: `${value === '' ? 'empty' : text(value, type)}: ${counted(count, 'row')}` };
    return element('li', {}, href ? element('a', { href, ...attributes }, ...parts) : element('span', attributes, ...parts));
  });
  return [element('ol', { class: 'top', 'aria-label': 'Most frequent values' }, ...items)];
}

/**
 * @param {number} count
 * @param {number} rows
 */
function percentage(count, rows) {
  const percent = (100 * count) / rows;
  return percent < 0.1 ? '< 0.1 %' : `${percent > 99.9 && count < rows ? '> 99.9' : percent.toFixed(percent < 10 ? 1 : 0)} %`;
}

/**
 * A value of the statistics as text, with groups of digits where it is a whole number or a decimal.
 *
 * @param {any} value
 * @param {import('../sql/conditions.js').SchemaType} type
 */
function text(value, type) {
  const written = Object.is(value, -0) ? '-0' : String(value);
  switch (type.name) {
    case 'int':
    case 'decimal':
      return groupedDigits(written);
    case 'timestamp':
    case 'time':
      return written.replace('T', ' ').replace(/\.0+(?!\d)/, '');
    case 'binary':
    case 'largebinary':
    case 'binaryview':
    case 'fixedsizebinary':
      return hexadecimal(written);
    default:
      return visible(written);
  }
}

/** @param {number} number */
const magnitude = (number) => Math.floor(Math.log10(Math.abs(number) || 1));

/**
 * A number with as many digits as say enough.
 *
 * @param {number} number
 * @param {number} scale how far numbers are from it, 0 if unknown
 */
function brief(number, scale) {
  const lowest = magnitude(scale || number) - DIGITS + 1;
  const highest = magnitude(number);
  if (highest < LEAST_PLAIN || highest >= PLAIN_END) {
    return Number(number.toPrecision(Math.min(Math.max(1, highest - lowest + 1), 17))).toExponential();
  }
  // Four digits may be a year.
  return number.toLocaleString('en-US', { maximumFractionDigits: Math.min(Math.max(0, -lowest), 20), useGrouping: 'min2' });
}

/**
 * A value, of which floating-point numbers have as many digits as say enough.
 *
 * @param {any} value
 * @param {import('../sql/conditions.js').SchemaType} type
 * @param {number} scale
 */
function shortened(value, type, scale) {
  const isLong = type.name === 'floatingpoint' && Number.isFinite(Number(value)) && String(value).length > SHORT;
  return isLong ? brief(Number(value), scale) : text(value, type);
}

/** @param {string} base64 */
function hexadecimal(base64) {
  const isCut = base64.endsWith('…');
  const bytes = [...atob(isCut ? base64.slice(0, -1) : base64)];
  return `0x${bytes.map((byte) => byte.charCodeAt(0).toString(16).padStart(2, '0')).join('')}${isCut ? '…' : ''}`;
}

/**
 * @param {any} value
 * @param {import('../sql/conditions.js').SchemaType} type
 */
function shown(value, type) {
  return value === '' ? element('em', {}, 'empty') : isolated(text(value, type));
}
