// A drawer with the facts of a column of the rows, and the actions for it.
// @ts-check

import { sortBy } from '../dataset/sorting.js';
import { described } from '../dataset/statistics.js';
import { columnName } from '../grid/grid.js';
import { plainType } from '../grid/plain-types.js';
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
  const hide = element(
    'button',
    { type: 'button', disabled: view.positions.length === 1, onclick: () => hideColumn(view, position) },
    'Hide',
  );
  const sorting = view.canSort ? sortButtons(view.sorts, position, (descending, adds) => sortBy(view, position, descending, adds)) : [];
  /** @param {string} condition */
  const link = (condition) => fragment('rows', { ...Object.fromEntries(readState().values), row: null, where: narrowed(view.windows.where, condition) });
  return columnContent(field, [...sorting, hide], card(view, position, link));
}

/**
 * @param {import('../grid/grid.js').Field} field
 * @param {HTMLElement[]} actions
 * @param {HTMLElement} facts
 * @returns {import('../lib/drawer.js').DrawerContent}
 */
export function columnContent(field, actions, facts) {
  return {
    title: [isolated(columnName(field))],
    nodes: [
      element('p', {}, `${plainType(field.arrowType)} `, element('small', {}, `${field.arrowType}${field.nullable ? '' : ', not null'}`)),
      element('div', { class: 'bar' }, ...actions),
      facts,
    ],
  };
}

/**
 * Buttons that sort by a column, or no more by it.
 *
 * @param {import('../grid/sorts.js').Sort[]} sorts those of the rows
 * @param {number} position
 * @param {(descending: boolean | null, adds: boolean) => unknown} chosen
 */
export function sortButtons(sorts, position, chosen) {
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
      { type: 'button', 'aria-pressed': String(isPressed), onclick: () => chosen(isPressed ? null : descending, adds) },
      label,
    );
  };
  return [
    sort('Sort ascending', false, false),
    sort('Sort descending', true, false),
    ...(isAmongOthers ? [sort('Then ascending', false, true), sort('Then descending', true, true)] : []),
  ];
}

/**
 * The statistics of a column of the rows that are shown.
 *
 * @param {import('../dataset/header-pictures.js').Pictured} view
 * @param {number} position
 * @param {(condition: string) => string} link makes the URL of the rows that match a condition
 */
export function card(view, position, link) {
  const made = element('div', { class: 'card', 'aria-busy': 'true' }, element('div', { class: 'waiting' }));
  fill(made, view, position, link);
  return made;
}

/**
 * @param {HTMLElement} made
 * @param {import('../dataset/header-pictures.js').Pictured} view
 * @param {number} position
 * @param {(condition: string) => string} link
 */
async function fill(made, view, position, link) {
  const { signal } = view;
  try {
    const [statistics] = await Promise.all([view.statistics(), stylesheet('dataset/views.css')]);
    const entries = statistics.entries.filter(({ path }) => path[0] === position);
    if (!statistics.of(entries[0])) {
      await statistics.fetch([position], signal);
    }
    made.replaceChildren(
      ...entries.flatMap((entry) => [
        ...(entry.path.length > 1 ? [element('h3', {}, isolated(entry.names.slice(1).join(' › ')))] : []),
        ...described(statistics, entry, link),
      ]),
    );
  } catch (error) {
    if (signal.aborted) {
      // Other rows have been chosen, whose statistics take this place.
      return;
    }
    made.replaceChildren(failure(error, () => fill(made, view, position, link)));
  }
  made.removeAttribute('aria-busy');
}

/**
 * @param {import('../dataset/rows-view.js').RowsView} view
 * @param {number} position
 */
function hideColumn(view, position) {
  view.choose(view.positions.filter((other) => other !== position));
  view.drawer.close();
}
