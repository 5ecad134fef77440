// The picture of a chart: one SVG with its title, its colours and its axes, as it is shown and saved.
// @ts-check

import { counted, grouped } from '../lib/elements.js';
import * as library from '../vendor/plot-0.6.17.min.js';
import { hasBars, interval, isAdditive, isOfDays } from './chart-steps.js';
import { fitted, fittedApart, lines, numberText, shadeText, tickTexts, widthOf } from './chart-texts.js';

/** @typedef {import('./chart-values.js').Model} Model */
/** @typedef {import('./chart-values.js').Value} Value */

/**
 * The look of a picture.
 *
 * @typedef {object} Look
 * @property {number} width
 * @property {string} text the colour of texts
 * @property {string} quiet
 * @property {string} line
 * @property {string} page
 * @property {string} land the colour of countries without a value
 * @property {string[]} series the colours of series
 * @property {string} rest that of all other series
 * @property {[string, string]} shades the colours of the least and the greatest number
 */

/** @typedef {{ width: number, node: (x: number, y: number) => Node }} LegendItem */
/** @typedef {{ title: string, subtitle: string, x: string, y: string, colour: string }} Labels */

// The types of the library are those of its documentation.
const Plot = /** @type {any} */ (library);

const NAMESPACE = 'http://www.w3.org/2000/svg';
const FONT = 12;
const TITLE = 16;
const LINE = 20;
const MARGIN = 14;
const TICK_SPACE = 16;
/** The room of a tick of time, as the library has it. */
const TICK_PIXELS = 80;
const DAY_MILLISECONDS = 86_400_000;
const LEAST_HEIGHT = 260;
const MOST_HEIGHT = 420;
const CATEGORY = 24;
const GROUPED_BAR = 12;
const MOST_BAR = 160;
const FEW_BARS = 4;
const MOST_DOTS = 60;
const MOST_NAME = 200;
const MOST_LEGEND_NAME = 300;
const MOST_NOTE_LINES = 12;

/**
 * @param {string} name
 * @param {Record<string, string | number>} attributes
 * @param {(Node | string)[]} children
 */
export function svg(name, attributes = {}, ...children) {
  const made = document.createElementNS(NAMESPACE, name);
  Object.entries(attributes).forEach(([key, value]) => made.setAttribute(key, String(value)));
  made.append(...children);
  return made;
}

/**
 * Draws a chart.
 *
 * @param {Model} model
 * @param {Labels} labels
 * @param {Look} look
 */
export function picture(model, labels, look) {
  const colours = coloursOf(model, look);
  const plotted = new Drawing(model, labels, look, colours).draw();
  return framed(labels, look, [...legend(model, labels, look, colours)], plotted);
}

/**
 * A picture with its title above all else.
 *
 * @param {Labels} labels
 * @param {Look} look
 * @param {LegendItem[]} items of the legend
 * @param {SVGElement} plotted
 */
export function framed({ title, subtitle }, look, items, plotted) {
  const parts = [];
  const width = look.width - 2 * MARGIN;
  let y = MARGIN;
  for (const text of lines(title, width, 3, TITLE, '600')) {
    y += LINE;
    parts.push(svg('text', { x: MARGIN, y: y - 4, 'font-size': TITLE, 'font-weight': 600, class: 'title' }, text));
  }
  if (subtitle !== '') {
    y += LINE;
    parts.push(svg('text', { x: MARGIN, y: y - 4, 'font-size': FONT, fill: look.quiet, class: 'subtitle' }, fitted(subtitle, width)));
  }
  let x = MARGIN;
  for (const [i, item] of items.entries()) {
    if (i === 0 || x + item.width > look.width - MARGIN) {
      x = MARGIN;
      y += LINE;
    }
    parts.push(item.node(x, y));
    x += item.width + MARGIN;
  }
  y += MARGIN / 2;
  plotted.setAttribute('y', String(y));
  plotted.setAttribute('overflow', 'visible');
  const height = y + Number(plotted.getAttribute('height'));
  const attributes = { xmlns: NAMESPACE, width: look.width, height, viewBox: `0 0 ${look.width} ${height}`, color: look.text, fill: look.text };
  return svg('svg', { ...attributes, 'font-family': 'system-ui, sans-serif' }, svg('rect', { width: look.width, height, fill: look.page }), ...parts, plotted);
}

/**
 * A copy of a picture with notes below it, which are beside the picture on the page.
 *
 * @param {SVGElement} drawn
 * @param {string} notes
 * @param {Look} look
 */
export function noted(drawn, notes, { width, quiet }) {
  const copy = /** @type {SVGElement} */ (drawn.cloneNode(true));
  const start = Number(drawn.getAttribute('height'));
  const texts = lines(notes, width - 2 * MARGIN, MOST_NOTE_LINES, FONT, 'normal');
  const height = start + texts.length * LINE + MARGIN;
  copy.setAttribute('height', String(height));
  copy.setAttribute('viewBox', `0 0 ${width} ${height}`);
  copy.querySelector(':scope > rect')?.setAttribute('height', String(height));
  copy.append(...texts.map((text, i) => svg('text', { x: MARGIN, y: start + (i + 1) * LINE, 'font-size': FONT, fill: quiet, class: 'note' }, text)));
  return copy;
}

/**
 * The colour of each series.
 *
 * @param {Model} model
 * @param {Look} look
 */
export function coloursOf({ series }, look) {
  return series.map(({ isRest, name, place }, i) => (isRest ? (name === 'null' ? look.quiet : look.rest) : look.series[(place ?? i) % look.series.length]));
}

/**
 * The items of the legend: one per series, or the range of a number.
 *
 * @param {Model} model
 * @param {Labels} labels
 * @param {Look} look
 * @param {string[]} colours
 * @returns {Generator<LegendItem>}
 */
export function* legend({ choice, series, values }, { colour }, look, colours) {
  if (!choice.colour && series.length < 2) {
    return;
  }
  const shades = values.map(({ shade }) => shade ?? NaN).filter(Number.isFinite);
  if (values[0]?.shade !== undefined) {
    yield* legendOfShades(colour, range(shades), look, shades.length < values.length);
    return;
  }
  if (choice.colour) {
    yield nameItem(colour);
  }
  const names = fittedApart(series.map(({ name }) => name), Math.min(MOST_LEGEND_NAME, look.width - 2 * MARGIN - 18));
  yield* names.map((text, i) => seriesItem(text, colours[i]));
}

/**
 * @param {string} text
 * @param {string} fill
 */
function seriesItem(text, fill) {
  return {
    width: widthOf(text) + 18,
    /** @param {number} x @param {number} y */
    node: (x, y) => svg('g', { class: 'series' }, svg('rect', { x, y: y - 11, width: 12, height: 12, rx: 2, fill }), label(text, {})(x + 18, y)),
  };
}

/**
 * @param {string} text
 * @param {Record<string, string | number>} attributes
 */
function label(text, attributes) {
  /** @param {number} x @param {number} y */
  return (x, y) => svg('text', { x, y, 'font-size': FONT, ...attributes }, text);
}

/** @param {string} name */
function nameItem(name) {
  const text = fitted(name, MOST_NAME, FONT, '600');
  return { width: widthOf(text, FONT, '600'), node: label(text, { 'font-weight': 600 }) };
}

/**
 * The name of a number, and the colours of its least and its greatest value, and of none.
 *
 * @param {string} name
 * @param {[number, number]} range
 * @param {Look} look
 * @param {boolean} hasNulls
 * @returns {Generator<LegendItem>}
 */
export function* legendOfShades(name, range, look, hasNulls) {
  yield nameItem(name);
  if (range[0] <= range[1]) {
    yield shadesItem(range, look);
  }
  if (hasNulls) {
    yield seriesItem('null', look.quiet);
  }
}

/**
 * @param {[number, number]} range
 * @param {Look} look
 */
function shadesItem([least, greatest], { shades }) {
  const [from, to] = [numberText(least), numberText(greatest)];
  const left = widthOf(from) + 6;
  const size = 120;
  return {
    width: left + size + 6 + widthOf(to),
    /** @param {number} x @param {number} y */
    node: (x, y) => {
      const stops = shades.map((colour, i) => svg('stop', { offset: i, 'stop-color': colour }));
      const gradient = svg('linearGradient', { id: 'chart-shades' }, ...stops);
      const bar = svg('rect', { x: x + left, y: y - 11, width: size, height: 12, fill: 'url(#chart-shades)' });
      return svg('g', {}, gradient, label(from, {})(x, y), bar, label(to, {})(x + left + size + 6, y));
    },
  };
}

/**
 * The least and the greatest of some numbers.
 *
 * @param {number[]} numbers
 * @returns {[number, number]}
 */
export function range(numbers) {
  return numbers.reduce(([least, greatest], number) => [Math.min(least, number), Math.max(greatest, number)], [Infinity, -Infinity]);
}

/** The axes and marks of a chart. */
class Drawing {
  /**
   * @param {Model} model
   * @param {Labels} labels
   * @param {Look} look
   * @param {string[]} colours
   */
  constructor(model, labels, look, colours) {
    this.model = model;
    this.labels = labels;
    this.look = look;
    this.isBars = hasBars(model.choice.type);
    this.isStacked = (this.isBars || model.choice.type === 'area') && model.choice.type !== 'grouped' && isAdditive(model.choice);
    const shades = range(model.values.map(({ shade }) => shade ?? NaN).filter(Number.isFinite));
    this.isHorizontal = model.categories !== null && this.isBars && this.#longest(model.categories) > this.#roomOfCategory();
    const wide = Math.min(1, MOST_BAR / (this.look.width / (model.categories?.length ?? Infinity)));
    /** @param {number} at @param {number} start */
    const narrowed = (at, start) => (this.isHorizontal || !model.categories ? at : start + 0.5 + (at - start - 0.5) * wide);
    this.values = model.values.map((value) => ({
      ...value,
      x: narrowed(value.x, value.start),
      x0: narrowed(value.x0, value.start),
      x1: narrowed(value.x1, value.start),
      fill: value.shade === undefined ? colours[value.series] : shaded(value.shade, shades, look),
      title: this.#title(value),
      middle: (value.base + (value.top ?? NaN)) / 2,
    }));
  }

  /** @param {Value} value */
  #title({ name, series, y, shade, rows, known }) {
    const { model, labels } = this;
    const { ys } = model.choice;
    const lines = [`${model.choice.x?.label}: ${name}`, `${ys.length > 1 ? model.series[series].name : labels.y}: ${y === null ? 'none' : numberText(y)}`];
    if (model.choice.colour) {
      lines.push(`${labels.colour}: ${shade === undefined ? model.series[series].name : shadeText(shade)}`);
    }
    if (model.isAggregated && ys.length > 0) {
      lines.push(counted(known, 'row') + (known < rows ? `, and ${grouped(rows - known)} without ${ys[ys.length > 1 ? series : 0].label}` : ''));
    }
    return lines.map((line) => (line.length > MOST_NAME ? `${line.slice(0, MOST_NAME)}…` : line)).join('\n');
  }

  /** @param {string[]} texts */
  #longest(texts) {
    return texts.reduce((most, text) => Math.max(most, widthOf(text)), 0);
  }

  #roomOfCategory() {
    return (this.look.width - 100) / (this.model.categories?.length ?? 1) - 8;
  }

  draw() {
    const drawn = this.isHorizontal ? this.#horizontal() : this.#vertical();
    // The whole picture has a name, and its values are a table.
    drawn.setAttribute('aria-hidden', 'true');
    if (this.isBars) {
      pointAtBars(drawn);
    }
    // The policy of the page allows no styles within it. Those of the library are in chart.css.
    drawn.querySelectorAll('style').forEach((/** @type {Element} */ style) => style.remove());
    return drawn;
  }

  /** The range of y: from zero if marks have areas, which else would lie. */
  #domainOfY() {
    const tops = this.values.flatMap(({ top, base, y }) => (this.isBars || this.isStacked ? [top, base] : [y])).filter((each) => each !== null);
    let [least, greatest] = range(/** @type {number[]} */ (tops));
    if (tops.length === 0) {
      return [0, 1];
    }
    const isNearZero = least >= 0 && least < 0.35 * greatest;
    if (this.isBars || this.model.choice.type === 'area' || isNearZero) {
      [least, greatest] = [Math.min(0, least), Math.max(0, greatest)];
    }
    const margin = least === greatest ? Math.abs(least) / 10 || 1 : 0;
    return least === 0 ? [0, greatest + margin] : [least - margin, greatest + margin];
  }

  /**
   * The range of y and its ticks. Those between numbers of rows say nothing.
   *
   * @param {number} count that of ticks
   */
  #rounded(count) {
    const { domain, ticks } = rounded(this.#domainOfY(), count);
    const { ys, type, aggregate } = this.model.choice;
    const areRows = ys.length === 0 || type === 'histogram' || (aggregate === 'count' && type !== 'points');
    return { domain, ticks: areRows ? ticks.filter(Number.isInteger) : ticks };
  }

  #options() {
    const { width, text } = this.look;
    return { width, style: { fontSize: `${FONT}px`, color: text, overflow: 'visible' }, color: { type: 'identity' } };
  }

  #vertical() {
    const { domain, ticks } = this.#rounded(6);
    const texts = tickTexts(ticks);
    const { labels, look, values } = this;
    let [marginLeft, marginRight] = [this.#longest(texts) + 20, MARGIN];
    let x = this.#axisOfX(look.width - marginLeft - marginRight);
    // Texts that stand over the ends narrow the axis, which then has other texts.
    for (let i = 0; i < 3; i++) {
      marginLeft = Math.max(marginLeft, x.overhang + 8);
      marginRight = Math.max(marginRight, x.overhang + 4);
      x = this.#axisOfX(look.width - marginLeft - marginRight);
    }
    const height = Math.min(MOST_HEIGHT, Math.max(LEAST_HEIGHT, look.width * 0.5));
    return Plot.plot({
      ...this.#options(),
      height,
      marginLeft,
      marginRight,
      marginTop: 32,
      marginBottom: 58,
      x: x.scale,
      y: { type: 'linear', domain },
      marks: [
        Plot.frame({ stroke: null, fill: look.page, pointerEvents: 'all' }),
        Plot.gridY({ ticks, stroke: look.line, strokeOpacity: 1 }),
        Plot.axisY({ ticks, tickFormat: (/** @type {number} */ tick) => texts[ticks.indexOf(tick)], tickSize: 0, label: fitted(labels.y, look.width - 20), labelArrow: 'none', labelOffset: marginLeft - MARGIN, fontSize: FONT, color: look.text }),
        Plot.axisX({ ...x.axis, label: fitted(labels.x, look.width - 40), labelArrow: 'none', labelAnchor: 'center', labelOffset: 44, tickSize: 4, fontSize: FONT, color: look.text }),
        ...this.#marks(),
        domain[0] <= 0 && domain[1] >= 0 ? Plot.ruleY([0], { stroke: look.quiet }) : null,
        this.#tip(values, 'x', this.isBars || this.isStacked ? 'middle' : 'top'),
      ],
    });
  }

  /** Bars of categories whose names are too long to stand side by side. Their axis is above them, where it is in sight. */
  #horizontal() {
    const { labels, look, values, model } = this;
    const categories = /** @type {string[]} */ (model.categories);
    const room = Math.min(this.#longest(categories), look.width * 0.38);
    const names = fittedApart(categories, room);
    const { domain, ticks, texts } = this.#ticksWithin(look.width - room - 24 - MARGIN);
    const size = this.isStacked ? CATEGORY : Math.max(CATEGORY, GROUPED_BAR * model.series.length + 6);
    // The name of the axis ends where the plot does.
    return Plot.plot({
      ...this.#options(),
      width: look.width - MARGIN,
      height: categories.length * size + 44 + MARGIN,
      marginLeft: room + 24,
      marginRight: Math.max(4, widthOf(texts.at(-1) ?? '') / 2 + 4 - MARGIN),
      marginTop: 44,
      marginBottom: MARGIN,
      x: { type: 'linear', domain },
      y: { type: 'linear', domain: [0, categories.length], reverse: true },
      marks: [
        Plot.frame({ stroke: null, fill: look.page, pointerEvents: 'all' }),
        Plot.gridX({ ticks, stroke: look.line, strokeOpacity: 1 }),
        Plot.axisX({ ticks, tickFormat: (/** @type {number} */ tick) => texts[ticks.indexOf(tick)], tickSize: 0, label: fitted(labels.y, look.width * 0.5), labelArrow: 'none', labelAnchor: 'right', labelOffset: 40, anchor: 'top', fontSize: FONT, color: look.text }),
        Plot.axisY(categories.map((_, i) => i + 0.5), { tickFormat: (/** @type {number} */ at) => names[Math.floor(at)], tickSize: 0, label: fitted(labels.x, look.width * 0.4), labelArrow: 'none', labelOffset: room + 24 - MARGIN, fontSize: FONT, color: look.text }),
        Plot.rect(values, { x1: 'base', x2: 'top', y1: 'x0', y2: 'x1', fill: 'fill' }),
        Plot.ruleX([0], { stroke: look.quiet }),
        this.#tip(values, 'middle', 'x'),
      ],
    });
  }

  /**
   * The range of y, with as many ticks as fit beside each other.
   *
   * @param {number} width
   */
  #ticksWithin(width) {
    for (let count = Math.floor(width / 60); ; count--) {
      const { domain, ticks } = this.#rounded(Math.max(1, count));
      const texts = tickTexts(ticks);
      if (count <= 1 || (this.#longest(texts) + TICK_SPACE) * (ticks.length - 1) <= width - this.#longest(texts.slice(-1)) / 2) {
        return { domain, ticks, texts };
      }
    }
  }

  #marks() {
    const { values, isBars, isStacked, model } = this;
    const { type } = model.choice;
    if (isBars) {
      const inset = model.categories || values.length > this.look.width / 5 ? 0 : values.length > this.look.width / 20 ? 0.5 : 1.5;
      return [Plot.rect(values, { x1: 'x0', x2: 'x1', y1: 'base', y2: 'top', fill: 'fill', insetLeft: inset, insetRight: inset })];
    }
    if (type === 'points') {
      return [Plot.dot(values, { x: 'x', y: 'y', fill: 'fill', fillOpacity: values.length > 500 ? 0.55 : 0.8, r: values.length > 2000 ? 2 : 3 })];
    }
    const isArea = type === 'area';
    return [
      isArea ? Plot.areaY(values, { x: 'x', y1: 'base', y2: 'top', z: 'series', fill: 'fill', fillOpacity: isStacked ? 0.85 : 0.25 }) : null,
      isArea && isStacked && model.series.length > 1 ? null : Plot.line(values, { x: 'x', y: 'top', z: 'series', stroke: 'fill', strokeWidth: 2, strokeLinejoin: 'round' }),
      isArea && isStacked ? null : Plot.dot(lonely(values), { x: 'x', y: 'y', fill: 'fill', r: 3 }),
      Plot.dot(values, Plot.pointer({ x: 'x', y: 'top', r: 4.5, stroke: 'fill', strokeWidth: 2, fill: this.look.page })),
    ];
  }

  /**
   * @param {Value[]} values
   * @param {string} x
   * @param {string} y
   */
  #tip(values, x, y) {
    const { page, line } = this.look;
    return Plot.tip(values, Plot.pointer({ x, y, title: 'title', fill: page, stroke: line, fontSize: FONT, lineWidth: 28 }));
  }

  /**
   * The axis of x: its scale, its ticks, and how far its texts stand over its ends.
   *
   * @param {number} width
   */
  #axisOfX(width) {
    const { categories, choice } = this.model;
    if (categories) {
      return this.#axisOfCategories(categories, width);
    }
    const [least, greatest] = range(this.values.flatMap(({ x, x0, x1 }) => (this.isBars ? [x0, x1] : [x])));
    if (choice.x?.kind === 'time') {
      const axis = (this.isBars ? this.#axisOfBars(width) : null) ?? this.#axisOfTimes(width, least, greatest);
      const margin = greatest > least ? 0 : DAY_MILLISECONDS / 2;
      const domain = least <= greatest ? [least - margin, greatest + margin] : [0, DAY_MILLISECONDS];
      return { scale: { type: 'utc', domain: domain.map((at) => new Date(at)) }, axis, overhang: 20 };
    }
    const isLone = this.isBars && this.model.step.isCentred && greatest - least < FEW_BARS;
    const margin = isLone ? 1 : greatest > least ? (choice.type === 'points' ? (greatest - least) / 50 : 0) : Math.abs(least) / 10 || 1;
    const domain = least <= greatest ? [least - margin, greatest + margin] : [0, 1];
    let count = Math.max(2, Math.floor(width / 50));
    let found = library.ticks(domain[0], domain[1], count);
    const isWhole = choice.x?.isWhole === true;
    /** @param {number[]} all */
    const fit = (all) => this.#longest(tickTexts(all, isWhole)) + TICK_SPACE <= width / all.length;
    while (count > 1 && !fit(found)) {
      found = library.ticks(domain[0], domain[1], --count);
    }
    const shown = isWhole ? found.filter(Number.isInteger) : found;
    const texts = tickTexts(shown, isWhole);
    const axis = { ticks: shown, tickFormat: (/** @type {number} */ tick) => texts[shown.indexOf(tick)] };
    return { scale: { type: 'linear', domain }, axis, overhang: this.#longest(texts) / 2 };
  }

  /**
   * The ticks of times where those of the library are finer than the times: that of the only one, or those of days.
   *
   * @param {number} width
   * @param {number} least
   * @param {number} greatest
   */
  #axisOfTimes(width, least, greatest) {
    const { choice, step, values } = this.model;
    if (least === greatest) {
      return { ticks: [new Date(least)], tickFormat: () => values[0].name };
    }
    const isDaily = choice.x?.isDate || isOfDays(step);
    return isDaily && (greatest - least) / DAY_MILLISECONDS < width / TICK_PIXELS ? { ticks: 'day' } : {};
  }

  /**
   * The ticks of units of time, each below the middle of its bar, or null if their names need more room.
   *
   * @param {number} width
   */
  #axisOfBars(width) {
    const { step, choice } = this.model;
    const names = new Map(this.model.values.map(({ start, name }) => [start, name]));
    const starts = [...names.keys()].sort((a, b) => a - b);
    const room = (width * (interval(starts[0], step)[1] - starts[0])) / (interval(starts[starts.length - 1], step)[1] - starts[0]);
    if (!choice.x || this.#longest([...names.values()]) + TICK_SPACE / 2 > room) {
      return null;
    }
    const middles = new Map(starts.map((start) => [interval(start, step).reduce((sum, each) => sum + each / 2, 0), names.get(start)]));
    return { ticks: [...middles.keys()].map((at) => new Date(at)), tickFormat: (/** @type {Date} */ at) => middles.get(at.getTime()), tickSize: 0 };
  }

  /**
   * @param {string[]} categories
   * @param {number} width
   */
  #axisOfCategories(categories, width) {
    const room = Math.min(this.#longest(categories), 140, width / 3);
    const every = Math.max(1, Math.ceil((room + TICK_SPACE / 2) / (width / categories.length)));
    const ticks = categories.map((_, i) => i).filter((i) => i % every === 0);
    const names = fittedApart(ticks.map((i) => categories[i]), room);
    const axis = { ticks: ticks.map((i) => i + 0.5), tickFormat: (/** @type {number} */ at) => names[ticks.indexOf(Math.floor(at))] };
    const overhang = Math.max(0, room / 2 - width / categories.length / 2);
    return { scale: { type: 'linear', domain: [0, categories.length] }, axis, overhang };
  }
}

/**
 * Lets the pointer be at the middle of the bar that it is over, since the library tells of the nearest middle.
 *
 * @param {SVGElement} drawn
 */
function pointAtBars(drawn) {
  /** @param {PointerEvent} event */
  const move = (event) => {
    const bar = /** @type {Element} */ (event.target).closest('[aria-label=rect] > rect');
    if (bar && event.isTrusted) {
      event.stopPropagation();
      const { left, top, width, height } = bar.getBoundingClientRect();
      bar.dispatchEvent(new PointerEvent(event.type, { bubbles: true, pointerType: event.pointerType, clientX: left + width / 2, clientY: top + height / 2 }));
    }
  };
  ['pointerenter', 'pointermove', 'pointerdown'].forEach((type) => drawn.addEventListener(type, (event) => move(/** @type {PointerEvent} */ (event)), true));
}

/**
 * A range that ends at ticks, and these ticks.
 *
 * @param {number[]} range
 * @param {number} count about that of the ticks
 */
function rounded(range, count) {
  let domain = range;
  // A wider range may have wider steps.
  for (let i = 0; i < 3; i++) {
    const step = library.tickIncrement(domain[0], domain[1], count);
    domain = [down(range[0], step), -down(-range[1], step)];
  }
  return { domain, ticks: library.ticks(domain[0], domain[1], count) };
}

/**
 * The greatest multiple of a step that is not greater than a number. A negative step is that of so many in 1.
 *
 * @param {number} number
 * @param {number} step
 */
function down(number, step) {
  return step > 0 ? Math.floor(number / step) * step : Math.floor(number * -step) / -step;
}

/**
 * The values that a line alone does not show: all of few, or those between gaps.
 *
 * @param {(Value & { fill: string })[]} values
 */
function lonely(values) {
  /** @param {number} i @param {Value} value */
  const isThere = (i, value) => values[i]?.series === value.series && values[i].y !== null;
  return values.length <= MOST_DOTS ? values : values.filter((value, i) => !isThere(i - 1, value) && !isThere(i + 1, value));
}

/**
 * The colour of a number between the least and the greatest one.
 *
 * @param {number} number
 * @param {[number, number]} range
 * @param {Look} look
 */
export function shaded(number, [least, greatest], { shades, quiet }) {
  if (!Number.isFinite(number)) {
    return quiet;
  }
  const part = greatest > least ? (number - least) / (greatest - least) : 1;
  const [from, to] = shades.map((colour) => (colour.match(/[\d.]+/g) ?? []).map(Number));
  return `rgb(${from.slice(0, 3).map((each, i) => Math.round(each + part * (to[i] - each))).join(', ')})`;
}
