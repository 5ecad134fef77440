// The columns of datasets, which are fetched once.
// @ts-check

import { datasetPath, json } from '../lib/requests.js';

/** @typedef {import('./conditions.js').SchemaField} SchemaField */

/** @type {Map<string, Promise<SchemaField[]>>} */
const known = new Map();

/**
 * @param {string} name
 * @param {string | null} [version]
 * @returns {Promise<SchemaField[]>}
 */
export function columnsOf(name, version = null) {
  const path = `${datasetPath(name, version)}/schema`;
  const found = known.get(path) ?? json(path).then(({ fields }) => fields);
  known.set(path, found);
  // The next attempt asks again.
  found.catch(() => known.delete(path));
  return found;
}

/** Forgets the columns, which a write may have changed. */
export function forgetColumns() {
  known.clear();
}
