// The view of the rows: all of them or those that match a condition, in their order or sorted, of some columns or all.
// @ts-check

import { Grid, columnHead, directionOf } from '../grid/grid.js';
import { RowWindows } from '../grid/row-windows.js';
import { button, counted, element, grouped, isolated, present, tell, visible } from '../lib/elements.js';
import { failure } from '../lib/failure.js';
import { icon, labelled } from '../lib/icons.js';
import { load, stylesheet } from '../lib/modules.js';
import { base, countRows, json, linked } from '../lib/requests.js';
import { fragment, goTo, readState, replaceState } from '../lib/url-state.js';
import { canSort, isMistake, positionsOf } from './rows-state.js';

// Beyond it, the statistics in the headers are calculated only when those of a column are opened.
const MOST_SUMMARIZED_CELLS = 200_000_000;
const NOT_LOADED = 'A part of this page cannot be loaded. Try again.';
const PLACEHOLDER = 'Search';
const STATE_MILLISECONDS = 400;
const RETRY_MILLISECONDS = 10_000;
// Where the drawer does not stand beside the rows but over them, as in page.css.
const NARROW = matchMedia('(max-width: 70rem)');

/** @typedef {{ where: string, search: string, sort: string, columns: string }} Selection */

/** The rows of a version: all of them or those that match a condition, in their order or sorted, of some columns or all. */
export class RowsView {
  /** @type {Grid | null} */
  #grid = null;
  /** @type {RowWindows | null} */
  #windows = null;
  /**
   * The values of the URL that select what is shown, as text.
   *
   * @type {string | null}
   */
  #wanted = null;
  /** @type {Promise<import('./header-pictures.js').HeaderPictures> | null} */
  #pictures = null;
  #selecting = new AbortController();
  /**
   * The rows that were counted last, by the filter that they match.
   *
   * @type {{ filter: string, rows: number } | null}
   */
  #counted = null;
  /** @type {Promise<import('../filter/filter-bar.js').FilterBar> | null} */
  #filterBar = null;
  /** @type {PromiseWithResolvers<void>} */
  #opened = Promise.withResolvers();
  /** @type {{ fields: import('../sql/conditions.js').SchemaField[] } | null} */
  #schema = null;
  /** @type {import('./statistics.js').Statistics | null} */
  #statistics = null;
  #hasExample = false;
  /** @type {import('../drawers/rows-drawer.js').RowsDrawer | null} */
  #drawer = null;
  /** @type {number | undefined} */
  #noting;
  /** When the URL was written last. */
  #noted = -Infinity;

  /**
   * @param {HTMLElement} host
   * @param {import('./dataset-page.js').Dataset} dataset
   */
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
    this.row = element('input', { type: 'text', class: 'to-row', inputmode: 'numeric', 'aria-label': 'Go to row', placeholder: 'Row' });
    this.filtering = {
      box: element('input', { type: 'text', class: 'where', 'aria-label': 'Search or filter', placeholder: PLACEHOLDER, spellcheck: 'false', autocomplete: 'off' }),
      clear: element('button', { type: 'button', class: 'clear', hidden: true, 'aria-label': 'Clear the filter', title: 'Clear the filter' }, '×'),
      add: button(labelled('filter', 'Add filter'), () => this.#withFilterBar((bar) => bar.add()), { title: 'Add filter', 'aria-expanded': 'false' }),
      below: element('div', { class: 'below' }),
    };
    this.stage = element('div', { class: 'stage' });
    this.sums = element('div', { class: 'sums', role: 'status', hidden: true, 'aria-label': 'Selected cells' });
    // On a phone, they have one button.
    const extras = element(
      'div',
      { class: 'extras' },
      element('form', { class: 'going', onsubmit: (event) => this.#submit(event, () => this.#goTo()) }, this.row),
      button(labelled('columns', 'Columns'), () => this.#withDrawer((drawer) => drawer.open('drawers/column-chooser.js')), { title: 'Choose columns' }),
      button(labelled('copy', 'Copy as…'), () => this.#withDrawer((drawer) => drawer.openCopying()), { title: 'Copy cells' }),
      button(labelled('share', 'Share'), () => this.#share(), { title: 'Copy a link to what is shown' }),
      element('button', { type: 'button', 'aria-label': 'Keys', title: 'Keys', onclick: () => this.#withDrawer((drawer) => drawer.open('drawers/keys-drawer.js')) }, '?'),
    );
    const opener = element(
      'button',
      { type: 'button', class: 'opener', 'aria-label': 'More', 'aria-expanded': 'false', onclick: () => opener.setAttribute('aria-expanded', String(extras.classList.toggle('open'))) },
      icon('more'),
    );
    host.replaceChildren(
      element(
        'div',
        { class: 'bar' },
        element(
          'form',
          {
            class: 'filtering',
            role: 'search',
            onfocusin: () => this.#withFilterBar(() => null),
            onsubmit: (event) => this.#submit(event, () => this.#withFilterBar((bar) => bar.submit())),
          },
          icon('search'),
          this.filtering.box,
          this.filtering.clear,
        ),
        this.filtering.add,
        opener,
        extras,
        element('span', { class: 'told' }, this.count, ' ', this.pin),
      ),
      this.filtering.below,
      this.stage,
    );
    document.addEventListener('keydown', (event) => this.stage.isConnected && this.#pressed(event));
  }

  /**
   * Shows what the values of the URL say.
   *
   * @param {Map<string, string>} values
   */
  async show(values) {
    this.#schema ??= await json(`${this.path}/schema`);
    const wanted = {
      where: values.get('where') ?? '',
      search: values.get('search') ?? '',
      sort: values.get('sort') ?? '',
      columns: values.get('columns') ?? '',
    };
    this.#linkPin();
    if (JSON.stringify(wanted) !== this.#wanted) {
      this.#yieldDrawer(values);
      await this.#showSelection(wanted);
    }
    if (!this.#grid) {
      return;
    }
    const row = Number(values.get('row')) || 0;
    const column = Math.max(0, this.positions.indexOf(Number(values.get('column')) || 0));
    if (row > 0 || column > 0 || values.get('side') === 'value') {
      this.#grid.go(row, column);
    }
    const side = readState().values.get('side') ?? '';
    if (this.#drawer || side !== '') {
      this.#withDrawer((drawer) => drawer.follow(side));
    }
  }

  /**
   * Makes room for what has changed, which the drawer would cover, unless the history leads to another one.
   *
   * @param {Map<string, string>} values
   */
  #yieldDrawer(values) {
    if (this.#wanted === null || !NARROW.matches || !this.#drawer?.isOpen) {
      return;
    }
    if (values.get('side') === this.#drawer.state) {
      this.#drawer.close();
    } else {
      this.#drawer.hide();
    }
  }

  /** @param {Selection} wanted */
  async #showSelection(wanted) {
    const { where, search } = wanted;
    const former = this.#wanted;
    this.#wanted = JSON.stringify(wanted);
    this.#selecting.abort();
    this.#selecting = new AbortController();
    const { signal } = this.#selecting;
    try {
      await this.#select(wanted, signal);
      this.#opened.resolve();
      if (where !== '' || search !== '' || this.#filterBar) {
        this.#withFilterBar((bar) => bar.show(wanted));
      }
      this.#drawer?.refresh();
    } catch (error) {
      if (signal.aborted) {
        return;
      }
      this.#wanted = null;
      if (isMistake(error) && (where !== '' || search !== '')) {
        // The rows stay, or are all rows, whose names and values help to correct it, and the URL has what is shown.
        const shown = former === null ? await this.#withoutMistake(wanted, signal) : JSON.parse(former);
        if (signal.aborted) {
          return;
        }
        replaceState(shown);
        await this.#showSelection(shown);
        this.#withFilterBar((bar) => bar.correct(shown.where === where ? { where: '', search } : wanted, error));
        return;
      }
      this.#grid = null;
      this.#drawer?.hide();
      this.stage.removeAttribute('aria-busy');
      this.count.textContent = '';
      this.stage.replaceChildren(failure(error, () => this.show(readState().values)));
    }
  }

  /**
   * A selection without its condition, or without its search if that is the mistake.
   *
   * @param {Selection} wanted
   * @param {AbortSignal} signal
   * @returns {Promise<Selection>}
   */
  async #withoutMistake(wanted, signal) {
    const { where, search } = wanted;
    const isSearch = where === '' || (search !== '' && (await this.countRows(where, '', signal).then(() => true, () => false)));
    return { ...wanted, ...(isSearch ? { search: '' } : { where: '' }) };
  }

  get fields() {
    return this.#schema?.fields ?? [];
  }

  /** Ends what other rows or columns make useless. */
  get signal() {
    return this.#selecting.signal;
  }

  get grid() {
    return this.#grid;
  }

  /** The drawer, once something was opened in it. */
  get drawer() {
    return /** @type {import('../drawers/rows-drawer.js').RowsDrawer} */ (this.#drawer);
  }

  /**
   * Does something with the drawer, which is loaded when it is first needed.
   *
   * @param {(drawer: import('../drawers/rows-drawer.js').RowsDrawer) => unknown} action
   */
  async #withDrawer(action) {
    const [loaded] = await Promise.all([load('drawers/rows-drawer.js'), stylesheet('lib/drawer.css')]).catch(() => [null]);
    if (!loaded) {
      tell(NOT_LOADED);
      return;
    }
    if (!this.#drawer) {
      this.#drawer = new loaded.RowsDrawer(this, () => this.#noteDrawer());
      this.host.append(this.#drawer.element);
    }
    action(this.#drawer);
  }

  /** The rows that are shown, once some are. */
  get windows() {
    return /** @type {RowWindows} */ (this.#windows);
  }

  /** The statistics of the rows that are shown, once a module that needs them was loaded. */
  async statistics() {
    const { Statistics } = await load('dataset/statistics.js');
    const { where, search } = this.windows;
    if (this.#statistics?.where !== where || this.#statistics.search !== search) {
      this.#statistics = new Statistics(this.path, this.fields, where, search);
    }
    return this.#statistics;
  }

  /** Positions of the columns that are shown, in their order. */
  get positions() {
    return this.windows.positions;
  }

  get canSort() {
    return canSort();
  }

  get sorts() {
    return this.windows.sorts;
  }

  /**
   * Counts the rows that match a filter, unless that is the one that was counted last.
   *
   * @param {string} where
   * @param {string} search
   * @param {AbortSignal} signal
   */
  async countRows(where, search, signal) {
    const filter = JSON.stringify([where, search]);
    if (where === '' && search === '') {
      return this.rows;
    }
    if (this.#counted?.filter !== filter) {
      const parameters = Object.fromEntries(Object.entries({ where, search }).filter(([, value]) => value !== ''));
      this.#counted = { filter, rows: await countRows(this.path, parameters, signal) };
    }
    return this.#counted.rows;
  }

  /**
   * @param {Selection} wanted
   * @param {AbortSignal} signal
   */
  async #select({ where, search, sort, columns }, signal) {
    this.stage.setAttribute('aria-busy', 'true');
    const rows = await this.countRows(where, search, signal);
    // Another selection may have begun meanwhile, whose rows are those to show.
    signal.throwIfAborted();
    this.stage.removeAttribute('aria-busy');
    const former = this.#windows?.positions;
    this.#windows?.close();
    const sorts = sort === '' ? [] : (await load('grid/sorts.js')).sortsOf(sort, this.fields.length);
    signal.throwIfAborted();
    this.#windows = new RowWindows({
      path: this.path,
      table: this.table,
      rows,
      fields: this.fields,
      positions: positionsOf(columns, this.fields.length),
      where,
      search,
      sorts,
      changed: () => this.#grid?.paintSoon(),
    });
    const grid = this.#makeGrid(this.#windows, signal);
    if (this.#grid && former?.join() === this.positions.join()) {
      grid.follow(this.#grid);
    }
    this.#grid = grid;
    this.count.textContent =
      where === '' && search === '' ? counted(rows, 'row') : `${grouped(rows)} of ${counted(this.rows, 'row')}`;
    const empty = rows === 0 ? await this.#toldNothing(where !== '' || search !== '') : null;
    signal.throwIfAborted();
    const hadFocus = this.stage.contains(document.activeElement);
    this.sums.hidden = true;
    this.stage.replaceChildren(...present([grid.element, empty, this.sums]));
    if (hadFocus) {
      grid.element.focus();
    }
  }

  /** @param {boolean} isFiltered */
  async #toldNothing(isFiltered) {
    const loaded = await load('lib/empty.js').catch(() => null);
    if (!loaded) {
      return element('p', { class: 'empty' }, isFiltered ? 'No row matches' : 'No rows');
    }
    return isFiltered
      ? loaded.empty('search', 'No row matches', `None of ${counted(this.rows, 'row')} has what you look for.`, button('Clear the filter', () => this.change({ where: null, search: null })))
      : loaded.empty(
          'dataset',
          'No rows',
          element('span', {}, 'This version has columns alone. Upload a file with these columns as ', isolated(visible(this.name)), ', and append it.'),
          element('a', { class: 'button', href: `${base}/` }, 'Upload a file'),
        );
  }

  /**
   * @param {RowWindows} windows
   * @param {AbortSignal} signal aborted once other rows are wanted
   */
  #makeGrid(windows, signal) {
    const { positions } = windows;
    const grid = new Grid({
      windows,
      fields: positions.map((position) => this.fields[position]),
      label: `Rows of ${visible(this.name)}`,
      head: (field, column) => this.#head(field, positions[column]),
      sorted: (column) => directionOf(this.sorts, positions[column]),
    });
    grid.addEventListener('active', () => {
      const { row, column } = grid.active;
      this.#note({ row: row || null, column: positions[column] || null });
      this.#drawer?.followActive();
      if (!this.sums.hidden || grid.isSelecting) {
        load('grid/selection-sums.js').then(({ tellSums }) => tellSums(grid, this.sums, signal), () => null);
      }
    });
    grid.on('open', (cell) => this.#withDrawer((drawer) => drawer.openCell(cell)));
    grid.on('record', (row) => this.#withDrawer((drawer) => drawer.openRecord(row)));
    grid.on('refused', tell);
    grid.on('copying', () => this.#withDrawer((drawer) => drawer.openCopying(true)));
    grid.on('painted', ({ complete }) => this.#painted(grid, windows, complete));
    return grid;
  }

  /**
   * @param {import('../grid/grid.js').Field} field
   * @param {number} position
   */
  #head(field, position) {
    return columnHead(field, {
      position,
      sorts: canSort() ? this.sorts : null,
      open: () => this.#withDrawer((drawer) => drawer.openColumn(position)),
      sort: (adds) => this.#sortOn(position, adds),
    });
  }

  /**
   * Writes the active cell to the URL. Browsers refuse more than some such changes a second, as a key that is held makes.
   *
   * @param {import('../lib/url-state.js').Values} values
   */
  #note(values) {
    clearTimeout(this.#noting);
    const write = () => {
      this.#noted = performance.now();
      if (!this.host.hidden) {
        replaceState(values);
        this.#linkPin();
      }
    };
    const rest = this.#noted + STATE_MILLISECONDS - performance.now();
    if (rest <= 0) {
      write();
    } else {
      this.#noting = setTimeout(write, rest);
    }
  }

  /** Lets the version lead to what is shown now, which a later version does not change there. */
  #linkPin() {
    if (this.pin instanceof HTMLAnchorElement) {
      this.pin.href = linked(this.path) + (location.hash || fragment('rows'));
    }
  }

  /** Copies a link to what is shown, of this version, which a later one does not change there. */
  async #share() {
    const { share } = await load('drawers/link-drawer.js');
    const url = new URL(linked(this.path) + (location.hash || fragment('rows')), location.href).href;
    share(url, () => this.#withDrawer((drawer) => drawer.open('drawers/link-drawer.js', [url])));
  }

  // Changes of the state, each of which the history can take back

  /**
   * @param {import('../lib/url-state.js').Values} changes
   * @param {boolean} [replaces] whether they take the place of the present entry of the history
   */
  change(changes, replaces = false) {
    clearTimeout(this.#noting);
    const values = Object.fromEntries(readState().values);
    // The side stays if it is about what stays, and covers nothing.
    const side = values.side === 'value' || NARROW.matches ? null : values.side;
    goTo('rows', { ...values, row: null, side, ...changes }, replaces);
  }

  /**
   * Shows the rows that match a condition and have a text, or tells why not.
   *
   * @param {string} where
   * @param {string} [search]
   */
  filter(where, search = this.windows.search) {
    this.#withFilterBar((bar) => bar.filter(where, search));
  }

  /** @param {(bar: import('../filter/filter-bar.js').FilterBar) => unknown} action */
  async #withFilterBar(action) {
    this.#filterBar ??= load('filter/filter-bar.js').then(async ({ create }) => {
      await this.#opened.promise;
      const bar = await create(this);
      bar.show(this.windows);
      return bar;
    });
    const bar = await this.#filterBar.catch(() => null);
    if (bar) {
      action(bar);
    } else {
      // The next attempt loads it again.
      this.#filterBar = null;
      tell(NOT_LOADED);
    }
  }

  /** @param {number[]} positions of the columns that are shown from now on */
  choose(positions) {
    const all = positions.length === this.fields.length && positions.every((position, i) => position === i);
    this.change({ columns: all ? null : positions.join() });
  }

  /**
   * @param {Event} event
   * @param {() => void} action
   */
  #submit(event, action) {
    event.preventDefault();
    action();
  }

  #goTo() {
    const row = Number(this.row.value.replaceAll(/[\s,._]/g, ''));
    if (!Number.isInteger(row) || row < 0 || row >= this.windows.rows) {
      tell(`Expected a row from 0 to ${grouped(Math.max(0, this.windows.rows - 1))} but found ${this.row.value}`);
      return;
    }
    this.#grid?.go(row, this.#grid.active.column);
    this.#grid?.element.focus();
  }

  #noteDrawer() {
    if (!this.host.hidden) {
      replaceState({ side: this.drawer.state });
      this.#linkPin();
    }
  }

  /**
   * @param {Grid} grid
   * @param {RowWindows} windows
   * @param {boolean} complete whether all that is seen is here
   */
  #painted(grid, windows, complete) {
    this.#showFailure(grid, windows);
    const isSummarized = this.rows * this.fields.length <= MOST_SUMMARIZED_CELLS;
    if (complete && this.filtering.box.placeholder === PLACEHOLDER) {
      this.filtering.box.placeholder = `${PLACEHOLDER}, or a filter`;
      if (!isSummarized) {
        this.#offerExample();
      }
    }
    if (complete && isSummarized) {
      this.#pictures ??= load('dataset/header-pictures.js').then(({ HeaderPictures }) => new HeaderPictures(this));
      // Headers without pictures are not told as a failure, and tried again after a while.
      this.#pictures.then((pictures) => pictures.fill(this.stage)).catch(() => setTimeout(() => (this.#pictures = null), RETRY_MILLISECONDS));
    }
  }

  /**
   * Offers an example of a filter, once the statistics are here that have a value for it.
   *
   * @param {import('./statistics.js').StatisticsSource} statistics
   */
  summarized(statistics) {
    if (!this.#hasExample) {
      this.#hasExample = true;
      this.#offerExample((position) => {
        const entry = statistics.entries.find(({ path }) => path.join() === String(position));
        return entry && statistics.of(entry);
      });
    }
  }

  /** @param {(position: number) => import('./statistics.js').ColumnStatistics | undefined} [known] */
  #offerExample(known) {
    load('filter/example.js').then(
      ({ exampleOf }) => (this.filtering.box.placeholder = `${PLACEHOLDER}, or ${exampleOf(this.fields, known)}`),
      () => null,
    );
  }

  /**
   * Tells of the failure of a window among those that are seen.
   *
   * @param {Grid} grid
   * @param {RowWindows} windows
   */
  #showFailure(grid, windows) {
    const { row, column } = grid.active;
    const first = Math.floor(grid.rows.top);
    const found = [windows.at(first, column), windows.at(row, column)].find((window) => window?.failure);
    const shown = this.stage.querySelector('.failure');
    if (found && !shown) {
      this.stage.append(failure(found.failure, () => {
        this.stage.querySelector('.failure')?.remove();
        windows.retry();
      }));
    } else if (!found) {
      shown?.remove();
    }
  }

  /** @param {KeyboardEvent} event */
  #pressed(event) {
    if (this.host.hidden || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    if (event.key === 'Escape' && this.#drawer?.isOpen) {
      this.#drawer.close();
      event.preventDefault();
      return;
    }
    // Single letters are keys of the rows alone, since people dictate, too.
    const target = /** @type {Element} */ (event.target);
    const isHere = target === document.body || this.stage.contains(target);
    if (!isHere || target.closest('input')) {
      return;
    }
    const position = this.#grid ? this.positions[this.#grid.active.column] : null;
    /** @type {Record<string, () => unknown>} */
    const actions = {
      g: () => this.row.select(),
      '/': () => this.filtering.box.focus(),
      '?': () => this.#withDrawer((drawer) => drawer.open('drawers/keys-drawer.js')),
      h: () => this.#withDrawer((drawer) => drawer.open('drawers/column-chooser.js')),
      c: () => this.#withDrawer((drawer) => drawer.openColumn(position)),
      y: () => this.#withDrawer((drawer) => drawer.openCopying()),
      s: () => this.#sortOn(position, false),
      S: () => this.#sortOn(position, true),
      r: () => this.#withDrawer((drawer) => this.#grid && drawer.openRecord(this.#grid.active.row)),
    };
    if (Object.hasOwn(actions, event.key) && (this.#grid || event.key === '/')) {
      actions[event.key]();
      event.preventDefault();
    }
  }

  /**
   * Sorts by a column, in its next direction.
   *
   * @param {number | null} position
   * @param {boolean} adds whether other columns stay in the order
   */
  #sortOn(position, adds) {
    if (position !== null) {
      load('dataset/sorting.js').then(({ sortOn }) => sortOn(this, position, adds), () => tell(NOT_LOADED));
    }
  }
}
