// The page of statements: an editor, the rows of the result as they come, a chart, and what else can be done with it.
// @ts-check

import '../lib/colours.js';
import { sortText } from '../grid/sorts.js';
import { takeAsked } from '../lib/asked.js';
import { copy, save, select } from '../lib/clipboard.js';
import { Drawer } from '../lib/drawer.js';
import { button, byteSize, counted, element, present, tell, visible } from '../lib/elements.js';
import { empty } from '../lib/empty.js';
import { failure } from '../lib/failure.js';
import { isFramed } from '../lib/frame.js';
import { labelled } from '../lib/icons.js';
import { keys } from '../lib/keys.js';
import { load, stylesheet } from '../lib/modules.js';
import { MOST_URL_CHARACTERS, Problem, authorization, base, needsToken, send } from '../lib/requests.js';
import { fragment, readState, whenStateChanged } from '../lib/url-state.js';
import { INCOMPLETE, Result, asked } from './query-result.js';
import { Saving } from './result-saving.js';
import { ResultTabs } from './result-tabs.js';
import { ResultView } from './result-view.js';
import { Editor } from './sql-editor.js';
import { RESERVED } from './sql-keywords.js';
import { StatementHistory, keep } from './statement-history.js';
import { Progress } from './statement-progress.js';
import { curl, parameterNames, quoted, statements, tokens, withoutEnd } from './statement.js';
import { TablesView } from './tables-view.js';

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
  { label: 'CSV', suffix: '.csv' },
  { label: 'Excel', suffix: '.xlsx' },
  { label: 'Parquet', suffix: '.parquet' },
  { label: 'Arrow', suffix: '.arrow' },
  { label: 'JSON', suffix: '.json' },
  { label: 'CSV for spreadsheets', suffix: '.csv', options: { text: 'safe', bom: 'true' } },
];
const HINT = 'SELECT * FROM sample LIMIT 1000';
const NOT_A_NAME = new Set(RESERVED);
/** The values of the URL that are no choices of a chart. */
const OWN = new Set(['q', 'run', 'sort', 'open']);
const FIRST_ROWS = 1000;

/**
 * The parts of the URL about the results: the order of the one that is open, and its position among several.
 *
 * @typedef {{ sort: string, open: number | null }} Shown
 */

/** The whole page. */
class SqlPage {
  /**
   * The results, each of a statement that has run or runs.
   *
   * @type {ResultView[]}
   */
  #views = [];
  /** @type {ResultView | null} */
  #view = null;
  /** The statements that run, of which the text is that of the editor at their start. */
  #run = { text: '', sql: '' };
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
   * The statements of a link, and what it shows of their results, until others run.
   *
   * @type {Shown & { sql: string } | null}
   */
  #wanted = null;
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
    this.tables = new TablesView();
    this.tables.addEventListener('write', (event) => this.editor.insertName(/** @type {CustomEvent} */ (event).detail));
    this.tables.addEventListener('filled', (event) => this.#offerExample(/** @type {CustomEvent} */ (event).detail));
    this.tables.addEventListener('rows', (event) => this.#showRows(/** @type {CustomEvent} */ (event).detail));
    this.parameters = element('form', { class: 'parameters bar', 'aria-label': 'Parameters', hidden: true, onsubmit: (event) => (event.preventDefault(), this.run()) });
    this.runButton = button('Run', () => this.run(), { class: 'primary', title: keys('Ctrl-Enter: the statements, or what is selected of them') });
    this.cancelButton = button('Cancel', () => this.#cancel(), { disabled: true });
    this.timer = element('span', { class: 'timer', role: 'timer' });
    this.progress = new Progress();
    this.link = element('pre', { class: 'shared', hidden: true, tabindex: 0 });
    this.history = new StatementHistory((sql) => this.#write(sql));
    this.tabs = new ResultTabs();
    this.tabs.addEventListener('chosen', (event) => this.#choose(/** @type {CustomEvent} */ (event).detail));
    this.outcome = element('p', { class: 'outcome', role: 'status' });
    this.source = element('small', { class: 'source' });
    this.problem = element('div');
    this.example = element('span');
    this.stage = element('div', { class: 'stages' }, help(this.example));
    this.chartHost = element('div');
    this.saving = new Saving(() => this.#last());
    this.saving.addEventListener('stored', () => this.tables.refresh());
    this.drawer = new Drawer(() => this.#view?.grid?.element);
    this.chartButton = button(labelled('bars', 'Chart'), () => this.#toggleChart(), { 'aria-expanded': 'false' });
    this.tools = this.#tools(writable);
    main.replaceChildren(
      this.tables.element,
      element(
        'div',
        { class: 'work' },
        this.editor.element,
        this.parameters,
        element(
          'div',
          { class: 'bar' },
          this.runButton,
          this.cancelButton,
          this.progress.element,
          this.timer,
          element('span', { class: 'hint' }, keys('Ctrl-Enter runs, Tab leaves the editor')),
          button(labelled('terminal', 'Copy as curl'), () => this.#copyCurl(), { class: 'aside', title: 'Copy as curl' }),
          button(labelled('share', 'Share'), () => this.#share(), { title: 'Copies a link, which holds the statements after #, so that they are sent to no server' }),
          this.history.button,
        ),
        this.link,
        this.history.element,
        this.tabs.element,
        this.problem,
        element('div', { class: 'bar results' }, this.outcome, this.source, this.tools),
        this.saving.element,
        this.chartHost,
        this.stage,
      ),
      this.drawer.element,
    );
    document.body.classList.add('app', 'wide');
    document.addEventListener('keydown', (event) => event.key === 'Escape' && !event.defaultPrevented && this.#escaped(event));
    whenStateChanged(() => this.#read());
  }

  /**
   * Shows the statements of the URL. They run by themselves only if the user has asked for them on another page, since strangers
   * make links, too.
   */
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
    if (takeAsked(this.editor.text)) {
      this.run();
    }
    this.editor.focus();
    this.editor.improve().catch(() => tell('The editor could not be loaded: this is a plain one'));
    this.tables.start();
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
    const choices = [...values].filter(([name]) => !OWN.has(name) && !name.startsWith('p.'));
    this.#choice = values.has('type') ? Object.fromEntries(choices) : null;
    this.#offerParameters();
    const { sql } = this.editor.chosen;
    if ((values.get('q') ?? '') !== '' && sql !== this.#run.sql) {
      this.#offerRun();
      this.#wanted = { sql, sort: values.get('sort') ?? '', open: Number(values.get('open')) || null };
    }
  }

  /**
   * Offers the rows of a table to those who have nothing to ask yet, or an upload if there are no tables.
   *
   * @param {string | null} name
   */
  #offerExample(name) {
    this.example.replaceChildren(
      name === null ? element('a', { class: 'button primary', href: `${base}/` }, 'Upload a file') : button(`Show ${visible(name)}`, () => this.#showRows(name), { class: 'primary' }),
    );
  }

  /** Says that the statements of a link have not run, in place of their results. */
  #offerRun() {
    this.#leaveResults();
    this.stage.replaceChildren(
      empty(
        'play',
        'This has not run yet',
        'Strangers make links, too: look at the statement first.',
        button(this.#choice ? 'Run to see the chart' : 'Run to see it', () => this.run(), { class: 'primary' }),
      ),
    );
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

  /**
   * Runs a statement that reads the first rows of a table. If the editor has others, it follows them, selected.
   *
   * @param {string} name
   */
  #showRows(name) {
    const sql = `SELECT * FROM ${quoted(name, NOT_A_NAME)} LIMIT ${FIRST_ROWS}`;
    const { text } = this.editor;
    const written = statements(text);
    const same = written.find((each) => each.sql === sql);
    if (written.length === 0) {
      this.editor.text = sql;
    } else if (same && written.length > 1) {
      this.editor.select(same.start, same.start + sql.length);
    } else if (!same) {
      const before = withSemicolon(text);
      this.editor.text = `${before}\n\n${sql}`;
      this.editor.select(before.length + 2, before.length + 2 + sql.length);
    }
    this.tables.fold();
    this.run();
  }

  // Parameters

  #offerParameters() {
    const names = namesOf(this.editor.text);
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
    return Object.fromEntries(namesOf(sql).map((name) => [name, this.#values.get(name) ?? '']));
  }

  /** The statement of the rows that are shown, with its parameters. */
  #last() {
    return /** @type {ResultView} */ (this.#view).statement();
  }

  // Running

  /** Runs the chosen statements one after the other, until one fails or is cancelled. */
  async run() {
    const { chosen, text } = this.editor;
    const parts = chosenStatements(chosen);
    if (parts.length === 0) {
      this.outcome.textContent = 'There is no statement yet.';
      this.editor.focus();
      return;
    }
    const wanted = this.#shownAgain(chosen.sql);
    keep(chosen.sql);
    this.history.refresh();
    this.#leaveResults();
    const run = { text, sql: chosen.sql };
    this.#run = run;
    this.#selected = chosen.sql === text ? null : { text, part: `${chosen.start}-${chosen.start + chosen.sql.length}` };
    this.editor.unmark();
    for (const { sql, start } of parts) {
      const view = this.#begin(sql);
      await view.run();
      if (run !== this.#run) {
        return;
      }
      const { state } = view.result;
      if (state === 'failed') {
        this.#showFailure(view, this.editor.text === text ? start : null, parts.length);
      }
      if (state === 'failed' || state === 'cancelled') {
        return;
      }
    }
    await this.#openAgain(wanted);
  }

  /**
   * The order and the position of what these statements have shown before, or a link says that they show.
   *
   * @param {string} sql
   * @returns {Shown}
   */
  #shownAgain(sql) {
    if (this.#wanted?.sql === sql) {
      return this.#wanted;
    }
    return this.#view && this.#run.sql === sql ? this.#shown(this.#view) : { sort: '', open: null };
  }

  /**
   * @param {ResultView} view
   * @returns {Shown}
   */
  #shown(view) {
    const position = this.#views.indexOf(view);
    return { sort: sortText(view.sorts), open: position < this.#views.length - 1 ? position + 1 : null };
  }

  /** @param {Shown} wanted */
  async #openAgain({ sort, open }) {
    const view = this.#views[open === null ? this.#views.length - 1 : open - 1];
    if (view && view !== this.#view) {
      this.#open(view);
    }
    if (view && sort !== '') {
      await view.sort(sort);
    }
  }

  /**
   * Makes the view of a statement that is to run, and opens it unless the user looks at an earlier one.
   *
   * @param {string} sql
   */
  #begin(sql) {
    const isFollowing = this.#view === (this.#views.at(-1) ?? null);
    /** @type {ResultView} */
    const view = new ResultView(new Result(sql, this.#valuesOf(sql), sizeOf(this.#views)), {
      drawer: this.drawer,
      write: (name) => this.editor.insertName(name),
      others: () => sizeOf(this.#views.filter((each) => each !== view)),
    });
    view.addEventListener('changed', () => view === this.#view && this.#tellState());
    view.addEventListener('sorted', () => view === this.#view && this.#remember());
    this.#views.push(view);
    this.tabs.add(sql, view.element);
    view.element.hidden = true;
    this.stage.append(view.element);
    if (isFollowing) {
      this.#open(view);
    }
    return view;
  }

  /** @param {number} position */
  #choose(position) {
    this.#open(this.#views[position]);
  }

  /**
   * Shows one of the results.
   *
   * @param {ResultView} view
   */
  #open(view) {
    this.#view = view;
    this.#views.forEach((each) => (each.element.hidden = each !== view));
    this.tabs.open(this.#views.indexOf(view));
    this.drawer.hide();
    this.saving.element.hidden = true;
    this.chartHost.hidden = true;
    this.#remember();
    this.#tellState();
  }

  #cancel() {
    const running = this.#views.find((view) => view.running);
    running?.cancel();
  }

  /** Ends what runs, and removes its results. */
  #leaveResults() {
    this.#run = { text: '', sql: '' };
    this.#wanted = null;
    this.#views.forEach((view) => view.close());
    this.#views = [];
    this.#view = null;
    this.tabs.clear();
    this.#tellState();
    this.link.hidden = true;
    this.problem.replaceChildren();
    this.stage.replaceChildren();
    this.chartHost.hidden = true;
    this.saving.element.hidden = true;
    this.drawer.hide();
  }

  /** Writes the state of the page to its URL: all of the text, the part of it that has run, and what is shown of the results. */
  #remember() {
    const { text } = this.editor;
    const run = this.#selected?.text === text ? this.#selected.part : null;
    const values = Object.fromEntries(Object.entries(this.#valuesOf(text)).map(([name, value]) => [`p.${name}`, value]));
    const shown = this.#view ? this.#shown(this.#view) : {};
    history.replaceState(null, '', `${base}/sql${fragment(VIEW, { q: text, run, ...values, ...shown, ...this.#choice })}`);
  }

  /** Tells about the result that is open, and about the statement that runs, which may be another one. */
  #tellState() {
    const view = this.#view;
    const running = this.#views.find((each) => each.running);
    clearInterval(this.#ticking);
    this.cancelButton.disabled = running === undefined;
    if (running) {
      this.#ticking = setInterval(() => this.#tick(running), TICK_MILLISECONDS);
    } else {
      this.progress.hide();
      this.timer.textContent = '';
    }
    this.outcome.textContent = view?.outcome ?? '';
    this.source.textContent = view?.result.versions ? `of ${visible(view.result.versions)}` : '';
    this.tools.hidden = !view || view.result.fields === null || view.result.state === 'running';
    if (view && !this.tools.hidden && view.result.rows > 0 && this.#choice && this.chartHost.hidden) {
      this.#showChart();
    }
  }

  /** @param {ResultView} view */
  #tick({ running }) {
    if (!running) {
      this.#tellState();
      return;
    }
    const { rows, bytes, seconds, progress } = running;
    const received = rows > 0 ? `, ${counted(rows, 'row')}, ${byteSize(bytes)}, ${byteSize(Math.round(bytes / seconds))}/s` : '';
    this.timer.textContent = `${seconds.toFixed(1)} s${this.progress.show(progress)}${received}`;
  }

  /**
   * @param {ResultView} view
   * @param {number | null} start
   * @param {number} count that of the statements that were to run
   */
  #showFailure(view, start, count) {
    const { failure: error } = view.result;
    const position = this.#views.indexOf(view) + 1;
    const rest = count - position;
    const others = rest === 0 ? null : element('p', {}, `${counted(rest, 'statement')} after it did not run.`);
    const document = error instanceof Problem ? error.document : null;
    if (document?.position === undefined) {
      view.problem.replaceChildren(failure(error, () => this.run()), ...present([others]));
      return;
    }
    if (start !== null) {
      this.editor.mark(start + document.position, document.length ?? 1);
    }
    const which = count === 1 ? 'the statement' : `statement ${position} of ${count}`;
    view.problem.replaceChildren(
      element(
        'div',
        { class: 'failure', role: 'alert' },
        element('p', {}, /** @type {Problem} */ (error).message),
        document.hint ? element('p', { class: 'hint' }, document.hint) : null,
        others,
        element('small', {}, `at line ${document.line} of ${which}`),
      ),
    );
    this.editor.focus();
  }

  /** @param {KeyboardEvent} event */
  #escaped(event) {
    if (this.#views.some((view) => view.running)) {
      this.#cancel();
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
      const made = button(named(form), () => this.#download(made, form), { 'aria-label': `Download as ${form.label}` });
      return made;
    });
    return element(
      'span',
      { class: 'tools', hidden: true },
      this.chartButton,
      button(labelled('copy', 'Copy as…'), () => this.#view?.openCopying(), { class: 'brief' }),
      writable ? button(labelled('dataset', 'Save as dataset'), () => this.saving.open()) : null,
      this.#downloadMenu(downloads),
    );
  }

  /** @param {HTMLElement[]} downloads */
  #downloadMenu(downloads) {
    const summary = element('summary', { class: 'button brief' }, ...labelled('download', 'Download'));
    /** @param {KeyboardEvent} event */
    const pressed = (event) => {
      if (event.key === 'Escape' && menu.open && !this.#views.some((view) => view.running)) {
        menu.open = false;
        summary.focus();
        event.preventDefault();
      }
    };
    const menu = element('details', { class: 'menu', onkeydown: pressed }, summary, element('div', {}, element('p', { class: 'title' }, 'All rows of the result'), element('div', { class: 'formats' }, ...downloads)));
    document.addEventListener('click', ({ target }) => {
      if (!menu.contains(/** @type {Node} */ (target))) {
        menu.open = false;
      }
    });
    return menu;
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
      const result = this.#view?.result;
      if (result?.fields) {
        const choice = Object.entries(this.#choice ?? {}).flatMap(([key, value]) => (value ? [/** @type {[string, string]} */ ([key, String(value)])] : []));
        await this.#chart.show(charted(result, result.fields), new Map(choice));
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
    const { sql, parameters } = await this.#last();
    const { suffix, options = {} } = form;
    const url = download(sql, parameters, suffix, options);
    if (!authorization().Authorization && url.length <= MOST_URL_CHARACTERS) {
      element('a', { href: url, download: `result${suffix}` }).click();
      return;
    }
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
      made.replaceChildren(...named(form));
    }
  }

  async #copyCurl() {
    const parts = chosenStatements(this.editor.chosen);
    const needs = (this.#isGuarded ??= await needsToken(`${base}/datasets?limit=1`));
    this.#copy(parts.map(({ sql }) => curl(sql, this.#valuesOf(sql), needs)).join('\n'));
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

/**
 * The content of an entry of the menu.
 *
 * @param {Download} form
 */
const named = ({ label, suffix }) => [element('span', {}, label), element('small', {}, suffix)];

/**
 * Tells those who have asked nothing yet how to.
 *
 * @param {HTMLElement} example the place of the first action, which is known once the tables are
 */
function help(example) {
  const told = empty('terminal', 'Every dataset is a table', keys('Ctrl-Space completes the names of datasets and columns; a double click on the header of a column writes its name.'));
  told.append(element('p', { class: 'actions' }, example, element('a', { class: 'button', href: `${base}/docs/sql` }, 'What SQL can say')));
  return told;
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
  return { fields, names, from: `FROM (${withoutEnd(sql)}\n) AS "chart rows"(${names.join(', ')})`, parameters, condition: '', title: '', notes: [], versions: versions ?? undefined };
}

/**
 * The statements to run. One alone stays as it is written.
 *
 * @param {{ sql: string, start: number }} chosen
 */
function chosenStatements(chosen) {
  const parts = statements(chosen.sql);
  return parts.length === 1 ? [chosen] : parts.map(({ sql, start }) => ({ sql, start: chosen.start + start }));
}

/**
 * The names of the parameters of some statements. Each has a first `?`.
 *
 * @param {string} text
 */
function namesOf(text) {
  return [...new Set(statements(text).flatMap(({ sql }) => parameterNames(sql)))];
}

/**
 * A text that another statement may follow.
 *
 * @param {string} text
 */
function withSemicolon(text) {
  const last = tokens(text).findLast(({ kind }) => kind !== 'comment');
  return !last || last.text === ';' ? text.trimEnd() : `${text.slice(0, last.end)};${text.slice(last.end).trimEnd()}`;
}

/**
 * The size of what the page keeps of some results.
 *
 * @param {ResultView[]} views
 */
function sizeOf(views) {
  return views.reduce((sum, { size }) => ({ rows: sum.rows + size.rows, bytes: sum.bytes + size.bytes }), { rows: 0, bytes: 0 });
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
