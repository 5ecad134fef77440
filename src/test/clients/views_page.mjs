// Scenarios of the views of a dataset other than its rows. Each prints what it saw.

import { clipboard, forgive, page, play, url } from './visitor.mjs';

const count = page.locator('main > section:not([hidden]) .count').first();
const card = (name) => page.locator('.card', { has: page.getByRole('link', { name, exact: true }) });
const isFilled = () => page.waitForFunction(() => document.querySelector('.card') && !document.querySelector('.card[aria-busy]'));

async function open(dataset, state) {
  await page.goto(`${url}/datasets/${dataset}${state}`);
}

/** The number of rows that the view of the rows shows for its condition. */
async function rows() {
  await page.waitForFunction(() => location.hash.startsWith('#rows&where='));
  const where = decodeURIComponent(new URL(page.url()).hash.split('where=')[1]);
  await page.waitForFunction((text) => {
    const view = document.querySelector('section[aria-label=Rows]');
    const parts = [...view.querySelectorAll('.parts .change')].map(({ title }) => title.replace('Change: ', ''));
    return parts.join(' AND ') === text && !view.querySelector('[aria-busy]') && view.querySelector('.count').textContent !== '';
  }, where);
  return { count: await count.textContent(), where };
}

/** The columns that statistics were asked for. */
function asked() {
  const found = [];
  page.on('request', (request) => {
    if (request.url().includes('/statistics?')) {
      found.push(new URL(request.url()).searchParams.get('columns'));
    }
  });
  return found;
}

const scenarios = {
  /** The facts of a column, and what the term of its median says. */
  async facts(dataset, name) {
    await open(dataset, '#profile');
    await isFilled();
    const list = card(name).locator('dl');
    return { facts: await list.innerText(), median: await list.locator('dt', { hasText: 'median' }).getAttribute('title') };
  },

  /** A bar by keys, a value, the nulls, and a search. */
  async profile(dataset, number, text, value) {
    // The name that the view had before.
    await open(dataset, '#columns');
    await isFilled();
    const facts = await card(number).locator('dl').innerText();
    const characters = await card(text).locator('dt', { hasText: 'characters' }).locator('+ dd').innerText();
    const box = await card(number).locator('svg').evaluate((picture) => {
      const width = picture.viewBox.baseVal.width;
      const [half, median] = ['.half', '.median'].map((name) => picture.querySelector(name));
      const [x, length] = ['x', 'width'].map((name) => Number(half.getAttribute(name)));
      return [x, Number(median.getAttribute('x')) + 1, x + length].map((place) => place / width);
    });
    const bars = card(number).getByRole('group');
    const sentence = await bars.getAttribute('aria-label');
    await bars.getByRole('link').first().focus();
    await page.keyboard.press('ArrowRight');
    const bar = await page.evaluate(() => document.activeElement.getAttribute('aria-label'));
    const told = await card(number).locator('output').textContent();
    await page.keyboard.press('Enter');
    const ofBar = await rows();
    await page.goBack();
    const values = await card(text).locator('.top li').allInnerTexts();
    await card(text).getByTitle(value).click();
    const ofValue = await rows();
    await page.goBack();
    await card(text).locator('dd a').click();
    const ofNulls = await rows();
    await page.getByRole('link', { name: 'Profile', exact: true }).click();
    await page.getByText('Of the rows with').waitFor();
    await isFilled();
    const among = await card(number).locator('dl').innerText();
    await page.getByRole('link', { name: 'All rows', exact: true }).click();
    await page.getByText('Of the rows with').waitFor({ state: 'hidden' });
    await page.getByRole('searchbox', { name: 'Search columns' }).fill(number.toUpperCase());
    await page.waitForFunction(() => document.querySelectorAll('.card').length === 1);
    return { facts, characters, box, sentence, bar, told, ofBar, values, ofValue, ofNulls, among, state: new URL(page.url()).hash };
  },

  /** A module that does not load, and then what a failure of the statistics leaves of the cards. */
  async failing(dataset) {
    await page.route('**/profile-view.js', (route) => route.abort());
    await open(dataset, '#profile');
    await page.getByRole('alert').waitFor();
    await page.unroute('**/profile-view.js');
    forgive();
    const statistics = '**/statistics?*';
    const problem = { status: 503, contentType: 'application/problem+json', body: '{"detail":"Expected a free worker but found none"}' };
    await page.route(statistics, (route) => route.fulfill(problem));
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.locator('.card').getByRole('alert').waitFor();
    const alert = await page.getByRole('alert').innerText();
    const names = await page.locator('.card h2').allInnerTexts();
    await page.unroute(statistics);
    await page.getByRole('button', { name: 'Try again' }).click();
    await isFilled();
    forgive();
    return { alert, names, alerts: await page.getByRole('alert').count() };
  },

  /** Ten thousand columns: the statistics of those in sight, and the tree by keys. */
  async wide(dataset) {
    const requests = asked();
    await open(dataset, '#profile&page=101');
    await page.waitForFunction(() => document.querySelector('.card dl'));
    const state = await count.textContent();
    const first = await page.locator('.card h2').first().innerText();
    const cards = await page.locator('.card').count();
    await page.getByRole('link', { name: 'Schema', exact: true }).press('Enter');
    const tree = page.getByRole('tree', { name: 'Schema' });
    await tree.waitFor();
    await page.getByRole('searchbox', { name: 'Search fields' }).focus();
    await page.keyboard.press('Tab');
    const active = () =>
      page.evaluate(() => {
        const found = document.getElementById(document.querySelector('[role=tree]').getAttribute('aria-activedescendant'));
        return [found.querySelector('bdi').textContent, found.ariaLevel, found.ariaPosInSet, found.ariaSetSize, found.ariaExpanded];
      });
    await page.keyboard.press('End');
    const last = await active();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    const child = await active();
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    const closed = await active();
    await page.keyboard.press('Home');
    await page.keyboard.type('c77');
    const typed = await active();
    const types = await page.locator('.tree .active').locator('.plain, .type').allTextContents();
    const items = await page.getByRole('treeitem').count();
    await page.getByRole('searchbox', { name: 'Search fields' }).fill('unit of');
    await page.waitForFunction(() => document.querySelector('section[aria-label=Schema] .count').textContent.includes('found'));
    const found = await page.getByRole('treeitem').allInnerTexts();
    await tree.focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('Enter');
    await page.getByRole('grid').waitFor();
    return { requests, state, first, cards, last, child, closed, typed, types, items, found, hash: new URL(page.url()).hash };
  },

  /** The timeline, two versions side by side, and the rows that were added. */
  async versions(dataset, first, second) {
    await open(dataset, '#versions');
    await page.locator('.versions tbody tr').first().waitFor();
    const lines = await page.locator('.versions tbody tr').allInnerTexts();
    const stored = await page.locator('.versions tbody tr').filter({ has: page.getByRole('checkbox', { name: `Compare version ${second}` }) }).locator('td[title]').getAttribute('title');
    await page.getByRole('checkbox', { name: `Compare version ${first}` }).press('Space');
    await page.getByRole('checkbox', { name: `Compare version ${second}` }).press('Space');
    const compared = page.getByRole('region', { name: 'Comparison' });
    await compared.locator('table').waitFor();
    const comparison = await compared.innerText();
    const { hash } = new URL(page.url());
    await page.reload();
    await compared.locator('table').waitFor();
    const isChosen = await page.getByRole('checkbox', { name: `Compare version ${first}` }).isChecked();
    await compared.getByRole('link', { name: /rows added since/ }).click();
    const added = await page.locator('table.rows tr').count();
    return { lines, stored, comparison, hash, isChosen, added: added - 1 };
  },

  /** The comparison with a version that is not kept. */
  async removed(dataset, first, second) {
    await open(dataset, `#versions&a=${first}&b=${second}`);
    const alert = await page.getByRole('alert').innerText();
    // The list of versions may come after the comparison.
    await page.locator('.versions .gap').first().waitFor();
    const gap = await page.locator('.versions .gap').allInnerTexts();
    forgive();
    return { alert, gap };
  },

  /** Many versions, of which more come as one scrolls, and a jump. */
  async many(dataset, from) {
    await open(dataset, '#versions');
    await page.waitForFunction(() => document.querySelectorAll('.versions tbody tr').length === 100);
    await page.locator('.more').scrollIntoViewIfNeeded();
    await page.waitForFunction(() => document.querySelectorAll('.versions tbody tr').length > 100);
    const shown = await page.locator('.versions tbody tr').count();
    const edge = await page.locator('.versions tbody tr').nth(99).innerText();
    await page.getByRole('textbox', { name: 'From version' }).fill(from);
    await page.keyboard.press('Enter');
    await page.waitForFunction((version) => document.querySelector('.versions tbody a')?.textContent === version, from);
    return { shown, edge, hash: new URL(page.url()).hash };
  },

  /** The lines for what the rows show, one of them copied by keys. The condition comes percent-encoded. */
  async use(dataset, where, columns) {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await open(dataset, `#rows&where=${where}`);
    await rows();
    await page.getByRole('link', { name: 'Use it' }).click();
    await page.waitForFunction(() => document.querySelector('section[aria-label="Use it"] .count')?.textContent.includes('rows'));
    const taken = await page.getByRole('textbox', { name: 'Filter' }).last().inputValue();
    await page.getByRole('textbox', { name: 'Columns' }).fill(columns);
    await page.getByRole('checkbox', { name: /latest/ }).press('Space');
    await page.reload();
    await page.locator('.snippet').first().waitFor();
    await page.getByRole('button', { name: 'Copy pyarrow' }).press('Enter');
    await page.getByRole('status').filter({ hasText: 'Copied' }).waitFor();
    const copied = await clipboard();
    const lines = {};
    for (const snippet of await page.locator('.snippet').all()) {
      lines[await snippet.locator('h2').innerText()] = await snippet.locator('pre').textContent();
    }
    return { taken, lines, copied };
  },

  /** The line that reads rows as they are sorted. */
  async useSorted(dataset) {
    await open(dataset, '#rows&sort=-2&columns=0,2');
    await page.locator('[role=gridcell]').first().waitFor();
    await page.getByRole('link', { name: 'Use it' }).click();
    return page.getByLabel('curl, as CSV, sorted as on the screen', { exact: true }).textContent();
  },
};

await play(scenarios);
