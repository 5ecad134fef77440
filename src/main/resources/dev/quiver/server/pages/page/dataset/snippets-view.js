// Commands by which other programs read the rows that are on the screen.
// @ts-check

import { copy, select } from '../lib/clipboard.js';
import { counted, element, grouped } from '../lib/elements.js';
import { failure } from '../lib/failure.js';
import { stylesheet } from '../lib/modules.js';
import { base, countRows, link, needsToken } from '../lib/requests.js';
import { replaceState } from '../lib/url-state.js';
import { curl } from '../sql/statement.js';
import { snippets } from './snippets.js';

const REST_MILLISECONDS = 300;

/** The values of the state that are parameters of the lines. */
const PARAMETERS = ['columns', 'where', 'search', 'offset', 'limit'];

/**
 * @param {HTMLElement} host
 * @param {import('./dataset-page.js').Dataset} dataset
 */
export async function create(host, dataset) {
  await stylesheet('dataset/views.css');
  return new SnippetsView(host, dataset);
}

class SnippetsView {
  #number = 0;
  /** @type {number | undefined} */
  #resting;
  /**
   * The parameters of the lines.
   *
   * @type {Map<string, string>}
   */
  #values = new Map();
  /**
   * The statement that returns what is on the screen in its order, or null.
   *
   * @type {string | null}
   */
  #sorted = null;
  /** @type {boolean | undefined} */
  #isGuarded;

  /**
   * @param {HTMLElement} host
   * @param {import('./dataset-page.js').Dataset} dataset
   */
  constructor(host, dataset) {
    this.dataset = dataset;
    /** @type {Map<string, HTMLInputElement>} */
    this.inputs = new Map();
    /**
     * @param {string} name
     * @param {string} label
     * @param {import('../lib/elements.js').Attributes} attributes
     */
    const field = (name, label, attributes) => {
      const input = element('input', { type: 'text', spellcheck: 'false', ...attributes, oninput: () => this.#edited(name) });
      this.inputs.set(name, input);
      return element('label', {}, element('span', {}, label), input);
    };
    this.latest = element('input', { type: 'checkbox', onchange: () => this.#edited(null) });
    this.count = element('div', { class: 'count', role: 'status' });
    this.code = element('div', { class: 'snippets' });
    host.replaceChildren(
      element(
        'form',
        { class: 'selection', onsubmit: (event) => event.preventDefault() },
        field('columns', 'Columns', { placeholder: 'all, or such as a,b or "a.b",[3]', class: 'where' }),
        field('where', 'Filter', { placeholder: 'none', class: 'where' }),
        field('search', 'Search', { placeholder: 'none', size: 14 }),
        field('offset', 'First row', { placeholder: '0', inputmode: 'numeric', size: 10 }),
        field('limit', 'Rows', { placeholder: 'all', inputmode: 'numeric', size: 10 }),
        element('label', { class: 'check' }, this.latest, element('span', {}, `the latest version instead of version ${dataset.version}`)),
      ),
      this.count,
      this.code,
    );
  }

  /** @param {Map<string, string>} values */
  async show(values) {
    const own = [...PARAMETERS, 'latest'].some((name) => values.has(name));
    const shown = own ? values : this.dataset.onScreen();
    // An input drops the line breaks of a name, so what it shows is not what counts.
    this.#values = new Map(PARAMETERS.map((name) => [name, shown.get(name) ?? '']));
    this.inputs.forEach((input, name) => input !== document.activeElement && (input.value = this.#values.get(name) ?? ''));
    this.latest.checked = values.has('latest');
    this.#sorted = own ? null : await this.dataset.sortedOnScreen().catch(() => null);
    this.#isGuarded ??= await needsToken(`${this.dataset.path}/schema`);
    this.#print();
    await this.#count();
  }

  /** @param {string | null} name */
  #edited(name) {
    if (name) {
      this.#values.set(name, this.inputs.get(name)?.value.trim() ?? '');
    }
    this.#sorted = null;
    const values = Object.fromEntries(this.#values);
    // A value says that the state is this view's own, even if nothing is selected.
    const isEmpty = Object.values(values).every((value) => value === '');
    replaceState({ ...values, ...(isEmpty ? { offset: '0' } : {}), latest: this.latest.checked ? 'true' : null });
    this.#print();
    clearTimeout(this.#resting);
    this.#resting = setTimeout(() => this.#count(), REST_MILLISECONDS);
  }

  /** The parameters that select something. */
  #parameters() {
    return Object.fromEntries([...this.#values].filter(([name, value]) => value !== '' && !(name === 'offset' && value === '0')));
  }

  #print() {
    const { name, version } = this.dataset;
    const lines = snippets({
      origin: location.origin + base,
      dataset: this.latest.checked ? name : `${name}@${version}`,
      // The link that opened this page lets its lines read the rows, too.
      parameters: { ...this.#parameters(), ...(link === null ? {} : { link }) },
      needsToken: this.#isGuarded === true,
    });
    // No shell has words with NUL.
    if (this.#sorted !== null && !this.#sorted.includes('\0')) {
      lines.unshift({ title: 'curl, as CSV, sorted as on the screen', code: curl(this.#sorted, {}, this.#isGuarded === true) });
    }
    this.code.replaceChildren(...lines.map(snippet));
  }

  /** Tells how many rows the lines read. */
  async #count() {
    const number = ++this.#number;
    try {
      const rows = await countRows(this.dataset.path, this.#parameters());
      if (number === this.#number) {
        this.count.textContent = `${grouped(rows)} of ${counted(this.dataset.rows, 'row')}`;
      }
    } catch (error) {
      if (number === this.#number) {
        this.count.replaceChildren(failure(error, () => this.#count()));
      }
    }
  }
}

/** @param {{ title: string, code: string }} lines */
function snippet({ title, code }) {
  const text = element('pre', { role: 'group', tabindex: 0, 'aria-label': title }, code);
  return element(
    'section',
    { class: 'snippet' },
    element('h2', {}, title),
    element('button', { type: 'button', 'aria-label': `Copy ${title}`, onclick: () => copy(text.textContent, () => select(text)) }, 'Copy'),
    text,
  );
}
