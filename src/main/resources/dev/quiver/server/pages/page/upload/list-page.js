// The list of datasets, a search in it, and uploads.
// @ts-check

import '../lib/colours.js';
import { button, byteSize, counted, element, grouped, isolated, visible } from '../lib/elements.js';
import { empty } from '../lib/empty.js';
import { failure } from '../lib/failure.js';
import { isFramed } from '../lib/frame.js';
import { icon } from '../lib/icons.js';
import { stylesheet } from '../lib/modules.js';
import { Problem, base, datasetPath, json } from '../lib/requests.js';
import { readState, replaceState, whenStateChanged } from '../lib/url-state.js';
import { DropZone } from './drop-zone.js';

const PAGE_SIZE = 100;
/** @type {[Intl.RelativeTimeFormatUnit, number][]} */
const UNITS = [['year', 31_557_600], ['month', 2_629_800], ['day', 86_400], ['hour', 3600], ['minute', 60]];
const NAMES = new Intl.Collator('en', { numeric: true });
const REST_MILLISECONDS = 150;
const SORTS = { Name: 'name', Rows: 'rows', Size: 'bytes', Modified: 'modified' };

/**
 * Shows the list.
 *
 * @param {HTMLElement} page
 */
async function show(page) {
  const uploads = new DropZone(page.dataset.writable !== undefined && !isFramed);
  const list = new DatasetList(!uploads.element.hidden);
  uploads.addEventListener('stored', () => list.refresh());
  list.addEventListener('shown', () => (uploads.isFirst = list.isEmpty));
  const help = /** @type {HTMLDetailsElement} */ (page.querySelector('details.help'));
  help.open = false;
  // The list may have no end, so it comes last.
  page.replaceChildren(uploads.element, help, list.element);
  document.body.classList.add('app');
  whenStateChanged(() => list.show());
  await list.show();
}

/** The list. It dispatches `shown` whenever it has changed. */
class DatasetList extends EventTarget {
  /** Whether nothing is stored. */
  isEmpty = false;

  #control = new AbortController();
  /** @type {number | undefined} */
  #resting;
  /**
   * The path of the next page, or null.
   *
   * @type {string | null}
   */
  #next = null;

  /** @param {boolean} isWritable */
  constructor(isWritable) {
    super();
    this.isWritable = isWritable;
    this.search = element('input', { type: 'search', 'aria-label': 'Search datasets', placeholder: 'Search datasets', spellcheck: 'false' });
    this.search.addEventListener('input', () => {
      clearTimeout(this.#resting);
      this.#resting = setTimeout(() => this.#change({ q: this.search.value.trim() }), REST_MILLISECONDS);
    });
    this.count = element('output', { class: 'count' });
    this.rows = element('tbody');
    this.more = element('p', { class: 'more' });
    this.sorts = this.#heads();
    this.table = element('table', {}, element('thead', {}, element('tr', {}, ...this.sorts.map(({ cell }) => cell))), this.rows);
    this.bar = element('div', { class: 'bar' }, element('span', { class: 'search' }, icon('search'), this.search), this.count);
    this.nothing = element('div', { class: 'nothing' });
    this.element = element(
      'section',
      { class: 'datasets' },
      this.bar,
      element('div', { class: 'panel' }, this.table, this.nothing),
      this.more,
    );
    this.end = new IntersectionObserver((entries) => entries[entries.length - 1].isIntersecting && this.#next && this.#append(this.#next));
  }

  #heads() {
    return Object.entries(SORTS).map(([label, key]) => {
      const button = element('button', { type: 'button', onclick: () => this.#sort(key) }, label);
      return { key, cell: element('th', { class: key === 'name' ? null : 'number', scope: 'col' }, button) };
    });
  }

  /** @param {string} key */
  #sort(key) {
    const present = readState().values.get('sort') ?? 'name';
    this.#change({ sort: present === key ? `-${key}` : key });
  }

  /** @param {import('../lib/url-state.js').Values} values */
  #change(values) {
    replaceState(values, 'list');
    this.show();
  }

  refresh() {
    return this.show();
  }

  async show() {
    const { values } = readState();
    const sort = values.get('sort') ?? 'name';
    const query = values.get('q') ?? '';
    if (this.search !== document.activeElement) {
      this.search.value = query;
    }
    this.sorts.forEach(({ key, cell }) => {
      const order = sort === key ? 'ascending' : sort === `-${key}` ? 'descending' : 'none';
      cell.setAttribute('aria-sort', order);
    });
    this.#control.abort();
    this.#control = new AbortController();
    const { signal } = this.#control;
    const parameters = new URLSearchParams({ limit: String(PAGE_SIZE), sort });
    if (query !== '') {
      parameters.set('q', query);
    }
    // By name, the first page is here long before all datasets are counted.
    if (sort !== 'name') {
      parameters.set('total', 'true');
    }
    this.table.setAttribute('aria-busy', 'true');
    this.#next = null;
    const found = await this.#load(`${base}/datasets?${parameters}`, signal, () => this.show());
    if (signal.aborted) {
      return;
    }
    this.table.removeAttribute('aria-busy');
    // Without a response, the list in this order is empty.
    const datasets = found?.datasets ?? [];
    if (!found?.next && sort.endsWith('name')) {
      datasets.sort(byName(sort === 'name' ? 1 : -1));
    }
    this.rows.replaceChildren(...datasets.map(row));
    this.isEmpty = found !== null && datasets.length === 0 && query === '';
    this.table.hidden = datasets.length === 0;
    this.element.hidden = this.isEmpty && this.isWritable;
    this.nothing.replaceChildren(...(found && datasets.length === 0 ? [this.#toldNothing(query)] : []));
    this.dispatchEvent(new Event('shown'));
    this.#watchEnd();
    if (found?.next && sort === 'name') {
      await this.#count(query, signal);
    } else {
      this.count.textContent = found ? counted(found.total ?? found.datasets.length, 'dataset') : '';
    }
  }

  /** @param {string} query */
  #toldNothing(query) {
    if (query === '') {
      return empty('dataset', 'No datasets yet', 'You may read here, and nothing is stored that you may see.');
    }
    const clear = button('Show all datasets', () => {
      this.search.value = '';
      this.#change({ q: null });
      this.search.focus();
    });
    return empty('search', 'No dataset has this name', element('span', {}, 'The search for ', element('b', {}, isolated(visible(query))), ' looks at names alone, whole or in part.'), clear);
  }

  /**
   * Tells the number of all datasets, without which the list is complete nevertheless.
   *
   * @param {string} query
   * @param {AbortSignal} signal
   */
  async #count(query, signal) {
    const parameters = new URLSearchParams({ limit: '1', total: 'true', q: query });
    try {
      const { total } = await json(`${base}/datasets?${parameters}`, { signal });
      this.count.textContent = counted(total, 'dataset');
    } catch (error) {
      if (!signal.aborted) {
        const maximum = error instanceof Problem ? error.document?.limit?.maximum : undefined;
        this.count.textContent = maximum ? `more than ${counted(maximum, 'dataset')}` : '';
      }
    }
  }

  /** @param {string} path */
  async #append(path) {
    const { signal } = this.#control;
    this.#next = null;
    const found = await this.#load(path, signal, () => this.#append(path));
    if (found && !signal.aborted) {
      this.rows.append(...found.datasets.map(row));
      this.#watchEnd();
    }
  }

  /** Learns whether the end is in sight, even if it was before. */
  #watchEnd() {
    this.end.unobserve(this.more);
    this.end.observe(this.more);
  }

  /**
   * A page of the list, or null after a failure, which is shown.
   *
   * @param {string} path
   * @param {AbortSignal} signal
   * @param {() => unknown} retry
   */
  async #load(path, signal, retry) {
    try {
      const found = await json(path, { signal });
      if (!signal.aborted) {
        this.#next = found.next ?? null;
        this.more.replaceChildren(this.#next ? 'more…' : '');
      }
      return found;
    } catch (error) {
      if (!signal.aborted) {
        this.more.replaceChildren(failure(error, retry));
      }
      return null;
    }
  }
}

/**
 * Compares datasets as people order names: `movies`, `movies2`, `movies10`. The service has the order of its store, which
 * only a complete list can leave.
 *
 * @param {1 | -1} direction
 * @returns {(one: { name: string }, other: { name: string }) => number}
 */
const byName = (direction) => (one, other) => direction * NAMES.compare(one.name, other.name);

/** @param {any} dataset */
function row(dataset) {
  const name = element('a', { href: datasetPath(dataset.name) }, icon('dataset'), isolated(visible(dataset.name)));
  if (dataset.damaged) {
    return element('tr', {}, element('td', {}, name, element('small', {}, ' damaged')), element('td', { colspan: 3 }));
  }
  const modified = new Date(dataset.modified);
  return element(
    'tr',
    {},
    element('td', {}, name),
    element('td', { class: 'number' }, grouped(dataset.rows)),
    element('td', { class: 'number', title: `${grouped(dataset.bytes)} bytes` }, byteSize(dataset.bytes)),
    element('td', { class: 'number' }, element('time', { datetime: dataset.modified, title: dataset.modified }, ago(modified))),
  );
}

/**
 * Returns the age of a time, such as 3 hours ago.
 *
 * @param {Date} time
 */
function ago(time) {
  const seconds = (time.getTime() - Date.now()) / 1000;
  const format = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
  for (const [unit, length] of UNITS) {
    if (Math.abs(seconds) >= length) {
      return format.format(Math.round(seconds / length), unit);
    }
  }
  return 'now';
}

await stylesheet('upload/uploads.css').catch(() => null);
await show(/** @type {HTMLElement} */ (document.querySelector('main')));
