// A picture of consecutive bytes: parts at scale, one of which is selected.
// @ts-check

import { element, grouped } from '../lib/elements.js';

/**
 * A part of a picture. If it stands for several, it has their `count`, and `many` is their label by number.
 *
 * @typedef {object} Part
 * @property {number} offset
 * @property {number} length
 * @property {string} kind for its color
 * @property {string} label
 * @property {number} [count]
 * @property {(count: number) => string} [many]
 * @property {import('./anatomy.js').Target} [target] the message that it is
 * @property {import('./file-parts.js').PlacedBuffer} [buffer] the buffer that it is
 */

/** @typedef {{ offset: number, length: number, kind: string }} Band */
/** @typedef {{ severity: string, text: string, offset?: number | null }} Mark */
/** @typedef {number | 'first' | 'last'} Step */

const SVG = 'http://www.w3.org/2000/svg';
const HEIGHT = 56;
const MARK_PIXELS = 8;
const BAND_PIXELS = 5;
/** So many parts are drawn as they are. Of more, those below half a pixel are merged. */
const MOST_PARTS = 300;
const MERGED_PIXELS = 0.5;
/** The width to which small parts are widened, so that each of them is visible. */
const LEAST_PIXELS = 3;
const GAP_PIXELS = 6;
const SHADED_PIXELS = 2;
const ZOOM = 4;
const TICKS = 5;

/**
 * The picture. It dispatches `select` with a part, `move` with a step, and `zoom` after the window of bytes has changed.
 */
export class FileMap extends EventTarget {
  /** @type {Part[]} */
  #parts = [];
  /** @type {{ part: Part, x: number, width: number }[]} */
  #drawn = [];
  /** @type {Part | null} */
  #selected = null;
  /** @type {Mark[]} */
  #marks = [];
  /** @type {Band[]} */
  #bands = [];
  #width = 0;
  /** @type {number | null} */
  #frame = null;
  /** @type {{ from: number, to: number } | null} */
  #window = null;
  offset = 0;
  length = 0;

  /** @param {string} label the name of the control */
  constructor(label) {
    super();
    this.svg = document.createElementNS(SVG, 'svg');
    this.svg.setAttribute('aria-hidden', 'true');
    this.hint = element('output', { class: 'hint' });
    this.zoomOut = element('button', { type: 'button', 'aria-label': `Zoom out of ${label}`, title: 'zoom out (−)', onclick: () => this.zoom(1 / ZOOM) }, '−');
    this.zoomIn = element('button', { type: 'button', 'aria-label': `Zoom into ${label}`, title: 'zoom in (+)', onclick: () => this.zoom(ZOOM) }, '+');
    this.whole = element('button', { type: 'button', 'aria-label': `All of ${label}`, title: 'all of it (0)', onclick: () => this.show(0, Infinity) }, 'all');
    this.slider = element(
      'div',
      {
        class: 'picture',
        role: 'slider',
        tabindex: 0,
        'aria-label': label,
        'aria-orientation': 'horizontal',
        'aria-valuemin': 0,
        'aria-valuenow': 0,
        onkeydown: (event) => this.#pressed(event),
        onclick: (event) => this.#clicked(event),
        ondblclick: (event) => this.#doubleClicked(event),
        onpointermove: (event) => this.#pointed(event),
        onpointerleave: () => (this.hint.textContent = this.#told(this.#selected)),
      },
      this.svg,
    );
    this.ticks = element('div', { class: 'ticks', 'aria-hidden': 'true' });
    this.element = element(
      'div',
      { class: 'strip' },
      element('div', { class: 'over' }, this.hint, element('span', { class: 'zooms', role: 'group', 'aria-label': `Zoom of ${label}` }, this.zoomOut, this.zoomIn, this.whole)),
      this.slider,
      this.ticks,
    );
    new ResizeObserver(() => this.#resized()).observe(this.slider);
  }

  /**
   * Shows parts in the order of their offsets.
   *
   * @param {{ offset: number, length: number, parts: Part[] }} bytes
   */
  set({ offset, length, parts }) {
    const isOther = this.#window === null || this.offset !== offset || this.length !== length;
    this.offset = offset;
    this.length = length;
    this.#parts = parts;
    if (isOther) {
      this.#window = { from: offset, to: offset + length };
    }
    this.#drawSoon();
  }

  /**
   * Marks offsets, each with a `severity` and a `text`.
   *
   * @param {Mark[]} marks
   */
  mark(marks) {
    this.#marks = marks;
    this.#drawSoon();
  }

  /**
   * Shows ranges of bytes below the parts, such as those of appends.
   *
   * @param {Band[]} bands
   */
  band(bands) {
    this.#bands = bands;
    this.#drawSoon();
  }

  /** The bytes that are seen. */
  get window() {
    return this.#window ?? { from: this.offset, to: this.offset + this.length };
  }

  /**
   * Outlines a part.
   *
   * @param {Part | null} part
   * @param {number} position its position among all that can be selected
   * @param {number} count the number of these
   */
  select(part, position, count) {
    this.#selected = part;
    this.slider.setAttribute('aria-valuemax', String(Math.max(0, count - 1)));
    this.slider.setAttribute('aria-valuenow', String(position));
    this.slider.setAttribute('aria-valuetext', this.#told(part));
    this.hint.textContent = this.#told(part);
    if (part && (part.offset >= this.window.to || part.offset + part.length <= this.window.from)) {
      const half = (this.window.to - this.window.from) / 2;
      this.show(part.offset + part.length / 2 - half, part.offset + part.length / 2 + half);
    }
    this.#drawSoon();
  }

  /**
   * Shows the bytes of a window.
   *
   * @param {number} from
   * @param {number} to
   */
  show(from, to) {
    const end = this.offset + this.length;
    const size = Math.min(this.length, Math.max(to - from, Math.min(16, this.length)));
    const start = Math.min(Math.max(this.offset, from), end - size);
    this.#window = { from: start, to: start + size };
    this.#drawSoon();
    this.dispatchEvent(new Event('zoom'));
  }

  /**
   * Zooms by a factor about what is selected.
   *
   * @param {number} factor
   */
  zoom(factor) {
    const { from, to } = this.window;
    const part = this.#selected;
    const isSeen = part && part.offset < to && part.offset + part.length > from;
    const middle = isSeen ? (Math.max(from, part.offset) + Math.min(to, part.offset + part.length)) / 2 : (from + to) / 2;
    const half = (to - from) / factor / 2;
    this.show(middle - half, middle + half);
  }

  #resized() {
    this.#width = this.slider.clientWidth;
    this.#drawSoon();
  }

  #drawSoon() {
    this.#frame ??= requestAnimationFrame(() => {
      this.#frame = null;
      if (this.#width > 0 && this.#window) {
        this.#draw();
      }
    });
  }

  #draw() {
    const { from, to } = this.window;
    const seen = this.#parts.filter((part) => part.offset < to && part.offset + part.length > from);
    const merged = seen.length > MOST_PARTS ? this.#merge(seen) : seen;
    this.#place(merged);
    const shapes = this.#drawn.map(({ part, x, width }, i) => {
      const gap = width > GAP_PIXELS ? 1 : 0;
      // Without a gap, neighbors are told apart by their shade.
      const shade = gap === 0 && width >= SHADED_PIXELS && i % 2 === 1 ? ' odd' : '';
      return shape('rect', {
        class: `part ${part.kind}${shade}`,
        x: x.toFixed(2),
        y: MARK_PIXELS,
        width: Math.max(0.5, width - gap).toFixed(2),
        height: HEIGHT,
        'data-offset': part.offset,
        'data-length': part.length,
        'data-count': part.count ?? 1,
      });
    });
    this.svg.setAttribute('width', String(this.#width));
    this.svg.setAttribute('height', String(MARK_PIXELS + HEIGHT + (this.#bands.length > 0 ? 2 * BAND_PIXELS : 2)));
    this.svg.replaceChildren(...shapes, ...this.#bandShapes(), ...this.#outline(), ...this.#markShapes());
    const isWhole = from === this.offset && to === this.offset + this.length;
    this.whole.disabled = this.zoomOut.disabled = isWhole;
    this.ticks.replaceChildren(
      ...Array.from({ length: TICKS }, (_, i) => element('span', {}, grouped(Math.round(from + ((to - from) * i) / (TICKS - 1))))),
    );
  }

  /**
   * Joins parts that are narrower than half a pixel.
   *
   * @param {Part[]} parts
   */
  #merge(parts) {
    const bytes = ((this.window.to - this.window.from) / this.#width) * MERGED_PIXELS;
    /** @type {Part[]} */
    const made = [];
    for (const part of parts) {
      const last = made.at(-1);
      if (last && part.length < bytes && last.length < bytes) {
        const count = (last.count ?? 1) + (part.count ?? 1);
        const length = part.offset + part.length - last.offset;
        const kind = last.kind === part.kind ? last.kind : 'mixed';
        const many = last.many === part.many ? last.many : undefined;
        made[made.length - 1] = { offset: last.offset, length, kind, count, many, label: many ? many(count) : `${grouped(count)} parts` };
      } else {
        made.push(part);
      }
    }
    return made;
  }

  /**
   * Gives each part its pixels: those of its bytes, but some for small ones, if there are few.
   *
   * @param {Part[]} parts
   */
  #place(parts) {
    const { from, to } = this.window;
    const bytes = parts.map((part) => Math.min(to, part.offset + part.length) - Math.max(from, part.offset));
    const least = parts.length <= MOST_PARTS && parts.length * LEAST_PIXELS < this.#width / 2 ? LEAST_PIXELS : 0;
    let scale = this.#width / (to - from);
    if (least > 0) {
      // Wider parts share the rest. Two rounds are enough for some tenths of a pixel.
      for (let i = 0; i < 3; i++) {
        const wide = bytes.filter((each) => each * scale >= least);
        const rest = this.#width - (bytes.length - wide.length) * least;
        scale = rest / Math.max(1, wide.reduce((sum, each) => sum + each, 0));
      }
    }
    let x = 0;
    this.#drawn = parts.map((part, i) => {
      const width = Math.max(least, bytes[i] * scale);
      const placed = { part, x, width };
      x += width;
      return placed;
    });
  }

  /**
   * The pixel of an offset.
   *
   * @param {number} offset
   */
  #x(offset) {
    let x = 0;
    for (const placed of this.#drawn) {
      const start = Math.max(this.window.from, placed.part.offset);
      const end = Math.min(this.window.to, placed.part.offset + placed.part.length);
      if (offset < start) {
        return placed.x;
      }
      if (offset < end) {
        return placed.x + ((offset - start) / (end - start)) * placed.width;
      }
      x = placed.x + placed.width;
    }
    return x;
  }

  #outline() {
    const part = this.#selected;
    if (!part || part.length === 0 || part.offset >= this.window.to || part.offset + part.length <= this.window.from) {
      return [];
    }
    const from = this.#x(part.offset);
    const width = Math.max(LEAST_PIXELS, this.#x(part.offset + part.length) - from);
    const x = Math.min(Math.max(1, from - 1), this.#width - width - 1);
    return [shape('rect', { class: 'outline', x: x.toFixed(2), y: MARK_PIXELS - 1, width: Math.min(width + 1, this.#width - x - 1).toFixed(2), height: HEIGHT + 2 })];
  }

  #bandShapes() {
    const { from, to } = this.window;
    return this.#bands
      .filter(({ offset, length }) => offset < to && offset + length > from)
      .map(({ offset, length, kind }) => {
        const x = this.#x(offset);
        const width = Math.max(1, this.#x(offset + length) - x - 1);
        return shape('rect', { class: `band ${kind}`, x: x.toFixed(2), y: MARK_PIXELS + HEIGHT + BAND_PIXELS, width: width.toFixed(2), height: BAND_PIXELS });
      });
  }

  #markShapes() {
    const { from, to } = this.window;
    return this.#marks
      .map(({ offset, severity }) => ({ offset: offset ?? -1, severity }))
      .filter(({ offset }) => offset >= from && offset <= to)
      .map(({ offset, severity }) => {
        const x = Math.min(Math.max(4, this.#x(offset)), this.#width - 4);
        const points = `${x - 4},0 ${x + 4},0 ${x},${MARK_PIXELS + 2}`;
        return shape('polygon', { class: `mark ${severity}`, points, 'data-offset': offset });
      });
  }

  /** @param {MouseEvent} event */
  #at(event) {
    const x = event.clientX - this.slider.getBoundingClientRect().left;
    return this.#drawn.find((placed) => x < placed.x + placed.width)?.part ?? null;
  }

  /** @param {Part | null} part */
  #told(part) {
    return part ? `${part.label}: ${extent(part.offset, part.length)}` : '';
  }

  /** @param {MouseEvent} event */
  #pointed(event) {
    this.hint.textContent = this.#told(this.#at(event) ?? this.#selected);
  }

  /** @param {MouseEvent} event */
  #clicked(event) {
    const part = this.#at(event);
    if (part && isSeveral(part)) {
      this.#reveal(part);
    } else if (part) {
      this.dispatchEvent(new CustomEvent('select', { detail: part }));
    }
  }

  /** @param {MouseEvent} event */
  #doubleClicked(event) {
    const part = this.#at(event);
    if (part && !isSeveral(part)) {
      this.#reveal(part);
    }
  }

  /** @param {Part} part */
  #reveal({ offset, length }) {
    this.show(offset - length / 20, offset + length + length / 20);
  }

  /** @param {KeyboardEvent} event */
  #pressed(event) {
    /** @type {Record<string, Step>} */
    const moves = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1, PageDown: 10, PageUp: -10, Home: 'first', End: 'last' };
    if (event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    if (Object.hasOwn(moves, event.key)) {
      this.dispatchEvent(new CustomEvent('move', { detail: moves[event.key] }));
    } else if (event.key === '+' || event.key === '=') {
      this.zoom(ZOOM);
    } else if (event.key === '-') {
      this.zoom(1 / ZOOM);
    } else if (event.key === '0' || event.key === 'Escape') {
      this.show(0, Infinity);
    } else if (event.key === 'Enter' && this.#selected) {
      this.#reveal(this.#selected);
    } else {
      return;
    }
    event.preventDefault();
  }
}

/** @param {Part} part */
const isSeveral = ({ count = 1 }) => count > 1;

/**
 * A range of bytes as text.
 *
 * @param {number} offset
 * @param {number} length
 */
export function extent(offset, length) {
  return length === 0 ? `no bytes at ${grouped(offset)}` : `bytes ${grouped(offset)} to ${grouped(offset + length - 1)}`;
}

/**
 * @param {string} name
 * @param {Record<string, string | number>} attributes
 */
function shape(name, attributes) {
  const made = document.createElementNS(SVG, name);
  Object.entries(attributes).forEach(([key, value]) => made.setAttribute(key, String(value)));
  return made;
}
