// Scenarios of the page of statements. Each prints what it saw.

import { readFile } from 'node:fs/promises';
import { accessibility, cell, clipboard, forgive, grid, loaded, page, play, session, url } from './visitor.mjs';

const editor = page.getByRole('textbox', { name: 'Statement' });
const summary = page.locator('.outcome');
const alert = page.getByRole('alert');
const button = (name) => page.getByRole('button', { name, exact: true });
/** The exact types of the columns, which the tooltips of their headers have. */
const typesOf = () => page.locator('[role=columnheader] .column').evaluateAll((heads) => heads.map(({ title }) => title.replace(/^[^:]*: /, '').replace(/, not null$/, '')));

async function open(path = '/sql') {
  await page.goto(url + path);
  // The editor of CodeMirror in place of the text area.
  await page.locator('.cm-content').waitFor();
}

async function write(sql) {
  await editor.focus();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText(sql);
}

async function start(sql) {
  await write(sql);
  await page.keyboard.press('Control+Enter');
}

/** Runs a statement to its end. */
async function finish(sql) {
  await start(sql);
  await ended();
}

async function ended() {
  await page.waitForFunction(() => document.querySelector('.outcome').textContent !== '');
  return summary.textContent();
}

/** Saves the result, by an entry of the menu. */
async function download(label) {
  await page.locator('.menu:not([open]) summary').click();
  const [made] = await Promise.all([page.waitForEvent('download'), button(`Download as ${label}`).click()]);
  await page.keyboard.press('Escape');
  return made;
}

/** Accepts a completion. The editor ignores keys for an instant after it has offered some. */
async function accept(name, key) {
  await page.getByRole('option', { name }).waitFor();
  await page.waitForTimeout(100);
  await page.keyboard.press(key);
}

/** The texts of the first rows of the grid that is open, once all of them are here. */
async function values(rows, columns) {
  const found = await page.waitForFunction(
    ([height, width]) => {
      const open = [...document.querySelectorAll('[role=grid]')].find((each) => each.checkVisibility());
      const cells = Array.from({ length: height }, (_, row) =>
        Array.from({ length: width }, (__, column) => open?.querySelector(`[role=row][aria-rowindex="${row + 2}"] [role=gridcell][aria-colindex="${column + 2}"]:not([hidden], .waiting)`)),
      );
      return cells.flat().every((each) => each) && cells.map((line) => line.map(({ textContent }) => textContent));
    },
    [rows, columns],
  );
  return found.jsonValue();
}

/** The statements that the service has ended since their clients left. */
async function aborted() {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^quiver_sql_statements_seconds_count\{outcome="aborted"\} (\S+)$/m.exec(text)?.[1] ?? 0);
}

/** Waits until the service has ended one more statement, while the page stays. */
async function endsOneMore(before) {
  const latest = Date.now() + 20_000;
  while ((await aborted()) === before) {
    if (Date.now() > latest) {
      throw new Error(`Expected ${before + 1} aborted statements but found ${before}`);
    }
    await page.waitForTimeout(50);
  }
}

/** The title, the bars and the lines of the chart, once it has a kind of marks. */
async function drawn(mark = 'rect') {
  await page.locator(`.chart:not([aria-busy]) .picture [aria-label=${mark}]`).first().waitFor();
  return page.evaluate(() => ({
    title: document.querySelector('.picture .title').textContent,
    bars: document.querySelectorAll('.picture [aria-label=rect] rect').length,
    points: [...document.querySelectorAll('.picture [aria-label=line] path')].map((path) => path.getAttribute('d').match(/[ML]/g).length),
    note: document.querySelector('.chart .note').textContent,
  }));
}

const items = page.getByRole('tree', { name: 'Tables' }).getByRole('treeitem');
const tabs = page.getByRole('tab');

/** The text of the editor, which has a line for each of its own. */
const written = () => editor.locator('.cm-line').allTextContents().then((lines) => lines.join('\n'));

/** The paths of requests from now on. */
function requests(isWanted) {
  const found = [];
  page.on('request', (request) => isWanted(request.url().slice(url.length)) && found.push(request.url().slice(url.length)));
  return found;
}

/** Clicks the arrow in the header of a column until its order is that one. */
async function sort(column, order, modifiers = []) {
  const head = page.getByRole('columnheader').nth(column);
  for (let i = 0; i < 3 && (await head.getAttribute('aria-sort')) !== order; i++) {
    const before = await head.getAttribute('aria-sort');
    await head.locator('.sort').click({ modifiers });
    await page.waitForFunction(
      ([place, former]) => {
        const sorted = document.querySelectorAll('[role=columnheader]')[place]?.getAttribute('aria-sort');
        return sorted && sorted !== former && !document.querySelector('.stage[aria-busy]');
      },
      [column, before],
    );
  }
}

/** All rows that are shown, as CSV. */
async function copied() {
  await button('Copy as…').click();
  await page.getByLabel('CSV', { exact: true }).check();
  const [made] = await Promise.all([page.waitForEvent('download'), button('Save').click()]);
  await button('Close').click();
  return readFile(await made.path(), 'utf8');
}

/** The pictures in the headers, as the texts that they have, once each column has one. */
async function pictures(columns) {
  await page.waitForFunction((count) => document.querySelectorAll('.head .summary:not(:empty)').length === count, columns);
  return page.locator('.head .summary').evaluateAll((all) => all.map((each) => [...each.querySelectorAll('title, small')].map(({ textContent }) => textContent)));
}

const scenarios = {
  /** Tables beside the editor: pages of them, a search, and names that are written, by keys. */
  async tables(wanted) {
    const asked = requests((path) => path.startsWith('/datasets'));
    await open();
    await items.nth(99).waitFor({ state: 'attached' });
    const first = await items.count();
    await items.last().scrollIntoViewIfNeeded();
    await items.nth(100).waitFor({ state: 'attached' });
    await page.getByLabel('Search tables').fill(wanted.toUpperCase());
    await page.waitForFunction(() => document.querySelectorAll('.tables [role=treeitem]').length === 1);
    const before = [...asked];
    await write('SELECT');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('ArrowRight');
    await items.nth(2).waitFor();
    const columns = await page.locator('.tables .column').evaluateAll((all) => all.map((each) => [each.textContent, each.title]));
    for (const keys of [['ArrowDown', 'ArrowDown'], ['ArrowUp']]) {
      for (const key of keys) {
        await page.keyboard.press(key);
      }
      await page.keyboard.press('Enter');
      await page.keyboard.press('Shift+Tab');
    }
    await editor.focus();
    await page.keyboard.press('Control+End');
    await page.keyboard.insertText(' FROM');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Enter');
    const text = await written();
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('ArrowLeft');
    const closed = await items.count();
    await page.keyboard.press('Shift+Enter');
    const told = await ended();
    return { first, before, asked: asked.slice(before.length), columns, text, closed, told, both: await written(), hash: decodeURIComponent(new URL(page.url()).hash) };
  },

  /** The rows of a table for those who have written nothing, and the entries of the menu on a phone. */
  async example() {
    await open();
    const offered = page.locator('.empty .actions').getByRole('button', { name: 'Show' });
    const label = await offered.textContent();
    await offered.click();
    const told = await ended();
    await page.setViewportSize({ width: 390, height: 844 });
    await page.locator('.menu:not([open]) summary').click();
    const entries = await page.locator('.menu .formats button').evaluateAll((all) =>
      all.map((each) => {
        const { left, right } = each.getBoundingClientRect();
        return [...[...each.children].map(({ textContent }) => textContent), left >= 0 && right <= innerWidth];
      }),
    );
    return { label, told, text: await written(), entries };
  },

  /** The columns of a wide table in parts, by clicks on a phone, whose rows close the tables. */
  async phone(table) {
    await page.setViewportSize({ width: 390, height: 844 });
    const asked = requests((path) => path.startsWith('/datasets'));
    await open();
    const closed = asked.length;
    await page.getByText('Tables', { exact: true }).click();
    const item = items.filter({ hasText: table });
    await item.locator('.fold').click();
    await page.locator('.tables .rest').click();
    await page.locator('.tables .column').nth(200).waitFor({ state: 'attached' });
    const columns = [await page.locator('.tables .column').count(), await page.locator('.tables .rest').textContent()];
    await item.locator('.name').click();
    const text = await written();
    await write('');
    await item.getByRole('button', { name: 'Rows' }).click();
    await ended();
    return { closed, columns, text, rows: await written(), isOpen: await page.locator('.tables[open]').count() };
  },

  /** A complete result in the order of its columns, all rows of it. */
  async sorts(sql, count) {
    await open();
    await finish(sql);
    await grid.waitFor();
    const asked = requests((path) => path.startsWith('/sql.'));
    const found = {};
    for (let column = 0; column < Number(count); column++) {
      await sort(column, 'ascending');
      const ascending = await copied();
      await sort(column, 'descending');
      found[column] = [ascending, await copied()];
    }
    await sort(0, 'ascending');
    await sort(1, 'descending', ['Shift']);
    const { hash } = new URL(page.url());
    const both = await copied();
    const sent = [...asked];
    const file = await readFile(await (await download('CSV')).path(), 'utf8');
    // By keys: the next direction of the first column alone, then none.
    await grid.focus();
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('s');
    await page.waitForFunction(() => document.querySelectorAll('[role=columnheader]:not([aria-sort=none])').length === 1);
    await page.keyboard.press('s');
    await page.waitForFunction(() => document.querySelector('[role=columnheader]')?.getAttribute('aria-sort') === 'descending');
    await page.keyboard.press('s');
    await page.waitForFunction(() => document.querySelector('[role=columnheader]') && !document.querySelector('[role=columnheader]:not([aria-sort=none])'));
    const focus = await page.evaluate(() => document.activeElement.getAttribute('role'));
    return { found, both, hash, sent, file, focus, none: await copied() };
  },

  /** A result that is cut, which a statement sorts over all rows. */
  async sortsCut(sql) {
    await open();
    await finish(sql);
    const told = await summary.textContent();
    const drawer = page.getByRole('complementary');
    /** Sorts at the side of a column. */
    const choose = async (column, label, order) => {
      await page.getByRole('columnheader').nth(column).locator('.column').click();
      await drawer.getByRole('button', { name: label }).click();
      await page.waitForFunction(([place, wanted]) => document.querySelectorAll('[role=columnheader]')[place]?.getAttribute('aria-sort') === wanted, [column, order]);
      return values(3, 2);
    };
    const first = await choose(0, 'Sort descending', 'descending');
    await page.waitForFunction(() => document.querySelector('.outcome').textContent.startsWith('In this order'));
    const sorted = await summary.textContent();
    const ties = await choose(1, 'Sort ascending', 'ascending');
    await drawer.locator('.histogram').waitFor();
    const said = await drawer.locator('.count').first().textContent();
    await page.waitForFunction(() => document.querySelectorAll('.head .summary:not(:empty)').length === 2);
    const counts = await page.locator('.head .summary').first().locator('title').allTextContents();
    const { hash } = new URL(page.url());
    await page.goto('about:blank');
    await open(`/sql${hash}`);
    await button('Run to see it').click();
    await page.waitForFunction(() => document.querySelectorAll('[role=columnheader]')[1]?.getAttribute('aria-sort') === 'ascending');
    return { told, first, sorted, ties, said, counts, hash, again: await values(3, 2) };
  },

  /** The pictures of a result, and those of the dataset that it becomes. */
  async pictures(sql, columns, name) {
    await page.setViewportSize({ width: 4000, height: 900 });
    await open();
    await finish(sql);
    const result = await pictures(Number(columns));
    const before = page.url();
    await page.locator('.head .summary rect').first().click();
    const clicked = page.url() === before;
    await page.locator('button.column').first().click();
    await page.locator('.card:not([aria-busy])').waitFor();
    const facts = await page.locator('.card dl').innerText();
    const links = await page.locator('.card a').count();
    await page.keyboard.press('Escape');
    await button('Save as dataset').click();
    await page.keyboard.type(name);
    await page.keyboard.press('Enter');
    await page.locator('.saving [role=status]').getByRole('link').click();
    await loaded(0, 0);
    return { result, stored: await pictures(Number(columns)), clicked, facts, links };
  },

  /** A link, whose statement runs only when it is asked to. */
  async unrun(path, label) {
    const asked = requests((each) => /^\/sql[./]/.test(each));
    await open(path);
    await button(label).waitFor();
    const said = await page.locator('.stages > .empty .title').textContent();
    const before = [...asked];
    await button(label).click();
    const told = await ended();
    const charts = label.includes('chart') ? (await drawn(), 1) : await page.locator('.chart').count();
    return { said, before, told, charts, left: await page.locator('.stages > .empty').count() };
  },

  /** Statements that run one after the other, until one fails. */
  async several(sql, correct) {
    await open();
    const sent = [];
    page.on('request', (request) => request.url().endsWith('/sql.arrows') && sent.push(JSON.parse(request.postData()).sql));
    await start(sql);
    await alert.waitFor();
    const failed = { sent: [...sent], tabs: await tabs.count(), told: await alert.allTextContents(), underlined: await page.locator('.wrong').textContent() };
    await tabs.first().click();
    failed.first = await values(1, 1);
    await page.keyboard.press('ArrowRight');
    failed.second = await values(1, 1);
    failed.open = await page.evaluate(() => document.activeElement.getAttribute('aria-selected'));
    forgive();
    sent.length = 0;
    await start(correct);
    await page.waitForFunction(() => document.querySelectorAll('[role=tab]').length === 3 && document.querySelectorAll('.outcome')[0].textContent !== '' && document.querySelector('button:disabled')?.textContent === 'Cancel');
    const last = await values(1, 1);
    await tabs.nth(1).click();
    const { hash } = new URL(page.url());
    const command = [];
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await editor.focus();
    await button('Copy as curl').click();
    command.push(...(await clipboard((text) => text.startsWith('curl'))).split('\n'));
    await page.goto('about:blank');
    await open(`/sql${hash}`);
    await button('Run to see it').click();
    await page.waitForFunction(() => document.querySelectorAll('[role=tab]')[1]?.ariaSelected === 'true' && document.querySelectorAll('[role=tab]').length === 3);
    await page.waitForFunction(() => document.querySelector('button:disabled')?.textContent === 'Cancel');
    const again = await values(1, 1);
    return { failed, last, hash: decodeURIComponent(hash), command, again, sent };
  },

  /** The rows of a dataset as they are shown, asked in SQL. */
  async asks(path, rows, columns) {
    await page.goto(url + path);
    await page.waitForFunction(() => document.querySelector('header .links a')?.hash.startsWith('#sql'));
    const shown = await values(Number(rows), Number(columns));
    const names = await page.locator('[role=columnheader] strong').allTextContents();
    await page.getByRole('link', { name: 'Ask in SQL' }).click();
    await page.locator('.cm-content').waitFor();
    const statement = await written();
    // It runs by itself, but not when the page is loaded again.
    const told = await ended();
    const found = await values(Number(rows), Number(columns));
    const again = await page.locator('[role=columnheader] strong').allTextContents();
    await page.reload();
    await button('Run to see it').waitFor();
    return { shown, names, statement, told, found, again };
  },

  /** A statement of a filter that only a statement could have: it does not run when the user goes to it. */
  async refused(path) {
    const sent = requests((each) => /^\/sql[./]/.test(each));
    await page.goto(url + path);
    await page.locator('.mistake').waitFor();
    await page.waitForFunction(() => document.querySelector('header .links a')?.hash.startsWith('#sql'));
    forgive();
    await page.getByRole('link', { name: 'Ask in SQL' }).click();
    await button('Run to see it').waitFor();
    return { statement: await written(), sent };
  },

  /** By keys alone: names are completed, a value of the result is looked at, and Tab goes on from the editor. */
  async keys() {
    await open();
    await page.keyboard.type('SELECT mission FROM sam');
    await accept(/^sample/, 'Tab');
    await page.keyboard.type(' WHERE minu');
    await accept(/^minutes/, 'Enter');
    await page.keyboard.type(' = $exactly');
    await page.keyboard.press('Escape');
    const typed = await editor.innerText();
    await page.keyboard.press('Tab');
    await page.keyboard.type('15');
    await page.keyboard.press('Enter');
    const told = await ended();
    const order = [];
    for (let i = 0; i < 4; i++) {
      await page.keyboard.press('Tab');
      order.push(await page.evaluate(() => document.activeElement.textContent));
    }
    await grid.focus();
    await page.keyboard.press('Enter');
    const drawer = await page.getByRole('complementary').locator('pre').textContent();
    await page.keyboard.press('Escape');
    const back = await page.evaluate(() => document.activeElement.getAttribute('role'));
    return { typed, told, order, drawer, back };
  },

  /** Values of a result, which is saved as a dataset, and that of the same name in its place. */
  async values(sql, columns, name) {
    await open();
    await page.setViewportSize({ width: 4000, height: 900 });
    await finish(sql);
    const cells = await values(2, Number(columns));
    const types = await typesOf();
    await button('Save as dataset').click();
    // A name that no dataset has is offered as one that it can have.
    await page.keyboard.type(` ${name.slice(0, 3)} ${name.slice(3)} `);
    await page.keyboard.press('Enter');
    await alert.waitFor();
    const offered = await alert.getByRole('button').allTextContents();
    await alert.getByRole('button').click();
    const saving = page.locator('.saving [role=status]');
    await saving.getByRole('link').waitFor();
    const saved = await saving.textContent();
    await button('Save').click();
    await button('Replace it').click();
    await page.waitForFunction(() => document.querySelector('.saving [role=status]').textContent.startsWith('Saved'));
    forgive();
    await saving.getByRole('link').click();
    await loaded(0, 0);
    return { cells, types, offered, saved, again: await values(2, Number(columns)), types2: await typesOf() };
  },

  /** Tests that errors are underlined, also in a selection, until the next change. */
  async wrong() {
    await open();
    await start("SELECT '🚀' AS a,\n  citys FROM sample");
    const first = { told: await alert.locator('p').first().textContent(), underlined: await page.locator('.wrong').textContent() };
    await page.keyboard.press('Control+End');
    await page.keyboard.type(' ');
    const after = await page.locator('.wrong').count();
    await write('SELECT 1;\nSELECT nothing');
    await page.keyboard.press('Shift+Home');
    await page.keyboard.press('Control+Enter');
    await page.locator('.wrong').waitFor();
    const second = await page.locator('.wrong').textContent();
    await write('SELECT 1 AS one; SELECT 2');
    await page.keyboard.press('Control+Home');
    for (let i = 0; i < 'SELECT 1 AS one'.length; i++) {
      await page.keyboard.press('Shift+ArrowRight');
    }
    await page.keyboard.press('Control+Enter');
    await ended();
    const selected = await values(1, 1);
    // The rest of the text stays, also after it was changed.
    const reloaded = async () => {
      await page.reload();
      await page.locator('.cm-content').waitFor();
      return editor.innerText();
    };
    const whole = [new URL(page.url()).hash, await reloaded()];
    await button('Run').click();
    await ended();
    whole.push(await values(1, 1));
    await editor.focus();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('0');
    whole.push(await reloaded());
    await page.route('**/codemirror-*', (route) => route.abort());
    await page.goto(`${url}/sql?${new URLSearchParams({ q: 'SELECT 1 AS a, nothing' })}`);
    await page.reload();
    await page.getByText('this is a plain one').waitFor();
    await editor.press('Control+Enter');
    await alert.waitFor();
    const plain = await editor.evaluate((area) => area.value.slice(area.selectionStart, area.selectionEnd));
    forgive();
    return { first, after, second, selected, whole, plain };
  },

  /** Rows are shown while others come, until the statement is cancelled. */
  async cancel() {
    await open();
    const slow = { offline: false, latency: 0, downloadThroughput: 600_000, uploadThroughput: -1 };
    await session.send('Network.emulateNetworkConditions', slow);
    await start('SELECT range AS n, md5(range::VARCHAR) AS hash FROM range(900000)');
    await loaded(0, 1);
    const count = () => grid.getAttribute('aria-rowcount').then(Number);
    const early = await count();
    await page.waitForFunction((before) => Number(document.querySelector('[role=grid]').getAttribute('aria-rowcount')) > before, early);
    const later = await count();
    const isRunning = await button('Cancel').isEnabled();
    const before = await aborted();
    await button('Cancel').click();
    const told = await ended();
    await endsOneMore(before);
    await page.keyboard.press('Control+End');
    await session.send('Network.emulateNetworkConditions', { ...slow, downloadThroughput: -1 });
    return { early, later, isRunning, told, hash: await cell(1, 1).textContent() };
  },

  /** A statement without rows yet ends by a key. */
  async escape(sql) {
    await open();
    await start(sql);
    await page.locator('.timer').filter({ hasText: ' s' }).waitFor();
    const before = await aborted();
    await page.keyboard.press('Escape');
    const told = await ended();
    await endsOneMore(before);
    return { told };
  },

  /** A statement tells which part of the rows it has read, until it has ended. */
  async progress(sql) {
    await open();
    const asked = new Set();
    page.on('request', (request) => request.url().includes('/sql/statements/') && asked.add(request.url()));
    const [request] = await Promise.all([page.waitForRequest('**/sql.arrows'), start(sql)]);
    const bar = page.getByRole('progressbar', { name: 'Progress' });
    await bar.waitFor();
    const told = await page.waitForFunction(() => {
      const { value } = document.querySelector('progress[aria-label=Progress]:not([hidden])');
      const text = document.querySelector('.timer').textContent;
      return value > 0 && value < 1 && text.endsWith('/s') && { value, text };
    });
    const { value, text } = await told.jsonValue();
    const id = request.headers()['quiver-statement'];
    const before = await aborted();
    await button('Cancel').click();
    await ended();
    await endsOneMore(before);
    return { value, text, id, asked: [...asked].map((each) => each.slice(url.length)), bars: await bar.count(), timer: await page.locator('.timer').textContent() };
  },

  /** A result that breaks off, and one of more rows than the page keeps. */
  async limit() {
    await open();
    await start("SELECT md5(range::VARCHAR) AS hash, (CASE range WHEN 800000 THEN 'x' ELSE '1' END)::INTEGER AS n FROM range(900000)");
    const broken = await alert.locator('p').textContent();
    const cut = await ended();
    forgive();
    await finish('SELECT range AS n FROM range(3000000)');
    const told = await summary.textContent();
    await grid.focus();
    await page.keyboard.press('Control+End');
    const last = Number(await grid.getAttribute('aria-rowcount')) - 2;
    await loaded(last, 0);
    return { broken, cut, told, last, text: await cell(last, 0).textContent() };
  },

  /** A statement is shared, as a link and as a command, and kept in the history. No URL that is fetched has it. */
  async share(sql, name, value) {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await open();
    await write(sql);
    await page.getByLabel(`$${name}`).fill(value);
    await button('Copy as curl').click();
    await page.getByText('Copied').waitFor();
    const command = await clipboard();
    await button('Share').click();
    const link = await clipboard((text) => text.startsWith('http'));
    await page.goto('about:blank');
    const asked = [];
    page.on('request', (request) => asked.push(request.url()));
    await open(link.slice(url.length));
    const statement = await editor.innerText();
    const before = asked.filter((each) => each.startsWith(`${url}/sql.`)).length;
    await button('Run').click();
    const told = await ended();
    await button('History').click();
    const remembered = await page.locator('.history button').allTextContents();
    await button('Clear the history').click();
    const cleared = await page.locator('.history button').count();
    const sent = asked.filter((each) => each.includes('SELECT'));
    await open(`/sql?${new URLSearchParams({ q: sql })}`);
    const opens = { statement: await editor.innerText(), url: page.url().slice(url.length) };
    return { command, link: link.slice(url.length), statement, before, told, remembered, cleared, opens, sent };
  },

  /** A chart of a result, the same one after the page is loaded again and for the next statement, and a file of the result. */
  async chart(sql, other) {
    await open();
    await finish(sql);
    await button('Chart').click();
    const standard = await drawn();
    await page.getByLabel('Type', { exact: true }).selectOption('line');
    const line = await drawn('line');
    const { hash } = new URL(page.url());
    const made = await download('CSV');
    const csv = await readFile(await made.path(), 'utf8');
    const linked = await download('CSV for spreadsheets');
    const safe = [await readFile(await linked.path(), 'utf8')];
    // No link has a token.
    await page.evaluate(() => sessionStorage.setItem('quiver.token', 'any'));
    const fetched = await download('CSV for spreadsheets');
    safe.push(await readFile(await fetched.path(), 'utf8'));
    const json = await download('JSON');
    const rows = JSON.parse(await readFile(await json.path(), 'utf8')).length;
    await page.evaluate(() => sessionStorage.clear());
    await page.reload();
    await page.locator('.cm-content').waitFor();
    await button('Run').click();
    const again = await drawn('line');
    const label = await page.getByRole('img').getAttribute('aria-label');
    // Columns that the next result has not are replaced.
    await finish(other);
    const next = await drawn();
    await button('Chart').click();
    const closed = [await page.locator('.picture').count(), new URL(page.url()).hash.includes('type=')];
    return { standard, line, hash, csv, safe, json: rows, name: made.suggestedFilename(), label, again, next, closed };
  },

  /** Names and values that mean something to HTML, to scripts, or to the direction of text. */
  async hostile(sql, columns) {
    await open();
    await finish(sql);
    const cells = await values(1, Number(columns));
    // The headers are drawn with the cells, a frame after the summary.
    const names = await page.locator('[role=columnheader] strong').allTextContents();
    return { names, cells, title: await page.title(), images: await page.locator('main img').count() };
  },

  /** Returns violations of accessibility, and whether the page fits a phone. */
  async accessible(sql) {
    await open();
    await finish(sql);
    await button('Chart').click();
    await drawn();
    await button('Save as dataset').click();
    await button('History').click();
    await items.first().locator('.fold').click();
    await items.nth(1).waitFor();
    const found = await accessibility();
    await page.setViewportSize({ width: 390, height: 844 });
    const widths = [await page.evaluate(() => document.documentElement.scrollWidth)];
    await button('Chart').click();
    await page.locator('button.column').first().click();
    await page.locator('.card:not([aria-busy])').waitFor();
    found.push(...(await accessibility()));
    await page.keyboard.press('Escape');
    await start(`${sql}; SELECT nothing`);
    await alert.waitFor();
    found.push(...(await accessibility()));
    widths.push(await page.evaluate(() => document.documentElement.scrollWidth));
    forgive();
    for (const size of [390, 1440]) {
      await page.setViewportSize({ width: size, height: 844 });
      await page.goto('about:blank');
      await open('/sql#sql&q=SELECT%201');
      await button('Run to see it').waitFor();
      found.push(...(await accessibility()));
    }
    return { found, width: Math.max(...widths) };
  },
};

await play(scenarios);
