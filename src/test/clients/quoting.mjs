// The output of modules without a page: conditions for statistics, and lines of code.
//
//   node quoting.mjs folder-of-modules conditions|snippets < JSON

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const [folder, task] = process.argv.slice(2);
const load = (name) => import(pathToFileURL(resolve(folder, name)));
const input = JSON.parse(readFileSync(0, 'utf8'));

const tasks = {
  /** The statements of texts, with their places. */
  async statements(texts) {
    const { statements } = await load('sql/tokens.js');
    return texts.map((text) => statements(text).map(({ sql, start }) => [sql, text.slice(start, start + sql.length) === sql]));
  },

  /** Conditions with the number of rows that statistics say they have, by the index of the statistics. */
  async conditions({ schema, statistics }) {
    const { between, columnAt, equals, isNull } = await load('sql/conditions.js');
    const found = [];
    paths(schema.fields).forEach((path, i) => {
      const { nulls, nan, top = [], histogram = [] } = statistics.columns[i];
      const column = columnAt(schema.fields, path);
      if (column === null) {
        found.push([i, null, 0]);
        return;
      }
      found.push([i, isNull(column), nulls]);
      if (nan > 0) {
        found.push([i, equals(column, 'NaN'), nan]);
      }
      top.slice(0, 2).forEach(({ value, count }) => found.push([i, equals(column, value), count]));
      histogram.forEach(({ from, to, count }, bin) => {
        if (bin === 0 || bin === histogram.length - 1) {
          found.push([i, between(column, from, to, bin === histogram.length - 1), count]);
        }
      });
    });
    return found;
  },

  /** Conditions of each comparison that a form may have, what is read in them, and the parts of all of them together. */
  async comparisons({ fields, values }) {
    const { OPERATORS, comparisonOf, familyOf, joined, namedColumns, partsOf, written } = await load('filter/condition-parts.js');
    const columns = namedColumns(fields);
    const told = ({ column, operator, values: read }) => [column.path, operator, read];
    const made = columns.flatMap((column) =>
      Object.entries(OPERATORS)
        .filter(([, { families }]) => families.includes(familyOf(column.type)))
        .flatMap(([operator, { values: count }]) => values[column.label].map((first, i, all) => ({ column, operator, values: [first, all[(i + 1) % all.length]].slice(0, count) }))),
    );
    const conditions = made.map((comparison) => ({ told: told(comparison), condition: written(comparison) }));
    const found = conditions.map(({ condition, ...rest }) => ({ ...rest, condition, read: told(comparisonOf(condition, columns) ?? { column: {} }) }));
    const all = found.map(({ condition }) => condition);
    return { found, areParts: JSON.stringify(partsOf(joined(all))) === JSON.stringify(all) };
  },

  /** The parts of conditions, and the conditions that they make up. */
  async parts(conditions) {
    const { joined, partsOf } = await load('filter/condition-parts.js');
    return conditions.map((condition) => [partsOf(condition), joined(partsOf(condition))]);
  },

  /** The conditions that parts make up, and whether each part may stand in one. */
  async joined(lists) {
    const { isClosed, joined } = await load('filter/condition-parts.js');
    return lists.map((parts) => [joined(parts), parts.map(isClosed)]);
  },

  /** Whether texts are conditions, and what may have been meant by them. */
  async typed({ fields, texts }) {
    const [{ namedColumns }, { isCondition, meant }] = await Promise.all([load('filter/condition-parts.js'), load('filter/typed-text.js')]);
    const columns = namedColumns(fields);
    return texts.map((text) => [isCondition(text, columns), meant(text, columns)]);
  },

  async snippets(parameters) {
    const { snippets } = await load('dataset/snippets.js');
    return snippets(parameters);
  },
};

function paths(fields, above = []) {
  return fields.flatMap((field, i) => [
    [...above, i],
    ...(field.type.name === 'struct' && !field.dictionary ? paths(field.children, [...above, i]) : []),
  ]);
}

console.log(JSON.stringify(await tasks[task](input)));
