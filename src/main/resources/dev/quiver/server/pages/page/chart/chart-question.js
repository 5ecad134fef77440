// The statements of a chart, which are computed over all rows: what the columns have, and the values to draw.
// @ts-check

import { tableOf } from '../grid/arrow-values.js';
import { base, send, transferred } from '../lib/requests.js';

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
 * @property {string} [versions] the versions whose rows are shown beside the chart
 */

/**
 * The choices of a chart.
 *
 * @typedef {object} Choice
 * @property {string} type
 * @property {Column | null} x
 * @property {Column | null} y null for the number of rows
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
 * @property {number} both rows that have x and y
 */

/**
 * The steps between the values of x: none, a unit of time, or the width of bins. A negative width is that of so many bins in 1.
 *
 * @typedef {{ unit?: string, width?: number, isCentred?: boolean }} Step
 */

/** @typedef {{ [column: string]: any }[]} Rows */

export const MOST_CATEGORIES = 50;
export const MOST_COLOURS = 8;
export const MOST_VALUES = 20_000;
export const MOST_POINTS = 5_000;
const MOST_TEXT = 1_000;
const MOST_PROBED = 30;

const DATA = '"chart data"';
/** @type {Record<string, string>} */
const AGGREGATES = { count: 'count(d.y)', sum: 'sum(d.y)', mean: 'avg(d.y)', median: 'median(d.y)' };

/** @param {Column} column */
const numberOf = ({ sql }) => finite(`TRY_CAST(${sql} AS DOUBLE)`);
/** @param {Column} column */
const textOf = ({ sql }) => `left(CAST(${sql} AS VARCHAR), ${MOST_TEXT})`;
/** @param {Column} column */
const timeOf = ({ sql }) => `CAST(${sql} AS TIMESTAMP)`;
/** @param {string} sql */
const finite = (sql) => `CASE WHEN isfinite(${sql}) THEN ${sql} END`;

/**
 * The values of a column without steps between them.
 *
 * @param {Column} column
 */
function valueOf(column) {
  switch (column.kind) {
    case 'number':
      return numberOf(column);
    case 'time':
      return `CASE WHEN isfinite(${timeOf(column)}) THEN CAST(epoch_us(${timeOf(column)}) AS DOUBLE) END`;
    default:
      return textOf(column);
  }
}

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
   * About how many distinct values some columns have, and the number of rows.
   *
   * @param {Column[]} columns
   * @param {AbortSignal} signal
   */
  async distinct(columns, signal) {
    const asked = columns.slice(0, MOST_PROBED);
    const counts = asked.map((column, i) => `, approx_count_distinct(${column.sql}) AS c${i}`).join('');
    const [found] = await this.#ask(`SELECT count(*) AS n${counts} ${this.source.from}`, signal);
    return { rows: Number(found.n), of: new Map(asked.map((column, i) => [column, Number(found[`c${i}`])])) };
  }

  /**
   * @param {Choice} choice
   * @param {AbortSignal} signal
   * @returns {Promise<Extent>}
   */
  async extent({ x, y, colour }, signal) {
    const columns = [`${x ? valueOf(x) : 'NULL'} AS x`, `${y ? numberOf(y) : '1'} AS y`, `${colour ? textOf(colour) : 'NULL'} AS c`];
    const range = x?.kind === 'category' ? '' : ', min(x) AS least, max(x) AS greatest';
    const sql = `SELECT count(*) AS n, approx_count_distinct(x) AS distinct, approx_count_distinct(c) AS colours,
      count(*) FILTER (x IS NOT NULL AND y IS NOT NULL) AS both${range} FROM (SELECT ${columns.join(', ')} ${this.source.from})`;
    const [{ n, distinct, colours, both, least = NaN, greatest = NaN }] = await this.#ask(sql, signal);
    return { rows: n, least: least ?? NaN, greatest: greatest ?? NaN, distinct, colours, both };
  }

  /**
   * The value of y for each x and colour. Rows without x, and those of values of x that are left out, have no `x`.
   *
   * @param {Choice} choice
   * @param {Step} step
   * @param {AbortSignal} signal
   * @param {number} [most] categories
   */
  async values({ x, y, colour, aggregate }, step, signal, most = MOST_CATEGORIES) {
    const column = /** @type {Column} */ (x);
    const value = y === null ? 'count(*)' : AGGREGATES[aggregate];
    const isRanked = column.kind === 'category';
    const parts = [`${DATA} AS (${this.#data(column, step, y, colour)})`];
    if (isRanked) {
      parts.push(top('x', `(SELECT x, ${value} AS m FROM ${DATA} d WHERE x IS NOT NULL GROUP BY x)`, 'm DESC NULLS LAST', most));
    }
    if (colour) {
      parts.push(top('c', `(SELECT c, count(*) AS m FROM ${DATA} WHERE c IS NOT NULL GROUP BY c)`, 'm DESC', MOST_COLOURS));
    }
    const sql = `WITH ${parts.join(',\n')}
      SELECT ${isRanked ? 'tx.x AS x, tx.place AS x_place, tx.among AS x_among' : 'd.x AS x'}, d.x IS NULL AS x_null,
        ${colour ? 'tc.c AS c, tc.place AS c_place, tc.among AS c_among, d.c IS NULL AS c_null,' : ''}
        CAST(${value} AS DOUBLE) AS y, count(*) AS n
      FROM ${DATA} d ${isRanked ? 'LEFT JOIN "top x" tx ON d.x = tx.x' : ''} ${colour ? 'LEFT JOIN "top c" tc ON d.c = tc.c' : ''}
      GROUP BY ALL ORDER BY x${colour ? ', c_place' : ''} LIMIT ${MOST_VALUES + 1}`;
    return this.#ask(sql, signal);
  }

  /**
   * Points, each of which is a row: every one, or every n-th.
   *
   * @param {Choice} choice
   * @param {number} every
   * @param {AbortSignal} signal
   */
  async points({ x, y, colour }, every, signal) {
    const column = /** @type {Column} */ (x);
    const isRanked = column.kind === 'category';
    const isNumber = colour?.kind === 'number';
    const parts = [`${DATA} AS (${this.#data(column, {}, y, colour, isNumber)})`];
    if (isRanked) {
      parts.push(top('x', `(SELECT x, count(*) AS m FROM ${DATA} WHERE x IS NOT NULL AND y IS NOT NULL GROUP BY x)`, 'm DESC', MOST_CATEGORIES));
    }
    if (colour && !isNumber) {
      parts.push(top('c', `(SELECT c, count(*) AS m FROM ${DATA} WHERE c IS NOT NULL GROUP BY c)`, 'm DESC', MOST_COLOURS));
    }
    const sql = `WITH ${parts.join(',\n')}
      SELECT ${isRanked ? 'tx.x AS x, tx.place AS x_place, tx.among AS x_among' : 'd.x AS x'}, d.y AS y
        ${colour ? (isNumber ? ', d.c AS c' : ', tc.c AS c, tc.place AS c_place, tc.among AS c_among, d.c IS NULL AS c_null') : ''}
      FROM (SELECT *, row_number() OVER () - 1 AS i FROM ${DATA} WHERE x IS NOT NULL AND y IS NOT NULL) d
      ${isRanked ? 'LEFT JOIN "top x" tx ON d.x = tx.x' : ''} ${colour && !isNumber ? 'LEFT JOIN "top c" tc ON d.c = tc.c' : ''}
      WHERE d.i % ${every} = 0`;
    return this.#ask(sql, signal);
  }

  /**
   * The first geometries, and the number of all.
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
      parts.push(top('c', `(SELECT c, count(*) AS m FROM ${DATA} WHERE c IS NOT NULL AND g IS NOT NULL GROUP BY c)`, 'm DESC', MOST_COLOURS));
    }
    const colours = colour ? (isNumber ? ', d.c AS c' : ', tc.c AS c, tc.place AS c_place, tc.among AS c_among, d.c IS NULL AS c_null') : '';
    const sql = `WITH ${parts.join(',\n')}
      SELECT d.g AS g, d.n AS n${colours}
      FROM (SELECT *, row_number() OVER () AS i, count(*) OVER () AS n, sum(${x?.isBinary ? 'octet_length' : 'strlen'}(g)) OVER (ROWS UNBOUNDED PRECEDING) AS size
        FROM ${DATA} WHERE g IS NOT NULL) d ${colour && !isNumber ? 'LEFT JOIN "top c" tc ON d.c = tc.c' : ''}
      WHERE d.i <= ${most} AND d.size <= ${mostBytes} ORDER BY d.i`;
    return this.#ask(sql, signal);
  }

  /**
   * A statement that returns x, y and the colour of each row.
   *
   * @param {Column} x
   * @param {Step} step
   * @param {Column | null} y
   * @param {Column | null} colour
   * @param {boolean} [isContinuous] whether colours are numbers
   */
  #data(x, { unit, width, isCentred }, y, colour, isContinuous = false) {
    const others = `${y ? numberOf(y) : 'NULL'} AS y, ${colour ? (isContinuous ? numberOf(colour) : textOf(colour)) : 'NULL'} AS c`;
    if (unit) {
      const time = timeOf(x);
      const start = `CAST(epoch_us(CAST(date_trunc('${unit}', ${time}) AS TIMESTAMP)) AS DOUBLE)`;
      return `SELECT CASE WHEN isfinite(${time}) THEN ${start} END AS x, ${others} ${this.source.from}`;
    }
    const rows = `SELECT ${valueOf(x)} AS x, ${others} ${this.source.from}`;
    if (!width || isCentred) {
      return rows;
    }
    // A quotient may be rounded across the edge of a bin, so that the edges decide.
    const bin = width > 0 ? `floor(x / ${width}::DOUBLE)` : `floor(x * ${-width}::DOUBLE)`;
    /** @param {string} i */
    const edge = (i) => (width > 0 ? `(${i}) * ${width}::DOUBLE` : `(${i}) / ${-width}::DOUBLE`);
    return `SELECT i + CASE WHEN x >= ${edge('i + 1')} THEN 1 WHEN x < ${edge('i')} THEN -1 ELSE 0 END AS x, y, c
      FROM (SELECT x, y, c, ${bin} AS i FROM (${rows}))`;
  }
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
