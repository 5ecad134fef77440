// The table of the buffers of a message, by field.
// @ts-check

import { copy } from '../lib/clipboard.js';
import { element, grouped, isolated, visible } from '../lib/elements.js';
import { role } from './file-parts.js';

/** @typedef {import('./file-parts.js').PlacedBuffer} PlacedBuffer */
/** @typedef {{ field: import('./file-parts.js').FieldOfMessage, buffers: PlacedBuffer[] }} FieldBuffers */

const PAGE_FIELDS = 50;

/** The table. Of many fields, it shows some at a time. */
export class BufferTable {
  /** @type {FieldBuffers[]} */
  #fields = [];
  /** @type {FieldBuffers[]} */
  #found = [];
  #first = 0;

  /**
   * @param {object} options
   * @param {(offset: number, length: number) => string} options.command returns the command that reads a range of bytes
   * @param {(buffers: PlacedBuffer[]) => Promise<void>} options.complete adds `uncompressedLength` and `codec` to buffers; returns a promise
   * @param {(buffer: PlacedBuffer) => unknown} options.select called with the buffer that the user chooses
   */
  constructor({ command, complete, select }) {
    this.command = command;
    this.complete = complete;
    this.choose = select;
    /** @type {PlacedBuffer | null} */
    this.selected = null;
    this.search = element('input', { type: 'search', 'aria-label': 'Find a field', placeholder: 'Find a field', spellcheck: 'false', oninput: () => this.#filter() });
    this.count = element('output', { class: 'count' });
    this.back = element('button', { type: 'button', onclick: () => this.#page(-1) }, 'Previous fields');
    this.next = element('button', { type: 'button', onclick: () => this.#page(1) }, 'Next fields');
    this.bar = element('div', { class: 'bar' }, this.search, this.back, this.next, this.count);
    this.body = element('tbody');
    const heads = [['field', ''], ['buffer', ''], ['offset', 'number'], ['length', 'number'], ['padding', 'number'], ['codec', ''], ['uncompressed', 'number'], ['nulls', 'number'], ['range', '']];
    this.table = element(
      'table',
      { class: 'buffers' },
      element('caption', {}, 'Buffers in the order of their fields, with offsets in the file'),
      element('thead', {}, element('tr', {}, ...heads.map(([text, kind]) => element('th', { scope: 'col', class: kind || null }, text)))),
      this.body,
    );
    this.element = element('div', {}, this.bar, element('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Buffers' }, this.table));
  }

  /**
   * Shows the buffers of a message.
   *
   * @param {import('./file-parts.js').MessageLayout} message
   * @param {PlacedBuffer[]} buffers
   */
  set(message, buffers) {
    this.selected = null;
    this.#fields = (message.fields ?? []).map((field) => ({ field, buffers: [] }));
    const byField = new Map(this.#fields.map((each) => [each.field, each]));
    buffers.forEach((buffer) => byField.get(buffer.field)?.buffers.push(buffer));
    this.bar.hidden = this.#fields.length <= PAGE_FIELDS;
    this.#filter();
  }

  /**
   * Marks a buffer, and shows its page.
   *
   * @param {PlacedBuffer | null} buffer
   */
  select(buffer) {
    this.selected = buffer;
    const position = buffer ? this.#found.findIndex(({ field }) => field === buffer.field) : -1;
    if (position >= 0 && (position < this.#first || position >= this.#first + PAGE_FIELDS)) {
      this.#first = position - (position % PAGE_FIELDS);
      this.#paint();
    }
    this.#mark();
  }

  #filter() {
    const text = this.bar.hidden ? '' : this.search.value.trim().toLowerCase();
    this.#found = this.#fields.filter(({ field }) => text === '' || field.path.toLowerCase().includes(text));
    this.#first = 0;
    this.#paint();
  }

  /** @param {number} step */
  #page(step) {
    this.#first += step * PAGE_FIELDS;
    this.#paint();
  }

  async #paint() {
    const some = this.#found.slice(this.#first, this.#first + PAGE_FIELDS);
    this.back.disabled = this.#first === 0;
    this.next.disabled = this.#first + PAGE_FIELDS >= this.#found.length;
    this.count.textContent = some.length === 0 ? 'no field' : `fields ${grouped(this.#first + 1)} to ${grouped(this.#first + some.length)} of ${grouped(this.#found.length)}`;
    this.body.replaceChildren(...some.flatMap((each) => this.#rows(each)));
    this.#mark();
    await this.complete(some.flatMap(({ buffers }) => buffers));
    for (const { buffers } of some) {
      buffers.forEach((buffer) => buffer.complete?.());
    }
  }

  /** @param {FieldBuffers} found */
  #rows({ field, buffers }) {
    const name = element('th', { scope: 'rowgroup', rowspan: Math.max(1, buffers.length) }, isolated(field.path === '' ? '(no name)' : visible(field.path)));
    const nulls = element('td', { class: 'number', rowspan: Math.max(1, buffers.length) }, field.nullCount === null ? 'unknown' : grouped(field.nullCount));
    if (buffers.length === 0) {
      return [element('tr', {}, name, element('td', { colspan: 6 }, element('small', {}, 'no buffers')), nulls, element('td'))];
    }
    return buffers.map((buffer, i) => this.#row(buffer, i === 0 ? name : null, i === 0 ? nulls : null));
  }

  /**
   * @param {PlacedBuffer} buffer
   * @param {Node | null} name
   * @param {Node | null} nulls
   */
  #row(buffer, name, nulls) {
    const button = element('button', { type: 'button', class: 'role', 'aria-pressed': 'false', onclick: () => this.choose(buffer) }, role(buffer));
    const codec = element('td');
    const uncompressed = element('td', { class: 'number' });
    buffer.complete = () => {
      codec.textContent = buffer.codec ?? '';
      uncompressed.textContent = buffer.uncompressedLength === undefined ? '' : grouped(buffer.uncompressedLength);
    };
    buffer.complete();
    const range = buffer.length > 0 ? [element('code', {}, `-r ${buffer.offset}-${buffer.offset + buffer.length - 1}`), ' ', this.#copy(buffer)] : [];
    return element(
      'tr',
      { 'data-number': buffer.number },
      name,
      element('td', {}, button),
      element('td', { class: 'number' }, grouped(buffer.offset)),
      element('td', { class: 'number' }, grouped(buffer.length)),
      element('td', { class: 'number' }, buffer.padding ? grouped(buffer.padding) : ''),
      codec,
      uncompressed,
      nulls,
      element('td', { class: 'range' }, ...range),
    );
  }

  /** @param {PlacedBuffer} buffer */
  #copy(buffer) {
    const text = this.command(buffer.offset, buffer.length);
    // The command of the chosen buffer is shown.
    const press = () => copy(text, () => this.choose(buffer));
    return element('button', { type: 'button', class: 'copy', 'aria-label': `Copy the command for ${visible(buffer.path)}, ${role(buffer)}`, title: text, onclick: press }, 'copy');
  }

  #mark() {
    for (const row of this.body.rows) {
      const isSelected = this.selected !== null && Number(row.dataset.number) === this.selected.number;
      row.classList.toggle('selected', isSelected);
      row.querySelector('button.role')?.setAttribute('aria-pressed', String(isSelected));
    }
  }
}
