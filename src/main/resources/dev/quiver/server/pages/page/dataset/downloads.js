// The links of the menu of downloads: the rows as they are on the screen, and the whole version where that is something else.
// @ts-check

import { element } from '../lib/elements.js';
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

/** The parameters of CSV whose texts a spreadsheet does not run, with the mark by which Excel knows UTF-8. */
const FOR_SPREADSHEETS = 'text=safe&bom=true';

/**
 * The content of the menu.
 *
 * @param {import('./dataset-page.js').Dataset} dataset
 * @param {HTMLAnchorElement[]} links of the page without scripts, whose texts are suffixes or names of documents
 */
export async function downloads(dataset, links) {
  const suffixes = links.map(({ textContent }) => textContent ?? '');
  const formats = Object.entries(FORMATS).filter(([suffix]) => suffixes.includes(suffix));
  const documents = links.filter((_, i) => !suffixes[i].startsWith('.'));

  /**
   * A link to each format.
   *
   * @param {(suffix: string) => string} url
   */
  const each = (url) => {
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

  const parameters = new URLSearchParams([...dataset.onScreen()].filter(([, value]) => value !== ''));
  const isSorted = dataset.isSorted();
  const statement = await dataset.sortedOnScreen().catch(() => null);
  /** @param {string} suffix */
  const sorted = (suffix) => `${base}/sql${suffix}?${new URLSearchParams({ q: statement ?? '', name: dataset.name })}`;
  const hasOrder = statement !== null && sorted('').length <= MOST_URL_CHARACTERS;
  /** @param {string} suffix */
  const stored = (suffix) => linked(`${dataset.path}${suffix}${parameters.size > 0 ? `?${parameters}` : ''}`);
  /** @param {string} suffix */
  const whole = (suffix) => linked(`${dataset.path}${suffix}`);
  const isPart = parameters.size > 0 || hasOrder;
  const order = isSorted ? (hasOrder ? ', in this order' : ', in their stored order') : '';
  return [
    element('p', { class: 'title' }, isPart ? `The rows on the screen${order}` : `All rows of version ${dataset.version}${order}`),
    each(hasOrder ? sorted : stored),
    isPart ? element('details', { class: 'rest' }, element('summary', {}, `All rows and columns of version ${dataset.version}`), each(whole)) : '',
    element('p', { class: 'rest' }, 'Described as JSON: ', ...documents.flatMap((link) => [link, ' '])),
  ];
}
