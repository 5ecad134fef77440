// The sentence that tells which rows a view is over.
// @ts-check

import { element, visible } from '../lib/elements.js';
import { fragment, readState } from '../lib/url-state.js';

/**
 * Returns the parts of the sentence, with a link to the view of all rows, or none if it is over all.
 *
 * @param {string} view the name of the view in the fragment
 * @param {string} where the condition of the rows, or ''
 * @param {string} search the text that the rows have, or ''
 * @returns {(Node | string)[]}
 */
export function among(view, where, search = '') {
  const filters = [search, where].filter((text) => text !== '');
  const all = fragment(view, { ...Object.fromEntries(readState().values), where: null, search: null });
  return filters.length === 0
    ? []
    : [
        'Of the rows with ',
        ...filters.flatMap((text, i) => [...(i === 0 ? [] : [' and ']), element('code', {}, visible(text))]),
        ' ',
        element('a', { href: all }, 'All rows'),
      ];
}
