// Requests to the service, and their failures with its problems (RFC 9457).
// @ts-check

import { isFramed } from './frame.js';

/**
 * The document of a problem, whose other members depend on its type.
 *
 * @typedef {{ detail?: string, title?: string, type?: string, status?: number, [member: string]: any }} ProblemDocument
 */

/** A service accepts longer statements in the body of a request alone. */
export const MOST_URL_CHARACTERS = 6_000;

const TOKEN = 'quiver.token';

/** A response that is a failure. */
export class Problem extends Error {
  /**
   * @param {number} status that of the response, or 0 for a failure of the page itself
   * @param {ProblemDocument | null} document
   * @param {number | null} [retryAfterSeconds]
   */
  constructor(status, document, retryAfterSeconds = null) {
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

/**
 * Keeps a token for this tab. Nothing is kept without one.
 *
 * @param {string} token
 */
export function useToken(token) {
  if (token) {
    sessionStorage.setItem(TOKEN, token);
  } else {
    sessionStorage.removeItem(TOKEN);
  }
}

/** @returns {Record<string, string>} */
export function authorization() {
  const token = isFramed ? null : sessionStorage.getItem(TOKEN);
  return token ? { Authorization: `Bearer ${token}` } : {};
}

/** The path below which this page finds the service, without a slash at its end: empty, unless a proxy serves it elsewhere. */
export const base = new URL('../../..', import.meta.url).pathname.slice(0, -1);

/** The link by which this page was opened, or null. */
export const link = new URLSearchParams(location.search).get('link');

/**
 * Adds the link by which this page was opened, which lets its dataset be read without a token.
 *
 * @param {string} url
 */
export function linked(url) {
  return link !== null && url.startsWith(`${base}/datasets/`) ? `${url}${url.includes('?') ? '&' : '?'}${new URLSearchParams({ link })}` : url;
}

/**
 * Whether a program needs a token for a path. The page may have none itself: a browser that has asked for a password sends it
 * by itself, and a link needs none.
 *
 * @param {string} path
 */
export async function needsToken(path) {
  if (link !== null || authorization().Authorization) {
    return link === null;
  }
  const response = await fetch(path, { method: 'HEAD', credentials: 'omit', cache: 'no-store' }).catch(() => null);
  return response?.status === 401;
}

/**
 * Sends a request, and returns its response unless that is a failure.
 *
 * @param {string} url
 * @param {Omit<RequestInit, 'headers'> & { headers?: Record<string, string> }} [options]
 */
export async function send(url, { headers = {}, ...options } = {}) {
  if (isFramed && !isRead(url, options.method)) {
    throw new Problem(0, { detail: 'A page in a frame only reads. Open it in a tab of its own' });
  }
  const response = await fetch(linked(url), { ...options, headers: { ...authorization(), ...headers } }).catch((error) => {
    throw error.name === 'AbortError' ? error : new Unreachable();
  });
  if (response.ok || response.status === 304) {
    return response;
  }
  throw new Problem(response.status, await problemOf(response), Number(response.headers.get('Retry-After')) || null);
}

/**
 * Whether a request stores and deletes nothing.
 *
 * @param {string} url
 * @param {string} [method]
 */
function isRead(url, method = 'GET') {
  return ['GET', 'HEAD'].includes(method) || (method === 'POST' && url.startsWith(`${base}/sql`));
}

/**
 * The result of a read of a response's body, whose end may be lost.
 *
 * @template T
 * @param {Promise<T>} promise
 */
export function transferred(promise) {
  return promise.catch((error) => {
    throw error instanceof TypeError ? new Unreachable() : error;
  });
}

/** @param {Response} response */
async function problemOf(response) {
  const isProblem = response.headers.get('Content-Type')?.startsWith('application/problem+json');
  return isProblem ? response.json().catch(() => null) : null;
}

/**
 * A JSON document. Integers beyond 2⁵³ are not in any of those that the pages read.
 *
 * @param {string} url
 * @param {{ signal?: AbortSignal }} [options]
 * @returns {Promise<any>}
 */
export async function json(url, options) {
  const response = await send(url, { ...options, headers: { Accept: 'application/json' } });
  return transferred(response.json());
}

/**
 * The number of rows that parameters select, which the service counts without sending them.
 *
 * @param {string} path of a version
 * @param {Record<string, any>} parameters
 * @param {AbortSignal} [signal]
 */
export async function countRows(path, parameters, signal) {
  const url = `${path}.arrows?${new URLSearchParams(parameters)}`;
  const response = await send(url, { method: 'HEAD', signal }).catch(async (error) => {
    if (error instanceof Problem && error.status !== 401) {
      // The response to HEAD does not say what is wrong.
      await json(`${path}.json?${new URLSearchParams({ ...parameters, limit: '1' })}`, { signal });
    }
    throw error;
  });
  return Number(response.headers.get('Arrow-Row-Count'));
}

/**
 * The path of a dataset, or of one of its versions.
 *
 * @param {string} name
 * @param {number | string | null} [version]
 */
export function datasetPath(name, version = null) {
  return `${base}/datasets/${encodeURIComponent(name)}${version === null ? '' : `@${version}`}`;
}
