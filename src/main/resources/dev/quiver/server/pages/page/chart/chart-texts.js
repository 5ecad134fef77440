// The texts of a chart: numbers and times of its axes and values, and how wide they are.
// @ts-check

/** @typedef {import('./chart-question.js').Step} Step */

const SIGNIFICANT_DIGITS = 12;
const COMPACT = 1e6;
const SCIENTIFIC = 1e15;
const SMALL = 1e-4;
const MOST_YEAR = 10_000;

/**
 * A number as text.
 *
 * @param {number} number
 * @param {boolean} [isYear] whether thousands are not separated
 */
export function numberText(number, isYear = false) {
  const size = Math.abs(number);
  if (size !== 0 && (size >= SCIENTIFIC || size < SMALL)) {
    return number.toExponential().replace(/(\.\d{6})\d+/, '$1');
  }
  return number.toLocaleString('en-US', { maximumSignificantDigits: SIGNIFICANT_DIGITS, useGrouping: !isYear });
}

/**
 * The number of a colour as text.
 *
 * @param {number} shade
 */
export const shadeText = (shade) => (Number.isFinite(shade) ? numberText(shade) : 'null');

/**
 * The texts of the ticks of an axis, which all differ.
 *
 * @param {number[]} ticks
 * @param {boolean} [isWhole] whether the numbers may be years
 * @returns {string[]}
 */
export function tickTexts(ticks, isWhole = false) {
  const greatest = Math.max(...ticks.map(Math.abs));
  const isYear = isWhole && greatest < MOST_YEAR;
  const compact = ticks.map((tick) => tick.toLocaleString('en-US', { notation: 'compact', maximumFractionDigits: 2 }));
  return greatest >= COMPACT && greatest < SCIENTIFIC && new Set(compact).size === ticks.length
    ? compact
    : ticks.map((tick) => numberText(tick, isYear));
}

/**
 * A time as text, no finer than its unit.
 *
 * @param {number} milliseconds
 * @param {{ isDate: boolean, isZoned: boolean }} column
 * @param {Step} step
 */
export function timeText(milliseconds, { isDate, isZoned }, { unit }) {
  const time = new Date(milliseconds);
  if (Number.isNaN(time.getTime())) {
    return numberText(milliseconds);
  }
  const text = time.toISOString();
  const end = text.indexOf('T');
  const zone = isZoned ? 'Z' : '';
  switch (unit) {
    case 'millennium':
    case 'century':
    case 'decade':
    case 'year':
      return text.slice(0, end - 6) + (unit === 'year' ? '' : ` (${unit})`);
    case 'quarter':
      return `${text.slice(0, end - 6)} Q${Math.floor(time.getUTCMonth() / 3) + 1}`;
    case 'month':
      return text.slice(0, end - 3);
    case 'week':
      return `week of ${text.slice(0, end)}`;
    case 'day':
      return text.slice(0, end);
    case 'hour':
    case 'minute':
      return `${text.slice(0, end)} ${text.slice(end + 1, end + 6)}${zone}`;
    default:
      return isDate ? text.slice(0, end) : `${text.slice(0, end)} ${text.slice(end + 1, -1).replace('.000', '')}${zone}`;
  }
}

const FAMILY = 'system-ui, sans-serif';
const context = /** @type {CanvasRenderingContext2D} */ (document.createElement('canvas').getContext('2d'));

/**
 * The width of a text in pixels.
 *
 * @param {string} text
 * @param {number} [size] of its font in pixels
 * @param {string} [weight]
 */
export function widthOf(text, size = 12, weight = 'normal') {
  context.font = `${weight} ${size}px ${FAMILY}`;
  return context.measureText(text).width;
}

/**
 * Texts that fit a width. If their beginnings are equal, they have their ends as well, or begin where they differ.
 *
 * @param {string[]} texts
 * @param {number} width
 */
export function fittedApart(texts, width) {
  const [first = '', ...others] = texts;
  const differ = [...first].findIndex((_, i) => others.some((text) => !text.startsWith(first.slice(0, i + 1))));
  // A word is not cut.
  const common = first.lastIndexOf(' ', differ - 1) + 1;
  const ways = [
    texts.map((text) => fitted(text, width)),
    texts.map((text) => fitted(text, width, undefined, undefined, true)),
    texts.map((text) => fitted(`…${text.slice(common)}`, width)),
  ];
  return ways.reduce((best, way) => (new Set(way).size > new Set(best).size ? way : best));
}

/**
 * The beginning of a text that fits a width, with its end if it is cut in the middle.
 *
 * @param {string} text
 * @param {number} width
 * @param {number} [size]
 * @param {string} [weight]
 * @param {boolean} [hasEnd]
 */
export function fitted(text, width, size, weight, hasEnd = false) {
  if (widthOf(text, size, weight) <= width) {
    return text;
  }
  const characters = [...(text.length <= 1000 ? text : hasEnd ? text.slice(0, 500) + text.slice(-500) : text.slice(0, 1000))];
  /** @param {number} count */
  const cut = (count) => {
    const end = hasEnd ? count >> 1 : 0;
    return `${characters.slice(0, count - end).join('').trimEnd()}…${characters.slice(characters.length - end).join('').trimStart()}`;
  };
  let low = 0;
  let high = characters.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (widthOf(cut(middle), size, weight) <= width) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return cut(low);
}

/**
 * The lines of a text that fit a width, at most so many, of which the last one is cut.
 *
 * @param {string} text
 * @param {number} width
 * @param {number} most
 * @param {number} size
 * @param {string} weight
 */
export function lines(text, width, most, size, weight) {
  const words = text.split(' ');
  /** @type {string[]} */
  const found = [];
  while (words.length > 0 && found.length < most) {
    let line = /** @type {string} */ (words.shift());
    while (words.length > 0 && widthOf(`${line} ${words[0]}`, size, weight) <= width) {
      line += ` ${words.shift()}`;
    }
    found.push(fitted(found.length + 1 === most && words.length > 0 ? `${line} ${words.join(' ')}` : line, width, size, weight));
  }
  return found;
}
