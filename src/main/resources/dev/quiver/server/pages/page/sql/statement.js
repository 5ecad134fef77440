// The text of a statement: the datasets that it names, its parameters, and how to run it elsewhere.
// @ts-check

import { base } from '../lib/requests.js';
import { tokens } from './tokens.js';

export { quoted, statements, tokens, withoutEnd } from './tokens.js';

/** @typedef {import('./tokens.js').Token} Token */

/**
 * The names of the parameters of a statement, each once: `least` of `$least`, `1` of `$1` or of the first `?`.
 *
 * @param {string} sql
 */
export function parameterNames(sql) {
  let position = 0;
  const names = tokens(sql)
    .filter(({ kind }) => kind === 'parameter')
    .map(({ text }) => (text === '?' ? String(++position) : text.slice(1)));
  return [...new Set(names)];
}

const BEFORE_TABLE = new Set(['from', 'join', 'describe', 'summarize']);
const AFTER_TABLES = new Set(['where', 'group', 'having', 'order', 'limit', 'union', 'intersect', 'except', 'select', 'window', 'qualify', 'offset']);
const BEFORE_ALIAS = new Set(['as']);
const AFTER_TABLE = new Set([...AFTER_TABLES, 'on', 'using', 'join', 'inner', 'left', 'right', 'full', 'cross', 'natural', 'asof', 'semi', 'anti', 'positional', 'lateral', 'tablesample']);

/**
 * Returns the datasets that a statement names, by the prefixes of their columns.
 *
 * @param {string} sql
 * @returns {Map<string, string>} a map of the alias, or the name, to the name of the dataset
 */
export function tables(sql) {
  /** @type {Map<string, string>} */
  const found = new Map();
  new TableWalk((name, alias) => found.set(alias, name)).all(tokens(sql));
  return found;
}

/**
 * Whether the name of a dataset is expected after some tokens.
 *
 * @param {Token[]} before
 */
export function expectsTable(before) {
  const walk = new TableWalk(() => null);
  walk.all(before);
  return walk.expected;
}

/** Finds where the names of tables are: after FROM, JOIN, and commas between them. */
class TableWalk {
  expected = false;

  #among = [false];
  /** @type {string | null} */
  #named = null;

  /** @param {(name: string, alias: string) => unknown} found called with the name of each table and its alias */
  constructor(found) {
    this.found = found;
  }

  /** @param {Token[]} list */
  all(list) {
    list.filter(({ kind }) => kind !== 'comment').forEach((token) => this.#next(token));
    this.#name();
  }

  /** @param {Token} token */
  #next(token) {
    const word = token.kind === 'word' ? token.text.toLowerCase() : null;
    const isName = token.kind === 'quoted' || word !== null;
    if (token.text === '(') {
      // A name with arguments is a function, such as range(10).
      this.#named = null;
      this.#among.push(false);
      this.expected = false;
    } else if (token.text === ')') {
      this.#name();
      this.#among.length > 1 && this.#among.pop();
      this.expected = false;
    } else if (token.text === ',') {
      this.#name();
      this.expected = this.#among.at(-1) === true;
    } else if (this.expected && isName && word !== 'lateral') {
      this.#named = unquoted(token);
      this.expected = false;
    } else if (this.#named !== null && isName && !AFTER_TABLE.has(word ?? '')) {
      if (!BEFORE_ALIAS.has(word ?? '')) {
        this.#name(unquoted(token));
      }
    } else {
      this.#name();
      this.#follow(word);
    }
  }

  /** @param {string | null} word */
  #follow(word) {
    this.expected = BEFORE_TABLE.has(word ?? '');
    if (this.expected) {
      this.#among[this.#among.length - 1] = true;
    } else if (AFTER_TABLES.has(word ?? '')) {
      this.#among[this.#among.length - 1] = false;
    }
  }

  /** @param {string | null} [alias] */
  #name(alias = this.#named) {
    if (this.#named !== null) {
      this.found(this.#named, alias ?? this.#named);
      this.#named = null;
    }
  }
}

/** @param {Token} token */
function unquoted({ kind, text }) {
  return kind === 'quoted' ? text.replace(/^"|"$/g, '').replaceAll('""', '"') : text;
}

/**
 * A command that runs a statement. A token is not part of it.
 *
 * @param {string} sql
 * @param {Record<string, string>} parameters
 * @param {boolean} needsToken
 */
export function curl(sql, parameters, needsToken) {
  const query = new URLSearchParams(Object.entries(parameters).map(([name, value]) => [`p.${name}`, value]));
  const url = `${location.origin}${base}/sql.csv${query.size > 0 ? `?${query}` : ''}`;
  const header = needsToken ? '-H "Authorization: Bearer $TOKEN" ' : '';
  return `curl ${header}-H 'Content-Type: application/sql' --data-raw ${shellQuoted(sql)} ${shellQuoted(url)}`;
}

/** @param {string} text */
function shellQuoted(text) {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
