// Runs the jobs of reading.mjs, one per line, in Node.
//
//   node node.mjs folder-of-node_modules

import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { outcome } from './reading.mjs';

const require = createRequire(resolve(process.argv[2], 'package.json'));
const libraries = { arrow: require('apache-arrow'), flechette: require('@uwdata/flechette') };

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(JSON.stringify(await outcome(libraries, JSON.parse(line))) + '\n');
}
