// Requests to the service, and its problems (RFC 9457) as a page tells them.

import { element } from './page.js';

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

/** Keeps a token for this tab. Nothing is kept without one. */
export function useToken(token) {
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

/** Sends a request, and returns its response unless that is a failure. */
export async function send(url, { headers = {}, ...options } = {}) {
  const response = await fetch(url, { ...options, headers: { ...authorization(), ...headers } });
  if (response.ok || response.status === 304) {
    return response;
  }
  throw new Problem(response.status, await problemOf(response), Number(response.headers.get('Retry-After')) || null);
}

async function problemOf(response) {
  const isProblem = response.headers.get('Content-Type')?.startsWith('application/problem+json');
  return isProblem ? response.json().catch(() => null) : null;
}

/** A JSON document. Integers beyond 2⁵³ are not in any of those that the pages read. */
export async function json(url, options) {
  const response = await send(url, { ...options, headers: { Accept: 'application/json' } });
  return response.json();
}

/**
 * The number of rows that parameters select, which the service counts without sending them.
 *
 * @param path of a version
 */
export async function countRows(path, parameters) {
  const url = `${path}.arrows?${new URLSearchParams(parameters)}`;
  const response = await send(url, { method: 'HEAD' }).catch((error) => {
    // The response to HEAD does not say what is wrong.
    return error.status < 500 && error.status !== 401 ? send(url) : Promise.reject(error);
  });
  return Number(response.headers.get('Arrow-Row-Count'));
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
  const parts = [element('p', {}, isProblem ? error.message : 'The service cannot be reached.')];
  if (isProblem && error.status === 401) {
    parts.push(tokenForm(retry));
  } else {
    parts.push(again(error, retry));
  }
  const type = isProblem ? error.document?.type : null;
  if (type) {
    parts.push(element('small', {}, type.replace('urn:quiver:problem:', '')));
  }
  return element('div', { class: 'failure', role: 'alert' }, ...parts);
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

/** Asks for a token. */
export function tokenForm(retry) {
  const input = element('input', { type: 'password', autocomplete: 'current-password', 'aria-label': 'Token' });
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
