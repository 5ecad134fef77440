// The failure of a part of a page: its sentence, what helps, and a way to try again.
// @ts-check

import { element } from './elements.js';
import { isFramed, ownTab } from './frame.js';
import { Problem, Unreachable, useToken } from './requests.js';
import { fragment, readState } from './url-state.js';

/** The responses that say what is wrong with what was sent, to which the same request leads again. */
export const MISTAKES = new Set([400, 414, 422]);

/** The views that have the filter of the rows, which is changed there. */
const FILTERED = ['chart', 'profile'];

/**
 * Makes the element of a failure.
 *
 * @param {unknown} error
 * @param {() => unknown} retry called when the user asks for another attempt
 * @param {HTMLElement | null} [instead] what helps in place of another attempt
 */
export function failure(error, retry, instead = null) {
  const isProblem = error instanceof Problem;
  /** @type {(Node | string | null)[]} */
  const parts = [element('p', {}, sentenceOf(error)), hintOf(error)];
  if (isProblem && error.status === 401) {
    parts.push(isFramed ? ownTab() : tokenForm(retry));
  } else if (isProblem && MISTAKES.has(error.status)) {
    parts.push(instead ?? filterLink());
  } else {
    parts.push(again(error, retry));
  }
  if (isOfModule(error)) {
    parts.push(' ', element('button', { type: 'button', onclick: () => location.reload() }, 'Reload the page'));
  }
  const type = isProblem && !MISTAKES.has(error.status) ? error.document?.type : null;
  if (type) {
    parts.push(element('small', {}, type.replace('urn:quiver:problem:', '')));
  }
  return element('div', { class: 'failure', role: 'alert' }, ...parts);
}

/** A link to the rows, where a mistake in the filter of a view is told with its place and corrected, or nothing. */
function filterLink() {
  const { view, values } = readState();
  const filter = { where: values.get('where'), search: values.get('search') };
  return FILTERED.includes(view) && filter.where ? element('p', {}, element('a', { href: fragment('rows', filter) }, 'Change the filter')) : null;
}

/**
 * The advice of the service, or nothing.
 *
 * @param {unknown} error
 */
function hintOf(error) {
  const hint = error instanceof Problem ? error.document?.hint : null;
  return hint ? element('p', { class: 'hint' }, hint) : null;
}

/**
 * The sentence of a failure, and what helps.
 *
 * @param {Error | null} error
 */
export function sentences(error) {
  const hint = error instanceof Problem ? error.document?.hint : null;
  return [error?.message, hint].filter(Boolean).join('. ');
}

/**
 * A failure whose sentences say all that helps.
 *
 * @param {Error} error
 */
export function plainFailure(error) {
  return element('div', { class: 'failure', role: 'alert' }, element('p', {}, error.message), hintOf(error));
}

// The messages of browsers if a module cannot be loaded.
const MODULE = /module/i;

/** @param {unknown} error */
const isOfModule = (error) => error instanceof TypeError && MODULE.test(error.message);

/** @param {unknown} error */
function sentenceOf(error) {
  if (error instanceof Problem || error instanceof Unreachable) {
    return error.message;
  }
  if (isOfModule(error)) {
    return 'A part of this page cannot be loaded. If the service was updated, reload the page.';
  }
  reportError(error);
  return `The page failed: ${error instanceof Error ? error.message : error}`;
}

/**
 * A button that waits as long as the service asks for.
 *
 * @param {unknown} error
 * @param {() => unknown} retry
 */
function again(error, retry) {
  const button = element('button', { type: 'button', onclick: retry }, 'Try again');
  let seconds = (error instanceof Problem && error.retryAfterSeconds) || 0;
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

// The characters that a header may have.
const TOKEN_CHARACTERS = '[\\x21-\\x7e]+';

/**
 * Asks for a token.
 *
 * @param {() => unknown} retry called once it is known
 */
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
