// The link to what is shown: on the clipboard, or in the drawer where the browser does not permit that.
// @ts-check

import { select } from '../lib/clipboard.js';
import { element } from '../lib/elements.js';

export { copy as share } from '../lib/clipboard.js';

/**
 * @param {import('../dataset/rows-view.js').RowsView} view
 * @param {string} url
 * @returns {import('../lib/drawer.js').DrawerContent}
 */
export function content(view, url) {
  const shown = element('pre', { role: 'group', tabindex: 0, 'aria-label': 'Link' }, url);
  // The drawer takes the focus first.
  setTimeout(() => select(shown));
  return { title: ['Share'], nodes: [element('p', {}, 'This link shows these rows, of this version:'), shown] };
}
