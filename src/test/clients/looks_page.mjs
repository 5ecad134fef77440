// Scenarios of the looks of the pages: where nothing is stored yet, side panels, a phone, keys of a Mac, and each page in
// both schemes and widths.

import { accessibility, grid, loaded, page, play, texts, url } from './visitor.mjs';

const PHONE = { width: 390, height: 844 };
const DESK = { width: 1440, height: 900 };
const drawer = page.getByRole('complementary');
/** Each panel at the side, and the action that opens it. */
const PANELS = { cell: 'Enter', record: 'r', column: 'c', chooser: 'h', copying: 'y', keys: '?' };

/** Opens a page anew, even if only its fragment differs. */
async function open(path) {
  await page.goto('about:blank');
  await page.goto(url + path);
}

const isIn = (box, { width, height }) => box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= height;

await play({
  /** The list of an empty store, an example by one click, its rows, and the list then. */
  async example() {
    await open('/');
    const zone = page.getByRole('region', { name: 'Upload' });
    await zone.getByText('Share it').waitFor();
    const seen = { accessible: await accessibility(), table: await page.locator('.datasets').isVisible() };
    await page.setViewportSize(PHONE);
    seen.phone = await accessibility();
    await page.setViewportSize(DESK);
    await page.getByRole('button', { name: 'Try an example' }).click();
    await page.waitForURL(/datasets/);
    await loaded(0, 0);
    seen.rows = { count: await page.locator('output.count').textContent(), first: await texts(1, 6) };
    await open('/');
    await page.locator('.datasets tbody tr').waitFor();
    seen.offered = await page.getByRole('button', { name: 'Try an example' }).isVisible();
    return seen;
  },

  /** A file that the page makes, inspected by one click. */
  async inspected() {
    await open('/inspect');
    const button = page.getByRole('button', { name: 'Try an example' });
    await button.waitFor();
    const accessible = await accessibility();
    await button.click();
    await page.getByRole('button', { name: 'Inspect thoroughly' }).click();
    const status = page.getByRole('status').filter({ hasText: 'Nothing was stored.' });
    await status.waitFor();
    return { accessible, told: await status.textContent(), offered: await button.isVisible() };
  },

  /** The order of names, and a search without hits and back. */
  async list() {
    await open('/');
    const names = page.locator('.datasets td a');
    await names.first().waitFor();
    const seen = { names: await names.allTextContents() };
    await page.getByLabel('Search datasets').fill('zzz');
    const told = page.locator('.datasets .empty');
    await told.waitFor();
    seen.told = await told.locator('.title').textContent();
    seen.accessible = await accessibility();
    await told.getByRole('button').click();
    await names.first().waitFor();
    seen.again = await names.count();
    return seen;
  },

  /** The advice where a filter matches no row, and where a dataset has no rows. */
  async nothing(dataset, filled) {
    await open(`/datasets/${filled}#rows&where=false`);
    const told = page.locator('.stage .empty');
    await told.waitFor();
    const seen = { top: (await told.boundingBox()).y, accessible: await accessibility() };
    await told.getByRole('button', { name: 'Clear the filter' }).click();
    await loaded(0, 0);
    await open(`/datasets/${dataset}`);
    await told.waitFor();
    await told.getByRole('link', { name: 'Upload a file' }).click();
    await page.getByRole('region', { name: 'Upload' }).waitFor();
    return seen;
  },

  /** Whether the page scrolls, or a panel leaves the window, with each panel at each width. */
  async panels(dataset, ...widths) {
    const found = [];
    for (const width of widths.map(Number)) {
      const screen = { width, height: width < 500 ? PHONE.height : 800 };
      await page.setViewportSize(screen);
      await open(`/datasets/${dataset}`);
      await loaded(0, 0);
      for (const [panel, key] of Object.entries(PANELS)) {
        await grid.focus();
        await page.keyboard.press(key);
        await drawer.getByRole('heading').first().waitFor();
        const scrolls = await page.evaluate(() => document.documentElement.scrollHeight > innerHeight || document.documentElement.scrollWidth > innerWidth);
        const box = await drawer.boundingBox();
        const rows = await grid.boundingBox();
        // The first rows stay in sight.
        const isOver = box.x < rows.x + rows.width && box.y < rows.y + 100 && width >= 1130;
        if (scrolls || isOver || !isIn(box, screen)) {
          found.push([width, panel, { scrolls, isOver, ...box }]);
        }
        await page.keyboard.press('Escape');
        await drawer.waitFor({ state: 'hidden' });
      }
    }
    return found;
  },

  /** Where the first row begins on a phone, and the controls behind one button. */
  async phone(dataset) {
    await page.setViewportSize(PHONE);
    await open(`/datasets/${dataset}`);
    await loaded(0, 0);
    await page.locator('[role=columnheader] .summary :is(svg, small)').first().waitFor();
    const top = (await page.locator('[role=row][aria-rowindex="2"] [role=gridcell]').first().boundingBox()).y;
    const columns = page.getByRole('button', { name: 'Columns' });
    const share = page.getByRole('button', { name: 'Share' });
    const before = [await columns.isVisible(), await share.isVisible()];
    const more = page.getByRole('button', { name: 'More', exact: true });
    await more.click();
    const after = [await columns.isVisible(), await share.isVisible()];
    const accessible = await accessibility();
    await page.getByRole('button', { name: 'Add filter' }).click();
    await page.locator('form.condition').waitFor();
    await columns.click();
    await drawer.getByRole('heading', { name: 'Columns' }).waitFor();
    await page.keyboard.press('Escape');
    await more.click();
    await columns.waitFor({ state: 'hidden' });
    return { top, before, after, accessible, scrolls: await page.evaluate(() => document.documentElement.scrollWidth > innerWidth) };
  },

  /** The names of keys where the browser says that it is on a Mac, and where it does not. */
  async mac(dataset) {
    const seen = [];
    for (const platform of ['Linux x86_64', 'MacIntel']) {
      await page.addInitScript((name) => {
        for (const [key, value] of Object.entries({ platform: name, userAgentData: undefined })) {
          Object.defineProperty(Navigator.prototype, key, { configurable: true, get: () => value });
        }
      }, platform);
      await open(`/datasets/${dataset}`);
      await loaded(0, 0);
      await grid.focus();
      await page.keyboard.press('?');
      await drawer.getByRole('heading', { name: 'Keys' }).waitFor();
      const keys = await drawer.textContent();
      seen.push([keys.includes('Ctrl + C'), keys.includes('⌘ + C')]);
    }
    return seen;
  },

  /** The page of the API: its width beyond the window, its schemes, a link to a request by its button, and its answer. */
  async api() {
    const wider = [];
    for (const screen of [PHONE, DESK]) {
      await page.setViewportSize(screen);
      await open('/api');
      await page.locator('.opblock').first().waitFor();
      wider.push(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth));
    }
    await page.emulateMedia({ colorScheme: 'light' });
    const isDark = () => page.evaluate(() => document.documentElement.classList.contains('dark-mode'));
    const dark = [await isDark()];
    await page.getByRole('button', { name: 'Dark colours' }).click();
    dark.push(await isDark());
    await page.getByRole('button', { name: 'GET /health', exact: false }).first().press('Enter');
    await page.getByRole('button', { name: 'Try it out' }).click();
    const { hash } = new URL(page.url());
    await page.getByRole('button', { name: 'Execute' }).click();
    const answer = page.locator('.live-responses-table .response-col_status').nth(1);
    return { wider, dark, hash, status: (await answer.textContent()).trim().slice(0, 3) };
  },
});
