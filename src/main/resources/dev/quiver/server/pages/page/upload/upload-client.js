// Uploads of files, which go on after a pause, a cut connection or a reload: the IETF draft "Resumable Uploads for HTTP".
// @ts-check

import { Problem, Unreachable, authorization, base, send } from '../lib/requests.js';

const KEPT = 'quiver.uploads';
const KEPT_MILLISECONDS = 3 * 24 * 3_600_000;
const MOST_ATTEMPTS = 8;
const FIRST_PAUSE_MILLISECONDS = 500;
const LONGEST_PAUSE_MILLISECONDS = 30_000;
const SPEED_MILLISECONDS = 3_000;

// The suffixes tell the format and the coding of a file. They do not belong to the name of its dataset.
const SUFFIX = /(\.(arrows?|feather|ipc|csv|tsv|tab|json|jsonl|ndjson|xls[xm]|parquet|pq|txt)(\.(gz|zst|zip))?|\.(gz|zst|zip))$/i;

// Suffixes of representations, in which no name may end.
const RESERVED = /\.(arrows?|feather|ipc|jsonl?|ndjson|csv|tsv|html|tab|parquet|pq|xls[xm]|avro|zip|gz|zst|txt)$/i;
const MOST_NAME_CHARACTERS = 100;

/**
 * The name of the dataset that a file becomes, unless another one is chosen: its own without accents, with `-` for what
 * names do not allow.
 *
 * @param {File} file
 */
function nameOf(file) {
  const name = file.name
    .replace(SUFFIX, '')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9._-]/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, MOST_NAME_CHARACTERS);
  return name.replace(RESERVED, '-$1') || 'upload';
}

/** One file. It dispatches `changed` whenever its state or progress changes. */
export class Upload extends EventTarget {
  /** @type {'waiting' | 'sending' | 'paused' | 'storing' | 'stored' | 'exists' | 'failed' | 'canceled'} */
  state = 'waiting';
  sentBytes = 0;
  /** @type {Error | null} */
  failure = null;
  /**
   * The document of the version, once it is stored.
   *
   * @type {any}
   */
  version = null;

  /** @type {string | null} */
  #location = null;
  /** The path to which it was begun. */
  #path = '';
  #control = new AbortController();
  #attempts = 0;
  /** @type {{ time: number, bytes: number }[]} */
  #samples = [];

  /** @param {File} file */
  constructor(file) {
    super();
    this.file = file;
    this.suffix = SUFFIX.exec(file.name)?.[0].toLowerCase() ?? '';
    const begun = all().find(isOf(file));
    /** The name of the dataset. It may be changed until the upload starts. */
    this.name = begun?.name ?? nameOf(file);
    /** @type {'create' | 'replace' | 'append'} */
    this.mode = begun?.mode ?? 'create';
    /** The parameters by which the file is read. They may be changed until the upload starts. */
    this.parameters = new URLSearchParams(begun?.query);
    /** Whether a part has arrived before this page was loaded. */
    this.isBegun = begun !== undefined;
  }

  get path() {
    const query = this.parameters.size > 0 ? `?${this.parameters}` : '';
    return `${base}/datasets/${encodeURIComponent(this.name + this.suffix)}${query}`;
  }

  /** The bytes per second of the last seconds, or null if unknown. */
  get bytesPerSecond() {
    const [first] = this.#samples;
    const last = this.#samples.at(-1);
    return this.state === 'sending' && first && last && last.time > first.time
      ? ((last.bytes - first.bytes) / (last.time - first.time)) * 1000
      : null;
  }

  /**
   * Sends the file, or goes on with it.
   *
   * @param {Upload['mode']} [mode] `create`, `replace` or `append`
   */
  async start(mode = this.mode) {
    this.#control.abort();
    this.#control = new AbortController();
    const { signal } = this.#control;
    this.mode = mode;
    this.failure = null;
    this.#change('sending');
    try {
      if (this.#location && this.#path !== this.path) {
        // The service has begun another one.
        await this.#delete();
      }
      this.#location ??= kept(this.file, this.name, mode, this.parameters);
      this.#path = this.path;
      const offset = await this.#offset(signal);
      signal.throwIfAborted();
      await this.#send(offset, signal);
    } catch (error) {
      if (!signal.aborted) {
        await this.#failed(error, signal);
      }
    }
  }

  /** Stops sending. What has arrived is kept. */
  pause() {
    this.#change('paused');
    this.#control.abort();
  }

  async cancel() {
    this.#change('canceled');
    this.#control.abort();
    await this.#delete();
  }

  async #delete() {
    const location = this.#location;
    this.#forget();
    if (location) {
      await send(location, { method: 'DELETE' }).catch(() => null);
    }
  }

  /**
   * Returns the offset at which to continue, and begins an upload if none is in progress.
   *
   * @param {AbortSignal} signal
   */
  async #offset(signal) {
    if (this.#location) {
      try {
        const response = await send(this.#location, { method: 'HEAD', signal });
        return Number(response.headers.get('Upload-Offset'));
      } catch (error) {
        if (!(error instanceof Problem) || error.status !== 404) {
          throw error;
        }
        this.#forget();
      }
    }
    // It is not given up, since the service may have begun an upload whose URL would be lost.
    const response = await send(this.path, {
      method: this.mode === 'append' ? 'POST' : 'PUT',
      headers: {
        'Upload-Complete': '?0',
        'Upload-Length': String(this.file.size),
        ...(this.mode === 'create' ? { 'If-None-Match': '*' } : {}),
      },
    });
    this.#location = response.headers.get('Location');
    keep(this.file, this.name, this.mode, this.parameters, this.#location);
    if (this.state === 'canceled') {
      await this.#delete();
    }
    return 0;
  }

  /**
   * Sends the rest. Fetch does not tell how far it is, so this is an XMLHttpRequest.
   *
   * @param {number} offset
   * @param {AbortSignal} signal
   */
  #send(offset, signal) {
    return /** @type {Promise<void>} */ (new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      signal.addEventListener('abort', () => request.abort());
      request.open('PATCH', this.#location ?? '');
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
      request.onerror = () => reject(new Unreachable());
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
    }));
  }

  /**
   * Tries again after what may pass, and tells the rest.
   *
   * @param {unknown} error
   * @param {AbortSignal} signal
   */
  async #failed(error, signal) {
    if (passes(error) && this.#attempts < MOST_ATTEMPTS) {
      const pause = Math.min(LONGEST_PAUSE_MILLISECONDS, FIRST_PAUSE_MILLISECONDS * 2 ** this.#attempts++);
      await new Promise((over) => setTimeout(over, Math.max(pause, 1000 * ((error instanceof Problem && error.retryAfterSeconds) || 0))));
      if (!signal.aborted) {
        await this.start();
      }
      return;
    }
    if (isFinal(error)) {
      this.#forget();
    }
    this.failure = /** @type {Error} */ (error);
    this.#change(error instanceof Problem && error.status === 412 && this.mode === 'create' ? 'exists' : 'failed');
  }

  /** @param {number} bytes */
  #progress(bytes) {
    const now = performance.now();
    if (bytes > this.sentBytes) {
      this.#attempts = 0;
    }
    this.sentBytes = bytes;
    this.#samples = [...this.#samples.filter((sample) => now - sample.time < SPEED_MILLISECONDS), { time: now, bytes }];
    this.dispatchEvent(new Event('changed'));
  }

  /** @param {Upload['state']} next */
  #change(next) {
    this.state = next;
    this.dispatchEvent(new Event('changed'));
  }

  #forget() {
    this.#location = null;
    forget(this.file, this.name);
  }
}

/**
 * Whether a failure may be over at another attempt: the service is busy or away, or has more of the file than it told.
 *
 * @param {unknown} error
 */
function passes(error) {
  if (error instanceof Problem) {
    const isBehind = error.status === 409 && error.document?.['expected-offset'] !== undefined;
    return isBehind || [408, 423, 429, 503].includes(error.status);
  }
  return error instanceof Unreachable;
}

/**
 * Whether the service keeps nothing of an upload after a failure, or never stores it.
 *
 * @param {unknown} error
 */
function isFinal(error) {
  return error instanceof Problem && error.status < 500 && ![401, 403, 408, 423, 429].includes(error.status);
}

/** @param {string} text */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

// Uploads that continue after a reload, by the name, size and time of the file.

/** @returns {any[]} */
function all() {
  const found = parsed(localStorage.getItem(KEPT) ?? '[]');
  const since = Date.now() - KEPT_MILLISECONDS;
  return Array.isArray(found) ? found.filter((each) => each.at > since) : [];
}

/** @param {File} file */
function isOf(file) {
  return (/** @type {any} */ each) => each.file === file.name && each.size === file.size && each.modified === file.lastModified;
}

/**
 * @param {File} file
 * @param {string} name
 * @param {string} mode
 * @param {URLSearchParams} parameters
 */
function kept(file, name, mode, parameters) {
  const query = String(parameters);
  return all().filter(isOf(file)).find((each) => each.name === name && each.mode === mode && (each.query ?? '') === query)?.location ?? null;
}

/**
 * @param {File} file
 * @param {string} name
 * @param {string} mode
 * @param {URLSearchParams} parameters
 * @param {string | null} location
 */
function keep(file, name, mode, parameters, location) {
  const entry = { file: file.name, size: file.size, modified: file.lastModified, name, mode, query: String(parameters), location, at: Date.now() };
  localStorage.setItem(KEPT, JSON.stringify([...all(), entry]));
}

/**
 * @param {File} file
 * @param {string} name
 */
function forget(file, name) {
  const matches = isOf(file);
  localStorage.setItem(KEPT, JSON.stringify(all().filter((each) => each.name !== name || !matches(each))));
}
