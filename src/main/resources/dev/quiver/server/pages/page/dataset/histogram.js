// A histogram as a picture whose bars are links, one of which is reached by Tab and the others by the arrow keys.
// @ts-check

import { counted, element, grouped } from '../lib/elements.js';

/**
 * A bin: its bounds as text, its count, and the URL of its rows, null if no link can select them.
 *
 * @typedef {{ from: string, to: string, count: number, href: string | null }} Bin
 */

const BAR_WIDTH = 12;
const GAP = 2;
const HEIGHT = 60;
const LEAST_HEIGHT = 1.5;
const BOX_HEIGHT = 9;

/**
 * An element of a picture.
 *
 * @param {string} name
 * @param {Record<string, string | number | null>} attributes
 * @param {...(Node | string)} children
 */
export function drawn(name, attributes, ...children) {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== null) {
      made.setAttribute(key, String(value));
    }
  }
  made.append(...children);
  return made;
}

/**
 * A histogram, which tells about the bar that is under the pointer or has the focus.
 *
 * @param {string} label the name of what is counted
 * @param {Bin[]} bins each with its `from` and `to` as text, its `count`, and `href`, null if no link can select its rows
 * @param {number[] | null} quartiles where the quartiles are, as parts of the width, or null if unknown
 */
export function histogram(label, bins, quartiles) {
  const most = Math.max(...bins.map(({ count }) => count), 1);
  const told = element('output', { class: 'told' });
  const bars = bins.map((bin, i) => bar(bin, i, most, told));
  const picture = drawn(
    'svg',
    {
      viewBox: `0 0 ${bins.length * BAR_WIDTH} ${HEIGHT + (quartiles ? BOX_HEIGHT : 0)}`,
      preserveAspectRatio: 'none',
      role: 'group',
      'aria-label': sentence(label, bins),
    },
    ...bars,
    drawn('line', { class: 'base', x2: bins.length * BAR_WIDTH, y1: HEIGHT, y2: HEIGHT }),
    ...(quartiles ? box(quartiles, bins.length * BAR_WIDTH) : []),
  );
  makeRoving(picture, bars.filter((each) => each.tagName === 'a'));
  picture.addEventListener('pointerleave', () => (told.textContent = ''));
  return element(
    'figure',
    { class: 'histogram' },
    picture,
    element('figcaption', {}, element('span', {}, bins[0].from), told, element('span', {}, bins[bins.length - 1].to)),
  );
}

/**
 * @param {Bin} bin
 * @param {number} i
 * @param {number} most
 * @param {HTMLElement} told
 */
function bar({ from, to, count, href }, i, most, told) {
  const height = count === 0 ? 0 : Math.max(LEAST_HEIGHT, (count / most) * HEIGHT);
  const text = from === to ? `${from}: ${counted(count, 'row')}` : `${from} to ${to}: ${counted(count, 'row')}`;
  const x = i * BAR_WIDTH;
  const isLink = href !== null && count > 0;
  const part = drawn(
    isLink ? 'a' : 'g',
    isLink ? { href, tabindex: -1, 'aria-label': text } : { role: 'img', 'aria-label': text },
    // The whole height can be pointed at, however low the bar is.
    drawn('rect', { class: 'area', x, y: 0, width: BAR_WIDTH, height: HEIGHT }),
    drawn('rect', { class: 'bar', x: x + GAP / 2, y: HEIGHT - height, width: BAR_WIDTH - GAP, height }),
  );
  const tell = () => (told.textContent = text);
  part.addEventListener('pointerenter', tell);
  part.addEventListener('focus', tell);
  return part;
}

/**
 * A band from the first quartile to the third with a mark at the median, below the bars. The facts beside the picture have the
 * numbers.
 *
 * @param {number[]} quartiles
 * @param {number} width
 */
function box(quartiles, width) {
  const [first, median, third] = quartiles.map((part) => part * width);
  const y = HEIGHT + 3;
  return [
    drawn('rect', { class: 'half', x: first, y, width: Math.max(1, third - first), height: BOX_HEIGHT - 4, 'aria-hidden': 'true' }),
    drawn('rect', { class: 'median', x: Math.min(Math.max(0, median - 1), width - 2), y: y - 1, width: 2, height: BOX_HEIGHT - 2, 'aria-hidden': 'true' }),
  ];
}

/**
 * @param {string} label
 * @param {Bin[]} bins
 */
function sentence(label, bins) {
  const highest = bins.reduce((found, bin) => (bin.count > found.count ? bin : found));
  const range = `from ${bins[0].from} to ${bins[bins.length - 1].to}`;
  return `Histogram of ${label}: ${bins.length} bins ${range}, most rows (${grouped(highest.count)}) from ${highest.from} to ${highest.to}`;
}

/**
 * Lets the arrow keys move the focus among elements, of which Tab reaches one.
 *
 * @param {SVGElement} host
 * @param {SVGElement[]} items
 * @param {Record<string, number>} [keys]
 */
function makeRoving(host, items, keys = { ArrowLeft: -1, ArrowRight: 1 }) {
  items[0]?.setAttribute('tabindex', '0');
  /** @type {Record<string, number>} */
  const steps = { ...keys, Home: -items.length, End: items.length };
  host.addEventListener('keydown', (event) => {
    const present = items.findIndex((item) => item === document.activeElement);
    const next = steps[event.key];
    if (present < 0 || next === undefined) {
      return;
    }
    event.preventDefault();
    const target = Math.min(Math.max(0, present + next), items.length - 1);
    items[present].setAttribute('tabindex', '-1');
    items[target].setAttribute('tabindex', '0');
    items[target].focus();
  });
}
