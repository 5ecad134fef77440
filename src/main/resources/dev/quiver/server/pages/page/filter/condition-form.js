// The form of a condition: a column, a comparison, and values.
// @ts-check

import { button, element, groupedDigits, visible } from '../lib/elements.js';
import { literal } from '../sql/conditions.js';
import { OPERATORS, familyOf, textOf, worthwhile, written } from './condition-parts.js';

/** @typedef {import('./condition-parts.js').NamedColumn} NamedColumn */
/** @typedef {import('./condition-parts.js').Comparison} Comparison */
/** @typedef {import('../dataset/statistics.js').ColumnStatistics} ColumnStatistics */

const MOST_NAME_CHARACTERS = 60;
/** A time as fields for dates and times have it, to the millisecond. */
const CALENDAR = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d)(:\d\d(?:\.\d{1,3})?)?$/;

/**
 * @typedef {object} FormOptions
 * @property {NamedColumn[]} columns
 * @property {Comparison} comparison what the form shows at first: of a new condition only the column
 * @property {(column: NamedColumn) => Promise<ColumnStatistics | null>} statistics
 * @property {(condition: string) => Promise<unknown>} apply
 * @property {(condition: string) => unknown} asText
 * @property {() => unknown} close
 */

/** @param {FormOptions} options */
export function conditionForm(options) {
  return new ConditionForm(options).element;
}

class ConditionForm {
  /** @param {FormOptions} options */
  constructor({ columns, comparison, statistics, apply, asText, close }) {
    this.columns = columns;
    this.statistics = statistics;
    this.column = element('select', { 'aria-label': 'Column', onchange: () => this.#chooseColumn() }, ...columns.map(({ label }, i) => element('option', { value: i }, visible(label.slice(0, MOST_NAME_CHARACTERS)))));
    this.operator = element('select', { 'aria-label': 'Comparison', onchange: () => this.#chooseOperator() });
    this.values = element('span', { class: 'values' });
    this.known = element('datalist', { id: 'known-values' });
    this.told = element('small', { class: 'told-range' });
    this.element = element(
      'form',
      {
        class: 'condition',
        'aria-label': 'Filter',
        onsubmit: (event) => {
          event.preventDefault();
          apply(this.#condition);
        },
        onkeydown: (event) => {
          if (event.key === 'Escape') {
            event.preventDefault();
            event.stopPropagation();
            close();
          }
        },
      },
      this.column,
      this.operator,
      this.values,
      this.known,
      element('button', { class: 'primary' }, 'Apply'),
      button('As text', () => asText(this.#condition)),
      button('Cancel', close),
      this.told,
    );
    this.column.value = String(columns.findIndex(({ path }) => path.join() === comparison.column.path.join()));
    this.#chooseColumn(comparison);
  }

  /** @returns {NamedColumn} */
  get #column() {
    return this.columns[Number(this.column.value)];
  }

  get #inputs() {
    return [...this.values.querySelectorAll('input')];
  }

  get #condition() {
    return written({ column: this.#column, operator: this.operator.value, values: this.#inputs.map(({ value }) => value) });
  }

  /** @param {Comparison} [comparison] */
  async #chooseColumn({ operator, values } = { column: this.#column, operator: this.operator.value, values: this.#inputs.map(({ value }) => value) }) {
    const column = this.#column;
    const family = familyOf(column.type);
    const offered = Object.entries(OPERATORS).filter(([, { families }]) => families.includes(family));
    this.operator.replaceChildren(...offered.map(([key, { label }]) => element('option', { value: key }, label)));
    this.operator.value = offered.some(([key]) => key === operator) ? operator : offered[0][0];
    this.#chooseOperator(values);
    this.known.replaceChildren();
    this.told.textContent = '';
    const found = await this.statistics(column);
    if (found && column === this.#column) {
      this.known.replaceChildren(...worthwhile(found.top ?? [], column.type).flatMap(({ value }) => offer(column, value) ?? []).map((value) => element('option', { value })));
      this.told.textContent = ['number', 'time'].includes(family) && found.min !== undefined ? `from ${shown(found.min)} to ${shown(found.max)}` : '';
    }
  }

  /** @param {string[]} [values] */
  #chooseOperator(values = this.#inputs.map(({ value }) => value)) {
    const count = OPERATORS[this.operator.value].values;
    const labels = count === 2 ? ['From', 'To'] : ['Value'];
    this.values.replaceChildren(...labels.slice(0, count).map((label, i) => this.#input(label, values[i] ?? '')));
  }

  /**
   * A field for a value: a calendar for dates, unless the value is finer than that.
   *
   * @param {string} label
   * @param {string} value
   */
  #input(label, value) {
    const { name } = this.#column.type;
    const family = familyOf(this.#column.type);
    const attributes = { 'aria-label': label, list: 'known-values', spellcheck: 'false', autocomplete: 'off', required: family !== 'text' };
    if (name === 'date' && /^(\d{4}-\d\d-\d\d)?$/.test(value)) {
      return element('input', { type: 'date', ...attributes, value });
    }
    if (name === 'timestamp' && (value === '' || CALENDAR.test(value))) {
      return element('input', { type: 'datetime-local', step: 'any', ...attributes, value: value.replace(' ', 'T') });
    }
    return element('input', { type: 'text', inputmode: family === 'number' ? 'decimal' : null, placeholder: family === 'text' ? 'text' : null, ...attributes, value });
  }
}

/**
 * A frequent value as the form takes it, or null if it is cut or has no literal. Numbers have all of their digits.
 *
 * @param {NamedColumn} column
 * @param {any} value
 */
function offer({ type }, value) {
  const exact = literal(type, value);
  return exact === null ? null : familyOf(type) === 'number' ? textOf(exact) : String(value);
}

/** @param {any} value */
function shown(value) {
  return groupedDigits(String(value).replace('T', ' '));
}
