// One row as a record: each of its fields below the other, and the rows before and after it.
// @ts-check

import { JSON_VALUE, cell, sharpened } from '../grid/arrow-values.js';
import { columnName, columnTitle } from '../grid/grid.js';
import { plainType } from '../grid/plain-types.js';
import { button, counted, element, grouped, isolated } from '../lib/elements.js';
import { stylesheet } from '../lib/modules.js';

const MOST_FIELDS = 500;
/** The precision of times in columns that were not in sight. */
const UNSEEN = { hasTime: true, hasSeconds: true, digits: 0 };

/**
 * @param {import('../dataset/rows-view.js').RowsView} view
 * @param {number} row
 * @returns {Promise<import('../lib/drawer.js').DrawerContent>}
 */
export async function content(view, row) {
  const { windows, drawer } = view;
  const shown = view.positions.slice(0, MOST_FIELDS);
  const [values] = await Promise.all([windows.record(row, shown.length, drawer.signal), stylesheet('drawers/record.css')]);
  /** @param {number} other */
  const go = (other) => view.grid?.go(other, view.grid.active.column);
  /**
   * A button that keeps the focus at the first and the last row, too.
   *
   * @param {string} label
   * @param {number} other
   */
  const turn = (label, other) => {
    const isThere = other >= 0 && other < windows.rows;
    return button(label, () => isThere && go(other), { 'aria-disabled': String(!isThere) });
  };
  const more = view.positions.length - shown.length;
  return {
    title: [`Row ${grouped(row)}`],
    nodes: [
      element('div', { class: 'bar' }, turn('Previous', row - 1), turn('Next', row + 1), element('span', { class: 'count' }, `of ${counted(windows.rows, 'row')}`)),
      element('dl', { class: 'record' }, ...shown.flatMap((position, column) => field(view, position, values[column], { row, column }))),
      more > 0 ? element('p', { class: 'count' }, `${counted(more, 'more column')}: choose columns to see them here.`) : null,
    ],
  };
}

/**
 * A field as a term and a description, which opens the whole value.
 *
 * @param {import('../dataset/rows-view.js').RowsView} view
 * @param {number} position
 * @param {import('../grid/arrow-values.js').Vector} values
 * @param {import('../grid/grid.js').Cell} place
 */
function field(view, position, values, place) {
  const column = view.fields[position];
  const told = toldValue(values, view.grid?.precision(place.column));
  const value = button('', () => open(view, place, values), { class: `value ${told.kind}`, title: 'Show the whole value', dir: 'auto' });
  value.textContent = told.text;
  return [element('dt', { title: columnTitle(column) }, isolated(columnName(column)), ' ', element('small', {}, plainType(column.arrowType))), element('dd', {}, value)];
}

/**
 * @param {import('../grid/arrow-values.js').Vector} values
 * @param {import('../grid/arrow-values.js').Precision} [precision]
 */
function toldValue(values, precision) {
  try {
    const value = values.at(0);
    return cell(value, values.type, sharpened(precision ?? UNSEEN, value, values.type));
  } catch {
    return { text: 'cannot be shown', kind: 'failed' };
  }
}

/**
 * @param {import('../dataset/rows-view.js').RowsView} view
 * @param {import('../grid/grid.js').Cell} place
 * @param {import('../grid/arrow-values.js').Vector} values
 */
function open(view, place, values) {
  view.grid?.go(place.row, place.column);
  view.drawer.openCell(values.type === JSON_VALUE ? place : { ...place, value: values.at(0), type: values.type });
}
