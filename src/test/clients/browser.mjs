// Runs the jobs of reading.mjs, one per line, on a page in a headless browser.
//
//   node browser.mjs folder-of-node_modules program URL-of-the-page

import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';

const require = createRequire(resolve(process.argv[2], 'package.json'));
const { chromium } = require('playwright-core');

const browser = await chromium.launch({
  executablePath: process.argv[3],
  args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'],
});
const page = await browser.newPage();
await page.goto(process.argv[4]);
await page.waitForFunction(() => window.outcome);

for await (const line of createInterface({ input: process.stdin })) {
  const result = await page.evaluate((job) => window.outcome(job), JSON.parse(line));
  process.stdout.write(JSON.stringify(result) + '\n');
}
await browser.close();
