// A mistake in a filter: its place in the text, its sentence, and what to write.
// @ts-check

import { element, present, visible } from '../lib/elements.js';

const MOST_BESIDE_CHARACTERS = 60;

/**
 * @param {import('../lib/requests.js').Problem} problem
 * @param {string} text the condition
 * @param {HTMLElement | null} action what else the user may want
 */
export function mistake(problem, text, action) {
  const { hint } = problem.document ?? {};
  return element(
    'div',
    { class: 'mistake', role: 'alert' },
    place(problem, text),
    element('p', {}, problem.message),
    ...present([hint ? element('p', { class: 'hint' }, hint) : null, action]),
  );
}

/**
 * The text around the mistake, with a mark on it, or null if the service does not tell where it is.
 *
 * @param {import('../lib/requests.js').Problem} problem
 * @param {string} text
 */
function place({ document: told }, text) {
  if (typeof told?.position !== 'number') {
    return null;
  }
  const start = Math.min(told.position, text.length);
  const length = told.length ?? (/^[\p{L}\p{N}_]+/u.exec(text.slice(start))?.[0].length || 1);
  const before = text.slice(0, start);
  const marked = text.slice(start, start + length);
  const after = text.slice(start + length);
  return element(
    'code',
    { class: 'place' },
    before.length > MOST_BESIDE_CHARACTERS ? `…${visible(before.slice(-MOST_BESIDE_CHARACTERS))}` : visible(before),
    element('mark', {}, marked === '' ? ' ' : visible(marked)),
    after.length > MOST_BESIDE_CHARACTERS ? `${visible(after.slice(0, MOST_BESIDE_CHARACTERS))}…` : visible(after),
  );
}
