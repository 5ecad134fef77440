// The keys of the rows.
// @ts-check

import { element } from '../lib/elements.js';
import { keys as shown } from '../lib/keys.js';

const KEYS = [
  ['← ↑ → ↓', 'go to another cell'],
  ['Ctrl + arrow, Home, End', 'to the end of the row or of the column'],
  ['Page Up, Page Down', 'by a screen'],
  ['Shift + any of these', 'select cells'],
  ['Ctrl + C', 'copy the selected cells, to be pasted into a spreadsheet'],
  ['Enter, a double click, or a tap on the chosen cell', 'show the whole value'],
  ['g', 'go to a row by its number'],
  ['/', 'search, or write a filter'],
  ['s', 'sort by the column: ascending, descending, not at all'],
  ['Shift + s', 'the same beside the columns by which the rows are sorted'],
  ['r, or a click on the number of a row', 'show all fields of the row'],
  ['c', 'show the statistics of the column'],
  ['h', 'choose columns'],
  ['y', 'copy as CSV, TSV, JSON or Markdown'],
  ['+, -', 'widen or narrow the column'],
  ['Escape', 'close what is at the side'],
];

export function content() {
  const rows = KEYS.map(([keys, text]) => element('tr', {}, element('th', { scope: 'row' }, shown(keys)), element('td', {}, text)));
  return { title: ['Keys'], nodes: [element('table', { class: 'keys' }, element('tbody', {}, ...rows))] };
}
