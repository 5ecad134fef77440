// The result of one statement on the page: its rows in a grid, their order, and pictures of their values.
// @ts-check

import { JSON_VALUE, full } from '../grid/arrow-values.js';
import { MOST_SHOWN_CHARACTERS, cellContent } from '../grid/cell-content.js';
import { Grid, columnHead, directionOf } from '../grid/grid.js';
import { nextDirection, sortText, sortedBy, sortsOf } from '../grid/sorts.js';
import { button, byteSize, counted, element, grouped, present, tell } from '../lib/elements.js';
import { failure } from '../lib/failure.js';
import { load } from '../lib/modules.js';
import { MOST_BYTES, MOST_ROWS, Result } from './query-result.js';

/** @typedef {import('../grid/sorts.js').Sort} Sort */

const NOT_LOADED = 'A part of this page cannot be loaded. Try again.';

/**
 * The result of a statement, which runs once `run` is called. It dispatches `changed` after its state has, and `sorted` after the
 * user has chosen an order.
 */
export class ResultView extends EventTarget {
  /** @type {Grid | null} */
  #grid = null;
  /**
   * The statement whose rows are shown: the one of the user, or the one that sorts them.
   *
   * @type {Result}
   */
  #shown;
  /**
   * The order of the rows that are shown.
   *
   * @type {Sort[]}
   */
  #sorts = [];
  /**
   * The statement that sorts, while it has no rows yet.
   *
   * @type {Result | null}
   */
  #pending = null;
  /** Ends the sort that is under way. */
  #sorting = new AbortController();
  /** Ends what other rows make useless. */
  #showing = new AbortController();
  /** @type {number | null} */
  #growing = null;
  /** @type {import('./result-statistics.js').ResultStatistics | null} */
  #statistics = null;
  /** @type {Promise<import('../dataset/header-pictures.js').HeaderPictures> | null} */
  #pictures = null;
  /**
   * The column at the side, or null.
   *
   * @type {number | null}
   */
  #column = null;

  /**
   * @param {Result} result
   * @param {object} page
   * @param {import('../lib/drawer.js').Drawer} page.drawer
   * @param {(name: string) => unknown} page.write writes a name into the editor
   * @param {() => { rows: number, bytes: number }} page.others returns the size of the results beside this one
   */
  constructor(result, { drawer, write, others }) {
    super();
    this.result = result;
    this.#shown = result;
    this.drawer = drawer;
    this.write = write;
    this.others = others;
    this.problem = element('div');
    this.rows = element('div', { class: 'stage', onkeydown: (event) => this.#pressed(event) });
    this.sums = element('div', { class: 'sums', role: 'status', hidden: true, 'aria-label': 'Selected cells' });
    this.element = element('div', { class: 'result' }, this.problem, this.rows);
    result.addEventListener('rows', () => this.#grow(result));
    result.addEventListener('ended', () => this.#ended());
  }

  get grid() {
    return this.#grid;
  }

  get sorts() {
    return this.#sorts;
  }

  /** The statement that runs, or null. */
  get running() {
    return [this.result, this.#pending, this.#shown].find((each) => each?.state === 'running') ?? null;
  }

  /** The size of what the page keeps of it. */
  get size() {
    const kept = [...new Set([this.result, this.#shown])];
    return { rows: kept.reduce((sum, { rows }) => sum + rows, 0), bytes: kept.reduce((sum, { bytes }) => sum + bytes, 0) };
  }

  /** The statement with the rows in their order, and its parameters. */
  async statement() {
    const { sql, parameters, fields } = this.result;
    if (this.#sorts.length === 0 || fields === null) {
      return { sql, parameters };
    }
    const { sortedStatement } = await load('sql/result-order.js');
    return { sql: sortedStatement(sql, fields, this.#sorts), parameters };
  }

  /** Runs the statement to its end. */
  run() {
    return this.result.run();
  }

  /** Ends all that is under way. */
  close() {
    this.#sorting.abort();
    this.#showing.abort();
    this.cancel();
  }

  /** Ends the statement that runs, or the sort that is under way. */
  cancel() {
    this.#sorting.abort();
    this.rows.removeAttribute('aria-busy');
    this.running?.cancel();
    this.#changed();
  }

  /** Tells how it ended, or nothing while the statement runs. */
  get outcome() {
    const { rows, state, fields, seconds, bytes } = this.#shown;
    const first = this.#shown === this.result ? 'The first' : 'In this order, the first';
    const size = `${counted(rows, 'row')} in ${time(seconds)}, ${byteSize(bytes)}`;
    const pictures = rows > 0 ? ' The pictures of columns are of these rows.' : '';
    return {
      running: '',
      complete: size,
      cancelled: rows > 0 ? `Cancelled: the first ${size}.${pictures}` : `Cancelled after ${time(seconds)}`,
      limited: `${first} ${size}. There are more: the page keeps at most ${grouped(MOST_ROWS)} rows or ${byteSize(MOST_BYTES)}, and a download has all.${pictures}`,
      failed: fields === null ? '' : `${first} ${size}, and then a failure`,
    }[state];
  }

  #changed() {
    this.dispatchEvent(new Event('changed'));
  }

  /** @param {Result} result */
  #grow(result) {
    if (result !== this.#shown) {
      return;
    }
    if (this.#grid === null) {
      this.#show(result);
      this.#changed();
    } else {
      this.#growing ??= requestAnimationFrame(() => {
        this.#growing = null;
        this.#grid?.grow();
      });
    }
  }

  #ended() {
    if (this.result.fields !== null && this.#grid === null) {
      this.#show(this.result);
    }
    this.#fillHeads();
    this.#tellColumn();
    this.#changed();
  }

  /**
   * Shows rows in place of those before.
   *
   * @param {import('../grid/grid.js').RowSource} source
   */
  #show(source) {
    const former = this.#grid;
    const grid = this.#makeGrid(source);
    if (former) {
      grid.follow(former);
      grid.go(0, former.active.column);
    }
    this.#grid = grid;
    const hadFocus = this.rows.contains(document.activeElement);
    this.sums.hidden = true;
    const empty = source.rows === 0 ? element('p', { class: 'empty' }, this.#shown.state === 'complete' ? 'No rows' : 'No rows are here') : null;
    this.rows.replaceChildren(...present([grid.element, empty, this.sums]));
    if (hadFocus) {
      grid.element.focus();
    }
  }

  /** @param {import('../grid/grid.js').RowSource} source */
  #makeGrid(source) {
    const fields = this.result.fields ?? [];
    const grid = new Grid({
      windows: source,
      fields,
      label: 'Result',
      head: (field, position) => this.#head(field, position),
      sorted: (position) => directionOf(this.#sorts, position),
    });
    const { signal } = this.#showing;
    grid.on('open', (cell) => this.#openCell(fields[cell.column], cell));
    grid.on('refused', tell);
    grid.on('copying', () => this.openCopying(true));
    grid.on('painted', ({ complete }) => complete && this.#fillHeads());
    grid.addEventListener('active', () => {
      if (!this.sums.hidden || grid.isSelecting) {
        load('grid/selection-sums.js').then(({ tellSums }) => tellSums(grid, this.sums, signal), () => null);
      }
    });
    return grid;
  }

  /**
   * @param {import('../grid/grid.js').Field} field
   * @param {number} position
   */
  #head(field, position) {
    const head = columnHead(field, {
      position,
      sorts: this.#sorts,
      open: () => this.openColumn(position),
      sort: (adds) => this.#sortOn(position, adds),
    });
    head.querySelector('.column')?.addEventListener('dblclick', () => this.write(field.name));
    return head;
  }

  // The order of the rows

  /**
   * @param {number} position
   * @param {boolean} adds whether other columns stay in the order
   */
  #sortOn(position, adds) {
    this.#sortBy(position, nextDirection(this.#sorts, position, adds), adds);
  }

  /**
   * @param {number} position
   * @param {boolean | null} descending
   * @param {boolean} adds
   */
  #sortBy(position, descending, adds) {
    this.sort(sortText(sortedBy(this.#sorts, position, descending, adds)));
  }

  /**
   * Sorts the whole result, also the rows that are not here.
   *
   * @param {string} text the order as the URL has it
   */
  async sort(text) {
    const { result } = this;
    const sorts = sortsOf(text, result.fields?.length ?? 0);
    this.#sorting.abort();
    if (this.running !== result) {
      this.running?.cancel();
    }
    this.#sorting = new AbortController();
    const { signal } = this.#sorting;
    this.rows.setAttribute('aria-busy', 'true');
    this.problem.replaceChildren();
    try {
      const { orderedHere } = await load('sql/result-order.js');
      if (result.state === 'running') {
        await new Promise((ended) => result.addEventListener('ended', ended, { once: true }));
        signal.throwIfAborted();
      }
      const source = sorts.length === 0 ? result : await orderedHere(result, sorts, signal);
      signal.throwIfAborted();
      if (source) {
        this.#take(result, source, sorts);
      } else {
        await this.#sortByStatement(sorts, signal);
      }
    } catch (error) {
      if (!signal.aborted) {
        this.problem.replaceChildren(failure(error, () => this.sort(text)));
      }
    }
    if (!signal.aborted) {
      this.rows.removeAttribute('aria-busy');
      this.#changed();
    }
  }

  /**
   * Lets a statement sort. The rows before stay until it has some.
   *
   * @param {Sort[]} sorts
   * @param {AbortSignal} signal
   */
  async #sortByStatement(sorts, signal) {
    const { sql, parameters, fields } = this.result;
    const { sortedStatement } = await load('sql/result-order.js');
    const sorted = new Result(sortedStatement(sql, fields ?? [], sorts), parameters, this.others());
    this.#pending = sorted;
    const taken = () => {
      if (this.#pending === sorted && sorted.fields !== null && !signal.aborted) {
        this.#pending = null;
        this.rows.removeAttribute('aria-busy');
        this.#take(sorted, sorted, sorts);
      }
    };
    sorted.addEventListener('rows', () => {
      taken();
      this.#grow(sorted);
    });
    this.#changed();
    await sorted.run();
    if (sorted.state !== 'cancelled' && sorted.state !== 'failed') {
      taken();
    }
    if (this.#pending === sorted) {
      this.#pending = null;
    }
    if (sorted.state === 'failed') {
      throw sorted.failure;
    }
    this.#fillHeads();
    this.#tellColumn();
  }

  /**
   * Shows rows in an order.
   *
   * @param {Result} result
   * @param {import('../grid/grid.js').RowSource} source
   * @param {Sort[]} sorts
   */
  #take(result, source, sorts) {
    if (this.#shown !== result) {
      this.#shown = result;
      this.#statistics = null;
    }
    this.#showing.abort();
    this.#showing = new AbortController();
    this.#pictures = null;
    this.#sorts = sorts;
    this.#show(source);
    this.#tellColumn();
    this.dispatchEvent(new Event('sorted'));
  }

  // Facts about columns

  /** Ends what other rows make useless. */
  get signal() {
    return this.#showing.signal;
  }

  /** The statistics of the rows that are shown. */
  async statistics() {
    const { ResultStatistics } = await load('sql/result-statistics.js');
    return (this.#statistics ??= new ResultStatistics(this.#shown));
  }

  #fillHeads() {
    if (this.#shown.state === 'running' || this.#shown.rows === 0 || !this.rows.isConnected) {
      return;
    }
    this.#pictures ??= load('dataset/header-pictures.js').then(({ HeaderPictures }) => new HeaderPictures(this));
    // Headers without pictures are not told as a failure.
    this.#pictures.then((pictures) => pictures.fill(this.rows)).catch(() => (this.#pictures = null));
  }

  /** Tells about the column at the side as it is now. */
  #tellColumn() {
    if (this.drawer.isOpen && this.#column !== null) {
      this.openColumn(this.#column, true);
    }
  }

  /**
   * Tells about a column at the side.
   *
   * @param {number} position
   * @param {boolean} [keepsFocus]
   */
  async openColumn(position, keepsFocus = false) {
    const field = this.result.fields?.[position];
    const loaded = await load('drawers/column-drawer.js').catch(() => tell(NOT_LOADED));
    if (!loaded || !field) {
      return;
    }
    const { card, columnContent, sortButtons } = loaded;
    const { state, rows } = this.#shown;
    const actions = [
      ...sortButtons(this.#sorts, position, (descending, adds) => this.#sortBy(position, descending, adds)),
      button('Write its name', () => this.write(field.name), { title: 'Writes the name into the statement' }),
    ];
    const facts = state === 'running' ? element('p', { class: 'count' }, 'More is known once all rows are here.') : card(this, position, () => '');
    const content = columnContent(field, actions, facts);
    if (state !== 'running' && state !== 'complete') {
      content.nodes.splice(2, 0, element('p', { class: 'count' }, `Of the ${counted(rows, 'row')} that are here.`));
    }
    this.drawer.open({ ...content, closed: () => (this.#column = null) }, keepsFocus);
    this.#column = position;
    this.#grid?.revealColumn(position);
  }

  // Cells

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
  async openCopying(isSelection = false) {
    const grid = this.#grid;
    try {
      const { content } = await load('grid/copy-drawer.js');
      if (grid && grid === this.#grid) {
        this.drawer.open(content({ name: 'result' }, grid, isSelection));
      }
    } catch (error) {
      this.problem.replaceChildren(failure(error, () => this.openCopying(isSelection)));
    }
  }

  /** @param {KeyboardEvent} event */
  #pressed(event) {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || !this.#grid) {
      return;
    }
    const { column } = this.#grid.active;
    /** @type {Record<string, () => unknown>} */
    const actions = {
      c: () => this.openColumn(column),
      s: () => this.#sortOn(column, false),
      S: () => this.#sortOn(column, true),
      y: () => this.openCopying(),
    };
    if (Object.hasOwn(actions, event.key)) {
      actions[event.key]();
      event.preventDefault();
    }
  }
}

/** @param {number} seconds */
function time(seconds) {
  return seconds < 10 ? `${seconds.toFixed(2)} s` : `${seconds.toFixed(0)} s`;
}
