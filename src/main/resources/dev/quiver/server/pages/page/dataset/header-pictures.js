// The statistics of columns as small pictures in their headers.
// @ts-check

import { element, grouped } from '../lib/elements.js';
import { narrowed } from '../sql/conditions.js';
import { drawn } from './histogram.js';
import { facets } from './statistics.js';

/** @typedef {import('./statistics.js').Facet} Facet */
/** @typedef {{ x: number, width: number, height: number }} Shape */

const REST_MILLISECONDS = 300;
const RETRY_MILLISECONDS = 10_000;
const MOST_AT_ONCE = 16;
const WIDTH = 100;
const HEIGHT = 16;
// Below it, the shares of the most frequent values cannot be seen.
const LEAST_SHARE = 0.01;

/**
 * Rows with headers: their statistics, a signal that ends what other rows make useless, and a function that shows the rows that
 * match a condition, if there are such conditions.
 *
 * @typedef {object} Pictured
 * @property {() => Promise<import('./statistics.js').StatisticsSource>} statistics
 * @property {AbortSignal} signal
 * @property {(condition: string) => unknown} [filter]
 * @property {(statistics: import('./statistics.js').StatisticsSource) => unknown} [summarized] called with statistics that have come
 */

export class HeaderPictures {
  /** @type {import('./statistics.js').StatisticsSource | null} */
  #statistics = null;
  /** @type {Set<number>} */
  #asked = new Set();
  /** @type {number | undefined} */
  #resting;

  /** @param {Pictured} view */
  constructor(view) {
    this.view = view;
  }

  /**
   * Fills the headers in a part of the page that are empty, once their statistics are here.
   *
   * @param {HTMLElement} stage
   */
  async fill(stage) {
    clearTimeout(this.#resting);
    const statistics = await this.view.statistics();
    if (statistics !== this.#statistics) {
      this.#statistics = statistics;
      this.#asked.clear();
    }
    const unknown = new Set();
    for (const summary of /** @type {NodeListOf<HTMLElement>} */ (stage.querySelectorAll('.summary:empty'))) {
      const position = Number(summary.dataset.position);
      const entry = statistics.entries.find(({ path }) => path.length === 1 && path[0] === position);
      const found = entry && statistics.of(entry);
      if (found) {
        summary.append(...pictured(this.view, statistics, entry, found));
      } else if (!this.#asked.has(position)) {
        unknown.add(position);
      }
    }
    if (unknown.size > 0) {
      this.#resting = setTimeout(() => this.#fetch([...unknown].slice(0, MOST_AT_ONCE), stage), REST_MILLISECONDS);
    }
  }

  /**
   * @param {number[]} positions
   * @param {HTMLElement} stage
   */
  async #fetch(positions, stage) {
    positions.forEach((position) => this.#asked.add(position));
    try {
      await this.#statistics?.fetch(positions, this.view.signal);
    } catch {
      // The headers stay without pictures for a while, and the side of a column tells why.
      setTimeout(() => positions.forEach((position) => this.#asked.delete(position)), RETRY_MILLISECONDS);
      return;
    }
    if (this.#statistics) {
      this.view.summarized?.(this.#statistics);
    }
    await this.fill(stage);
  }
}

/**
 * A histogram, or the shares of the most frequent values, and the share of nulls.
 *
 * @param {Pictured} view
 * @param {import('./statistics.js').StatisticsSource} source
 * @param {import('./statistics.js').Entry} entry
 * @param {import('./statistics.js').ColumnStatistics} statistics
 */
function pictured(view, source, entry, statistics) {
  const { nulls, histogram = [], top, distinctApproximate: distinct = 0 } = statistics;
  const { rows, where } = source;
  const share = Math.round((100 * nulls) / rows);
  const told = nulls > 0 ? [element('small', {}, `${share === 0 ? '< 1' : share} % null`)] : [];
  const found = facets(source.columnOf(entry), entry, statistics);
  /** @param {string} condition */
  const narrow = (condition) => view.filter?.(narrowed(where, condition));
  if (histogram.length > 1) {
    return [picture(found, heights(found), narrow), ...told];
  }
  if ((top?.[0]?.count ?? -1) >= LEAST_SHARE * rows && distinct < rows) {
    return [picture(found, shares(found, rows), narrow), ...told];
  }
  return distinct > 0 ? [element('small', {}, `${top ? '' : '≈ '}${grouped(distinct)} distinct`), ...told] : told;
}

/** @param {Facet[]} found */
function heights(found) {
  const most = Math.max(...found.map(({ count }) => count));
  const width = WIDTH / found.length;
  return found.map(({ count }, i) => ({ x: i * width, width, height: count === 0 ? 0 : Math.max(1, (count / most) * HEIGHT) }));
}

/**
 * @param {Facet[]} found
 * @param {number} rows
 */
function shares(found, rows) {
  let x = 0;
  return found.map(({ count }) => {
    const width = (count / rows) * WIDTH;
    x += width;
    return { x: x - width, width, height: HEIGHT / 2 };
  });
}

/**
 * A picture of facets, each of which shows its rows once it is clicked. The side of the column has them as links.
 *
 * @param {Facet[]} found
 * @param {Shape[]} shapes
 * @param {(condition: string) => unknown} narrow
 */
function picture(found, shapes, narrow) {
  const parts = found.flatMap(({ label, condition, count }, i) => {
    const { x, width, height } = shapes[i];
    const area = drawn('rect', { class: 'area', x, y: 0, width, height: HEIGHT }, drawn('title', {}, label));
    if (condition && count > 0) {
      area.dataset.condition = condition;
      area.addEventListener('click', () => narrow(condition));
    }
    const inner = Math.max(0.5, width - 1);
    return [area, drawn('rect', { class: 'bar', x: x + (width - inner) / 2, y: HEIGHT - height, width: inner, height })];
  });
  return drawn('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: 'none', 'aria-hidden': 'true' }, ...parts);
}
