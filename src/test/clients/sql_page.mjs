// Scenarios of the page of statements. Each prints what it saw.

import { readFile } from 'node:fs/promises';
import { accessibility, cell, clipboard, forgive, grid, loaded, page, play, session, url } from './visitor.mjs';

const editor = page.getByRole('textbox', { name: 'Statement' });
const summary = page.locator('.summary');
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
  await page.waitForFunction(() => document.querySelector('.summary').textContent !== '');
  return summary.textContent();
}

/** Accepts a completion. The editor ignores keys for an instant after it has offered some. */
async function accept(name, key) {
  await page.getByRole('option', { name }).waitFor();
  await page.waitForTimeout(100);
  await page.keyboard.press(key);
}

/** The texts of the first rows, once the last of their cells is here. */
async function values(rows, columns) {
  await loaded(rows - 1, columns - 1);
  return page.evaluate(
    ([height, width]) =>
      Array.from({ length: height }, (_, row) =>
        Array.from({ length: width }, (__, column) => {
          const found = document.querySelector(`[role=row][aria-rowindex="${row + 2}"] [role=gridcell][aria-colindex="${column + 2}"]`);
          return found?.textContent;
        }),
      ),
    [rows, columns],
  );
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

const scenarios = {
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
    await page.keyboard.type(name);
    await page.keyboard.press('Enter');
    const saving = page.locator('.saving [role=status]');
    await saving.getByRole('link').waitFor();
    const saved = await saving.textContent();
    await button('Save').click();
    await button('Replace it').click();
    await page.waitForFunction(() => document.querySelector('.saving [role=status]').textContent.startsWith('Saved'));
    forgive();
    await saving.getByRole('link').click();
    await loaded(0, 0);
    return { cells, types, saved, again: await values(2, Number(columns)), types2: await typesOf() };
  },

  /** Tests that errors are underlined, also in a selection, until the next change. */
  async wrong() {
    await open();
    await start("SELECT '🚀' AS a,\n  citys FROM sample");
    const first = { told: await alert.locator('p').textContent(), underlined: await page.locator('.wrong').textContent() };
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
    const [download] = await Promise.all([page.waitForEvent('download'), button('Download as CSV').click()]);
    const csv = await readFile(await download.path(), 'utf8');
    const [linked] = await Promise.all([page.waitForEvent('download'), button('Download as CSV for spreadsheets').click()]);
    const safe = [await readFile(await linked.path(), 'utf8')];
    // No link has a token.
    await page.evaluate(() => sessionStorage.setItem('quiver.token', 'any'));
    const [fetched] = await Promise.all([page.waitForEvent('download'), button('Download as CSV for spreadsheets').click()]);
    safe.push(await readFile(await fetched.path(), 'utf8'));
    const [json] = await Promise.all([page.waitForEvent('download'), button('Download as JSON').click()]);
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
    return { standard, line, hash, csv, safe, json: rows, name: download.suggestedFilename(), label, again, next, closed };
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
    const found = await accessibility();
    await page.setViewportSize({ width: 390, height: 844 });
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    await start('SELECT nothing');
    await alert.waitFor();
    found.push(...(await accessibility()));
    forgive();
    return { found, width };
  },
};

await play(scenarios);
