// A chart of rows: its choices, its picture, what it leaves out, and its values as a table. Numbers are rounded to 53 bits.
// @ts-check

import { whenColoursChange } from '../lib/colours.js';
import { button, counted, element, grouped, visible } from '../lib/elements.js';
import { failure } from '../lib/failure.js';
import { load, stylesheet } from '../lib/modules.js';
import { AGGREGATES, KEYS, TYPES, changed, choiceOf, fitting, valuesOf as choiceValues } from './chart-choice.js';
import { columnsOf } from './chart-columns.js';
import { savePng, saveSvg } from './chart-files.js';
import { picture } from './chart-picture.js';
import { MOST_POINTS, Question } from './chart-question.js';
import { OFFERED_UNITS, stepOf } from './chart-steps.js';
import { numberText } from './chart-texts.js';
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
  /** @type {Choice | null} */
  #choice = null;
  /**
   * The type that the URL names without columns.
   *
   * @type {string | undefined}
   */
  #wanted;
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
    this.y = this.#select('Y axis', [], (key) => ({ y: this.#named(key) }));
    this.colour = this.#select('Colour by', [], (key) => ({ colour: this.#named(key) }));
    this.title = element('input', { 'aria-label': 'Title', spellcheck: 'false', autocomplete: 'off', oninput: () => this.#titled() });
    this.picture = element('div', { class: 'picture' });
    this.note = element('p', { class: 'note', role: 'status' });
    this.table = element('table');
    this.data = element(
      'details',
      { class: 'data', ontoggle: () => this.#tabulate() },
      element('summary', {}, 'Values as a table'),
      element('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Values of the chart' }, this.table),
    );
    this.files = element(
      'span',
      { class: 'files' },
      button('PNG', () => this.#save(savePng), { 'aria-label': 'Save as PNG' }),
      button('SVG', () => this.#save(saveSvg), { 'aria-label': 'Save as SVG' }),
    );
    this.element = element(
      'section',
      { class: 'chart', 'aria-label': 'Chart' },
      element('div', { class: 'bar' }, ...[this.type, this.x, this.unit, this.y, this.aggregate, this.colour].map(({ label }) => label)),
      element('div', { class: 'bar' }, element('label', { class: 'titled' }, element('span', {}, 'Title'), this.title), this.files),
      this.picture,
      this.note,
      this.data,
    );
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
      this.#offer();
    }
    this.title.value = values.get('title') ?? '';
    this.#choice = choiceOf(this.#columns, values);
    this.#wanted = values.has('x') ? undefined : values.get('type');
    await this.#draw();
  }

  /** Ends what is under way. The next rows that are shown are drawn anew. */
  stop() {
    this.#control.abort();
  }

  #offer() {
    /** @param {Column[]} columns */
    const options = (columns) => columns.map(({ key, label }) => element('option', { value: key }, label));
    /** @param {string} name */
    const none = (name) => element('option', { value: '' }, name);
    const numbers = this.#columns.filter(({ kind }) => kind === 'number');
    this.x.select.replaceChildren(...options(this.#columns));
    this.y.select.replaceChildren(none('number of rows'), ...options(numbers));
    this.colour.select.replaceChildren(none('nothing'), ...options(this.#columns.filter(({ kind }) => kind !== 'geometry')));
  }

  /** @param {Partial<Choice>} change */
  #change(change) {
    if (this.#choice) {
      this.#choice = changed(this.#choice, change, this.#columns);
      this.dispatchEvent(new Event('chosen'));
      this.#draw();
    }
  }

  #titled() {
    this.dispatchEvent(new Event('chosen'));
    this.#paint();
  }

  /** Shows the choices in their controls. */
  #reflect() {
    const { type, x, y, colour, aggregate, unit } = /** @type {Choice} */ (this.#choice);
    this.type.select.value = type;
    this.x.select.value = x?.key ?? '';
    this.y.select.value = y?.key ?? '';
    this.colour.select.value = colour?.key ?? '';
    this.aggregate.select.value = aggregate;
    this.unit.select.value = unit;
    this.unit.label.hidden = x?.kind !== 'time' || type === 'points';
    const isPlaces = type === 'map' && x?.kind !== 'category';
    this.y.label.hidden = type === 'histogram' || x?.kind === 'geometry';
    this.colour.label.hidden = type === 'map' && !isPlaces;
    this.aggregate.label.hidden = y === null || type === 'histogram' || type === 'points' || isPlaces;
    for (const option of this.x.select.options) {
      option.hidden = type !== 'map' && this.#named(option.value)?.kind === 'geometry';
    }
    this.type.select.querySelector('option[value=map]')?.toggleAttribute('hidden', !this.#columns.some(({ kind }) => kind !== 'time'));
    for (const option of this.unit.select.options) {
      option.hidden = x?.isDate === true && ['second', 'minute', 'hour'].includes(option.value);
    }
  }

  async #draw() {
    this.#control.abort();
    this.#control = new AbortController();
    const { signal } = this.#control;
    const question = /** @type {Question} */ (this.#question);
    if (this.#columns.length === 0) {
      this.#tell('No column of numbers, times or texts can be drawn.');
      return;
    }
    this.element.setAttribute('aria-busy', 'true');
    try {
      if (this.#choice === null) {
        const asked = this.#columns.filter(({ kind }) => kind !== 'number');
        const { rows, of } = await question.distinct(asked, signal);
        const best = fitting(this.#columns, rows, of);
        const type = this.#wanted;
        this.#choice = type && Object.hasOwn(TYPES, type) ? changed(best, { type }, this.#columns) : best;
        this.dispatchEvent(new Event('chosen'));
      }
      this.#reflect();
      const model = await modelOf(question, this.#choice, signal);
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
    const labels = labelsOf(model, this.#question.source.condition);
    this.title.placeholder = labels.title;
    labels.title = this.title.value.trim() || labels.title;
    this.data.hidden = this.files.hidden = model.values.length === 0;
    this.#width = this.picture.clientWidth;
    const notes = [...model.notes, ...this.#ofOtherVersions(this.#question)];
    this.note.textContent = notes.join(' ');
    if (model.values.length === 0) {
      this.picture.replaceChildren(element('p', { class: 'empty' }, 'No rows have values to draw'));
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
    const labels = labelsOf(model, '');
    const hasY = choice.x?.kind !== 'geometry';
    const heads = [labels.x, ...(choice.colour ? [labels.colour] : []), ...(hasY ? [labels.y] : [])];
    const rows = values.slice(0, MOST_LINES).map((value) => {
      const colour = value.shade === undefined ? series[value.series].name : Number.isFinite(value.shade) ? numberText(value.shade) : 'null';
      const y = value.y === null ? element('td', { class: 'null' }, 'none') : element('td', { class: 'number' }, numberText(value.y));
      return element('tr', {}, element('th', { scope: 'row' }, value.name), choice.colour ? element('td', {}, colour) : null, hasY ? y : null);
    });
    const caption = values.length > MOST_LINES ? element('caption', {}, `The first ${grouped(MOST_LINES)} of ${counted(values.length, 'value')}`) : null;
    const head = element('thead', {}, element('tr', {}, ...heads.map((name, i) => element('th', { scope: 'col', class: hasY && i === heads.length - 1 ? 'number' : null }, name))));
    this.table.replaceChildren(...(caption ? [caption] : []), head, element('tbody', {}, ...rows));
  }

  /** @param {(picture: SVGElement, title: string) => unknown} write */
  async #save(write) {
    const drawn = /** @type {SVGElement | null} */ (this.picture.querySelector(':scope > svg'));
    if (drawn) {
      await write(drawn, this.title.value.trim() || this.title.placeholder);
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
  const asked = choice.type === 'histogram' ? { ...choice, y: null } : choice;
  if (choice.type === 'map') {
    const { mapOf } = await load('chart/map.js');
    return mapOf(question, choice, signal);
  }
  const isPoints = choice.type === 'points' && choice.y !== null;
  const isRanged = choice.x?.kind !== 'category';
  if (!isPoints && !isRanged) {
    return valuesOf(asked, {}, await question.values(asked, {}, signal));
  }
  const extent = await question.extent(asked, signal);
  if (!isPoints) {
    const step = stepOf(asked, extent);
    return valuesOf(asked, step, await question.values(asked, step, signal));
  }
  const every = Math.max(1, Math.ceil(extent.both / MOST_POINTS));
  const left = extent.rows - extent.both;
  const notes = [every > 1 ? `One in ${grouped(every)} of ${counted(extent.both, 'row')} is drawn.` : `Over ${counted(extent.rows, 'row')}.`];
  if (left > 0) {
    notes.push(`${counted(left, 'row')} without x or y ${left === 1 ? 'is' : 'are'} left out.`);
  }
  return pointsOf(asked, await question.points(asked, every, signal), notes);
}

/**
 * The title and the names of the axes, which say how rows are put together.
 *
 * @param {Model} model
 * @param {string} condition
 */
function labelsOf({ choice, step, isAggregated }, condition) {
  const { type, x, y, colour, aggregate } = choice;
  const name = x?.label ?? '';
  const words = { mean: 'Mean', sum: 'Sum of', median: 'Median', count: 'Number of' }[aggregate] ?? '';
  const isPlaces = type === 'map' && x?.kind !== 'category';
  const isPlain = type === 'points' || isPlaces || (!isAggregated && aggregate !== 'count');
  const value = y === null ? 'Number of rows' : isPlain ? y.label : `${words} ${y.label}`;
  const zone = x?.isZoned ? ' (UTC)' : '';
  const bins = step.unit ? `, by ${step.unit}` : step.width && !step.isCentred ? `, in bins of ${numberText(step.width > 0 ? step.width : 1 / -step.width)}` : '';
  const by = step.unit ? `${name} (${step.unit})` : name;
  const title = isPlaces ? `Places${colour ? ` by ${colour.label}` : ''}` : type === 'histogram' && !colour ? `Distribution of ${name}` : `${value} by ${by}${colour ? ` and ${colour.label}` : ''}`;
  return { title, subtitle: condition === '' ? '' : `Rows with ${visible(condition)}`, x: `${name}${bins}${zone}`, y: value, colour: colour?.label ?? '' };
}

/** @param {Model} model */
function summary({ choice, values, series }) {
  const numbers = values.flatMap(({ y }) => (y === null ? [] : [y]));
  const [least, greatest] = [numbers.reduce((a, b) => Math.min(a, b), Infinity), numbers.reduce((a, b) => Math.max(a, b), -Infinity)];
  const colours = choice.colour && series.length > 1 ? ` in ${counted(series.length, 'colour')}` : '';
  const type = TYPES[/** @type {keyof typeof TYPES} */ (choice.type)];
  if (choice.type === 'map') {
    return `Map of ${counted(values.length, 'place')}${colours}`;
  }
  return numbers.length === 0 ? `${type} without values` : `${type} of ${counted(numbers.length, 'value')}${colours}, from ${numberText(least)} to ${numberText(greatest)}`;
}
