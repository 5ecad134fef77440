// The completion of a statement: what may stand at the cursor.
// @ts-check

import { present } from '../lib/elements.js';
import { base, json } from '../lib/requests.js';
import { columnsOf } from './dataset-columns.js';
import { FUNCTIONS, KEYWORDS, RESERVED, TYPES } from './sql-keywords.js';
import { expectsTable, quoted, tables, tokens } from './statement.js';

/**
 * The context of a completion in CodeMirror: the text, the position of the cursor, and whether the user has asked for it.
 *
 * @typedef {{ state: { doc: { toString(): string } }, pos: number, explicit: boolean, aborted: boolean, view?: { hasFocus: boolean } }} Context
 */

const MOST_NAMES = 50;
const MOST_NAME_CHARACTERS = 100;
const MOST_TABLES = 8;
const MOST_COLUMNS = 5_000;
const NOT_A_NAME = new Set(RESERVED);

const WORDS = [
  ...KEYWORDS.map((word) => ({ label: word.toUpperCase(), type: 'keyword', boost: -1 })),
  ...TYPES.map((word) => ({ label: word.toUpperCase(), type: 'type', boost: -3 })),
  ...FUNCTIONS.map((word) => ({ label: word, apply: `${word}(`, type: 'function', detail: 'function', boost: -2 })),
];

/**
 * Returns completions at the cursor: datasets, columns of the datasets that the statement names, and words of SQL.
 *
 * @param {Context} context
 */
export async function complete(context) {
  const sql = context.state.doc.toString();
  const before = tokens(sql.slice(0, context.pos));
  const last = before.at(-1);
  const isOpen = last !== undefined && last.end === context.pos && (last.kind === 'word' || (last.kind === 'quoted' && !closed(last.text)));
  const inText = last !== undefined && last.end === context.pos && (last.kind === 'comment' || (last.kind === 'text' && !/.['$]$/.test(last.text)));
  if (inText || last?.kind === 'number' && last.end === context.pos) {
    return null;
  }
  const from = isOpen ? last.start : context.pos;
  const rest = isOpen ? before.slice(0, -1) : before;
  if (expectsTable(rest)) {
    return completeTable(isOpen ? last.text.replace(/^"/, '') : '', from, context);
  }
  const dot = rest.at(-1);
  const isMember = dot?.text === '.' && dot.end === from;
  if (!isOpen && !isMember && !context.explicit) {
    return null;
  }
  const named = tables(sql);
  const owner = rest.at(-2)?.text.replaceAll('"', '') ?? '';
  const datasets = isMember ? present([named.get(owner)]) : [...new Set(named.values())].slice(0, MOST_TABLES);
  const columns = (await Promise.all(datasets.map(completeColumns))).flat();
  if (isLeft(context)) {
    return null;
  }
  return {
    from,
    options: isMember || last?.kind === 'quoted' && isOpen ? columns : [...columns, ...WORDS],
    validFor: /^"?[\p{L}\p{N}_]*$/u,
  };
}

/**
 * Whether the completion comes too late: the user has typed on, or is elsewhere.
 *
 * @param {Context} context
 */
const isLeft = (context) => context.aborted || (context.view && !context.view.hasFocus);

/** @param {string} text */
const closed = (text) => text.length > 1 && /^"(?:[^"]|"")*"$/.test(text);

/**
 * Datasets by their first letters, since there may be very many.
 *
 * @param {string} prefix
 * @param {number} from
 * @param {Context} context
 */
async function completeTable(prefix, from, context) {
  const parameters = new URLSearchParams({ limit: String(MOST_NAMES), prefix });
  let found;
  try {
    found = await json(`${base}/datasets?${parameters}`);
  } catch {
    return null;
  }
  if (isLeft(context)) {
    return null;
  }
  const options = found.datasets
    .filter((/** @type {any} */ { damaged }) => !damaged)
    .map((/** @type {any} */ { name, rows }) => ({
      label: name,
      apply: quoted(name, NOT_A_NAME),
      type: 'class',
      detail: `${Number(rows).toLocaleString('en-US')} rows`,
    }));
  return { from, options, filter: false };
}

/**
 * The completions of the columns of a dataset. It may not exist: half a name, as a rule, which is asked for without a failure.
 *
 * @param {string} dataset
 */
async function completeColumns(dataset) {
  const [, name, version] = /** @type {RegExpExecArray} */ (/^([^]*?)(?:@(\d+))?$/.exec(dataset));
  try {
    const fields = (await exists(name)) ? await columnsOf(name, version ?? null) : [];
    return fields.slice(0, MOST_COLUMNS).map(completionOf);
  } catch {
    return [];
  }
}

/** The datasets that are known to exist. */
const existing = new Set();

/** @param {string} name */
async function exists(name) {
  if (existing.has(name)) {
    return true;
  }
  const parameters = new URLSearchParams({ limit: '1', prefix: name, ...placeBefore(name) });
  const { datasets } = await json(`${base}/datasets?${parameters}`);
  if (datasets[0]?.name !== name) {
    return false;
  }
  existing.add(name);
  return true;
}

/**
 * The place before a name in the list, where digits come before the end of a name, and small letters after it.
 *
 * @param {string} name
 * @returns {Record<string, string>}
 */
function placeBefore(name) {
  return name.length < MOST_NAME_CHARACTERS ? { after: `${name}9`.padEnd(MOST_NAME_CHARACTERS, 'z') } : {};
}

/** @param {{ name: string, arrowType: string }} field */
function completionOf({ name, arrowType }) {
  return { label: name, apply: quoted(name, NOT_A_NAME), type: 'property', detail: arrowType.slice(0, 40), boost: 2 };
}
