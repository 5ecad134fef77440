// The page of statements: an editor, the rows of the result as they come, a chart, and what else can be done with it.
// @ts-check

import '../lib/colours.js';
import { JSON_VALUE, full } from '../grid/arrow-values.js';
import { MOST_SHOWN_CHARACTERS, cellContent } from '../grid/cell-content.js';
import { Grid, columnHead } from '../grid/grid.js';
import { copy, save, select } from '../lib/clipboard.js';
import { Drawer } from '../lib/drawer.js';
import { button, byteSize, counted, element, grouped, tell, visible } from '../lib/elements.js';
import { failure } from '../lib/failure.js';
import { isFramed } from '../lib/frame.js';
import { load, stylesheet } from '../lib/modules.js';
import { MOST_URL_CHARACTERS, Problem, authorization, base, needsToken, send } from '../lib/requests.js';
import { fragment, readState, whenStateChanged } from '../lib/url-state.js';
import { INCOMPLETE, MOST_BYTES, MOST_ROWS, Result, asked } from './query-result.js';
import { Saving } from './result-saving.js';
import { Editor } from './sql-editor.js';
import { RESERVED } from './sql-keywords.js';
import { StatementHistory, keep } from './statement-history.js';
import { Progress } from './statement-progress.js';
import { curl, parameterNames, quoted, tokens } from './statement.js';

const VIEW = 'sql';
const DRAFT = 'quiver.draft';
const TICK_MILLISECONDS = 100;
/**
 * The forms in which a result can be downloaded.
 *
 * @typedef {{ label: string, suffix: string, options?: Record<string, string> }} Download
 * @type {Download[]}
 */
const DOWNLOADS = [
  { label: 'Arrow', suffix: '.arrow' },
  { label: 'CSV', suffix: '.csv' },
  { label: 'CSV for spreadsheets', suffix: '.csv', options: { text: 'safe' } },
  { label: 'Excel', suffix: '.xlsx' },
  { label: 'JSON', suffix: '.json' },
  { label: 'Parquet', suffix: '.parquet' },
];
const HINT = 'SELECT * FROM sample LIMIT 1000';
const NOT_A_NAME = new Set(RESERVED);

/** The whole page. */
class SqlPage {
  /** @type {Result | null} */
  #result = null;
  /** @type {Grid | null} */
  #grid = null;
  /** @type {import('../chart/chart.js').Chart | null} */
  #chart = null;
  /**
   * The values of parameters.
   *
   * @type {Map<string, string>}
   */
  #values = new Map();
  /**
   * The text of which a part has run, and that part, or null.
   *
   * @type {{ text: string, part: string } | null}
   */
  #selected = null;
  /**
   * The choices of the chart, also of one that is not drawn yet; null without a chart.
   *
   * @type {import('../lib/url-state.js').Values | null}
   */
  #choice = null;
  /**
   * The controllers that end downloads in progress, by their buttons.
   *
   * @type {Map<HTMLButtonElement, AbortController>}
   */
  #downloads = new Map();
  /** @type {number | undefined} */
  #ticking;
  /** @type {number | null} */
  #growing = null;
  /** The names of the parameters that are offered. */
  #offered = '';
  /** @type {boolean | undefined} */
  #isGuarded;

  /** @param {HTMLElement} main */
  constructor(main) {
    const writable = main.dataset.writable !== undefined && !isFramed;
    this.editor = new Editor({ label: 'Statement', hint: HINT, text: '' });
    this.editor.addEventListener('run', () => this.run());
    this.editor.addEventListener('changed', () => this.#changed());
    this.parameters = element('form', { class: 'parameters bar', 'aria-label': 'Parameters', hidden: true, onsubmit: (event) => (event.preventDefault(), this.run()) });
    this.runButton = button('Run', () => this.run(), { class: 'primary', title: 'Ctrl-Enter: the statement, or what is selected of it' });
    this.cancelButton = button('Cancel', () => this.#result?.cancel(), { disabled: true });
    this.timer = element('span', { class: 'timer', role: 'timer' });
    this.progress = new Progress();
    this.link = element('pre', { class: 'shared', hidden: true, tabindex: 0 });
    this.history = new StatementHistory((sql) => this.#write(sql));
    this.summary = element('p', { class: 'summary', role: 'status' });
    this.source = element('small', { class: 'source' });
    this.problem = element('div');
    this.stage = element('div', { class: 'stage' }, help());
    this.chartHost = element('div');
    this.saving = new Saving(() => this.#last());
    this.drawer = new Drawer(() => this.#grid?.element);
    this.chartButton = button('Chart', () => this.#toggleChart(), { 'aria-expanded': 'false' });
    this.tools = this.#tools(writable);
    main.replaceChildren(
      this.editor.element,
      this.parameters,
      element(
        'div',
        { class: 'bar' },
        this.runButton,
        this.cancelButton,
        this.progress.element,
        this.timer,
        element('span', { class: 'hint' }, 'Ctrl-Enter runs, Tab leaves the editor'),
        button('Copy as curl', () => this.#copyCurl(), { class: 'aside' }),
        button('Share', () => this.#share(), { title: 'Copies a link, which holds the statement after #, so that it is sent to no server' }),
        this.history.button,
      ),
      this.link,
      this.history.element,
      this.problem,
      element('div', { class: 'bar results' }, this.summary, this.source, this.tools),
      this.saving.element,
      this.chartHost,
      this.stage,
      this.drawer.element,
    );
    document.body.classList.add('app', 'wide');
    document.addEventListener('keydown', (event) => event.key === 'Escape' && !event.defaultPrevented && this.#escaped(event));
    whenStateChanged(() => this.#read());
  }

  /** Shows the statement of the URL. It does not run by itself, since strangers make links, too. */
  start() {
    const draft = drafted();
    const query = new URLSearchParams(location.search);
    if (query.has('q')) {
      const parameters = [...query].filter(([name]) => name.startsWith('p.'));
      // From now on it is sent to no server.
      history.replaceState(null, '', `${base}/sql${fragment(VIEW, { q: query.get('q'), ...Object.fromEntries(parameters) })}`);
    }
    this.#read();
    // The draft may be later than the URL, if this tab comes back to it.
    const [entry] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType('navigation'));
    const isBack = entry?.type !== 'navigate';
    if (this.editor.text === '' || (isBack && draft.of === this.editor.text)) {
      this.#restore(draft.text);
    }
    this.editor.focus();
    this.editor.improve().catch(() => tell('The editor could not be loaded: this is a plain one'));
  }

  /** @param {string} text */
  #restore(text) {
    if (text !== '' && text !== this.editor.text) {
      this.editor.text = text;
    }
  }

  #read() {
    const { values } = readState();
    for (const [name, value] of values) {
      if (name.startsWith('p.')) {
        this.#values.set(name.slice(2), value);
      }
    }
    this.#restore(values.get('q') ?? '');
    const part = /^(\d+)-(\d+)$/.exec(values.get('run') ?? '');
    if (part) {
      this.editor.select(Number(part[1]), Number(part[2]));
    }
    this.#selected = part ? { text: this.editor.text, part: part[0] } : null;
    // All other values are the choices of the chart.
    const choices = [...values].filter(([name]) => name !== 'q' && name !== 'run' && !name.startsWith('p.'));
    this.#choice = values.has('type') ? Object.fromEntries(choices) : null;
    this.#offerParameters();
  }

  /** @param {string} sql */
  #write(sql) {
    this.editor.text = sql;
    this.editor.focus();
  }

  #changed() {
    const draft = { text: this.editor.text, of: readState().values.get('q') ?? '' };
    try {
      sessionStorage.setItem(DRAFT, JSON.stringify(draft));
    } catch {
      // The browser keeps nothing, in a frame for example.
    }
    this.#offerParameters();
  }

  // Parameters

  #offerParameters() {
    const names = parameterNames(this.editor.text);
    if (names.join('\n') === this.#offered) {
      return;
    }
    this.#offered = names.join('\n');
    this.parameters.hidden = names.length === 0;
    this.parameters.replaceChildren(
      ...names.map((name) => {
        const input = element('input', { name, spellcheck: 'false', autocomplete: 'off', oninput: () => this.#values.set(name, input.value) });
        input.value = this.#values.get(name) ?? '';
        return element('label', {}, `$${visible(name)} `, input);
      }),
      // Enter in an input submits.
      element('button', { hidden: true }, 'Run'),
    );
  }

  /**
   * @param {string} sql
   * @returns {Record<string, string>}
   */
  #valuesOf(sql) {
    return Object.fromEntries(parameterNames(sql).map((name) => [name, this.#values.get(name) ?? '']));
  }

  /** The statement of the result, or that of the editor before one has run, with its parameters. */
  #last() {
    return this.#result ?? this.#now();
  }

  #now() {
    const { sql } = this.editor.chosen;
    return { sql, parameters: this.#valuesOf(sql) };
  }

  // Running

  async run() {
    const { sql, start } = this.editor.chosen;
    const { text } = this.editor;
    if (sql.trim() === '') {
      this.#tellEnd('There is no statement yet.');
      this.editor.focus();
      return;
    }
    this.#result?.cancel();
    keep(sql);
    this.history.refresh();
    const result = new Result(sql, this.#valuesOf(sql));
    this.#result = result;
    this.#selected = sql === text ? null : { text, part: `${start}-${start + sql.length}` };
    this.#remember();
    this.#clear();
    result.addEventListener('rows', () => this.#grow(result));
    result.addEventListener('ended', () => this.#ended(result, this.editor.text === text ? start : null));
    this.cancelButton.disabled = false;
    this.#ticking = setInterval(() => this.#tick(result), TICK_MILLISECONDS);
    await result.run();
  }

  /** Writes the state of the page to its URL: all of the text, the part of it that has run, and what the chart shows. */
  #remember() {
    const { text } = this.editor;
    const run = this.#selected?.text === text ? this.#selected.part : null;
    const values = Object.fromEntries(Object.entries(this.#valuesOf(text)).map(([name, value]) => [`p.${name}`, value]));
    history.replaceState(null, '', `${base}/sql${fragment(VIEW, { q: text, run, ...values, ...this.#choice })}`);
  }

  #clear() {
    clearInterval(this.#ticking);
    this.progress.hide();
    this.editor.unmark();
    this.#grid = null;
    this.summary.textContent = '';
    this.source.textContent = '';
    this.tools.hidden = true;
    this.link.hidden = true;
    this.problem.replaceChildren();
    this.stage.replaceChildren();
    this.chartHost.hidden = true;
    this.saving.element.hidden = true;
    this.drawer.hide();
  }

  /** @param {Result} result */
  #tick({ rows, bytes, seconds, progress }) {
    const received = rows > 0 ? `, ${counted(rows, 'row')}, ${byteSize(bytes)}, ${byteSize(Math.round(bytes / seconds))}/s` : '';
    this.timer.textContent = `${seconds.toFixed(1)} s${this.progress.show(progress)}${received}`;
  }

  /**
   * Shows the first rows, to whose values the columns are fitted.
   *
   * @param {Result} result
   * @param {import('../grid/grid.js').Field[]} fields
   */
  #open(result, fields) {
    /** @param {import('../grid/grid.js').Field} field */
    const head = (field) => {
      const content = columnHead(field);
      content.addEventListener('dblclick', () => this.editor.insert(quoted(field.name, NOT_A_NAME)));
      return content;
    };
    const grid = new Grid({ windows: result, fields, label: 'Result', head });
    grid.on('open', (cell) => this.#openCell(fields[cell.column], cell));
    grid.on('refused', tell);
    grid.on('copying', () => this.#openCopying(true));
    this.#grid = grid;
    this.stage.replaceChildren(grid.element);
    this.source.textContent = result.versions ? `of ${visible(result.versions)}` : '';
  }

  /** @param {Result} result */
  #grow(result) {
    if (result !== this.#result || result.fields === null) {
      return;
    }
    if (this.#grid === null) {
      this.#open(result, result.fields);
    } else {
      this.#growing ??= requestAnimationFrame(() => {
        this.#growing = null;
        this.#grid?.grow();
      });
    }
  }

  /**
   * @param {Result} result
   * @param {number | null} start
   */
  #ended(result, start) {
    if (result !== this.#result) {
      return;
    }
    clearInterval(this.#ticking);
    this.progress.hide();
    this.cancelButton.disabled = true;
    this.timer.textContent = '';
    const { rows, state, fields } = result;
    const size = `${counted(rows, 'row')} in ${time(result.seconds)}, ${byteSize(result.bytes)}`;
    if (state === 'failed') {
      this.#showFailure(result.failure, start);
    }
    this.#tellEnd(
      {
        running: '',
        complete: size,
        cancelled: rows > 0 ? `Cancelled: the first ${size}` : `Cancelled after ${time(result.seconds)}`,
        limited: `The first ${size}. There are more: the page keeps at most ${grouped(MOST_ROWS)} rows or ${byteSize(MOST_BYTES)}, and a download has all.`,
        failed: fields === null ? '' : `The first ${size}, and then a failure`,
      }[state],
    );
    this.tools.hidden = fields === null;
    if (fields !== null && rows === 0) {
      this.#open(result, fields);
      this.stage.append(element('p', { class: 'empty' }, 'No rows'));
    }
    if (fields !== null && rows > 0 && this.#choice) {
      this.#showChart();
    }
  }

  /** @param {string} text */
  #tellEnd(text) {
    this.summary.textContent = text;
  }

  /**
   * @param {unknown} error
   * @param {number | null} start
   */
  #showFailure(error, start) {
    const document = error instanceof Problem ? error.document : null;
    if (document?.position === undefined) {
      this.problem.replaceChildren(failure(error, () => this.run()));
      return;
    }
    if (start !== null) {
      this.editor.mark(start + document.position, document.length ?? 1);
    }
    this.problem.replaceChildren(
      element(
        'div',
        { class: 'failure', role: 'alert' },
        element('p', {}, /** @type {Problem} */ (error).message),
        element('small', {}, `at line ${document.line} of the statement`),
      ),
    );
    this.editor.focus();
  }

  /** @param {KeyboardEvent} event */
  #escaped(event) {
    if (this.#result?.state === 'running') {
      this.#result.cancel();
      event.preventDefault();
    } else if (this.drawer.isOpen) {
      this.drawer.close();
      event.preventDefault();
    }
  }

  // Actions for a result

  /** @param {boolean} writable */
  #tools(writable) {
    const downloads = DOWNLOADS.map((form) => {
      const made = button(form.label, () => this.#download(made, form), { 'aria-label': `Download as ${form.label}` });
      return made;
    });
    return element(
      'span',
      { class: 'tools', hidden: true },
      this.chartButton,
      button('Copy as…', () => this.#openCopying()),
      writable ? button('Save as dataset', () => this.saving.open()) : null,
      element('span', { class: 'group' }, element('span', { class: 'hint' }, 'Download'), ...downloads),
    );
  }

  async #toggleChart() {
    if (this.#chart) {
      this.#chart = null;
      this.#choice = null;
      this.chartHost.replaceChildren();
    } else {
      await this.#showChart();
    }
    this.chartButton.setAttribute('aria-expanded', String(this.#chart !== null));
    this.#remember();
  }

  async #showChart() {
    this.chartHost.hidden = false;
    try {
      if (!this.#chart) {
        const { Chart } = await load('chart/chart.js');
        const chart = new Chart();
        chart.addEventListener('chosen', () => {
          this.#choice = chart.values;
          this.#remember();
        });
        this.#chart = chart;
        this.chartHost.replaceChildren(chart.element);
        this.chartButton.setAttribute('aria-expanded', 'true');
      }
      if (this.#result?.fields) {
        const choice = Object.entries(this.#choice ?? {}).flatMap(([key, value]) => (value ? [/** @type {[string, string]} */ ([key, String(value)])] : []));
        await this.#chart.show(charted(this.#result, this.#result.fields), new Map(choice));
      }
    } catch (error) {
      this.#chart = null;
      this.chartHost.replaceChildren(failure(error, () => this.#showChart()));
    }
  }

  /**
   * Saves the whole result: as it comes, or once it is complete if a link cannot ask for it.
   *
   * @param {HTMLButtonElement} made
   * @param {Download} form
   */
  async #download(made, form) {
    const running = this.#downloads.get(made);
    if (running) {
      running.abort();
      return;
    }
    const { sql, parameters } = this.#last();
    const { suffix, options = {} } = form;
    const url = download(sql, parameters, suffix, options);
    if (!authorization().Authorization && url.length <= MOST_URL_CHARACTERS) {
      element('a', { href: url, download: `result${suffix}` }).click();
      return;
    }
    const label = made.textContent;
    const control = new AbortController();
    this.#downloads.set(made, control);
    made.textContent = 'Cancel';
    try {
      const response = await send(`${base}/sql${suffix}?${new URLSearchParams(options)}`, asked(sql, parameters, control.signal));
      save(await received(response, (count) => (made.textContent = `Cancel at ${byteSize(count)}`)), `result${suffix}`);
    } catch (error) {
      if (!control.signal.aborted) {
        this.problem.replaceChildren(failure(error, () => this.#download(made, form)));
      }
    } finally {
      this.#downloads.delete(made);
      made.textContent = label;
    }
  }

  /**
   * Shows the whole value of a cell.
   *
   * @param {import('../grid/grid.js').Field} field
   * @param {import('../grid/grid.js').OpenedCell} cell
   */
  #openCell(field, { row, value, type = JSON_VALUE }) {
    const text = full(value, type);
    const rest = text.length > MOST_SHOWN_CHARACTERS ? element('p', {}, 'This is its beginning. A copy has all of it.') : null;
    this.drawer.open(cellContent({ field, row, text, rest }));
  }

  /**
   * Offers the formats in which cells are copied.
   *
   * @param {boolean} [isSelection]
   */
  async #openCopying(isSelection = false) {
    const grid = this.#grid;
    try {
      const { content } = await load('grid/copy-drawer.js');
      if (grid && grid === this.#grid) {
        this.drawer.open(content({ name: 'result' }, grid, isSelection));
      }
    } catch (error) {
      this.problem.replaceChildren(failure(error, () => this.#openCopying(isSelection)));
    }
  }

  async #copyCurl() {
    const { sql, parameters } = this.#now();
    this.#isGuarded ??= await needsToken(`${base}/datasets?limit=1`);
    this.#copy(curl(sql, parameters, this.#isGuarded));
  }

  /** The link of what the editor has, which is also that of the page from then on. */
  #share() {
    this.#remember();
    this.#copy(location.href);
  }

  /** @param {string} text */
  #copy(text) {
    this.link.textContent = text;
    copy(text, () => select(this.link));
  }
}

function help() {
  return element(
    'p',
    { class: 'help' },
    'Every dataset is a table. Ctrl-Space completes the names of datasets and columns; a double click on the header of a column writes its name. ',
    element('a', { href: `${base}/docs/http-api#sql` }, 'What SQL may say'),
  );
}

/**
 * The rows of a result for a chart: those of its statement, which runs again as a part of others.
 *
 * @param {Result} result
 * @param {import('../grid/grid.js').Field[]} fields
 * @returns {import('../chart/chart-question.js').Source}
 */
function charted({ sql, parameters, versions }, fields) {
  // Names of results may be repeated.
  const names = fields.map((_, i) => `c${i}`);
  const last = tokens(sql).findLast(({ kind }) => kind !== 'comment');
  const rows = last?.text === ';' ? sql.slice(0, last.start) : sql;
  return { fields, names, from: `FROM (${rows}\n) AS "chart rows"(${names.join(', ')})`, parameters, condition: '', title: '', notes: [], versions: versions ?? undefined };
}

/** @param {number} seconds */
function time(seconds) {
  return seconds < 10 ? `${seconds.toFixed(2)} s` : `${seconds.toFixed(0)} s`;
}

/** The text that was in the editor last, and that of the URL of then. */
function drafted() {
  try {
    const { text, of } = JSON.parse(sessionStorage.getItem(DRAFT) ?? '');
    return { text: String(text), of };
  } catch {
    return { text: '', of: null };
  }
}

/**
 * The URL of a result.
 *
 * @param {string} sql
 * @param {Record<string, string>} parameters
 * @param {string} suffix
 * @param {Record<string, string>} options
 */
function download(sql, parameters, suffix, options) {
  const values = Object.entries(parameters).map(([name, value]) => [`p.${name}`, value]);
  return `${base}/sql${suffix}?${new URLSearchParams([['q', sql], ...values, ...Object.entries(options)])}`;
}

/**
 * Reads a body.
 *
 * @param {Response} response
 * @param {(count: number) => void} progress called with the number of bytes that are here
 */
async function received(response, progress) {
  const parts = [];
  let count = 0;
  const reader = /** @type {ReadableStream<Uint8Array<ArrayBuffer>>} */ (response.body).getReader();
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      parts.push(part.value);
      count += part.value.length;
      progress(count);
    }
  } catch (error) {
    throw error instanceof DOMException && error.name === 'AbortError' ? error : new Problem(0, { detail: INCOMPLETE });
  }
  return new Blob(parts);
}

await stylesheet('sql/sql.css').catch(() => tell('The styles of this page could not be loaded'));
new SqlPage(/** @type {HTMLElement} */ (document.querySelector('main'))).start();
