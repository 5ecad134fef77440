// Uses the pages of the service in Firefox, and prints what it saw as JSON. Any error on the console or of the page, and any
// violation of the policy, is a failure.
//
//   node firefox.mjs folder-of-node_modules program URL dataset file dropped-files

import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';

const [modules, program, url, dataset, file, ...others] = process.argv.slice(2);
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
  // The box goes to the rows, of which one is shown as a record; then a word is searched for.
  await page.keyboard.press('Escape');
  await page.keyboard.press('r');
  const record = await text('.drawer h2');
  await page.keyboard.press('Escape');
  await page.keyboard.press('/');
  await page.keyboard.type('fjord');
  await page.waitForFunction(() => document.querySelector('output').textContent.startsWith('3 of'));
  const found = await text(cell(0, 0));
  // Each view, by what only its script shows.
  const views = {
    schema: '[role=treeitem]',
    columns: '.card dl',
    chart: '.picture > svg',
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
  const inferred = await (await page.waitForSelector('[role=region] th input')).evaluate((input) => input.value);
  await page.goto(url);
  const input = await page.waitForSelector('input[type=file]');
  await input.uploadFile(file);
  const upload = await page.waitForSelector('.uploads button.primary');
  await Promise.all([page.waitForNavigation(), upload.click()]);
  const stored = await text(cell(0, 0));
  // Files are dropped, and their rows are in sight after one click.
  const dropped = [];
  for (const other of others) {
    await page.goto(url);
    await page.waitForSelector('.drop');
    await page.evaluate(
      (name, bytes) => {
        const transfer = new DataTransfer();
        transfer.items.add(new File([Uint8Array.from(atob(bytes), (character) => character.charCodeAt(0))], name));
        document.querySelector('.drop').dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }));
      },
      basename(other),
      readFileSync(other).toString('base64'),
    );
    await page.waitForSelector('.file-form tbody tr');
    const columns = await page.evaluate(() => document.querySelectorAll('.file-form th').length);
    await Promise.all([page.waitForNavigation(), page.click('.uploads button.primary')]);
    const row = [];
    for (let column = 0; column < columns; column++) {
      row.push(await text(cell(0, column)));
    }
    dropped.push(row);
  }
  if (failures.length > 0) {
    throw new Error(failures.join('\n'));
  }
  console.log(JSON.stringify({ first, jumped, sorted, matched, record, found, result, inferred, stored, dropped }));
} catch (error) {
  console.error(error.stack, failures.join('\n'), page.url());
  process.exitCode = 1;
} finally {
  await browser.close();
}
