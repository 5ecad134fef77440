// All pages below a path, as a person uses them. The scenario returns each request with its status.

import { basename } from 'node:path';
import { loaded, page, play, url } from './visitor.mjs';

const VIEWS = ['rows', 'schema', 'profile', 'versions', 'use', 'anatomy'];

const responses = [];
page.on('response', (response) => responses.push([response.request().method(), response.url(), response.status()]));
page.on('requestfailed', (request) => {
  const failure = request.failure()?.errorText ?? 'failed';
  // A page gives up what it no longer needs.
  if (failure !== 'net::ERR_ABORTED') {
    responses.push([request.method(), request.url(), failure]);
  }
});

/** Opens a page, and waits until it asks for nothing more. */
async function open(path) {
  await page.goto(url + path);
  await page.waitForLoadState('networkidle');
}

await play({
  async all(dataset, file) {
    await open('/');
    await page.getByRole('link', { name: dataset, exact: true }).waitFor();
    await page.getByRole('searchbox').fill(dataset);
    await page.waitForLoadState('networkidle');
    for (const view of VIEWS) {
      await open(`/datasets/${dataset}#${view}`);
    }
    await open(`/datasets/${dataset}#rows&where=n%20%3E%201`);
    await loaded(0, 0);
    await page.getByRole('link', { name: 'Ask in SQL' }).first().evaluate((link) => link.click());
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await loaded(0, 0);
    await page.getByRole('button', { name: 'Save as dataset' }).click();
    await page.keyboard.type(`${dataset}-saved`);
    await page.keyboard.press('Enter');
    await page.locator('.saving [role=status]').getByRole('link').click();
    await loaded(0, 0);
    await open('/');
    await page.locator('input[type=file]').setInputFiles(file);
    await page.getByRole('button', { name: 'Upload', exact: true }).click();
    await page.waitForURL(`**/datasets/${basename(file).replace('.csv', '')}*`);
    await loaded(0, 0);
    await open('/inspect');
    await open('/docs');
    await open('/docs/pages');
    await page.goto(`${url}/api`);
    await page.locator('.opblock').first().waitFor();
    await page.waitForLoadState('networkidle');
    return responses;
  },
});
