// The parts of a condition: those that AND joins, and what each says of a column. Nothing here touches the page.
// @ts-check

import { columnAt, reference, textLiteral } from '../sql/conditions.js';
import { tokens } from '../sql/tokens.js';

/** @typedef {import('../sql/conditions.js').SchemaField} SchemaField */
/** @typedef {import('../sql/tokens.js').Token} Token */

/**
 * A column that conditions can name: its name after those of the structs around it, joined by points, and its type.
 *
 * @typedef {import('../sql/conditions.js').Column & { path: number[], label: string }} NamedColumn
 */

/**
 * A comparison of a column with values, which are texts: `operator` is a key of [OPERATORS].
 *
 * @typedef {{ column: NamedColumn, operator: string, values: string[] }} Comparison
 */

/** @typedef {'number' | 'text' | 'time' | 'bool' | 'other'} Family */

/**
 * The operators: how each is told, the number of its values, and the families of the types that have it.
 *
 * @type {Record<string, { label: string, values: number, families: Family[] }>}
 */
export const OPERATORS = {
  '=': { label: 'is', values: 1, families: ['text', 'number', 'time'] },
  '<>': { label: 'is not', values: 1, families: ['text', 'number', 'time'] },
  other: { label: 'is not, or is null', values: 1, families: ['text', 'number', 'time'] },
  contains: { label: 'contains', values: 1, families: ['text'] },
  lacks: { label: 'does not contain', values: 1, families: ['text'] },
  begins: { label: 'begins with', values: 1, families: ['text'] },
  '>': { label: '>', values: 1, families: ['number', 'time', 'text'] },
  '>=': { label: '≥', values: 1, families: ['number', 'time', 'text'] },
  '<': { label: '<', values: 1, families: ['number', 'time', 'text'] },
  '<=': { label: '≤', values: 1, families: ['number', 'time', 'text'] },
  between: { label: 'is between', values: 2, families: ['number', 'time'] },
  true: { label: 'is true', values: 0, families: ['bool'] },
  false: { label: 'is false', values: 0, families: ['bool'] },
  null: { label: 'is null', values: 0, families: ['text', 'number', 'time', 'bool', 'other'] },
  known: { label: 'is not null', values: 0, families: ['text', 'number', 'time', 'bool', 'other'] },
};

const MOST_COLUMNS = 10_000;
/** @type {Record<string, Family>} */
const FAMILIES = {
  ...{ int: 'number', decimal: 'number', floatingpoint: 'number', bool: 'bool' },
  ...{ utf8: 'text', largeutf8: 'text', utf8view: 'text', uuid: 'text' },
  ...{ date: 'time', time: 'time', timestamp: 'time' },
};

/** @param {import('../sql/conditions.js').SchemaType} type */
export const familyOf = (type) => FAMILIES[type.name] ?? 'other';

/**
 * The frequent values of a column that are worth an offer. Of numbers and times, one that occurs once says nothing; a text is
 * completed.
 *
 * @template {{ count: number }} Value
 * @param {Value[]} values
 * @param {import('../sql/conditions.js').SchemaType} type
 */
export const worthwhile = (values, type) => values.filter(({ count }) => count > 1 || familyOf(type) === 'text');

/**
 * The columns that conditions can name: those of the table, each followed by those within it if it is a struct.
 *
 * @param {SchemaField[]} fields
 */
export function namedColumns(fields) {
  /** @type {NamedColumn[]} */
  const found = [];
  /** @param {SchemaField[]} siblings @param {number[]} path */
  const add = (siblings, path) =>
    siblings.forEach((field, position) => {
      const own = [...path, position];
      const column = found.length < MOST_COLUMNS ? columnAt(fields, own) : null;
      if (column) {
        found.push({ ...column, path: own, label: column.names.join('.') });
        if (field.type.name === 'struct' && !field.dictionary) {
          add(field.children, own);
        }
      }
    });
  add(fields, []);
  return found;
}

const OPEN = new Set(['(', '[', '{']);
const CLOSED = new Set([')', ']', '}']);

/**
 * The parts of a condition that AND joins, without parentheses around them, or the condition itself if it has only one.
 *
 * @param {string} where
 * @returns {string[]}
 */
export function partsOf(where) {
  const text = where.trim();
  const found = tokens(text);
  const isWhole = found.every(({ kind, text: each }) => kind !== 'comment' && !isOpenEnded(kind, each));
  return text === '' ? [] : isWhole ? split(text, found) : [text];
}

/**
 * The condition that parts make up.
 *
 * @param {string[]} parts
 */
export const joined = (parts) => (parts.length === 1 ? parts[0] : parts.map(enclosed).join(' AND '));

/**
 * A part that means the same beside AND: in parentheses if it has what binds less, a BETWEEN that would take the AND, or a
 * comment, which ends with its line.
 *
 * @param {string} part
 */
function enclosed(part) {
  const all = tokens(part);
  const signs = all.filter(({ kind }) => kind === 'sign').map(({ text }) => text);
  const isSafe = all.every(({ kind, text }) => kind !== 'comment' && !isOpenEnded(kind, text) && text.toLowerCase() !== 'or') && partsOf(`${part} AND TRUE`).length > 1;
  return isSafe && !/->|[|&^]/.test(signs.join('')) ? part : `(${part}${part.includes('--') ? '\n' : ''})`;
}

/**
 * Whether a part ends all that it begins, and nothing else. Parentheses around others change what they mean.
 *
 * @param {string} part
 */
export function isClosed(part) {
  let depth = 0;
  for (const { kind, text } of tokens(part)) {
    depth += kind !== 'sign' ? 0 : OPEN.has(text) ? 1 : CLOSED.has(text) ? -1 : 0;
    if (depth < 0 || isOpenEnded(kind, text) || (kind === 'comment' && /^\/\*/.test(text) && !/^..[^]*\*\/$/.test(text))) {
      return false;
    }
  }
  return depth === 0;
}

/**
 * Whether a text or a name has no end.
 *
 * @param {string} kind
 * @param {string} text
 */
const isOpenEnded = (kind, text) => (kind === 'text' && !/^.+['$]$/s.test(text)) || (kind === 'quoted' && !/^".*"$/s.test(text));

/**
 * @param {string} text
 * @param {Token[]} all
 * @returns {string[]}
 */
function split(text, all) {
  const [first, last] = [all[0], all[all.length - 1]];
  const cuts = [];
  let depth = 0;
  let between = 0;
  let isOuter = first.text === '(' && last.text === ')';
  for (const token of all) {
    const word = token.kind === 'word' ? token.text.toLowerCase() : token.text;
    if (token.kind === 'sign' ? OPEN.has(word) : word === 'case') {
      depth++;
    } else if (token.kind === 'sign' ? CLOSED.has(word) : word === 'end') {
      depth--;
      isOuter &&= depth > 0 || token === last;
    } else if (depth === 0 && word === 'or') {
      return [text];
    } else if (depth === 0 && word === 'between') {
      between++;
    } else if (depth === 0 && word === 'and' && --between < 0) {
      cuts.push(token);
      between = 0;
    }
    if (depth < 0) {
      return [text];
    }
  }
  if (depth !== 0 || all.length === 0) {
    return [text];
  }
  if (isOuter && all.length > 2) {
    return split(text.slice(first.end, last.start).trim(), moved(all.slice(1, -1), text, first.end));
  }
  if (cuts.length === 0) {
    return [text];
  }
  const ends = [...cuts.map(({ start }) => start), text.length];
  const starts = [0, ...cuts.map(({ end }) => end)];
  const parts = starts.map((start, i) => text.slice(start, ends[i]).trim());
  return parts.includes('') ? [text] : parts.flatMap((part) => split(part, tokens(part)));
}

/**
 * Tokens with their places in a text that begins later.
 *
 * @param {Token[]} all
 * @param {string} text
 * @param {number} from
 */
function moved(all, text, from) {
  const start = from + (/^\s*/.exec(text.slice(from))?.[0].length ?? 0);
  return all.map((token) => ({ ...token, start: token.start - start, end: token.end - start }));
}

const NAME = /^(?:"(?:[^"]|"")*"|[\p{L}_][\p{L}\p{N}_]*)(?:\s*\.\s*(?:"(?:[^"]|"")*"|[\p{L}_][\p{L}\p{N}_]*))*/u;
const VALUE = String.raw`(?:(?:DATE|TIMESTAMP|TIMESTAMPTZ|TIMESTAMP_NS|TIME|TIME_NS)\s+)?'(?:[^']|'')*'(?:::(?:DOUBLE|FLOAT))?|[-+]?(?:\d[\d_]*\.?\d*|\.\d+)(?:e[-+]?\d+)?`;
/** @type {[RegExp, (found: string[]) => [string, string[]]][]} */
const FORMS = [
  [/^$/, () => ['true', []]],
  [/^=\s*true$/i, () => ['true', []]],
  [/^=\s*false$/i, () => ['false', []]],
  [/^IS\s+NULL$/i, () => ['null', []]],
  [/^IS\s+NOT\s+NULL$/i, () => ['known', []]],
  [new RegExp(`^(=|==|<>|!=|<=|>=|<|>)\\s*(${VALUE})$`, 'i'), ([operator, value]) => [{ '==': '=', '!=': '<>' }[operator] ?? operator, [value]]],
  [new RegExp(`^BETWEEN\\s+(${VALUE})\\s+AND\\s+(${VALUE})$`, 'i'), (values) => ['between', values]],
  [/^ILIKE\s+'%((?:[^'%_\\]|'')*)%'$/i, ([value]) => ['contains', [`'${value}'`]]],
  [/^NOT\s+ILIKE\s+'%((?:[^'%_\\]|'')*)%'$/i, ([value]) => ['lacks', [`'${value}'`]]],
  [/^LIKE\s+'((?:[^'%_\\]|'')*)%'$/i, ([value]) => ['begins', [`'${value}'`]]],
];
/** @type {[RegExp, string][]} */
const CALLS = [
  [/^contains\s*\(\s*lower\s*\(\s*(.+?)\s*\)\s*,\s*lower\s*\(\s*('(?:[^']|'')*')\s*\)\s*\)$/is, 'contains'],
  [/^NOT\s+contains\s*\(\s*lower\s*\(\s*(.+?)\s*\)\s*,\s*lower\s*\(\s*('(?:[^']|'')*')\s*\)\s*\)$/is, 'lacks'],
  [/^starts_with\s*\(\s*(.+?)\s*,\s*('(?:[^']|'')*')\s*\)$/is, 'begins'],
];

/**
 * The comparison that a part of a condition is, or null if it is more than one column with values.
 *
 * @param {string} part
 * @param {NamedColumn[]} columns
 * @returns {Comparison | null}
 */
export function comparisonOf(part, columns) {
  for (const [form, operator] of CALLS) {
    const [, name, value] = form.exec(part) ?? [];
    const column = name && columnNamed(name, columns);
    if (column) {
      return made(column, operator, [value]);
    }
  }
  const negated = /^NOT\s+(.+)$/is.exec(part);
  if (negated) {
    const inner = comparisonOf(partsOf(negated[1]).join(' AND '), columns);
    const opposite = inner && { null: 'known', known: 'null', true: 'false' }[inner.operator];
    return inner && opposite ? { ...inner, operator: opposite } : null;
  }
  const exact = /^\((.+)\)\s+IS\s+NOT\s+TRUE$/is.exec(part);
  if (exact) {
    const inner = comparisonOf(exact[1], columns);
    return inner?.operator === '=' ? { ...inner, operator: 'other' } : null;
  }
  const name = NAME.exec(part)?.[0];
  const column = name === undefined ? null : columnNamed(name, columns);
  const rest = part.slice(name?.length).trim();
  for (const [form, read] of column ? FORMS : []) {
    const found = form.exec(rest);
    if (found && column) {
      return made(column, ...read(found.slice(1)));
    }
  }
  return null;
}

/**
 * @param {NamedColumn} column
 * @param {string} operator
 * @param {string[]} literals
 * @returns {Comparison | null}
 */
function made(column, operator, literals) {
  const family = familyOf(column.type);
  return OPERATORS[operator].families.includes(family) ? { column, operator, values: literals.map(textOf) } : null;
}

/**
 * The text of a literal.
 *
 * @param {string} literal
 */
export function textOf(literal) {
  const quoted = /^[^']*'((?:[^']|'')*)'(?:::\w+)?$/s.exec(literal);
  return quoted ? quoted[1].replaceAll("''", "'") : literal;
}

/**
 * The column of a name as conditions write it, in any case, or null if absent.
 *
 * @param {string} name
 * @param {NamedColumn[]} columns
 */
function columnNamed(name, columns) {
  const names = tokens(name)
    .filter(({ text }) => text !== '.')
    .map(({ kind, text }) => (kind === 'quoted' ? text.slice(1, -1).replaceAll('""', '"') : text).toLowerCase());
  return columns.find((column) => column.names.length === names.length && column.names.every((each, i) => each.toLowerCase() === names[i])) ?? null;
}

const NUMBER = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i;

/**
 * A value that the user has typed, as a literal. The service says what is wrong with it.
 *
 * @param {import('../sql/conditions.js').SchemaType} type
 * @param {string} text
 */
export function typedLiteral(type, text) {
  // People write numbers with groups of digits.
  const number = text.replaceAll(/(?<=\d)[,_\s](?=\d{3}(?:\D|$))/g, '').trim();
  return familyOf(type) === 'number' && NUMBER.test(number) ? number : textLiteral(text);
}

/**
 * A comparison as a condition.
 *
 * @param {Comparison} comparison
 */
export function written({ column, operator, values }) {
  const name = reference(column);
  const literals = values.map((value) => typedLiteral(column.type, value));
  // Signs of patterns are no signs in a text that is looked for.
  const isPlain = !/[%_\\]/.test(values[0] ?? '');
  switch (operator) {
    case 'null':
      return `${name} IS NULL`;
    case 'known':
      return `${name} IS NOT NULL`;
    case 'true':
    case 'false':
      return `${name} = ${operator.toUpperCase()}`;
    case 'between':
      return `${name} BETWEEN ${literals[0]} AND ${literals[1]}`;
    case 'other':
      return `(${name} = ${literals[0]}) IS NOT TRUE`;
    case 'contains':
    case 'lacks': {
      const not = operator === 'lacks' ? 'NOT ' : '';
      return isPlain ? `${name} ${not}ILIKE ${textLiteral(`%${values[0]}%`)}` : `${not}contains(lower(${name}), lower(${literals[0]}))`;
    }
    case 'begins':
      return isPlain ? `${name} LIKE ${textLiteral(`${values[0]}%`)}` : `starts_with(${name}, ${literals[0]})`;
    default:
      return `${name} ${operator} ${literals[0]}`;
  }
}
