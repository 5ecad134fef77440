// The text of the filter box: whether it is a condition or is searched for, and what may follow it. Nothing here touches the page.
// @ts-check

import { identifier, reference, textLiteral } from '../sql/conditions.js';
import { RESERVED } from '../sql/sql-keywords.js';
import { quoted, tokens } from '../sql/tokens.js';
import { OPERATORS, familyOf, typedLiteral, written } from './condition-parts.js';

/** @typedef {import('./condition-parts.js').NamedColumn} NamedColumn */

/**
 * A text that may take the place of a part of what is typed: from `from` to the cursor.
 *
 * @typedef {{ label: string, detail: string, text: string, from: number, condition?: string }} Suggestion
 */

/**
 * A place in the text where a value of a column is expected, and what of it is there.
 *
 * @typedef {{ column: NamedColumn, from: number, begun: string }} ValuePlace
 */

const NOT_A_NAME = new Set(RESERVED);
const WORDS = /^(and|or|not|is|in|like|ilike|glob|between|similar|null)$/;
const MOST_SUGGESTIONS = 8;
const KINDS = { number: 'number', text: 'text', time: 'time', bool: 'true or false', other: '' };

/**
 * A name as conditions spell it: quoted if that is needed.
 *
 * @param {NamedColumn} column
 */
export const spelled = ({ names }) => names.map((name) => quoted(name, NOT_A_NAME)).join('.');

/**
 * Whether a text is a condition. All other text is searched for: a name or a sentence, say.
 *
 * @param {string} text
 * @param {NamedColumn[]} columns
 */
export function isCondition(text, columns) {
  const all = tokens(text);
  if (all.some(({ kind, text: each }) => kind === 'sign' && /[=<>]/.test(each))) {
    return true;
  }
  const isNamed = all.some(({ kind, text: each }) => kind === 'quoted' || columns.some(({ label }) => label.toLowerCase() === each.toLowerCase())) || columnAtStart(text, columns) !== null;
  const only = all.filter(({ text: each }) => !/^(not|[()])$/i.test(each)).map(({ text: each }) => each.toLowerCase());
  const isTruth = only.length === 1 && columns.some(({ label, type }) => familyOf(type) === 'bool' && [label, identifier(label)].some((name) => name.toLowerCase() === only[0]));
  return isTruth || said(text, columns) !== null || (isNamed && all.some(({ kind, text: each }) => (kind === 'word' && WORDS.test(each.toLowerCase())) || /^[(~]$/.test(each)));
}

/**
 * Whether a text may become a condition: it is how the name of a column begins, or has begun with one.
 *
 * @param {string} text
 * @param {NamedColumn[]} columns
 */
export const mayBecomeCondition = (text, columns) => columns.some(({ label }) => begins(label, text.replace(/^"/, ''))) || columnAtStart(text, columns) !== null;

/**
 * @param {string} text
 * @param {string} beginning
 */
const begins = (text, beginning) => text.slice(0, beginning.length).toLowerCase() === beginning.toLowerCase();

/** @type {[RegExp, string][]} */
const SAID = [
  [/^is\s+not\s+(.+)$/is, '<>'],
  [/^(?:is|equals)\s+(.+)$/is, '='],
  [/^(?:contains|has)\s+(.+)$/is, 'contains'],
  [/^(?:begins|starts)\s+with\s+(.+)$/is, 'begins'],
  [/^(=|<>|!=|<=|>=|<|>|≥|≤|≠)\s*([^'"]+)$/s, ''],
];
/** @type {Record<string, string>} */
const SIGNS = { '!=': '<>', '≠': '<>', '≥': '>=', '≤': '<=' };

/**
 * The comparison that a text says in words, or with a value that has no quotes, or null.
 *
 * @param {string} text
 * @param {NamedColumn[]} columns
 * @returns {import('./condition-parts.js').Comparison | null}
 */
function said(text, columns) {
  const found = columnAtStart(text, columns);
  if (!found) {
    return null;
  }
  const { column } = found;
  const family = familyOf(column.type);
  const rest = text.slice(found.length).trim();
  for (const [form, word] of SAID) {
    const parts = form.exec(rest)?.slice(1) ?? [''];
    const value = /** @type {string} */ (parts.at(-1)).replace(/^(['"])(.*)\1$/s, '$2');
    const operator = word || (SIGNS[parts[0]] ?? parts[0]);
    // A number after a sign of SQL is as SQL writes it.
    const isSql = family === 'number' && operator === parts[0] && /^[-\d.]*$/.test(value);
    if (value !== '' && !isSql && !/\s(and|or)\s|^(not|null)\b/i.test(value) && OPERATORS[operator].families.includes(family)) {
      return { column, operator, values: [value] };
    }
  }
  return null;
}

/**
 * The phrases of people after a column, and the conditions for them. Lists and patterns have no quotes.
 *
 * @type {[RegExp, (column: NamedColumn, not: string, value: string) => string][]}
 */
const PHRASES = [
  [
    /^is\s+(not\s+)?(empty|blank|missing)$/i,
    (column, not) => {
      const name = reference(column);
      const isText = familyOf(column.type) === 'text';
      return not ? `${name} IS NOT NULL${isText ? ` AND ${name} <> ''` : ''}` : isText ? `(${name} IS NULL OR ${name} = '')` : `${name} IS NULL`;
    },
  ],
  [
    /^(not\s+)?in\s*\(?([^'"()]+)\)?$/i,
    (column, not, value) => {
      const values = value.split(',').map((each) => each.trim());
      return `${reference(column)} ${not}IN (${values.filter((each) => each !== '').map((each) => typedLiteral(column.type, each)).join(', ')})`;
    },
  ],
  [/^(not\s+)?i?like\s+([^'"]+)$/i, (column, not, value) => `${reference(column)} ${not}ILIKE ${textLiteral(value)}`],
];

/**
 * The condition that the user may have meant by one that the service does not understand: values without quotes, operators as
 * people say them, or names without quotes.
 *
 * @param {string} text
 * @param {NamedColumn[]} columns
 */
export function meant(text, columns) {
  // Another comparison begins after a word that joins, unless that is a part of a value.
  const joins = tokens(text).filter(({ kind, text: each, end }) => kind === 'word' && /^(and|or)$/i.test(each) && columnAtStart(text.slice(end).trimStart(), columns) !== null);
  const starts = [0, ...joins.map(({ end }) => end)];
  const ends = [...joins.map(({ start }) => start), text.length];
  return starts.map((start, i) => clauseMeant(text.slice(start, ends[i]), columns) + text.slice(ends[i], starts[i + 1] ?? text.length)).join('');
}

/**
 * @param {string} clause with the blanks around it
 * @param {NamedColumn[]} columns
 */
function clauseMeant(clause, columns) {
  const [, before, text, after] = /** @type {RegExpExecArray} */ (/^(\s*)(.*?)(\s*)$/s.exec(clause));
  const found = columnAtStart(text, columns);
  const rest = found ? text.slice(found.length).trim() : '';
  for (const [form, condition] of found ? PHRASES : []) {
    const [, not = '', value] = form.exec(rest) ?? [];
    if (found && value !== undefined) {
      return before + condition(found.column, not === '' ? '' : 'NOT ', value) + after;
    }
  }
  const comparison = said(text, columns);
  return before + (comparison ? written(comparison) : withQuotedNames(text, columns)) + after;
}

/**
 * A condition whose names have quotes where they need them. Those with spaces and signs are found as people write them.
 *
 * @param {string} text
 * @param {NamedColumn[]} columns
 */
function withQuotedNames(text, columns) {
  const hard = columns.filter((column) => spelled(column) !== column.label && !/^\w+$/.test(column.label)).sort((a, b) => b.label.length - a.label.length);
  let made = '';
  for (let at = 0; at < text.length; ) {
    const column = isBoundary(text, at) ? hard.find(({ label }) => begins(text.slice(at), label) && isBoundary(text, at + label.length)) : undefined;
    const skipped = column ? null : /^(?:'(?:[^']|'')*'?|"(?:[^"]|"")*"?|[^])/u.exec(text.slice(at));
    made += column ? spelled(column) : /** @type {RegExpExecArray} */ (skipped)[0];
    at += column ? column.label.length : /** @type {RegExpExecArray} */ (skipped)[0].length;
  }
  return made;
}

/**
 * Whether no word goes on across a place.
 *
 * @param {string} text
 * @param {number} at
 */
const isBoundary = (text, at) => !(/[\p{L}\p{N}_]$/u.test(text.slice(0, at)) && /^[\p{L}\p{N}_]/u.test(text.slice(at)));

/** @type {Record<string, [string, string][]>} */
const OPERATORS_OF = {
  text: [["= '", 'is'], ["<> '", 'is not'], ["ILIKE '%", 'contains'], ["LIKE '", 'begins with'], ['IS NULL', 'is null'], ['IS NOT NULL', 'is not null']],
  number: [['= ', 'is'], ['> ', 'is more than'], ['>= ', 'is at least'], ['< ', 'is less than'], ['<= ', 'is at most'], ['BETWEEN ', 'is between'], ['IS NULL', 'is null'], ['IS NOT NULL', 'is not null']],
  time: [["= '", 'is'], ["> '", 'is after'], [">= '", 'is from'], ["< '", 'is before'], ["<= '", 'is until'], ["BETWEEN '", 'is between'], ['IS NULL', 'is null'], ['IS NOT NULL', 'is not null']],
  bool: [['= TRUE', 'is true'], ['= FALSE', 'is false'], ['IS NULL', 'is null'], ['IS NOT NULL', 'is not null']],
  other: [['IS NULL', 'is null'], ['IS NOT NULL', 'is not null']],
};

/**
 * Suggests names of columns and operators for the end of a text.
 *
 * @param {string} text what is before the cursor
 * @param {NamedColumn[]} columns
 * @returns {Suggestion[]}
 */
export function suggestions(text, columns) {
  const start = clauseStart(text);
  const clause = text.slice(start);
  const found = columnAtStart(clause, columns);
  const rest = found && clause.slice(found.length);
  if (found && rest && /^\s+[a-z<>=! ]*$/i.test(rest)) {
    const begun = rest.trimStart();
    return OPERATORS_OF[familyOf(found.column.type)]
      .filter(([operator]) => begins(operator, begun) && operator.trim() !== begun.trim())
      .map(([operator, label]) => ({ label: operator.replace(/ ?'?%?$/, ''), detail: label, text: operator, from: text.length - begun.length }));
  }
  const begun = clause.replace(/^"/, '');
  if (found && !rest && found.column.label.length === begun.replace(/"$/, '').length && begun.endsWith('"')) {
    return [];
  }
  const first = columns.filter(({ label }) => begins(label, begun));
  const within = begun === '' ? [] : columns.filter((column) => !first.includes(column) && column.label.toLowerCase().includes(begun.toLowerCase()));
  return [...first, ...within].slice(0, MOST_SUGGESTIONS).map((column) => ({ label: column.label, detail: KINDS[familyOf(column.type)], text: `${spelled(column)} `, from: start }));
}

/**
 * Where the last comparison of a text begins: after a word that joins them, or a parenthesis.
 *
 * @param {string} text
 */
function clauseStart(text) {
  const joins = tokens(text).filter(({ kind, text: each, end }) => end < text.length + (each === '(' ? 1 : 0) && (each === '(' || (kind === 'word' && /^(and|or|not|where)$/i.test(each))));
  const end = joins.at(-1)?.end ?? 0;
  return end + (/^\s*/.exec(text.slice(end))?.[0].length ?? 0);
}

/**
 * The longest name of a column with which a text begins, and the number of its characters there.
 *
 * @param {string} text
 * @param {NamedColumn[]} columns
 * @returns {{ column: NamedColumn, length: number } | null}
 */
function columnAtStart(text, columns) {
  /** @type {{ column: NamedColumn, length: number } | null} */
  let longest = null;
  for (const column of columns) {
    for (const name of [column.label, spelled(column), column.names.map(identifier).join('.')]) {
      if (name.length > (longest?.length ?? 0) && begins(text, name) && isBoundary(text, name.length)) {
        longest = { column, length: name.length };
      }
    }
  }
  return longest;
}

/**
 * Returns the place at the end of a text where a value of a column is expected, or null.
 *
 * @param {string} text what is before the cursor
 * @param {NamedColumn[]} columns
 * @returns {ValuePlace | null}
 */
export function valuePlace(text, columns) {
  // The AND of BETWEEN joins nothing.
  const start = clauseStart(text.replace(/\bbetween\s+('[^']*'|\S+)\s+and\b/gi, (between) => between.replace(/and$/i, '___')));
  const clause = text.slice(start);
  const found = columnAtStart(clause, columns);
  const rest = found && clause.slice(found.length);
  const operator = rest && /^\s*(?:=|==|<>|!=|<=?|>=?|in\s*\((?:[^()]*,)?|between(?:\s+\S+\s+and)?)\s*/i.exec(rest);
  if (!found || !operator) {
    return null;
  }
  const begun = rest.slice(operator[0].length);
  return /^(?:'(?:[^']|'')*|[^'\s]*)$/.test(begun) ? { column: found.column, from: text.length - begun.length, begun: begun.replace(/^'/, '').replaceAll("''", "'") } : null;
}
