// A result that becomes a dataset: a job of the service, which goes on if the page is left.
// @ts-check

import { button, counted, element, grouped, isolated, visible } from '../lib/elements.js';
import { failure } from '../lib/failure.js';
import { Problem, authorization, datasetPath, json, send } from '../lib/requests.js';

const FIRST_PAUSE_MILLISECONDS = 150;
const LONGEST_PAUSE_MILLISECONDS = 2_000;
/** A name in the hint about one that no dataset can have. */
const OFFERED_NAME = /^Choose another name, such as ([A-Za-z0-9][\w.-]*)\.$/;

/** A form for the name, and the progress of the job. It dispatches `stored` after a dataset was. */
export class Saving extends EventTarget {
  /** @type {string | null} */
  #job = null;

  /** @param {() => Promise<{ sql: string, parameters: Record<string, string> }>} statement returns the statement and its parameters */
  constructor(statement) {
    super();
    this.statement = statement;
    this.name = element('input', { 'aria-label': 'Name of the dataset', placeholder: 'Name of the dataset', required: true, spellcheck: 'false', autocomplete: 'off' });
    this.progress = element('progress', { 'aria-label': 'Progress', hidden: true });
    this.text = element('span', { role: 'status' });
    this.cancel = element('button', { type: 'button', hidden: true, onclick: () => this.#cancel() }, 'Cancel saving');
    this.form = element(
      'form',
      {
        onsubmit: (event) => {
          event.preventDefault();
          this.#save('create');
        },
      },
      this.name,
      ' ',
      element('button', {}, 'Save'),
    );
    this.element = element('div', { class: 'saving bar', hidden: true }, this.form, this.progress, this.text, this.cancel);
  }

  open() {
    this.element.hidden = !this.element.hidden;
    if (!this.element.hidden) {
      this.name.focus();
    }
  }

  /** @param {'create' | 'replace'} mode */
  async #save(mode) {
    const { sql, parameters } = await this.statement();
    this.#job = null;
    const name = this.name.value.trim();
    const query = new URLSearchParams(Object.entries(parameters).map(([key, value]) => [`p.${key}`, value]));
    this.#show('Saving…', true);
    try {
      const response = await send(`${datasetPath(name)}${query.size > 0 ? `?${query}` : ''}`, {
        method: 'PUT',
        headers: {
          Accept: 'application/json',
          'Content-Type': 'application/sql',
          Prefer: 'respond-async',
          ...(mode === 'create' ? { 'If-None-Match': '*' } : {}),
        },
        body: sql,
      });
      await this.#follow((await response.json()).links.self, name);
    } catch (error) {
      this.#failed(error, mode, name);
    }
  }

  /**
   * Asks how far the job is until it ends.
   *
   * @param {string} job
   * @param {string} name
   */
  async #follow(job, name) {
    this.#job = job;
    this.cancel.hidden = false;
    for (let pause = FIRST_PAUSE_MILLISECONDS; ; pause = Math.min(LONGEST_PAUSE_MILLISECONDS, pause * 1.5)) {
      await new Promise((over) => setTimeout(over, pause));
      const response = await fetchJob(job);
      if (response.type === 'opaqueredirect') {
        await this.#stored(job, name);
        return;
      }
      const state = await response.json();
      if (state.state === 'failed') {
        throw new Problem(state.problem?.status ?? 0, state.problem, null);
      }
      if (state.state !== 'queued' && state.state !== 'running') {
        this.#show(state.state === 'cancelled' ? 'Cancelled; nothing is stored.' : 'The service that saved it ended. Save it again.', false);
        return;
      }
      this.#tell(state);
    }
  }

  /** @param {{ state: string, progress: number | null, rowsRead: number | null, rowsTotal: number | null }} state */
  #tell({ state, progress, rowsRead, rowsTotal }) {
    if (progress === null) {
      this.progress.removeAttribute('value');
    } else {
      this.progress.value = progress;
    }
    const rows = rowsRead === null ? '' : `: ${grouped(rowsRead)}${rowsTotal === null ? '' : ` of ${grouped(rowsTotal)}`} rows read`;
    this.text.textContent = `${state}${rows}`;
  }

  /**
   * A job that is done redirects to the version.
   *
   * @param {string} job
   * @param {string} name
   */
  async #stored(job, name) {
    const response = await send(job, { method: 'HEAD', headers: { Accept: 'application/vnd.apache.arrow.stream, application/json;q=0.5' } });
    const rows = Number(response.headers.get('Arrow-Row-Count'));
    this.#show('', false);
    this.text.replaceChildren(
      'Saved as ',
      element('a', { href: datasetPath(name) }, isolated(visible(name))),
      `: ${counted(rows, 'row')}`,
    );
    this.dispatchEvent(new Event('stored'));
  }

  async #cancel() {
    await send(this.#job ?? '', { method: 'DELETE' }).catch((error) => {
      // A job that has just ended cannot be cancelled, which the next look at it tells.
      if (error.status !== 409) {
        this.text.textContent = error.message;
      }
    });
  }

  /**
   * @param {string} text
   * @param {boolean} runs
   */
  #show(text, runs) {
    this.text.textContent = text;
    this.progress.hidden = !runs;
    this.progress.removeAttribute('value');
    this.cancel.hidden = true;
    this.form.hidden = runs;
  }

  /**
   * @param {unknown} error
   * @param {'create' | 'replace'} mode
   * @param {string} name
   */
  #failed(error, mode, name) {
    this.#show('', false);
    if (error instanceof Problem && error.status === 412 && mode === 'create') {
      this.text.replaceChildren(
        'A dataset of this name exists. ',
        element('button', { type: 'button', onclick: () => this.#save('replace') }, 'Replace it'),
        ' ',
        element('a', { href: datasetPath(name) }, 'Look at it'),
      );
      return;
    }
    // A job whose state could not be asked for goes on.
    const job = error instanceof Problem ? null : this.#job;
    const [, offered = null] = (error instanceof Problem && OFFERED_NAME.exec(error.document?.hint ?? '')) || [];
    const other = offered === null ? null : button(`Save as ${offered}`, () => this.#saveAs(offered));
    this.text.replaceChildren(failure(error, () => (job === null ? this.#save(mode) : this.#resume(job, mode, name)), other));
  }

  /** @param {string} name */
  #saveAs(name) {
    this.name.value = name;
    return this.#save('create');
  }

  /**
   * @param {string} job
   * @param {'create' | 'replace'} mode
   * @param {string} name
   */
  async #resume(job, mode, name) {
    this.#show('Saving…', true);
    try {
      await this.#follow(job, name);
    } catch (error) {
      this.#failed(error, mode, name);
    }
  }
}

/**
 * A redirect is not followed, since it leads to the rows.
 *
 * @param {string} job
 */
async function fetchJob(job) {
  const response = await fetch(job, { redirect: 'manual', headers: { ...authorization(), Accept: 'application/json' } });
  if (!response.ok && response.type !== 'opaqueredirect') {
    await json(job);
  }
  return response;
}
