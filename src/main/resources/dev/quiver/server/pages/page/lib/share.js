// A button that copies the link to what is shown, and the link itself for browsers that do not permit that.
// @ts-check

import { copy, select } from './clipboard.js';
import { button, element } from './elements.js';
import { labelled } from './icons.js';
import { linked } from './requests.js';

/** @param {string} path that of a version, of which a later one shows something else */
export function sharing(path) {
  const link = element('pre', { class: 'shared', role: 'group', hidden: true, tabindex: 0, 'aria-label': 'Link' });
  const share = () => {
    link.textContent = new URL(linked(path) + location.hash, location.href).href;
    link.hidden = true;
    copy(link.textContent, () => select(link));
  };
  return { button: button(labelled('share', 'Share'), share, { title: 'Copy a link to what is shown' }), link };
}
