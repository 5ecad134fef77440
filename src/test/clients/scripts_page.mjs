// The scripts of the pages as they are sent: joined from modules, each of which is evaluated once.

import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { page, play, url } from './visitor.mjs';

const require = createRequire(resolve(process.argv[2], 'package.json'));
// Arquero brings a parser.
const { parse, tokenizer } = createRequire(require.resolve('arquero'))('acorn');
const OPTIONS = { ecmaVersion: 'latest', sourceType: 'module' };

/** Returns the tokens of statements, which are neither comments nor space. */
const tokens = (statements, source) =>
  statements.map(({ start, end }) => [...tokenizer(source.slice(start, end), OPTIONS)].map(({ type, value }) => `${type.label} ${value}`));

/** Returns the tokens of the statements of a module, without `import` and `export`. */
function written(source) {
  const own = parse(source, OPTIONS).body.filter(({ type, source: from }) => type !== 'ImportDeclaration' && !from);
  return tokens(own.map((each) => each.declaration ?? each), source);
}

/** Returns the tokens of the statements of each module of a joined script, without those that stand for imports and exports. */
function joinedFrom(source) {
  const found = {};
  for (const statement of parse(source, OPTIONS).body) {
    const isPage = statement.type === 'BlockStatement';
    const { left, right } = (isPage ? statement.body.at(-1) : statement).expression ?? {};
    if (right && right.type !== 'Identifier') {
      const { body } = isPage ? statement : right.callee.body;
      const isImport = (each) => each.declarations?.[0].init?.object?.name === 'modules';
      found[left.property.value] = tokens(body.slice(0, -1).filter((each) => !isImport(each)), source);
    }
  }
  return found;
}

await play({
  /** Whether each module that a page can fetch, under its own path, has the code of its file, and is the one that others use. */
  async modules(path, ...names) {
    await page.goto(`${url}${path}`);
    const script = await page.locator('script[type=module]').getAttribute('src');
    const [, folder, own] = script.match(/^(\/assets\/[^/]+)\/(.+)$/);
    const files = folder.replace(/-[a-z-]+$/, '');
    const text = async (at) => (await page.request.get(url + at)).text();
    const joined = {};
    const differ = [];
    for (const name of [own, ...names]) {
      Object.assign(joined, joinedFrom(await text(`${folder}/${name}`)));
      if (JSON.stringify(joined[name]) !== JSON.stringify(written(await text(`${files}/${name}`)))) {
        differ.push(name);
      }
    }
    const others = await page.evaluate(
      async ([prefix, page, all]) => {
        const { modules } = await import(`${prefix}/${page}`);
        const present = { ...modules };
        const imported = {};
        for (const name of all) {
          imported[name] = await import(`${prefix}/${name}`);
        }
        const isShared = (name) =>
          Object.keys(imported[name]).join() === Object.keys(modules[name]).sort().join() &&
          Object.keys(imported[name]).every((key) => imported[name][key] === modules[name][key]);
        const found = all.filter((name) => !isShared(name));
        return [...found, ...Object.keys(present).filter((name) => present[name] !== modules[name])];
      },
      [folder, own, names],
    );
    return { modules: Object.keys(joined).length, differ, others };
  },
});
