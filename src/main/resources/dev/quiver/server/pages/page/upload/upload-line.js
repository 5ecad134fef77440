// A file that is uploaded, as a line of the page: its name, what it holds, how far it is, and what can be done with it.
// @ts-check

import { byteSize, counted, element, isolated, visible } from '../lib/elements.js';
import { tokenForm } from '../lib/failure.js';
import { load } from '../lib/modules.js';
import { Problem, datasetPath } from '../lib/requests.js';

const MOST_COLUMNS = 100;

/** The sentences about uploads for screen readers. */
const said = element('div', { class: 'unseen', role: 'status' });
document.body.append(said);

/** The line of a file. */
export class UploadLine {
  #control = new AbortController();
  /**
   * The state that screen readers were told of last.
   *
   * @type {string | null}
   */
  #said = null;

  /**
   * @param {import('./upload-client.js').Upload} upload
   * @param {object} [options]
   * @param {boolean} [options.previews] whether it shows what the file holds
   */
  constructor(upload, { previews = true } = {}) {
    this.upload = upload;
    const { file } = upload;
    this.name = element('input', { type: 'text', value: upload.name, size: 24, spellcheck: 'false', 'aria-label': `Name of the dataset for ${file.name}` });
    this.name.addEventListener('input', () => (upload.name = this.name.value.trim()));
    /** @param {Event} event */
    const start = (event) => {
      event.preventDefault();
      upload.start();
    };
    this.into = element('form', { onsubmit: start }, element('span', { 'aria-hidden': 'true' }, '→ '), this.name);
    this.progress = element('progress', { max: Math.max(1, file.size), value: 0, 'aria-label': `Progress of ${file.name}` });
    this.text = element('span', { class: 'text' });
    this.buttons = element('span', { class: 'buttons' });
    this.preview = element('details', { class: 'preview', hidden: true });
    this.element = element(
      'li',
      {},
      element('div', { class: 'line' }, isolated(visible(file.name)), ' ', this.into, ' ', this.progress, ' ', this.text, ' ', this.buttons),
      this.preview,
    );
    upload.addEventListener('changed', () => this.#update());
    this.#update();
    if (previews && !upload.isBegun) {
      this.#look();
    }
  }

  #update() {
    const { state, sentBytes } = this.upload;
    this.progress.value = sentBytes;
    this.progress.hidden = !['sending', 'paused', 'storing'].includes(state);
    // Under another name, a file that was refused may be stored.
    this.into.hidden = !['waiting', 'failed', 'exists'].includes(state);
    if (state !== 'waiting') {
      this.#control.abort();
      this.preview.hidden ||= state === 'stored';
    }
    this.text.replaceChildren(...told(this.upload));
    this.#say(state);
    this.#offer();
  }

  /**
   * Tells screen readers of another state, but not of each part that was sent.
   *
   * @param {import('./upload-client.js').Upload['state']} state
   */
  #say(state) {
    if (state !== this.#said) {
      this.#said = state;
      said.textContent = `${visible(this.upload.file.name)}: ${state === 'sending' ? 'uploading' : this.text.textContent}`;
    }
  }

  /** Shows the columns that the service would read, before anything is stored. */
  async #look() {
    try {
      const { preview } = await load('upload/file-preview.js');
      this.preview.replaceChildren(...described(await preview(this.upload.file, { signal: this.#control.signal })));
    } catch (error) {
      if (this.#control.signal.aborted) {
        return;
      }
      // The upload may still succeed: a preview sees less than it.
      this.preview.replaceChildren(element('summary', {}, 'No preview'), element('p', {}, /** @type {Error} */ (error).message));
    }
    this.preview.hidden = false;
  }

  #offer() {
    const { upload } = this;
    const dismiss = () => this.element.remove();
    /** @type {Record<string, [string, () => unknown][]>} */
    const all = {
      waiting: [['Upload', () => upload.start()], ['Cancel', () => upload.cancel()]],
      sending: [['Pause', () => upload.pause()], ['Cancel', () => upload.cancel()]],
      paused: [['Go on', () => upload.start()], ['Cancel', () => upload.cancel()]],
      storing: [],
      stored: [],
      exists: [
        ['Replace it', () => upload.start('replace')],
        ['Append to it', () => upload.start('append')],
        ['Cancel', () => upload.cancel()],
      ],
      failed: [['Try again', () => upload.start()], ['Dismiss', dismiss]],
      canceled: [['Dismiss', dismiss]],
    };
    const offers = all[upload.state];
    const wanted = offers.map(([label]) => label).join();
    if (this.buttons.dataset.labels !== wanted) {
      this.buttons.dataset.labels = wanted;
      const hadFocus = this.element.contains(document.activeElement);
      this.buttons.replaceChildren(
        ...offers.map(([label, action]) =>
          element('button', { type: 'button', class: label === 'Upload' ? 'primary' : null, onclick: action }, label),
        ),
      );
      if (hadFocus && !this.element.contains(document.activeElement)) {
        this.buttons.querySelector('button')?.focus();
      }
    }
  }
}

/**
 * The state of an upload as text.
 *
 * @param {import('./upload-client.js').Upload} upload
 */
function told(upload) {
  const size = byteSize(upload.file.size);
  switch (upload.state) {
    case 'waiting':
      return [size];
    case 'sending': {
      const speed = upload.bytesPerSecond;
      return [`${byteSize(upload.sentBytes)} of ${size}${speed ? `, ${byteSize(speed)}/s` : ''}`];
    }
    case 'paused':
      return [`paused at ${byteSize(upload.sentBytes)} of ${size}`];
    case 'storing':
      return ['Storing…'];
    case 'stored':
      return [
        element('a', { href: datasetPath(upload.version.name) }, isolated(visible(upload.version.name))),
        `: ${counted(upload.version.rows, 'row')}`,
      ];
    case 'exists':
      return ['A dataset of this name exists.'];
    case 'failed':
      return upload.failure instanceof Problem && upload.failure.status === 401 ? [tokenForm(() => upload.start())] : [upload.failure?.message ?? ''];
    default:
      return [upload.state];
  }
}

/**
 * Returns a preview as a summary and a table of the first rows.
 *
 * @param {import('./file-preview.js').Preview} preview
 */
function described({ format, columns, rows, isSample }) {
  const shown = columns.slice(0, MOST_COLUMNS);
  const heads = shown.map(({ name, type }) => element('th', { scope: 'col' }, isolated(visible(name)), element('small', {}, type)));
  /** @param {import('../grid/arrow-values.js').CellText[]} cells */
  const line = (cells) =>
    element('tr', {}, ...cells.slice(0, MOST_COLUMNS).map(({ text, kind }) => element('td', { class: kind }, isolated(text))));
  return [
    element('summary', {}, `${format}: ${counted(columns.length, 'column')}${isSample ? '; types from its first megabyte' : ''}`),
    element(
      'div',
      { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'First rows' },
      element('table', { class: 'rows' }, element('thead', {}, element('tr', {}, ...heads)), element('tbody', {}, ...rows.map(line))),
    ),
  ];
}
