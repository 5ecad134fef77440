// Countries by their codes of ISO 3166-1 and their English names, with their outlines.
// @ts-check

import * as world from '../vendor/world-2.0.2.min.js';

/** @typedef {{ type: string, id?: string, properties: { name: string, names: string[] }, geometry: import('./map-geometry.js').Geometry }} Country */

const { topology, feature } = /** @type {any} */ (world);

/** Names that the lists have not. */
const FURTHER = [
  ['UK', 'GB'],
  ['Great Britain', 'GB'],
  ['England', 'GB'],
  ['Burma', 'MM'],
  ['Holland', 'NL'],
  ['Macedonia', 'MK'],
  ['Turkey', 'TR'],
  ['Swaziland', 'SZ'],
  ['Ivory Coast', 'CI'],
  ['Czech Republic', 'CZ'],
  ['Congo-Kinshasa', 'CD'],
  ['Congo-Brazzaville', 'CG'],
  ['Korea', 'KR'],
  ['U.S.A.', 'US'],
];

/** @type {Country[]} */
export const countries = feature(topology, topology.objects.countries).features;

const found = new Map();
for (const country of countries) {
  const { name, names } = country.properties;
  [name, ...names].forEach((each) => found.set(folded(each), country));
}
for (const [name, code] of FURTHER) {
  found.set(folded(name), found.get(folded(code)));
}

/**
 * A name without case, accents, signs and articles.
 *
 * @param {string} name
 */
function folded(name) {
  const letters = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('&', ' and ');
  return letters.replace(/\b(the|and|of)\b/g, '').replace(/[^\p{L}\p{N}]/gu, '');
}

/**
 * The country of a name or a code, or undefined if it is unknown, or too small for the map.
 *
 * @param {string} name
 * @returns {Country | undefined}
 */
export function countryOf(name) {
  return found.get(folded(name));
}
