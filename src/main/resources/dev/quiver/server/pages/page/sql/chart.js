// A chart of the rows that are here: a column of x, and one or more columns of y. Its numbers are rounded to 53 bits.
// @ts-check

import { Type, cell, decimal } from '../grid/arrow-values.js';
import { whenColoursChange } from '../lib/colours.js';
import { element, grouped, visible } from '../lib/elements.js';
import { stylesheet } from '../lib/modules.js';
import library from '../vendor/uplot-1.6.32.esm.js';

/**
 * The rows that a chart draws, by the windows that have them.
 *
 * @typedef {object} Source
 * @property {number} rows
 * @property {string} state
 * @property {import('../grid/arrow-values.js').ValueField[] | null} fields null until the schema is here
 * @property {(row: number) => import('../grid/grid.js').Window | undefined} at
 */

// The types of the library are those of its documentation.
const uPlot = /** @type {any} */ (library);

const MOST_POINTS = 100_000;
const MOST_SERIES = 6;
const MOST_OFFERED = 200;
const HEIGHT_PIXELS = 320;
const LEAST_WIDTH_PIXELS = 240;
const CATEGORY_PIXELS = 90;
const BARS_OF_STEP = 0.8;
const WHOLE = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5];
const SECONDS = [1, 1e3, 1e6, 1e9];
const KINDS = ['line', 'bars', 'points'];
const DATE_PIXELS = 90;
const DAY_SECONDS = 86_400;
const DAY = '{YYYY}-{MM}-{DD}';
const BELOW = `\n${DAY}`;
/** The texts of ticks by their distance in seconds, and of ticks that begin another year, month or day. */
const TIMES = [
  [365 * DAY_SECONDS, '{YYYY}', null, null, null, null, null, null, 1],
  [28 * DAY_SECONDS, '{YYYY}-{MM}', null, null, null, null, null, null, 1],
  [DAY_SECONDS, DAY, null, null, null, null, null, null, 1],
  [60, '{HH}:{mm}', BELOW, null, BELOW, null, null, null, 1],
  [1, '{HH}:{mm}:{ss}', BELOW, null, BELOW, null, null, null, 1],
  [0.001, '{HH}:{mm}:{ss}.{fff}', BELOW, null, BELOW, null, null, null, 1],
];

/** A chart with its controls. It dispatches `chosen` after another choice of the user. */
export class Chart extends EventTarget {
  /** @type {any} */
  #plot = null;
  /** @type {Source} */
  #source = { rows: 0, state: 'complete', fields: [], at: () => undefined };

  constructor() {
    super();
    stylesheet('vendor/uplot-1.6.32.min.css').catch(() => null);
    const changed = () => {
      this.draw();
      this.dispatchEvent(new Event('chosen'));
    };
    this.kind = element('select', { 'aria-label': 'Kind of chart', onchange: changed }, ...KINDS.map((kind) => element('option', {}, kind)));
    this.x = element('select', { 'aria-label': 'Column of x', onchange: changed });
    this.y = element('fieldset', { class: 'ys', onchange: changed });
    this.note = element('p', { class: 'note' });
    this.canvas = element('div', { class: 'plot', role: 'img' });
    this.element = element(
      'section',
      { class: 'chart', 'aria-label': 'Chart' },
      element('div', { class: 'bar' }, this.kind, element('label', {}, 'x ', this.x), this.y),
      this.canvas,
      this.note,
    );
    whenColoursChange(() => this.draw());
    new ResizeObserver(() => this.#plot?.setSize(this.#size())).observe(this.canvas);
  }

  get #fields() {
    return this.#source.fields ?? [];
  }

  /** Which columns are drawn, by their positions. */
  get choice() {
    return { kind: this.kind.value, x: this.x.value, y: this.#ys().join(' ') };
  }

  /**
   * Offers the columns of a result, and draws it.
   *
   * @param {Source} source
   * @param {{ kind?: string, x?: string, y?: string }} [choice] the former one, of which columns that are absent are left out
   */
  show(source, { kind, x, y } = {}) {
    this.#source = source;
    const offered = this.#fields.slice(0, MOST_OFFERED).map((field, i) => /** @type {const} */ ([field, i]));
    const xs = offered.filter(([{ type }]) => scaleOf(type) !== null);
    const ys = offered.filter(([{ type }]) => scaleOf(type) === 'number');
    this.x.replaceChildren(...xs.map(([{ name }, i]) => element('option', { value: i }, visible(name))));
    const chosen = (y ?? '').split(' ').filter((i) => ys.some(([, each]) => String(each) === i));
    const first = xs.find(([{ type }]) => scaleOf(type) !== 'number') ?? xs[0];
    this.x.value = x !== undefined && xs.some(([, i]) => String(i) === x) ? x : String(first?.[1] ?? '');
    const standard = ys.find(([, i]) => String(i) !== this.x.value);
    const checked = new Set(chosen.length > 0 ? chosen : standard ? [String(standard[1])] : []);
    this.y.replaceChildren(
      element('legend', {}, 'y'),
      ...ys.map(([{ name }, i]) =>
        element('label', {}, element('input', { type: 'checkbox', value: i, checked: checked.has(String(i)) }), ' ', visible(name)),
      ),
    );
    const isCategory = first && scaleOf(first[0].type) === 'category';
    this.kind.value = kind !== undefined && KINDS.includes(kind) ? kind : isCategory ? 'bars' : 'line';
    this.draw();
  }

  draw() {
    this.#plot?.destroy();
    this.#plot = null;
    const ys = this.#ys().slice(0, MOST_SERIES);
    if (this.x.value === '' || ys.length === 0) {
      this.note.textContent = 'A chart needs a column of numbers beside that of x.';
      this.canvas.removeAttribute('aria-label');
      return;
    }
    const { data, categories, drawn, left } = this.#read(Number(this.x.value), ys);
    this.#plot = new uPlot(this.#options(ys, categories, stepOf(data[0].map(Number))), data, this.canvas);
    const { rows, state } = this.#source;
    this.note.textContent =
      `${grouped(drawn)} of ${grouped(rows)} rows are drawn` +
      (rows > MOST_POINTS ? `: a chart takes the first ${grouped(MOST_POINTS)}` : '') +
      (left > 0 ? `; ${grouped(left)} without x are left out` : '') +
      (this.#ys().length > MOST_SERIES ? `; at most ${MOST_SERIES} columns` : '') +
      (this.#fields.length > MOST_OFFERED ? `; the first ${MOST_OFFERED} columns are offered` : '') +
      (state === 'complete' ? '.' : '. The result has more.');
    /** @param {number} i */
    const name = (i) => visible(this.#fields[i].name);
    this.canvas.setAttribute('aria-label', `${this.kind.value} of ${ys.map(name).join(', ')} by ${name(Number(this.x.value))}, ${grouped(drawn)} rows`);
  }

  #ys() {
    const checked = /** @type {NodeListOf<HTMLInputElement>} */ (this.y.querySelectorAll('input:checked'));
    return [...checked].map(({ value }) => Number(value));
  }

  /**
   * The numbers in the order of x, which the library expects.
   *
   * @param {number} x
   * @param {number[]} ys
   */
  #read(x, ys) {
    const count = Math.min(this.#source.rows, MOST_POINTS);
    /** @type {string[] | null} */
    const categories = scaleOf(this.#fields[x].type) === 'category' ? [] : null;
    /** @type {(number | null)[][]} */
    const lines = [];
    for (let row = 0; row < count; row++) {
      const at = categories ? row : this.#number(row, x);
      if (at !== null) {
        lines.push([at, ...ys.map((y) => this.#number(row, y))]);
        categories?.push(this.#text(row, x));
      }
    }
    lines.sort(([a], [b]) => Number(a) - Number(b));
    return {
      data: [0, ...ys].map((_, i) => lines.map((line) => line[i])),
      categories,
      drawn: lines.length,
      left: count - lines.length,
    };
  }

  /**
   * @param {number} row
   * @param {number} column
   */
  #number(row, column) {
    const window = this.#source.at(row);
    const values = window?.columns[column];
    return window && values ? numberOf(values.at(row - window.row), values.type) : null;
  }

  /**
   * @param {number} row
   * @param {number} column
   */
  #text(row, column) {
    const window = this.#source.at(row);
    const values = window?.columns[column];
    return window && values ? cell(values.at(row - window.row), values.type).text.slice(0, 24) : '';
  }

  #size() {
    return { width: Math.max(LEAST_WIDTH_PIXELS, this.canvas.clientWidth), height: HEIGHT_PIXELS };
  }

  /**
   * @param {number[]} ys
   * @param {string[] | null} categories
   * @param {number} step the least distance between two values of x
   */
  #options(ys, categories, step) {
    /** @param {string} name */
    const color = (name) => {
      const probe = element('span', { class: name });
      this.element.append(probe);
      const found = getComputedStyle(probe).color;
      probe.remove();
      return found;
    };
    const axis = { stroke: color('quiet'), grid: { stroke: color('rule'), width: 1 }, ticks: { stroke: color('rule'), width: 1 } };
    const isTime = scaleOf(this.#fields[Number(this.x.value)].type) === 'time';
    return {
      ...this.#size(),
      tzDate: (/** @type {number} */ seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
      scales: { x: { time: isTime, ...(this.kind.value === 'bars' ? { range: (/** @type {any} */ _, /** @type {number} */ from, /** @type {number} */ to) => [from - 0.6 * step, to + 0.6 * step] } : {}) } },
      axes: [
        { ...axis, ...this.#marks(categories, isTime) },
        { ...axis, size: 70 },
      ],
      series: [
        {
          label: visible(this.#fields[Number(this.x.value)].name),
          value: categories ? (/** @type {any} */ _, /** @type {number} */ i) => categories[i] ?? '' : isTime ? `${DAY} {HH}:{mm}:{ss}` : undefined,
        },
        ...ys.map((y, i) => this.#series(y, color(`series-${i}`), bars(step, i, ys.length))),
      ].map(withoutUndefined),
    };
  }

  /**
   * The texts below the axis of x.
   *
   * @param {string[] | null} categories
   * @param {boolean} isTime
   */
  #marks(categories, isTime) {
    if (categories) {
      return { incrs: WHOLE, space: CATEGORY_PIXELS, values: (/** @type {any} */ _, /** @type {number[]} */ splits) => splits.map((i) => categories[i] ?? '') };
    }
    return isTime ? { space: DATE_PIXELS, values: TIMES } : {};
  }

  /**
   * @param {number} y
   * @param {string} color
   * @param {unknown} paths those of bars
   */
  #series(y, color, paths) {
    const series = { label: visible(this.#fields[y].name), stroke: color, width: 1.5 };
    switch (this.kind.value) {
      case 'bars':
        return { ...series, fill: color, width: 0, paths, points: { show: false } };
      case 'points':
        return { ...series, paths: () => null, points: { show: true, size: 4, fill: color } };
      default:
        return series;
    }
  }
}

/**
 * The least distance between two values that are in order, or 1.
 *
 * @param {number[]} values
 */
function stepOf(values) {
  let least = Infinity;
  for (let i = 1; i < values.length; i++) {
    const distance = values[i] - values[i - 1];
    if (distance > 0 && distance < least) {
      least = distance;
    }
  }
  return Number.isFinite(least) ? least : 1;
}

/**
 * The bars of one series among others, which stand side by side around their x.
 *
 * @param {number} step
 * @param {number} index
 * @param {number} count
 */
function bars(step, index, count) {
  const width = (BARS_OF_STEP * step) / count;
  const shift = index * width - (BARS_OF_STEP * step) / 2;
  return uPlot.paths.bars({
    size: [1],
    disp: {
      x0: { unit: 1, values: (/** @type {any} */ plot) => plot.data[0].map((/** @type {number} */ x) => x + shift) },
      size: { unit: 1, values: () => [width] },
    },
  });
}

/** @param {object} options */
function withoutUndefined(options) {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

/**
 * Returns the kind of axis for a column: `number`, `time`, `category`, or null if it cannot be drawn.
 *
 * @param {import('../grid/arrow-values.js').ValueType} type
 * @returns {'number' | 'time' | 'category' | null}
 */
function scaleOf(type) {
  switch (type.typeId) {
    case Type.Int:
    case Type.Float:
    case Type.Decimal:
    case Type.Duration:
      return 'number';
    case Type.Date:
    case Type.Timestamp:
      return 'time';
    case Type.Bool:
    case Type.Utf8:
    case Type.LargeUtf8:
    case Type.Utf8View:
      return 'category';
    case Type.Dictionary:
      return scaleOf(type.dictionary) === 'category' ? 'category' : null;
    default:
      return null;
  }
}

/**
 * A value as the nearest number, times in seconds, or null if it is not a number.
 *
 * @param {any} value
 * @param {import('../grid/arrow-values.js').ValueType} type
 */
function numberOf(value, type) {
  if (value === null || value === undefined) {
    return null;
  }
  const number =
    type.typeId === Type.Decimal
      ? Number(decimal(BigInt(value), type.scale))
      : type.typeId === Type.Timestamp
        ? Number(value) / SECONDS[type.unit]
        : type.typeId === Type.Date
          ? Number(value) / 1000
          : Number(value);
  return Number.isFinite(number) ? number : null;
}
