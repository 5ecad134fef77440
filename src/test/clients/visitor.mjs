// A headless browser that uses the pages of the service as a person does. A script of scenarios imports it. Each line that is
// read names a scenario, which is played on a page that shares nothing with others, and its findings are written as JSON. Any
// error on the console, violation of the policy, or request to another host is a failure, on each page of a scenario.
//
//   node visitor.mjs folder-of-node_modules program

import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';

const [modules, program] = process.argv.slice(2);
const require = createRequire(resolve(modules, 'package.json'));
const { chromium } = require('playwright-core');

const browser = await chromium.launch({
  executablePath: program,
  args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'],
});
// The machine may be busy.
const TIMEOUT_MILLISECONDS = 90_000;

// The findings of the running scenario.
let job;
let seen;
export let url;
let running;
/** The errors of the page. */
let failures;
export let traffic;
/** The requests until the first rows were shown, without requests for later content. */
export let firstRows;
export let page;
export let session;
export let grid;

/** Begins a scenario with a page. */
async function begin() {
  url = job.url;
  const own = { failures: [], forgives: false, pages: [], traffic: { requests: 0, bytes: 0 } };
  running = own;
  ({ failures, traffic } = own);
  firstRows = null;
  page = await opened(own);
  session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  const paths = new Map();
  session.on('Network.requestWillBeSent', ({ requestId, request }) => paths.set(requestId, new URL(request.url).pathname));
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    own.traffic.requests++;
    own.traffic.bytes += encodedDataLength;
    if (paths.get(requestId)?.endsWith('.arrows')) {
      firstRows ??= { ...own.traffic };
    }
  });
  grid = page.getByRole('grid');
}

/** Opens a page of a scenario, which shares nothing with other pages. */
async function opened(own) {
  // Proxies of tests have certificates of their own.
  const made = await browser.newPage({ viewport: { width: 1440, height: 900 }, ignoreHTTPSErrors: true });
  own.pages.push(made);
  made.setDefaultTimeout(TIMEOUT_MILLISECONDS);
  made.on('console', (message) => message.type() === 'error' && !isForgiven(own, message.text()) && own.failures.push(message.text()));
  made.on('pageerror', (error) => own.failures.push(error.stack));
  made.on('request', (request) => request.url().startsWith(`${url}/`) || own.failures.push(`a request to ${request.url()}`));
  await made.addInitScript(() =>
    document.addEventListener('securitypolicyviolation', (event) => console.error(`${event.violatedDirective} ${event.blockedURI}`)),
  );
  return made;
}

/** Opens another page, as the browser of another person does. */
export const another = () => opened(running);

/** Drops what responses that are expected to fail write on the console. Some of it arrives only later. */
export function forgive() {
  running.forgives = true;
  failures.splice(0, failures.length, ...failures.filter((text) => !isForgiven(running, text)));
}

function isForgiven(scenario, text) {
  return scenario.forgives && text.startsWith('Failed to load resource');
}

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

/** Returns violations of WCAG 2 A and AA, and of best practice, that axe finds in the visible page, light and dark. */
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
  const { violations } = await axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] });
  observer.disconnect();
  return JSON.stringify({
    hasLoaded,
    violations: violations.map(({ id, nodes }) => [id, nodes.map(({ html, failureSummary }) => [html.slice(0, 200), failureSummary])]),
  });
})()`;

/** Plays the one of the scenarios of a script that is wanted. */
export async function play(scenarios) {
  seen = await scenarios[job.scenario](...job.parameters);
  if (failures.length > 0) {
    throw new Error(failures.join('\n'));
  }
}

let visits = 0;

async function visit() {
  await begin();
  try {
    // With a query, a script is run again.
    await import(`./${job.script}?${++visits}`);
    return { seen };
  } catch (error) {
    return { error: [error.stack, ...failures, page.url()].join('\n') };
  } finally {
    await Promise.all(running.pages.map((each) => each.context().close()));
  }
}

createInterface({ input: process.stdin })
  .on('line', async (line) => {
    job = JSON.parse(line);
    process.stdout.write(JSON.stringify(await visit()) + '\n');
  })
  .on('close', () => browser.close());
