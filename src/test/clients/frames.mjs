// Pages of other sites in a headless browser, which show pages of the service in frames. The last argument is JSON: the URL of
// the service, and the frames. Writes the view in each frame as JSON.
//
//   node frames.mjs folder-of-node_modules program {"service": …, "frames": [[name, site, path, act, attributes], …]}

import { createRequire } from 'node:module';
import { resolve } from 'node:path';

const [modules, program, job] = process.argv.slice(2);
const { service, frames } = JSON.parse(job);
const { chromium } = createRequire(resolve(modules, 'package.json'))('playwright-core');

const browser = await chromium.launch({
  executablePath: program,
  args: [
    '--no-sandbox',
    '--disable-dev-shm-usage',
    '--disable-gpu',
    '--host-resolver-rules=MAP *.test 127.0.0.1',
    // The browser would ask its user before the page reaches this machine.
    '--disable-features=LocalNetworkAccessChecks',
  ],
});
const context = await browser.newContext();
const page = await context.newPage();
page.setDefaultTimeout(90_000);

/** The steps of a person in a frame, and the view after them. */
const acts = {
  async list(frame) {
    await frame.getByRole('link', { name: 'framed', exact: true }).waitFor();
    const uploads = await frame.locator('.drop:visible').count();
    const tab = frame.getByRole('link', { name: 'Open in a tab' });
    const left = [await tab.getAttribute('target'), await tab.getAttribute('href')];
    await frame.getByRole('link', { name: 'framed', exact: true }).click();
    await frame.waitForURL('**/datasets/framed');
    return { uploads, left, cell: await cell(frame) };
  },

  async rows(frame) {
    return { cell: await cell(frame) };
  },

  async statement(frame) {
    await frame.getByRole('button', { name: 'Run', exact: true }).waitFor();
    const saves = await frame.getByRole('button', { name: 'Save as dataset' }).count();
    // The editor of CodeMirror in place of the text area.
    await frame.locator('.cm-content').waitFor();
    await frame.getByRole('textbox', { name: 'Statement' }).fill('SELECT max(n) FROM framed');
    await frame.getByRole('button', { name: 'Run', exact: true }).click();
    return { saves, cell: await cell(frame) };
  },

  /** The requests that the scripts of a page send, or not. */
  async write(frame) {
    await cell(frame);
    return frame.evaluate(async () => {
      const { authorization, base, send, useToken } = await import(
        new URL('../lib/requests.js', document.querySelector('script[type=module]').src).href
      );
      useToken('secret');
      const outcomes = { authorization: authorization() };
      for (const [method, path] of [
        ['DELETE', '/datasets/framed'],
        ['PUT', '/datasets/made'],
        ['POST', '/datasets'],
        ['POST', '/convert'],
        ['POST', '/sql.csv'],
      ]) {
        const body = path === '/sql.csv' ? 'SELECT 7' : 'n\n1\n';
        outcomes[`${method} ${path}`] = await send(base + path, { method, body }).then(
          (response) => response.text(),
          (error) => error.message,
        );
      }
      return outcomes;
    });
  },

  /** A link leads to what its site has chosen only if a person follows it. */
  async link(frame) {
    const shown = await frame.locator('h1').textContent();
    await frame.getByRole('link', { name: 'follow it' }).click();
    return { shown, cell: await cell(frame) };
  },

  async document(frame) {
    return { shown: (await frame.locator('h1').first().textContent()) !== '' };
  },

  async nothing(frame) {
    return { text: await frame.locator('body').innerText() };
  },
};

async function cell(frame) {
  const first = frame.locator('[role=row][aria-rowindex="2"] [role=gridcell][aria-colindex="2"]:not(.waiting)');
  await first.waitFor();
  return first.textContent();
}

const outcomes = {};
for (const [name, site, path, act, attributes] of frames) {
  await page.goto(site);
  const loaded = page.waitForEvent('framenavigated', (frame) => frame.parentFrame() !== null && frame.url() !== 'about:blank');
  await page.evaluate(
    ([src, given]) => document.body.append(Object.assign(document.createElement('iframe'), { width: 1200, height: 700, ...given, src })),
    [service + path, attributes ?? {}],
  );
  const frame = await loaded;
  await frame.waitForLoadState();
  const isBlocked = frame.url().startsWith('chrome-error:');
  outcomes[name] = isBlocked ? 'blocked' : await acts[act](frame);
}
process.stdout.write(JSON.stringify(outcomes) + '\n');
await browser.close();
