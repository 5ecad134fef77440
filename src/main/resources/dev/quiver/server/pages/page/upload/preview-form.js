// The form of a local file before its upload: the options that were found in it, its columns, and its first rows. A change
// there changes the way in which the file is read.
// @ts-check

import { plainType } from '../grid/plain-types.js';
import { button, counted, element, isolated, visible } from '../lib/elements.js';
import { failure, plainFailure } from '../lib/failure.js';
import { Problem } from '../lib/requests.js';
import { NoPreview, formatNamed, preview } from './file-preview.js';

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
 */

const MOST_COLUMNS = 100;
/** The characters of a value that any cell has room for. */
const MOST_SEEN_CHARACTERS = 30;

/** @type {Value[]} */
const HEADERS = [
  ['true', 'in the first row'],
  ['false', 'none'],
];
/** @type {Value[]} */
const UNEVEN = [
  ['fill', 'short ones are filled'],
  ['skip', 'are left out'],
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
    values: UNEVEN,
  },
  { option: 'excel.sheet', label: 'Sheet', values: [] },
  { option: 'excel.header', label: 'Names', values: HEADERS },
  { option: 'excel.rows', label: 'Rows that do not fit', absent: 'are refused', values: [UNEVEN[1]] },
  { option: 'json.records', label: 'Rows', values: [['.', 'the file is one row']] },
];

/** The options that all text in columns has. */
const TEXT_OPTIONS = ['csv.delimiter', 'csv.encoding', 'csv.decimal', 'csv.header', 'csv.rows'];
/** The options after which columns stay the same. */
const OPTIONS_OF_VALUES = ['csv.decimal', 'csv.dates', 'csv.rows', 'excel.rows'];
/** The failures that another choice may end. */
const OWN_STATUSES = [0, 400, 413, 415, 422];
const RECORDS = 'json.records';
const TYPES = /\.types$/;

/** @type {Value[]} */
const TYPE_NAMES = [
  ['varchar', 'Text'],
  ['bigint', 'Whole number'],
  ['double', 'Number'],
  ['boolean', 'True or false'],
  ['date', 'Date'],
  ['time', 'Time'],
  ['timestamp', 'Date and time'],
];
/**
 * Types that are offered only where values have the form.
 *
 * @type {Record<string, string>}
 */
const WRITTEN_TYPE_NAMES = { percent: 'Percentage', grouped: 'Number in groups' };

/**
 * The name of a type as people say it. `decimal(…)`, say, has no other.
 *
 * @param {string} type
 */
const typeName = (type) => TYPE_NAMES.find(([value]) => value === type)?.[1] ?? WRITTEN_TYPE_NAMES[type] ?? type;

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
  /**
   * Other options that were applied, each of which may repeat.
   *
   * @type {FileOption[]}
   */
  #applied = [];
  #isAborted = false;

  /** @param {File} file */
  constructor(file) {
    super();
    this.file = file;
    this.settings = element('div', { class: 'settings' });
    this.notes = element('ul', { class: 'notes' });
    this.offers = element('div', { class: 'settings' });
    this.failure = element('div');
    this.rows = element('div');
    this.status = element('div', { class: 'unseen', role: 'status' });
    this.element = element(
      'fieldset',
      { class: 'file-form', 'aria-label': `How ${visible(file.name)} is read` },
      this.settings,
      this.notes,
      this.offers,
      this.failure,
      this.rows,
      this.status,
    );
    /** Whether no file of its kind is read. */
    this.isRefused = false;
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
    this.#isAborted = this.rows.getAttribute('aria-busy') === 'true';
    this.#control.abort();
    this.element.disabled = true;
  }

  /** Lets the file be read in another way after all. */
  reopen() {
    this.element.disabled = false;
    if (this.#isAborted) {
      this.#isAborted = false;
      this.look();
    }
  }

  /** The parameters that decide on the columns and the rows. */
  #reading() {
    const all = new URLSearchParams([...this.#choices, ...this.#applied.map(({ option, value }) => [option, value])]);
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
    const columns = new Set(found.columns.map(({ name }) => name));
    [...this.#names.keys()].filter((name) => !columns.has(name)).forEach((name) => this.#names.delete(name));
    this.#typesOption = found.read.find(({ option }) => TYPES.test(option))?.option ?? this.#typesOption;
    const read = new Map(found.read.filter(({ option }) => !TYPES.test(option)).map(({ option, value }) => [option, value]));
    if (this.#choices.size === 0) {
      this.#found = read;
    }
    if (found.isSample && this.#decideRecords(read.get(RECORDS), found.options)) {
      return;
    }
    const isText = read.has('csv.delimiter');
    const offered = CHOICES.filter(
      ({ option }) =>
        this.#choices.has(option) ||
        read.has(option) ||
        (option === 'csv.rows' && isText) ||
        (option === 'excel.rows' && read.has('excel.sheet')) ||
        found.options.some((each) => each.option === option),
    );
    this.#render(
      offered.map((choice) => this.#select(choice, read.get(choice.option) ?? this.#choices.get(choice.option), found)),
      found,
      null,
    );
    this.status.textContent = `${found.format}: ${counted(found.columns.length, 'column')}, ${counted(found.warnings.length, 'note')}`;
    this.summary = `${found.format}: ${counted(found.columns.length, 'column')}${found.isSample ? '; types from its first megabyte' : ''}`;
    this.dispatchEvent(new Event('changed'));
  }

  /** @param {Error} error */
  #fail(error) {
    if (error instanceof NoPreview) {
      this.#render([], null, element('p', {}, error.message));
      this.summary = 'No preview';
      this.dispatchEvent(new Event('changed'));
      return;
    }
    const isOwn = error instanceof Problem && OWN_STATUSES.includes(error.status);
    this.isRefused = error instanceof Problem && error.status === 0;
    const settings = [...this.settings.children];
    const missing = isText(this.file.name) ? CHOICES.filter(({ option }) => TEXT_OPTIONS.includes(option) && !this.settings.querySelector(`[name="${option}"]`)) : [];
    const added = missing.map((choice) => this.#select({ absent: 'found', ...choice }, this.#choices.get(choice.option), null));
    // The table stays, with the choice that may be taken back.
    this.#render([...settings, ...added], this.#preview, isOwn ? plainFailure(error) : failure(error, () => this.look()));
    this.summary = this.#preview ? this.summary : 'No preview';
    this.dispatchEvent(new Event('changed'));
  }

  /**
   * Replaces all, and lets the focus stay where it is.
   *
   * @param {Element[]} settings
   * @param {Preview | null} shown
   * @param {Element | null} failed what is wrong
   */
  #render(settings, shown, failed) {
    const focused = document.activeElement;
    const label = this.element.contains(focused) ? labelOf(focused) : null;
    const caret = focused instanceof HTMLInputElement && focused.type === 'text' ? focused.selectionStart : null;
    this.settings.replaceChildren(...settings);
    this.notes.replaceChildren(...(shown?.warnings ?? []).map((sentence) => element('li', {}, ...this.#note(sentence, shown?.options ?? []))));
    this.offers.replaceChildren(...this.#others(shown?.options ?? []));
    this.failure.replaceChildren(...(failed ? [failed] : []));
    this.rows.replaceChildren(...(shown ? [this.#table(shown)] : []));
    this.rows.removeAttribute('aria-busy');
    if (label !== null) {
      const same = /** @type {HTMLElement | undefined} */ ([...this.element.querySelectorAll('select, input')].find((each) => labelOf(each) === label));
      same?.focus();
      if (same instanceof HTMLInputElement && caret !== null) {
        same.setSelectionRange(caret, caret);
      }
    }
  }

  /**
   * A warning, with a button for each parameter that a select has. It names the select, and chooses there.
   *
   * @param {string} sentence
   * @param {FileOption[]} options
   * @returns {(string | Element)[]}
   */
  #note(sentence, options) {
    const own = CHOICES.flatMap(({ option, values }) => values.map(([value]) => ({ option, value })));
    const all = [...options, ...own].filter(({ option }) => TYPES.test(option) || CHOICES.some((choice) => choice.option === option));
    const found = all.map((each) => ({ each, at: sentence.indexOf(`${each.option}=${each.value}`) })).filter(({ at }) => at >= 0);
    const [first] = found.sort((a, b) => a.at - b.at);
    if (!first) {
      return [visible(sentence)];
    }
    const end = first.at + first.each.option.length + 1 + first.each.value.length;
    const before = sentence.slice(0, first.at).replace(/the parameter $/, '');
    return [visible(before), this.#chooser(first.each), ...this.#note(sentence.slice(end), options)];
  }

  /** @param {FileOption} option */
  #chooser({ option, value, column = '' }) {
    const type = TYPES.test(option) ? typeIn({ option, value }) : null;
    const choice = CHOICES.find((each) => each.option === option);
    const name = type === null ? (choice?.values.find(([each]) => each === value)?.[1] ?? named(option, value)) : typeName(type);
    const label = type === null ? `${choice?.label}` : typeLabel(column);
    const choose = () => {
      // The button goes with its note.
      const control = [...this.element.querySelectorAll('select')].find((each) => labelOf(each) === (type === null ? option : label));
      control?.focus();
      if (type === null) {
        this.#choose(option, value);
      } else {
        this.#types.set(column, type);
        this.#change();
      }
    };
    return button(`${label}: ${visible(name)}`, choose);
  }

  /**
   * Sends the place of the records that is shown, since the rest of the file may suggest another. A large object is hardly one
   * row.
   *
   * @param {string | undefined} shown
   * @param {FileOption[]} options
   * @returns {boolean} whether the file is read again
   */
  #decideRecords(shown, options) {
    if (shown === undefined || this.#choices.has(RECORDS)) {
      return false;
    }
    const others = options.filter(({ option }) => option === RECORDS);
    const isRow = shown === '.' && others.length === 1;
    this.#choices.set(RECORDS, isRow ? others[0].value : shown);
    if (isRow) {
      this.look();
    }
    return isRow;
  }

  /**
   * The options that no select has, such as words that stand for null.
   *
   * @param {FileOption[]} options
   */
  #others(options) {
    const selects = CHOICES.map(({ option }) => option);
    const others = options.filter(({ option }) => !selects.includes(option) && !TYPES.test(option));
    return [...this.#applied, ...others].map((each) => {
      const isApplied = this.#applied.includes(each);
      const text = `${each.option}=${visible(each.value)}`;
      const input = element('input', {
        type: 'checkbox',
        checked: isApplied,
        'aria-label': text,
        onchange: () => {
          this.#applied = isApplied ? this.#applied.filter((other) => other !== each) : [...this.#applied, each];
          this.#change();
        },
      });
      return element('label', {}, input, ` ${text}`);
    });
  }

  /** Reads the file in another way. */
  #change() {
    const looking = this.look();
    this.dispatchEvent(new Event('changed'));
    return looking;
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
    if (value === (this.#found.get(option) ?? '') && option !== RECORDS) {
      this.#choices.delete(option);
    } else {
      this.#choices.set(option, value);
    }
    if (!OPTIONS_OF_VALUES.includes(option)) {
      // They may be those of other columns.
      this.#types.clear();
    }
    this.#change();
  }

  /**
   * The first rows, below the names and types of their columns.
   *
   * @param {Preview} found
   */
  #table({ columns, rows, read, options }) {
    const shown = columns.slice(0, MOST_COLUMNS);
    const areNumbers = shown.map((_, i) => rows.some((row) => row[i].kind === 'number'));
    const heads = shown.map(({ name, type, nullable }, i) =>
      element(
        'th',
        { scope: 'col', class: areNumbers[i] ? 'number' : null },
        this.#name(name, columns.filter((other) => other.name === name).length === 1),
        this.#type(name, type, read, options) ?? element('small', { title: visible(type) }, visible(plainType(type)), nullable ? '' : ', not null'),
      ),
    );
    /** @param {import('../grid/arrow-values.js').CellText[]} cells */
    const line = (cells) => element('tr', {}, ...cells.slice(0, MOST_COLUMNS).map(({ text, kind }, i) => element('td', { class: areNumbers[i] ? `${kind} number` : kind, title: text.length > MOST_SEEN_CHARACTERS ? text : null }, isolated(text))));
    const more = columns.length > shown.length ? element('p', {}, element('small', {}, `The first ${shown.length} of ${counted(columns.length, 'column')} are shown.`)) : null;
    return element(
      'div',
      {},
      element(
        'div',
        { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': `First rows of ${visible(this.file.name)}` },
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
    const text = visible(column);
    if (!isOnly) {
      return isolated(text || '(no name)');
    }
    const input = element('input', {
      type: 'text',
      value: this.#names.get(column) ?? text,
      placeholder: '(no name)',
      size: Math.min(24, Math.max(6, text.length)),
      spellcheck: 'false',
      'aria-label': `Name of column ${text}`,
      oninput: () => {
        if (input.value === text || input.value === '') {
          this.#names.delete(column);
        } else {
          this.#names.set(column, input.value);
        }
        mark();
        this.dispatchEvent(new Event('changed'));
      },
      onblur: () => (input.value ||= text),
    });
    const mark = () => {
      const isTaken = this.#names.has(column) && this.#isTaken(column, input.value);
      input.setAttribute('aria-invalid', String(isTaken));
      input.title = isTaken ? 'Another column has this name' : '';
    };
    mark();
    return input;
  }

  /**
   * Whether another column has a name once all are renamed.
   *
   * @param {string} column
   * @param {string} name
   */
  #isTaken(column, name) {
    return (this.#preview?.columns ?? []).some((other) => other.name !== column && (this.#names.get(other.name) ?? other.name) === name);
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
    [current, ...offered].forEach((each) => all.set(each, typeName(each)));
    const select = element(
      'select',
      {
        class: offered.length > 0 ? 'offered' : null,
        title: type,
        'aria-label': typeLabel(column),
        onchange: () => {
          this.#types.set(column, select.value);
          this.#change();
        },
      },
      ...[...all].map(([value, name]) => element('option', { value, selected: value === current }, offered.includes(value) ? `${name} (offered)` : name)),
    );
    return select;
  }
}

/** @param {Element | null} control */
const labelOf = (control) => control?.getAttribute('aria-label') ?? control?.getAttribute('name') ?? null;

/** @param {string} column */
const typeLabel = (column) => `Type of column ${visible(column)}`;

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
