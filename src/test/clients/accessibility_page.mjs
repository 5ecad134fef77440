// Every view of the pages. Returns what axe finds in one of them, in both schemes, on a wide screen and on a phone, and the
// widths at which it is wider than the screen.

import { accessibility, forgive, grid, loaded, page, play, url } from './visitor.mjs';

const SCREENS = [[1440, 900], [390, 844]];
const FILE = { name: 'new.csv', mimeType: 'text/csv', buffer: Buffer.from('day,amount\n2024-01-01,1.5\n2024-01-02,2\n') };
const LONG = 'SELECT sum(a.range * b.range) FROM range(1000000) a, range(1000000) b';

const button = (name) => page.getByRole('button', { name, exact: true });
const filled = () => page.waitForFunction(() => document.querySelector('.summary svg'));

/** Opens the rows, with all that they show by themselves. */
async function rows(dataset, state = '') {
  await page.goto(`${url}/datasets/${dataset}${state}`);
  await loaded(0, 0);
  await filled();
}

/** Opens what stands beside the rows by a key. */
async function drawer(dataset, key) {
  await rows(dataset);
  await grid.focus();
  await page.keyboard.press(key);
  await page.getByRole('complementary').waitFor();
}

async function view(dataset, state, content) {
  await page.goto(`${url}/datasets/${dataset}${state}`);
  await page.locator(content).first().waitFor();
}

async function chart(dataset, state) {
  await view(dataset, state, '.chart:not([aria-busy]) .picture > svg');
  await page.locator('.chart .data > summary').click();
  await page.locator('.chart .data tbody tr').first().waitFor();
}

/** Chooses a file on the list. */
async function choose(name = 'new.csv') {
  await page.goto(url);
  await page.locator('input[type=file]').setInputFiles({ ...FILE, name });
  await page.locator('.file-form tbody tr').first().waitFor();
}

async function editor(sql) {
  await page.goto(`${url}/sql#sql&q=${encodeURIComponent(sql)}`);
  await page.locator('.cm-content').waitFor();
}

async function result(sql) {
  await editor(sql);
  await button('Run').click();
  await loaded(0, 0);
}

async function simple(path) {
  await page.goto(url + path);
  await page.locator('h1').first().waitFor();
}

const filter = `#rows&where=${encodeURIComponent(`kind = 'a' AND amount > 10`)}&search=r`;

const views = {
  async empty() {
    await page.goto(url);
    await page.getByRole('button', { name: 'Try an example' }).waitFor();
  },

  async list() {
    await page.goto(url);
    await page.locator('.datasets tbody tr').first().waitFor();
  },

  preview: () => choose(),

  async 'some previews'() {
    await choose();
    await page.locator('input[type=file]').setInputFiles({ ...FILE, name: 'other.csv' });
    await page.locator('.file-form').nth(1).locator('tbody tr').first().waitFor();
  },

  /** Uploads whose bytes are on their way. */
  async uploading() {
    await page.route('**/*', (route) => (['PUT', 'PATCH'].includes(route.request().method()) ? null : route.fallback()));
    await choose();
    await button('Upload').click();
    await button('Pause').waitFor();
  },

  /** A name that is taken. */
  async taken() {
    await choose('values.csv');
    await button('Upload').click();
    await page.getByRole('button', { name: 'Replace it' }).or(page.getByLabel('Token')).first().waitFor();
    forgive();
  },

  rows: () => rows('values'),

  async 'no rows'() {
    await page.goto(`${url}/datasets/values#rows&where=amount%20%3E%201e9`);
    await page.getByText('No row matches').waitFor();
  },

  filter: () => rows('values', filter),

  async 'filter form'() {
    await rows('values', filter);
    await page.locator('.parts .change').first().click();
    await page.getByRole('form', { name: 'Filter' }).waitFor();
  },

  async suggestions() {
    await rows('values');
    await page.keyboard.press('/');
    await page.keyboard.type('a');
    await page.getByRole('option').first().waitFor();
  },

  async mistake() {
    await rows('values');
    await page.keyboard.press('/');
    await page.keyboard.type('amoun > 10');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    forgive();
  },

  async downloads() {
    await rows('values', filter);
    await page.getByText('Download', { exact: true }).click();
    await page.getByRole('link', { name: '.csv' }).first().waitFor();
  },

  cell: () => drawer('values', 'Enter'),
  record: () => drawer('values', 'r'),
  column: () => drawer('values', 'c'),
  chooser: () => drawer('values', 'h'),
  copying: () => drawer('values', 'y'),
  keys: () => drawer('values', '?'),

  async profile() {
    await view('values', '#profile', '.card dl');
    await page.waitForFunction(() => !document.querySelector('.card[aria-busy]'));
  },

  line: () => chart('values', '#chart&type=line&x=day&y=amount&colour=kind&aggregate=mean'),
  bars: () => chart('values', '#chart&type=bar&x=kind&colour=name'),
  grouped: () => chart('values', '#chart&type=grouped&x=kind&y=amount&colour=name&aggregate=median'),
  area: () => chart('values', '#chart&type=area&x=day&y=amount&colour=kind&aggregate=sum&unit=month'),
  points: () => chart('values', '#chart&type=points&x=day&y=amount&colour=amount'),
  histogram: () => chart('values', '#chart&type=histogram&x=amount&colour=kind'),
  map: () => chart('values', '#chart&type=map&x=longitude&y=latitude&colour=kind'),
  schema: () => view('values', '#schema', '[role=treeitem]'),
  versions: () => view('values', '#versions', '.versions tbody tr'),
  comparison: () => view('values', '#versions&a=1&b=2', '.counts'),
  anatomy: () => view('values', '#anatomy&message=batch-0&buffer=1', '.sentence:not(:empty)'),
  'use it': () => view('values', '#use', '.snippet pre'),
  'selected rows': () => simple('/datasets/values?limit=5'),

  sql: () => editor(''),
  result: () => result('SELECT kind, sum(amount) AS amount FROM "values" GROUP BY kind'),

  /** On a phone, the tables are folded. */
  async tables() {
    await editor('');
    await page.getByText('Tables', { exact: true }).waitFor();
    await page.locator('.tables').evaluate((each) => (each.open = true));
    await page.locator('.tables .fold').first().click();
    await page.locator('.tables .column').first().waitFor();
  },

  async 'link to a statement'() {
    await editor('SELECT 1');
    await button('Run to see it').waitFor();
  },

  async 'several results'() {
    await editor('SELECT 1 AS a; SELECT nothing; SELECT 3');
    await button('Run').click();
    await page.getByRole('alert').waitFor();
    forgive();
  },

  async 'column of a result'() {
    await result('SELECT * FROM "values"');
    await page.locator('button.column').first().click();
    await page.locator('.card:not([aria-busy])').waitFor();
  },

  async 'no result'() {
    await editor('SELECT 1 AS n WHERE false');
    await button('Run').click();
    await page.getByText('No rows').first().waitFor();
  },

  async 'chart of a result'() {
    await result('SELECT kind, sum(amount) AS amount FROM "values" GROUP BY kind');
    await button('Chart').click();
    await page.locator('.chart:not([aria-busy]) .picture > svg').waitFor();
    await button('Save as dataset').click();
    await button('History').click();
  },

  async parameters() {
    await result('SELECT * FROM "values" WHERE kind <> $kind');
    await grid.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('complementary').waitFor();
  },

  async 'failed statement'() {
    await editor('SELECT nothing');
    await button('Run').click();
    await page.getByRole('alert').waitFor();
    forgive();
  },

  async 'running statement'() {
    await editor(LONG);
    await button('Run').click();
    await page.waitForFunction(() => document.querySelector('.timer').textContent !== '');
  },

  inspect: () => simple('/inspect'),

  async 'inspected file'() {
    await simple('/inspect');
    await page.locator('input[type=file]').setInputFiles(FILE);
    await page.getByRole('region', { name: 'First rows' }).waitFor();
  },

  async problem() {
    forgive();
    await simple('/datasets/valeus.csv');
  },

  documents: () => simple('/docs'),
  document: () => simple('/docs/pages'),

  async api() {
    await page.goto(`${url}/api`);
    await page.locator('.opblock').first().waitFor();
  },

  /** A job, whose page loads itself again after a while. */
  async job(path) {
    await page.route(`**${path}`, async (route) => {
      const response = await route.fetch();
      const { refresh, ...headers } = response.headers();
      await route.fulfill({ response, headers });
    });
    await simple(path);
    await page.getByText('running').first().waitFor();
  },

  /** A page of the service, to which another site leads. */
  async link() {
    await page.route(`${url}/datasets/values?*`, async (route) => {
      const headers = { ...route.request().headers(), 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
      await route.fulfill({ response: await route.fetch({ headers }) });
    });
    await simple('/datasets/values?limit=5');
    await page.getByText('Follow this link?').waitFor();
  },

  'expiring link': (path) => rows(path.replace('/datasets/', '')),
};

await play({
  async axe(name, ...parameters) {
    await views[name](...parameters);
    const found = [];
    for (const [width, height] of SCREENS) {
      await page.setViewportSize({ width, height });
      // Pictures follow a frame later.
      const overflow = await page.evaluate(async () => {
        for (let i = 0; i < 3; i++) {
          await new Promise((over) => requestAnimationFrame(over));
        }
        return document.documentElement.scrollWidth - innerWidth;
      });
      found.push(...(await accessibility()).map((violation) => [width, ...violation]), ...(overflow > 0 ? [[width, 'is wider by', overflow]] : []));
    }
    return found;
  },

  names: () => Object.keys(views),
});
