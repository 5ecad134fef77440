// The statistics of the columns of a version, one card per column.

import { Problem, failure, json } from './api.js';
import { between, columnAt, equals, isNull, valueType } from './conditions.js';
import { histogram, rowCount } from './histogram.js';
import { element, fragment, grouped, isolated, readState, replaceState, stylesheet, visible } from './page.js';

const PAGE_SIZE = 24;
const REST_MILLISECONDS = 150;

/** The most frequent values that are shown below a histogram, which tells of them, too. */
const MOST_BESIDE_HISTOGRAM = 5;

export async function create(host, dataset) {
  const [{ fields }] = await Promise.all([json(`${dataset.path}/schema`), stylesheet('views.css')]);
  return new ColumnsView(host, dataset, fields);
}

/**
 * The fields that have statistics, in the order of the document: a struct comes before its fields.
 *
 * @returns each with its `path` of positions, its `names` and its `field`
 */
export function entries(fields, path = [], names = [], found = []) {
  fields.forEach((field, i) => {
    const entry = { path: [...path, i], names: [...names, field.name], field };
    found.push(entry);
    if (field.type.name === 'struct' && !field.dictionary) {
      entries(field.children, entry.path, entry.names, found);
    }
  });
  return found;
}

class ColumnsView {
  #cards = new Map();
  #known = new Map();
  #control = new AbortController();

  constructor(host, dataset, fields) {
    this.dataset = dataset;
    this.fields = fields;
    this.entries = entries(fields);
    this.search = element('input', { type: 'search', 'aria-label': 'Search columns', placeholder: 'search columns', spellcheck: 'false' });
    this.search.addEventListener('input', () => {
      clearTimeout(this.resting);
      this.resting = setTimeout(() => this.#go({ q: this.search.value.trim(), page: null }), REST_MILLISECONDS);
    });
    this.count = element('output', { class: 'count' });
    this.back = element('button', { type: 'button', onclick: () => this.#turn(-1) }, 'Previous');
    this.next = element('button', { type: 'button', onclick: () => this.#turn(1) }, 'Next');
    this.cards = element('div', { class: 'cards' });
    this.observer = new IntersectionObserver((changes) => this.#seen(changes), { rootMargin: '200px' });
    host.replaceChildren(element('div', { class: 'bar' }, this.search, this.back, this.next, this.count), this.cards);
  }

  show(values) {
    const query = values.get('q') ?? '';
    if (this.search !== document.activeElement) {
      this.search.value = query;
    }
    const wanted = query.toLowerCase();
    const found = this.entries.filter(({ names }) => names.join('.').toLowerCase().includes(wanted));
    const last = Math.max(0, Math.ceil(found.length / PAGE_SIZE) - 1);
    this.page = Math.min(Math.max(0, Math.trunc(Number(values.get('page') ?? 1)) - 1 || 0), last);
    const first = this.page * PAGE_SIZE;
    this.back.hidden = this.next.hidden = last === 0;
    this.back.disabled = this.page === 0;
    this.next.disabled = this.page === last;
    const total = `${grouped(found.length)}${query === '' ? '' : ` of ${grouped(this.entries.length)}`} column${found.length === 1 ? '' : 's'}`;
    this.count.textContent = last === 0 ? total : `${grouped(first + 1)} to ${grouped(Math.min(first + PAGE_SIZE, found.length))} of ${total}`;
    this.#place(found.slice(first, first + PAGE_SIZE));
  }

  #go(changes) {
    replaceState(changes);
    this.show(readState().values);
  }

  #turn(pages) {
    this.#go({ page: this.page + pages === 0 ? null : this.page + pages + 1 });
    this.cards.parentElement.scrollIntoView();
  }

  #place(shown) {
    this.#control.abort();
    this.#control = new AbortController();
    this.observer.disconnect();
    this.#cards.clear();
    for (const entry of shown) {
      const card = element('article', { class: 'card', 'aria-busy': 'true' }, ...heading(entry), element('div', { class: 'waiting' }));
      this.#cards.set(card, entry);
      if (this.#known.has(entry.path.join())) {
        this.#fill(card, entry);
      }
    }
    const empty = this.entries.length === 0 ? 'No columns' : 'No column has this in its name';
    this.cards.replaceChildren(...(shown.length > 0 ? this.#cards.keys() : [element('p', { class: 'empty' }, empty)]));
    this.#cards.forEach((_, card) => this.observer.observe(card));
  }

  /** Fetches the statistics of the cards that have come into sight. */
  #seen(changes) {
    const cards = changes.filter(({ isIntersecting }) => isIntersecting).map(({ target }) => target);
    cards.forEach((card) => this.observer.unobserve(card));
    this.#fetch(cards.filter((card) => this.#cards.has(card) && !this.#known.has(this.#cards.get(card).path.join())));
  }

  async #fetch(cards) {
    if (cards.length === 0) {
      return;
    }
    const { signal } = this.#control;
    const positions = [...new Set(cards.map((card) => this.#cards.get(card).path[0]))];
    try {
      const columns = positions.map((position) => `[${position}]`).join();
      const { columns: found } = await json(`${this.dataset.path}/statistics?${new URLSearchParams({ columns, numbers: 'string' })}`, { signal });
      this.#remember(positions, found);
      this.#cards.forEach((entry, card) => this.#known.has(entry.path.join()) && this.#fill(card, entry));
    } catch (error) {
      if (!signal.aborted) {
        this.#fail(cards, error);
      }
    }
  }

  #remember(positions, found) {
    const expected = positions.flatMap((position) => this.entries.filter(({ path }) => path[0] === position));
    expected.forEach(({ path, names }, i) => {
      if (found[i]?.column !== names.join('.')) {
        throw new Problem(0, { detail: `Expected statistics of ${names.join('.')} but found ${found[i]?.column}` });
      }
      this.#known.set(path.join(), found[i]);
    });
  }

  #fail(cards, error) {
    const again = () => {
      cards.forEach((card) => card.replaceChildren(...heading(this.#cards.get(card)), element('div', { class: 'waiting' })));
      this.#fetch(cards);
    };
    // One failure is told once.
    cards.forEach((card, i) =>
      card.replaceChildren(...heading(this.#cards.get(card)), i === 0 ? failure(error, again) : element('p', { class: 'count' }, 'not known')),
    );
  }

  #fill(card, entry) {
    if (!card.hasAttribute('aria-busy')) {
      return;
    }
    card.removeAttribute('aria-busy');
    const statistics = this.#known.get(entry.path.join());
    const column = columnAt(this.fields, entry.path);
    const rows = (condition) => (condition === null ? null : fragment('rows', { where: condition }));
    const selecting = (makeCondition) => (column === null ? null : rows(makeCondition(column)));
    card.replaceChildren(
      ...heading(entry),
      facts(statistics, this.dataset.rows, valueType(entry.field), selecting),
      ...bars(entry, statistics, valueType(entry.field), selecting),
      ...top(statistics, this.dataset.rows, valueType(entry.field), selecting),
    );
  }
}

function heading({ path, names, field }) {
  const parts = names.flatMap((name, i) => [i > 0 ? ' › ' : '', name === '' ? '(no name)' : isolated(visible(name))]);
  return [
    element('h2', {}, element('a', { href: fragment('rows', { column: path[0] || null }) }, ...parts)),
    element('p', { class: 'type', title: field.arrowType }, visible(field.arrowType)),
  ];
}

/** What is known of a column as terms and descriptions. */
function facts(statistics, rows, type, selecting) {
  const { nulls, nan, infinite, min, max, mean, distinctApproximate: distinct, top } = statistics;
  const list = element('dl', {});
  const add = (term, value) => list.append(element('dt', {}, term), element('dd', {}, value));
  const counted = (count, href) => linked(count === 0 ? '0' : `${grouped(count)} (${percentage(count, rows)})`, count === 0 ? null : href);
  add('nulls', counted(nulls, selecting(isNull)));
  if (nan > 0) {
    add('NaN', counted(nan, selecting((column) => equals(column, 'NaN'))));
  }
  if (infinite > 0) {
    add('infinite', counted(infinite, null));
  }
  if (distinct !== undefined) {
    add('distinct', `${top === undefined ? 'about ' : ''}${grouped(distinct)}`);
  }
  if (min !== undefined) {
    add('min', shown(min, type));
    add('max', shown(max, type));
  }
  if (mean !== undefined) {
    add('mean', shown(mean, type));
  }
  return list;
}

function bars({ names }, { histogram: bins }, type, selecting) {
  if (!bins || bins.length < 2) {
    return [];
  }
  const described = bins.map(({ from, to, count }, i) => ({
    from: text(from, type),
    to: text(to, type),
    count,
    href: selecting((column) => between(column, from, to, i === bins.length - 1)),
  }));
  return [histogram(visible(names.at(-1)), described)];
}

/** The most frequent values, unless each is as frequent as all others. */
function top({ top: values, distinctApproximate: distinct, histogram: bins }, rows, type, selecting) {
  if (!values || values.length === 0) {
    return [];
  }
  if (values[0].count === 1 && distinct > values.length) {
    return [element('p', { class: 'count' }, 'Each value occurs once.')];
  }
  const most = bins?.length > 1 ? MOST_BESIDE_HISTOGRAM : values.length;
  const items = values.slice(0, most).map(({ value, count }) => {
    const share = element('span', { class: 'share' });
    share.style.width = `${(100 * count) / rows}%`;
    const href = selecting((column) => equals(column, value));
    const parts = [share, element('span', { class: 'value' }, shown(value, type)), ' ', element('span', { class: 'number' }, grouped(count))];
    const label = `${value === '' ? 'empty' : text(value, type)}: ${rowCount(count)}`;
    return element('li', {}, href ? element('a', { href, title: label }, ...parts) : element('span', { class: 'row', title: label }, ...parts));
  });
  return [element('ol', { class: 'top', 'aria-label': 'Most frequent values' }, ...items)];
}

function linked(content, href) {
  return href ? element('a', { href }, content) : content;
}

function percentage(count, rows) {
  const percent = (100 * count) / rows;
  return percent < 0.1 ? '< 0.1 %' : `${percent > 99.9 && count < rows ? '> 99.9' : percent.toFixed(percent < 10 ? 1 : 0)} %`;
}

/** A value of the statistics as text, with groups of digits where it is a whole number or a decimal. */
function text(value, type) {
  const written = String(value);
  switch (type.name) {
    case 'int':
    case 'decimal':
      return written.replace(/^(-?)(\d+)/, (_, sign, whole) => sign + whole.replace(/\B(?=(\d{3})+$)/g, ','));
    case 'timestamp':
      return written.replace('T', ' ');
    case 'binary':
    case 'largebinary':
    case 'binaryview':
    case 'fixedsizebinary':
      return hexadecimal(written);
    default:
      return visible(written);
  }
}

function hexadecimal(base64) {
  const isCut = base64.endsWith('…');
  const bytes = [...atob(isCut ? base64.slice(0, -1) : base64)];
  return `0x${bytes.map((byte) => byte.charCodeAt(0).toString(16).padStart(2, '0')).join('')}${isCut ? '…' : ''}`;
}

function shown(value, type) {
  return value === '' ? element('em', {}, 'empty') : isolated(text(value, type));
}
