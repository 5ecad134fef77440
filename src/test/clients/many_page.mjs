// The pages of a service with very many datasets. Each scenario prints what it saw.

import { forgive, loaded, cell, page, play, traffic, url } from './visitor.mjs';

const LABELS = { name: 'Name', rows: 'Rows', bytes: 'Size', modified: 'Modified' };

const rows = page.locator('.datasets tbody tr');
const count = page.locator('.datasets .count');
const head = (key) => page.locator('.datasets th button', { hasText: LABELS[key] });
const more = page.locator('.datasets .more');

/** Waits for the number of datasets, or for one of them. */
const isCounted = (wanted = null) =>
  page.waitForFunction((text) => {
    const told = document.querySelector('.datasets .count').textContent;
    return text === null ? told !== '' : told === text;
  }, wanted);
const elements = () => page.evaluate(() => document.querySelectorAll('*').length);
const names = () => page.evaluate(() => Array.from(document.querySelectorAll('.datasets tbody td:first-child'), (td) => td.textContent));

/** Waits until the list is in an order. */
async function isOrdered(key, direction) {
  await page.waitForFunction(
    ([label, wanted]) => {
      const heads = Array.from(document.querySelectorAll('.datasets th'));
      const isBusy = document.querySelector('.datasets [aria-busy]') !== null;
      return !isBusy && heads.find((th) => th.textContent === label)?.ariaSort === wanted;
    },
    [LABELS[key], direction],
  );
}

const scenarios = {
  /** The first rows, every order, a search, some more rows, and the last dataset. */
  async list(search, last) {
    await page.goto(url);
    await rows.nth(99).waitFor();
    await isCounted();
    const seen = { count: await count.textContent(), ...traffic, orders: {}, 'first elements': await elements() };
    for (const key of ['name', 'rows', 'bytes', 'modified']) {
      for (const [sort, direction] of [[key, 'ascending'], [`-${key}`, 'descending']]) {
        if (sort !== 'name') {
          await head(key).click();
        }
        await isOrdered(key, direction);
        seen.orders[sort] = (await names()).slice(0, 3);
      }
    }
    await head('name').click();
    await isOrdered('name', 'ascending');
    await page.getByRole('searchbox').fill(search);
    await page.waitForFunction(() => document.querySelectorAll('.datasets tbody tr').length === 1);
    seen.found = await names();
    await page.getByRole('searchbox').fill('');
    await rows.nth(99).waitFor();
    await isCounted(seen.count);
    const before = traffic.requests;
    for (let shown = 200; shown <= 500; shown += 100) {
      await more.scrollIntoViewIfNeeded();
      await rows.nth(shown - 1).waitFor();
    }
    seen.scrolled = await names();
    seen.fetched = traffic.requests - before;
    seen.elements = await elements();
    await head('name').click();
    await isOrdered('name', 'descending');
    await page.getByRole('link', { name: last, exact: true }).click();
    await loaded(0, 0);
    seen.title = await page.title();
    return seen;
  },

  /** More datasets than are counted, or ordered. */
  async beyond() {
    await page.goto(url);
    await rows.nth(99).waitFor();
    await isCounted();
    const seen = { rows: await rows.count(), count: await count.textContent() };
    await head('rows').click();
    await page.getByRole('alert').waitFor();
    seen.alert = await page.getByRole('alert').textContent();
    forgive();
    return seen;
  },

  /** Names of datasets and of their columns are completed, though others begin with them. */
  async sql() {
    await page.goto(`${url}/sql`);
    await page.locator('.cm-content').waitFor();
    await page.getByRole('textbox', { name: 'Statement' }).focus();
    // The editor closes the quotes.
    await page.keyboard.type('SELECT max() FROM "many-0');
    const option = page.getByRole('option');
    await option.first().waitFor();
    const offered = await option.count();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Home');
    for (let i = 0; i < 'SELECT max('.length; i++) {
      await page.keyboard.press('ArrowRight');
    }
    await page.keyboard.type('of_');
    await page.getByRole('option', { name: /^of_many_0/ }).waitFor();
    await page.waitForTimeout(100);
    await page.keyboard.press('Tab');
    const typed = await page.getByRole('textbox', { name: 'Statement' }).innerText();
    await page.keyboard.press('Control+Enter');
    await loaded(0, 0);
    return { offered, typed, value: await cell(0, 0).textContent() };
  },
};

await play(scenarios);
