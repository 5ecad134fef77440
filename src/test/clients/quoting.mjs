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
