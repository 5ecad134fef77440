// Uses the pages of the service in Firefox, and prints what it saw as JSON. Any error on the console or of the page, and any
// violation of the policy, is a failure.
//
//   node firefox.mjs folder-of-node_modules program URL dataset file

import { createRequire } from 'node:module';
import { resolve } from 'node:path';

const [modules, program, url, dataset, file] = process.argv.slice(2);
const puppeteer = createRequire(resolve(modules, 'package.json'))('puppeteer-core');

const browser = await puppeteer.launch({ browser: 'firefox', executablePath: program, headless: true });
const failures = [];
const page = await browser.newPage();
await page.setViewport({ width: 1440, height: 900 });
page.setDefaultTimeout(90_000);
await page.evaluateOnNewDocument(() =>
  document.addEventListener('securitypolicyviolation', (event) => console.error(`${event.violatedDirective} ${event.blockedURI}`)),
);
page.on('console', (message) => message.type() === 'error' && failures.push(message.text()));
page.on('pageerror', (error) => failures.push(error.stack));
page.on('request', (request) => request.url().startsWith(url) || request.url().startsWith('data:') || failures.push(`a request to ${request.url()}`));

const cell = (row, column) => `[role=row][aria-rowindex="${row + 2}"] [role=gridcell][aria-colindex="${column + 2}"]:not(.waiting)`;
const text = async (selector) => (await page.waitForSelector(selector)).evaluate((found) => found.textContent);

try {
  await page.goto(`${url}/datasets/${dataset}`);
  const first = await text(cell(0, 0));
  await page.focus('[role=grid]');
  await page.keyboard.press('g');
  await page.keyboard.type('500000');
  await page.keyboard.press('Enter');
  const jumped = await text(cell(500_000, 0));
  await page.keyboard.press('s');
  await page.waitForSelector('[role=columnheader][aria-sort=ascending]');
  await page.keyboard.press('s');
  await page.waitForSelector('[role=columnheader][aria-sort=descending]');
  const sorted = await text(cell(0, 0));
  await page.keyboard.press('/');
  await page.keyboard.type('c0 < 10');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.querySelector('output').textContent.startsWith('10 of'));
  const matched = await text(cell(0, 0));
  // Each view, by what only its script shows.
  const views = {
    schema: '[role=treeitem]',
    columns: '.card dl',
    anatomy: '.sentence',
    versions: '.versions tbody tr',
    use: '.snippet pre',
  };
  for (const [view, selector] of Object.entries(views)) {
    await page.goto(`${url}/datasets/${dataset}#${view}`);
    await page.waitForSelector(selector);
  }
  await page.goto(`${url}/sql#sql&q=${encodeURIComponent('SELECT 2::BIGINT ** 2 AS four')}`);
  await (await page.waitForSelector('aria/Run[role="button"]')).click();
  const result = await text(cell(0, 0));
  await page.goto(`${url}/inspect`);
  await (await page.waitForSelector('input[type=file]')).uploadFile(file);
  const inferred = await text('[role=region] th bdi');
  await page.goto(url);
  const input = await page.waitForSelector('input[type=file]');
  await input.uploadFile(file);
  await (await page.waitForSelector('.uploads button.primary')).click();
  const stored = await text('.uploads li a');
  if (failures.length > 0) {
    throw new Error(failures.join('\n'));
  }
  console.log(JSON.stringify({ first, jumped, sorted, matched, result, inferred, stored }));
} catch (error) {
  console.error(error.stack, failures.join('\n'), page.url());
  process.exitCode = 1;
} finally {
  await browser.close();
}
