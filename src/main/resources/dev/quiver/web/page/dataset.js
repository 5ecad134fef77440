// The page of a dataset: its views, of which the rows are here, and whether there is a newer version.

import { Problem, authorization, datasetPath, failure, json, send, tell } from './api.js';
import { Grid, WINDOW_COLUMNS, WINDOW_ROWS, columnHead } from './grid.js';
import { element, fragment, goTo, grouped, isolated, readState, replaceState, visible, whenStateChanged } from './page.js';
import { full, tableFromIPC } from './values.js';

const MOST_REQUESTS = 4;
const MOST_WINDOWS = 160;
// Proxies have members of any name, such as __proto__.
const DECODING = { useBigInt: true, useDecimalInt: true, useBigIntTimestamp: true, useProxy: true };

/**
 * The windows of a version, or of the rows of it that match a condition. A version never changes, so a window is
 * fetched once, and kept while it is among those that were looked at last.
 */
class Windows {
  #kept = new Map();
  #open = new Map();

  /**
   * @param path of the version, without a suffix
   * @param query further parameters, such as `where`
   * @param changed called after a window has arrived or failed
   */
  constructor(path, { rows, columns, query = '', changed }) {
    this.path = path;
    this.rows = rows;
    this.columns = columns;
    this.query = query;
    this.changed = changed;
  }

  /** The window of a cell: its columns or its failure, or undefined if it is not here. */
  at(row, column) {
    const key = this.#key(row, column);
    const window = this.#kept.get(key);
    if (window) {
      // The latest ones are at the end.
      this.#kept.delete(key);
      this.#kept.set(key, window);
    }
    return window;
  }

  /** Fetches the windows of some cells, and gives up those that nobody looks at any more. */
  want(cells) {
    const wanted = new Map(cells.map(([row, column]) => [this.#key(row, column), [row, column]]));
    for (const [key, control] of this.#open) {
      if (!wanted.has(key)) {
        control.abort();
        this.#open.delete(key);
      }
    }
    for (const [key, [row, column]] of wanted) {
      if (this.#open.size >= MOST_REQUESTS) {
        break;
      }
      if (!this.#kept.has(key) && !this.#open.has(key)) {
        this.#fetch(key, row, column);
      }
    }
  }

  /** Forgets the failures, so that they are tried again. */
  retry() {
    for (const [key, window] of this.#kept) {
      if (window.failure) {
        this.#kept.delete(key);
      }
    }
    this.changed();
  }

  close() {
    this.#open.forEach((control) => control.abort());
    this.#open.clear();
  }

  #key(row, column) {
    return `${Math.floor(row / WINDOW_ROWS)} ${Math.floor(column / WINDOW_COLUMNS)}`;
  }

  async #fetch(key, row, column) {
    const control = new AbortController();
    this.#open.set(key, control);
    let window;
    try {
      window = await this.#read(row - (row % WINDOW_ROWS), column - (column % WINDOW_COLUMNS), control.signal);
    } catch (failure) {
      window = { failure };
    }
    if (this.#open.get(key) !== control) {
      return;
    }
    this.#open.delete(key);
    this.#kept.set(key, window);
    while (this.#kept.size > MOST_WINDOWS) {
      this.#kept.delete(this.#kept.keys().next().value);
    }
    this.changed();
  }

  async #read(row, column, signal) {
    const limit = Math.min(WINDOW_ROWS, this.rows - row);
    const positions = [];
    for (let i = column; i < Math.min(column + WINDOW_COLUMNS, this.columns); i++) {
      positions.push(`[${i}]`);
    }
    const parameters = new URLSearchParams(this.query);
    parameters.set('codec', 'none');
    parameters.set('dictionaries', 'used');
    parameters.set('offset', row);
    parameters.set('limit', limit);
    parameters.set('columns', positions.join(','));
    const response = await send(`${this.path}.arrows?${parameters}`, { signal });
    const table = tableFromIPC(await response.arrayBuffer(), DECODING);
    if (table.numRows !== limit) {
      throw new Problem(0, { detail: `Expected ${limit} rows but found ${table.numRows} at row ${row}` });
    }
    return {
      column,
      row,
      columns: positions.map((_, i) => table.getChildAt(i)),
    };
  }
}

/** Shows the rows of a version in a part of the page. */
class RowsView {
  #grid = null;
  #windows = null;

  constructor(host, { name, version, rows, where }) {
    this.host = host;
    this.path = datasetPath(name, version);
    this.name = name;
    this.rows = rows;
    this.standard = where;
    this.count = element('output', { class: 'count' });
    this.row = element('input', { type: 'text', inputmode: 'numeric', size: 10, 'aria-label': 'Go to row', placeholder: 'row' });
    this.where = element('input', {
      type: 'text',
      class: 'where',
      'aria-label': 'Condition',
      placeholder: 'condition, such as minutes > 100',
      spellcheck: 'false',
    });
    this.drawer = element('aside', { class: 'drawer', 'aria-label': 'Value', hidden: true });
    this.stage = element('div', { class: 'stage' });
    host.replaceChildren(
      element(
        'div',
        { class: 'bar' },
        element('form', { onsubmit: (event) => this.#submit(event, () => this.#filter(this.where.value)) }, this.where),
        element('form', { onsubmit: (event) => this.#submit(event, () => this.#goTo()) }, this.row),
        this.count,
      ),
      this.stage,
      this.drawer,
    );
    document.addEventListener('keydown', (event) => this.#pressed(event));
  }

  /** Reads the state of the URL, and shows what it says. */
  async show() {
    const { values } = readState();
    const where = values.get('where') ?? this.standard;
    try {
      this.schema ??= await json(`${this.path}/schema`);
      if (!this.#grid || where !== this.shown) {
        await this.#open(where);
      }
    } catch (error) {
      this.stage.replaceChildren(failure(error, () => this.show()));
      return;
    }
    const row = Number(values.get('row') ?? 0);
    const column = Number(values.get('column') ?? 0);
    if (row > 0 || column > 0) {
      this.#grid.go(row, column);
    }
  }

  async #open(where) {
    this.#windows?.close();
    const rows = where === '' ? this.rows : await this.#matches(where);
    this.where.value = where;
    this.shown = where;
    const fields = this.schema.fields;
    this.#windows = new Windows(this.path, {
      rows,
      columns: fields.length,
      query: where === '' ? '' : new URLSearchParams({ where }).toString(),
      changed: () => this.#grid.paintSoon(),
    });
    this.#grid = new Grid({ windows: this.#windows, fields, label: `Rows of ${visible(this.name)}`, head: columnHead });
    this.#grid.addEventListener('active', ({ detail }) => replaceState({ row: detail.row || null, column: detail.column || null }));
    this.#grid.addEventListener('open', ({ detail }) => this.#showValue(detail));
    this.#grid.addEventListener('refused', ({ detail }) => tell(detail));
    this.#grid.addEventListener('painted', () => this.#showFailure());
    this.count.textContent =
      where === '' ? `${grouped(rows)} rows` : `${grouped(rows)} of ${grouped(this.rows)} rows`;
    const empty = rows === 0 ? element('p', { class: 'empty' }, where === '' ? 'No rows' : 'No row matches') : null;
    this.stage.replaceChildren(...[this.#grid.element, empty].filter(Boolean));
  }

  /** The number of rows that match, which the service counts without sending them. */
  async #matches(where) {
    const url = `${this.path}.arrows?${new URLSearchParams({ where })}`;
    const response = await send(url, { method: 'HEAD' }).catch((error) => {
      // The response to HEAD does not say what is wrong.
      return error.status === 400 || error.status === 422 ? send(url) : Promise.reject(error);
    });
    return Number(response.headers.get('Arrow-Row-Count'));
  }

  #submit(event, action) {
    event.preventDefault();
    action();
  }

  #filter(where) {
    goTo('rows', { where: where.trim() });
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

  #showValue({ row, column, value, type }) {
    const field = this.schema.fields[column];
    const text = full(value, type);
    this.drawer.hidden = false;
    this.drawer.replaceChildren(
      element('h2', {}, isolated(visible(field.name)), ` at row ${grouped(row)}`),
      element('p', {}, element('small', {}, field.arrowType)),
      element('pre', { tabindex: 0 }, visible(text)),
      element('button', { type: 'button', onclick: () => this.#copy(text) }, 'Copy'),
      ' ',
      element('button', { type: 'button', onclick: () => this.#closeDrawer() }, 'Close'),
    );
    this.drawer.querySelector('pre').focus();
  }

  #closeDrawer() {
    this.drawer.hidden = true;
    this.#grid.element.focus();
  }

  async #copy(text) {
    try {
      await navigator.clipboard.writeText(text);
      tell('Copied');
    } catch {
      // Only pages of this machine or with TLS may.
      getSelection().selectAllChildren(this.drawer.querySelector('pre'));
      tell('Selected, to be copied by hand');
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
    if (this.host.hidden || event.target.closest('input, textarea') || event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    if (event.key === 'g') {
      this.row.select();
      this.row.focus();
      event.preventDefault();
    } else if (event.key === '/') {
      this.where.focus();
      event.preventDefault();
    } else if (event.key === 'Escape' && !this.drawer.hidden) {
      this.#closeDrawer();
    }
  }
}

const POLL_MILLISECONDS = 10_000;

/** Parameters that select other rows or columns, which the page shows as they are without scripts. */
const SELECTION = ['columns', 'limit', 'offset', 'sample', 'since'];

/**
 * The views of a dataset, in the order of their links. The key of a view is its fragment.
 *
 * The module of a view is imported when the view is opened first. It exports `create(host, dataset)`, which fills the
 * element `host` and returns an object with `show(values)`. That is called whenever the view is opened and whenever the
 * state in the URL changes while it is open; `values` is the map of readState(). If `show` throws, the failure takes the
 * place of the view until another attempt succeeds; a view shows the failures of its parts itself.
 *
 * `dataset` has `name`, `version`, `rows`, `etag`, `path` (of this version), `pinned` (whether the URL names the version),
 * `where` (the condition in the query of the URL, or '') and `described` (the nodes that the page has without scripts).
 *
 * A view with `wide` has the whole width of the window.
 */
const VIEWS = {
  rows: { title: 'Rows', wide: true, load: () => ({ create: (host, dataset) => new RowsView(host, dataset) }) },
  schema: { title: 'Schema', load: (attempt) => import(`./schema.js${attempt}`) },
};

/** A view of a dataset: its link and its part of the page, which is filled when the view is opened first. */
class View {
  #failures = 0;
  #filled = null;

  constructor(name, dataset) {
    this.name = name;
    this.dataset = dataset;
    this.title = VIEWS[name].title;
    this.link = element('a', { href: fragment(name) }, this.title);
    this.host = element('section', { 'aria-label': this.title, hidden: true });
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
      this.#failures++;
      if (!(error instanceof Problem)) {
        reportError(error);
      }
      this.host.replaceChildren(failure(error, () => this.show(readState().values)));
    }
  }

  async #fill() {
    // Browsers remember a module that failed to load. Another fragment makes it another module.
    const { create } = await VIEWS[this.name].load(this.#failures === 0 ? '' : `#${this.#failures}`);
    this.host.replaceChildren();
    return create(this.host, this.dataset);
  }
}

/** Shows the view that the fragment names. */
function show(page) {
  const parameters = new URLSearchParams(location.search);
  if (SELECTION.some((name) => parameters.has(name))) {
    return;
  }
  const { name, version } = page.dataset;
  const dataset = {
    name,
    version: Number(version),
    rows: Number(page.dataset.rows),
    etag: page.dataset.etag,
    path: datasetPath(name, version),
    pinned: page.dataset.pinned !== undefined,
    where: parameters.get('where') ?? '',
    described: [...page.childNodes],
  };
  const title = document.title;
  const views = new Map(Object.keys(VIEWS).map((key) => [key, new View(key, dataset)]));
  const parts = [...views.values()];
  page.replaceChildren(
    element('nav', { class: 'views', 'aria-label': 'Views' }, ...parts.map(({ link }) => link)),
    ...parts.map(({ host }) => host),
  );
  document.body.classList.add('app');
  const display = () => {
    const { view: named, values } = readState();
    const shown = views.get(named) ?? views.get('rows');
    parts.forEach((view) => (view.isOpen = view === shown));
    document.body.classList.toggle('wide', VIEWS[shown.name].wide === true);
    document.title = shown.name === 'rows' ? title : `${shown.title} · ${title}`;
    shown.show(values);
  };
  // The link of a view leads back to the state in which it was left.
  addEventListener('hashchange', ({ oldURL }) => {
    const { hash } = new URL(oldURL);
    views.get(readState(hash).view || 'rows')?.link.setAttribute('href', hash || fragment('rows'));
  });
  whenStateChanged(display);
  display();
  if (!dataset.pinned) {
    watch(dataset);
  }
}

/** Asks for a newer version while the page is seen, and shows a quiet link once there is one. */
function watch({ name, version, etag }) {
  const path = datasetPath(name);
  const timer = setInterval(async () => {
    if (document.hidden) {
      return;
    }
    const headers = { ...authorization(), Accept: 'application/vnd.apache.arrow.file', 'If-None-Match': etag };
    let response;
    try {
      response = await fetch(path, { method: 'HEAD', cache: 'no-store', headers });
    } catch {
      // The service may be back at the next time.
      return;
    }
    const newest = Number(response.headers.get('Quiver-Version'));
    if (response.status === 410 || newest > version) {
      clearInterval(timer);
      const text = response.status === 410 ? 'This dataset was deleted' : `Version ${grouped(newest)} is there`;
      document.querySelector('header h1').append(' ', element('a', { class: 'badge', href: path, role: 'status' }, text));
    }
  }, POLL_MILLISECONDS);
}

show(document.querySelector('main'));
