// The whole value of a cell, and the rows that have it, too.
// @ts-check

import { JSON_VALUE, full } from '../grid/arrow-values.js';
import { MOST_SHOWN_CHARACTERS, cellContent } from '../grid/cell-content.js';
import { button, element, grouped } from '../lib/elements.js';
import { linked } from '../lib/requests.js';
import { columnAt, equals, isNull, narrowed } from '../sql/conditions.js';

const MOST_URL_CHARACTERS = 4_000;
const COMPARED = /^(int|decimal|floatingpoint|bool|utf8|largeutf8|utf8view|uuid|date|time|timestamp)$/;

/**
 * @param {import('../dataset/rows-view.js').RowsView} view
 * @param {import('../grid/grid.js').OpenedCell} cell has its value and type if they are here
 * @returns {Promise<import('../lib/drawer.js').DrawerContent>}
 */
export async function content(view, { row, column, value, type = JSON_VALUE }) {
  const { windows, drawer } = view;
  const position = view.positions[column];
  const field = view.fields[position];
  const found = type === JSON_VALUE ? await windows.whole(row, column, drawer.signal) : { value, type };
  const isHere = found !== null || value !== undefined;
  const known = found ?? { value, type };
  const text = isHere ? full(known.value, known.type) : 'too long to show here';
  const isWhole = found !== null && text.length <= MOST_SHOWN_CHARACTERS;
  const url = linked(windows.url('.json', await windows.selected(row, 1, drawer.signal), [position], { numbers: 'string' }));
  return cellContent({
    field,
    row,
    text,
    size: isWhole ? `, ${grouped(text.length)} characters` : '',
    rest: isWhole ? null : element('p', {}, isHere ? 'This is its beginning. ' : '', element('a', { href: url, download: '' }, 'Save all of it')),
    isCopyable: isHere,
    actions: isWhole ? filters(view, position, known.value, text) : [],
  });
}

/**
 * Buttons that show only the rows with this value, or those without it.
 *
 * @param {import('../dataset/rows-view.js').RowsView} view
 * @param {number} position
 * @param {any} value
 * @param {string} text
 */
function filters(view, position, value, text) {
  const column = columnAt(view.fields, [position]);
  const condition = column && conditionOf(column, value, text);
  // A URL has to have it.
  if (!condition || encodeURIComponent(condition).length > MOST_URL_CHARACTERS) {
    return [];
  }
  const others = value === null ? `NOT (${condition})` : `(${condition}) IS NOT TRUE`;
  /**
   * @param {string} label
   * @param {string} chosen
   */
  const filter = (label, chosen) => button(label, () => view.filter(narrowed(view.windows.where, chosen)));
  return [filter('Only this value', condition), filter('Exclude this value', others)];
}

/**
 * @param {import('../sql/conditions.js').Column} column
 * @param {any} value
 * @param {string} text
 */
function conditionOf(column, value, text) {
  if (value === null || value === undefined) {
    return isNull(column);
  }
  const { name } = column.type;
  // A time of more than a day is told in its unit.
  if (!COMPARED.test(name) || (name === 'time' && !/^\d\d:/.test(text))) {
    return null;
  }
  return equals(column, name === 'floatingpoint' || name === 'bool' ? value : text);
}
