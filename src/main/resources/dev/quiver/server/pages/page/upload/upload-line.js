// A file that is uploaded, as a line of the page: its name, what it holds, how far it is, and what can be done with it.
// @ts-check

import { byteSize, counted, element, isolated, visible } from '../lib/elements.js';
import { sentences, tokenForm } from '../lib/failure.js';
import { load } from '../lib/modules.js';
import { Problem, datasetPath } from '../lib/requests.js';

/** The most warnings, and rows that were left out, that a line shows. */
const MOST_NOTES = 10;

/** The sentences about uploads for screen readers. */
const said = element('div', { class: 'unseen', role: 'status' });
document.body.append(said);

/** The line of a file. */
export class UploadLine {
  /** @type {import('./preview-form.js').PreviewForm | null} */
  #form = null;
  /**
   * The state that screen readers were told of last.
   *
   * @type {string | null}
   */
  #said = null;

  /**
   * @param {import('./upload-client.js').Upload} upload
   * @param {object} [options]
   * @param {import('./preview-form.js').PreviewForm | null} [options.form] what the file holds, if it is shown already
   * @param {() => boolean} [options.opens] whether the page goes to the rows once they are stored
   */
  constructor(upload, { form = null, opens = () => true } = {}) {
    this.upload = upload;
    this.opens = opens;
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
    this.summary = element('summary', {}, 'Reading…');
    this.preview = element('details', { class: 'preview', open: true, hidden: true }, this.summary);
    this.notes = element('ul', { class: 'notes' });
    this.element = element(
      'li',
      {},
      element('div', { class: 'line' }, isolated(visible(file.name)), ' ', this.into, ' ', this.progress, ' ', this.text, ' ', this.buttons),
      this.notes,
      this.preview,
    );
    upload.addEventListener('changed', () => this.#update());
    if (form) {
      this.#follow(form);
    } else if (!upload.isBegun) {
      this.#look();
    }
    this.#update();
  }

  #update() {
    const { state, sentBytes } = this.upload;
    this.progress.value = sentBytes;
    this.progress.hidden = !['sending', 'paused', 'storing'].includes(state);
    this.#fit();
    if (state === 'stored') {
      this.#stored();
    }
    this.text.replaceChildren(...told(this.upload));
    this.#say(state);
    this.#offer();
  }

  /** Lets the name and the form be changed as long as that has an effect. */
  #fit() {
    const { state } = this.upload;
    // Under another name, a file that was refused may be stored.
    const isOpen = ['waiting', 'failed', 'exists'].includes(state);
    this.into.hidden = !isOpen;
    if (isOpen) {
      this.#form?.reopen();
    } else {
      this.#form?.end();
      this.preview.hidden ||= state === 'stored';
    }
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

  /** Opens the rows, or tells first what the preview did not. */
  #stored() {
    const { name, warnings, skipped } = this.upload.version;
    const told = new Set(this.#form?.warnings);
    const news = (warnings ?? []).filter((/** @type {string} */ sentence) => !told.has(sentence));
    const left = skipped ? [`${counted(skipped.count, 'row')} left out`, ...skipped.rows.map((/** @type {any} */ { line, reason }) => `Line ${line}: ${reason}`)] : [];
    const notes = [...news, ...left];
    this.notes.replaceChildren(...notes.slice(0, MOST_NOTES).map((sentence) => element('li', {}, visible(sentence))));
    if (notes.length === 0 && this.opens()) {
      location.assign(datasetPath(name));
    }
  }

  /** Shows what the service would read, before anything is stored. */
  async #look() {
    try {
      const { PreviewForm } = await load('upload/preview-form.js');
      const form = new PreviewForm(this.upload.file);
      this.preview.append(form.element);
      this.#follow(form);
      // The text of the line stays: the user may be typing a token there.
      this.#fit();
      await form.look();
    } catch (error) {
      // The upload may still succeed.
      this.summary.textContent = 'No preview';
      this.preview.append(element('p', {}, /** @type {Error} */ (error).message));
    }
    this.preview.hidden = this.upload.state === 'stored';
  }

  /**
   * Sends what is chosen in a form.
   *
   * @param {import('./preview-form.js').PreviewForm} form
   */
  #follow(form) {
    this.#form = form;
    const update = () => {
      this.summary.textContent = form.summary;
      this.upload.parameters = form.parameters;
    };
    form.addEventListener('changed', update);
    update();
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
      return upload.failure instanceof Problem && upload.failure.status === 401 ? [tokenForm(() => upload.start())] : [sentences(upload.failure)];
    default:
      return [upload.state];
  }
}
