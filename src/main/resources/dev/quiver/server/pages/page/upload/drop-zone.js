// The drop zone of the list: files that are dropped or chosen, each with a line of its own.
// @ts-check

import { button, element, tell } from '../lib/elements.js';
import { icon } from '../lib/icons.js';
import { load } from '../lib/modules.js';
import { Upload } from './upload-client.js';
import { UploadLine } from './upload-line.js';

/**
 * The uses of a dataset.
 *
 * @type {[import('../lib/icons.js').IconName, string, string][]}
 */
const TOUR = [
  ['dataset', 'See it', 'Scroll, search, filter and sort any number of rows.'],
  ['bars', 'Draw it', 'Lines, bars and maps of the rows you see.'],
  ['terminal', 'Ask it', 'SQL over all datasets, joined and saved.'],
  ['share', 'Share it', 'Every view is a link, for colleagues, Excel and Python.'],
];

/** The part of the page where files are dropped. It dispatches `stored` whenever a file has become a version. */
export class DropZone extends EventTarget {
  /** @type {Set<Upload>} */
  #waiting = new Set();

  /** @param {boolean} writable */
  constructor(writable) {
    super();
    this.lines = element('ul', { class: 'uploads' });
    this.example = element(
      'p',
      { class: 'example', hidden: true },
      'No file at hand? ',
      button('Try an example', () => this.#tryExample(), { class: 'primary' }),
    );
    this.tour = element(
      'ul',
      { class: 'tour', hidden: true },
      ...TOUR.map(([name, title, text]) => element('li', {}, icon(name), element('b', {}, title), ' ', text)),
    );
    this.all = element('button', { type: 'button', class: 'primary', hidden: true, onclick: () => this.#startAll() });
    const input = element('input', {
      type: 'file',
      multiple: true,
      id: 'files',
      onchange: () => {
        this.#add([...(input.files ?? [])]);
        // The same file may be chosen again.
        input.value = '';
      },
    });
    this.element = element(
      'section',
      { class: 'drop', hidden: !writable, 'aria-label': 'Upload' },
      element('label', { for: 'files' }, icon('upload'), element('span', {}, 'Drop files here, or ', element('u', {}, 'choose some'))),
      input,
      element('p', { class: 'formats' }, 'CSV, TSV, Excel, JSON, JSON lines, Parquet, Arrow'),
      this.example,
      this.tour,
      // The previews of many files have no end in sight.
      this.all,
      this.lines,
    );
    if (writable) {
      addEventListener('dragover', (event) => event.preventDefault());
      addEventListener('drop', (event) => {
        event.preventDefault();
        this.#add([...(event.dataTransfer?.files ?? [])]);
      });
    }
  }

  /**
   * Offers an example, and more room, where nothing is stored yet.
   *
   * @param {boolean} isFirst
   */
  set isFirst(isFirst) {
    // Files that are here already need no example.
    const isOffered = isFirst && this.lines.childElementCount === 0;
    this.element.classList.toggle('first', isOffered);
    this.example.hidden = !isOffered;
    this.tour.hidden = !isOffered;
  }

  /** Stores an example, whose rows then open. */
  async #tryExample() {
    try {
      const { exampleFile } = await load('upload/example-file.js');
      this.#add([exampleFile()]);
      await this.#startAll();
    } catch {
      tell('A part of this page cannot be loaded. Try again.');
    }
  }

  /** @param {Iterable<File>} files */
  #add(files) {
    for (const file of files) {
      const upload = new Upload(file);
      this.#waiting.add(upload);
      // One file alone opens.
      const line = new UploadLine(upload, { opens: () => this.lines.childElementCount === 1 });
      this.lines.append(line.element);
      upload.addEventListener('changed', () => this.#changed(upload));
      if (upload.isBegun) {
        upload.start();
      }
    }
    this.#count();
    this.isFirst = false;
    const last = /** @type {HTMLElement | null} */ (this.lines.querySelector(':scope > li:last-child button.primary'));
    (this.all.hidden ? last : this.all)?.focus();
  }

  /** @param {import('./upload-client.js').Upload} upload */
  #changed(upload) {
    if (upload.state !== 'waiting') {
      this.#waiting.delete(upload);
      this.#count();
    }
    if (upload.state === 'stored') {
      this.dispatchEvent(new Event('stored'));
    }
  }

  #count() {
    this.all.hidden = this.#waiting.size < 2;
    this.all.textContent = `Upload all ${this.#waiting.size}`;
  }

  /** Sends files one after another. */
  async #startAll() {
    for (const upload of [...this.#waiting]) {
      if (upload.state === 'waiting') {
        await upload.start();
      }
    }
  }
}
