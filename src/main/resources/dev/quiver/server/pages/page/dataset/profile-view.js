// The profile of a version: the statistics of its columns, one card per column.
// @ts-check

import { among } from '../filter/among.js';
import { plainType } from '../grid/plain-types.js';
import { counted, element, grouped, isolated, visible } from '../lib/elements.js';
import { failure } from '../lib/failure.js';
import { stylesheet } from '../lib/modules.js';
import { json } from '../lib/requests.js';
import { sharing } from '../lib/share.js';
import { fragment, readState, replaceState } from '../lib/url-state.js';
import { narrowed } from '../sql/conditions.js';
import { Statistics, described } from './statistics.js';

const PAGE_SIZE = 24;
const REST_MILLISECONDS = 150;

/**
 * @param {HTMLElement} host
 * @param {import('./dataset-page.js').Dataset} dataset
 */
export async function create(host, dataset) {
  const [{ fields }] = await Promise.all([json(`${dataset.path}/schema`), stylesheet('dataset/views.css')]);
  return new ProfileView(host, dataset, fields);
}

class ProfileView {
  /** @type {Map<Element, import('./statistics.js').Entry>} */
  #cards = new Map();
  #control = new AbortController();
  /** @type {number | undefined} */
  #resting;
  /** The position of the page of cards. */
  #page = 0;

  /**
   * @param {HTMLElement} host
   * @param {import('./dataset-page.js').Dataset} dataset
   * @param {import('../sql/conditions.js').SchemaField[]} fields
   */
  constructor(host, dataset, fields) {
    this.dataset = dataset;
    this.fields = fields;
    this.statistics = new Statistics(dataset.path, fields);
    this.entries = this.statistics.entries;
    this.among = element('p', { class: 'count', hidden: true });
    this.search = element('input', { type: 'search', 'aria-label': 'Search columns', placeholder: 'Search columns', spellcheck: 'false' });
    this.search.addEventListener('input', () => {
      clearTimeout(this.#resting);
      this.#resting = setTimeout(() => this.#go({ q: this.search.value.trim(), page: null }), REST_MILLISECONDS);
    });
    this.count = element('output', { class: 'count' });
    this.back = element('button', { type: 'button', onclick: () => this.#turn(-1) }, 'Previous');
    this.next = element('button', { type: 'button', onclick: () => this.#turn(1) }, 'Next');
    this.cards = element('div', { class: 'cards' });
    this.observer = new IntersectionObserver((changes) => this.#seen(changes), { rootMargin: '200px' });
    const { button, link } = sharing(dataset.path);
    host.replaceChildren(element('div', { class: 'bar' }, this.search, this.back, this.next, button, this.count), link, this.among, this.cards);
  }

  /** @param {Map<string, string>} values */
  show(values) {
    this.#choose(values.get('where') ?? '', values.get('search') ?? '');
    const query = values.get('q') ?? '';
    if (this.search !== document.activeElement) {
      this.search.value = query;
    }
    const wanted = query.toLowerCase();
    const found = this.entries.filter(({ names }) => names.join('.').toLowerCase().includes(wanted));
    const last = Math.max(0, Math.ceil(found.length / PAGE_SIZE) - 1);
    this.#page = Math.min(Math.max(0, Math.trunc(Number(values.get('page') ?? 1)) - 1 || 0), last);
    const first = this.#page * PAGE_SIZE;
    this.back.hidden = this.next.hidden = last === 0;
    this.back.disabled = this.#page === 0;
    this.next.disabled = this.#page === last;
    const all = counted(this.entries.length, 'column');
    const total = query === '' ? all : `${grouped(found.length)} of ${all}`;
    this.count.textContent = last === 0 ? total : `${grouped(first + 1)} to ${grouped(Math.min(first + PAGE_SIZE, found.length))} of ${total}`;
    this.#place(found.slice(first, first + PAGE_SIZE));
  }

  /**
   * Chooses the rows that the statistics are over.
   *
   * @param {string} where the condition of the rows, or ''
   * @param {string} search the text that the rows have, or ''
   */
  #choose(where, search) {
    if (this.statistics.where !== where || this.statistics.search !== search) {
      this.statistics = new Statistics(this.dataset.path, this.fields, where, search);
    }
    const sentence = among('profile', where, search);
    this.among.hidden = sentence.length === 0;
    this.among.replaceChildren(...sentence);
  }

  /** @param {import('../lib/url-state.js').Values} changes */
  #go(changes) {
    replaceState(changes);
    this.show(readState().values);
  }

  /** @param {number} pages */
  #turn(pages) {
    this.#go({ page: this.#page + pages === 0 ? null : this.#page + pages + 1 });
    this.cards.parentElement?.scrollIntoView();
  }

  /** @param {import('./statistics.js').Entry[]} shown */
  #place(shown) {
    this.#control.abort();
    this.#control = new AbortController();
    this.observer.disconnect();
    this.#cards.clear();
    for (const entry of shown) {
      const card = element('article', { class: 'card', 'aria-busy': 'true' }, ...heading(entry), element('div', { class: 'waiting' }));
      this.#cards.set(card, entry);
      this.#fill(card, entry);
    }
    const empty = this.entries.length === 0 ? 'No columns' : 'No column has this in its name';
    this.cards.replaceChildren(...(shown.length > 0 ? this.#cards.keys() : [element('p', { class: 'empty' }, empty)]));
    this.#cards.forEach((_, card) => this.observer.observe(card));
  }

  /** @param {Element} card one of the cards that are shown */
  #entryOf(card) {
    return /** @type {import('./statistics.js').Entry} */ (this.#cards.get(card));
  }

  /**
   * Fetches the statistics of the cards that have come into sight.
   *
   * @param {IntersectionObserverEntry[]} changes
   */
  #seen(changes) {
    const cards = changes.filter(({ isIntersecting }) => isIntersecting).map(({ target }) => target);
    cards.forEach((card) => this.observer.unobserve(card));
    this.#fetch(cards.filter((card) => this.#cards.has(card) && !this.statistics.of(this.#entryOf(card))));
  }

  /** @param {Element[]} cards */
  async #fetch(cards) {
    if (cards.length === 0) {
      return;
    }
    const { statistics } = this;
    const { signal } = this.#control;
    const positions = [...new Set(cards.map((card) => this.#entryOf(card).path[0]))];
    try {
      await statistics.fetch(positions, signal);
    } catch (error) {
      if (!signal.aborted) {
        this.#fail(cards, error);
      }
      return;
    }
    this.#cards.forEach((entry, card) => this.#fill(card, entry));
  }

  /**
   * @param {Element[]} cards
   * @param {unknown} error
   */
  #fail(cards, error) {
    const again = () => {
      cards.forEach((card) => card.replaceChildren(...heading(this.#entryOf(card)), element('div', { class: 'waiting' })));
      this.#fetch(cards);
    };
    // One failure is told once.
    cards.forEach((card, i) =>
      card.replaceChildren(...heading(this.#entryOf(card)), i === 0 ? failure(error, again) : element('p', { class: 'count' }, 'not known')),
    );
  }

  /**
   * @param {Element} card
   * @param {import('./statistics.js').Entry} entry
   */
  #fill(card, entry) {
    if (!this.statistics.of(entry) || !card.hasAttribute('aria-busy')) {
      return;
    }
    card.removeAttribute('aria-busy');
    const { where, search } = this.statistics;
    /** @param {string} condition */
    const link = (condition) => fragment('rows', { where: narrowed(where, condition), search });
    card.replaceChildren(...heading(entry), ...described(this.statistics, entry, link));
  }
}

/** @param {import('./statistics.js').Entry} entry */
function heading({ path, names, field }) {
  const parts = names.flatMap((name, i) => [i > 0 ? ' › ' : '', name === '' ? '(no name)' : isolated(visible(name))]);
  return [
    element('h2', {}, element('a', { href: fragment('rows', { column: path[0] || null }) }, ...parts)),
    element('p', { class: 'type', title: field.arrowType }, plainType(field.arrowType)),
  ];
}
