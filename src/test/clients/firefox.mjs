// Uses the rows and the other views of datasets in Firefox.
//
//   node firefox.mjs folder-of-node_modules program URL dataset file dropped-files

import { cell, page, parameters, play, store, text, url } from './firefox_visitor.mjs';

const [dataset, file, ...others] = parameters;

await play(async () => {
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
    const columns = await store(other);
    const row = [];
    for (let column = 0; column < columns; column++) {
      row.push(await text(cell(0, column)));
    }
    dropped.push(row);
  }
  return { first, jumped, sorted, matched, record, found, result, inferred, stored, dropped };
});
