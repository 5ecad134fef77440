// A part of a page that has nothing to show yet: a picture, what is missing, and what to do.
// @ts-check

import { element } from './elements.js';
import { icon } from './icons.js';

/**
 * Makes the part.
 *
 * @param {import('./icons.js').IconName} name of the icon
 * @param {string} title what is missing
 * @param {import('./elements.js').Child} text why, or what helps
 * @param {...HTMLElement} actions buttons and links, the most helpful one first
 */
export function empty(name, title, text, ...actions) {
  const offered = actions.length > 0 ? element('p', { class: 'actions' }, ...actions) : null;
  return element('div', { class: 'empty' }, icon(name), element('p', { class: 'title' }, title), element('p', {}, text), offered);
}
