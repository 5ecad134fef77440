// The page that looks at a local file before it is stored, if it is.
// @ts-check

import '../lib/colours.js';
import { button, byteSize, counted, element, grouped, isolated, tell, visible } from '../lib/elements.js';
import { failure, plainFailure } from '../lib/failure.js';
import { icon } from '../lib/icons.js';
import { load, stylesheet } from '../lib/modules.js';
import { Problem, Unreachable, authorization, base } from '../lib/requests.js';
import { fragment, readState, whenStateChanged } from '../lib/url-state.js';
import { Bytes, Malformed, formatOf } from './ipc.js';

/** @typedef {import('./anatomy.js').Anatomy} Anatomy */
/** @typedef {import('./file-map.js').Mark} Finding */
/** @typedef {import('./local-file.js').LocalFile} LocalFile */

const VIEW = 'file';
const ARROW = ['file', 'stream'];
const ARROW_SUFFIX = /\.(arrows?|feather|ipc)$/i;

/**
 * Shows the page.
 *
 * @param {HTMLElement} page
 */
function show(page) {
  const inspection = new Inspection(page.dataset.writable !== undefined);
  const help = element('details', { class: 'help' }, element('summary', {}, 'Without a browser'), ...page.childNodes);
  page.replaceChildren(inspection.element, help);
  document.body.classList.add('app');
}

class Inspection {
  #number = 0;
  /** @type {XMLHttpRequest | null} */
  #request = null;
  /** @type {Anatomy | null} */
  #anatomy = null;
  /** @type {import('../upload/preview-form.js').PreviewForm | null} */
  #form = null;
  #actions = element('div', { class: 'bar' });
  #report = element('div', { role: 'status' });

  /** @param {boolean} isWritable */
  constructor(isWritable) {
    this.isWritable = isWritable;
    this.input = element('input', { type: 'file', id: 'file', onchange: () => this.#openFirst(this.input.files) });
    this.host = element('section', { 'aria-label': 'The file' });
    this.example = element('p', { class: 'example' }, 'No file at hand? ', button('Try an example', () => this.#tryExample(), { class: 'primary' }));
    this.zone = element(
      'section',
      { class: 'drop first', 'aria-label': 'Choose a file' },
      element('label', { for: 'file' }, icon('file'), element('span', {}, 'Drop a file here, or ', element('u', {}, 'choose one'))),
      this.input,
      this.example,
      element('p', { class: 'formats' }, 'Arrow, CSV, TSV, Excel, JSON, JSON lines, Parquet. An Arrow file is read here, in the browser; of text, the first megabyte is sent to the service, and all of a workbook, a Parquet file or an archive.'),
    );
    this.element = element('div', {}, this.zone, this.host);
    addEventListener('dragover', (event) => event.preventDefault());
    addEventListener('drop', (event) => {
      event.preventDefault();
      this.#openFirst(event.dataTransfer?.files);
    });
    whenStateChanged(() => readState().view === VIEW && this.#anatomy?.show(readState().values));
  }

  /** @param {FileList | null | undefined} files */
  #openFirst(files) {
    const file = files?.[0];
    if (file) {
      this.open(file);
    }
  }

  /** Opens a file that the page makes. */
  async #tryExample() {
    try {
      const { exampleFile } = await load('upload/example-file.js');
      await this.open(exampleFile());
    } catch {
      tell('A part of this page cannot be loaded. Try again.');
    }
  }

  /**
   * Shows what a file is.
   *
   * @param {File} file
   */
  async open(file) {
    const number = ++this.#number;
    this.zone.classList.remove('first');
    this.example.hidden = true;
    this.#request?.abort();
    this.#anatomy = null;
    this.#form?.end();
    this.#form = null;
    this.#actions = element('div', { class: 'bar' });
    this.#report = element('div', { role: 'status' });
    const waiting = element('div', { 'aria-busy': 'true' }, element('p', { class: 'count' }, 'Reading…'));
    this.host.replaceChildren(
      element('h2', {}, isolated(visible(file.name)), ' ', element('small', {}, byteSize(file.size))),
      this.#actions,
      this.#report,
      waiting,
    );
    try {
      const found = await formatOf(new Bytes(file));
      // A damaged stream is told as one.
      const format = found ?? (ARROW_SUFFIX.test(file.name) ? 'stream' : null);
      const content = element('div');
      const shown = ARROW.includes(format ?? '') ? await this.#openArrow(file, content) : await this.#openOther(file, format, content);
      if (number === this.#number) {
        waiting.replaceWith(content);
        await shown?.();
      }
    } catch (error) {
      if (number === this.#number) {
        waiting.replaceChildren(failed(error, () => this.open(file)));
        waiting.removeAttribute('aria-busy');
      }
    }
  }

  // Arrow data

  /**
   * @param {File} file
   * @param {HTMLElement} content
   */
  async #openArrow(file, content) {
    const [{ Anatomy, STYLES }, { LocalFile }] = await Promise.all([load('anatomy/anatomy.js'), load('anatomy/local-file.js')]);
    await stylesheet(STYLES);
    const source = await LocalFile.open(file);
    return async () => {
      history.replaceState(null, '', fragment(VIEW));
      const anatomy = new Anatomy(content, source, VIEW);
      this.#anatomy = anatomy;
      this.#offer(file, element('button', { type: 'button', onclick: () => this.#inspect(file, source, anatomy) }, 'Inspect thoroughly'));
      anatomy.find(source.findings);
      await anatomy.show(new Map());
      this.#offerMore(content, source, anatomy);
    };
  }

  /**
   * Offers to walk on in a stream with many messages.
   *
   * @param {HTMLElement} content
   * @param {LocalFile} source
   * @param {Anatomy} anatomy
   */
  #offerMore(content, source, anatomy) {
    if (!source.hasMore) {
      return;
    }
    const button = element('button', { type: 'button' }, 'Read more messages');
    const line = element('p', {}, `The first ${grouped(source.batches + source.dictionaries.length)} messages are shown. `, button);
    button.addEventListener('click', async () => {
      button.disabled = true;
      await source.walkOn();
      line.remove();
      anatomy.find(source.findings);
      await anatomy.grow();
      this.#offerMore(content, source, anatomy);
    });
    content.prepend(line);
  }

  /**
   * Lets the service check all bytes, and marks what it finds.
   *
   * @param {File} file
   * @param {LocalFile} source
   * @param {Anatomy} anatomy
   */
  async #inspect(file, source, anatomy) {
    const progress = element('progress', { max: Math.max(1, file.size), value: 0, 'aria-label': 'Progress' });
    const text = element('span', {}, 'Sending…');
    this.#request?.abort();
    const request = new XMLHttpRequest();
    this.#request = request;
    this.#report.replaceChildren(progress, ' ', text, ' ', element('button', { type: 'button', onclick: () => request.abort() }, 'Cancel'));
    request.upload.onprogress = ({ loaded }) => {
      progress.value = loaded;
      text.textContent = `${byteSize(loaded)} of ${byteSize(file.size)}`;
    };
    request.upload.onload = () => (text.textContent = 'Checking…');
    try {
      const report = await posted(request, file);
      if (report) {
        this.#tell(report);
        const found = report.findings.map((/** @type {any} */ { severity, sentence, byteOffset }) => ({ severity, text: sentence, offset: byteOffset }));
        anatomy.find(merged(source.findings, found));
      } else {
        this.#report.replaceChildren();
      }
    } catch (error) {
      this.#report.replaceChildren(failure(error, () => this.#inspect(file, source, anatomy)));
    }
  }

  /** @param {any} report */
  #tell({ summary }) {
    const verdict = summary.acceptable ? 'An upload of it would be accepted.' : 'An upload of it would not be accepted.';
    const parts = [`${counted(summary.messages, 'message')} with ${counted(summary.rows, 'row')}`, counted(summary.errors, 'error'), counted(summary.warnings, 'warning'), counted(summary.notes, 'note')];
    this.#report.replaceChildren(element('p', {}, `${parts.join(', ')}. ${verdict} Nothing was stored.`));
  }

  // Other formats

  /**
   * @param {File} file
   * @param {string | null} format
   * @param {HTMLElement} content
   */
  async #openOther(file, format, content) {
    if (format === 'feather') {
      throw new Problem(0, { detail: 'Expected an Arrow file but found a Feather file of version 1 at byte 0: read it with an old pandas, and write it again' });
    }
    const { PreviewForm } = await load('upload/preview-form.js');
    const form = new PreviewForm(file);
    const summary = element('p');
    form.addEventListener('changed', () => (summary.textContent = `${form.summary}. Nothing was stored.`));
    await form.look();
    return async () => {
      content.replaceChildren(summary, form.element);
      if (!form.isRefused) {
        this.#form = form;
        this.#offer(file);
      }
    };
  }

  // The upload

  /**
   * @param {File} file
   * @param {...Node} others
   */
  #offer(file, ...others) {
    const upload = element('button', { type: 'button', onclick: () => this.#upload(file) }, 'Upload this');
    this.#actions.replaceChildren(...others, ...(this.isWritable ? [upload] : []));
  }

  /**
   * Goes on as on the page with the list: under a name that the user may change.
   *
   * @param {File} file
   */
  async #upload(file) {
    const [{ Upload }, { UploadLine }] = await Promise.all([load('upload/upload-client.js'), load('upload/upload-line.js')]);
    const { element: line } = new UploadLine(new Upload(file), { form: this.#form });
    this.#actions.replaceChildren(element('ul', { class: 'uploads' }, line));
    /** @type {HTMLElement | null} */ (line.querySelector('button.primary'))?.focus();
  }
}

/**
 * Posts a file, and returns the report, or null if the user ended the request.
 *
 * @param {XMLHttpRequest} request
 * @param {File} file
 * @returns {Promise<any>}
 */
function posted(request, file) {
  return new Promise((resolve, reject) => {
    request.open('POST', `${base}/inspect`);
    Object.entries({ ...authorization(), 'Content-Type': 'application/octet-stream' }).forEach(([name, value]) => request.setRequestHeader(name, value));
    request.onabort = () => resolve(null);
    request.onerror = () => reject(new Unreachable());
    request.onload = () => {
      let document = null;
      try {
        document = JSON.parse(request.responseText);
      } catch {
        // A failure before the service has no document.
      }
      if (request.status === 200 && document) {
        resolve(document);
      } else {
        reject(new Problem(request.status, document, Number(request.getResponseHeader('Retry-After')) || null));
      }
    };
    request.send(file);
  });
}

/**
 * The findings of the browser, and those of the service, which says more about the same byte.
 *
 * @param {Finding[]} own
 * @param {Finding[]} found
 */
function merged(own, found) {
  const offsets = new Set(found.map(({ offset }) => offset));
  return [...own.filter(({ offset }) => !offsets.has(offset)), ...found];
}

/**
 * A failure of the service, or a sentence about the file.
 *
 * @param {unknown} error
 * @param {() => unknown} retry
 */
function failed(error, retry) {
  return error instanceof Malformed || (error instanceof Problem && error.status === 0) ? plainFailure(error) : failure(error, retry);
}

await stylesheet('upload/uploads.css').catch(() => null);
show(/** @type {HTMLElement} */ (document.querySelector('main')));
