// Uses the pages of the service in a headless browser, as a person does. Each scenario prints what it saw as JSON. Any
// error on the console, violation of the policy, or request to another host is a failure.
//
//   node page.mjs folder-of-node_modules program URL scenario [argument…]

import { createRequire } from 'node:module';
import { resolve } from 'node:path';

const [modules, program, url, scenario, ...parameters] = process.argv.slice(2);
const { chromium } = createRequire(resolve(modules, 'package.json'))('playwright-core');

const browser = await chromium.launch({
  executablePath: program,
  args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'],
});
const failures = [];
const traffic = { requests: 0, bytes: 0 };
const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
page.on('console', (message) => message.type() === 'error' && failures.push(message.text()));
page.on('pageerror', (error) => failures.push(error.stack));
page.on('request', (request) => request.url().startsWith(url) || failures.push(`a request to ${request.url()}`));
await page.addInitScript(() =>
  document.addEventListener('securitypolicyviolation', (event) => console.error(`${event.violatedDirective} ${event.blockedURI}`)),
);
const session = await page.context().newCDPSession(page);
await session.send('Network.enable');
session.on('Network.loadingFinished', ({ encodedDataLength }) => {
  traffic.requests++;
  traffic.bytes += encodedDataLength;
});

const grid = page.getByRole('grid');
const cell = (row, column) => page.locator(`[role=row][aria-rowindex="${row + 2}"] [role=gridcell][aria-colindex="${column + 1}"]`);
const loaded = (row, column) =>
  page.waitForFunction(
    ([r, c]) => {
      const found = document.querySelector(`[role=row][aria-rowindex="${r + 2}"] [role=gridcell][aria-colindex="${c + 1}"]`);
      return found && !found.classList.contains('waiting');
    },
    [row, column],
  );

/** The texts of the first rows. */
async function texts(rows, columns) {
  const found = [];
  for (let row = 0; row < rows; row++) {
    const line = [];
    for (let column = 0; column < columns; column++) {
      await page.evaluate(() => 0);
      await loaded(row, column);
      line.push(await cell(row, column).textContent());
    }
    found.push(line);
  }
  return found;
}

const scenarios = {
  /** The texts of cells, and what it took to show them. */
  async rows(dataset, rows, columns) {
    await page.goto(`${url}/datasets/${dataset}`);
    await loaded(0, 0);
    const first = { ...traffic };
    await page.setViewportSize({ width: 4000, height: 900 });
    await loaded(0, Number(columns) - 1);
    return { texts: await texts(Number(rows), Number(columns)), traffic: first };
  },

  /** By keys alone: to a row, to the end, to a value, and back by the history. */
  async keys(dataset, row) {
    await page.goto(`${url}/datasets/${dataset}`);
    await loaded(0, 0);
    await page.keyboard.press('g');
    await page.keyboard.type(row);
    await page.keyboard.press('Enter');
    await loaded(Number(row), 0);
    const middle = await cell(Number(row), 0).textContent();
    const hash = new URL(page.url()).hash;
    await grid.focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    const drawer = await page.getByRole('complementary', { name: 'Value' }).locator('pre').textContent();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+End');
    const last = Number(await grid.getAttribute('aria-rowcount')) - 2;
    await loaded(last, 0);
    const end = await cell(last, 0).textContent();
    await page.goto(`${url}/datasets/${dataset}${hash}`);
    await page.reload();
    await loaded(Number(row), 0);
    return { middle, hash, drawer, end, again: await cell(Number(row), 0).textContent() };
  },

  /** A condition, which the URL keeps, and one that is wrong. */
  async where(dataset, condition, wrong) {
    await page.goto(`${url}/datasets/${dataset}`);
    await loaded(0, 0);
    await page.getByRole('textbox', { name: 'Condition' }).fill(condition);
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.querySelector('output').textContent.includes(' of '));
    const count = await page.locator('output').textContent();
    await page.reload();
    await loaded(0, 0);
    const again = await page.locator('output').textContent();
    const first = await cell(0, 0).textContent();
    failures.length = 0;
    await page.getByRole('textbox', { name: 'Condition' }).fill(wrong);
    await page.keyboard.press('Enter');
    const alert = await page.getByRole('alert').locator('p').textContent();
    // A response that is a failure is on the console.
    failures.length = 0;
    return { count, again, first, alert };
  },

  /** Files are dropped on the list, one of them twice. */
  async upload(file, ...others) {
    await page.goto(url);
    await page.getByRole('link', { name: 'sample' }).waitFor();
    const input = page.locator('input[type=file]');
    await input.setInputFiles([file, ...others]);
    const lines = page.locator('.uploads li');
    for (let i = 0; i <= others.length; i++) {
      await lines.nth(i).getByRole('link').waitFor();
    }
    const stored = await lines.allInnerTexts();
    await input.setInputFiles(file);
    const again = lines.last();
    await again.getByRole('button', { name: 'Append to it' }).click();
    await again.getByRole('link').waitFor();
    const appended = await again.innerText();
    failures.length = 0;
    await again.getByRole('link').click();
    await loaded(0, 0);
    return { stored, appended, count: await page.locator('output').textContent(), first: await cell(0, 0).textContent() };
  },

  /** An upload is paused, and goes on after the page was loaded again. */
  async pause(file) {
    const slow = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 4_000_000 };
    await session.send('Network.emulateNetworkConditions', slow);
    await page.goto(url);
    const input = page.locator('input[type=file]');
    await input.setInputFiles(file);
    const lines = page.locator('.uploads li');
    await page.waitForFunction(() => document.querySelector('.uploads progress')?.value > 2_000_000);
    await lines.getByRole('button', { name: 'Pause' }).click();
    const paused = await lines.innerText();
    await page.reload();
    const sent = [];
    page.on('request', (request) => request.url().includes('/uploads/') && sent.push([request.method(), request.headers()['upload-offset']]));
    await session.send('Network.emulateNetworkConditions', { ...slow, uploadThroughput: -1 });
    await input.setInputFiles(file);
    await lines.getByRole('link').waitFor();
    return { paused, stored: await lines.innerText(), sent };
  },

  /** The list: sorted, searched, and more of it while one scrolls. */
  async list(search) {
    await page.goto(url);
    await page.locator('.datasets tbody tr').first().waitFor();
    const count = await page.locator('output').textContent();
    await page.getByRole('button', { name: 'rows' }).click();
    await page.getByRole('button', { name: 'rows' }).click();
    await page.waitForFunction(() => document.querySelector('th[aria-sort=descending]'));
    await page.locator('.more').scrollIntoViewIfNeeded();
    await page.waitForFunction(() => document.querySelectorAll('.datasets tbody tr').length > 100);
    await page.getByRole('searchbox').fill(search);
    await page.waitForFunction(() => document.querySelectorAll('.datasets tbody tr').length === 1);
    return { count, found: await page.locator('.datasets tbody td').first().textContent(), url: page.url().slice(url.length) };
  },

  /** A newer version is told, and never shown by itself. */
  async newer(dataset) {
    await page.clock.install();
    await page.goto(`${url}/datasets/${dataset}`);
    await loaded(0, 0);
    const response = await page.request.post(`${url}/datasets/${dataset}`, { data: Buffer.from('a\n3\n'), headers: { 'Content-Type': 'text/csv' } });
    await page.clock.fastForward(11_000);
    const badge = page.locator('h1 .badge');
    await badge.waitFor();
    const before = await page.locator('output').textContent();
    const told = await badge.textContent();
    await badge.click();
    await page.waitForFunction((text) => document.querySelector('output')?.textContent !== text, before);
    return { status: response.status(), told, before, after: await page.locator('output').textContent() };
  },
};

try {
  const seen = await scenarios[scenario](...parameters);
  if (failures.length > 0) {
    throw new Error(failures.join('\n'));
  }
  console.log(JSON.stringify(seen));
} catch (error) {
  console.error(error.stack, failures.join('\n'), page.url());
  process.exitCode = 1;
} finally {
  await browser.close();
}
