// Uploads of files, which go on after a pause, a cut connection or a reload: the IETF draft "Resumable Uploads for HTTP".

import { Problem, authorization, send } from './page.js';

const KEPT = 'quiver.uploads';
const KEPT_MILLISECONDS = 3 * 24 * 3_600_000;
const MOST_ATTEMPTS = 8;
const FIRST_PAUSE_MILLISECONDS = 500;
const LONGEST_PAUSE_MILLISECONDS = 30_000;
const SPEED_MILLISECONDS = 3_000;

// What tells the format of a file, and is no part of the name of its dataset.
const SUFFIX = /\.(arrows?|feather|ipc|csv|tsv|json|jsonl|ndjson|parquet)$/i;

/** The name of the dataset that a file becomes, unless another one is chosen. */
function nameOf(file) {
  const name = file.name.replace(SUFFIX, '').replace(/\s+/g, '-').replace(/[^\p{L}\p{N}._-]/gu, '').replace(/^[._-]+/, '');
  return name || 'upload';
}

/** One file. It dispatches `changed` whenever its state or progress changes. */
export class Upload extends EventTarget {
  /** `waiting`, `sending`, `paused`, `storing`, `stored`, `exists`, `failed` or `canceled`. */
  state = 'waiting';
  sentBytes = 0;
  failure = null;
  /** The document of the version, once it is stored. */
  version = null;

  #location = null;
  #request = null;
  #attempts = 0;
  #samples = [];

  constructor(file) {
    super();
    this.file = file;
    this.suffix = SUFFIX.exec(file.name)?.[0].toLowerCase() ?? '';
    const begun = all().find(isOf(file));
    /** The name of the dataset. It may be changed until the upload starts. */
    this.name = begun?.name ?? nameOf(file);
    this.mode = begun?.mode ?? 'create';
    /** Whether a part has arrived before this page was loaded. */
    this.isBegun = begun !== undefined;
  }

  get path() {
    return `/datasets/${encodeURIComponent(this.name + this.suffix)}`;
  }

  /** The bytes per second of the last seconds, or null if unknown. */
  get bytesPerSecond() {
    const first = this.#samples[0];
    const last = this.#samples.at(-1);
    return this.state === 'sending' && first && last.time > first.time
      ? ((last.bytes - first.bytes) / (last.time - first.time)) * 1000
      : null;
  }

  /**
   * Sends the file, or goes on with it.
   *
   * @param mode `create`, `replace` or `append`
   */
  async start(mode = this.mode) {
    this.mode = mode;
    this.failure = null;
    this.#change('sending');
    try {
      this.#location ??= kept(this.file, this.name, mode);
      const offset = await this.#offset();
      await this.#send(offset);
    } catch (error) {
      await this.#failed(error);
    }
  }

  /** Stops sending. What has arrived is kept. */
  pause() {
    this.#change('paused');
    this.#request?.abort();
  }

  async cancel() {
    this.#change('canceled');
    this.#request?.abort();
    const location = this.#location;
    this.#forget();
    if (location) {
      await send(location, { method: 'DELETE' }).catch(() => null);
    }
  }

  /** Returns where the file goes on, and begins an upload if there is none. */
  async #offset() {
    if (this.#location) {
      try {
        const response = await send(this.#location, { method: 'HEAD' });
        return Number(response.headers.get('Upload-Offset'));
      } catch (error) {
        if (!(error instanceof Problem) || error.status !== 404) {
          throw error;
        }
        this.#forget();
      }
    }
    const response = await send(this.path, {
      method: this.mode === 'append' ? 'POST' : 'PUT',
      headers: {
        'Upload-Complete': '?0',
        'Upload-Length': String(this.file.size),
        ...(this.mode === 'create' ? { 'If-None-Match': '*' } : {}),
      },
    });
    this.#location = response.headers.get('Location');
    keep(this.file, this.name, this.mode, this.#location);
    return 0;
  }

  /** Sends the rest. Fetch does not tell how far it is, so this is an XMLHttpRequest. */
  #send(offset) {
    return new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      this.#request = request;
      request.open('PATCH', this.#location);
      const headers = {
        ...authorization(),
        'Content-Type': 'application/partial-upload',
        'Upload-Offset': String(offset),
        'Upload-Complete': '?1',
      };
      Object.entries(headers).forEach(([name, value]) => request.setRequestHeader(name, value));
      this.#progress(offset);
      request.upload.onprogress = (event) => this.#progress(offset + event.loaded);
      request.upload.onload = () => this.#change('storing');
      request.onerror = () => reject(new TypeError('The connection was lost'));
      request.onabort = () => resolve();
      request.onload = () => {
        if (request.status < 400) {
          this.version = parsed(request.responseText);
          this.#forget();
          this.#change('stored');
          resolve();
        } else {
          reject(new Problem(request.status, parsed(request.responseText), Number(request.getResponseHeader('Retry-After')) || null));
        }
      };
      request.send(this.file.slice(offset));
    });
  }

  /** Tries again after what may pass, and tells the rest. */
  async #failed(error) {
    if (this.state === 'paused' || this.state === 'canceled') {
      return;
    }
    const isProblem = error instanceof Problem;
    const passes = !isProblem || error.status === 409 || error.status === 423 || error.status === 503;
    if (passes && this.#attempts < MOST_ATTEMPTS) {
      const pause = Math.min(LONGEST_PAUSE_MILLISECONDS, FIRST_PAUSE_MILLISECONDS * 2 ** this.#attempts++);
      await new Promise((over) => setTimeout(over, Math.max(pause, (error.retryAfterSeconds ?? 0) * 1000)));
      if (this.state === 'sending' || this.state === 'storing') {
        await this.start();
      }
      return;
    }
    if (isProblem && error.status < 500) {
      this.#forget();
    }
    this.failure = error;
    this.#change(isProblem && error.status === 412 && this.mode === 'create' ? 'exists' : 'failed');
  }

  #progress(bytes) {
    const now = performance.now();
    if (bytes > this.sentBytes) {
      this.#attempts = 0;
    }
    this.sentBytes = bytes;
    this.#samples = [...this.#samples.filter((sample) => now - sample.time < SPEED_MILLISECONDS), { time: now, bytes }];
    this.dispatchEvent(new Event('changed'));
  }

  #change(next) {
    this.state = next;
    this.dispatchEvent(new Event('changed'));
  }

  #forget() {
    this.#location = null;
    forget(this.file, this.name);
  }
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

// What goes on after a reload, by the file: its name, size and time.

function all() {
  const found = parsed(localStorage.getItem(KEPT) ?? '[]');
  const since = Date.now() - KEPT_MILLISECONDS;
  return Array.isArray(found) ? found.filter((each) => each.at > since) : [];
}

function isOf(file) {
  return (each) => each.file === file.name && each.size === file.size && each.modified === file.lastModified;
}

function kept(file, name, mode) {
  return all().filter(isOf(file)).find((each) => each.name === name && each.mode === mode)?.location ?? null;
}

function keep(file, name, mode, location) {
  const entry = { file: file.name, size: file.size, modified: file.lastModified, name, mode, location, at: Date.now() };
  localStorage.setItem(KEPT, JSON.stringify([...all(), entry]));
}

function forget(file, name) {
  const matches = isOf(file);
  localStorage.setItem(KEPT, JSON.stringify(all().filter((each) => each.name !== name || !matches(each))));
}
