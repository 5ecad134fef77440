// A drawer with the facts of a column of the rows, and the actions for it.
// @ts-check

import { sortBy } from '../dataset/sorting.js';
import { described } from '../dataset/statistics.js';
import { columnName, plainType } from '../grid/grid.js';
import { element, isolated } from '../lib/elements.js';
import { failure } from '../lib/failure.js';
import { stylesheet } from '../lib/modules.js';
import { fragment, readState } from '../lib/url-state.js';
import { narrowed } from '../sql/conditions.js';

/**
 * @param {import('../dataset/rows-view.js').RowsView} view
 * @param {number} position
 * @returns {import('../lib/drawer.js').DrawerContent}
 */
export function content(view, position) {
  const field = view.fields[position];
  const { sorts } = view;
  const sorted = sorts.find((sort) => sort.position === position);
  const isAmongOthers = sorts.length > (sorted ? 1 : 0);
  /**
   * @param {string} label
   * @param {boolean} descending
   * @param {boolean} adds whether the column counts where the others that rows are sorted by are equal
   */
  const sort = (label, descending, adds) => {
    const isPressed = sorted?.descending === descending && adds === isAmongOthers;
    return element(
      'button',
      { type: 'button', 'aria-pressed': String(isPressed), onclick: () => sortBy(view, position, isPressed ? null : descending, adds) },
      label,
    );
  };
  const hide = element(
    'button',
    { type: 'button', disabled: view.positions.length === 1, onclick: () => hideColumn(view, position) },
    'Hide',
  );
  const card = element('div', { class: 'card', 'aria-busy': 'true' }, element('div', { class: 'waiting' }));
  fill(card, view, position);
  return {
    title: [isolated(columnName(field))],
    nodes: [
      element('p', {}, `${plainType(field.arrowType)} `, element('small', {}, `${field.arrowType}${field.nullable ? '' : ', not null'}`)),
      element(
        'div',
        { class: 'bar' },
        ...(view.canSort ? [sort('Sort ascending', false, false), sort('Sort descending', true, false)] : []),
        ...(view.canSort && isAmongOthers ? [sort('Then ascending', false, true), sort('Then descending', true, true)] : []),
        hide,
      ),
      card,
    ],
  };
}

/**
 * Shows the statistics of the rows that are shown, whose bars and values narrow them.
 *
 * @param {HTMLElement} card
 * @param {import('../dataset/rows-view.js').RowsView} view
 * @param {number} position
 */
async function fill(card, view, position) {
  const { signal } = view;
  try {
    const [statistics] = await Promise.all([view.statistics(), stylesheet('dataset/views.css')]);
    const entries = statistics.entries.filter(({ path }) => path[0] === position);
    if (!statistics.of(entries[0])) {
      await statistics.fetch([position], signal);
    }
    /** @param {string} condition */
    const link = (condition) => fragment('rows', { ...Object.fromEntries(readState().values), row: null, where: narrowed(view.windows.where, condition) });
    card.replaceChildren(
      ...entries.flatMap((entry) => {
        const known = statistics.of(entry);
        return [
          ...(entry.path.length > 1 ? [element('h3', {}, isolated(entry.names.slice(1).join(' › ')))] : []),
          ...(known ? described(view.fields, entry, known, view.windows.rows, link) : []),
        ];
      }),
    );
  } catch (error) {
    if (signal.aborted) {
      // Other rows have been chosen, whose statistics take this place.
      return;
    }
    card.replaceChildren(failure(error, () => fill(card, view, position)));
  }
  card.removeAttribute('aria-busy');
}

/**
 * @param {import('../dataset/rows-view.js').RowsView} view
 * @param {number} position
 */
function hideColumn(view, position) {
  view.choose(view.positions.filter((other) => other !== position));
  view.drawer.close();
}
