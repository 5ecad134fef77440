// Which columns of the rows are shown.
// @ts-check

import { columnName, columnTitle } from '../grid/grid.js';
import { plainType } from '../grid/plain-types.js';
import { element, grouped, isolated } from '../lib/elements.js';

const MOST_LISTED = 300;

/**
 * @param {import('../dataset/rows-view.js').RowsView} view
 * @returns {import('../lib/drawer.js').DrawerContent}
 */
export function content(view) {
  const chosen = new Set(view.positions);
  const search = element('input', { type: 'search', 'aria-label': 'Search columns', placeholder: 'Search columns', spellcheck: 'false' });
  const list = element('div', { class: 'choices', role: 'group', 'aria-label': 'Columns' });
  const note = element('p', { class: 'count', role: 'status' });
  const found = () => {
    const text = search.value.trim().toLowerCase();
    return view.fields.map((field, position) => ({ field, position })).filter(({ field }) => field.name.toLowerCase().includes(text));
  };
  const update = () => {
    const matches = found();
    list.replaceChildren(...matches.slice(0, MOST_LISTED).map((each) => choice(each, chosen, tellCount)));
    tellCount();
  };
  const tellCount = () => {
    const more = found().length - MOST_LISTED;
    note.textContent = `${grouped(chosen.size)} of ${grouped(view.fields.length)}${more > 0 ? `; ${grouped(more)} more are found` : ''}`;
    show.disabled = chosen.size === 0;
  };
  /** @param {boolean} isChosen */
  const mark = (isChosen) => {
    found().forEach(({ position }) => (isChosen ? chosen.add(position) : chosen.delete(position)));
    update();
  };
  const show = element('button', { class: 'primary' }, 'Show these');
  const form = element(
    'form',
    {
      onsubmit: (event) => {
        event.preventDefault();
        view.choose([...chosen].sort((a, b) => a - b));
        view.drawer.close();
      },
    },
    element(
      'div',
      { class: 'bar' },
      search,
      element('button', { type: 'button', onclick: () => mark(true) }, 'All'),
      element('button', { type: 'button', onclick: () => mark(false) }, 'None'),
      show,
    ),
    note,
    list,
  );
  search.addEventListener('input', update);
  update();
  return { title: ['Columns'], nodes: [form] };
}

/**
 * @param {{ field: import('../sql/conditions.js').SchemaField, position: number }} found
 * @param {Set<number>} chosen
 * @param {() => void} changed
 */
function choice({ field, position }, chosen, changed) {
  const box = element('input', {
    type: 'checkbox',
    checked: chosen.has(position),
    onchange: () => {
      if (box.checked) {
        chosen.add(position);
      } else {
        chosen.delete(position);
      }
      changed();
    },
  });
  return element('label', { title: columnTitle(field) }, box, ' ', isolated(columnName(field)), ' ', element('small', {}, plainType(field.arrowType)));
}
