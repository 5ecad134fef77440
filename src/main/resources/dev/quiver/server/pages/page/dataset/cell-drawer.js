// The whole value of a cell, and the rows that have it, too.

import { JSON_VALUE, full } from '../grid/arrow-values.js';
import { columnName } from '../grid/grid.js';
import { copy, select } from '../lib/clipboard.js';
import { element, grouped, isolated, visible } from '../lib/elements.js';
import { linked } from '../lib/requests.js';
import { columnAt, equals, isNull, narrowed } from '../sql/conditions.js';

const MOST_CHARACTERS = 1_000_000;
const MOST_URL_CHARACTERS = 4_000;
const COMPARED = /^(int|decimal|floatingpoint|bool|utf8|largeutf8|utf8view|date|time|timestamp)$/;

/** @param cell has its value and type if they are here */
export async function content(view, { row, column, value, type = JSON_VALUE }) {
  const { windows, sideSignal } = view;
  const position = view.positions[column];
  const field = view.fields[position];
  const found = type === JSON_VALUE ? await windows.whole(row, column, sideSignal) : { value, type };
  const isHere = found !== null || value !== undefined;
  const known = found ?? { value, type };
  const text = isHere ? full(known.value, known.type) : 'too long to show here';
  const isWhole = found !== null && text.length <= MOST_CHARACTERS;
  const shown = element('pre', { tabindex: 0 }, visible(isWhole ? text : text.slice(0, MOST_CHARACTERS)));
  const url = linked(windows.url('.json', await windows.selected(row, 1, sideSignal), [position], { numbers: 'string' }));
  return {
    title: [isolated(columnName(field)), ` at row ${grouped(row)}`],
    nodes: [
      element('p', {}, element('small', {}, field.arrowType, isWhole ? `, ${grouped(text.length)} characters` : '')),
      shown,
      isWhole ? null : element('p', {}, isHere ? 'This is its beginning. ' : '', element('a', { href: url, download: '' }, 'Save all of it')),
      element(
        'div',
        { class: 'bar' },
        isHere ? element('button', { type: 'button', onclick: () => copy(text, () => select(shown)) }, 'Copy') : null,
        ...(isWhole ? filters(view, position, found.value, text) : []),
      ),
    ],
  };
}

/** Buttons that show only the rows with this value, or those without it. */
function filters(view, position, value, text) {
  const column = columnAt(view.fields, [position]);
  const condition = column && conditionOf(column, value, text);
  // A URL has to have it.
  if (!condition || encodeURIComponent(condition).length > MOST_URL_CHARACTERS) {
    return [];
  }
  const others = value === null ? `NOT (${condition})` : `(${condition}) IS NOT TRUE`;
  const filter = (label, chosen) => element('button', { type: 'button', onclick: () => view.filter(narrowed(view.windows.where, chosen)) }, label);
  return [filter('Only this value', condition), filter('Exclude this value', others)];
}

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
