// The page of a dataset: its views, its downloads, and whether there is a newer version.
// @ts-check

import '../lib/colours.js';
import { noteAsked } from '../lib/asked.js';
import { element } from '../lib/elements.js';
import { failure } from '../lib/failure.js';
import { load } from '../lib/modules.js';
import { base, countRows, datasetPath } from '../lib/requests.js';
import { fragment, readState, whenStateChanged } from '../lib/url-state.js';
import { downloadMenu } from './download-menu.js';
import { canSort, selection } from './rows-state.js';
import { RowsView } from './rows-view.js';
import { watch } from './version-watch.js';

/** Parameters that select other rows or columns, which the page shows as they are without scripts. */
const SELECTION = ['columns', 'limit', 'offset', 'rows', 'sample', 'since'];

/**
 * The version of a dataset that the page shows.
 *
 * @typedef {object} Dataset
 * @property {string} name
 * @property {number} version
 * @property {number} rows
 * @property {string} etag
 * @property {string} path of this version
 * @property {boolean} pinned whether the URL names the version
 * @property {ChildNode[]} described the nodes that the page has without scripts
 * @property {() => Map<string, string>} onScreen the parameters of a request for the rows and columns that the view of the rows
 *     shows, or showed when it was left
 * @property {() => boolean} isSorted whether the view of the rows sorts them, or did when it was left
 * @property {() => Promise<string | null>} sortedOnScreen a statement that returns them in their order, or null
 */

/**
 * A view of a dataset. `show` is called whenever the view is opened and whenever the state in the URL changes while it is open.
 * If it throws, the failure takes the place of the view until another attempt succeeds; a view shows the failures of its parts
 * itself.
 *
 * @typedef {{ show(values: Map<string, string>): unknown }} Shown
 */

/**
 * The views of a dataset, in the order of their links. The key of a view is its fragment. The module of a view is imported when
 * the view is first opened; its `create` fills an element. A view with `wide` has the whole width of the window.
 *
 * @typedef {{ create(host: HTMLElement, dataset: Dataset): Shown | Promise<Shown> }} ViewModule
 * @type {Record<string, { title: string, wide?: boolean, load: () => ViewModule | Promise<ViewModule> }>}
 */
const VIEWS = {
  rows: { title: 'Rows', wide: true, load: () => ({ create: (host, dataset) => new RowsView(host, dataset) }) },
  profile: { title: 'Profile', wide: true, load: () => load('dataset/profile-view.js') },
  chart: { title: 'Chart', wide: true, load: () => load('chart/chart-view.js') },
  schema: { title: 'Schema', load: () => load('dataset/schema-view.js') },
  versions: { title: 'Versions', load: () => load('dataset/versions-view.js') },
  use: { title: 'Use it', load: () => load('dataset/snippets-view.js') },
  anatomy: { title: 'Anatomy', load: () => load('anatomy/anatomy.js') },
};

/** A view of a dataset: its link and its part of the page, which is filled when the view is first opened. */
class View {
  /** @type {Promise<Shown> | null} */
  #filled = null;

  /**
   * @param {string} name
   * @param {Dataset} dataset
   */
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

  /** @param {Map<string, string>} values */
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

/**
 * Moves the condition from the query, where it is for programs, to the fragment, where it can be changed.
 *
 * @param {URLSearchParams} parameters
 */
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

/** Leads from the name that the profile had before to its present one. */
function renameView() {
  const { view, values } = readState();
  if (view === 'columns') {
    history.replaceState(null, '', location.pathname + location.search + fragment('profile', Object.fromEntries(values)));
  }
}

/** The values of the view of the rows that a statement can say. */
const ASKED = ['where', 'search', 'sort', 'columns'];
/** The rows and the view of the latest state. */
let asked = '';
/** The link to a statement that reads the first rows. */
let plain = '';
/** Whether the condition in the link is one that the service accepts. */
let isAccepted = false;

/**
 * Lets a link lead to a statement with the rows and columns that are shown.
 *
 * @param {HTMLAnchorElement} link
 * @param {Dataset} dataset
 * @param {Map<string, string>} values
 */
async function ask(link, dataset, values) {
  const wanted = JSON.stringify(ASKED.map((key) => values.get(key) ?? ''));
  if (wanted === asked) {
    return;
  }
  asked = wanted;
  isAccepted = false;
  plain ||= link.href;
  const isPlain = ASKED.every((key) => (values.get(key) ?? '') === '');
  const where = values.get('where') ?? '';
  const [statement, accepted] = await Promise.all([
    isPlain ? null : load('dataset/asked-statement.js').then(({ askedStatement }) => askedStatement(dataset, values)).catch(() => null),
    // The link to this page may have any text as a condition, of which the service accepts conditions alone.
    where === '' || countRows(dataset.path, { where }).then(() => true, () => false),
  ]);
  if (wanted === asked) {
    link.href = statement === null ? plain : `${base}/sql${fragment('sql', { q: statement })}`;
    isAccepted = accepted;
  }
}

/**
 * Lets the statement run to which a link leads.
 *
 * @param {HTMLAnchorElement} link
 */
function allow({ hash, search }) {
  const sql = readState(hash).values.get('q') ?? new URLSearchParams(search).get('q');
  if (isAccepted && sql !== null) {
    noteAsked(sql);
  }
}

/**
 * Shows the view that the fragment names.
 *
 * @param {HTMLElement} page
 */
function show(page) {
  const parameters = new URLSearchParams(location.search);
  if (SELECTION.some((name) => parameters.has(name))) {
    return;
  }
  moveCondition(parameters);
  const { name = '', version, etag = '' } = page.dataset;
  /** @type {Dataset} */
  const dataset = {
    name,
    version: Number(version),
    rows: Number(page.dataset.rows),
    etag,
    path: datasetPath(name, version),
    pinned: page.dataset.pinned !== undefined,
    described: [...page.childNodes],
    onScreen: () => selection(rowsState()),
    isSorted: () => canSort() && (rowsState().get('sort') ?? '') !== '',
    sortedOnScreen: async () => (await load('dataset/sorting.js')).sortedSelection(dataset, rowsState()),
  };
  const title = document.title;
  // A chart is computed by statements.
  const names = Object.keys(VIEWS).filter((key) => key !== 'chart' || canSort());
  const views = new Map(names.map((key) => [key, new View(key, dataset)]));
  const rows = /** @type {View} */ (views.get('rows'));
  const rowsState = () => readState(rows.isOpen ? undefined : rows.link.hash).values;
  const parts = [...views.values()];
  page.replaceChildren(
    element('nav', { class: 'views', 'aria-label': 'Views' }, ...parts.map(({ link }) => link)),
    ...parts.map(({ host }) => host),
  );
  const asking = /** @type {HTMLAnchorElement | null} */ (document.querySelector(`header a[href^="${base}/sql?"]`));
  asking?.addEventListener('click', () => allow(asking));
  const news = element('span', { role: 'status' });
  document.querySelector('header h1')?.append(' ', news);
  document.querySelector('header')?.append(downloadMenu(dataset));
  document.body.classList.add('app');
  /** @param {HashChangeEvent} [event] */
  const display = (event) => {
    if (event) {
      // The link of a view leads back to the state in which it was left.
      const { hash } = new URL(event.oldURL);
      views.get(readState(hash).view || 'rows')?.link.setAttribute('href', hash || fragment('rows'));
    }
    renameView();
    const { view: named, values } = readState();
    const shown = views.get(named) ?? rows;
    parts.forEach((view) => (view.isOpen = view === shown));
    if (shown === rows) {
      // The statistics of the columns and the chart are those of the rows that are shown.
      for (const view of parts.filter(({ name }) => name === 'profile' || name === 'chart')) {
        const kept = Object.fromEntries(readState(view.link.hash).values);
        view.link.href = fragment(view.name, { ...kept, where: values.get('where'), search: values.get('search') });
      }
    }
    document.body.classList.toggle('wide', VIEWS[shown.name].wide === true);
    document.title = shown === rows ? title : `${shown.title} · ${title}`;
    shown.show(values);
    if (asking) {
      ask(asking, dataset, rowsState());
    }
  };
  whenStateChanged(display);
  display();
  if (!dataset.pinned) {
    watch(dataset, news);
  }
}

show(/** @type {HTMLElement} */ (document.querySelector('main')));
