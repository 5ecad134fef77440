// Two versions of a dataset side by side.
// @ts-check

import { byteSize, counted, element, grouped, isolated, visible } from '../lib/elements.js';
import { failure } from '../lib/failure.js';
import { Problem, countRows, datasetPath, json, linked } from '../lib/requests.js';

const MOST_DIFFERENCES = 200;

/** @type {Record<string, string>} */
const CHANGES = { upload: 'all rows', append: 'rows added', extend: 'columns added', compaction: 'same rows' };

/**
 * The change that a version made, in the words of people.
 *
 * @param {string} kind
 */
export const changeName = (kind) => CHANGES[kind] ?? kind;

/**
 * The latest comparison of each part of the page, which others make way for.
 *
 * @type {WeakMap<HTMLElement, object>}
 */
const latest = new WeakMap();

/**
 * Shows what differs between two versions, of which the second is the later one.
 *
 * @param {HTMLElement} host
 * @param {string} name
 * @param {number[]} versions
 */
export async function comparison(host, name, [first, second]) {
  host.replaceChildren(element('p', { class: 'count' }, `Versions ${grouped(first)} and ${grouped(second)}…`));
  const current = {};
  latest.set(host, current);
  try {
    /** @param {number} version */
    const read = (version) => Promise.all(['summary', 'schema'].map((part) => json(`${datasetPath(name, version)}/${part}`)));
    const [[before, old], [after, young], added] = await Promise.all([read(first), read(second), addedRows(name, first, second)]);
    if (latest.get(host) === current) {
      host.replaceChildren(heading(first, second), counts(before, after), added, ...schemaChanges(old, young));
    }
  } catch (error) {
    if (latest.get(host) === current) {
      host.replaceChildren(heading(first, second), failure(error, () => comparison(host, name, [first, second])));
    }
  }
}

/**
 * @param {number} first
 * @param {number} second
 */
function heading(first, second) {
  return element('h2', {}, `Versions ${grouped(first)} and ${grouped(second)}`);
}

/**
 * Returns a link to the rows that appends have added, or a text that says why it is missing.
 *
 * @param {string} name
 * @param {number} first
 * @param {number} second
 */
async function addedRows(name, first, second) {
  const path = datasetPath(name, second);
  try {
    const rows = await countRows(path, { since: first });
    const link = element('a', { href: linked(`${path}?since=${first}`) }, `${counted(rows, 'row')} added since`);
    return rows === 0
      ? element('p', {}, `No rows were added since version ${grouped(first)}.`)
      : element('p', {}, link, ` version ${grouped(first)}`);
  } catch (error) {
    if (error instanceof Problem && error.status === 409) {
      return element('p', {}, `Version ${grouped(error.document?.replacement)} replaced all rows or added columns to them.`);
    }
    throw error;
  }
}

/**
 * @param {any} before
 * @param {any} after
 */
function counts(before, after) {
  /**
   * @param {string} label
   * @param {string} member
   * @param {(value: any) => string} text
   * @param {boolean} [difference]
   */
  const line = (label, member, text, difference) =>
    element(
      'tr',
      {},
      element('th', { scope: 'row' }, label),
      element('td', { class: 'number' }, text(before[member])),
      element('td', { class: 'number' }, text(after[member])),
      element('td', { class: 'number' }, difference ? signed(after[member], before[member], text) : ''),
    );
  /** @param {any} value */
  const same = (value) => value ?? 'none';
  /** @param {any} value */
  const time = (value) => (value ? value.slice(0, 19).replace('T', ' ') : 'never');
  return element(
    'div',
    { class: 'scroll', tabindex: 0 },
    element(
      'table',
      { class: 'counts' },
      element(
        'thead',
        {},
        element(
          'tr',
          {},
          element('td'),
          ...[before, after].map(({ version }) => element('th', { class: 'number', scope: 'col' }, `version ${grouped(version)}`)),
          element('th', { class: 'number', scope: 'col' }, 'difference'),
        ),
      ),
      element(
        'tbody',
        {},
        line('change', 'kind', changeName),
        line('written (UTC)', 'modified', time),
        line('rows', 'rows', grouped, true),
        line('record batches', 'batches', grouped, true),
        line('columns', 'columnCount', grouped, true),
        line('size', 'bytes', byteSize, true),
        line('compression', 'codec', same),
        line('ends', 'expires', time),
      ),
    ),
  );
}

/**
 * Returns the difference of two numbers with its sign, or '' if either is unknown.
 *
 * @param {number} now
 * @param {number} before
 * @param {(value: number) => string} text
 */
export function signed(now, before, text) {
  const difference = now - before;
  if (Number.isNaN(difference) || difference === 0) {
    return difference === 0 ? '0' : '';
  }
  return `${difference > 0 ? '+' : '−'}${text(Math.abs(difference))}`;
}

/**
 * @param {any} old
 * @param {any} young
 */
function schemaChanges(old, young) {
  const found = differences(old, young);
  if (found.length === 0) {
    return [element('p', {}, 'The schema is the same.')];
  }
  const items = found.slice(0, MOST_DIFFERENCES).map(([name, change]) => element('li', {}, isolated(visible(name) || '(no name)'), `: ${change}`));
  const more = found.length - items.length;
  return [
    element('h3', {}, 'Schema'),
    element('ul', {}, ...items, ...(more > 0 ? [element('li', {}, `and ${grouped(more)} more`)] : [])),
  ];
}

/**
 * The differences of two schemas as pairs of a name and a sentence. Columns of the same name correspond, in their order.
 *
 * @param {any} old
 * @param {any} young
 */
function differences(old, young) {
  const found = [];
  const before = byName(old.fields);
  const after = byName(young.fields);
  before.forEach((field, key) => after.has(key) || found.push([field.name, 'removed']));
  after.forEach((field, key) => {
    const former = before.get(key);
    if (!former) {
      found.push([field.name, `added as ${visible(field.arrowType)}`]);
      return;
    }
    if (former.arrowType !== field.arrowType) {
      found.push([field.name, `${visible(former.arrowType)} became ${visible(field.arrowType)}`]);
    }
    if (former.nullable !== field.nullable) {
      found.push([field.name, field.nullable ? 'may have nulls now' : 'may have no nulls any more']);
    }
    if (JSON.stringify(former.metadata) !== JSON.stringify(field.metadata)) {
      found.push([field.name, 'has other metadata']);
    }
  });
  /**
   * @param {Map<string, unknown>} map
   * @param {Map<string, unknown>} other
   */
  const kept = (map, other) => [...map.keys()].filter((key) => other.has(key)).join('\n');
  if (kept(before, after) !== kept(after, before)) {
    found.push(['columns', 'in another order']);
  }
  if (JSON.stringify(old.metadata) !== JSON.stringify(young.metadata)) {
    found.push(['schema', 'has other metadata']);
  }
  return found;
}

/**
 * Fields by their name and how many of the same name come before.
 *
 * @param {import('../sql/conditions.js').SchemaField[]} fields
 */
function byName(fields) {
  const counts = new Map();
  return new Map(
    fields.map((field) => {
      const count = counts.get(field.name) ?? 0;
      counts.set(field.name, count + 1);
      return [`${count} ${field.name}`, field];
    }),
  );
}
