// Runs the jobs of reading.mjs, one per line, on a page in a headless browser. `open` and `next` show pages of the
// service as they are loaded.
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

// A page of the service in a tab of its own, as it is each time that it was loaded.
let views = [];
let loaded = () => {};

async function open(url) {
  const tab = await browser.newPage();
  views = [];
  tab.on('load', async () => {
    const cells = await tab.locator('td').allInnerTexts();
    const progress = await tab.locator('progress').evaluateAll((found) => found.map((each) => each.value));
    views.push({ url: tab.url(), cells, progress });
    loaded();
  });
  await tab.goto(url);
  return next();
}

async function next() {
  while (views.length === 0) {
    await new Promise((resolve) => (loaded = resolve));
  }
  return views.shift();
}

const tabs = { open: ({ url }) => open(url), next };

for await (const line of createInterface({ input: process.stdin })) {
  const job = JSON.parse(line);
  const way = tabs[job.way];
  const result = way
    ? await way(job).catch((error) => ({ error: error.message }))
    : await page.evaluate((job) => window.outcome(job), job);
  process.stdout.write(JSON.stringify(result) + '\n');
}
await browser.close();
