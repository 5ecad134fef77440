// A chart of rows: its choices, its picture, what it leaves out, and its values as a table. Numbers are rounded to 53 bits.
// @ts-check

import { whenColoursChange } from '../lib/colours.js';
import { button, counted, element, grouped, visible } from '../lib/elements.js';
import { empty } from '../lib/empty.js';
import { failure } from '../lib/failure.js';
import { labelled } from '../lib/icons.js';
import { load, stylesheet } from '../lib/modules.js';
import { AGGREGATES, KEYS, MOST_YS, TYPES, changed, choiceOf, fitting, mistakesIn, namesAny, timeOf, valued, valuesOf as choiceValues } from './chart-choice.js';
import { columnsOf } from './chart-columns.js';
import { savePng, saveSvg } from './chart-files.js';
import { MOST_POINTS } from './chart-limits.js';
import { sampled } from './chart-notes.js';
import { noted, picture } from './chart-picture.js';
import { ALL_TIMES, Question } from './chart-question.js';
import { OFFERED_UNITS, stepOf } from './chart-steps.js';
import { numberText, shadeText } from './chart-texts.js';
import { pointsOf, valuesOf } from './chart-values.js';

/** @typedef {import('./chart-columns.js').Column} Column */
/** @typedef {import('./chart-question.js').Choice} Choice */
/** @typedef {import('./chart-values.js').Model} Model */

const MOST_OFFERED = 200;
const MOST_LINES = 1_000;
const LEAST_WIDTH_PIXELS = 280;
const SERIES = 8;

/** A chart with its controls. It dispatches `chosen` after its choices have changed. */
export class Chart extends EventTarget {
  /** @type {Question | null} */
  #question = null;
  /** @type {Column[]} */
  #columns = [];
  /** Whether it is known which texts are times. */
  #isDated = false;
  /** Whether the choice was made for other rows. */
  #isInherited = false;
  /** @type {Choice | null} */
  #choice = null;
  /**
   * The values of the URL.
   *
   * @type {Map<string, string>}
   */
  #wanted = new Map();
  /**
   * The sentences about columns of the URL that are not drawn. Until another choice, the URL keeps its own.
   *
   * @type {string[]}
   */
  #mistakes = [];
  /** @type {Model | null} */
  #model = null;
  #control = new AbortController();
  #width = 0;

  constructor() {
    super();
    this.type = this.#select('Type', Object.entries(TYPES), (type) => ({ type }));
    this.x = this.#select('X axis', [], (key) => ({ x: this.#named(key) }));
    this.unit = this.#select('Step', [['auto', 'automatic'], ...OFFERED_UNITS.map((unit) => [unit, unit])], (unit) => ({ unit }));
    this.aggregate = this.#select('Aggregate', Object.entries(AGGREGATES), (aggregate) => ({ aggregate }));
    this.ys = Array.from({ length: MOST_YS }, (_, i) => this.#select(i === 0 ? 'Y axis' : `Y axis ${i + 1}`, [], (key) => ({ ys: this.#withY(i, key) })));
    this.addedY = this.#select('Add Y axis', [], (key) => ({ ys: this.#withY(MOST_YS, key) }));
    this.colour = this.#select('Colour by', [], (key) => ({ colour: this.#named(key) }));
    this.title = element('input', { 'aria-label': 'Title', spellcheck: 'false', autocomplete: 'off', oninput: () => this.#titled() });
    this.picture = element('div', { class: 'picture' });
    this.note = element('p', { class: 'note', role: 'status' });
    this.table = element('table');
    this.data = element(
      'details',
      { class: 'data', hidden: true, ontoggle: () => this.#tabulate() },
      element('summary', {}, 'Values as a table'),
      element('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Values of the chart' }, this.table),
    );
    this.files = element(
      'span',
      { class: 'files', hidden: true },
      button(labelled('download', 'PNG'), () => this.#save(savePng), { 'aria-label': 'Save as PNG' }),
      button(labelled('download', 'SVG'), () => this.#save(saveSvg), { 'aria-label': 'Save as SVG' }),
    );
    // The controls are hidden until they have a choice to show.
    this.bars = [
      [this.type, this.x, this.unit, ...this.ys, this.addedY, this.aggregate, this.colour].map(({ label }) => label),
      [element('label', { class: 'titled' }, element('span', {}, 'Title'), this.title), this.files],
    ].map((controls) => element('div', { class: 'bar', hidden: true }, ...controls));
    const [choices, rest] = this.bars;
    this.element = element('div', { class: 'chart', role: 'group', 'aria-label': 'Chart' }, choices, this.picture, this.note, rest, this.data);
    whenColoursChange(() => this.#paint());
    new ResizeObserver(() => this.#width !== this.picture.clientWidth && this.#paint()).observe(this.picture);
  }

  /** The choices as values of the URL, of which those that are not made are null. */
  get values() {
    const choice = this.#choice ? choiceValues(this.#choice) : {};
    return { ...Object.fromEntries(KEYS.map((key) => [key, null])), ...choice, title: this.title.value.trim() || null };
  }

  /**
   * @param {string} text
   * @param {string[][]} options
   * @param {(value: string) => Partial<Choice>} change
   */
  #select(text, options, change) {
    const select = element('select', { 'aria-label': text, onchange: () => this.#change(change(select.value)) }, ...options.map(([value, name]) => element('option', { value }, name)));
    return { label: element('label', {}, element('span', {}, text), select), select };
  }

  /** @param {string} key */
  #named(key) {
    return this.#columns.find((column) => column.key === key) ?? null;
  }

  /**
   * The columns of y after another choice of one of them. The first is the number of rows, of which there is one, without a column.
   *
   * @param {number} i
   * @param {string} key
   */
  #withY(i, key) {
    const ys = this.#choice?.ys ?? [];
    const column = this.#named(key);
    const next = column ? [...ys.slice(0, i), column, ...ys.slice(i + 1)] : i === 0 ? [] : ys.filter((_, at) => at !== i);
    return [...new Set(next)];
  }

  /**
   * Draws rows by the choices of the URL, or by those that fit them best.
   *
   * @param {import('./chart-question.js').Source} source
   * @param {Map<string, string>} values
   */
  async show(source, values) {
    await stylesheet('chart/chart.css');
    const former = this.#question?.source;
    const isSame = former?.from === source.from && JSON.stringify(former.parameters) === JSON.stringify(source.parameters);
    if (!isSame) {
      this.#question = new Question(source);
      this.#columns = columnsOf(source.fields, source.names).slice(0, MOST_OFFERED);
      this.#isDated = false;
      this.#isInherited = former !== undefined;
      this.#offer();
    }
    this.title.value = values.get('title') ?? '';
    this.#choice = null;
    this.#wanted = values;
    await this.#draw();
  }

  /** Ends what is under way. The next rows that are shown are drawn anew. */
  stop() {
    this.#control.abort();
  }

  #offer() {
    /** @param {Column[]} columns */
    const options = (columns) => columns.map(({ key, label }) => element('option', { value: key }, label));
    this.x.select.replaceChildren(...options(this.#columns));
    this.colour.select.replaceChildren(element('option', { value: '' }, 'nothing'), ...options(this.#columns.filter(({ kind }) => kind !== 'geometry')));
  }

  /** @param {Partial<Choice>} change */
  #change(change) {
    if (this.#choice) {
      this.#choose(changed(this.#choice, change, this.#columns));
      this.#draw();
    }
  }

  /** @param {Choice} choice */
  #choose(choice) {
    this.#choice = choice;
    this.#mistakes = [];
    this.dispatchEvent(new Event('chosen'));
  }

  #titled() {
    if (this.#choice) {
      this.#choose(this.#choice);
      this.#paint();
    }
  }

  /** Shows the choices in their controls. */
  #reflect() {
    const { type, x, ys, colour, aggregate, unit } = /** @type {Choice} */ (this.#choice);
    this.bars.forEach((bar) => (bar.hidden = false));
    this.type.select.value = type;
    this.x.select.value = x?.key ?? '';
    this.colour.select.value = colour?.key ?? '';
    this.aggregate.select.value = aggregate;
    this.unit.select.value = unit;
    this.unit.label.hidden = x?.kind !== 'time' || type === 'points';
    const isPlaces = type === 'map' && x?.kind !== 'category';
    this.#reflectYs();
    this.colour.label.hidden = (type === 'map' && !isPlaces) || (ys.length > 1 && type !== 'histogram');
    this.aggregate.label.hidden = ys.length === 0 || type === 'histogram' || type === 'points' || isPlaces;
    for (const option of this.x.select.options) {
      option.hidden = type !== 'map' && this.#named(option.value)?.kind === 'geometry';
    }
    this.type.select.querySelector('option[value=map]')?.toggleAttribute('hidden', !this.#columns.some(({ kind }) => kind !== 'time'));
    for (const option of this.unit.select.options) {
      option.hidden = x?.isDate === true && ['second', 'minute', 'hour'].includes(option.value);
    }
  }

  /** Offers each y, and another one. */
  #reflectYs() {
    const { type, x, ys } = /** @type {Choice} */ (this.#choice);
    const numbers = this.#columns.filter(({ kind }) => kind === 'number');
    const isOne = type === 'map';
    const isNone = type === 'histogram' || x?.kind === 'geometry';
    const focused = document.activeElement;
    for (const [i, { label, select }] of this.ys.entries()) {
      label.hidden = isNone || (i > 0 && (isOne || i >= ys.length));
      if (!label.hidden) {
        const others = numbers.filter((column) => column === ys[i] || !ys.includes(column));
        select.replaceChildren(element('option', { value: '' }, i === 0 ? 'number of rows' : 'remove'), ...others.map(({ key, label: name }) => element('option', { value: key }, name)));
        select.value = ys[i]?.key ?? '';
      }
    }
    const { label, select } = this.addedY;
    const others = numbers.filter((column) => !ys.includes(column));
    label.hidden = isNone || isOne || ys.length === 0 || ys.length === MOST_YS || others.length === 0;
    select.replaceChildren(element('option', { value: '' }, 'another column…'), ...others.map(({ key, label: name }) => element('option', { value: key }, name)));
    // One that was removed leaves the focus to those that stay.
    if (focused instanceof HTMLElement && focused.closest('label')?.hidden) {
      (label.hidden ? this.ys[0] : this.addedY).select.focus();
    }
  }

  async #draw() {
    this.#control.abort();
    this.#control = new AbortController();
    const { signal } = this.#control;
    const question = /** @type {Question} */ (this.#question);
    if (this.#columns.length === 0) {
      this.#tell('No column of numbers, times or texts can be drawn.');
      this.bars.forEach((bar) => (bar.hidden = true));
      return;
    }
    this.element.setAttribute('aria-busy', 'true');
    try {
      const isOwn = await this.#decide(question, signal);
      this.#reflect();
      let model = await modelOf(question, /** @type {Choice} */ (this.#choice), signal);
      const better = isOwn && saysNothing(model) ? valued(model.choice, this.#columns) : null;
      if (better) {
        this.#choose(better);
        this.#reflect();
        model = await modelOf(question, better, signal);
      }
      this.#model = model;
      this.#paint();
      this.#tabulate();
    } catch (error) {
      if (!signal.aborted) {
        this.#model = null;
        this.#tell('');
        this.picture.replaceChildren(failure(error, () => this.#draw()));
      }
    } finally {
      if (!signal.aborted) {
        this.element.removeAttribute('aria-busy');
      }
    }
  }

  /**
   * Decides what is drawn: what the URL names, or what fits the rows best. Returns whether the URL names nothing.
   *
   * @param {Question} question
   * @param {AbortSignal} signal
   */
  async #decide(question, signal) {
    if (this.#choice) {
      return false;
    }
    if (!this.#isDated) {
      this.#columns = await question.dated(this.#columns, signal);
      this.#isDated = true;
    }
    this.#mistakes = mistakesIn(this.#columns, question.source.fields, this.#wanted);
    // The next result may have nothing of the former one.
    if (this.#isInherited && this.#mistakes.length > 0 && !namesAny(this.#columns, this.#wanted)) {
      this.#wanted = new Map();
      this.#mistakes = [];
    }
    this.#choice = choiceOf(this.#columns, this.#wanted, null);
    if (this.#choice) {
      return false;
    }
    const best = fitting(this.#columns, await question.described(this.#columns, timeOf(this.#columns), signal));
    const choice = /** @type {Choice} */ (choiceOf(this.#columns, this.#wanted, best));
    if (this.#mistakes.length > 0) {
      this.#choice = choice;
      return false;
    }
    this.#choose(choice);
    return true;
  }

  /** @param {string} text */
  #tell(text) {
    this.picture.replaceChildren();
    this.note.textContent = text;
    this.data.hidden = this.files.hidden = true;
  }

  /** Makes the picture anew, for other colours, another width or another title. */
  #paint() {
    const model = this.#model;
    if (!model || !this.#question || this.picture.clientWidth === 0) {
      return;
    }
    const labels = labelsOf(model, this.#question.source);
    this.title.placeholder = labels.title;
    labels.title = this.title.value.trim() || labels.title;
    this.data.hidden = this.files.hidden = model.values.length === 0;
    this.#width = this.picture.clientWidth;
    const notes = [...this.#question.source.notes, ...this.#mistakes, ...model.notes, ...this.#ofOtherVersions(this.#question)];
    this.note.textContent = notes.join(' ');
    if (model.values.length === 0) {
      this.picture.replaceChildren(empty('bars', 'No rows have values to draw', 'Other columns, or another filter, may have some.'));
      return;
    }
    const look = this.#look();
    const drawn = model.draw ? model.draw(labels, look) : picture(model, labels, look);
    drawn.setAttribute('role', 'img');
    drawn.setAttribute('aria-label', `${labels.title}. ${summary(model)}`);
    this.picture.replaceChildren(drawn);
  }

  /** @param {Question} question */
  #ofOtherVersions({ source, versions }) {
    return source.versions !== undefined && versions !== null && versions !== source.versions ? [`The chart is of ${visible(versions)}, and the rows of ${visible(source.versions)}.`] : [];
  }

  /** @returns {import('./chart-picture.js').Look} */
  #look() {
    const style = getComputedStyle(this.element);
    const probe = element('span');
    this.picture.append(probe);
    /** @param {string} name */
    const colour = (name) => {
      probe.style.color = style.getPropertyValue(name);
      return getComputedStyle(probe).color;
    };
    const look = {
      width: Math.max(LEAST_WIDTH_PIXELS, this.#width),
      text: colour('--text'),
      quiet: colour('--quiet'),
      line: colour('--line'),
      page: colour('--page'),
      land: colour('--land'),
      series: Array.from({ length: SERIES }, (_, i) => colour(`--series-${i + 1}`)),
      rest: colour('--series-rest'),
      shades: /** @type {[string, string]} */ ([colour('--shade-least'), colour('--shade-greatest')]),
    };
    probe.remove();
    return look;
  }

  #tabulate() {
    const model = this.#model;
    if (!model || !this.data.open) {
      return;
    }
    const { choice, series, values } = model;
    const labels = labelsOf(model, { condition: '', title: '' });
    const hasY = choice.x?.kind !== 'geometry';
    const hasSeries = choice.colour !== null || series.length > 1;
    const heads = [labels.x, ...(hasSeries ? [labels.colour] : []), ...(hasY ? [labels.y] : [])];
    const rows = values.slice(0, MOST_LINES).map((value) => {
      const colour = value.shade === undefined ? series[value.series].name : shadeText(value.shade);
      const y = value.y === null ? element('td', { class: 'null' }, 'none') : element('td', { class: 'number' }, numberText(value.y));
      return element('tr', {}, element('th', { scope: 'row' }, value.name), hasSeries ? element('td', {}, colour) : null, hasY ? y : null);
    });
    const caption = values.length > MOST_LINES ? element('caption', {}, `The first ${grouped(MOST_LINES)} of ${counted(values.length, 'value')}`) : null;
    const head = element('thead', {}, element('tr', {}, ...heads.map((name, i) => element('th', { scope: 'col', class: hasY && i === heads.length - 1 ? 'number' : null }, name))));
    this.table.replaceChildren(...(caption ? [caption] : []), head, element('tbody', {}, ...rows));
  }

  /** @param {(picture: SVGElement, title: string) => unknown} write */
  async #save(write) {
    const drawn = /** @type {SVGElement | null} */ (this.picture.querySelector(':scope > svg'));
    if (drawn) {
      await write(noted(drawn, this.note.textContent ?? '', this.#look()), this.title.value.trim() || this.title.placeholder);
    }
  }
}

/**
 * The values of a chart, from statements over all rows.
 *
 * @param {Question} question
 * @param {Choice} choice
 * @param {AbortSignal} signal
 * @returns {Promise<Model>}
 */
async function modelOf(question, choice, signal) {
  const asked = choice.type === 'histogram' ? { ...choice, ys: [] } : choice;
  if (choice.type === 'map') {
    const { mapOf } = await load('chart/map.js');
    return mapOf(question, choice, signal);
  }
  const isPoints = choice.type === 'points' && choice.ys.length > 0;
  const isRanged = choice.x?.kind !== 'category';
  if (!isPoints && !isRanged) {
    return valuesOf(asked, {}, await question.values(asked, {}, ALL_TIMES, signal));
  }
  const extent = await question.extent(asked, signal);
  if (!isPoints) {
    const step = stepOf(asked, extent);
    return valuesOf(asked, step, await question.values(asked, step, extent.bounds, signal));
  }
  const every = Math.max(1, Math.ceil((extent.both * asked.ys.length) / MOST_POINTS));
  return pointsOf(asked, await question.points(asked, extent, every, signal), sampled(asked, extent, every, extent.both));
}

/**
 * Whether bars are numbers of rows that are all equal.
 *
 * @param {Model} model
 */
const saysNothing = ({ choice: { type, ys }, values }) => type === 'bar' && ys.length === 0 && values.length > 0 && values.every(({ y }) => y === values[0].y);

/**
 * The title and the names of the axes, which say how rows are put together.
 *
 * @param {Model} model
 * @param {{ condition: string, title: string }} source
 */
function labelsOf({ choice, step, isAggregated }, source) {
  const { type, x, ys, colour, aggregate } = choice;
  const name = x?.label ?? '';
  const words = { mean: 'Mean', sum: 'Sum of', median: 'Median', count: 'Rows with' }[aggregate] ?? '';
  const isPlaces = type === 'map' && x?.kind !== 'category';
  const isPlain = type === 'points' || isPlaces || (!isAggregated && aggregate !== 'count');
  const all = new Intl.ListFormat('en-GB').format(ys.map(({ label }) => label));
  const value = ys.length === 0 || type === 'histogram' ? 'Number of rows' : isPlain ? all : `${words} ${all}`;
  // The legend has the names of several.
  const axis = ys.length < 2 || type === 'histogram' ? value : isPlain ? 'Value' : words.replace(/ (of|with)$/, '');
  const zone = x?.isZoned ? ' (UTC)' : '';
  const bins = step.unit && step.unit !== name.toLowerCase() ? `, by ${step.unit}` : step.width && !step.isCentred ? `, in bins of ${numberText(step.width > 0 ? step.width : 1 / -step.width)}` : '';
  const by = step.unit ?? name;
  const title = isPlaces ? `Places${source.title === '' ? '' : ` of ${source.title}`}${colour ? ` by ${colour.label}` : ''}` : type === 'histogram' && !colour ? `Distribution of ${name}` : `${value} by ${by}${colour && colour !== x ? ` and ${colour.label}` : ''}`;
  return { title, subtitle: source.condition === '' ? '' : `Rows with ${visible(source.condition)}`, x: `${name}${bins}${zone}`, y: axis, colour: colour?.label ?? 'Column' };
}

/** @param {Model} model */
function summary({ choice, values, series }) {
  const numbers = values.flatMap(({ y }) => (y === null ? [] : [y]));
  const [least, greatest] = [numbers.reduce((a, b) => Math.min(a, b), Infinity), numbers.reduce((a, b) => Math.max(a, b), -Infinity)];
  const colours = series.length > 1 ? ` in ${counted(series.length, 'colour')}` : '';
  const type = TYPES[/** @type {keyof typeof TYPES} */ (choice.type)];
  if (choice.type === 'map') {
    return `Map of ${counted(values.length, 'place')}${colours}`;
  }
  return numbers.length === 0 ? `${type} without values` : `${type} of ${counted(numbers.length, 'value')}${colours}, from ${numberText(least)} to ${numberText(greatest)}`;
}
