// A headless browser that uses the pages of the service as a person does. A script of scenarios imports it, and prints what
// one of them saw as JSON. Any error on the console, violation of the policy, or request to another host is a failure.
//
//   node script.mjs folder-of-node_modules program URL scenario [argument…]

import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const [modules, program, address, scenario, ...parameters] = process.argv.slice(2);
const require = createRequire(resolve(modules, 'package.json'));
const { chromium } = require('playwright-core');

const browser = await chromium.launch({
  executablePath: program,
  args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'],
});

export const url = address;
/** The errors of the page. */
export const failures = [];

/** Drops what responses that are expected to fail write on the console. */
export function forgive() {
  failures.splice(0, failures.length, ...failures.filter((text) => !text.startsWith('Failed to load resource')));
}

export const traffic = { requests: 0, bytes: 0 };
/** What was needed until the first rows were here: what is fetched beside them comes later. */
export let firstRows = null;
export const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
// The machine may be busy.
const TIMEOUT_MILLISECONDS = 90_000;
page.setDefaultTimeout(TIMEOUT_MILLISECONDS);
page.on('console', (message) => message.type() === 'error' && failures.push(message.text()));
page.on('pageerror', (error) => failures.push(error.stack));
page.on('request', (request) => request.url().startsWith(url) || failures.push(`a request to ${request.url()}`));
await page.addInitScript(() =>
  document.addEventListener('securitypolicyviolation', (event) => console.error(`${event.violatedDirective} ${event.blockedURI}`)),
);
export const session = await page.context().newCDPSession(page);
await session.send('Network.enable');
const paths = new Map();
session.on('Network.requestWillBeSent', ({ requestId, request }) => paths.set(requestId, new URL(request.url).pathname));
session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
  traffic.requests++;
  traffic.bytes += encodedDataLength;
  if (paths.get(requestId)?.endsWith('.arrows')) {
    firstRows ??= { ...traffic };
  }
});

export const grid = page.getByRole('grid');
export const cell = (row, column) =>
  page.locator(`[role=row][aria-rowindex="${row + 2}"] [role=gridcell][aria-colindex="${column + 2}"]:not([hidden])`);
/** Waits for the value of a cell that is in view. */
export const loaded = (row, column) =>
  page.waitForFunction(
    ([r, c]) => {
      const found = document.querySelector(`[role=row][aria-rowindex="${r + 2}"] [role=gridcell][aria-colindex="${c + 2}"]:not([hidden])`);
      return found && !found.classList.contains('waiting');
    },
    [row, column],
  );

/** The texts of the first rows. */
export async function texts(rows, columns) {
  const found = [];
  for (let row = 0; row < rows; row++) {
    const line = [];
    for (let column = 0; column < columns; column++) {
      await loaded(row, column);
      line.push(await cell(row, column).textContent());
    }
    found.push(line);
  }
  return found;
}

/** The text on the clipboard once it is one that is expected, by default any. */
export async function clipboard(isExpected = (text) => text !== '') {
  const end = Date.now() + TIMEOUT_MILLISECONDS;
  for (;;) {
    const text = await page.evaluate(() => navigator.clipboard.readText());
    if (isExpected(text)) {
      return text;
    }
    if (Date.now() > end) {
      throw new Error(`Expected another text but found ${JSON.stringify(text)} on the clipboard`);
    }
    await page.waitForTimeout(20);
  }
}

/** What axe finds against WCAG 2 A and AA in what is shown now, light and dark. */
export async function accessibility() {
  const source = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
  const found = [];
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme });
    await session.send('Runtime.evaluate', { expression: source });
    let outcome;
    const end = Date.now() + TIMEOUT_MILLISECONDS;
    do {
      await page.waitForFunction(isLoaded);
      const { result } = await session.send('Runtime.evaluate', { expression: AXE, awaitPromise: true });
      outcome = JSON.parse(result.value);
    } while (outcome.hasLoaded && Date.now() < end);
    found.push(...outcome.violations.map((violation) => [colorScheme, ...violation]));
  }
  return found;
}

/** Whether no part is still loading, which makes it faint. Below the screen, only the message of an anatomy loads. */
function isLoaded() {
  const isNear = (each) => each.matches('.message') || each.getBoundingClientRect().top < innerHeight;
  const isSeen = (each) => each.checkVisibility() && isNear(each);
  return ![...document.querySelectorAll('[aria-busy=true]')].some(isSeen);
}

/** Runs axe, and watches whether parts of the page load meanwhile. */
const AXE = `(async () => {
  ${isLoaded}
  let hasLoaded = !isLoaded();
  const observer = new MutationObserver(() => (hasLoaded = true));
  observer.observe(document, { attributes: true, attributeFilter: ['aria-busy'], subtree: true });
  const { violations } = await axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'] });
  observer.disconnect();
  return JSON.stringify({
    hasLoaded,
    violations: violations.map(({ id, nodes }) => [id, nodes.map(({ html, failureSummary }) => [html.slice(0, 200), failureSummary])]),
  });
})()`;

/** Plays the scenario that the command names, and ends. */
export async function play(scenarios) {
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
}
