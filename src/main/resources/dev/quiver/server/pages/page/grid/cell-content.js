// The whole value of a cell, as a drawer shows it.
// @ts-check

import { copy, select } from '../lib/clipboard.js';
import { button, element, grouped, isolated, visible } from '../lib/elements.js';
import { labelled } from '../lib/icons.js';
import { columnName } from './grid.js';
import { plainType } from './plain-types.js';

/** The most characters of a value that are shown. A browser needs long to show more. */
export const MOST_SHOWN_CHARACTERS = 1_000_000;

/**
 * The content of a drawer with the value of a cell.
 *
 * @param {object} cell
 * @param {import('./grid.js').Field} cell.field
 * @param {number} cell.row
 * @param {string} cell.text of which the beginning is shown if it is too long
 * @param {string} [cell.size] what follows the type
 * @param {import('../lib/elements.js').Child} [cell.rest] what is told below a value of which a part is shown
 * @param {boolean} [cell.isCopyable] whether the text is the value or its beginning
 * @param {Node[]} [cell.actions] what else can be done with the value
 * @returns {import('../lib/drawer.js').DrawerContent}
 */
export function cellContent({ field, row, text, size = '', rest, isCopyable = true, actions = [] }) {
  const shown = element('pre', { tabindex: 0 }, visible(text.slice(0, MOST_SHOWN_CHARACTERS)));
  const copying = isCopyable ? button(labelled('copy', 'Copy'), () => copy(text, () => select(shown))) : null;
  return {
    title: [isolated(columnName(field)), ` at row ${grouped(row)}`],
    nodes: [element('p', {}, element('small', { title: field.arrowType }, plainType(field.arrowType), size)), shown, rest, element('div', { class: 'bar' }, copying, ...actions)],
  };
}
