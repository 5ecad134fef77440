// The menu of downloads: all formats and documents of a version, and what is shown of it.
// @ts-check

import { element } from '../lib/elements.js';
import { MOST_URL_CHARACTERS, base, linked } from '../lib/requests.js';

/** @param {string} label @param {HTMLElement[]} links */
const group = (label, links) => [element('p', {}, element('small', {}, label)), element('div', { class: 'links' }, ...links)];

/**
 * The link to CSV whose texts a spreadsheet does not run, with the mark by which Excel knows UTF-8.
 *
 * @param {string} csv the URL of the exact one
 */
const forSpreadsheets = (csv) => element('a', { href: `${csv}${csv.includes('?') ? '&' : '?'}text=safe&bom=true` }, 'CSV for spreadsheets');

/**
 * Takes the links that without scripts stand above all else, and makes one menu of them.
 *
 * @param {import('./dataset-page.js').Dataset} dataset
 */
export function downloadMenu(dataset) {
  const all = /** @type {HTMLAnchorElement[]} */ ([...document.querySelectorAll('header nav a')]);
  document.querySelector('header nav')?.remove();
  const statements = all.filter(({ pathname }) => pathname === `${base}/sql`);
  const formats = all.filter((link) => link.textContent?.startsWith('.'));
  const documents = all.filter((link) => !formats.includes(link) && !statements.includes(link));
  const shown = element('div');
  const showSelection = async () => {
    if (!menu.open) {
      return;
    }
    const parameters = new URLSearchParams([...dataset.onScreen()].filter(([, value]) => value !== ''));
    /** @param {(suffix: string) => string} url */
    const links = (url) => [...formats.map(({ textContent: suffix }) => element('a', { href: url(suffix ?? '') }, suffix)), forSpreadsheets(url('.csv'))];
    /** @param {string} suffix */
    const stored = (suffix) => linked(`${dataset.path}${suffix}?${parameters}`);
    const statement = await dataset.sortedOnScreen().catch(() => null);
    /** @param {string} suffix */
    const sorted = (suffix) => `${base}/sql${suffix}?${new URLSearchParams({ q: statement ?? '' })}`;
    shown.replaceChildren(
      ...(parameters.size > 0 ? group('Rows and columns as shown, in their stored order', links(stored)) : []),
      ...(statement !== null && sorted('').length <= MOST_URL_CHARACTERS ? group('Rows and columns as shown, sorted, as SQL returns them', links(sorted)) : []),
    );
  };
  const csv = formats.find(({ textContent }) => textContent === '.csv')?.getAttribute('href') ?? '';
  const summary = element('summary', {}, 'Download');
  const menu = element(
    'details',
    { class: 'menu', ontoggle: showSelection },
    summary,
    element('div', {}, shown, ...group('All rows of this version', [...formats, forSpreadsheets(csv)]), ...group('Documents', documents)),
  );
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
  return element('div', { class: 'links' }, ...statements, ' ', menu);
}
