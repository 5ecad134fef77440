// The chart of a version: of all of its rows, or of those that match the condition.
// @ts-check

import { namesInSql } from '../grid/row-order.js';
import { element, visible } from '../lib/elements.js';
import { json } from '../lib/requests.js';
import { fragment, readState, replaceState } from '../lib/url-state.js';
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
  /**
   * @param {HTMLElement} host
   * @param {import('../dataset/dataset-page.js').Dataset} dataset
   * @param {import('../sql/conditions.js').SchemaField[]} fields
   */
  constructor(host, dataset, fields) {
    this.dataset = dataset;
    this.fields = fields;
    this.among = element('p', { class: 'count', hidden: true });
    this.chart = new Chart();
    this.chart.addEventListener('chosen', () => replaceState(this.chart.values, 'chart'));
    host.replaceChildren(this.among, this.chart.element);
  }

  /** @param {Map<string, string>} values */
  async show(values) {
    const { name, version } = this.dataset;
    const where = values.get('where') ?? '';
    const all = fragment('chart', { ...Object.fromEntries(readState().values), where: null });
    this.among.hidden = where === '';
    this.among.replaceChildren('Of the rows with ', element('code', {}, visible(where)), ' ', element('a', { href: all }, 'All rows'));
    // A comment at the end of a condition ends with its line.
    const condition = where === '' ? '' : ` WHERE (${where}\n)`;
    const from = `FROM ${identifier(`${name}@${version}`)}${condition}`;
    await this.chart.show({ fields: this.fields, names: namesInSql(this.fields), from, parameters: {}, condition: where }, values);
  }
}
