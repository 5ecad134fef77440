// What every page needs: elements, numbers as text, the state of the page in its fragment, and requests to the service with
// its problems (RFC 9457).

/**
 * Makes an element. Attributes that are null or false are left out; `on…` are listeners.
 */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith('on')) {
      made.addEventListener(key.slice(2), value);
    } else if (value !== null && value !== undefined && value !== false) {
      made.setAttribute(key, value === true ? '' : value);
    }
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

// Control characters, and those that are invisible or change the direction of the text around them. A joiner (200D) is
// part of many emoji.
const HIDDEN = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2064\u2066-\u206f\ufeff]/g;

/** Replaces hidden characters by their code points or pictures. */
export function visible(text) {
  return text.replace(HIDDEN, (character) => {
    const code = character.codePointAt(0);
    return code < 0x20
      ? String.fromCodePoint(0x2400 + code)
      : `⟨${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
  });
}

/** A name from the data, which cannot change the direction of the text around it. */
export function isolated(text) {
  return element('bdi', {}, text);
}

/** Loads a style sheet that only some views need, once. */
export function stylesheet(name) {
  const found = document.querySelector(`link[data-name="${name}"]`);
  if (found) {
    return found.loaded;
  }
  const link = element('link', { rel: 'stylesheet', href: new URL(name, import.meta.url), 'data-name': name });
  link.loaded = new Promise((resolve, reject) => {
    link.addEventListener('load', resolve);
    link.addEventListener('error', () => reject(new Error(`Expected ${name} but found nothing`)) ?? link.remove());
  });
  document.head.append(link);
  return link.loaded;
}

export const grouped = (number) => Number(number).toLocaleString('en-US');

/** A number of things, such as 1 row or 2 rows. */
export const counted = (number, thing) => `${grouped(number)} ${thing}${number === 1 ? '' : 's'}`;

/** A number of bytes, such as 12.3 MB. */
export function byteSize(count) {
  const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'];
  let size = count;
  let unit = 0;
  // Three digits of 999.5 or more are those of 1000.
  while (size >= 999.5 && unit < units.length - 1) {
    size /= 1000;
    unit++;
  }
  return `${unit === 0 ? size : size.toPrecision(3)} ${units[unit]}`;
}

// The state: a view, and values that follow it, such as #rows&row=12&where=a%20%3E%201.

const listeners = new Set();

/** The view and the values of a fragment, by default that of the present URL. */
export function readState(hash = location.hash) {
  const [view, ...pairs] = hash.slice(1).split('&');
  // A value that was written by hand may have further equals signs.
  const values = pairs.map((pair) => /^([^=]*)=?(.*)$/s.exec(pair).slice(1).map(decoded));
  return { view: decoded(view), values: new Map(values) };
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The fragment of a view with values, of which null ones are left out. */
export function fragment(view, values = {}) {
  const pairs = Object.entries(values)
    .filter(([, value]) => value !== null && value !== undefined && value !== '')
    .map(([key, value]) => `&${encodeURIComponent(key)}=${encodeURIComponent(value)}`);
  return `#${encodeURIComponent(view)}${pairs.join('')}`;
}

/**
 * Changes some values of the present view, without a new entry in the history.
 *
 * @param first the view if the URL names none
 */
export function replaceState(changes, first = 'rows') {
  const { view, values } = readState();
  const all = { ...Object.fromEntries(values), ...changes };
  const next = fragment(view || first, all);
  if (next !== location.hash) {
    history.replaceState(null, '', location.pathname + location.search + next);
  }
}

/** Goes to a view with values, as a link does. */
export function goTo(view, values) {
  location.hash = fragment(view, values);
}

/** Calls a listener with the event of each change by a link, the history or [goTo]. */
export function whenStateChanged(listener) {
  listeners.add(listener);
}

addEventListener('hashchange', (event) => listeners.forEach((listener) => listener(event)));

// Requests, and what a page tells of their failures

/** A service accepts longer statements in the body of a request alone. */
export const MOST_URL_CHARACTERS = 6_000;

const TOKEN = 'quiver.token';

/** A response that is a failure. */
export class Problem extends Error {
  constructor(status, document, retryAfterSeconds) {
    super(document?.detail ?? document?.title ?? `The service responded with ${status}`);
    this.name = 'Problem';
    this.status = status;
    this.document = document;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** No response came. */
export class Unreachable extends Error {
  constructor() {
    super('The service cannot be reached.');
    this.name = 'Unreachable';
  }
}

/** Keeps a token for this tab. Nothing is kept without one. */
function useToken(token) {
  if (token) {
    sessionStorage.setItem(TOKEN, token);
  } else {
    sessionStorage.removeItem(TOKEN);
  }
}

export function authorization() {
  const token = sessionStorage.getItem(TOKEN);
  return token ? { Authorization: `Bearer ${token}` } : {};
}

/** The link by which this page was opened, or null. */
export const link = new URLSearchParams(location.search).get('link');

/** Adds the link by which this page was opened, which lets its dataset be read without a token. */
export function linked(url) {
  return link !== null && url.startsWith('/datasets/') ? `${url}${url.includes('?') ? '&' : '?'}${new URLSearchParams({ link })}` : url;
}

/**
 * Whether a program needs a token for a path. The page may have none itself: a browser that has asked for a password sends it
 * by itself, and a link needs none.
 */
export async function needsToken(path) {
  if (link !== null || authorization().Authorization) {
    return link === null;
  }
  const response = await fetch(path, { method: 'HEAD', credentials: 'omit', cache: 'no-store' }).catch(() => null);
  return response?.status === 401;
}

/** Sends a request, and returns its response unless that is a failure. */
export async function send(url, { headers = {}, ...options } = {}) {
  const response = await fetch(linked(url), { ...options, headers: { ...authorization(), ...headers } }).catch((error) => {
    throw error.name === 'AbortError' ? error : new Unreachable();
  });
  if (response.ok || response.status === 304) {
    return response;
  }
  throw new Problem(response.status, await problemOf(response), Number(response.headers.get('Retry-After')) || null);
}

/** The result of a read of a response's body, whose end may be lost. */
export function transferred(promise) {
  return promise.catch((error) => {
    throw error instanceof TypeError ? new Unreachable() : error;
  });
}

async function problemOf(response) {
  const isProblem = response.headers.get('Content-Type')?.startsWith('application/problem+json');
  return isProblem ? response.json().catch(() => null) : null;
}

/** A JSON document. Integers beyond 2⁵³ are not in any of those that the pages read. */
export async function json(url, options) {
  const response = await send(url, { ...options, headers: { Accept: 'application/json' } });
  return transferred(response.json());
}

/**
 * The number of rows that parameters select, which the service counts without sending them.
 *
 * @param path of a version
 */
export async function countRows(path, parameters, signal) {
  const url = `${path}.arrows?${new URLSearchParams(parameters)}`;
  const response = await send(url, { method: 'HEAD', signal }).catch(async (error) => {
    if (error instanceof Problem && error.status !== 401) {
      // The response to HEAD does not say what is wrong.
      await json(`${path}.json?${new URLSearchParams({ ...parameters, limit: 1 })}`, { signal });
    }
    throw error;
  });
  return Number(response.headers.get('Arrow-Row-Count'));
}

const attempts = new Map();

/**
 * Imports a module of the pages that only some of them need. Browsers remember a module that failed to load, so the next
 * attempt names it by another fragment.
 */
export async function load(name) {
  const failed = attempts.get(name) ?? 0;
  try {
    return await import(`./${name}${failed === 0 ? '' : `#${failed}`}`);
  } catch (error) {
    attempts.set(name, failed + 1);
    throw error;
  }
}

/** The path of a dataset, or of one of its versions. */
export function datasetPath(name, version = null) {
  return `/datasets/${encodeURIComponent(name)}${version === null ? '' : `@${version}`}`;
}

/**
 * The failure of a part of a page: its sentence, what helps, and a way to try again.
 *
 * @param retry called when the user asks for another attempt
 */
export function failure(error, retry) {
  const isProblem = error instanceof Problem;
  const parts = [element('p', {}, sentenceOf(error))];
  if (isProblem && error.status === 401) {
    parts.push(tokenForm(retry));
  } else {
    parts.push(again(error, retry));
  }
  if (isOfModule(error)) {
    parts.push(' ', element('button', { type: 'button', onclick: () => location.reload() }, 'Reload the page'));
  }
  const type = isProblem ? error.document?.type : null;
  if (type) {
    parts.push(element('small', {}, type.replace('urn:quiver:problem:', '')));
  }
  return element('div', { class: 'failure', role: 'alert' }, ...parts);
}

// How browsers tell that a module cannot be loaded.
const MODULE = /module/i;

const isOfModule = (error) => error instanceof TypeError && MODULE.test(error.message);

function sentenceOf(error) {
  if (error instanceof Problem || error instanceof Unreachable) {
    return error.message;
  }
  if (isOfModule(error)) {
    return 'A part of this page cannot be loaded. If the service was updated, reload the page.';
  }
  reportError(error);
  return `The page failed: ${error.message}`;
}

/** A button that waits as long as the service asks for. */
function again(error, retry) {
  const button = element('button', { type: 'button', onclick: retry }, 'Try again');
  let seconds = error.retryAfterSeconds ?? 0;
  const count = () => {
    button.disabled = seconds > 0;
    button.textContent = seconds > 0 ? `Try again in ${seconds} s` : 'Try again';
    if (seconds-- > 0) {
      setTimeout(count, 1000);
    }
  };
  count();
  return button;
}

// Those that a header may have.
const TOKEN_CHARACTERS = '[\\x21-\\x7e]+';

/** Asks for a token. */
export function tokenForm(retry) {
  const input = element('input', {
    type: 'password',
    autocomplete: 'current-password',
    'aria-label': 'Token',
    required: true,
    pattern: TOKEN_CHARACTERS,
    title: 'Letters without accents, digits and signs, without spaces',
  });
  return element(
    'form',
    {
      onsubmit: (event) => {
        event.preventDefault();
        useToken(input.value);
        retry();
      },
    },
    input,
    ' ',
    element('button', {}, 'Use this token'),
  );
}

// Colours, which follow the system unless the user has chosen otherwise

const SCHEME = 'quiver.scheme';
const system = matchMedia('(prefers-color-scheme: dark)');

function kept() {
  try {
    return localStorage.getItem(SCHEME);
  } catch {
    // The browser keeps nothing.
    return null;
  }
}

const isDark = () => (kept() ?? (system.matches ? 'dark' : 'light')) === 'dark';

/** Calls a listener after the colours have changed. */
export function whenColoursChange(listener) {
  system.addEventListener('change', listener);
  addEventListener('coloured', listener);
}

/** Offers the other scheme beside the links to the other pages. */
function offerColours() {
  const button = element('button', { type: 'button' });
  const show = () => {
    document.documentElement.style.colorScheme = kept() ?? '';
    button.textContent = isDark() ? 'Light' : 'Dark';
    button.setAttribute('aria-label', `${button.textContent} colours`);
  };
  button.addEventListener('click', () => {
    const next = isDark() ? 'light' : 'dark';
    try {
      if (next === (system.matches ? 'dark' : 'light')) {
        localStorage.removeItem(SCHEME);
      } else {
        localStorage.setItem(SCHEME, next);
      }
    } catch {
      tell('This browser does not let the page keep your choice');
    }
    show();
    dispatchEvent(new Event('coloured'));
  });
  system.addEventListener('change', show);
  // Another tab has changed it.
  addEventListener('storage', ({ key }) => key === SCHEME && (show(), dispatchEvent(new Event('coloured'))));
  show();
  document.querySelector('.site')?.append(button);
}

offerColours();

const status = element('div', { class: 'status', role: 'status', 'aria-live': 'polite' });

/** Tells something for a moment. */
export function tell(text) {
  if (!status.isConnected) {
    document.body.append(status);
  }
  status.textContent = text;
  clearTimeout(status.timer);
  status.timer = setTimeout(() => (status.textContent = ''), 4000);
}
