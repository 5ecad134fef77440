// The statements of a chart, which are computed over all rows: what the columns have, and the values to draw.
// @ts-check

import { tableOf } from '../grid/arrow-values.js';
import { base, send, transferred } from '../lib/requests.js';
import { textLiteral } from '../sql/conditions.js';
import { MAYBE_DATE, dated } from './chart-dates.js';
import { MOST_CATEGORIES, MOST_COLOURS, MOST_POINTS, MOST_VALUES } from './chart-limits.js';
import { OFFERED_UNITS } from './chart-steps.js';

/** @typedef {import('./chart-columns.js').Column} Column */

/**
 * The rows of a chart.
 *
 * @typedef {object} Source
 * @property {{ name: string, arrowType: string }[]} fields
 * @property {string[]} names those of the fields in statements
 * @property {string} from the rows in a statement, from FROM on
 * @property {Record<string, string>} parameters those of the statement
 * @property {string} condition the condition of the rows for people, or ''
 * @property {string} title the name of the rows for people, or ''
 * @property {string[]} notes sentences about the rows
 * @property {string} [versions] the versions whose rows are shown beside the chart
 */

/**
 * The choices of a chart.
 *
 * @typedef {object} Choice
 * @property {string} type
 * @property {Column | null} x
 * @property {Column[]} ys none for the number of rows; several are series without a colour
 * @property {Column | null} colour
 * @property {string} aggregate
 * @property {string} unit that of times, or `auto`
 */

/**
 * The range of the columns of a chart.
 *
 * @typedef {object} Extent
 * @property {number} rows
 * @property {number} least of x; of times in microseconds
 * @property {number} greatest
 * @property {number} distinct values of x, about
 * @property {number} colours distinct ones, about
 * @property {number} both rows that have x and any y
 * @property {number} places rows whose x and first y are degrees
 * @property {number} missing rows without x
 * @property {number} far rows whose time is outside the bounds
 * @property {number[]} without rows that have x but not this y, by the position of y
 * @property {string | null} unit the coarsest unit at whose beginnings all times are, or null if they differ in none
 * @property {Bounds} bounds
 */

/**
 * The times that are drawn, in microseconds.
 *
 * @typedef {{ from: number, to: number }} Bounds
 */

/**
 * The number of rows of a chart, and of those among them that are left out.
 *
 * @typedef {object} Totals
 * @property {number} rows
 * @property {number} missing
 * @property {number} far
 * @property {number[]} without
 */

/**
 * The steps between the values of x: none, a unit of time, or the width of bins. A negative width is that of so many bins in 1.
 *
 * @typedef {{ unit?: string, width?: number, isCentred?: boolean }} Step
 */

/**
 * The columns of some rows. The distinct values of more than 100,000 rows are estimated.
 *
 * @typedef {object} Description
 * @property {number} rows
 * @property {Map<Column, number>} distinct values of each column that has no numbers, and of years
 * @property {Map<Column, number>} pairs distinct ones of a time and a value of another column
 * @property {Map<Column, number>} sizes the usual ones of numbers
 */

/** @typedef {{ [column: string]: any }[]} Rows */

const MOST_TEXT = 1_000;
const MOST_PROBED = 30;
const MOST_DATED = 1_000;
const MOST_DATE = 40;
/** Of more rows, distinct values are estimated. */
const MOST_COUNTED = 100_000;
const YEARS = [1000, 2200];

/** Scripts have no times beyond these. */
export const ALL_TIMES = { from: -8.64e18, to: 8.64e18 };
const DAY = 86_400e6;
/** A time is far if it is more than this from the median of the different days, and more than so many times their middle half. */
const FAR = 500 * 365.25 * DAY;
const FAR_TIMES = 10;

const DATA = '"chart data"';
/** The rows of which some have no point. The frequent colours are those of all, as for other types of charts. */
const ALL = '"all rows"';
/** @type {Record<string, (y: string) => string>} */
const AGGREGATES = { count: (y) => `count(${y})`, sum: (y) => `sum(${y})`, mean: (y) => `avg(${y})`, median: (y) => `median(${y})` };

/** @param {Column} column */
const numberOf = ({ sql }) => finite(`TRY_CAST(${sql} AS DOUBLE)`);
/** @param {Column} column */
const textOf = ({ sql }) => `left(CAST(${sql} AS VARCHAR), ${MOST_TEXT})`;
/** @param {Column} column */
const timeOf = ({ sql }) => `TRY_CAST(${sql} AS TIMESTAMP)`;
/** @param {Column} column */
const microsecondsOf = (column) => `CAST(epoch_us(${timeOf(column)}) AS DOUBLE)`;
/** @param {string} sql */
const finite = (sql) => `CASE WHEN isfinite(${sql}) THEN ${sql} END`;
/** @param {Column} column @param {Bounds} bounds */
const isNear = (column, { from, to }) => `isfinite(${timeOf(column)}) AND ${microsecondsOf(column)} BETWEEN ${from}::DOUBLE AND ${to}::DOUBLE`;
/** @param {Column} column @param {Bounds} bounds */
const isFar = (column, bounds) => (column.kind === 'time' ? `${column.sql} IS NOT NULL AND NOT coalesce(${isNear(column, bounds)}, false)` : 'false');

/**
 * A value of a column without steps between them.
 *
 * @param {Column} column
 * @param {Bounds} bounds
 */
function valueOf(column, bounds) {
  switch (column.kind) {
    case 'number':
      return numberOf(column);
    case 'time':
      return `CASE WHEN ${isNear(column, bounds)} THEN ${microsecondsOf(column)} END`;
    default:
      return textOf(column);
  }
}

const DEGREES = 'abs(x) <= 360 AND abs(y0) <= 90';

/** The statements about one source of rows. */
export class Question {
  /** @param {Source} source */
  constructor(source) {
    this.source = source;
    /**
     * The versions that the latest statement has read.
     *
     * @type {string | null}
     */
    this.versions = null;
  }

  /**
   * The rows of a statement.
   *
   * @param {string} sql
   * @param {AbortSignal} signal
   * @returns {Promise<Rows>}
   */
  async #ask(sql, signal) {
    const response = await send(`${base}/sql.arrows`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ sql, parameters: this.source.parameters }),
      signal,
    });
    this.versions = response.headers.get('Quiver-Versions');
    const table = tableOf(await transferred(response.arrayBuffer()));
    const columns = table.schema.fields.map(({ name }, i) => /** @type {const} */ ([name, table.getChildAt(i)]));
    return Array.from({ length: table.numRows }, (_, row) =>
      Object.fromEntries(columns.map(([name, values]) => [name, plain(values.at(row))])),
    );
  }

  /**
   * The columns, of which texts are times if all of the first rows are. Other texts of such a column are nulls.
   *
   * @param {Column[]} columns
   * @param {AbortSignal} signal
   */
  async dated(columns, signal) {
    const texts = columns.filter(({ isText }) => isText).slice(0, MOST_PROBED);
    if (texts.length === 0) {
      return columns;
    }
    const rows = `SELECT ${texts.map(({ sql }, i) => `nullif(left(${sql}, ${MOST_DATE + 1}), '') AS t${i}`).join(', ')} ${this.source.from} LIMIT ${MOST_DATED}`;
    const parts = texts.map((_, i) => `CASE WHEN bool_and(regexp_matches(t${i}, '${MAYBE_DATE}')) THEN string_agg(DISTINCT t${i}, chr(10)) END AS t${i}`);
    const [found] = await this.#ask(`SELECT ${parts.join(', ')} FROM (${rows})`, signal);
    return columns.map((column) => {
      const some = found[`t${texts.indexOf(column)}`];
      return some ? dated(column, some.split('\n')) : column;
    });
  }

  /**
   * Describes the first columns of each kind.
   *
   * @param {Column[]} columns
   * @param {Column | null} time
   * @param {AbortSignal} signal
   * @returns {Promise<Description>}
   */
  async described(columns, time, signal) {
    const numbers = columns.filter(({ kind }) => kind === 'number').slice(0, MOST_PROBED);
    const others = columns.filter(({ kind }) => kind !== 'number').slice(0, MOST_PROBED);
    const sizes = numbers.map((column, i) => `avg(abs(${numberOf(column)})) AS size${i}`);
    const years = time?.isYear ? [`min(${numberOf(time)}) AS least, max(${numberOf(time)}) AS greatest`] : [];
    const about = distinctValues('approx_count_distinct(', others, time);
    const [rough] = await this.#ask(`SELECT ${['count(*) AS n', ...sizes, ...years, ...about].join(', ')} ${this.source.from}`, signal);
    const [found] = rough.n > MOST_COUNTED || about.length === 0 ? [rough] : await this.#ask(`SELECT ${distinctValues('count(DISTINCT ', others, time).join(', ')} ${this.source.from}`, signal);
    const isTime = time && (!time.isYear || (rough.least >= YEARS[0] && rough.greatest <= YEARS[1]));
    return {
      rows: rough.n,
      distinct: new Map([...others.map((column, i) => /** @type {const} */ ([column, found[`distinct${i}`]])), ...(isTime ? [/** @type {const} */ ([time, found.times])] : [])]),
      pairs: new Map(others.map((column, i) => [column, found[`pairs${i}`] ?? 0])),
      sizes: new Map(numbers.map((column, i) => [column, rough[`size${i}`]])),
    };
  }

  /**
   * The range of a chart, without times that are far from all others.
   *
   * @param {Choice} choice
   * @param {AbortSignal} signal
   * @returns {Promise<Extent>}
   */
  async extent(choice, signal) {
    const all = await this.#extentWithin(choice, ALL_TIMES, signal);
    if (choice.x?.kind !== 'time' || !(all.greatest - all.least > FAR)) {
      return all;
    }
    const bounds = await this.#nearTimes(choice.x, signal);
    return all.least >= bounds.from && all.greatest <= bounds.to ? all : this.#extentWithin(choice, bounds, signal);
  }

  /**
   * The times that are not far. A placeholder in many rows is one of the different days.
   *
   * @param {Column} x
   * @param {AbortSignal} signal
   * @returns {Promise<Bounds>}
   */
  async #nearTimes(x, signal) {
    const days = `SELECT DISTINCT floor((${valueOf(x, ALL_TIMES)}) / ${DAY}::DOUBLE) * ${DAY}::DOUBLE AS d ${this.source.from}`;
    const quartiles = ['first', 'median', 'third'].map((name, i) => `quantile_disc(d, ${(i + 1) / 4}) AS ${name}`);
    const [{ n, first, median, third }] = await this.#ask(`SELECT count(*) AS n, ${quartiles.join(', ')} FROM (${days}) WHERE d IS NOT NULL`, signal);
    // Of two days, neither is more usual than the other.
    if (n < 3) {
      return ALL_TIMES;
    }
    // The third of three days may be far itself, so that the shorter side counts.
    const margin = Math.max(FAR, FAR_TIMES * 2 * Math.min(median - first, third - median));
    return { from: Math.max(ALL_TIMES.from, median - margin), to: Math.min(ALL_TIMES.to, median + margin) };
  }

  /**
   * @param {Choice} choice
   * @param {Bounds} bounds
   * @param {AbortSignal} signal
   * @returns {Promise<Extent>}
   */
  async #extentWithin({ x, ys, colour }, bounds, signal) {
    const isTime = x?.kind === 'time';
    const columns = [
      `${x ? valueOf(x, bounds) : 'NULL'} AS x`,
      `${x ? isFar(x, bounds) : 'false'} AS far`,
      ...(isTime ? [`${timeOf(x)} AS t`] : []),
      ...ys.map((y, i) => `${numberOf(y)} AS y${i}`),
      `${colour ? textOf(colour) : 'NULL'} AS c`,
    ];
    const parts = [
      'count(*) AS n, count(*) FILTER (x IS NULL AND NOT far) AS missing, count(*) FILTER (far) AS far',
      'approx_count_distinct(x) AS distinct, approx_count_distinct(c) AS colours',
      `count(*) FILTER (x IS NOT NULL AND ${anyOf(ys)}) AS both, ${x?.kind === 'number' && ys.length > 0 ? `count(*) FILTER (${DEGREES})` : '0'} AS places`,
      ...ys.map((_, i) => `count(*) FILTER (x IS NOT NULL AND y${i} IS NULL) AS without${i}`),
      ...(x?.kind === 'category' ? [] : ['min(x) AS least, max(x) AS greatest']),
      ...(isTime ? OFFERED_UNITS.map((unit) => `bool_and(date_trunc('${unit}', t) = t) FILTER (x IS NOT NULL) AS ${unit}`) : []),
    ];
    const [found] = await this.#ask(`SELECT ${parts.join(', ')} FROM (SELECT ${columns.join(', ')} ${this.source.from})`, signal);
    const { n, missing, far, distinct, colours, both, places, least = NaN, greatest = NaN } = found;
    // One time alone has no unit: the first of January is a day as well as a year.
    const unit = least === greatest ? null : (OFFERED_UNITS.findLast((each) => found[each]) ?? null);
    return { rows: n, missing, far, distinct, colours, both, places, without: ys.map((_, i) => found[`without${i}`]), least: least ?? NaN, greatest: greatest ?? NaN, unit, bounds };
  }

  /**
   * The values of y for each x and colour. Those of several y are rows of their own with their `series`. Rows without x, and
   * those of values of x that are left out, have no `x`.
   *
   * @param {Choice} choice
   * @param {Step} step
   * @param {Bounds} bounds
   * @param {AbortSignal} signal
   * @returns {Promise<{ rows: Rows, totals: Totals, isCut: boolean }>}
   */
  async values({ x, ys, colour, aggregate }, step, bounds, signal) {
    const column = /** @type {Column} */ (x);
    const values = ys.length === 0 ? ['count(*)'] : ys.map((_, i) => AGGREGATES[aggregate](`d.y${i}`));
    const isRanked = column.kind === 'category';
    const parts = [`${DATA} AS (${this.#data(column, step, ys, colour, bounds)})`];
    if (isRanked) {
      parts.push(top('x', `(SELECT x, ${values[0]} AS m FROM ${DATA} d WHERE x IS NOT NULL GROUP BY x)`, 'm DESC NULLS LAST', MOST_CATEGORIES));
    }
    if (colour) {
      parts.push(top('c', `(SELECT c, count(*) AS m FROM ${DATA} WHERE c IS NOT NULL GROUP BY c)`, 'm DESC', MOST_COLOURS));
    }
    // A value of x has all of its colours or none, so that all series end at the same place.
    // Each value of x has all of its groups or none, so that all series end at the same place.
    const sql = `WITH ${parts.join(',\n')}, "groups" AS (
        SELECT ${isRanked ? 'tx.x AS x, tx.place AS x_place, tx.among AS x_among' : 'd.x AS x'}, d.x IS NULL AS x_null, d.far AS far,
          ${colour ? 'tc.c AS c, tc.place AS c_place, tc.among AS c_among, d.c IS NULL AS c_null,' : ''}
          ${values.map((value, i) => `CAST(${value} AS DOUBLE) AS y${i}, ${ys.length === 0 ? 'count(*)' : `count(d.y${i})`} AS known${i}`).join(', ')}, count(*) AS n
        FROM ${DATA} d ${isRanked ? 'LEFT JOIN "top x" tx ON d.x = tx.x' : ''} ${colour ? 'LEFT JOIN "top c" tc ON d.c = tc.c' : ''}
        GROUP BY ALL)
      SELECT *, count(*) OVER () AS among, sum(n) OVER () AS n_all, sum(n) FILTER (x_null AND NOT far) OVER () AS n_missing, sum(n) FILTER (far) OVER () AS n_far
        ${values.map((_, i) => `, sum(n - known${i}) FILTER (NOT x_null) OVER () AS without${i}`).join('')}
      FROM "groups" QUALIFY count(x) OVER (ORDER BY x NULLS FIRST) <= ${Math.floor(MOST_VALUES / values.length)}
      ORDER BY x NULLS FIRST${colour ? ', c_place' : ''}`;
    const found = await this.#ask(sql, signal);
    const [{ among = 0, n_all = 0, n_missing, n_far, ...first } = {}] = found;
    return {
      rows: found.flatMap((row) => values.map((_, series) => ({ ...row, y: row[`y${series}`], known: row[`known${series}`], series }))),
      totals: { rows: n_all, missing: n_missing ?? 0, far: n_far ?? 0, without: ys.map((_, i) => first[`without${i}`] ?? 0) },
      isCut: found.length < among,
    };
  }

  /**
   * Points, each of which is a row with x and any y: every one, or one of each n that follow each other. Which one depends on
   * their number alone, and has no period, as rows may have.
   *
   * @param {Choice} choice
   * @param {Extent} extent
   * @param {number} every
   * @param {AbortSignal} signal
   * @param {boolean} [isMap] whether x and y are degrees, without which points are left out
   */
  async points({ x, ys, colour }, { both, bounds }, every, signal, isMap = false) {
    const column = /** @type {Column} */ (x);
    const isRanked = column.kind === 'category';
    const isNumber = colour?.kind === 'number';
    const rows = `SELECT * FROM ${ALL} WHERE ${isMap ? DEGREES : `x IS NOT NULL AND ${anyOf(ys)}`}`;
    const parts = [`${ALL} AS (${this.#data(column, {}, ys, colour, bounds, isNumber)})`, `${DATA} AS (${rows})`];
    if (isRanked) {
      parts.push(top('x', `(SELECT x, count(*) AS m FROM ${DATA} GROUP BY x)`, 'm DESC', MOST_CATEGORIES));
    }
    if (colour && !isNumber) {
      parts.push(top('c', `(SELECT c, count(*) AS m FROM ${ALL} WHERE c IS NOT NULL GROUP BY c)`, 'm DESC', MOST_COLOURS));
    }
    const sampled = every > 1 ? `WHERE d.i % ${every} = hash(d.i // ${every}) % least(${every}, ${both} - d.i // ${every} * ${every})` : '';
    const sql = `WITH ${parts.join(',\n')}
      SELECT ${isRanked ? 'tx.x AS x, tx.place AS x_place, tx.among AS x_among' : 'd.x AS x'}, ${ys.map((_, i) => `d.y${i} AS y${i}`).join(', ')}
        ${colour ? (isNumber ? ', d.c AS c' : ', tc.c AS c, tc.place AS c_place, tc.among AS c_among, d.c IS NULL AS c_null') : ''}
      FROM (SELECT *, row_number() OVER () - 1 AS i FROM ${DATA}) d
      ${isRanked ? 'LEFT JOIN "top x" tx ON d.x = tx.x' : ''} ${colour && !isNumber ? 'LEFT JOIN "top c" tc ON d.c = tc.c' : ''}
      ${sampled} ORDER BY d.i`;
    const found = await this.#ask(sql, signal);
    return found.flatMap((row) => ys.map((_, series) => ({ ...row, y: row[`y${series}`], n: 1, known: 1, series })).filter(({ y }) => y !== null));
  }

  /**
   * The most frequent texts of a column, with the rows that have them, and the number of rows and of texts.
   *
   * @param {Column} column
   * @param {number} most
   * @param {AbortSignal} signal
   */
  async texts(column, most, signal) {
    const groups = `SELECT ${textOf(column)} AS x, count(*) AS n ${this.source.from} GROUP BY ALL`;
    return this.#ask(`SELECT x, n, count(x) OVER () AS among, sum(n) OVER () AS n_all FROM (${groups}) ORDER BY x IS NOT NULL, n DESC, x LIMIT ${most + 1}`, signal);
  }

  /**
   * The value of y for several texts of x together.
   *
   * @param {Choice} choice
   * @param {Map<string, string>} names those that texts have together
   * @param {AbortSignal} signal
   */
  async named({ x, ys, aggregate }, names, signal) {
    const column = /** @type {Column} */ (x);
    const y = ys.length === 0 ? ['count(*)', 'count(*)'] : [AGGREGATES[aggregate]('d.y0'), 'count(d.y0)'];
    const values = [...names].map(([text, name]) => `(${textLiteral(text)}, ${textLiteral(name)})`);
    const sql = `WITH "names" AS (SELECT * FROM (VALUES ${values.join(', ')}) AS n(x, name)),
      ${DATA} AS (${this.#data(column, {}, ys.slice(0, 1), null, ALL_TIMES)})
      SELECT n.name AS name, CAST(${y[0]} AS DOUBLE) AS y, ${y[1]} AS known, count(*) AS n
      FROM ${DATA} d JOIN "names" n ON d.x = n.x GROUP BY ALL ORDER BY y DESC NULLS LAST, name`;
    return this.#ask(sql, signal);
  }

  /**
   * The first geometries, the number of all that are known, and that of rows.
   *
   * @param {Choice} choice
   * @param {number} most
   * @param {number} mostBytes that of all together
   * @param {AbortSignal} signal
   */
  async geometries({ x, colour }, most, mostBytes, signal) {
    const isNumber = colour?.kind === 'number';
    const parts = [`${DATA} AS (SELECT ${x?.sql} AS g, ${colour ? (isNumber ? numberOf(colour) : textOf(colour)) : 'NULL'} AS c ${this.source.from})`];
    if (colour && !isNumber) {
      parts.push(top('c', `(SELECT c, count(*) AS m FROM ${DATA} WHERE c IS NOT NULL GROUP BY c)`, 'm DESC', MOST_COLOURS));
    }
    const colours = colour ? (isNumber ? ', d.c AS c' : ', tc.c AS c, tc.place AS c_place, tc.among AS c_among, d.c IS NULL AS c_null') : '';
    const sql = `WITH ${parts.join(',\n')}
      SELECT d.g AS g, t.n AS n, t.n_all AS n_all${colours}
      FROM (SELECT count(*) AS n_all, count(g) AS n FROM ${DATA}) t LEFT JOIN (SELECT *, row_number() OVER () AS i, sum(${x?.isBinary ? 'octet_length' : 'strlen'}(g)) OVER (ROWS UNBOUNDED PRECEDING) AS size
        FROM ${DATA} WHERE g IS NOT NULL QUALIFY i <= ${most} AND size <= ${mostBytes}) d ON true ${colour && !isNumber ? 'LEFT JOIN "top c" tc ON d.c = tc.c' : ''}
      ORDER BY d.i`;
    const found = await this.#ask(sql, signal);
    const [{ n, n_all }] = found;
    return { rows: found.filter(({ g }) => g !== null), known: n, total: n_all };
  }

  /**
   * A statement that returns x, whether it is far, each y and the colour of each row.
   *
   * @param {Column} x
   * @param {Step} step
   * @param {Column[]} ys
   * @param {Column | null} colour
   * @param {Bounds} bounds
   * @param {boolean} [isContinuous] whether colours are numbers
   */
  #data(x, { unit, width, isCentred }, ys, colour, bounds, isContinuous = false) {
    const others = [`${isFar(x, bounds)} AS far`, ...ys.map((y, i) => `${numberOf(y)} AS y${i}`), `${colour ? (isContinuous ? numberOf(colour) : textOf(colour)) : 'NULL'} AS c`].join(', ');
    if (unit) {
      const start = `CAST(epoch_us(CAST(date_trunc('${unit}', ${timeOf(x)}) AS TIMESTAMP)) AS DOUBLE)`;
      return `SELECT CASE WHEN ${isNear(x, bounds)} THEN ${start} END AS x, ${others} ${this.source.from}`;
    }
    const rows = `SELECT ${valueOf(x, bounds)} AS x, ${others} ${this.source.from}`;
    if (!width || isCentred) {
      return rows;
    }
    // A quotient may be rounded across the edge of a bin, so that the edges decide.
    const bin = width > 0 ? `floor(x / ${width}::DOUBLE)` : `floor(x * ${-width}::DOUBLE)`;
    /** @param {string} i */
    const edge = (i) => (width > 0 ? `(${i}) * ${width}::DOUBLE` : `(${i}) / ${-width}::DOUBLE`);
    return `SELECT * EXCLUDE (x, i), i + CASE WHEN x >= ${edge('i + 1')} THEN 1 WHEN x < ${edge('i')} THEN -1 ELSE 0 END AS x
      FROM (SELECT *, ${bin} AS i FROM (${rows}))`;
  }
}

/**
 * The parts of a statement that count the distinct values of columns, of times, and of both together.
 *
 * @param {string} way the beginning of the function
 * @param {Column[]} columns
 * @param {Column | null} time
 */
function distinctValues(way, columns, time) {
  /** @param {string} sql */
  const count = (sql) => `${way}${sql})`;
  return [
    ...(time ? [`${count(time.sql)} AS times`] : []),
    ...columns.flatMap((column, i) => [
      `${count(column.sql)} AS distinct${i}`,
      ...(time && column.kind === 'category' ? [`${count(`struct_pack(t := ${time.sql}, v := ${column.sql})`)} AS pairs${i}`] : []),
    ]),
  ];
}

/**
 * Whether a row has any y.
 *
 * @param {Column[]} ys
 */
function anyOf(ys) {
  return ys.length === 0 ? 'true' : `(${ys.map((_, i) => `y${i} IS NOT NULL`).join(' OR ')})`;
}

/**
 * The first values of an order, as a part of WITH.
 *
 * @param {string} name
 * @param {string} groups
 * @param {string} order
 * @param {number} count
 */
function top(name, groups, order, count) {
  return `"top ${name}" AS (SELECT ${name}, row_number() OVER (ORDER BY ${order}, ${name}) AS place, count(*) OVER () AS among
    FROM ${groups} QUALIFY place <= ${count})`;
}

/** @param {any} value */
function plain(value) {
  return typeof value === 'bigint' ? Number(value) : value;
}
