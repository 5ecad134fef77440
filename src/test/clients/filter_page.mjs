// Scenarios of the filter of the rows: the box, its suggestions, the parts, the form and mistakes. Each returns what it saw.

import { accessibility, cell, forgive, grid, loaded, page, play, url } from './visitor.mjs';

const box = page.getByLabel('Search or filter');
const count = page.locator('output.count').first();
const parts = () => page.locator('.parts .change').allTextContents();
const hash = () => decodeURIComponent(new URL(page.url()).hash);
const counted = (text) => page.waitForFunction((wanted) => document.querySelector('output.count').textContent === wanted && !document.querySelector('.stage[aria-busy]'), text);
const form = page.getByRole('form', { name: 'Filter' });
/** The parts of each option. Their text would be joined if the list were hidden while it is read. */
const options = () => page.getByRole('option').evaluateAll((all) => all.map(({ children, textContent }) => [...children].map((part) => part.textContent).join('\n') || textContent));

async function open(dataset, state = '') {
  await page.goto('about:blank');
  await page.goto(`${url}/datasets/${dataset}${state}`);
  await loaded(0, 0);
}

await play({
  /** A word is searched for as it is typed, a later one in its place, and the history takes back the search. */
  async search(dataset, word, matches, all) {
    await open(dataset);
    const sent = [];
    page.on('request', (request) => request.method() === 'HEAD' && sent.push(new URL(request.url()).searchParams.get('search')));
    // It has the name of a column once the rows are here.
    await page.waitForFunction(() => /[=>]/.test(document.querySelector('.filtering .where').placeholder));
    const placeholder = await box.getAttribute('placeholder');
    await page.keyboard.press('/');
    await page.clock.install();
    const entries = await page.evaluate(() => history.length);
    await page.keyboard.type(word);
    await page.clock.runFor(299);
    const early = sent.length;
    await page.clock.runFor(2);
    await counted(matches);
    await loaded(0, 1);
    const seen = { placeholder, early, hash: hash(), shown: await cell(0, 1).textContent() };
    // A download has the rows that are shown.
    await page.getByText('Download', { exact: true }).click();
    await page.getByText('The rows on the screen', { exact: true }).waitFor();
    seen.csv = await page.getByRole('link', { name: '.csv' }).first().getAttribute('href');
    await page.keyboard.press('Escape');
    await box.focus();
    await page.keyboard.press('Backspace');
    await page.clock.runFor(301);
    await page.waitForFunction((text) => decodeURIComponent(location.hash) === `#rows&search=${text}`, word.slice(0, -1));
    seen.entries = (await page.evaluate(() => history.length)) - entries;
    seen.sent = sent;
    await page.goBack();
    await page.clock.runFor(1000);
    await counted(all);
    return { ...seen, left: await box.inputValue() };
  },

  /** A search whose rows are counted late ends once another one begins, and what is typed until its rows are here stays. */
  async overtaken(dataset, first, second, typed, third, two, three) {
    await open(dataset);
    const entries = await page.evaluate(() => history.length);
    const release = {};
    const held = Object.fromEntries([first, second].map((text) => [text, new Promise((resolve) => (release[text] = resolve))]));
    const searched = (request) => (request.method() === 'HEAD' ? new URL(request.url()).searchParams.get('search') : null);
    await page.route('**/*.arrows?*', async (route) => {
      await held[searched(route.request())];
      await route.continue().catch(() => null);
    });
    const search = async (text) => {
      const asked = page.waitForRequest((request) => searched(request) === text);
      await box.fill(text);
      await asked;
    };
    await search(first);
    const isBusy = await page.locator('.stage[aria-busy=true]').count();
    const rows = await cell(0, 0).textContent();
    const ended = page.waitForEvent('requestfailed', (request) => searched(request) === first);
    await search(second);
    await ended;
    await box.fill(typed);
    release[second]();
    await counted(two);
    const seen = { isBusy, rows, second: hash(), typed: await box.inputValue() };
    release[first]();
    await box.fill(third);
    await counted(three);
    return { ...seen, hash: hash(), entries: (await page.evaluate(() => history.length)) - entries };
  },

  /** A condition by keys alone, with the help of suggestions; then its parts are taken away by keys. */
  async keys(dataset, matches, all) {
    await open(dataset);
    await page.keyboard.press('/');
    await page.keyboard.type('cost to');
    await page.getByRole('option').first().waitFor();
    const names = await options();
    await page.keyboard.press('ArrowDown');
    const active = await page.evaluate(() => document.getElementById(document.activeElement.getAttribute('aria-activedescendant'))?.ariaSelected);
    await page.keyboard.press('Enter');
    await page.getByRole('option', { name: 'is more than' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.keyboard.type('150');
    await page.keyboard.press('Enter');
    await page.locator('.parts li').first().waitFor();
    await page.keyboard.type('carrier = ');
    await page.getByRole('option', { name: 'Alpina' }).waitFor();
    const values = await options();
    await page.keyboard.type("'F");
    await page.getByRole('option', { name: 'Meridian' }).waitFor({ state: 'detached' });
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await counted(matches);
    await loaded(0, 0);
    const seen = { names, active, values, parts: await parts(), hash: hash(), first: await cell(0, 0).textContent() };
    await page.locator('.parts .remove').first().focus();
    for (let left = 1; left >= 0; left--) {
      await page.keyboard.press('Enter');
      await page.waitForFunction((wanted) => document.querySelectorAll('.parts li').length === wanted, left);
    }
    await counted(all);
    seen.focused = await page.evaluate(() => document.activeElement.getAttribute('aria-label'));
    await page.keyboard.press('Escape');
    seen.isInGrid = await grid.evaluate((each) => each === document.activeElement);
    return seen;
  },

  /** The values that are offered for a column in the box and in a form, and the rows of one that is taken. */
  async values(dataset, column, first, matches) {
    await open(dataset);
    await page.getByRole('button', { name: 'Add filter' }).click();
    await form.getByLabel('Column').selectOption('word');
    await page.waitForFunction(() => document.querySelector('#known-values option'));
    const known = await page.locator('#known-values option').evaluateAll((all) => all.map(({ value }) => value));
    await form.getByRole('button', { name: 'Cancel' }).click();
    await box.fill(`${column} = `);
    await page.getByRole('option', { name: first }).waitFor();
    const values = await options();
    await box.press('ArrowDown');
    await box.press('Enter');
    await box.press('Enter');
    await counted(matches);
    return { known, values, hash: hash() };
  },

  /** The values that are offered for two columns with some in the box, for one without, and for the second one in a form. */
  async offers(dataset, word, firstWord, number, firstNumber, once) {
    await open(dataset);
    const seen = {};
    for (const [column, first] of [[word, firstWord], [number, firstNumber]]) {
      await box.fill(`${column} = `);
      await page.getByRole('option', { name: first }).first().waitFor();
      seen[column] = await options();
    }
    await box.fill(`${once} = `);
    await page.getByRole('option').first().waitFor({ state: 'detached' });
    seen[once] = await options();
    await page.getByRole('button', { name: 'Add filter' }).click();
    await form.getByLabel('Column').selectOption(number);
    await page.waitForFunction(() => document.querySelector('#known-values option'));
    seen.known = await page.locator('#known-values option').evaluateAll((all) => all.map(({ value }) => value));
    return seen;
  },

  /** The text of the menu of downloads about the rows, and its first link. */
  async download(dataset, state) {
    await open(dataset, state);
    await page.getByText('Download', { exact: true }).click();
    const title = page.locator('.menu .title');
    await title.waitFor();
    return [await page.getByRole('link', { name: '.csv' }).first().getAttribute('href'), await title.textContent()];
  },

  /** A view whose link has a condition that is wrong, and the way from there to the box. */
  async elsewhere(dataset, view) {
    await page.goto(`${url}/datasets/${dataset}#${view}&where=${encodeURIComponent('Nope > 8')}`);
    const told = page.getByRole('alert');
    await told.waitFor();
    forgive();
    const seen = { buttons: await told.getByRole('button').count(), codes: await told.locator('small').count(), hint: await told.locator('.hint').textContent() };
    await told.getByRole('link', { name: 'Change the filter' }).click();
    const mark = page.locator('.mistake mark');
    await mark.waitFor();
    return { ...seen, mark: await mark.textContent(), text: await box.inputValue(), hash: hash() };
  },

  /** A value that the column cannot have. */
  async misfit(dataset, text) {
    await open(dataset);
    await box.fill(text);
    await page.keyboard.press('Enter');
    const alert = page.getByRole('alert');
    await alert.waitFor();
    forgive();
    return {
      place: await alert.locator('.place').textContent(),
      mark: await alert.locator('mark').textContent(),
      told: await alert.locator('p').first().textContent(),
      hint: await alert.locator('.hint').textContent(),
      rows: await count.textContent(),
    };
  },

  /** The form: a new condition, and one that is changed; a calendar; and a click on a suggestion of a value. */
  async form(dataset, first, second, third) {
    await open(dataset);
    await page.getByRole('button', { name: 'Add filter' }).press('Enter');
    await form.getByLabel('Column').selectOption('day');
    const type = await form.getByLabel('Value').getAttribute('type');
    await page.waitForFunction(() => document.querySelector('.told-range').textContent !== '');
    const range = await page.locator('.told-range').textContent();
    await form.getByLabel('Comparison').selectOption('is between');
    await form.getByLabel('From').fill('2026-01-02');
    await form.getByLabel('To').fill('2026-01-03');
    await form.getByLabel('To').press('Enter');
    await counted(first);
    const seen = { type, range, hash: hash(), parts: await parts(), forms: await form.count() };
    await page.getByRole('button', { name: /^day is between/ }).click();
    await form.getByLabel('To').fill('2026-01-02');
    await form.getByRole('button', { name: 'Apply' }).click();
    await counted(second);
    seen.changed = await parts();
    await page.getByRole('button', { name: /^day is between/ }).click();
    await form.getByRole('button', { name: 'As text' }).click();
    seen.text = await box.inputValue();
    await page.keyboard.press('Escape');
    seen.left = await box.inputValue();
    await box.fill('alp');
    await page.getByRole('option', { name: 'Carrier is Alpina' }).click();
    // The word alone finds as many rows.
    await page.locator('.parts li').nth(1).waitFor();
    await counted(third);
    return { ...seen, both: await parts(), empty: await box.inputValue() };
  },

  /** Mistakes keep the rows, and say where and what; a name without quotes, and a value, are understood. */
  async mistakes(dataset, all, matches) {
    await open(dataset);
    const alert = page.getByRole('alert');
    const before = await cell(1, 0).textContent();
    const tell = async (text) => {
      await box.fill(text);
      await page.keyboard.press('Enter');
      await alert.waitFor();
      const told = {
        place: await alert.locator('.place').textContent(),
        mark: await alert.locator('mark').textContent(),
        hint: await alert.locator('.hint').textContent(),
        rows: [await count.textContent(), await cell(1, 0).textContent()],
        hash: hash(),
        invalid: await box.getAttribute('aria-invalid'),
        isDescribed: await box.evaluate((each) => document.getElementById(each.getAttribute('aria-describedby')).textContent === document.querySelector('.mistake').textContent),
      };
      forgive();
      const axe = await accessibility();
      await page.keyboard.press('Escape');
      await alert.waitFor({ state: 'detached' });
      return { ...told, axe, left: await box.inputValue(), isValid: (await box.getAttribute('aria-invalid')) === null };
    };
    const seen = { before, unknown: await tell("Carier = '😀'"), later: await tell("Carrier = '😀' AND nothing > 1") };
    await box.fill('Cost Total $ > 150 and carrier = "Fjordair"');
    await page.keyboard.press('Enter');
    await alert.waitFor();
    forgive();
    seen.meant = await alert.locator('.place').textContent();
    seen.typed = await page.getByRole('button', { name: /^Search for/ }).textContent();
    await box.fill('Cost Total $ > 150');
    await page.keyboard.press('Enter');
    await counted(matches);
    seen.quoted = await parts();
    await box.fill("Carrier = 'x') OR (TRUE");
    await page.keyboard.press('Enter');
    await alert.waitFor();
    forgive();
    seen.beside = [await alert.locator('.place').textContent(), await alert.locator('mark').textContent(), await count.textContent()];
    await page.getByRole('button', { name: 'Clear the filter' }).click();
    await counted(all);
    await box.fill('carrier is fjordair or so');
    await page.keyboard.press('Enter');
    await alert.waitFor();
    forgive();
    await page.getByRole('button', { name: /^Search for/ }).click();
    await page.waitForFunction(() => location.hash.includes('search='));
    seen.instead = hash();
    forgive();
    return seen;
  },

  /** A link with a condition that is wrong: the rows without it, and the condition in the box, where it is corrected. */
  async linked(dataset, wrong, search, right) {
    await open(dataset, `#rows&sort=0&where=${encodeURIComponent(wrong)}&search=${search}`);
    const alert = page.getByRole('alert');
    await alert.waitFor();
    forgive();
    const seen = { text: await box.inputValue(), mark: await alert.locator('mark').textContent(), count: await count.textContent(), hash: hash() };
    await box.fill(right);
    await page.keyboard.press('Enter');
    await page.locator('.parts li').waitFor();
    await alert.waitFor({ state: 'detached' });
    return { ...seen, left: await box.inputValue(), right: hash() };
  },

  /** Where the parts of a filter are, what it leaves of the screen, and what axe finds. */
  async look(dataset, width) {
    await page.setViewportSize({ width: Number(width), height: 844 });
    await open(dataset, `#rows&where=${encodeURIComponent(`Carrier = 'Alpina' AND "Cost Total $" > 100`)}&search=a`);
    await page.locator('.parts li').nth(1).waitFor();
    const found = { parts: await accessibility() };
    await page.locator('.parts .change').first().click();
    await form.waitFor();
    found.form = await accessibility();
    await form.getByLabel('Value').press('Escape');
    await box.fill('c');
    await page.getByRole('option').first().waitFor();
    found.suggestions = await accessibility();
    const [wide, high] = await page.evaluate(() => [document.documentElement.scrollWidth - innerWidth, document.documentElement.scrollHeight - innerHeight]);
    return { found, wide, high, focus: await page.evaluate(() => document.activeElement.getAttribute('role')) };
  },
});
