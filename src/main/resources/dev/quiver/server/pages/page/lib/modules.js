// Modules and style sheets that only some views need, fetched when they are needed.
// @ts-check

import { element } from './elements.js';

/**
 * The modules that are fetched when they are needed, by their paths below the folder of all pages.
 *
 * @typedef {{
 *   'anatomy/anatomy.js': typeof import('../anatomy/anatomy.js'),
 *   'anatomy/local-file.js': typeof import('../anatomy/local-file.js'),
 *   'chart/chart-view.js': typeof import('../chart/chart-view.js'),
 *   'chart/chart.js': typeof import('../chart/chart.js'),
 *   'chart/map.js': typeof import('../chart/map.js'),
 *   'dataset/asked-statement.js': typeof import('../dataset/asked-statement.js'),
 *   'dataset/downloads.js': typeof import('../dataset/downloads.js'),
 *   'dataset/header-pictures.js': typeof import('../dataset/header-pictures.js'),
 *   'dataset/profile-view.js': typeof import('../dataset/profile-view.js'),
 *   'drawers/cell-drawer.js': typeof import('../drawers/cell-drawer.js'),
 *   'drawers/column-chooser.js': typeof import('../drawers/column-chooser.js'),
 *   'drawers/column-drawer.js': typeof import('../drawers/column-drawer.js'),
 *   'drawers/keys-drawer.js': typeof import('../drawers/keys-drawer.js'),
 *   'drawers/link-drawer.js': typeof import('../drawers/link-drawer.js'),
 *   'drawers/record-drawer.js': typeof import('../drawers/record-drawer.js'),
 *   'drawers/rows-drawer.js': typeof import('../drawers/rows-drawer.js'),
 *   'dataset/schema-view.js': typeof import('../dataset/schema-view.js'),
 *   'dataset/snippets-view.js': typeof import('../dataset/snippets-view.js'),
 *   'dataset/sorting.js': typeof import('../dataset/sorting.js'),
 *   'dataset/statistics.js': typeof import('../dataset/statistics.js'),
 *   'dataset/versions-view.js': typeof import('../dataset/versions-view.js'),
 *   'filter/condition-form.js': typeof import('../filter/condition-form.js'),
 *   'filter/example.js': typeof import('../filter/example.js'),
 *   'filter/filter-bar.js': typeof import('../filter/filter-bar.js'),
 *   'grid/copy-drawer.js': typeof import('../grid/copy-drawer.js'),
 *   'grid/found-order.js': typeof import('../grid/found-order.js'),
 *   'grid/row-order.js': typeof import('../grid/row-order.js'),
 *   'grid/selection-sums.js': typeof import('../grid/selection-sums.js'),
 *   'grid/sorts.js': typeof import('../grid/sorts.js'),
 *   'sql/result-order.js': typeof import('../sql/result-order.js'),
 *   'sql/result-statistics.js': typeof import('../sql/result-statistics.js'),
 *   'lib/empty.js': typeof import('../lib/empty.js'),
 *   'upload/example-file.js': typeof import('../upload/example-file.js'),
 *   'upload/preview-form.js': typeof import('../upload/preview-form.js'),
 *   'upload/upload-client.js': typeof import('../upload/upload-client.js'),
 *   'upload/upload-line.js': typeof import('../upload/upload-line.js'),
 * }} Modules
 */

const attempts = new Map();

/**
 * Imports a module. Browsers remember a module that failed to load, so the next attempt names it by another fragment.
 *
 * @template {keyof Modules} Path
 * @param {Path} path
 * @returns {Promise<Modules[Path]>}
 */
export async function load(path) {
  const failed = attempts.get(path) ?? 0;
  try {
    return await import(`../${path}${failed === 0 ? '' : `#${failed}`}`);
  } catch (error) {
    attempts.set(path, failed + 1);
    throw error;
  }
}

/** @type {Map<string, Promise<unknown>>} */
const sheets = new Map();

/**
 * Loads a style sheet, once.
 *
 * @param {string} path below the folder of all pages
 */
export function stylesheet(path) {
  let loaded = sheets.get(path);
  if (!loaded) {
    const link = element('link', { rel: 'stylesheet', href: new URL(`../${path}`, import.meta.url) });
    loaded = new Promise((resolve, reject) => {
      link.addEventListener('load', resolve);
      link.addEventListener('error', () => {
        link.remove();
        sheets.delete(path);
        reject(new Error(`Expected ${path} but found nothing`));
      });
    });
    sheets.set(path, loaded);
    document.head.append(link);
  }
  return loaded;
}
