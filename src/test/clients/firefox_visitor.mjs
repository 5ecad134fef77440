// A page in Firefox, without a window. A script that imports it plays a scenario there, whose findings are printed as JSON. Any
// error on the console or of the page, any violation of the policy, and any request to another host is a failure.
//
//   node script.mjs folder-of-node_modules program URL parameters-of-the-script

import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';

const [modules, program, service, ...rest] = process.argv.slice(2);
const puppeteer = createRequire(resolve(modules, 'package.json'))('puppeteer-core');

export const url = service;
export const parameters = rest;

const browser = await puppeteer.launch({ browser: 'firefox', executablePath: program, headless: true });
const failures = [];
export const page = await browser.newPage();
await page.setViewport({ width: 1440, height: 900 });
page.setDefaultTimeout(90_000);
await page.evaluateOnNewDocument(() =>
  document.addEventListener('securitypolicyviolation', (event) => console.error(`${event.violatedDirective} ${event.blockedURI}`)),
);
page.on('console', (message) => message.type() === 'error' && failures.push(message.text()));
page.on('pageerror', (error) => failures.push(error.stack));
page.on('request', (request) => request.url().startsWith(`${url}/`) || request.url().startsWith('data:') || failures.push(`a request to ${request.url()}`));

/** The selector of a cell whose value is here. */
export const cell = (row, column) => `[role=row][aria-rowindex="${row + 2}"] [role=gridcell][aria-colindex="${column + 2}"]:not(.waiting)`;
/** The text of an element once it is there. */
export const text = async (selector) => (await page.waitForSelector(selector)).evaluate((found) => found.textContent);

/** Drops a file on the list, and stores it. */
export async function store(file) {
  await page.goto(url);
  await page.waitForSelector('.drop');
  await page.evaluate(
    (name, bytes) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([Uint8Array.from(atob(bytes), (character) => character.charCodeAt(0))], name));
      document.querySelector('.drop').dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }));
    },
    basename(file),
    readFileSync(file).toString('base64'),
  );
  await page.waitForSelector('.file-form tbody tr');
  const columns = await page.evaluate(() => document.querySelectorAll('.file-form th').length);
  await Promise.all([page.waitForNavigation(), page.click('.uploads button.primary')]);
  return columns;
}

/** Plays a scenario, and ends the browser. */
export async function play(scenario) {
  try {
    const seen = await scenario();
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
}
