// The page of a dataset: its views, of which the rows are here, and whether there is a newer version.

import '../lib/colours.js';
import { Grid, columnName, columnTitle } from '../grid/grid.js';
import { RowWindows } from '../grid/row-windows.js';
import { counted, element, grouped, isolated, tell, visible } from '../lib/elements.js';
import { failure } from '../lib/failure.js';
import { load } from '../lib/modules.js';
import { MOST_URL_CHARACTERS, authorization, countRows, datasetPath, json, link, linked } from '../lib/requests.js';
import { fragment, goTo, readState, replaceState, whenStateChanged } from '../lib/url-state.js';

// Beyond it, the statistics in the headers are calculated only when those of a column are opened.
const MOST_SUMMARIZED_CELLS = 200_000_000;
// Sorting needs SQL, which not every service has, nor every link permits.
const isLinkAlone = () => link !== null && !authorization().Authorization;
const hasSql = document.querySelector('.site a[href="/sql"]') !== null;
const canSort = () => hasSql && !isLinkAlone();
const STATE_MILLISECONDS = 400;
const FOLLOW_MILLISECONDS = 150;
const RETRY_MILLISECONDS = 10_000;
// Where the side does not stand beside the rows but over them, as in page.css.
const NARROW = matchMedia('(max-width: 70rem)');

/** The rows of a version: all of them or those that match a condition, in their order or sorted, of some columns or all. */
class RowsView {
  #grid = null;
  #windows = null;
  #wanted = null;
  #summaries = null;
  #selecting = new AbortController();
  #opener = null;
  /** The module of what is at the side, and its parameters. */
  #opened = null;
  /** The module of what is being opened, or null. */
  #opening = null;
  /** Ends what the side does. */
  #closed = () => null;

  constructor(host, { name, version, path, rows, pinned }) {
    this.host = host;
    this.path = path;
    this.table = `${name}@${version}`;
    this.name = name;
    this.rows = rows;
    this.count = element('output', { class: 'count' });
    const label = `version ${grouped(version)}`;
    this.pin = pinned
      ? element('span', { class: 'pin' }, label)
      : element('a', { class: 'pin', title: 'What is shown now, of this version for good: the latest one may change' }, label);
    this.row = element('input', { type: 'text', inputmode: 'numeric', size: 10, 'aria-label': 'Go to row', placeholder: 'row' });
    this.where = element('input', {
      type: 'text',
      class: 'where',
      'aria-label': 'Condition',
      placeholder: 'condition, such as minutes > 100',
      spellcheck: 'false',
    });
    this.drawer = element('aside', { class: 'drawer', tabindex: -1, hidden: true });
    this.stage = element('div', { class: 'stage' });
    host.replaceChildren(
      element(
        'div',
        { class: 'bar' },
        element('form', { onsubmit: (event) => this.#submit(event, () => this.filter(this.where.value)) }, this.where),
        element('form', { onsubmit: (event) => this.#submit(event, () => this.#goTo()) }, this.row),
        element('button', { type: 'button', onclick: () => this.#open('dataset/column-chooser.js') }, 'Columns'),
        element('button', { type: 'button', onclick: () => this.#copy() }, 'Copy as…'),
        element('button', { type: 'button', 'aria-label': 'Keys', title: 'Keys', onclick: () => this.#open('dataset/keys-drawer.js') }, '?'),
        element('span', { class: 'told' }, this.count, ' ', this.pin),
      ),
      this.stage,
      this.drawer,
    );
    document.addEventListener('keydown', (event) => this.stage.isConnected && this.#pressed(event));
  }

  /** Shows what the values of the URL say. */
  async show(values) {
    this.schema ??= await json(`${this.path}/schema`);
    const wanted = {
      where: values.get('where') ?? '',
      sort: values.get('sort') ?? '',
      columns: values.get('columns') ?? '',
    };
    this.#linkPin();
    if (JSON.stringify(wanted) !== this.#wanted) {
      if (this.#wanted !== null && NARROW.matches && !this.drawer.hidden) {
        // It would cover what has changed, unless the history leads to another one.
        if (values.get('side') === this.#side) {
          this.closeDrawer();
        } else {
          this.#hideDrawer();
        }
      }
      this.#wanted = JSON.stringify(wanted);
      this.where.value = wanted.where;
      this.#selecting.abort();
      this.#selecting = new AbortController();
      const { signal } = this.#selecting;
      try {
        await this.#select(wanted, signal);
        this.#refreshDrawer();
      } catch (error) {
        if (signal.aborted) {
          return;
        }
        this.#wanted = null;
        this.#grid = null;
        this.#hideDrawer();
        this.stage.removeAttribute('aria-busy');
        this.count.textContent = '';
        this.stage.replaceChildren(failure(error, () => this.show(readState().values)));
        return;
      }
    }
    if (!this.#grid) {
      return;
    }
    const row = Number(values.get('row')) || 0;
    const column = Math.max(0, this.positions.indexOf(Number(values.get('column')) || 0));
    if (row > 0 || column > 0 || values.get('side') === 'value') {
      this.#grid.go(row, column);
    }
    this.#followSide();
  }

  get fields() {
    return this.schema.fields;
  }

  /** Ends what other rows or columns make useless. */
  get signal() {
    return this.#selecting.signal;
  }

  get windows() {
    return this.#windows;
  }

  /** The statistics of the rows that are shown, once a module that needs them was loaded. */
  async statistics() {
    const { Statistics } = await load('dataset/statistics.js');
    const { where } = this.#windows;
    if (this.known?.where !== where) {
      this.known = new Statistics(this.path, this.fields, where);
    }
    return this.known;
  }

  /** Positions of the columns that are shown, in their order. */
  get positions() {
    return this.#windows.positions;
  }

  get canSort() {
    return canSort();
  }

  /** `{ position, descending }`, or null. */
  get sort() {
    return this.#windows.sort;
  }

  async #select(wanted, signal) {
    const { where } = wanted;
    this.#windows?.close();
    this.stage.setAttribute('aria-busy', 'true');
    const rows = where === '' ? this.rows : await countRows(this.path, { where }, signal);
    // Another selection may have begun meanwhile, whose rows are those to show.
    signal.throwIfAborted();
    this.stage.removeAttribute('aria-busy');
    this.#windows = new RowWindows({
      path: this.path,
      table: this.table,
      rows,
      fields: this.fields,
      positions: positionsOf(wanted.columns, this.fields.length),
      where,
      sort: sortOf(wanted.sort, this.fields.length),
      changed: () => this.#grid?.paintSoon(),
    });
    this.#grid = new Grid({
      windows: this.#windows,
      fields: this.positions.map((position) => this.fields[position]),
      label: `Rows of ${visible(this.name)}`,
      head: (field, column) => this.#head(field, this.positions[column]),
      sorted: (column) => this.#sorted(this.positions[column]),
    });
    this.#grid.addEventListener('active', ({ detail }) => {
      this.#note({ row: detail.row || null, column: this.positions[detail.column] || null });
      this.#followActive();
    });
    this.#grid.addEventListener('open', ({ detail }) => this.#open('dataset/cell-drawer.js', [detail]));
    this.#grid.addEventListener('refused', ({ detail }) => tell(detail));
    this.#grid.addEventListener('copying', () => this.#copy(true));
    this.#grid.addEventListener('painted', ({ detail }) => this.#painted(detail));
    this.count.textContent =
      where === '' ? counted(rows, 'row') : `${grouped(rows)} of ${counted(this.rows, 'row')}`;
    const empty = rows === 0 ? element('p', { class: 'empty' }, where === '' ? 'No rows' : 'No row matches') : null;
    const hadFocus = this.stage.contains(document.activeElement);
    this.stage.replaceChildren(...[this.#grid.element, empty].filter(Boolean));
    if (hadFocus) {
      this.#grid.element.focus();
    }
  }

  /** The header of a column: its name and type, which open what can be done with it, and a button that sorts. */
  #head(field, position) {
    const name = columnName(field);
    const [arrow, next] = {
      none: ['↕', `Sort ${name} upwards`],
      ascending: ['↑', `Sort ${name} downwards`],
      descending: ['↓', `Stop sorting by ${name}`],
    }[this.#sorted(position)];
    return element(
      'div',
      {},
      element(
        'button',
        { type: 'button', class: 'column', tabindex: -1, title: columnTitle(field), onclick: () => this.#open('dataset/column-drawer.js', [position]) },
        element('strong', {}, isolated(name)),
        element('small', {}, field.arrowType),
      ),
      canSort() ? element('button', { type: 'button', class: 'sort', tabindex: -1, title: next, 'aria-label': next, onclick: () => this.#sortOn(position) }, arrow) : null,
      element('span', { class: 'summary', 'data-position': position }),
    );
  }

  /** How the rows are sorted by a column, in the words of ARIA. */
  #sorted(position) {
    if (this.sort?.position !== position) {
      return 'none';
    }
    return this.sort.descending ? 'descending' : 'ascending';
  }

  /** Writes the active cell to the URL. Browsers refuse more than some such changes a second, as a key that is held makes. */
  #note(values) {
    clearTimeout(this.noting);
    const write = () => {
      this.noted = performance.now();
      if (!this.host.hidden) {
        replaceState(values);
        this.#linkPin();
      }
    };
    const rest = (this.noted ?? -Infinity) + STATE_MILLISECONDS - performance.now();
    if (rest <= 0) {
      write();
    } else {
      this.noting = setTimeout(write, rest);
    }
  }

  /** Lets the version lead to what is shown now, which a later version does not change there. */
  #linkPin() {
    if (this.pin.localName === 'a') {
      this.pin.href = linked(this.path) + (location.hash || fragment('rows'));
    }
  }

  // Changes of the state, each of which the history can take back

  #change(changes) {
    clearTimeout(this.noting);
    const values = Object.fromEntries(readState().values);
    // The side stays if it is about what stays, and covers nothing.
    const side = values.side === 'value' || NARROW.matches ? null : values.side;
    goTo('rows', { ...values, row: null, side, ...changes });
  }

  filter(where) {
    this.#change({ where: where.trim() });
  }

  /** Sorts by a column, or no more if the position is null. */
  sortBy(position, descending) {
    if (position !== null && !canSort()) {
      tell(hasSql ? 'Sorting needs SQL, which the link that opened this page does not permit.' : 'Sorting needs SQL, which this service does not have.');
      return;
    }
    // The column stays in sight.
    this.#change({ sort: position === null ? null : `${descending ? '-' : ''}${position}`, column: position || null });
  }

  choose(positions) {
    const all = positions.length === this.fields.length && positions.every((position, i) => position === i);
    this.#change({ columns: all ? null : positions.join() });
  }

  #submit(event, action) {
    event.preventDefault();
    action();
  }

  #goTo() {
    const row = Number(this.row.value.replaceAll(/[\s,._]/g, ''));
    if (!Number.isInteger(row) || row < 0 || row >= this.#windows.rows) {
      tell(`Expected a row from 0 to ${grouped(Math.max(0, this.#windows.rows - 1))} but found ${this.row.value}`);
      return;
    }
    this.#grid.go(row, this.#grid.active.column);
    this.#grid.element.focus();
  }

  // The side

  /** @param isSelection whether it was asked for from the selection */
  #copy(isSelection = false) {
    return this.#grid && this.#open('grid/copy-drawer.js', [this.#grid, isSelection]);
  }

  /** The state of the side, if the URL has it: `column-5`, or `value` for that of the active cell. */
  get #side() {
    const { module, parameters } = (!this.drawer.hidden && this.#opened) || {};
    return { 'dataset/column-drawer.js': `column-${parameters?.[0]}`, 'dataset/cell-drawer.js': 'value' }[module] ?? '';
  }

  /** Opens the value of the active cell. */
  #openValue(keepsFocus = false) {
    const { row, column } = this.#grid.active;
    this.#open('dataset/cell-drawer.js', [{ row, column, ...this.#grid.value(row, column) }], keepsFocus);
  }

  /** Lets the value at the side be that of the active cell. */
  #followActive() {
    clearTimeout(this.following);
    if (this.#side === 'value') {
      this.following = setTimeout(() => this.#side === 'value' && this.#openValue(true), FOLLOW_MILLISECONDS);
    }
  }

  #noteSide() {
    if (!this.host.hidden) {
      replaceState({ side: this.#side });
      this.#linkPin();
    }
  }

  /** Opens at the side what the URL says, as it is now. */
  #followSide() {
    const side = readState().values.get('side') ?? '';
    if (side === this.#side) {
      return;
    }
    const position = Number(/^column-(\d+)$/.exec(side)?.[1] ?? NaN);
    if (position < this.fields.length) {
      this.#open('dataset/column-drawer.js', [position]);
    } else if (side === 'value' && this.#windows.rows > 0) {
      this.#openValue();
    } else {
      this.closeDrawer();
    }
  }

  /**
   * Opens what a module shows at the side. It exports `content(view, …)`, which returns a title and nodes, and `closed()` if
   * something has to end with them.
   *
   * @param keepsFocus whether the focus stays where it is
   */
  async #open(module, parameters = [], keepsFocus = false) {
    const number = this.#endSide();
    this.#opening = module;
    try {
      const { content } = await load(module);
      const made = await content(this, ...parameters);
      // The user wants the latest that was opened or closed.
      if (number === this.opening) {
        this.#opening = null;
        this.#opened = { module, parameters };
        this.openDrawer(made, keepsFocus);
        this.#noteSide();
        this.#revealWhatIsOpen(module, ...parameters);
      } else {
        made.closed?.();
      }
    } catch (error) {
      if (number === this.opening) {
        this.#opening = null;
        // The value of the next cell may be shown.
        this.#opened = { module, parameters };
        this.openDrawer({ title: ['This cannot be shown'], nodes: [failure(error, () => this.#open(module, parameters))] }, keepsFocus);
      }
    }
  }

  /** Ends what the side does. Returns the number of what is opened next. */
  #endSide() {
    this.sideControl?.abort();
    this.sideControl = new AbortController();
    this.#opening = null;
    this.opening = (this.opening ?? 0) + 1;
    return this.opening;
  }

  /** Ends what is of no use once the side shows something else. */
  get sideSignal() {
    return this.sideControl.signal;
  }

  /** Shows what is at the side as it is among other rows or in another order. */
  #refreshDrawer() {
    const { module, parameters } = (!this.drawer.hidden && this.#opened) || {};
    if (module === 'dataset/cell-drawer.js' || this.#opening === 'dataset/cell-drawer.js') {
      // Its row is another one now.
      this.#hideDrawer();
    } else if (module === 'dataset/column-drawer.js') {
      this.#open(module, parameters, true);
    } else if (module === 'grid/copy-drawer.js') {
      this.#open(module, [this.#grid], true);
    }
  }

  /** Shows the column of what was opened, since the grid may have become narrower. */
  #revealWhatIsOpen(module, opened) {
    if (module === 'dataset/cell-drawer.js') {
      this.#grid?.revealColumn();
    } else if (module === 'dataset/column-drawer.js' && this.positions.includes(opened)) {
      this.#grid?.revealColumn(this.positions.indexOf(opened));
    }
  }

  /** @param keepsFocus whether the focus stays where it is: at the side, at the button of the same name */
  openDrawer({ title, nodes, closed = () => null }, keepsFocus = false) {
    const { activeElement } = document;
    if (this.drawer.hidden) {
      this.#opener = activeElement;
    }
    const hadFocus = this.drawer.contains(activeElement);
    const label = activeElement.textContent;
    this.#closed();
    this.#closed = closed;
    const heading = element('h2', { id: 'drawer-title' }, ...title);
    this.drawer.hidden = false;
    this.drawer.setAttribute('aria-labelledby', 'drawer-title');
    this.drawer.replaceChildren(
      element('header', {}, heading, element('button', { type: 'button', onclick: () => this.closeDrawer() }, 'Close')),
      ...nodes.filter((node) => node !== null),
    );
    if (!keepsFocus) {
      this.drawer.focus();
    } else if (hadFocus) {
      const same = [...this.drawer.querySelectorAll('button')].find(({ textContent }) => textContent === label);
      (same ?? this.drawer).focus();
    }
  }

  /** Closes the side, and goes back to what opened it if that is still there. */
  closeDrawer() {
    this.#hideDrawer();
    this.#noteSide();
  }

  #hideDrawer() {
    this.#endSide();
    this.#closed();
    this.#closed = () => null;
    const hadFocus = this.drawer.contains(document.activeElement);
    this.drawer.hidden = true;
    this.drawer.replaceChildren();
    if (hadFocus) {
      const isThere = this.#opener?.isConnected && this.#opener !== document.body;
      (isThere ? this.#opener : this.#grid?.element)?.focus();
    }
  }

  #painted({ complete }) {
    this.#showFailure();
    if (complete && this.rows * this.fields.length <= MOST_SUMMARIZED_CELLS) {
      this.#summaries ??= load('dataset/header-pictures.js').then(({ Summaries }) => new Summaries(this));
      // Headers without pictures are not told as a failure, and tried again after a while.
      this.#summaries.then((summaries) => summaries.fill(this.stage)).catch(() => setTimeout(() => (this.#summaries = null), RETRY_MILLISECONDS));
    }
  }

  /** Tells of the failure of a window among those that are seen. */
  #showFailure() {
    const { row, column } = this.#grid.active;
    const first = Math.floor(this.#grid.rows.top);
    const found = [this.#windows.at(first, column), this.#windows.at(row, column)].find((window) => window?.failure);
    const shown = this.stage.querySelector('.failure');
    if (found && !shown) {
      this.stage.append(failure(found.failure, () => {
        this.stage.querySelector('.failure')?.remove();
        this.#windows.retry();
      }));
    } else if (!found) {
      shown?.remove();
    }
  }

  #pressed(event) {
    if (this.host.hidden || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    if (event.key === 'Escape' && !this.drawer.hidden) {
      this.closeDrawer();
      event.preventDefault();
      return;
    }
    // Single letters are keys of the rows alone, since people dictate, too.
    const isHere = event.target === document.body || this.stage.contains(event.target);
    if (!isHere || event.target.closest('input')) {
      return;
    }
    const position = this.#grid ? this.positions[this.#grid.active.column] : null;
    const actions = {
      g: () => this.row.select(),
      '/': () => this.where.focus(),
      '?': () => this.#open('dataset/keys-drawer.js'),
      h: () => this.#open('dataset/column-chooser.js'),
      c: () => this.#open('dataset/column-drawer.js', [position]),
      y: () => this.#copy(),
      s: () => this.#sortOn(position),
    };
    if (Object.hasOwn(actions, event.key) && (this.#grid || event.key === '/')) {
      actions[event.key]();
      event.preventDefault();
    }
  }

  /** Sorts a column upwards, then downwards, then not. The rows may still be those before the last change. */
  #sortOn(position) {
    const sort = sortOf(readState().values.get('sort') ?? '', this.fields.length);
    const present = sort?.position === position ? sort : null;
    this.sortBy(present?.descending ? null : position, present !== null);
  }
}

/** Positions such as `3,0,5`, without those that do not exist; all if there are none. */
function positionsOf(text, count) {
  const found = text.split(',').filter((part) => /^\d+$/.test(part)).map(Number);
  const known = [...new Set(found)].filter((position) => position < count);
  return known.length > 0 ? known : Array.from({ length: count }, (_, i) => i);
}

/** A position, with `-` before it if the greatest value is first. */
function sortOf(text, count) {
  const found = /^(-?)(\d+)$/.exec(text);
  return found && Number(found[2]) < count ? { position: Number(found[2]), descending: found[1] === '-' } : null;
}

const POLL_MILLISECONDS = 10_000;

/** Parameters that select other rows or columns, which the page shows as they are without scripts. */
const SELECTION = ['columns', 'limit', 'offset', 'rows', 'sample', 'since'];

/**
 * The views of a dataset, in the order of their links. The key of a view is its fragment.
 *
 * The module of a view is imported when the view is opened first. It exports `create(host, dataset)`, which fills the
 * element `host` and returns an object with `show(values)`. That is called whenever the view is opened and whenever the
 * state in the URL changes while it is open; `values` is the map of readState(). If `show` throws, the failure takes the
 * place of the view until another attempt succeeds; a view shows the failures of its parts itself.
 *
 * `dataset` has `name`, `version`, `rows`, `etag`, `path` (of this version), `pinned` (whether the URL names the version),
 * `described` (the nodes that the page has without scripts), `onScreen()` (the parameters of a request for the rows and
 * columns that the view of the rows shows, or showed when it was left) and `sortedOnScreen()` (a statement that returns them
 * in their order, or null).
 *
 * A view with `wide` has the whole width of the window.
 */
const VIEWS = {
  rows: { title: 'Rows', wide: true, load: () => ({ create: (host, dataset) => new RowsView(host, dataset) }) },
  schema: { title: 'Schema', load: () => load('dataset/schema-view.js') },
  columns: { title: 'Columns', wide: true, load: () => load('dataset/columns-view.js') },
  anatomy: { title: 'Anatomy', load: () => load('anatomy/anatomy.js') },
  versions: { title: 'Versions', load: () => load('dataset/versions-view.js') },
  use: { title: 'Use it', load: () => load('dataset/snippets-view.js') },
};

/** A view of a dataset: its link and its part of the page, which is filled when the view is opened first. */
class View {
  #filled = null;

  constructor(name, dataset) {
    this.name = name;
    this.dataset = dataset;
    this.title = VIEWS[name].title;
    this.link = element('a', { href: fragment(name) }, this.title);
    this.host = element('section', { 'aria-label': this.title, hidden: true });
  }

  get isOpen() {
    return !this.host.hidden;
  }

  set isOpen(isOpen) {
    this.host.hidden = !isOpen;
    if (isOpen) {
      this.link.setAttribute('aria-current', 'page');
    } else {
      this.link.removeAttribute('aria-current');
    }
  }

  async show(values) {
    try {
      this.#filled ??= this.#fill();
      const view = await this.#filled;
      await view.show(values);
    } catch (error) {
      this.#filled = null;
      this.host.replaceChildren(failure(error, () => this.show(readState().values)));
    }
  }

  async #fill() {
    const { create } = await VIEWS[this.name].load();
    this.host.replaceChildren();
    return create(this.host, this.dataset);
  }
}

/** Moves the condition from the query, where it is for programs, to the fragment, where it can be changed. */
function moveCondition(parameters) {
  if (!parameters.has('where')) {
    return;
  }
  const { view, values } = readState();
  const where = parameters.get('where');
  parameters.delete('where');
  const isRows = view === '' || view === 'rows';
  const hash = isRows && !values.has('where') ? fragment('rows', { ...Object.fromEntries(values), where }) : location.hash;
  const query = parameters.size > 0 ? `?${parameters}` : '';
  history.replaceState(null, '', location.pathname + query + hash);
}

/** The parameters that select what the view of the rows shows, from its state. */
function selection(values) {
  const columns = values.get('columns') ?? '';
  const positions = /^\d+(,\d+)*$/.test(columns) ? columns.split(',') : [];
  return new Map([
    ['where', values.get('where') ?? ''],
    ['columns', positions.map((position) => `[${position}]`).join()],
  ]);
}

/** A statement that returns what the view of the rows shows in its order, or null if that is the stored one. */
async function sortedSelection({ path, name, version }, values) {
  if (!values.has('sort') || !canSort()) {
    return null;
  }
  const [{ fields }, { statement }] = await Promise.all([json(`${path}/schema`), load('grid/row-order.js')]);
  const sort = sortOf(values.get('sort'), fields.length);
  const positions = positionsOf(values.get('columns') ?? '', fields.length);
  return sort && statement(fields, positions, { table: `${name}@${version}`, where: values.get('where') ?? '', sort });
}

/** The formats and documents of the version, which without scripts stand above all else, as one menu. */
function downloads(dataset) {
  const all = [...document.querySelectorAll('header nav a')];
  document.querySelector('header nav')?.remove();
  const isFormat = (link) => link.textContent.startsWith('.');
  const part = (label, links) => [element('p', {}, element('small', {}, label)), element('div', { class: 'links' }, ...links)];
  const statements = all.filter(({ pathname }) => pathname === '/sql');
  const documents = all.filter((link) => !isFormat(link) && !statements.includes(link));
  const formats = all.filter(isFormat);
  const shown = element('div');
  const showSelection = async () => {
    if (!menu.open) {
      return;
    }
    const parameters = new URLSearchParams([...dataset.onScreen()].filter(([, value]) => value !== ''));
    const links = (url) => formats.map(({ textContent: suffix }) => element('a', { href: url(suffix) }, suffix));
    const stored = (suffix) => linked(`${dataset.path}${suffix}?${parameters}`);
    const statement = await dataset.sortedOnScreen().catch(() => null);
    const sorted = (suffix) => `/sql${suffix}?${new URLSearchParams({ q: statement })}`;
    shown.replaceChildren(
      ...(parameters.size > 0 ? part('Rows and columns as shown, in their stored order', links(stored)) : []),
      ...(statement !== null && sorted('').length <= MOST_URL_CHARACTERS ? part('Rows and columns as shown, sorted, as SQL returns them', links(sorted)) : []),
    );
  };
  const summary = element('summary', {}, 'Download');
  const menu = element(
    'details',
    { class: 'menu', ontoggle: showSelection },
    summary,
    element('div', {}, shown, ...part('All rows of this version', formats), ...part('Documents', documents)),
  );
  document.addEventListener('click', ({ target }) => menu.contains(target) || (menu.open = false));
  menu.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && menu.open) {
      menu.open = false;
      summary.focus();
      event.preventDefault();
    }
  });
  return element('div', { class: 'links' }, ...statements, ' ', menu);
}

/** Shows the view that the fragment names. */
function show(page) {
  const parameters = new URLSearchParams(location.search);
  if (SELECTION.some((name) => parameters.has(name))) {
    return;
  }
  moveCondition(parameters);
  const { name, version } = page.dataset;
  const dataset = {
    name,
    version: Number(version),
    rows: Number(page.dataset.rows),
    etag: page.dataset.etag,
    path: datasetPath(name, version),
    pinned: page.dataset.pinned !== undefined,
    described: [...page.childNodes],
  };
  const title = document.title;
  const views = new Map(Object.keys(VIEWS).map((key) => [key, new View(key, dataset)]));
  const rowsState = () => {
    const rows = views.get('rows');
    return readState(rows.isOpen ? undefined : rows.link.hash).values;
  };
  dataset.onScreen = () => selection(rowsState());
  dataset.sortedOnScreen = () => sortedSelection(dataset, rowsState());
  const parts = [...views.values()];
  page.replaceChildren(
    element('nav', { class: 'views', 'aria-label': 'Views' }, ...parts.map(({ link }) => link)),
    ...parts.map(({ host }) => host),
  );
  const news = element('span', { role: 'status' });
  document.querySelector('header h1').append(' ', news);
  document.querySelector('header').append(downloads(dataset));
  document.body.classList.add('app');
  const display = (event) => {
    if (event) {
      // The link of a view leads back to the state in which it was left.
      const { hash } = new URL(event.oldURL);
      views.get(readState(hash).view || 'rows')?.link.setAttribute('href', hash || fragment('rows'));
    }
    const { view: named, values } = readState();
    const shown = views.get(named) ?? views.get('rows');
    parts.forEach((view) => (view.isOpen = view === shown));
    if (shown.name === 'rows') {
      // The statistics of the columns are those of the rows that are shown.
      const { link: columns } = views.get('columns');
      const kept = Object.fromEntries(readState(columns.hash).values);
      columns.href = fragment('columns', { ...kept, where: values.get('where') });
    }
    document.body.classList.toggle('wide', VIEWS[shown.name].wide === true);
    document.title = shown.name === 'rows' ? title : `${shown.title} · ${title}`;
    shown.show(values);
  };
  whenStateChanged(display);
  display();
  if (!dataset.pinned) {
    watch(dataset, news);
  }
}

/**
 * Asks for a newer version while the page is seen, and shows a quiet link once there is one.
 *
 * @param news the part of the page that has the link
 */
function watch({ name, version, etag }, news) {
  const path = datasetPath(name);
  const timer = setInterval(async () => {
    if (document.hidden) {
      return;
    }
    const headers = { ...authorization(), Accept: 'application/vnd.apache.arrow.file', 'If-None-Match': etag };
    let response;
    try {
      response = await fetch(linked(path), { method: 'HEAD', cache: 'no-store', headers });
    } catch {
      // The service may be back at the next time.
      return;
    }
    const newest = Number(response.headers.get('Quiver-Version'));
    if (response.status === 410 || newest > version) {
      clearInterval(timer);
      const text = response.status === 410 ? 'This dataset was deleted' : `Version ${grouped(newest)} is available`;
      const badge = element('a', { class: 'badge', href: linked(path) + location.hash }, text);
      // The state may have changed until then.
      badge.addEventListener('click', () => (badge.href = linked(path) + location.hash));
      news.replaceChildren(badge);
    }
  }, POLL_MILLISECONDS);
}

show(document.querySelector('main'));
