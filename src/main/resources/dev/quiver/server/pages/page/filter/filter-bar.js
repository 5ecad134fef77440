// The filter of the rows: the box in which one searches or writes conditions, and its parts, each of which can be changed.
// @ts-check

import { isMistake } from '../dataset/rows-state.js';
import { button, element, grouped, groupedDigits, isolated, present, visible } from '../lib/elements.js';
import { MISTAKES, failure } from '../lib/failure.js';
import { load, stylesheet } from '../lib/modules.js';
import { Problem, countRows } from '../lib/requests.js';
import { equals, literal } from '../sql/conditions.js';
import { OPERATORS, comparisonOf, familyOf, isClosed, joined, namedColumns, partsOf, worthwhile } from './condition-parts.js';
import { mistake } from './mistake.js';
import { Suggestions } from './suggestions.js';
import { isCondition, mayBecomeCondition, meant, suggestions, valuePlace } from './typed-text.js';

/** @typedef {import('./condition-parts.js').NamedColumn} NamedColumn */
/** @typedef {import('./typed-text.js').Suggestion} Suggestion */

const PROBLEM = 'filter-problem';
const REST_MILLISECONDS = 300;
const MOST_PART_CHARACTERS = 80;
const MOST_VALUES = 8;
const LEAST_SOUGHT_CHARACTERS = 2;
/** The columns whose frequent values are looked through: as many as headers ask for at once. */
const MOST_SOUGHT_COLUMNS = 16;
const MOST_SUMMARIZED_CELLS = 200_000_000;
/** @param {import('../dataset/rows-view.js').RowsView} view */
export async function create(view) {
  await stylesheet('filter/filter.css');
  return new FilterBar(view);
}

/** The filter of a view of rows, which has the elements that it fills. */
export class FilterBar {
  /**
   * The conditions that hold for the rows that are shown.
   *
   * @type {string[]}
   */
  #parts = [];
  /** The text that is searched for: that of the rows that are shown, or of those that are counted. */
  #search = '';
  /** The text that the rows that are shown have. */
  #shown = '';
  /** Whether the present entry of the history was made while the user typed, so that it may be replaced. */
  #isLive = false;
  /**
   * The part that is changed in the box, or null.
   *
   * @type {number | null}
   */
  #edited = null;
  /**
   * Ends the count of the rows of a filter that is tried, if one is.
   *
   * @type {AbortController | null}
   */
  #trying = null;
  /** Counts the filters that were tried. */
  #tries = 0;
  /** @type {number | undefined} */
  #resting;
  /** Counts the texts for which suggestions were looked for. */
  #sought = 0;
  /** @type {import('../dataset/statistics.js').Statistics | null} */
  #statistics = null;

  /** @param {import('../dataset/rows-view.js').RowsView} view */
  constructor(view) {
    this.view = view;
    this.columns = namedColumns(view.fields);
    const { box, clear, below } = view.filtering;
    this.box = box;
    this.clear = clear;
    this.parts = element('ul', { class: 'parts', 'aria-label': 'Filters' });
    this.form = element('div');
    this.problem = element('div', { id: PROBLEM });
    below.replaceChildren(this.parts, this.form, this.problem);
    this.list = new Suggestions(box, (suggestion) => this.#take(suggestion));
    box.addEventListener('input', () => this.#typed());
    box.addEventListener('keydown', (event) => this.#pressed(event));
    box.addEventListener('blur', () => this.list.close());
    clear.addEventListener('click', () => this.#clearAll());
    if (box.value !== '') {
      // It was typed before this was here.
      this.#typed();
    }
  }

  /**
   * Shows the filter of the rows that are shown from now on.
   *
   * @param {{ where: string, search: string }} filter
   */
  show({ where, search }) {
    // Another text that is tried meanwhile stays in the box.
    const isTried = this.#trying !== null && this.#search !== this.#shown;
    this.#shown = search;
    if (!isTried) {
      if (search !== this.#search) {
        this.box.value = search;
        this.#isLive = false;
      }
      this.#search = search;
    }
    this.#parts = partsOf(where);
    this.#showParts();
    this.#showClear();
  }

  #showClear() {
    this.clear.hidden = this.box.value === '' && this.#parts.length === 0;
  }

  #showParts() {
    const focused = document.activeElement;
    const place = [...this.parts.children].findIndex((each) => each.contains(focused));
    this.parts.replaceChildren(...this.#parts.map((part, i) => this.#part(part, i)));
    if (place >= 0) {
      // The focus stays where it was, or goes to the last part that is left.
      const part = this.parts.children[Math.min(place, this.#parts.length - 1)];
      const same = /** @type {HTMLElement | null | undefined} */ (part?.querySelector(focused?.matches('.remove') ? '.remove' : '.change'));
      (same ?? this.box).focus();
    }
  }

  /**
   * A part of the condition: a button that changes it, and one that takes it away.
   *
   * @param {string} part
   * @param {number} i
   */
  #part(part, i) {
    const comparison = comparisonOf(part, this.columns);
    const told = comparison ? toldComparison(comparison) : [element('code', {}, isolated(visible(cut(part))))];
    const label = told.map((each) => (typeof each === 'string' ? each : each.textContent)).join('');
    const change = element('button', { type: 'button', class: 'change', title: `Change: ${part}` }, ...told);
    change.addEventListener('click', () => (comparison ? this.#openForm(change, comparison, i) : this.#editText(part, i)));
    const remove = button('×', () => this.#apply(this.#parts.filter((_, other) => other !== i), this.#search), { class: 'remove', 'aria-label': `Remove ${label}`, title: 'Remove' });
    return element('li', { class: this.#edited === i ? 'edited' : '' }, change, remove);
  }

  /**
   * Lets the user change a part as text.
   *
   * @param {string} part
   * @param {number} i
   */
  #editText(part, i) {
    this.#closeForm();
    this.#edited = i;
    this.box.value = part;
    this.#showParts();
    this.#showClear();
    this.box.focus();
  }

  /** Opens the form of a new condition. */
  add() {
    const { grid } = this.view;
    const path = [grid ? this.view.positions[grid.active.column] : 0];
    const column = this.columns.find((each) => each.path.join() === path.join()) ?? this.columns[0];
    if (column) {
      this.#openForm(this.view.filtering.add, { column, operator: '', values: [] }, this.#parts.length);
    }
  }

  /**
   * @param {HTMLElement} opener
   * @param {import('./condition-parts.js').Comparison} comparison
   * @param {number} i
   */
  async #openForm(opener, comparison, i) {
    const { conditionForm } = await load('filter/condition-form.js');
    const made = conditionForm({
      columns: this.columns,
      comparison,
      statistics: (column) => this.#statisticsOf(column),
      apply: async (condition) => {
        const parts = [...this.#parts];
        parts[i] = condition;
        if (await this.#apply(parts, this.#search, { typed: condition })) {
          this.#closeForm();
          this.view.grid?.element.focus();
        }
      },
      asText: (condition) => this.#editText(condition, i),
      close: () => {
        this.#closeForm();
        (opener.isConnected ? opener : this.box).focus();
      },
    });
    this.form.replaceChildren(made);
    this.view.filtering.add.setAttribute('aria-expanded', 'true');
    const value = comparison.operator === '' ? null : made.querySelector('input');
    /** @type {HTMLElement} */ (value ?? made.querySelector('select')).focus();
  }

  #closeForm() {
    this.form.replaceChildren();
    this.view.filtering.add.setAttribute('aria-expanded', 'false');
  }

  // The text in the box

  #typed() {
    clearTimeout(this.#resting);
    this.#showClear();
    this.#suggest();
    const text = this.box.value.trim();
    if (this.#edited !== null) {
      return;
    }
    if (!isCondition(text, this.columns) && (text === '' || !mayBecomeCondition(text, this.columns))) {
      this.#resting = setTimeout(() => this.#find(text), REST_MILLISECONDS);
    } else if (this.#isLive) {
      // The text that was searched for is the beginning of a condition.
      this.#resting = setTimeout(() => this.#find(''), REST_MILLISECONDS);
    }
  }

  /**
   * Searches for a text while the user types.
   *
   * @param {string} text
   */
  async #find(text) {
    if (text === this.#search) {
      return;
    }
    const replaces = this.#isLive;
    if (await this.#apply(this.#parts, text, { replaces })) {
      this.#isLive = true;
    }
  }

  /** Runs what is in the box: a condition, or a search. */
  async submit() {
    this.#stopSuggesting();
    const text = this.box.value.trim();
    if (this.#edited === null && !isCondition(text, this.columns)) {
      await this.#apply(this.#parts, text, { replaces: this.#isLive });
      this.#isLive = false;
      return;
    }
    const position = this.#edited ?? this.#parts.length;
    /** @param {string} condition */
    const replaced = (condition) => [...this.#parts.slice(0, position), ...(condition === '' ? [] : [condition]), ...this.#parts.slice(position + 1)];
    // A part that is changed stands in the box in place of what is searched for. A new one has replaced that.
    const kept = this.#edited === null ? '' : this.#search;
    const isDone = await this.#apply(replaced(text), kept, { typed: text, replaces: this.#isLive, again: meant(text, this.columns), made: replaced });
    if (isDone) {
      this.box.value = kept;
      this.#showClear();
    }
  }

  /**
   * Shows the rows of a filter, or tells what is wrong with it and keeps the rows.
   *
   * @param {string[]} parts
   * @param {string} search
   * @param {object} [options]
   * @param {boolean} [options.replaces] whether it takes the place of the present entry of the history
   * @param {string} [options.typed] the part that is new
   * @param {string} [options.original] what the user has typed for it, if it was understood in another way
   * @param {string} [options.again] what the user may have meant by it
   * @param {(condition: string) => string[]} [options.made] makes the parts for that
   * @returns {Promise<boolean>} whether the rows are shown
   */
  async #apply(parts, search, { replaces = false, typed, original = typed, again = typed, made } = {}) {
    // It takes the place of a search that was to begin.
    clearTimeout(this.#resting);
    const own = ++this.#tries;
    this.#search = search;
    try {
      await this.#try(joinedOrAll(parts), search, replaces, parts.length > 1 ? parts.find((part) => !isClosed(part)) : undefined);
      this.#isLive = false;
      this.#edited = null;
      this.#showParts();
      this.#showProblem(null);
      return true;
    } catch (error) {
      if (own !== this.#tries) {
        // The text is that of a later one.
        return false;
      }
      this.#search = this.#shown;
      if (/** @type {Error} */ (error).name === 'AbortError') {
        return false;
      }
      if (made && again !== undefined && again !== typed && error instanceof Problem && error.status === 400) {
        return this.#apply(made(again), search, { replaces, typed: again, original: typed });
      }
      await this.#tell(error, parts, search, { typed, original });
      return false;
    }
  }

  /**
   * Shows the rows of a filter that was chosen elsewhere on the page, or tells why not.
   *
   * @param {string} where
   * @param {string} search
   */
  async filter(where, search) {
    try {
      await this.#try(where, search);
    } catch (error) {
      if (/** @type {Error} */ (error).name !== 'AbortError') {
        this.fail(error, { text: where, search, retry: () => this.filter(where, search) });
      }
    }
  }

  /**
   * Shows the rows of a filter once they are counted. Until then, and if that fails, the rows stay.
   *
   * @param {string} where
   * @param {string} search
   * @param {boolean} [replaces] whether it takes the place of the present entry of the history
   * @param {string} [part] one that may mean something else beside others than alone, where the service tells what is wrong with it
   */
  async #try(where, search, replaces = false, part = undefined) {
    this.#trying?.abort();
    const trying = new AbortController();
    this.#trying = trying;
    this.view.stage.setAttribute('aria-busy', 'true');
    try {
      if (part !== undefined) {
        await countRows(this.view.path, { where: part }, trying.signal);
      }
      await this.view.countRows(where, search, trying.signal);
      trying.signal.throwIfAborted();
      this.view.change({ where, search }, replaces);
    } finally {
      if (this.#trying === trying) {
        this.#trying = null;
        this.view.stage.removeAttribute('aria-busy');
      }
    }
  }

  /**
   * Tells why a filter does not show rows. The part that is new is told alone if it is what fails.
   *
   * @param {unknown} error
   * @param {string[]} parts
   * @param {string} search
   * @param {{ typed?: string, original?: string }} part the one that is new, and what the user has typed
   */
  async #tell(error, parts, search, { typed, original }) {
    let [told, text] = [error, joinedOrAll(parts)];
    if (typed !== undefined && parts.length > 1 && isMistake(error)) {
      const own = await countRows(this.view.path, { where: typed }).then(() => null, (found) => found);
      [told, text] = isMistake(own) ? [own, typed] : [told, text];
    }
    this.fail(told, { text, search, retry: () => this.#apply(parts, search, { typed, original }), typed: original ?? null });
  }

  /**
   * Tells why a filter does not show rows.
   *
   * @param {unknown} error
   * @param {{ text: string, search: string, retry: () => unknown, typed?: string | null }} failed
   */
  fail(error, { text, search, retry, typed = text }) {
    if (!(error instanceof Problem) || !MISTAKES.has(error.status)) {
      this.#showProblem(failure(error, retry));
      return;
    }
    const problem = error;
    const isSyntax = problem.status === 400 && typed !== null && typed !== '';
    const instead = isSyntax ? button(`Search for “${visible(cut(typed))}”`, () => this.#searchFor(typed)) : null;
    this.#showProblem(mistake(problem, text === '' ? search : text, instead));
    this.box.setAttribute('aria-invalid', 'true');
    this.box.setAttribute('aria-describedby', PROBLEM);
  }

  /** @param {HTMLElement | null} told */
  #showProblem(told) {
    this.problem.replaceChildren(...present([told]));
    this.box.removeAttribute('aria-invalid');
    this.box.removeAttribute('aria-describedby');
  }

  /**
   * Tells what is wrong with a filter that was in the URL, and lets the user correct it.
   *
   * @param {{ where: string, search: string }} filter
   * @param {unknown} error
   */
  correct({ where, search }, error) {
    this.box.value = where === '' ? search : where;
    // The search whose rows are shown stays beside the condition.
    this.#edited = where !== '' && search !== '' && search === this.#shown ? this.#parts.length : null;
    this.#showClear();
    this.fail(error, { text: where, search, retry: () => this.#apply(where === '' ? this.#parts : partsOf(where), search) });
  }

  /** @param {string} text */
  async #searchFor(text) {
    this.box.value = text;
    this.#edited = null;
    await this.#apply(this.#parts, text);
    this.box.focus();
  }

  async #clearAll() {
    this.#edited = null;
    this.box.value = '';
    this.#closeForm();
    this.#showProblem(null);
    this.#stopSuggesting();
    await this.#apply([], '');
    this.#showClear();
    this.box.focus();
  }

  /** @param {KeyboardEvent} event */
  #pressed(event) {
    if (event.isComposing || this.list.pressed(event)) {
      return;
    }
    if (event.key === 'ArrowDown') {
      this.#suggest();
    } else if (event.key === 'Escape') {
      this.#leave();
    } else if (event.key === 'Backspace' && this.box.value === '' && this.#parts.length > 0) {
      // The last part is the nearest one.
      this.#editText(this.#parts[this.#parts.length - 1], this.#parts.length - 1);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  /** Ends what is under way, takes back what was typed, or goes to the rows: the first of these that there is. */
  #leave() {
    if (this.#trying) {
      this.#trying.abort();
      return;
    }
    clearTimeout(this.#resting);
    const isChanged = this.box.value !== this.#search || this.problem.hasChildNodes();
    this.#edited = null;
    this.box.value = this.#search;
    this.#showProblem(null);
    this.#showParts();
    this.#showClear();
    if (!isChanged) {
      this.view.grid?.element.focus();
    }
  }

  // Suggestions

  /** @param {Suggestion} suggestion */
  #take({ text, from, condition }) {
    if (condition !== undefined) {
      this.box.value = '';
      this.#apply([...this.#parts, condition], '', { replaces: this.#isLive });
      this.list.close();
      return;
    }
    this.box.setRangeText(text, from, this.box.selectionStart ?? from, 'end');
    this.box.focus();
    this.#typed();
  }

  #stopSuggesting() {
    clearTimeout(this.#resting);
    this.#sought++;
    this.list.close();
  }

  async #suggest() {
    const sought = ++this.#sought;
    const text = this.box.value.slice(0, this.box.selectionStart ?? this.box.value.length);
    const place = valuePlace(text, this.columns);
    const found = place ? await this.#valuesAt(place) : [...suggestions(text, this.columns), ...(await this.#conditionsWith(text.trim()))];
    if (sought === this.#sought && document.activeElement === this.box) {
      this.list.show(found);
    }
  }

  /**
   * The frequent values of a column that have what is typed, without those that are cut or have no literal.
   *
   * @param {import('./typed-text.js').ValuePlace} place
   * @returns {Promise<Suggestion[]>}
   */
  async #valuesAt({ column, from, begun }) {
    const top = worthwhile((await this.#statisticsOf(column))?.top ?? [], column.type);
    const wanted = begun.toLowerCase();
    return top
      .filter(({ value }) => String(value).toLowerCase().includes(wanted))
      .map(({ value, count }) => ({ label: value === '' ? 'empty' : String(value), detail: grouped(count), text: literal(column.type, value) ?? '', from }))
      .filter(({ text }) => text !== '')
      .slice(0, MOST_VALUES);
  }

  /**
   * Conditions on frequent values that have a text.
   *
   * @param {string} text
   * @returns {Promise<Suggestion[]>}
   */
  async #conditionsWith(text) {
    if (text.length < LEAST_SOUGHT_CHARACTERS || isCondition(text, this.columns)) {
      return [];
    }
    const statistics = await this.#statisticsOfTexts();
    const wanted = text.toLowerCase();
    const found = (statistics?.entries ?? []).flatMap((entry) => {
      const column = this.columns.find(({ path }) => path.join() === entry.path.join());
      const top = (column && familyOf(column.type) === 'text' && statistics?.of(entry)?.top) || [];
      const matching = top.filter(({ value }) => value.toLowerCase().includes(wanted));
      return column ? matching.map(({ value, count }) => ({ label: `${column.label} is ${value}`, count, condition: equals(column, value) })) : [];
    });
    const whole = found.flatMap(({ label, count, condition }) => (condition === null ? [] : [{ label, detail: grouped(count), text: '', from: 0, condition }]));
    return whole.slice(0, MOST_VALUES / 2);
  }

  /** The statistics of the columns that are shown first over all rows, as the headers have them, or null. */
  async #statisticsOfTexts() {
    const { positions, rows, fields } = this.view;
    if (rows * fields.length > MOST_SUMMARIZED_CELLS) {
      return null;
    }
    await this.#fetchStatistics(positions.slice(0, MOST_SOUGHT_COLUMNS));
    return this.#statistics;
  }

  /**
   * The statistics of a column over all rows, or null if they cannot be had.
   *
   * @param {NamedColumn} column
   */
  async #statisticsOf(column) {
    await this.#fetchStatistics([column.path[0]]);
    const entry = this.#statistics?.entries.find(({ path }) => path.join() === column.path.join());
    return (entry && this.#statistics?.of(entry)) ?? null;
  }

  /**
   * Fetches the statistics of columns over all rows, unless they are here. Without them, values are typed.
   *
   * @param {number[]} positions
   */
  async #fetchStatistics(positions) {
    try {
      const { Statistics } = await load('dataset/statistics.js');
      this.#statistics ??= new Statistics(this.view.path, this.view.fields);
      const statistics = this.#statistics;
      const missing = positions.filter((position) => statistics.entries.some((entry) => entry.path.join() === String(position) && !statistics.of(entry)));
      if (missing.length > 0) {
        await statistics.fetch(missing, this.view.signal);
      }
    } catch {
      // The next text asks for them again.
    }
  }
}

/** @param {string[]} parts */
const joinedOrAll = (parts) => (parts.length === 0 ? '' : joined(parts));

/** @param {string} text */
const cut = (text) => (text.length > MOST_PART_CHARACTERS ? `${text.slice(0, MOST_PART_CHARACTERS)}…` : text);

/**
 * A comparison as people say it.
 *
 * @param {import('./condition-parts.js').Comparison} comparison
 * @returns {(Node | string)[]}
 */
function toldComparison({ column, operator, values }) {
  /** @param {string} value */
  const shown = (value) => (value === '' ? 'empty' : familyOf(column.type) === 'number' ? groupedDigits(value) : visible(cut(value)));
  const told = values.map((value) => element('b', {}, isolated(shown(value))));
  const both = told.length === 2 ? [told[0], ' and ', told[1]] : told;
  return [isolated(visible(cut(column.label))), ` ${OPERATORS[operator].label}`, ...(both.length > 0 ? [' ', ...both] : [])];
}
