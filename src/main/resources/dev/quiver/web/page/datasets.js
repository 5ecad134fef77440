// The list of datasets, a search in it, and uploads.

import {
  byteSize,
  counted,
  datasetPath,
  element,
  failure,
  grouped,
  isolated,
  json,
  readState,
  replaceState,
  visible,
  whenStateChanged,
} from './page.js';
import { Uploads } from './uploads.js';

const PAGE_SIZE = 100;
const REST_MILLISECONDS = 150;
const SORTS = { name: 'name', rows: 'rows', bytes: 'bytes', modified: 'modified' };

/** Shows the list. */
async function show(page) {
  const uploads = new Uploads(page.dataset.writable !== undefined);
  const list = new DatasetList();
  uploads.addEventListener('stored', () => list.refresh());
  const help = page.querySelector('details.help');
  help.open = false;
  // The list may have no end, so it comes last.
  page.replaceChildren(uploads.element, help, list.element);
  document.body.classList.add('app');
  whenStateChanged(() => list.show());
  await list.show();
}

class DatasetList {
  #request = 0;

  constructor() {
    this.search = element('input', { type: 'search', 'aria-label': 'Search datasets', placeholder: 'search', spellcheck: 'false' });
    this.search.addEventListener('input', () => {
      clearTimeout(this.resting);
      this.resting = setTimeout(() => this.#change({ q: this.search.value.trim() }), REST_MILLISECONDS);
    });
    this.count = element('output', { class: 'count' });
    this.rows = element('tbody');
    this.more = element('p', { class: 'more' });
    this.element = element(
      'section',
      { class: 'datasets' },
      element('div', { class: 'bar' }, this.search, this.count),
      element('table', {}, element('thead', {}, this.#heads()), this.rows),
      this.more,
    );
    new IntersectionObserver(([entry]) => entry.isIntersecting && this.next && this.#append(this.next)).observe(this.more);
  }

  #heads() {
    this.sorts = Object.entries(SORTS).map(([label, key]) => {
      const button = element('button', { type: 'button', onclick: () => this.#sort(key) }, label);
      return { key, cell: element('th', { class: label === 'name' ? null : 'number', scope: 'col' }, button) };
    });
    return element('tr', {}, ...this.sorts.map(({ cell }) => cell));
  }

  #sort(key) {
    const present = readState().values.get('sort') ?? 'name';
    this.#change({ sort: present === key ? `-${key}` : key });
  }

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
    const parameters = new URLSearchParams({ limit: PAGE_SIZE, sort, total: 'true' });
    if (query !== '') {
      parameters.set('q', query);
    }
    await this.#load(`/datasets?${parameters}`, (rows) => this.rows.replaceChildren(...rows));
  }

  async #append(path) {
    this.next = null;
    await this.#load(path, (rows) => this.rows.append(...rows));
  }

  async #load(path, put) {
    const number = ++this.#request;
    try {
      const found = await json(path);
      if (number !== this.#request) {
        return;
      }
      put(found.datasets.map(row));
      this.next = found.next ?? null;
      if (found.total !== undefined) {
        this.count.textContent = counted(found.total, 'dataset');
      }
      this.more.replaceChildren(this.next ? 'more…' : '');
    } catch (error) {
      if (number !== this.#request) {
        return;
      }
      this.more.replaceChildren(failure(error, () => this.show()));
    }
  }
}

function row(dataset) {
  const name = element('a', { href: datasetPath(dataset.name) }, isolated(visible(dataset.name)));
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

/** How long ago a time was, such as 3 hours ago. */
function ago(time) {
  const seconds = (time.getTime() - Date.now()) / 1000;
  const format = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
  for (const [unit, length] of [['year', 31_557_600], ['month', 2_629_800], ['day', 86_400], ['hour', 3600], ['minute', 60]]) {
    if (Math.abs(seconds) >= length) {
      return format.format(Math.round(seconds / length), unit);
    }
  }
  return 'now';
}

await show(document.querySelector('main'));
