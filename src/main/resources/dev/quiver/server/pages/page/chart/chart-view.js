// The chart of a version: of all of its rows, or of those that match the condition.
// @ts-check

import { namesInSql } from '../grid/row-order.js';
import { among } from '../filter/among.js';
import { element, visible } from '../lib/elements.js';
import { failure } from '../lib/failure.js';
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
  /** The condition of the rows that were counted last, which the service accepts. */
  #counted = '';
  #where = '';
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
    const where = values.get('where') ?? '';
    this.#where = where;
    this.#tellRows();
    try {
      await this.#count(where, signal);
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
    // A comment at the end of a condition ends with its line.
    const condition = where === '' ? '' : ` WHERE (${where}\n)`;
    const from = `FROM ${identifier(`${name}@${version}`)}${condition}`;
    const search = values.get('search') ?? '';
    // SQL folds cases in another way, and finds nothing within structs and lists.
    const notes = search === '' ? [] : [`The search for “${visible(search)}” narrows the rows, and not the chart.`];
    await this.chart.show({ fields: this.fields, names: namesInSql(this.fields), from, parameters: {}, condition: where, title: visible(name), notes }, values);
  }

  /** Tells of which rows the chart is, with a link to that of all rows by the same choices. */
  #tellRows() {
    const sentence = among('chart', this.#where);
    this.among.hidden = sentence.length === 0;
    this.among.replaceChildren(...sentence);
  }

  #noteChoices() {
    // Another view has a state of its own.
    if (isOpen()) {
      replaceState(this.chart.values);
      this.#tellRows();
    }
  }

  #leave() {
    this.#showing.abort();
    this.chart.stop();
  }

  /**
   * Counts the rows that match, for which the service accepts nothing but a condition. A statement would run whatever a link has.
   *
   * @param {string} where
   * @param {AbortSignal} signal
   */
  async #count(where, signal) {
    if (where !== '' && where !== this.#counted) {
      await countRows(this.dataset.path, { where }, signal);
      this.#counted = where;
    }
    signal.throwIfAborted();
  }
}

const isOpen = () => readState().view === 'chart';
