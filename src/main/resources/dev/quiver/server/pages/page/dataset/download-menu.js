// The menu of downloads: the rows as they are on the screen, and the whole version where that is something else.
// @ts-check

import { element } from '../lib/elements.js';
import { labelled } from '../lib/icons.js';
import { MOST_URL_CHARACTERS, base, linked } from '../lib/requests.js';

/** The formats by their suffixes. Those that most people open come first. */
const FORMATS = {
  '.csv': 'CSV',
  '.xlsx': 'Excel',
  '.parquet': 'Parquet',
  '.arrow': 'Arrow',
  '.json': 'JSON',
  '.jsonl': 'JSON lines',
  '.tsv': 'TSV',
  '.arrows': 'Arrow stream',
  '.txt': 'Text table',
};

/**
 * The parameters of CSV whose texts a spreadsheet does not run, with the mark by which Excel knows UTF-8.
 */
const FOR_SPREADSHEETS = 'text=safe&bom=true';

/**
 * Takes the links that without scripts stand above all else, and makes one menu of them.
 *
 * @param {import('./dataset-page.js').Dataset} dataset
 */
export function downloadMenu(dataset) {
  const all = /** @type {HTMLAnchorElement[]} */ ([...document.querySelectorAll('header nav a')]);
  document.querySelector('header nav')?.remove();
  const statements = all.filter(({ pathname }) => pathname === `${base}/sql`);
  const suffixes = all.map(({ textContent }) => textContent ?? '');
  const documents = all.filter((link, i) => !suffixes[i].startsWith('.') && !statements.includes(link));
  const formats = Object.entries(FORMATS).filter(([suffix]) => suffixes.includes(suffix));
  const content = element('div');

  /**
   * A link to each format.
   *
   * @param {(suffix: string) => string} url
   */
  const links = (url) => {
    const csv = url('.csv');
    /** @param {string} label @param {string} suffix @param {string} href */
    const link = (label, suffix, href) => element('a', { href, download: `${dataset.name}${suffix}` }, label, ' ', element('small', {}, suffix));
    return element(
      'div',
      { class: 'formats' },
      ...formats.map(([suffix, label]) => link(label, suffix, url(suffix))),
      link('CSV for spreadsheets', '.csv', `${csv}${csv.includes('?') ? '&' : '?'}${FOR_SPREADSHEETS}`),
    );
  };

  const show = async () => {
    if (!menu.open) {
      return;
    }
    const { isSorted, parameters, statement } = await onScreen(dataset);
    /** @param {string} suffix */
    const sorted = (suffix) => `${base}/sql${suffix}?${new URLSearchParams({ q: statement ?? '' })}`;
    const canSort = statement !== null && sorted('').length <= MOST_URL_CHARACTERS;
    /** @param {string} suffix */
    const stored = (suffix) => linked(`${dataset.path}${suffix}${parameters.size > 0 ? `?${parameters}` : ''}`);
    /** @param {string} suffix */
    const whole = (suffix) => linked(`${dataset.path}${suffix}`);
    const isOther = parameters.size > 0 || canSort;
    const order = isSorted ? (canSort ? ', in this order' : ', in their stored order') : '';
    content.replaceChildren(
      element('p', { class: 'title' }, isOther ? `The rows on the screen${order}` : `All rows of version ${dataset.version}${order}`),
      links(canSort ? sorted : stored),
      isOther ? element('details', { class: 'rest' }, element('summary', {}, `All rows and columns of version ${dataset.version}`), links(whole)) : '',
      element('p', { class: 'rest' }, 'Described as JSON: ', ...documents.flatMap((link) => [link, ' '])),
    );
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

/**
 * What selects the rows on the screen: parameters, or a statement if they are sorted, unless no statement finds them.
 *
 * @param {import('./dataset-page.js').Dataset} dataset
 */
async function onScreen(dataset) {
  const values = dataset.onScreen();
  const parameters = new URLSearchParams([...values].filter(([, value]) => value !== ''));
  return { parameters, isSorted: dataset.isSorted(), statement: await dataset.sortedOnScreen().catch(() => null) };
}
