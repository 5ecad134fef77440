// Scenarios of the rows: orders of several columns, records, selected cells, values as they are shown, and links to them.

import { accessibility, cell, clipboard, forgive, grid, loaded, page, play, texts, url } from './visitor.mjs';

const side = page.getByRole('complementary');
const hash = () => decodeURIComponent(new URL(page.url()).hash);
const marks = () => page.locator('[role=columnheader] .sort').allTextContents();
const titled = (text) => page.waitForFunction((wanted) => document.querySelector('.drawer:not([hidden]) h2')?.textContent === wanted, text);

async function open(dataset, state = '') {
  await page.goto('about:blank');
  await page.goto(`${url}/datasets/${dataset}${state}`);
  await loaded(0, 0);
}

await play({
  /** By a click, a click with Shift, keys, and the side; and back. */
  async sorts(dataset, rows) {
    await open(dataset);
    const sorted = (wanted) => page.waitForFunction((state) => new URLSearchParams(location.hash.slice(1)).get('sort') === state && !document.querySelector('.stage[aria-busy]'), wanted);
    const button = (i) => page.locator('[role=columnheader] .sort').nth(i);
    await button(1).click();
    await sorted('1');
    await button(2).click({ modifiers: ['Shift'] });
    await sorted('1,2');
    await button(2).click({ modifiers: ['Shift'] });
    await sorted('1,-2');
    await loaded(0, 0);
    const seen = { marks: await marks(), both: await texts(Number(rows), 3) };
    await grid.focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('Shift+S');
    await sorted('1,-2,0');
    await page.keyboard.press('Shift+S');
    await sorted('1,-2,-0');
    await page.keyboard.press('Shift+S');
    await sorted('1,-2');
    await page.keyboard.press('c');
    await side.getByRole('button', { name: 'Then descending' }).click();
    await sorted('1,-2,-0');
    await side.getByRole('button', { name: 'Then descending', pressed: true }).waitFor();
    await side.getByRole('button', { name: 'Sort ascending' }).click();
    await sorted('0');
    await loaded(0, 0);
    seen.alone = await marks();
    await page.goBack();
    await sorted('1,-2,-0');
    return seen;
  },

  /** The rows of orders: of all of them, and of those that a search finds. */
  async found(dataset, rows, word, ...orders) {
    const seen = {};
    for (const order of orders) {
      const lines = [];
      for (const search of ['', `&search=${word}`]) {
        await open(dataset, `#rows&columns=0&sort=${order}${search}`);
        lines.push((await texts(Number(rows), 1)).flat());
      }
      seen[order] = lines;
    }
    return seen;
  },

  /** All fields of a row, those of the next one, and of the one that the arrows choose; and the same from the URL. */
  async record(dataset) {
    await open(dataset);
    await page.locator('.rownumber').nth(1).click();
    await titled('Row 1');
    const fields = () => side.locator('dl').evaluate((list) => [...list.querySelectorAll('dt')].map((term) => [term.querySelector('bdi').textContent, term.querySelector('small').textContent, term.title, term.nextElementSibling.textContent]));
    const seen = { fields: await fields(), hash: hash() };
    await side.getByRole('button', { name: 'Next' }).press('Enter');
    await titled('Row 2');
    seen.focused = await page.evaluate(() => document.activeElement.textContent);
    seen.isLast = (await side.getByRole('button', { name: 'Next' }).getAttribute('aria-disabled')) === 'true';
    await grid.focus();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    await titled('Row 0');
    seen.first = (await fields()).map((field) => field[3]);
    await page.waitForFunction(() => !location.hash.includes('row='));
    await page.keyboard.press('Escape');
    await page.waitForFunction(() => !location.hash.includes('side'));
    await page.keyboard.press('r');
    await titled('Row 0');
    await side.locator('.value').nth(1).click();
    await side.locator('pre').waitFor();
    seen.value = (await side.locator('pre').textContent()).length;
    await open(dataset, '#rows&row=2&side=record');
    await titled('Row 2');
    seen.scrolls = await page.evaluate(() => [document.documentElement.scrollWidth - innerWidth, document.documentElement.scrollHeight - innerHeight]);
    return seen;
  },

  /** The sums of selected cells: from the first to the last row of each column, of all columns, and of cells that do not come. */
  async sums(dataset, rows, columns) {
    await open(dataset);
    const told = [];
    const output = page.getByLabel('Selected cells');
    await grid.focus();
    for (let column = 0; column < Number(columns); column++) {
      await page.keyboard.press('Control+Home');
      for (let i = 0; i < column; i++) {
        await page.keyboard.press('ArrowRight');
      }
      await output.waitFor({ state: 'hidden' });
      await page.keyboard.press('Control+Shift+ArrowDown');
      await output.waitFor();
      told.push(await output.textContent());
    }
    await page.keyboard.press('Control+Home');
    await output.waitFor({ state: 'hidden' });
    await cell(Number(rows) - 1, Number(columns) - 1).click({ modifiers: ['Shift'] });
    await output.waitFor();
    told.push(await output.textContent());
    await grid.focus();
    await page.keyboard.press('Control+Home');
    await output.waitFor({ state: 'hidden' });
    await page.route('**/*.arrows?*', (route) => route.abort());
    await page.keyboard.press('Shift+ArrowDown');
    await output.waitFor();
    forgive();
    return [...told, await output.textContent()];
  },

  /** Cells as they are shown: their texts, where these stand, their directions, and the types in the headers. */
  async shown(dataset, rows, columns) {
    await open(dataset);
    const places = [];
    for (let column = 0; column < Number(columns); column++) {
      places.push(await cell(1, column).evaluate((found) => [getComputedStyle(found).textAlign, getComputedStyle(found).direction]));
    }
    return { texts: await texts(Number(rows), Number(columns)), places, types: await page.locator('[role=columnheader] .column small').allTextContents(), titles: await page.locator('[role=columnheader] .column').evaluateAll((heads) => heads.map(({ title }) => title)) };
  },

  /** A link to what is shown. */
  async share(dataset, state) {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await open(dataset, state);
    await page.evaluate(() => navigator.clipboard.writeText(''));
    await page.getByRole('button', { name: 'Share' }).click();
    return (await clipboard()).slice(url.length);
  },

  /** Whether a wide screen and a phone have one scroll bar beside any drawer, and what axe finds in a record there. */
  async look(dataset) {
    const seen = {};
    for (const [width, height] of [[1440, 900], [390, 844]]) {
      await page.setViewportSize({ width, height });
      await open(dataset, '#rows&row=1&side=record');
      await titled('Row 1');
      seen[width] = [...(await accessibility()), ...(await page.evaluate(() => [document.documentElement.scrollWidth - innerWidth, document.documentElement.scrollHeight - innerHeight]))];
    }
    return seen;
  },
});
