// A page of another site in a headless browser, which tries to make the service compute and to learn what it found. The last
// argument is JSON: the URL of the service, that of the other site, and what to try. Writes the outcomes as JSON.
//
//   node elsewhere.mjs folder-of-node_modules program {"service": …, "site": …, "tries": [[name, way, path], …]}

import { createRequire } from 'node:module';
import { resolve } from 'node:path';

const [modules, program, job] = process.argv.slice(2);
const { service, site, tries } = JSON.parse(job);
const { chromium } = createRequire(resolve(modules, 'package.json'))('playwright-core');

const browser = await chromium.launch({
  executablePath: program,
  args: [
    '--no-sandbox',
    '--disable-dev-shm-usage',
    '--disable-gpu',
    '--host-resolver-rules=MAP elsewhere.test 127.0.0.1',
    // The browser would ask its user before the page reaches this machine.
    '--disable-features=LocalNetworkAccessChecks',
  ],
});
const context = await browser.newContext();
const page = await context.newPage();
const LIMIT_MILLISECONDS = 20_000;

/** The requests of a page by itself. Each resolves to an outcome that the page can see. */
const ways = {
  fetch: (url) => fetch(url).then((response) => `read ${response.status}`, () => 'error'),
  'fetch with credentials': (url) => fetch(url, { credentials: 'include' }).then((response) => `read ${response.status}`, () => 'error'),
  'fetch without CORS': (url) => fetch(url, { mode: 'no-cors' }).then((response) => response.type, () => 'error'),
  head: (url) => fetch(url, { method: 'HEAD' }).then((response) => `read ${response.status}`, () => 'error'),
  image: (url) => element('img', { src: url }),
  'image with CORS': (url) => element('img', { crossOrigin: 'anonymous', src: url }),
  script: (url) => element('script', { src: url }),
  module: (url) => element('script', { type: 'module', src: url }),
  'script with CORS': (url) => element('script', { crossOrigin: 'use-credentials', src: url }),
  stylesheet: (url) => element('link', { rel: 'stylesheet', href: url }),
  modulepreload: (url) => element('link', { rel: 'modulepreload', href: url }),
  video: (url) => element('video', { src: url }),
  frame: (url) => element('iframe', { src: url }),
  object: (url) => element('object', { data: url }),
  embed: (url) => element('embed', { src: url }),
  events: (url) =>
    new Promise((resolve) => {
      const events = new EventSource(url);
      events.onopen = () => resolve('open');
      events.onerror = () => resolve(events.close() ?? 'error');
    }),
  socket: (url) =>
    new Promise((resolve) => {
      const socket = new WebSocket(url.replace('http', 'ws'));
      socket.onopen = () => resolve('open');
      socket.onerror = () => resolve('error');
    }),
};

function element(tag, properties) {
  return new Promise((resolve) => {
    const made = document.createElement(tag);
    made.onload = () => resolve('load');
    made.onerror = () => resolve('error');
    Object.assign(made, properties);
    document.body.append(made);
    // Frames tell nothing of some outcomes.
    setTimeout(() => resolve('silence'), 1_000);
  });
}

/** Opens a tab. Returns the view of its opener once the tab has loaded, and whether its person gets a page or a file. */
async function popup(url) {
  const opened = context.waitForEvent('page');
  // A tab that only downloads is closed at once, and its download belongs to the opener.
  const early = page.waitForEvent('download', { timeout: 5_000 }).then(() => 'download', () => null);
  await page.evaluate((url) => void (window.opened = open(url)), url);
  const tab = await opened;
  const late = tab.waitForEvent('download', { timeout: 5_000 }).then(() => 'download', () => null);
  const download = Promise.race([early.then((it) => it ?? late), late.then((it) => it ?? early)]);
  const shown = tab.waitForURL(url, { timeout: 5_000 }).then(() => tab.textContent('body'), () => null);
  const outcome = await Promise.race([download.then((it) => it ?? shown), shown.then((it) => it ?? download)]);
  await page.waitForTimeout(500);
  const seen = await page.evaluate(() => {
    try {
      return window.opened.closed ? 'closed' : window.opened.location.href;
    } catch {
      return 'another site';
    }
  });
  // A person may still follow the link.
  const link = tab.isClosed() ? null : tab.getByRole('link', { name: 'follow it' });
  let followed = null;
  if (link && (await link.count()) > 0) {
    const file = tab.waitForEvent('download', { timeout: 10_000 }).then((it) => it.suggestedFilename(), () => null);
    await link.click();
    followed = await file;
  }
  await tab.close();
  return { seen, outcome: outcome === 'download' ? 'download' : outcome === null ? 'nothing' : 'page', followed };
}

const outcomes = {};
for (const [name, way, path] of tries) {
  await page.goto(site);
  const url = service + path;
  const source = way === 'popup' ? null : `(() => { ${element} return (${ways[way]})(${JSON.stringify(url)}); })()`;
  const end = new Promise((resolve) => setTimeout(() => resolve('timeout'), LIMIT_MILLISECONDS));
  outcomes[name] = await Promise.race([source === null ? popup(url) : page.evaluate(source), end]);
}
process.stdout.write(JSON.stringify(outcomes) + '\n');
await browser.close();
