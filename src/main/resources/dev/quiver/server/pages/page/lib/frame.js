// The frame of another site that shows this page, if there is one: the page only reads there, and leads out of it.
// @ts-check

import { element } from './elements.js';

/**
 * Whether a page of another site shows this page, and could lead its visitor to click what they do not see. There, nothing is
 * written, and no token is asked for or sent.
 */
export const isFramed = window.self !== window.top;

/** Pages that no frame may show. */
const UNFRAMED = ['/inspect', '/api'];

/** A link that leaves the frame. */
export function ownTab() {
  const link = element('a', { href: location.href, target: '_blank' }, 'Open in a tab');
  // The fragment may have changed.
  link.addEventListener('click', () => (link.href = location.href));
  return link;
}

if (isFramed) {
  document.querySelector('.site')?.append(ownTab());
  for (const path of UNFRAMED) {
    document.querySelectorAll(`a[href$="${path}"]`).forEach((link) => link.setAttribute('target', '_blank'));
  }
}
