// The form of a local file before its upload: the options that were found in it, its columns, and its first rows. A change
// there changes the way in which the file is read.
// @ts-check

import { counted, element, isolated, visible } from '../lib/elements.js';
import { failure, plainFailure } from '../lib/failure.js';
import { Problem } from '../lib/requests.js';
import { formatNamed, preview } from './file-preview.js';

/** @typedef {import('./file-preview.js').Preview} Preview */
/** @typedef {import('./file-preview.js').FileOption} FileOption */
/** @typedef {[value: string, label: string]} Value */

/**
 * An option of a file.
 *
 * @typedef {object} Choice
 * @property {string} option the parameter
 * @property {string} label
 * @property {Value[]} values those that any file may have
 * @property {string} [absent] the label if the parameter is not stated
 * @property {boolean} [onFailure] whether it is offered only if the file cannot be read without it
 */

const MOST_COLUMNS = 100;

/** @type {Value[]} */
const HEADERS = [
  ['true', 'in the first row'],
  ['false', 'none'],
];
const ENCODINGS = [
  'utf-8', 'windows-1252', 'utf-16le', 'utf-16be', 'macintosh', 'windows-1250', 'windows-1251', 'windows-1253', 'windows-1254', 'windows-1255',
  'windows-1256', 'windows-1257', 'iso-8859-2', 'iso-8859-15', 'koi8-r', 'ibm866', 'gb18030', 'big5', 'shift_jis', 'euc-jp', 'euc-kr',
];

/** @type {Choice[]} */
const CHOICES = [
  {
    option: 'csv.delimiter',
    label: 'Delimiter',
    values: [
      [',', 'comma'],
      [';', 'semicolon'],
      ['\t', 'tab'],
      ['|', 'vertical bar'],
    ],
  },
  { option: 'csv.encoding', label: 'Encoding', values: ENCODINGS.map((name) => [name, name]) },
  {
    option: 'csv.decimal',
    label: 'Decimal mark',
    values: [
      ['.', '1.5'],
      [',', '1,5'],
    ],
  },
  { option: 'csv.header', label: 'Names', values: HEADERS },
  {
    option: 'csv.dates',
    label: 'Dates such as 01/02/2024',
    absent: 'stay text',
    values: [
      ['day-first', 'day first'],
      ['month-first', 'month first'],
    ],
  },
  { option: 'csv.skip', label: 'Lines above the table', absent: 'left out as found', values: [] },
  {
    option: 'csv.rows',
    label: 'Rows that do not fit',
    absent: 'are refused',
    onFailure: true,
    values: [
      ['fill', 'short ones are filled'],
      ['skip', 'are left out'],
    ],
  },
  { option: 'excel.sheet', label: 'Sheet', values: [] },
  { option: 'excel.header', label: 'Names', values: HEADERS },
  { option: 'json.records', label: 'Rows', values: [['.', 'the file is one row']] },
];

/** The options of text in columns that cannot be read without one of them. */
const TEXT_OPTIONS = ['csv.delimiter', 'csv.encoding', 'csv.decimal', 'csv.header', 'csv.rows'];
const TYPES = /\.types$/;

/** @type {Value[]} */
const TYPE_NAMES = [
  ['varchar', 'text'],
  ['bigint', 'integer'],
  ['double', 'number'],
  ['boolean', 'boolean'],
  ['date', 'date'],
  ['time', 'time'],
  ['timestamp', 'timestamp'],
];
/** Types that are offered only where values have the form. */
/** @type {Record<string, string>} */
const WRITTEN_TYPE_NAMES = { percent: 'percentage', grouped: 'number in groups' };

/** The form of a file. It dispatches `changed` whenever what was found or chosen is another. */
export class PreviewForm extends EventTarget {
  #control = new AbortController();
  /** @type {Map<string, string>} */
  #choices = new Map();
  /**
   * The types that were chosen, by the names of columns in the file.
   *
   * @type {Map<string, string>}
   */
  #types = new Map();
  /** @type {Map<string, string>} */
  #names = new Map();
  /** @type {Preview | null} */
  #preview = null;
  /**
   * The options that were found before any was chosen.
   *
   * @type {Map<string, string>}
   */
  #found = new Map();
  #typesOption = '';

  /** @param {File} file */
  constructor(file) {
    super();
    this.file = file;
    this.settings = element('div', { class: 'settings' });
    this.notes = element('ul', { class: 'notes' });
    this.rows = element('div');
    this.element = element('fieldset', { class: 'file-form', 'aria-label': `How ${visible(file.name)} is read` }, this.settings, this.notes, this.rows);
    /** A few words about the file. */
    this.summary = 'Reading…';
  }

  /** The parameters of the upload. */
  get parameters() {
    const all = this.#reading();
    this.#names.forEach((name, column) => all.append('rename', `${quoted(column, ':')}:${quoted(name, ':')}`));
    return all;
  }

  /** The warnings that are shown. */
  get warnings() {
    return this.#preview?.warnings ?? [];
  }

  /** Ends what is under way, and lets nothing be changed any more. */
  end() {
    this.#control.abort();
    this.element.disabled = true;
  }

  /** Lets the file be read in another way after all. */
  reopen() {
    this.element.disabled = false;
  }

  /** The parameters that decide on the columns and the rows. */
  #reading() {
    const all = new URLSearchParams([...this.#choices]);
    this.#types.forEach((type, column) => all.append(this.#typesOption, `${quoted(column)}:${type}`));
    return all;
  }

  /** Reads a sample of the file, and shows it. */
  async look() {
    this.#control.abort();
    this.#control = new AbortController();
    const { signal } = this.#control;
    this.rows.setAttribute('aria-busy', 'true');
    try {
      const found = await preview(this.file, { parameters: this.#reading(), signal });
      if (!signal.aborted) {
        this.#show(found);
      }
    } catch (error) {
      if (!signal.aborted) {
        this.#fail(/** @type {Error} */ (error));
      }
    }
  }

  /** @param {Preview} found */
  #show(found) {
    this.#preview = found;
    this.#typesOption = found.read.find(({ option }) => TYPES.test(option))?.option ?? this.#typesOption;
    const read = new Map(found.read.filter(({ option }) => !TYPES.test(option)).map(({ option, value }) => [option, value]));
    if (this.#choices.size === 0) {
      this.#found = read;
    }
    const offered = CHOICES.filter(({ option, onFailure }) => this.#choices.has(option) || (!onFailure && (read.has(option) || found.options.some((each) => each.option === option))));
    this.#render(
      offered.map((choice) => this.#select(choice, read.get(choice.option) ?? this.#choices.get(choice.option), found)),
      found.warnings,
      this.#table(found),
    );
    this.summary = `${found.format}: ${counted(found.columns.length, 'column')}${found.isSample ? '; types from its first megabyte' : ''}`;
    this.dispatchEvent(new Event('changed'));
  }

  /** @param {Error} error */
  #fail(error) {
    const isOwn = error instanceof Problem && error.status < 500;
    const settings = [...this.settings.children];
    const missing = isText(this.file.name) ? CHOICES.filter(({ option }) => TEXT_OPTIONS.includes(option) && !this.settings.querySelector(`[name="${option}"]`)) : [];
    const added = missing.map((choice) => this.#select({ absent: 'found', ...choice }, this.#choices.get(choice.option), null));
    this.#render([...settings, ...added], [], isOwn ? plainFailure(error) : failure(error, () => this.look()));
    this.summary = 'No preview';
    this.dispatchEvent(new Event('changed'));
  }

  /**
   * Replaces all, and lets the focus stay where it is.
   *
   * @param {Element[]} settings
   * @param {string[]} notes
   * @param {Element} rows
   */
  #render(settings, notes, rows) {
    const focused = document.activeElement;
    const label = this.element.contains(focused) ? (focused?.getAttribute('aria-label') ?? focused?.getAttribute('name')) : null;
    this.settings.replaceChildren(...settings);
    this.notes.replaceChildren(...notes.map((sentence) => element('li', {}, visible(sentence))));
    this.rows.replaceChildren(rows);
    this.rows.removeAttribute('aria-busy');
    if (label !== null) {
      const same = [...this.element.querySelectorAll('select, input')].find((each) => (each.getAttribute('aria-label') ?? each.getAttribute('name')) === label);
      /** @type {HTMLElement | undefined} */ (same)?.focus();
    }
  }

  /**
   * @param {Choice} choice
   * @param {string | undefined} current
   * @param {Preview | null} found
   */
  #select({ option, label, values, absent }, current, found) {
    const all = new Map(absent === undefined ? [] : [['', absent]]);
    const sheets = option === 'excel.sheet' ? (found?.found.sheets ?? []) : [];
    const others = (found?.options ?? []).filter((each) => each.option === option).map(({ value }) => value);
    values.forEach(([value, name]) => all.set(value, name));
    [...sheets, ...others, ...(current === undefined ? [] : [current]), this.#found.get(option)]
      .filter((value) => value !== undefined && !all.has(value))
      .forEach((value) => all.set(value, named(option, value)));
    const select = element(
      'select',
      { name: option, onchange: () => this.#choose(option, select.value) },
      ...[...all].map(([value, name]) => element('option', { value, selected: value === (current ?? '') }, visible(name))),
    );
    return element('label', {}, `${label} `, select);
  }

  /**
   * @param {string} option
   * @param {string} value
   */
  #choose(option, value) {
    if (value === (this.#found.get(option) ?? '')) {
      this.#choices.delete(option);
    } else {
      this.#choices.set(option, value);
    }
    this.look();
  }

  /**
   * The first rows, below the names and types of their columns.
   *
   * @param {Preview} found
   */
  #table({ columns, rows, read, options }) {
    const shown = columns.slice(0, MOST_COLUMNS);
    const heads = shown.map(({ name, type, nullable }, i) =>
      element(
        'th',
        { scope: 'col', class: rows[0]?.[i].kind === 'number' ? 'number' : null },
        this.#name(name, shown.filter((other) => other.name === name).length === 1),
        this.#type(name, type, read, options) ?? element('small', {}, visible(type), nullable ? '' : ', not null'),
      ),
    );
    /** @param {import('../grid/arrow-values.js').CellText[]} cells */
    const line = (cells) => element('tr', {}, ...cells.slice(0, MOST_COLUMNS).map(({ text, kind }) => element('td', { class: kind }, isolated(text))));
    const more = columns.length > shown.length ? element('p', {}, element('small', {}, `The first ${shown.length} of ${counted(columns.length, 'column')} are shown.`)) : null;
    return element(
      'div',
      {},
      element(
        'div',
        { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'First rows' },
        element('table', { class: 'rows' }, element('thead', {}, element('tr', {}, ...heads)), element('tbody', {}, ...rows.map(line))),
      ),
      rows.length === 0 ? element('p', { class: 'empty' }, 'No rows') : null,
      more,
    );
  }

  /**
   * The name of a column, which may be changed if no other column has it.
   *
   * @param {string} column
   * @param {boolean} isOnly
   */
  #name(column, isOnly) {
    if (!isOnly || visible(column) !== column) {
      return isolated(visible(column) || '(no name)');
    }
    const input = element('input', {
      type: 'text',
      value: this.#names.get(column) ?? column,
      placeholder: '(no name)',
      size: Math.min(24, Math.max(6, column.length)),
      spellcheck: 'false',
      'aria-label': `Name of column ${column}`,
      oninput: () => {
        if (input.value === column || input.value === '') {
          this.#names.delete(column);
        } else {
          this.#names.set(column, input.value);
        }
        this.dispatchEvent(new Event('changed'));
      },
      onblur: () => (input.value ||= column),
    });
    return input;
  }

  /**
   * The type of a column, which may be changed if its format has no types of its own.
   *
   * @param {string} column
   * @param {string} type
   * @param {FileOption[]} read
   * @param {FileOption[]} options
   */
  #type(column, type, read, options) {
    const stated = read.find((each) => each.column === column && TYPES.test(each.option));
    if (!stated) {
      return null;
    }
    const current = this.#types.get(column) ?? typeIn(stated);
    const offered = options.filter((each) => each.column === column && TYPES.test(each.option)).map(typeIn);
    const all = new Map([...TYPE_NAMES]);
    [current, ...offered].forEach((each) => all.set(each, all.get(each) ?? WRITTEN_TYPE_NAMES[each] ?? each));
    const select = element(
      'select',
      {
        class: offered.length > 0 ? 'offered' : null,
        title: type,
        'aria-label': `Type of column ${visible(column)}`,
        onchange: () => {
          this.#types.set(column, select.value);
          this.look();
        },
      },
      ...[...all].map(([value, name]) => element('option', { value, selected: value === current }, name)),
    );
    return select;
  }
}

/** @param {FileOption} option */
const typeIn = ({ value }) => value.slice(value.lastIndexOf(':') + 1);

/**
 * The label of a value that only some files have.
 *
 * @param {string} option
 * @param {string} value
 */
function named(option, value) {
  if (option === 'csv.skip') {
    return value === '0' ? 'are rows' : `${value} are left out`;
  }
  return option === 'json.records' ? `the objects of “${value}”` : value;
}

/** @param {string} name */
function isText(name) {
  try {
    return ['CSV', 'TSV'].includes(formatNamed(name).name);
  } catch {
    return false;
  }
}

/**
 * The name of a column in a list of the parameters `types` and `rename`.
 *
 * @param {string} name
 * @param {string} [separator] a character, besides the comma, that a plain name does not have
 */
function quoted(name, separator = ',') {
  const isPlain = name !== '' && !name.includes(',') && !name.includes(separator) && !name.startsWith('"');
  return isPlain ? name : `"${name.replaceAll('"', '""')}"`;
}
