// The list, the rows of a dataset and uploads, as a person uses them.

import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { accessibility, cell, clipboard, firstRows, forgive, grid, loaded, page, play, session, texts, traffic, url } from './visitor.mjs';

const side = page.getByRole('complementary');
const box = page.getByLabel('Search or filter');
const write = (text) => page.evaluate((value) => navigator.clipboard.writeText(value), text);

/** Returns the text that the drawer copies in each format, with keys only. */
async function formats() {
  const found = {};
  for (const format of ['CSV', 'TSV', 'JSON', 'Markdown']) {
    await side.getByRole('radio', { name: format }).press('Space');
    await write('');
    await side.getByRole('radio', { name: format }).press('Enter');
    found[format] = await clipboard();
  }
  return found;
}

/** Drops a file on the page. */
function drop([name, bytes]) {
  const transfer = new DataTransfer();
  transfer.items.add(new File([Uint8Array.from(atob(bytes), (character) => character.charCodeAt(0))], name));
  document.querySelector('.drop').dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }));
}

await play({
  /** The texts of cells, and what it took to show them. */
  async rows(dataset, rows, columns) {
    await page.goto(`${url}/datasets/${dataset}`);
    await loaded(0, 0);
    await page.setViewportSize({ width: Math.max(1440, 250 * Number(columns)), height: 900 });
    await loaded(0, Number(columns) - 1);
    return { texts: await texts(Number(rows), Number(columns)), traffic: firstRows };
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
    const drawer = await page.getByRole('complementary').locator('pre').textContent();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+End');
    await page.keyboard.press('Home');
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
    await box.fill(condition);
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.querySelector('output').textContent.includes(' of '));
    const count = await page.locator('output').textContent();
    await page.reload();
    await loaded(0, 0);
    const again = await page.locator('output').textContent();
    const first = await cell(0, 0).textContent();
    await page.getByText('Download', { exact: true }).click();
    await page.getByText('The rows on the screen', { exact: true }).waitFor();
    await page.getByText('All rows and columns of version 1').click();
    const csv = await page.getByRole('link', { name: '.csv' }).first().getAttribute('href');
    const safe = await page.getByRole('link', { name: 'CSV for spreadsheets' }).evaluateAll((links) => links.map((link) => link.getAttribute('href')));
    await page.keyboard.press('Escape');
    const pin = page.getByRole('link', { name: 'version 1' });
    const pinned = await pin.getAttribute('href');
    await pin.click();
    await page.waitForURL(/@1/);
    await loaded(0, 0);
    const isPinned = (await page.locator('span.pin').textContent()) === 'version 1';
    forgive();
    await box.fill(wrong);
    await page.keyboard.press('Enter');
    const alert = await page.getByRole('alert').locator('p').first().textContent();
    // A response that is a failure is on the console.
    forgive();
    const kept = await cell(0, 0).textContent();
    return { count, again, first, csv, safe, pinned, isPinned, alert, kept };
  },

  /** Files are dropped on the list, one of them twice. */
  async upload(file, ...others) {
    await page.goto(url);
    await page.getByRole('link', { name: 'sample' }).waitFor();
    const input = page.locator('input[type=file]');
    await input.setInputFiles([file, ...others]);
    const lines = page.locator('.uploads > li');
    const preview = lines.first().locator('details.preview');
    await preview.locator('tbody tr').first().waitFor();
    const inferred = await preview.evaluate((shown) => [
      shown.querySelector('summary').textContent,
      [...shown.querySelectorAll('th')].map((head) => [...head.querySelectorAll('input, select')].map(({ value }) => value)),
      [...shown.querySelectorAll('tbody tr')].map((row) => [...row.cells].map((cell) => cell.textContent)),
      [...shown.querySelectorAll('th select')].map((select) => select.selectedOptions[0].textContent),
      new Set([...shown.querySelectorAll('tbody tr')].map((row) => Math.round(row.getBoundingClientRect().height))).size,
    ]);
    const second = lines.nth(1).getByLabel('Name of the dataset');
    await second.fill(`${await second.inputValue()}-renamed`);
    await page.getByRole('button', { name: `Upload all ${others.length + 1}` }).click();
    for (let i = 0; i <= others.length; i++) {
      await lines.nth(i).getByRole('link').waitFor();
    }
    const stored = await lines.allInnerTexts();
    await input.setInputFiles(file);
    const again = lines.last();
    await again.getByRole('button', { name: 'Upload', exact: true }).click();
    await again.getByRole('button', { name: 'Append to it' }).click();
    await again.getByRole('link').waitFor();
    const appended = await again.innerText();
    forgive();
    await again.getByRole('link').click();
    await loaded(0, 0);
    return { inferred, stored, appended, count: await page.locator('output').textContent(), first: await cell(0, 0).textContent() };
  },

  /** A file is dropped, and its rows are in sight after one click. */
  async dropped(file) {
    await page.goto(url);
    await page.getByText('Drop files here').waitFor();
    await page.evaluate(drop, [basename(file), readFileSync(file).toString('base64')]);
    const line = page.locator('.uploads > li');
    await line.locator('.file-form tbody tr').first().waitFor();
    const settings = await line.locator('.settings label').evaluateAll((all) => all.map((label) => [label.firstChild.textContent.trim(), label.querySelector('select').selectedOptions[0].textContent]));
    const notes = await line.locator('.notes').last().locator('li').allTextContents();
    await line.getByRole('button', { name: 'Upload', exact: true }).click();
    await page.waitForURL(/datasets/);
    await loaded(0, 0);
    const names = await page.locator('[role=columnheader] bdi').allTextContents();
    return { settings: Object.fromEntries(settings), notes, names, first: await texts(1, names.length), alerts: await page.getByRole('alert').count() };
  },

  /** A file is read in another way before it is uploaded. */
  /** The notes of a file, whose parameters are chosen by keys alone. */
  async noted(file) {
    await page.goto(url);
    await page.locator('input[type=file]').setInputFiles(file);
    const form = page.locator('.uploads > li').last().locator('.file-form');
    const look = () => page.waitForFunction(() => document.querySelector('.file-form tbody tr') && !document.querySelector('.file-form [aria-busy]'));
    await look();
    const notes = await form.locator('.notes li').allTextContents();
    const axe = await accessibility();
    const focused = [];
    for (const name of ['Dates such as 01/02/2024: month first', 'Type of column share, of all: Percentage']) {
      await form.getByRole('button', { name }).press('Enter');
      await form.getByRole('button', { name }).waitFor({ state: 'detached' });
      await look();
      focused.push(await page.evaluate(() => [document.activeElement.name || document.activeElement.ariaLabel, document.activeElement.value]));
    }
    const rest = await form.locator('.notes li').count();
    const rows = await form.locator('tbody tr').evaluateAll((all) => all.map((row) => [...row.cells].map((cell) => cell.textContent)));
    return { notes, focused, rest, rows, axe };
  },

  async decided(file, uneven, lines) {
    await page.goto(url);
    const input = page.locator('input[type=file]');
    await input.setInputFiles(file);
    const form = page.locator('.uploads > li').last().locator('.file-form');
    const look = () => page.waitForFunction(() => document.querySelector('.file-form tbody tr') && !document.querySelector('.file-form [aria-busy]'));
    await look();
    const notes = await form.locator('.notes li').allTextContents();
    await form.getByLabel('Type of column Betrag').selectOption('grouped');
    await look();
    await form.getByLabel('Dates such as').focus();
    await form.getByLabel('Dates such as').selectOption('day-first');
    await look();
    // The focus stays where it is.
    const focused = await page.evaluate(() => document.activeElement.name);
    await form.getByLabel('Name of column Betrag').fill('net, amount');
    const rows = await form.locator('tbody tr').evaluateAll((all) => all.map((row) => [...row.cells].map((cell) => cell.textContent)));
    const axe = await accessibility();
    const sent = page.waitForRequest((request) => request.method() === 'PUT');
    await page.getByRole('button', { name: 'Upload', exact: true }).click();
    const query = new URL((await sent).url()).search;
    await page.waitForURL(/datasets/);
    await loaded(0, 0);
    const stored = await texts(1, 3);
    // A type that does not fit can be taken back, and names of columns that are gone are not sent.
    forgive();
    await page.goto(url);
    await input.setInputFiles(uneven);
    await form.getByRole('alert').waitFor();
    forgive();
    await form.getByLabel('Rows that do not fit').selectOption('fill');
    await look();
    await form.getByLabel('Name of column b').fill('c');
    await form.getByLabel('Type of column a').selectOption('date');
    await form.getByRole('alert').waitFor();
    forgive();
    await form.getByLabel('Type of column a').selectOption('bigint');
    await form.getByRole('alert').waitFor({ state: 'detached' });
    const kept = await form.getByLabel('Name of column b').inputValue();
    await form.getByLabel('Name of column b').fill('a');
    const invalid = await form.getByLabel('Name of column b').getAttribute('aria-invalid');
    await form.getByLabel('Names').selectOption('false');
    await form.getByLabel('Name of column column0').waitFor();
    await look();
    // A choice just before the upload is sent with it.
    const put = page.waitForRequest((request) => request.method() === 'PUT');
    await page.getByLabel('Name of the dataset').fill('headless');
    await page.evaluate(() => {
      const select = document.querySelector('.file-form select[name="csv.rows"]');
      select.value = 'skip';
      select.dispatchEvent(new Event('change'));
      document.querySelector('.uploads button.primary').click();
    });
    const hasty = new URL((await put).url()).search;
    await page.locator('.uploads .line').getByRole('link').waitFor();
    // A file that is refused as it is, and one of which a row is left out further on.
    forgive();
    await page.goto(url);
    await input.setInputFiles(uneven);
    const alert = form.getByRole('alert');
    await alert.waitFor();
    const hint = await alert.locator('.hint').textContent();
    forgive();
    await form.getByLabel('Rows that do not fit').selectOption('skip');
    await look();
    await page.getByRole('button', { name: 'Upload', exact: true }).click();
    await page.locator('.uploads .line').getByRole('link').waitFor();
    const left = await page.locator('.uploads .notes').first().locator('li').allTextContents();
    await page.goto(url);
    await input.setInputFiles(lines);
    await look();
    await form.locator('select[name="json.records"]').selectOption('items');
    await look();
    const records = await form.locator('tbody tr').count();
    return { notes, focused, rows, axe, query, stored, kept, invalid, hasty, hint, left, records };
  },

  /** An upload is paused, and goes on after the page was loaded again. */
  async pause(file) {
    const slow = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 4_000_000 };
    await session.send('Network.emulateNetworkConditions', slow);
    await page.goto(url);
    const input = page.locator('input[type=file]');
    await input.setInputFiles(file);
    const lines = page.locator('.uploads > li');
    await lines.getByRole('button', { name: 'Upload', exact: true }).click();
    await page.waitForFunction(() => document.querySelector('.uploads progress')?.value > 2_000_000);
    await lines.getByRole('button', { name: 'Pause' }).click();
    const paused = await lines.innerText();
    await page.reload();
    const sent = [];
    page.on('request', (request) => request.url().includes('/uploads/') && sent.push([request.method(), request.headers()['upload-offset']]));
    await session.send('Network.emulateNetworkConditions', { ...slow, uploadThroughput: -1 });
    await input.setInputFiles(file);
    await page.waitForURL(/datasets/);
    await loaded(0, 0);
    return { paused, stored: await page.locator('output').textContent(), sent };
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
    // Between the versions, there is no text.
    const after = await page.waitForFunction((text) => {
      const shown = document.querySelector('output')?.textContent;
      return shown && shown !== text && shown;
    }, before);
    return { status: response.status(), told, before, after: await after.jsonValue() };
  },

  /** Sorted by a key: upwards, downwards, not. */
  async sort(dataset) {
    await page.goto(`${url}/datasets/${dataset}`);
    await loaded(0, 0);
    await grid.focus();
    const head = page.locator('[role=columnheader]').first();
    const states = [];
    const press = async (state) => {
      await page.keyboard.press('s');
      await page.waitForFunction((wanted) => document.querySelector('[role=columnheader]')?.ariaSort === wanted, state);
      await loaded(0, 0);
      // The focus stays in the grid.
      states.push(await head.getAttribute('aria-sort'));
    };
    await press('ascending');
    const up = await texts(4, 2);
    await press('descending');
    const down = await texts(4, 2);
    await loaded(0, 3);
    const times = [await cell(0, 2).textContent(), await cell(0, 3).textContent()];
    const { hash } = new URL(page.url());
    await press('none');
    await page.goBack();
    await page.waitForFunction(() => document.querySelector('[role=columnheader]')?.ariaSort === 'descending');
    await loaded(0, 0);
    return { up, down, times, hash, states, back: await cell(0, 0).textContent() };
  },

  /** Sorted by the button of a header, and downloaded so. */
  async sortButton(dataset) {
    await page.goto(`${url}/datasets/${dataset}#rows&where=n%20%3C%209`);
    await loaded(0, 0);
    for (const state of ['ascending', 'descending']) {
      await page.locator('[role=columnheader] .sort').first().click();
      await page.waitForFunction((wanted) => document.querySelector('[role=columnheader]')?.ariaSort === wanted, state);
      await loaded(0, 0);
    }
    const shown = await texts(3, 2);
    await page.getByText('Download', { exact: true }).click();
    await page.getByText('The rows on the screen, in this order').waitFor();
    const offered = await page.locator('.menu .formats').first().getByRole('link').allInnerTexts();
    const csv = await page.getByRole('link', { name: 'CSV .csv' }).first().getAttribute('href');
    const [excel] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'Excel' }).first().click()]);
    const response = await page.request.get(url + csv);
    return { shown, offered, csv: await response.text(), excel: excel.suggestedFilename() };
  },

  /** Cells in each format: those that are selected, those that are not loaded yet, all of them; on the clipboard and saved. */
  async copied(dataset, rows, where) {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto(`${url}/datasets/${dataset}`);
    await loaded(0, 0);
    await write('');
    await cell(0, 0).click();
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Shift+End');
    await page.keyboard.press('Control+C');
    const seen = { keys: await clipboard() };
    await page.getByRole('button', { name: 'Copy as…' }).click();
    await side.getByRole('radio', { name: /^selected/ }).check();
    seen.selected = await formats();
    seen.preview = await side.locator('pre').textContent();
    // Rows that were never in sight.
    await grid.focus();
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('Control+Shift+ArrowDown');
    await side.getByText(`selected: ${Number(rows).toLocaleString('en-US')} rows of 1 column`).waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await grid.focus();
    await page.keyboard.press('Control+C');
    await side.getByRole('radio', { name: 'CSV' }).check();
    const saved = page.waitForEvent('download');
    await side.getByRole('button', { name: 'Save' }).click();
    const download = await saved;
    seen.saved = { name: download.suggestedFilename(), text: readFileSync(await download.path(), 'utf8') };
    // All rows that match, sorted.
    await page.goto(`${url}/datasets/${dataset}#rows&sort=-0&columns=0&where=${encodeURIComponent(where)}`);
    await page.reload();
    await loaded(0, 0);
    await page.getByRole('button', { name: 'Copy as…' }).click();
    seen.sorted = (await formats()).CSV;
    return seen;
  },

  /** All cells in each format. */
  async copiedTypes(dataset) {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto(`${url}/datasets/${dataset}`);
    await loaded(0, 0);
    await grid.focus();
    await page.keyboard.press('y');
    await side.getByRole('radio', { name: /^all/, checked: true }).waitFor();
    return formats();
  },

  /** All cells, however long: how the copy begins and how long it is. */
  async copiedLong(dataset) {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto(`${url}/datasets/${dataset}`);
    await loaded(0, 0);
    await write('');
    await page.getByRole('button', { name: 'Copy as…' }).click();
    await side.getByRole('button', { name: 'Copy', exact: true }).click();
    const text = await clipboard();
    return { length: text.length, lines: text.split('\r\n').map((line) => line.slice(0, 3)) };
  },

  /** Copies that fail, that have nothing, and that are ended. */
  async copyingFails(dataset) {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    let status = 0;
    const isAll = (request) => request.url().includes('limit=60000');
    await page.route('**/datasets/*.arrows*', (route) => {
      if (status > 0) {
        const detail = status === 503 ? 'The service is busy' : 'Expected a token but found none';
        return route.fulfill({ status, contentType: 'application/problem+json', body: JSON.stringify({ status, detail }) });
      }
      // The copy of all rows waits until it is ended.
      return isAll(route.request()) ? undefined : route.continue();
    });
    await page.goto(`${url}/datasets/${dataset}#rows&where=a%20%3C%201`);
    await loaded(0, 0);
    const seen = {};
    const open = async () => {
      await page.getByRole('button', { name: 'Copy as…' }).click();
      await side.getByRole('radio', { name: 'CSV' }).check();
    };
    const alert = side.getByRole('alert');
    await write('');
    status = 503;
    await open();
    seen.busy = await alert.locator('p').textContent();
    status = 0;
    await alert.getByRole('button', { name: 'Try again', exact: true }).click();
    await alert.waitFor({ state: 'detached' });
    await side.getByRole('button', { name: 'Copy', exact: true }).click();
    seen.copied = await clipboard();
    await write('kept');
    status = 401;
    await page.getByRole('button', { name: 'Close' }).click();
    await open();
    seen.refused = await alert.locator('p').textContent();
    status = 0;
    await alert.getByLabel('Token').fill('a');
    await alert.getByRole('button', { name: 'Use this token' }).click();
    await alert.waitFor({ state: 'detached' });
    // A copy would have asked for rows, too.
    await page.waitForLoadState('networkidle');
    await page.waitForFunction(() => document.querySelector('.copying progress').hidden);
    seen.clipboard = await clipboard();
    await box.fill('a < 0');
    await page.keyboard.press('Enter');
    const told = side.getByRole('status');
    await told.filter({ hasText: 'no rows' }).waitFor();
    seen.nothing = await told.textContent();
    await page.locator('button.clear').click();
    await loaded(0, 0);
    await side.getByText('all: 60,000 rows').waitFor();
    const [asked] = await Promise.all([page.waitForRequest(isAll), side.getByRole('button', { name: 'Copy', exact: true }).click()]);
    const [ended] = await Promise.all([page.waitForEvent('requestfailed', isAll), page.getByRole('button', { name: 'Close' }).click()]);
    seen.isEnded = asked === ended;
    forgive();
    return seen;
  },

  /** Tests that the URL has the open drawer, which shows the value of the active cell. */
  async sideState(dataset) {
    await page.goto(`${url}/datasets/${dataset}#rows&side=column-1`);
    await loaded(0, 0);
    const title = page.getByRole('complementary').locator('h2');
    const told = (text) => page.waitForFunction((wanted) => document.querySelector('.drawer:not([hidden]) h2')?.textContent === wanted, text);
    await title.waitFor();
    const seen = { linked: await title.textContent() };
    await cell(2, 1).dblclick();
    await told('b at row 2');
    seen.value = new URL(page.url()).hash;
    await page.keyboard.press('Escape');
    await page.waitForFunction(() => !location.hash.includes('side'));
    seen.closed = new URL(page.url()).hash;
    await cell(2, 1).dblclick();
    await told('b at row 2');
    await grid.focus();
    await page.keyboard.press('ArrowUp');
    await told('b at row 1');
    seen.isInGrid = await grid.evaluate((each) => each === document.activeElement);
    await page.waitForFunction(() => location.hash.includes('row=1'));
    const { hash } = new URL(page.url());
    await page.goto('about:blank');
    await page.goto(`${url}/datasets/${dataset}${hash}`);
    await told('b at row 1');
    seen.again = await page.getByRole('complementary').locator('pre').textContent();
    return { ...seen, hash };
  },

  /** Columns that are chosen by a search, and one that is hidden from its header. */
  async choose(dataset, search) {
    await page.goto(`${url}/datasets/${dataset}`);
    await loaded(0, 0);
    const heads = () => page.locator('[role=columnheader] strong').allTextContents();
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('button', { name: 'None' }).click();
    await page.getByRole('searchbox', { name: 'Search columns' }).fill(search);
    await page.getByRole('button', { name: 'All' }).click();
    await page.getByRole('button', { name: 'Show these' }).click();
    await page.waitForFunction(() => document.querySelectorAll('[role=columnheader]').length === 3);
    await loaded(0, 2);
    const [first] = await texts(1, 3);
    const seen = { heads: await heads(), hash: new URL(page.url()).hash, first };
    await page.locator('[role=columnheader] .column').nth(1).click();
    await page.getByRole('button', { name: 'Hide' }).click();
    await page.waitForFunction(() => document.querySelectorAll('[role=columnheader]').length === 2);
    return { ...seen, hidden: await heads() };
  },

  /** A value that is too long for a window. */
  async long(dataset) {
    await page.goto(`${url}/datasets/${dataset}`);
    await loaded(0, 1);
    const seen = { cell: await cell(0, 1).textContent(), number: await cell(0, 0).textContent(), bytes: traffic.bytes };
    await cell(0, 1).dblclick();
    const drawer = page.getByRole('complementary');
    await drawer.locator('pre').waitFor();
    const value = await drawer.locator('pre').textContent();
    return { ...seen, value: value.slice(-10), told: await drawer.locator('small').first().textContent() };
  },

  /** The last of many columns. */
  async wide(dataset, last) {
    await page.goto(`${url}/datasets/${dataset}`);
    await loaded(0, 0);
    const first = await cell(0, 0).textContent();
    await grid.focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('End');
    await loaded(1, Number(last));
    const cells = await page.locator('[role=gridcell]').count();
    return { first, last: await cell(1, Number(last)).textContent(), cells: cells < 2000 };
  },

  /** A service that is busy for the first window. */
  async busy(dataset) {
    let isBusy = true;
    await page.route('**/datasets/*.arrows*', (route) =>
      isBusy
        ? route.fulfill({
            status: 503,
            contentType: 'application/problem+json',
            headers: { 'Retry-After': '1' },
            body: JSON.stringify({ type: 'urn:quiver:problem:overloaded', status: 503, detail: 'The service is busy' }),
          })
        : route.continue(),
    );
    await page.goto(`${url}/datasets/${dataset}`);
    const alert = page.getByRole('alert');
    const button = await alert.getByRole('button').textContent();
    isBusy = false;
    forgive();
    await alert.getByRole('button', { name: 'Try again', exact: true }).click();
    await page.waitForFunction(() => document.querySelector('[role=gridcell]')?.textContent === '0');
    return { button, after: await cell(0, 0).textContent() };
  },

  /** A service that wants a token for the first window, then one that cannot be reached, and one that can again. */
  async lost(dataset, token) {
    let isRefused = true;
    await page.route('**/datasets/*.arrows*', (route) =>
      isRefused ? route.fulfill({ status: 401, contentType: 'application/problem+json', body: JSON.stringify({ status: 401, detail: 'Expected a token but found none' }) }) : route.continue(),
    );
    await page.goto(`${url}/datasets/${dataset}`);
    const alert = page.getByRole('alert');
    const refused = await alert.locator('p').textContent();
    isRefused = false;
    await alert.getByLabel('Token').fill(token);
    await alert.getByRole('button', { name: 'Use this token' }).click();
    await loaded(0, 0);
    const first = await cell(0, 0).textContent();
    await page.context().setOffline(true);
    await grid.focus();
    await page.keyboard.press('Control+End');
    const unreachable = await alert.locator('p').textContent();
    await page.context().setOffline(false);
    forgive();
    await alert.getByRole('button', { name: 'Try again', exact: true }).click();
    const last = Number(await grid.getAttribute('aria-rowcount')) - 2;
    // Until the next frame, the cell is that of the failure.
    await cell(last, 0).filter({ hasText: /\d/ }).waitFor();
    return { refused, first, unreachable, last: await cell(last, 0).textContent() };
  },

  /** Rows that the query chooses, which are shown as they are without scripts. */
  async chosen(dataset, rows) {
    await page.goto(`${url}/datasets/${dataset}?rows=${rows}`);
    const cells = await page.locator('table').last().locator('td').allTextContents();
    return { cells: cells.map((text) => text.trim()), grids: await grid.count() };
  },

  /** An empty store. */
  async nothing() {
    await page.goto(url);
    await page.waitForFunction(() => document.querySelector('output.count')?.textContent);
    return { count: await page.locator('output.count').first().textContent(), drop: await page.getByText('Drop files here').isVisible() };
  },

  /** A dataset, or a condition, without rows: the sentence, and the names of the columns. */
  async empty(dataset) {
    await page.goto(`${url}/datasets/${dataset}`);
    const sentence = page.locator('.stage .empty');
    await sentence.waitFor();
    const heads = page.locator('[role=columnheader] strong');
    await heads.first().waitFor();
    return { sentence: await sentence.locator('.title').textContent(), heads: await heads.allTextContents() };
  },

  /** A dataset that is deleted while it is looked at. */
  async deleted(dataset) {
    await page.clock.install();
    await page.goto(`${url}/datasets/${dataset}`);
    await loaded(0, 0);
    await page.request.delete(`${url}/datasets/${dataset}`);
    await grid.focus();
    await page.keyboard.press('Control+End');
    await page.clock.fastForward(1000);
    const alert = await page.getByRole('alert').locator('p').first().textContent();
    await page.clock.fastForward(11_000);
    const badge = page.locator('h1 .badge');
    await badge.waitFor();
    forgive();
    return { alert, badge: await badge.textContent() };
  },

  /** An upload to a service that wants a token. */
  async token(file, token) {
    let letGo;
    const typed = new Promise((resolve) => (letGo = resolve));
    await page.route(/preview-form/, async (route) => {
      await typed;
      await route.continue();
    });
    await page.goto(url);
    await page.locator('input[type=file]').setInputFiles(file);
    const line = page.locator('.uploads > li');
    await line.getByRole('button', { name: 'Upload', exact: true }).click();
    await line.getByLabel('Token').fill(token);
    // The preview takes nothing of what is typed.
    letGo();
    await line.locator('table.rows').waitFor();
    forgive();
    await page.keyboard.press('Enter');
    await page.waitForURL(/datasets/);
    await loaded(0, 0);
    return { stored: (await page.locator('h1').textContent()).trim(), count: await page.locator('output').textContent() };
  },

  /** The pages on a phone: none is wider, a side does not cover what it changes, and a tap opens the active cell. */
  async phone(dataset, ...paths) {
    await page.setViewportSize({ width: 390, height: 844 });
    const wider = [];
    for (const path of paths) {
      await page.goto(url + path);
      await page.locator('h1').first().waitFor();
      // A view that has been left may wait for ever.
      await page.waitForFunction(() => ![...document.querySelectorAll('[aria-busy=true], .waiting')].some((each) => each.checkVisibility()));
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      if (width > 390) {
        wider.push([path, width]);
      }
    }
    await page.goto(`${url}/datasets/${dataset}`);
    await loaded(0, 0);
    await session.send('Emulation.setTouchEmulationEnabled', { enabled: true });
    // So late that it is no double tap.
    const tap = async (secondsLater) => {
      const box = await cell(1, 0).boundingBox();
      const timestamp = Date.now() / 1000 + secondsLater;
      await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x: box.x + 10, y: box.y + 10 }], timestamp });
      await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [], timestamp: timestamp + 0.05 });
    };
    await tap(0);
    await page.locator('.active[data-row="1"]').waitFor();
    const drawer = page.getByRole('complementary');
    const isOpen = await drawer.isVisible();
    await tap(5);
    const value = await drawer.locator('pre').textContent();
    await page.getByRole('button', { name: 'Only this value' }).click();
    await page.waitForFunction(() => document.querySelector('output.count').textContent.includes(' of '));
    return { wider, isOpen, value, covers: await drawer.isVisible() };
  },

  /** A side stands beside the rows, and gives the focus back to what opened it, also from a field. */
  async side(dataset) {
    await page.goto(`${url}/datasets/${dataset}`);
    await loaded(0, 0);
    const drawer = page.getByRole('complementary');
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('searchbox', { name: 'Search columns' }).fill('s');
    const [side, ...others] = await Promise.all([drawer, grid, page.locator('output.count').first(), page.locator('.pin')].map((each) => each.boundingBox()));
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'hidden' });
    const focused = await page.evaluate(() => document.activeElement.textContent);
    await grid.focus();
    await page.keyboard.press('c');
    const sort = drawer.getByRole('button', { name: 'Sort ascending' });
    await sort.click();
    await drawer.getByRole('button', { name: 'Sort ascending', pressed: true }).and(page.locator(':focus')).waitFor();
    const ascending = page.locator('[role=columnheader][aria-sort=ascending]');
    await ascending.waitFor();
    await sort.click();
    await ascending.waitFor({ state: 'detached' });
    return { isBeside: others.every((box) => box.x + box.width <= side.x), focused, title: await drawer.locator('h2').textContent() };
  },

  /** Widths: those of columns that come late, of a key, and of a double click on the handle. */
  async widths(dataset, last) {
    await page.goto(`${url}/datasets/${dataset}`);
    await loaded(0, 0);
    await grid.focus();
    await page.keyboard.press('End');
    await loaded(0, Number(last));
    const isWhole = ([column]) => {
      const found = document.querySelector(`[role=row][aria-rowindex="2"] [role=gridcell][aria-colindex="${column + 2}"]:not([hidden])`);
      return found.scrollWidth <= found.clientWidth;
    };
    await page.waitForFunction(isWhole, [Number(last)]);
    const width = () => cell(0, Number(last)).evaluate((found) => found.offsetWidth);
    const widths = [await width()];
    const changed = (before) => page.waitForFunction(([column, known]) => document.querySelector(`[role=row][aria-rowindex="2"] [role=gridcell][aria-colindex="${column + 2}"]:not([hidden])`).offsetWidth !== known, [Number(last), before]);
    await page.keyboard.press('-');
    await changed(widths[0]);
    widths.push(await width());
    const handle = page.locator(`[role=columnheader][aria-colindex="${Number(last) + 2}"] .handle`);
    await handle.dblclick();
    await changed(widths[1]);
    widths.push(await width());
    return { widths };
  },

  /** The other colours, which the browser keeps. */
  async colours() {
    await page.goto(url);
    const shown = () => page.evaluate(() => [getComputedStyle(document.body).backgroundColor, localStorage.length]);
    const seen = [await shown()];
    await page.getByRole('button', { name: 'Dark colours' }).click();
    seen.push(await shown());
    await page.goto(`${url}/inspect`);
    await page.getByRole('button', { name: 'Light colours' }).waitFor();
    seen.push(await shown());
    await page.getByRole('button', { name: 'Light colours' }).click();
    seen.push(await shown());
    return seen;
  },

  /** Names that mean something to HTML or to scripts, in the headers and among the columns to choose. */
  async hostile(dataset, columns) {
    await page.goto(`${url}/datasets/${dataset}`);
    await loaded(0, Number(columns) - 1);
    const heads = await page.locator('[role=columnheader] strong').allTextContents();
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.locator('.choices label').first().waitFor();
    const choices = await page.locator('.choices bdi').allTextContents();
    return { heads, choices, images: await page.locator('main img').count(), title: await page.title() };
  },

  /** From the statistics of a column and from a value to the rows that have it. */
  async facets(dataset) {
    await page.goto(`${url}/datasets/${dataset}`);
    await loaded(0, 0);
    await page.waitForFunction(() => document.querySelectorAll('.summary svg').length === 2);
    const summaries = await page.locator('.summary small').allTextContents();
    const count = async (before) => {
      await page.waitForFunction((text) => ![text, ''].includes(document.querySelector('output.count').textContent), before);
      return page.locator('output.count').first().textContent();
    };
    const counts = [await page.locator('output.count').first().textContent()];
    await grid.focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('c');
    await page.getByRole('complementary').getByTitle('even: 50 rows').click();
    counts.push(await count(counts.at(-1)));
    await loaded(0, 0);
    await cell(1, 0).dblclick();
    await page.getByRole('button', { name: 'Only this value' }).click();
    counts.push(await count(counts.at(-1)));
    const parts = () => page.locator('.parts .change').allTextContents();
    const conditions = [await parts()];
    await loaded(0, 0);
    await cell(0, 2).dblclick();
    await page.getByRole('button', { name: 'Exclude this value' }).click();
    counts.push(await count(counts.at(-1)));
    await page.locator('.parts li').nth(2).waitFor();
    conditions.push(await parts());
    return { summaries, counts, conditions };
  },

  /** A condition whose rows are counted late, and one that comes meanwhile. */
  async overtaken(dataset, late, prompt) {
    await page.goto(`${url}/datasets/${dataset}`);
    await loaded(0, 0);
    let release;
    const held = new Promise((resolve) => (release = resolve));
    const isLate = (request) => request.method() === 'HEAD' && new URL(request.url()).searchParams.get('where') === late;
    await page.route('**/*.arrows?*', async (route) => {
      if (isLate(route.request())) {
        await held;
      }
      await route.continue().catch(() => null);
    });
    const asked = page.waitForRequest(isLate);
    await box.fill(late);
    await page.keyboard.press('Enter');
    await asked;
    const givenUp = page.waitForEvent('requestfailed', isLate);
    await box.fill(prompt);
    await page.keyboard.press('Enter');
    await givenUp;
    release();
    await page.waitForFunction(() => document.querySelector('output.count').textContent.includes(' of '));
    return { count: await page.locator('output.count').first().textContent(), shown: await page.locator('.parts .change').allTextContents() };
  },

  /** A click on a bar in a header. */
  async bar(dataset) {
    await page.goto(`${url}/datasets/${dataset}`);
    await loaded(0, 0);
    const area = page.locator('.summary .area[data-condition]').first();
    const label = await area.locator('title').textContent();
    await area.click();
    await page.waitForFunction(() => document.querySelector('output.count').textContent.includes(' of '));
    const narrowed = await area.locator('title').textContent();
    return { label, count: await page.locator('output.count').first().textContent(), narrowed };
  },

  /** Rows far in the order of a column, and others that are not far from them. */
  async far(dataset, row, other) {
    const statements = [];
    page.on('request', (request) => request.url().endsWith('/sql.arrows') && statements.push(request.postData()));
    await page.goto(`${url}/datasets/${dataset}#rows&sort=-0&row=${row}`);
    await loaded(Number(row), 0);
    const first = await cell(Number(row), 0).textContent();
    const before = statements.length;
    await grid.focus();
    await page.keyboard.press('g');
    await page.keyboard.type(other);
    await page.keyboard.press('Enter');
    await loaded(Number(other), 0);
    return { first, second: await cell(Number(other), 0).textContent(), before: before > 0, more: statements.length - before };
  },

  /** A link to a row and a column, and a turn of the wheel. */
  async linked(dataset, row, column) {
    await page.goto(`${url}/datasets/${dataset}#rows&row=${row}&column=${column}`);
    await loaded(Number(row), Number(column));
    const first = () => Math.min(...[...document.querySelectorAll('.line:not([hidden])')].map((line) => line.ariaRowIndex - 2));
    const before = await page.evaluate(first);
    const box = await grid.boundingBox();
    await page.mouse.move(box.x + 300, box.y + 200);
    await page.mouse.wheel(0, 104);
    await page.waitForFunction((known) => Math.min(...[...document.querySelectorAll('.line:not([hidden])')].map((line) => line.ariaRowIndex - 2)) !== known, before);
    return { moved: (await page.evaluate(first)) - before, columns: await page.locator(`[role=columnheader][aria-colindex="${Number(column) + 2}"]`).count() };
  },

  /** A page that a link without a token opens. */
  async shared(path) {
    await page.goto(url + path);
    await loaded(0, 0);
    await page.waitForFunction(() => document.querySelectorAll('.summary svg, .summary small').length > 0);
    const seen = { first: await cell(0, 0).textContent(), count: await page.locator('output.count').first().textContent() };
    await grid.focus();
    await page.keyboard.press('s');
    await page.getByText('Sorting needs SQL').waitFor();
    await page.getByRole('link', { name: 'Use it' }).click();
    const line = await page.locator('.snippet pre').first().textContent();
    // A version, to which a link of the page leads, is read by the same link.
    await page.getByRole('link', { name: 'Versions', exact: true }).click();
    await page.locator('.versions tbody th a').first().click();
    await loaded(0, 0);
    return { ...seen, line, version: new URL(page.url()).pathname };
  },

  /** The lines for programs, where the browser has asked for a password itself. */
  async password(dataset, token) {
    await page.context().setHTTPCredentials({ username: 'any', password: token });
    await page.goto(`${url}/datasets/${dataset}#use`);
    const line = await page.locator('.snippet pre').first().textContent();
    await page.goto(`${url}/datasets/${dataset}#anatomy`);
    const command = await page.locator('.message .command code').filter({ hasText: 'curl' }).textContent();
    // These were asked without the password.
    forgive();
    return { line, command };
  },

  /** A file whose name no dataset may have. */
  async named(name, text) {
    await page.goto(url);
    await page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
    const line = page.locator('.uploads > li');
    const field = line.getByLabel('Name of the dataset');
    const chosen = await field.inputValue();
    await field.fill('not/allowed');
    await line.getByRole('button', { name: 'Upload', exact: true }).click();
    await line.getByRole('button', { name: 'Try again' }).waitFor();
    forgive();
    await field.fill(chosen);
    await line.getByRole('button', { name: 'Try again' }).click();
    await page.waitForURL(/datasets/);
    return { chosen, stored: new URL(page.url()).pathname };
  },
});
