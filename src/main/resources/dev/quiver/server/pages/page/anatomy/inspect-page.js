// The page that looks at a local file before it is stored, if it is.

import '../lib/colours.js';
import { byteSize, counted, element, grouped, isolated, visible } from '../lib/elements.js';
import { failure } from '../lib/failure.js';
import { load, stylesheet } from '../lib/modules.js';
import { Problem, Unreachable, authorization } from '../lib/requests.js';
import { fragment, readState, whenStateChanged } from '../lib/url-state.js';

const VIEW = 'file';
const ARROW = ['file', 'stream'];
const ARROW_SUFFIX = /\.(arrows?|ipc)$/i;

/** Shows the page. */
function show(page) {
  const inspection = new Inspection(page.dataset.writable !== undefined);
  const help = element('details', { class: 'help' }, element('summary', {}, 'Without a browser'), ...page.childNodes);
  page.replaceChildren(inspection.element, help);
  document.body.classList.add('app');
}

class Inspection {
  #number = 0;
  #request = null;

  constructor(isWritable) {
    this.isWritable = isWritable;
    this.input = element('input', { type: 'file', id: 'file', onchange: () => this.input.files[0] && this.open(this.input.files[0]) });
    this.host = element('section', { 'aria-label': 'The file' });
    this.element = element(
      'div',
      {},
      element(
        'section',
        { class: 'drop', 'aria-label': 'Choose a file' },
        element('label', { for: 'file' }, 'Drop a file here, or ', element('u', {}, 'choose one')),
        this.input,
        element('p', {}, 'Arrow, CSV, TSV, JSON, JSON lines, Parquet. An Arrow file is read here, in the browser; of others, a sample is sent to the service.'),
      ),
      this.host,
    );
    addEventListener('dragover', (event) => event.preventDefault());
    addEventListener('drop', (event) => {
      event.preventDefault();
      const [file] = event.dataTransfer.files;
      if (file) {
        this.open(file);
      }
    });
    whenStateChanged(() => readState().view === VIEW && this.anatomy?.show(readState().values));
  }

  /** Shows what a file is. */
  async open(file) {
    const number = ++this.#number;
    this.#request?.abort();
    this.anatomy = null;
    this.file = file;
    this.actions = element('div', { class: 'bar' });
    this.report = element('div', { role: 'status' });
    this.content = element('div', { 'aria-busy': 'true' }, element('p', { class: 'count' }, 'Reading…'));
    this.host.replaceChildren(
      element('h2', {}, isolated(visible(file.name)), ' ', element('small', {}, byteSize(file.size))),
      this.actions,
      this.report,
      this.content,
    );
    try {
      const { Bytes, formatOf } = await load('anatomy/ipc.js');
      const found = await formatOf(new Bytes(file));
      // A damaged stream is told as one.
      const format = found ?? (ARROW_SUFFIX.test(file.name) ? 'stream' : null);
      const content = element('div');
      const shown = ARROW.includes(format) ? await this.#openArrow(content) : await this.#openOther(format, content);
      if (number === this.#number) {
        this.content.replaceWith(content);
        await shown?.();
      }
    } catch (error) {
      if (number === this.#number) {
        this.content.replaceChildren(failed(error, () => this.open(file)));
        this.content.removeAttribute('aria-busy');
      }
    }
  }

  // Arrow data

  async #openArrow(content) {
    const [{ Anatomy, STYLES }, { LocalFile }] = await Promise.all([load('anatomy/anatomy.js'), load('anatomy/local-file.js')]);
    await stylesheet(STYLES);
    const source = await LocalFile.open(this.file);
    return async () => {
      this.#offer(element('button', { type: 'button', onclick: () => this.#inspect(source) }, 'Inspect thoroughly'));
      history.replaceState(null, '', fragment(VIEW));
      this.anatomy = new Anatomy(content, source, VIEW);
      this.anatomy.find(source.findings);
      await this.anatomy.show(new Map());
      this.#offerMore(content, source);
    };
  }

  /** Offers to walk on in a stream with many messages. */
  #offerMore(content, source) {
    if (!source.hasMore) {
      return;
    }
    const button = element('button', { type: 'button' }, 'Read more messages');
    const line = element('p', {}, `The first ${grouped(source.batches + source.dictionaries.length)} messages are shown. `, button);
    button.addEventListener('click', async () => {
      button.disabled = true;
      await source.walkOn();
      line.remove();
      this.anatomy.find(source.findings);
      await this.anatomy.grow();
      this.#offerMore(content, source);
    });
    content.prepend(line);
  }

  /** Lets the service check all bytes, and marks what it finds. */
  async #inspect(source) {
    const progress = element('progress', { max: Math.max(1, this.file.size), value: 0, 'aria-label': 'Progress' });
    const text = element('span', {}, 'Sending…');
    const { anatomy } = this;
    this.#request?.abort();
    const request = new XMLHttpRequest();
    this.#request = request;
    this.report.replaceChildren(progress, ' ', text, ' ', element('button', { type: 'button', onclick: () => request.abort() }, 'Cancel'));
    request.upload.onprogress = ({ loaded }) => {
      progress.value = loaded;
      text.textContent = `${byteSize(loaded)} of ${byteSize(this.file.size)}`;
    };
    request.upload.onload = () => (text.textContent = 'Checking…');
    try {
      const report = await posted(request, this.file);
      if (report) {
        this.#tell(report);
        const found = report.findings.map(({ severity, sentence, byteOffset }) => ({ severity, text: sentence, offset: byteOffset }));
        anatomy.find(merged(source.findings, found));
      } else {
        this.report.replaceChildren();
      }
    } catch (error) {
      this.report.replaceChildren(failure(error, () => this.#inspect(source)));
    }
  }

  #tell({ summary }) {
    const verdict = summary.acceptable ? 'An upload of it would be accepted.' : 'An upload of it would not be accepted.';
    const parts = [`${counted(summary.messages, 'message')} with ${counted(summary.rows, 'row')}`, counted(summary.errors, 'error'), counted(summary.warnings, 'warning'), counted(summary.notes, 'note')];
    this.report.replaceChildren(element('p', {}, `${parts.join(', ')}. ${verdict} Nothing was stored.`));
  }

  // Other formats

  async #openOther(format, content) {
    if (format === 'feather') {
      throw new Problem(0, { detail: 'Expected an Arrow file but found a Feather file of version 1 at byte 0: read it with an old pandas, and write it again' });
    }
    const { preview } = await load('upload/file-preview.js');
    const found = await preview(this.file);
    return async () => {
      content.replaceChildren(...previewed(found));
      this.#offer();
    };
  }

  // The upload

  #offer(...others) {
    const upload = element('button', { type: 'button', onclick: () => this.#upload() }, 'Upload this');
    this.actions.replaceChildren(...others, ...(this.isWritable ? [upload] : []));
  }

  /** Goes on as on the page with the list: under a name that the user may change. */
  async #upload() {
    const [{ Upload }, { UploadLine }] = await Promise.all([load('upload/upload-client.js'), load('upload/drop-zone.js')]);
    const { element: line } = new UploadLine(new Upload(this.file), { previews: false });
    this.actions.replaceChildren(element('ul', { class: 'uploads' }, line));
    line.querySelector('button.primary')?.focus();
  }
}

/** Posts a file, and returns the report, or null if the user ended the request. */
function posted(request, file) {
  return new Promise((resolve, reject) => {
    request.open('POST', '/inspect');
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

/** The findings of the browser, and those of the service, which says more about the same byte. */
function merged(own, found) {
  const offsets = new Set(found.map(({ offset }) => offset));
  return [...own.filter(({ offset }) => !offsets.has(offset)), ...found];
}

/** The columns and first rows of a file as tables. */
function previewed({ format, columns, rows, isSample }) {
  const source = isSample ? 'Types are inferred from the first megabyte; an upload reads all of it.' : 'Types are those that an upload gives.';
  const head = element('tr', {}, ...columns.map(({ name, type, nullable }, i) =>
    element('th', { scope: 'col', class: rows[0]?.[i].kind === 'number' ? 'number' : null }, isolated(name === '' ? '(no name)' : visible(name)), element('small', {}, visible(type), nullable ? '' : ', not null'))));
  const body = rows.map((row) => element('tr', {}, ...row.map(({ text, kind }) => element('td', { class: kind }, isolated(text)))));
  return [
    element('p', {}, `${format}: ${counted(columns.length, 'column')}. ${source}`),
    element(
      'div',
      { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'First rows' },
      element('table', { class: 'rows' }, element('thead', {}, head), element('tbody', {}, ...body)),
    ),
    rows.length === 0 ? element('p', { class: 'empty' }, 'No rows') : element('p', {}, element('small', {}, `The first ${grouped(rows.length)} rows`)),
  ];
}

/** A failure of the service, or a sentence about the file. */
function failed(error, retry) {
  return error.name === 'Malformed' || (error instanceof Problem && error.status === 0)
    ? element('div', { class: 'failure', role: 'alert' }, element('p', {}, error.message))
    : failure(error, retry);
}

show(document.querySelector('main'));
