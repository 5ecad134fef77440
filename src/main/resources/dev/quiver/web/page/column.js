// What is known of a column of the rows, and what can be done with it.

import { columnName } from './grid.js';
import { element, isolated } from './page.js';

export function content(view, position) {
  const field = view.fields[position];
  const sorted = view.sort?.position === position ? view.sort : null;
  const sort = (label, descending) =>
    element(
      'button',
      {
        type: 'button',
        'aria-pressed': String(sorted?.descending === descending),
        onclick: () => view.sortBy(sorted?.descending === descending ? null : position, descending),
      },
      label,
    );
  const hide = element(
    'button',
    { type: 'button', disabled: view.positions.length === 1, onclick: () => hideColumn(view, position) },
    'Hide',
  );
  return {
    title: [isolated(columnName(field))],
    nodes: [
      element('p', {}, element('small', {}, `${field.arrowType}${field.nullable ? '' : ', not null'}`)),
      element('div', { class: 'bar' }, sort('Sort ↑', false), sort('Sort ↓', true), hide),
    ],
  };
}

function hideColumn(view, position) {
  view.choose(view.positions.filter((other) => other !== position));
  view.closeDrawer();
}
