// The icons of the pages: strokes in the colour of the text beside them.
// @ts-check

import { element } from './elements.js';

const SVG = 'http://www.w3.org/2000/svg';

/** The strokes of each icon, in a square of 16 units. */
const STROKES = {
  area: 'M2 13V9l4-4 3 3 5-5v10z',
  bars: 'M3 13V8M8 13V3M13 13V6',
  check: 'M3 8.5 6.5 12 13 4.5',
  close: 'M4 4l8 8M12 4l-8 8',
  columns: 'M2 3h12v10H2zM6 3v10M10 3v10',
  copy: 'M5.5 5.5v-3h8v8h-3M2.5 5.5h8v8h-8z',
  dark: 'M13.5 9.5a6 6 0 1 1-7-7 5 5 0 0 0 7 7z',
  dataset: 'M2 3h12v10H2zM2 6.5h12M6 6.5V13',
  download: 'M8 2v8M4.5 7 8 10.5 11.5 7M2.5 13.5h11',
  file: 'M4 1.5h5L12.5 5v9.5H4zM9 1.5V5h3.5',
  filter: 'M2 4h12M4.5 8h7M7 12h2',
  histogram: 'M2 13v-3h3V5h3v2h3v3h3v3z',
  history: 'M8 5v3.5l2.5 1.5M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12z',
  light: 'M8 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM8 1v1M8 14v1M1 8h1M14 8h1M3 3l1 1M12 12l1 1M3 13l1-1M12 4l1-1',
  line: 'M2 12l4-5 3 3 5-7',
  map: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM2 8h12M8 2q-5 6 0 12q5-6 0-12',
  more: 'M3 8h.01M8 8h.01M13 8h.01',
  play: 'M5 3l8 5-8 5z',
  plus: 'M8 3v10M3 8h10',
  points: 'M4 11h.01M6 6h.01M10 9h.01M12 4h.01M9 12.5h.01',
  search: 'M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM10.5 10.5 14 14',
  share: 'M7 9a3 3 0 0 0 4.2 0l2-2A3 3 0 0 0 9 2.8l-1 1M9 7a3 3 0 0 0-4.2 0l-2 2A3 3 0 0 0 7 13.2l1-1',
  sort: 'M5 13V3M2.5 5.5 5 3l2.5 2.5M11 3v10M8.5 10.5 11 13l2.5-2.5',
  terminal: 'M3 4l4 4-4 4M8.5 12.5H13',
  upload: 'M8 10.5V2.5M4.5 6 8 2.5 11.5 6M2.5 13.5h11',
};

/** @typedef {keyof typeof STROKES} IconName */

/**
 * Makes an icon, which says nothing to a screen reader: a label stands beside it, or is that of its button.
 *
 * @param {IconName} name
 */
export function icon(name) {
  const made = document.createElementNS(SVG, 'svg');
  made.setAttribute('class', 'icon');
  made.setAttribute('viewBox', '0 0 16 16');
  made.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS(SVG, 'path');
  path.setAttribute('d', STROKES[name]);
  made.append(path);
  return made;
}

/**
 * An icon and the label beside it.
 *
 * @param {IconName} name
 * @param {string} label
 */
export const labelled = (name, label) => [icon(name), element('span', { class: 'label' }, label)];
