// The chart of a version: of all of its rows, or of those that match the condition and the search.
// @ts-check

import { namesInSql } from '../grid/row-order.js';
import { among } from '../filter/among.js';
import { counted, element, grouped, visible } from '../lib/elements.js';
import { failure } from '../lib/failure.js';
import { load } from '../lib/modules.js';
import { countRows, json } from '../lib/requests.js';
import { sharing } from '../lib/share.js';
import { readState, replaceState, whenStateChanged } from '../lib/url-state.js';
import { identifier } from '../sql/conditions.js';
import { Chart } from './chart.js';

/**
 * @param {HTMLElement} host
 * @param {import('../dataset/dataset-page.js').Dataset} dataset
 */
export async function create(host, dataset) {
  const { fields } = await json(`${dataset.path}/schema`);
  return new ChartView(host, dataset, fields);
}

class ChartView {
  /** The filter of the rows that were counted last, which the service accepts, with the condition and the notes of their chart. */
  #counted = { key: '', where: '', notes: /** @type {string[]} */ ([]) };
  #where = '';
  #search = '';
  #showing = new AbortController();

  /**
   * @param {HTMLElement} host
   * @param {import('../dataset/dataset-page.js').Dataset} dataset
   * @param {import('../sql/conditions.js').SchemaField[]} fields
   */
  constructor(host, dataset, fields) {
    this.host = host;
    this.dataset = dataset;
    this.fields = fields;
    this.among = element('p', { class: 'count', hidden: true });
    this.chart = new Chart();
    this.chart.addEventListener('chosen', () => this.#noteChoices());
    const { button, link } = sharing(dataset.path);
    this.chart.files.after(button);
    this.chart.files.parentElement?.after(link);
    whenStateChanged(() => isOpen() || this.#leave());
    host.replaceChildren(this.among, this.chart.element);
  }

  /** @param {Map<string, string>} values */
  async show(values) {
    this.#showing.abort();
    this.#showing = new AbortController();
    const { signal } = this.#showing;
    this.#where = values.get('where') ?? '';
    this.#search = values.get('search') ?? '';
    this.#tellRows(this.#search);
    try {
      await this.#count(signal);
    } catch (error) {
      if (!signal.aborted) {
        this.chart.stop();
        this.host.replaceChildren(this.among, failure(error, () => this.show(readState().values)));
      }
      return;
    }
    if (!this.chart.element.isConnected) {
      this.host.replaceChildren(this.among, this.chart.element);
    }
    const { name, version } = this.dataset;
    const { where, notes } = this.#counted;
    // A comment at the end of a condition ends with its line.
    const from = `FROM ${identifier(`${name}@${version}`)}${where === '' ? '' : ` WHERE (${where}\n)`}`;
    const search = where === this.#where ? '' : this.#search;
    this.#tellRows(search);
    const condition = [search === '' ? '' : `“${search}”`, this.#where].filter((text) => text !== '').join(' and ');
    await this.chart.show({ fields: this.fields, names: namesInSql(this.fields), from, parameters: {}, condition, title: visible(name), notes }, values);
  }

  /**
   * Tells of which rows the chart is, with a link to that of all rows by the same choices.
   *
   * @param {string} search the text that its rows have, or ''
   */
  #tellRows(search) {
    const sentence = among('chart', this.#where, search);
    this.among.hidden = sentence.length === 0;
    this.among.replaceChildren(...sentence);
  }

  #noteChoices() {
    // Another view has a state of its own.
    if (isOpen()) {
      replaceState(this.chart.values);
      this.#tellRows(this.#counted.where === this.#where ? '' : this.#search);
    }
  }

  #leave() {
    this.#showing.abort();
    this.chart.stop();
  }

  /**
   * Counts the rows that match, for which the service accepts nothing but a condition. A statement would run whatever a link has.
   *
   * @param {AbortSignal} signal
   */
  async #count(signal) {
    const [where, search] = [this.#where, this.#search];
    const key = JSON.stringify([where, search]);
    if (key !== this.#counted.key) {
      const { path } = this.dataset;
      const names = namesInSql(this.fields);
      const near = search === '' ? null : await (await load('dataset/asked-statement.js')).searched({ path, fields: this.fields, names }, where, search, signal);
      if (near === null && where !== '') {
        await countRows(path, { where }, signal);
      }
      const text = `The search for “${visible(search)}”`;
      const notes = [
        ...(search !== '' && near === null ? [`${text} narrows the rows, and not the chart.`] : []),
        ...(near && near.rows !== near.wanted ? [`${text} finds ${counted(near.wanted, 'row')}, and the chart has ${grouped(near.rows)}: letters such as ß are only themselves in it.`] : []),
      ];
      this.#counted = { key, where: near?.where ?? where, notes };
    }
    signal.throwIfAborted();
  }
}

const isOpen = () => readState().view === 'chart';
