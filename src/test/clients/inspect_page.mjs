// Uses the page that inspects local files as a person does.

import { readFileSync } from 'node:fs';

import { command, lines, parts, shown } from './anatomy_parts.mjs';
import { accessibility, page, play, url } from './visitor.mjs';

/** Chooses a file. */
async function choose(file) {
  await page.goto(`${url}/inspect`);
  await page.locator('input[type=file]').setInputFiles(file);
}

/** Returns the preview of a file by its module. */
async function previewed(file) {
  const bytes = readFileSync(file).toString('base64');
  return page.evaluate(async (text) => {
    const { preview } = await import(new URL('../upload/file-preview.js', document.querySelector('script').src));
    const content = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
    return preview(new File([content], 'any'));
  }, bytes);
}

const sent = [];
page.on('request', (request) => request.method() === 'GET' || sent.push(`${request.method()} ${request.url().slice(url.length)}`));

await play({
  /** A file or a stream that is read where it is, and then sent to be checked. */
  async local(file, suffix) {
    await choose(file);
    await shown('Record batch 0');
    await page.waitForFunction(() => document.querySelectorAll('table.buffers tbody tr').length > 0);
    await page.locator('.picture rect.part').first().waitFor();
    const seen = { file: await parts('the file'), message: await parts('the message'), lines: await lines(), command: await command(), sent: [...sent] };
    await page.getByRole('button', { name: 'data', exact: true }).first().click();
    await page.waitForFunction(() => document.querySelector('.bytes')?.textContent !== '');
    seen.buffer = await command('.chosen');
    await page.getByRole('slider', { name: 'the file' }).focus();
    await page.keyboard.press('Home');
    await shown('Schema');
    seen.schema = await page.getByRole('region', { name: 'Columns' }).locator('tbody tr').evaluateAll((rows) => rows.map((row) => [...row.cells].slice(0, 2).map((cell) => cell.textContent)));
    await page.getByRole('button', { name: 'Inspect thoroughly' }).click();
    await page.getByText('Nothing was stored.').waitFor();
    seen.verdict = await page.getByRole('status').first().innerText();
    seen.findings = await page.locator('.findings li').count();
    // Both are the same page.
    seen.axe = suffix === 'arrow' ? await accessibility() : [];
    return seen;
  },

  /** A damaged file: what the browser says of it, and then the service. */
  async damaged(file, other) {
    await choose(file);
    await page.locator('.sentence').or(page.getByRole('alert')).first().waitFor();
    const own = await page.locator('.findings li').allInnerTexts();
    await page.getByRole('button', { name: 'Inspect thoroughly' }).click();
    await page.getByText('Nothing was stored.').waitFor();
    await page.locator('.findings li').first().waitFor();
    await page.locator('.mark').first().waitFor();
    const findings = await page.locator('.findings li').allInnerTexts();
    const marks = await page.locator('.mark').evaluateAll((all) => all.map(({ dataset }) => Number(dataset.offset)));
    await page.locator('.findings li button').last().click();
    await page.waitForFunction(() => !document.querySelector('.message[aria-busy]'));
    const message = await page.locator('.message').innerText();
    const verdict = await page.getByRole('status').first().innerText();
    await choose(other);
    await shown('Record batch 0');
    return { own, findings, marks, message, verdict, start: await page.locator('.findings li').allInnerTexts() };
  },

  /** The columns and rows of files of other formats. */
  async previews(arrow, ...files) {
    const seen = [];
    for (const file of files) {
      await choose(file);
      const table = page.getByRole('region', { name: 'First rows' });
      await table.or(page.getByRole('alert')).first().waitFor();
      const alert = await page.getByRole('alert').allInnerTexts();
      const heads = await table.locator('th').evaluateAll((all) => all.map((head) => [head.querySelector('input').value, head.querySelector('small')?.textContent ?? head.querySelector('select').title]));
      const rows = await table.locator('tbody tr').evaluateAll((all) => all.map((row) => [...row.cells].map((cell) => cell.textContent)));
      seen.push({ alert, heads, rows, text: await page.getByRole('region', { name: 'The file' }).innerText() });
    }
    return { seen, sent: [...sent], axe: await accessibility(), arrow: await previewed(arrow) };
  },

  /** A file that is uploaded after it was looked at. */
  async upload(file) {
    await page.goto(url);
    await page.getByRole('link', { name: 'inspect' }).click();
    await page.locator('input[type=file]').setInputFiles(file);
    await page.getByRole('button', { name: 'Upload this' }).click();
    await page.getByLabel('Name of column a').fill('b');
    await page.getByRole('button', { name: 'Upload', exact: true }).click();
    await page.waitForURL(/datasets/);
    return { path: new URL(page.url()).pathname };
  },
});
