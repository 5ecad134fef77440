// The tokens of statements and conditions, and names as these spell them. Nothing here touches the page.
// @ts-check

import { identifier } from './conditions.js';

/** @typedef {{ kind: string, text: string, start: number, end: number }} Token */

/** @type {[string, RegExp][]} */
const TOKENS = [
  ['comment', /--[^\n]*|\/\*[^]*?(?:\*\/|$)/y],
  ['text', /[eE]'(?:[^'\\]|\\[^]|'')*'?|'(?:[^']|'')*'?|\$([A-Za-z_]\w*|)\$[^]*?(?:\$\1\$|$)/y],
  ['quoted', /"(?:[^"]|"")*"?/y],
  ['parameter', /\$\w+|\?/y],
  ['word', /[\p{L}_][\p{L}\p{N}_]*/uy],
  ['number', /[0-9][\w.]*/y],
];
const SPACE = /\s+/y;

/**
 * Returns the tokens of a statement, without the space between them.
 *
 * @param {string} sql
 * @returns {Token[]}
 */
export function tokens(sql) {
  /** @type {Token[]} */
  const found = [];
  let at = 0;
  while (at < sql.length) {
    SPACE.lastIndex = at;
    if (SPACE.test(sql)) {
      at = SPACE.lastIndex;
      continue;
    }
    const token = tokenAt(sql, at);
    found.push(token);
    at = token.end;
  }
  return found;
}

/**
 * @param {string} sql
 * @param {number} start
 * @returns {Token}
 */
function tokenAt(sql, start) {
  for (const [kind, pattern] of TOKENS) {
    pattern.lastIndex = start;
    if (pattern.test(sql)) {
      return { kind, text: sql.slice(start, pattern.lastIndex), start, end: pattern.lastIndex };
    }
  }
  return { kind: 'sign', text: sql[start], start, end: start + 1 };
}

/**
 * Returns a name as a statement spells it: quoted, unless it is plain and not a keyword.
 *
 * @param {string} name
 * @param {Set<string>} keywords
 */
export function quoted(name, keywords) {
  return /^[a-z_][a-z0-9_]*$/.test(name) && !keywords.has(name) ? name : identifier(name);
}
