// The menu of downloads, whose content is loaded when it is opened, and the link to statements.
// @ts-check

import { element } from '../lib/elements.js';
import { failure } from '../lib/failure.js';
import { labelled } from '../lib/icons.js';
import { load } from '../lib/modules.js';
import { base } from '../lib/requests.js';

/**
 * Takes the links that without scripts stand above all else, and makes one menu of them.
 *
 * @param {import('./dataset-page.js').Dataset} dataset
 */
export function downloadMenu(dataset) {
  const all = /** @type {HTMLAnchorElement[]} */ ([...document.querySelectorAll('header nav a')]);
  document.querySelector('header nav')?.remove();
  const statements = all.filter(({ pathname }) => pathname === `${base}/sql`);
  const others = all.filter((link) => !statements.includes(link));
  const content = element('div');
  const show = async () => {
    if (menu.open) {
      try {
        const { downloads } = await load('dataset/downloads.js');
        content.replaceChildren(...(await downloads(dataset, others)));
      } catch (error) {
        content.replaceChildren(failure(error, show));
      }
    }
  };
  const summary = element('summary', { class: 'button' }, ...labelled('download', 'Download'));
  const menu = element('details', { class: 'menu', ontoggle: show }, summary, content);
  document.addEventListener('click', ({ target }) => {
    if (!menu.contains(/** @type {Node} */ (target))) {
      menu.open = false;
    }
  });
  menu.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && menu.open) {
      menu.open = false;
      summary.focus();
      event.preventDefault();
    }
  });
  statements.forEach((link) => {
    link.className = 'button';
    link.replaceChildren(...labelled('terminal', link.textContent ?? ''));
  });
  return element('div', { class: 'links' }, ...statements, menu);
}
