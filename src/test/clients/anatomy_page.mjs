// Uses the anatomy of a dataset as a person does.

import { command, lines, parts, shown } from './anatomy_parts.mjs';
import { accessibility, forgive, page, play, url } from './visitor.mjs';

const requests = [];
page.on('request', (request) => requests.push(request.url()));

await play({
  /** A message and a buffer that the URL names, and what is seen of them. */
  async parts(dataset, fragment) {
    await page.goto(`${url}/datasets/${dataset}#anatomy`);
    await shown('Record batch 0');
    const first = { hash: new URL(page.url()).hash, file: await parts('the file'), message: await parts('the message'), lines: await lines(), command: await command() };
    await page.goto(`${url}/datasets/${dataset}#${fragment}`);
    await page.locator('.bytes').waitFor();
    await page.waitForFunction(() => document.querySelector('.bytes')?.textContent !== '');
    const buffer = { command: await command('.chosen'), bytes: await page.locator('.bytes').textContent(), hash: new URL(page.url()).hash };
    return { first, buffer, axe: await accessibility(), sentence: await page.locator('.sentence').textContent() };
  },

  /** By keys alone, from the picture of the file to a buffer and its command. */
  async keys(dataset) {
    await page.goto(`${url}/datasets/${dataset}#anatomy`);
    await shown('Record batch 0');
    const focus = async (name) => {
      for (let i = 0; i < 100; i++) {
        await page.keyboard.press('Tab');
        if ((await page.evaluate(() => document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent)) === name) {
          return;
        }
      }
      throw new Error(`Expected ${name} within 100 tabs`);
    };
    await focus('the file');
    const seen = [];
    for (const [key, title] of [['Home', 'Schema'], ['End', 'Footer'], ['ArrowLeft', 'Record batch 1'], ['ArrowLeft', 'Record batch 0']]) {
      await page.keyboard.press(key);
      await shown(title);
      seen.push(await page.getByRole('slider', { name: 'the file' }).getAttribute('aria-valuetext'));
    }
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'All of the file' }).and(page.locator(':enabled')).waitFor();
    const near = await page.locator('.ticks').first().innerText();
    await page.keyboard.press('0');
    await page.waitForFunction(() => document.querySelector('.ticks span').textContent === '0');
    await focus('the message');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.locator('.chosen').waitFor();
    const hash = new URL(page.url()).hash;
    await focus('data');
    await page.keyboard.press('Enter');
    return { seen, near, hash, pressed: await page.locator('button.role[aria-pressed=true]').count() };
  },

  /** More batches than are fetched at once: groups, which are divided. */
  async many(dataset, last) {
    await page.goto(`${url}/datasets/${dataset}#anatomy`);
    await shown('Record batch 0');
    const asked = requests.length;
    const groups = await parts('the file');
    await page.getByRole('slider', { name: 'the file' }).click({ position: { x: 500, y: 30 } });
    await page.waitForFunction((count) => document.querySelectorAll('.picture rect.part').length > count, 200);
    const divided = await parts('the file');
    await page.getByRole('textbox', { name: 'Go to record batch' }).fill(last);
    await page.keyboard.press('Enter');
    await shown(`Record batch ${Number(last).toLocaleString('en-US')}`);
    return { asked, groups, divided, command: await command(), hash: new URL(page.url()).hash };
  },

  /** A message whose layout the service does not give at first, and what appends added. */
  async failing(dataset) {
    let isBusy = true;
    const problem = { type: 'urn:quiver:problem:overloaded', title: 'Busy', status: 503, detail: 'Expected a free place but found none at the service' };
    await page.route('**/layout?from=*', (route) =>
      isBusy ? route.fulfill({ status: 503, contentType: 'application/problem+json', body: JSON.stringify(problem) }) : route.continue(),
    );
    await page.goto(`${url}/datasets/${dataset}#anatomy`);
    const alert = await page.getByRole('alert').locator('p').first().textContent();
    // A response that is a failure is on the console.
    forgive();
    isBusy = false;
    await page.getByRole('button', { name: 'Try again' }).click();
    await shown('Record batch 0');
    await page.waitForFunction(() => !document.querySelector('[role=alert]'));
    await page.locator('.extents summary').click();
    return { alert, extents: await page.locator('.extents li').allInnerTexts(), bands: await page.locator('.band').count() };
  },
});
