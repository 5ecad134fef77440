// The anatomy of a file: where each message and each buffer lies, to the byte, of a stored version or of a local file.
// @ts-check

import { byteSize, counted, element, grouped, isolated, present, tell, visible } from '../lib/elements.js';
import { failure, plainFailure } from '../lib/failure.js';
import { stylesheet } from '../lib/modules.js';
import { readState, replaceState } from '../lib/url-state.js';
import { BufferTable } from './buffer-table.js';
import { command } from './copyable-command.js';
import { FileMap, extent } from './file-map.js';
import { BATCHES, DICTIONARIES, buffersOf, dump, facts, filled, partsOf, place, role } from './file-parts.js';
import { Malformed } from './ipc.js';
import { StoredFile } from './stored-file.js';

/** @typedef {import('./file-parts.js').PlacedBuffer} PlacedBuffer */
/** @typedef {import('./file-parts.js').MessageLayout} MessageLayout */
/** @typedef {import('./file-map.js').Mark} Finding */
/** @typedef {import('./file-map.js').Step} Step */

/**
 * A message: its kind and its number among those of the kind.
 *
 * @typedef {{ kind: string, index: number }} Target
 */

/**
 * A record batch with its place, or some that follow each other: the first one and their count.
 *
 * @typedef {{ offset: number, length: number, index?: number, from?: number, count?: number, isDivided?: boolean }} Group
 */

/**
 * Where the parts of a file lie, and its bytes.
 *
 * @typedef {object} Source
 * @property {number} bytes the number of all
 * @property {Place | null} schema
 * @property {Place[]} dictionaries
 * @property {number} batches the number of record batches
 * @property {Place | null} footer
 * @property {number} [end] the end of the messages
 * @property {string} [restLabel] what the bytes after the last message are
 * @property {{ blob: string, length: number }[]} [blobs] the ranges of the store
 * @property {(from: number, count: number) => Promise<Group[]>} extents the places of some record batches
 * @property {(kind: string, index: number) => Promise<MessageLayout>} message
 * @property {(kind: string) => Promise<Node>} facts what the schema or the footer says
 * @property {(buffers: PlacedBuffer[]) => Promise<void>} complete adds `uncompressedLength` and `codec` to buffers
 * @property {(offset: number, length: number) => string} command a command that reads a range elsewhere
 * @property {(offset: number, length: number) => Promise<Uint8Array>} read
 */
/** @typedef {import('./file-parts.js').Place} Place */

/** So many batches are fetched at once. Of more, groups are shown, which are divided when one zooms into them. */
const PAGE = 10_000;
const GROUPS = 32;
const MOST_REQUESTS = 4;
const MOST_KEPT = 64;
const READ_BYTES = 256;
/** The part of the picture from which on a group is divided. */
const DIVIDED = 1 / 3;
const MOST_FINDINGS = 200;
const END_OF_STREAM_BYTES = 8;

/** The style sheet of the picture. */
export const STYLES = 'anatomy/anatomy.css';

/** @type {Record<string, string>} */
const NAMES = { schema: 'Schema', dictionary: 'Dictionary', batch: 'Record batch', footer: 'Footer' };

/**
 * Makes the view of a dataset.
 *
 * @param {HTMLElement} host
 * @param {import('../dataset/dataset-page.js').Dataset} dataset
 */
export async function create(host, dataset) {
  await stylesheet(STYLES);
  /** @type {Anatomy | null} */
  let anatomy = null;
  /** @param {Map<string, string>} values */
  const show = async (values) => {
    anatomy ??= new Anatomy(host, await StoredFile.open(dataset.path), 'anatomy');
    await anatomy.show(values);
  };
  return { show };
}

/** The picture of a file, and what one of its messages and buffers is. */
export class Anatomy {
  /** @type {Map<string, MessageLayout>} */
  #kept = new Map();
  /** @type {Group[]} */
  #groups = [];
  /** @type {Target | null} */
  #selected = null;
  #asked = 0;
  #hasStarted = false;
  /** @type {PlacedBuffer[]} */
  #buffers = [];

  /**
   * @param {HTMLElement} host
   * @param {Source} source
   * @param {string} view the name of the view in the URL
   */
  constructor(host, source, view) {
    this.source = source;
    this.view = view;
    this.strip = new FileMap('the file');
    this.inner = new FileMap('the message');
    this.sentence = element('p', { class: 'sentence', id: 'anatomy' });
    this.strip.slider.setAttribute('aria-describedby', this.sentence.id);
    this.problem = element('div');
    this.findings = element('section', { class: 'findings', 'aria-label': 'Findings', hidden: true });
    this.title = element('h2');
    this.facts = element('dl', { class: 'facts' });
    this.line = command();
    this.more = element('div');
    this.chosen = element('section', { class: 'chosen', 'aria-label': 'Buffer' });
    this.table = new BufferTable({
      command: (offset, length) => source.command(offset, length),
      complete: (buffers) => source.complete(buffers),
      select: (buffer) => this.#choose(buffer),
    });
    this.message = element(
      'section',
      { class: 'message', 'aria-label': 'Message' },
      element('div', { class: 'bar' }, this.title, ...this.#steps()),
      this.line.element,
      this.facts,
      this.more,
      this.inner.element,
      this.chosen,
      this.table.element,
    );
    this.extents = element('details', { class: 'extents', hidden: true });
    host.replaceChildren(
      element('div', { class: 'anatomy' }, this.strip.element, this.#legend(), this.sentence, this.extents, this.findings, this.problem, this.message),
    );
    this.strip.addEventListener('select', (event) => {
      const { target } = detailOf(event);
      return target && this.#select(target);
    });
    this.strip.addEventListener('move', (event) => this.#move(detailOf(event)));
    this.strip.addEventListener('zoom', () => this.#attempt(() => this.#divide()));
    this.inner.addEventListener('select', (event) => this.#choose(detailOf(event).buffer ?? null));
    this.inner.addEventListener('move', (event) => this.#moveBuffer(detailOf(event)));
    this.#list();
  }

  /**
   * Shows the message and the buffer that the values name.
   *
   * @param {Map<string, string>} values
   */
  async show(values) {
    const [kind, text] = (values.get('message') ?? '').split('-');
    const target = { kind, index: Number(text ?? 0) };
    const first = this.source.batches > 0 ? { kind: 'batch', index: 0 } : this.#targetAt(0);
    const isKnown = this.#position(target) >= 0;
    if (!this.#hasStarted) {
      this.#hasStarted = true;
      this.#groups = this.#whole();
      this.#paint();
      await this.#attempt(() => this.#divide(true));
    }
    const buffer = values.get('buffer');
    if (this.#count === 0) {
      this.message.hidden = true;
      return;
    }
    await this.#select(isKnown ? target : first, buffer === undefined ? null : Number(buffer));
  }

  /**
   * Marks findings in the picture, and lists them.
   *
   * @param {Finding[]} findings each with `severity`, `text` and, if known, its `offset` in the file
   */
  find(findings) {
    this.strip.mark(findings.filter(({ offset }) => offset !== null && offset !== undefined));
    this.findings.hidden = findings.length === 0;
    const shown = findings.slice(0, MOST_FINDINGS);
    this.findings.replaceChildren(
      element('h2', {}, counted(findings.length, 'finding')),
      element('ul', {}, ...shown.map((finding) => this.#finding(finding))),
      ...(shown.length < findings.length ? [element('p', {}, `and ${grouped(findings.length - shown.length)} more`)] : []),
    );
  }

  /** Shows the parts again, after the source has grown. */
  async grow() {
    this.#groups = this.#whole();
    this.#list();
    await this.#divide(true);
  }

  /** @param {Finding} finding */
  #finding({ severity, text, offset }) {
    const label = element('span', { class: `severity ${severity}` }, severity);
    const go = async () => {
      if (offset === null || offset === undefined) {
        return;
      }
      const target = await this.#targetOf(offset);
      const half = (this.strip.window.to - this.strip.window.from) / 2;
      if (offset < this.strip.window.from || offset > this.strip.window.to) {
        this.strip.show(offset - half, offset + half);
      }
      await this.#select(target);
    };
    const place = offset === null || offset === undefined ? null : element('button', { type: 'button', onclick: go }, `byte ${grouped(offset)}`);
    return element('li', {}, label, ' ', visible(text), ' ', place);
  }

  // The picture of the file

  #legend() {
    const kinds = [['magic', 'magic'], ['schema', 'schema'], ['dictionary', 'dictionaries'], ['batch', 'record batches'], ['footer', 'footer'], ['padding', 'padding']];
    return element('ul', { class: 'legend' }, ...kinds.map(([kind, text]) => element('li', { class: kind }, text)));
  }

  #list() {
    const { source } = this;
    const parts = [];
    if (source.schema) {
      parts.push(`the schema with ${byteSize(source.schema.length)}`);
    }
    const dictionaries = source.dictionaries.reduce((sum, each) => sum + each.length, 0);
    if (source.dictionaries.length > 0) {
      parts.push(`${grouped(source.dictionaries.length)} ${source.dictionaries.length === 1 ? 'dictionary' : 'dictionaries'} with ${byteSize(dictionaries)}`);
    }
    parts.push(`${grouped(source.batches)} record batch${source.batches === 1 ? '' : 'es'} with ${byteSize(this.#whole()[0]?.length ?? 0)}`);
    if (source.footer) {
      parts.push(`the footer with ${byteSize(source.footer.length)}`);
    }
    this.sentence.textContent = `${grouped(source.bytes)} bytes: ${new Intl.ListFormat('en').format(parts)}.`;
    this.#listBlobs(source.blobs ?? []);
  }

  /**
   * Shows what each write has added, if a file lies in several ranges of the store.
   *
   * @param {{ blob: string, length: number }[]} blobs
   */
  #listBlobs(blobs) {
    const keys = [...new Set(blobs.map(({ blob }) => blob))];
    /** @param {string} key */
    const isManifest = (key) => key.startsWith('manifests/');
    this.extents.hidden = keys.filter((key) => !isManifest(key)).length < 2;
    if (this.extents.hidden) {
      return;
    }
    let offset = 0;
    const bands = blobs.map(({ blob, length }) => {
      const number = keys.indexOf(blob);
      const band = { offset, length, kind: `blob${number % 4}`, name: isManifest(blob) ? 'the manifest' : `stored file ${grouped(number + 1)}` };
      offset += length;
      return band;
    });
    this.strip.band(bands);
    this.extents.replaceChildren(
      element('summary', {}, `Several writes have added to this file: ${grouped(bands.length)} ranges`),
      element('ol', {}, ...bands.slice(0, MOST_FINDINGS).map((band) => element('li', {}, `${band.name}: ${extent(band.offset, band.length)}, ${byteSize(band.length)}`))),
    );
  }

  /**
   * All batches as one group, whose place is known without any request.
   *
   * @returns {Group[]}
   */
  #whole() {
    const { source } = this;
    const before = present([source.schema, ...source.dictionaries]);
    const start = before.reduce((end, each) => Math.max(end, each.offset + each.length), 8);
    const end = source.end ?? (source.footer?.offset ?? source.bytes) - END_OF_STREAM_BYTES;
    return source.batches === 0 ? [] : [{ from: 0, count: source.batches, offset: start, length: Math.max(0, end - start) }];
  }

  /** Divides the groups of batches that are large in the picture. */
  async #divide(first = false) {
    const { from, to } = this.strip.window ?? { from: 0, to: this.source.bytes };
    /** @param {Group} group */
    const isLarge = (group) =>
      (group.count ?? 1) > 1 && !group.isDivided && Math.min(to, group.offset + group.length) - Math.max(from, group.offset) >= (to - from) * DIVIDED;
    const large = this.#groups.filter((group) => first || isLarge(group)).filter((group) => !group.isDivided);
    if (large.length === 0) {
      return;
    }
    for (const group of large) {
      group.isDivided = true;
      const { from: start = 0, count = 1 } = group;
      let made;
      try {
        made = count <= PAGE ? await this.source.extents(start, count) : await this.#boundaries(group);
      } catch (error) {
        group.isDivided = false;
        throw error;
      }
      this.#groups.splice(this.#groups.indexOf(group), 1, ...made);
    }
    this.#paint();
  }

  /**
   * Asks for the first batches of parts of a group.
   *
   * @param {Group} group
   */
  async #boundaries({ from = 0, count = 1, offset, length }) {
    const size = Math.ceil(count / GROUPS);
    const starts = Array.from({ length: Math.ceil(count / size) }, (_, i) => from + i * size);
    /** @type {Group[]} */
    const found = [];
    for (let i = 0; i < starts.length; i += MOST_REQUESTS) {
      const some = starts.slice(i, i + MOST_REQUESTS).map((start) => this.source.extents(start, 1));
      found.push(...(await Promise.all(some)).map(([each]) => each));
    }
    return found.map((each, i) => {
      const end = i + 1 < found.length ? found[i + 1].offset : offset + length;
      return { from: starts[i], count: Math.min(size, from + count - starts[i]), offset: each.offset, length: end - each.offset };
    });
  }

  #paint() {
    const { source } = this;
    /** @type {import('./file-map.js').Part[]} */
    const parts = [];
    if (source.schema) {
      parts.push({ kind: 'schema', label: 'Schema', ...place(source.schema), target: { kind: 'schema', index: 0 } });
    }
    source.dictionaries.forEach((each, index) =>
      parts.push({ kind: 'dictionary', label: `Dictionary ${grouped(index)}`, ...place(each), target: { kind: 'dictionary', index }, many: DICTIONARIES }),
    );
    for (const group of this.#groups) {
      parts.push(group.count === undefined ? this.#batch(group) : this.#group(group));
    }
    if (source.footer) {
      parts.push({ kind: 'footer', label: 'Footer', ...place(source.footer), target: { kind: 'footer', index: 0 } });
    }
    this.strip.set({ offset: 0, length: source.bytes, parts: filled(parts, source.bytes, source.restLabel) });
  }

  /** @param {Group} group */
  #batch({ index = 0, offset, length }) {
    return { kind: 'batch', label: `Record batch ${grouped(index)}`, offset, length, target: { kind: 'batch', index }, many: BATCHES };
  }

  /** @param {Group} group */
  #group({ from = 0, count = 1, offset, length }) {
    const label = count === 1 ? `Record batch ${grouped(from)}` : `Record batches ${grouped(from)} to ${grouped(from + count - 1)}`;
    return { kind: 'batch', label, count, offset, length, target: { kind: 'batch', index: from }, many: BATCHES };
  }

  // The messages in their order

  get #count() {
    const { schema, dictionaries, batches, footer } = this.source;
    return (schema ? 1 : 0) + dictionaries.length + batches + (footer ? 1 : 0);
  }

  /**
   * The position of a message among all, or -1.
   *
   * @param {Target} target
   */
  #position({ kind, index }) {
    const { schema, dictionaries, batches, footer } = this.source;
    const before = schema ? 1 : 0;
    /** @param {number} count */
    const isIn = (count) => Number.isInteger(index) && index >= 0 && index < count;
    switch (kind) {
      case 'schema':
        return schema ? 0 : -1;
      case 'dictionary':
        return isIn(dictionaries.length) ? before + index : -1;
      case 'batch':
        return isIn(batches) ? before + dictionaries.length + index : -1;
      case 'footer':
        return footer ? this.#count - 1 : -1;
      default:
        return -1;
    }
  }

  /**
   * @param {number} position
   * @returns {Target}
   */
  #targetAt(position) {
    const { schema, dictionaries, batches } = this.source;
    const index = position - (schema ? 1 : 0);
    if (index < 0) {
      return { kind: 'schema', index: 0 };
    }
    if (index < dictionaries.length) {
      return { kind: 'dictionary', index };
    }
    return index - dictionaries.length < batches ? { kind: 'batch', index: index - dictionaries.length } : { kind: 'footer', index: 0 };
  }

  /**
   * The message that has a byte.
   *
   * @param {number} offset
   * @returns {Promise<Target>}
   */
  async #targetOf(offset) {
    const { schema, dictionaries, footer } = this.source;
    /** @param {Place | null} each */
    const has = (each) => each !== null && offset >= each.offset && offset < each.offset + each.length;
    if (has(schema)) {
      return { kind: 'schema', index: 0 };
    }
    const dictionary = dictionaries.findIndex(has);
    if (dictionary >= 0) {
      return { kind: 'dictionary', index: dictionary };
    }
    const group = this.#groups.find(has);
    if (group) {
      return { kind: 'batch', index: group.index ?? group.from ?? 0 };
    }
    return footer ? { kind: 'footer', index: 0 } : this.#targetAt(0);
  }

  /** @param {Step} step */
  #move(step) {
    const position = this.#selected ? this.#position(this.#selected) : 0;
    const next = step === 'first' ? 0 : step === 'last' ? this.#count - 1 : position + step;
    this.#select(this.#targetAt(Math.min(Math.max(0, next), this.#count - 1)));
  }

  #steps() {
    /**
     * @param {string} label
     * @param {string} text
     * @param {Step} by
     */
    const step = (label, text, by) => element('button', { type: 'button', 'aria-label': label, onclick: () => this.#move(by) }, text);
    const number = element('input', { type: 'text', inputmode: 'numeric', size: 8, 'aria-label': 'Go to record batch', placeholder: 'Batch' });
    /** @param {Event} event */
    const go = (event) => {
      event.preventDefault();
      const index = /^[0-9][0-9,]*$/.test(number.value.trim()) ? Number(number.value.replaceAll(',', '')) : NaN;
      if (this.#position({ kind: 'batch', index }) < 0) {
        tell(`Expected a record batch from 0 to ${grouped(Math.max(0, this.source.batches - 1))} but found ${number.value}`);
        return;
      }
      this.#select({ kind: 'batch', index });
    };
    return [
      element('span', { class: 'steps', role: 'group', 'aria-label': 'Other messages' }, step('First message', '⇤', 'first'), step('Previous message', '←', -1), step('Next message', '→', 1), step('Last message', '⇥', 'last')),
      element('form', { onsubmit: go }, number),
    ];
  }

  // One message

  /**
   * @param {Target} target
   * @param {number | null} [buffer]
   */
  async #select(target, buffer = null) {
    const asked = ++this.#asked;
    this.#selected = target;
    this.message.setAttribute('aria-busy', 'true');
    await this.#attempt(async () => {
      const found = await this.#read(target);
      const more = target.kind === 'schema' || target.kind === 'footer' ? await this.source.facts(target.kind) : null;
      if (asked === this.#asked) {
        this.message.removeAttribute('aria-busy');
        this.#showMessage(target, found, more, buffer);
      }
    });
  }

  /**
   * @param {Target} target
   * @returns {Promise<MessageLayout>}
   */
  async #read({ kind, index }) {
    if (kind === 'schema' || kind === 'footer') {
      return /** @type {MessageLayout} */ (this.source[kind]);
    }
    const key = `${kind} ${index}`;
    let found = this.#kept.get(key);
    if (!found) {
      found = await this.source.message(kind, index);
      this.#kept.set(key, found);
      if (this.#kept.size > MOST_KEPT) {
        this.#kept.delete(this.#kept.keys().next().value ?? '');
      }
    }
    return found;
  }

  /**
   * Changes the URL, unless it names another view by now.
   *
   * @param {import('../lib/url-state.js').Values} changes
   */
  #keep(changes) {
    const { view } = readState();
    if (view === this.view || view === '') {
      replaceState(changes, this.view);
    }
  }

  /**
   * Does something, and shows its failure with another attempt.
   *
   * @param {() => Promise<void>} action
   */
  async #attempt(action) {
    try {
      await action();
      this.problem.replaceChildren();
    } catch (error) {
      this.problem.replaceChildren(error instanceof Malformed ? plainFailure(error) : failure(error, () => this.#attempt(action)));
    }
  }

  /**
   * @param {Target} target
   * @param {MessageLayout} found
   * @param {Node | null} more
   * @param {number | null} chosen
   */
  #showMessage(target, found, more, chosen) {
    const { kind, index } = target;
    const isBatch = kind === 'batch' || kind === 'dictionary';
    const length = isBatch ? found.metaDataLength + found.bodyLength : found.length;
    const label = isBatch ? `${NAMES[kind]} ${grouped(index)}` : NAMES[kind];
    this.title.textContent = label;
    this.strip.select({ kind, label, offset: found.offset, length }, this.#position(target), this.#count);
    this.line.show(this.source.command(found.offset, length));
    this.facts.replaceChildren(...facts(found, length).flatMap(([name, value]) => [element('div', {}, element('dt', {}, name), element('dd', {}, value))]));
    this.more.replaceChildren(...present([more, found.problem ? element('p', { class: 'failure' }, found.problem) : null]));
    this.#buffers = isBatch ? buffersOf(found) : [];
    this.inner.element.hidden = !isBatch;
    this.table.element.hidden = !isBatch || (found.fields ?? []).length === 0;
    if (isBatch) {
      this.inner.set({ offset: found.offset, length, parts: partsOf(found, this.#buffers) });
      this.table.set(found, this.#buffers);
    }
    this.#keep({ message: isBatch ? `${kind}-${index}` : kind, buffer: null });
    this.#choose(chosen === null ? null : (this.#buffers[chosen] ?? null));
  }

  /**
   * Shows a buffer, or with null that none is chosen.
   *
   * @param {PlacedBuffer | null} buffer
   */
  async #choose(buffer) {
    this.table.select(buffer);
    this.inner.select(buffer ? { offset: buffer.offset, length: buffer.length, kind: '', label: `${visible(buffer.path)}, ${role(buffer)}` } : null, buffer ? buffer.number + 1 : 0, this.#buffers.length + 1);
    this.chosen.hidden = !buffer;
    if (!buffer) {
      this.#keep({ buffer: null });
      return;
    }
    this.#keep({ buffer: buffer.number });
    const line = command();
    const bytes = element('pre', { class: 'bytes', role: 'group', tabindex: 0, 'aria-label': 'First bytes' });
    this.chosen.replaceChildren(
      element('h3', {}, isolated(visible(buffer.path === '' ? '(no name)' : buffer.path)), ` · ${role(buffer)}`),
      element('p', {}, `${extent(buffer.offset, buffer.length)}, ${byteSize(buffer.length)}`),
      ...(buffer.length > 0 ? [line.element, bytes] : []),
    );
    if (buffer.length === 0) {
      return;
    }
    line.show(this.source.command(buffer.offset, buffer.length));
    try {
      const read = await this.source.read(buffer.offset, Math.min(READ_BYTES, buffer.length));
      bytes.textContent = dump(read, buffer.offset) + (buffer.length > READ_BYTES ? `\n… and ${grouped(buffer.length - READ_BYTES)} more bytes` : '');
    } catch (error) {
      bytes.replaceWith(failure(error, () => this.#choose(buffer)));
    }
  }

  /** @param {Step} step */
  #moveBuffer(step) {
    const buffers = this.#buffers;
    const present = this.table.selected?.number ?? -1;
    const next = step === 'first' ? 0 : step === 'last' ? buffers.length - 1 : present + step;
    this.#choose(next < 0 ? null : buffers[Math.min(next, buffers.length - 1)]);
  }
}

/**
 * Returns the detail of an event of a picture.
 *
 * @param {Event} event
 */
const detailOf = (event) => /** @type {CustomEvent} */ (event).detail;
