// The tokens of statements and conditions, and names as these spell them. Nothing here touches the page.
// @ts-check

import { identifier } from './conditions.js';

/** @typedef {{ kind: string, text: string, start: number, end: number }} Token */

/** @type {[string, RegExp][]} */
const TOKENS = [
  ['comment', /--[^\n\r]*/y],
  ['text', /[eE]'(?:[^'\\]|\\[^]|'')*'?|'(?:[^']|'')*'?|\$([\p{L}_][\p{L}\p{N}_]*|)\$[^]*?(?:\$\1\$|$)/uy],
  ['quoted', /"(?:[^"]|"")*"?/y],
  ['parameter', /\$\w+|\?/y],
  ['word', /[\p{L}_][\p{L}\p{N}_$]*/uy],
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
  if (sql.startsWith('/*', start)) {
    const end = endOfComment(sql, start);
    return { kind: 'comment', text: sql.slice(start, end), start, end };
  }
  for (const [kind, pattern] of TOKENS) {
    pattern.lastIndex = start;
    if (pattern.test(sql)) {
      return { kind, text: sql.slice(start, pattern.lastIndex), start, end: pattern.lastIndex };
    }
  }
  const sign = String.fromCodePoint(/** @type {number} */ (sql.codePointAt(start)));
  return { kind: 'sign', text: sign, start, end: start + sign.length };
}

const COMMENT_EDGE = /\/\*|\*\//g;

/**
 * The end of a comment, in which others may be.
 *
 * @param {string} sql
 * @param {number} start
 */
function endOfComment(sql, start) {
  COMMENT_EDGE.lastIndex = start;
  let depth = 0;
  for (let edge = COMMENT_EDGE.exec(sql); edge; edge = COMMENT_EDGE.exec(sql)) {
    depth += edge[0] === '/*' ? 1 : -1;
    if (depth === 0) {
      return COMMENT_EDGE.lastIndex;
    }
  }
  return sql.length;
}

/**
 * The statements of a text, which semicolons separate, each with its place: from its first token on, comments included. Parts
 * without any other token than comments are left out.
 *
 * @param {string} text
 * @returns {{ sql: string, start: number }[]}
 */
export function statements(text) {
  /** @type {Token[][]} */
  const parts = [[]];
  for (const token of tokens(text)) {
    if (token.kind === 'sign' && token.text === ';') {
      parts.push([]);
    } else {
      parts[parts.length - 1].push(token);
    }
  }
  return parts
    .filter((part) => part.some(({ kind }) => kind !== 'comment'))
    .map((part) => ({ sql: text.slice(part[0].start, part[part.length - 1].end), start: part[0].start }));
}

/**
 * A statement as it stands in parentheses within another one, where a comment at its end ends with its line.
 *
 * @param {string} sql
 */
export const withoutEnd = (sql) => statements(sql)[0]?.sql ?? sql;

/**
 * Returns a name as a statement spells it: quoted, unless it is plain and not a keyword.
 *
 * @param {string} name
 * @param {Set<string>} keywords
 */
export function quoted(name, keywords) {
  return /^[a-z_][a-z0-9_]*$/.test(name) && !keywords.has(name) ? name : identifier(name);
}
