#!/usr/bin/env node
// Makes the pictures of the pages in src/docs/screens: every view, light and dark, on a wide screen and on a phone.
// They are committed. It is run by hand after the pages have changed, and each picture is to be looked at.
//
//   src/build/screens.mjs                          from target/quiver-*.jar into src/docs/screens
//   src/build/screens.mjs --only rows,sql-chart    some views alone
//   src/build/screens.mjs --jar a.jar --to folder  of another jar, into another folder
//   src/build/screens.mjs --python program         a Python that has Pillow
//
// It starts the service with an empty store, on port 8080 if that is free, and uploads datasets that are the same in every
// run. It needs a JDK 25, Chromium, and playwright-core and flechette in target/clients/node_modules, which
// src/test/clients/run installs. With Pillow, a picture has a palette of at most 256 colours. Without it, pictures are as
// Chromium writes them, several times as large, and the script says so: those are not to be committed.
//
// A view that does not exist, does not show what it should, or writes an error on the console is a sentence and the exit
// code 1. The other pictures are made all the same.

import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const TOP = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const MODULES = join(TOP, 'target/clients/node_modules');
const SCREENS = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
];
const SCHEMES = ['light', 'dark'];
const MOST_COLOURS = 256;
const MOST_TOLD_CHARACTERS = 300;
const LONGEST_WAIT_MILLISECONDS = 45_000;
const LONGEST_START_MILLISECONDS = 300_000;
const POLL_MILLISECONDS = 200;
const USUAL_PORT = 8080;
const SLOW_BYTES_PER_SECOND = 1_500_000;

const { values: options } = parseArgs({
  options: { jar: { type: 'string' }, to: { type: 'string' }, only: { type: 'string' }, python: { type: 'string' } },
});
const require = createRequire(join(MODULES, 'package.json'));
const { chromium } = require('playwright-core');
const arrow = await import(pathToFileURL(require.resolve('@uwdata/flechette')).href);

// The datasets

/** Numbers from 0 to 1, the same in every run. */
function randomNumbers(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const AIRPORTS = [
  ['ZRH', 'Zürich', 'Switzerland', 47.458, 8.548, 432],
  ['GVA', 'Genève', 'Switzerland', 46.238, 6.109, 430],
  ['OSL', 'Oslo', 'Norway', 60.194, 11.1, 208],
  ['LIS', 'Lisboa', 'Portugal', 38.774, -9.134, 114],
  ['KEF', 'Reykjavík', 'Iceland', 63.985, -22.606, 52],
  ['ATH', 'Αθήνα', 'Greece', 37.936, 23.944, 94],
  ['IST', 'İstanbul', 'Türkiye', 41.275, 28.752, 99],
  ['VIE', 'Wien', 'Austria', 48.11, 16.57, 183],
  ['WAW', 'Warszawa', 'Poland', 52.166, 20.967, 110],
  ['CPH', 'København', 'Denmark', 55.618, 12.656, 5],
  ['AMS', 'Amsterdam', 'Netherlands', 52.309, 4.764, -3],
  ['FCO', 'Roma', 'Italy', 41.8, 12.239, 5],
];
const CARRIERS = ['Alpina', 'Fjordair', 'Meridian', 'Nordwind', 'Sirocco', 'Tramontana'];
const REMARKS = [
  'late crew',
  'de-icing',
  'slot missed',
  'Diverted to Zürich because of fog at the destination; passengers went on by train. Ask ✈ operations for the list of vouchers, which the desk at gate B has given out until 23:40.',
  'unruly passenger',
];
const EARTH_RADIUS_KILOMETRES = 6371;
const FIRST_DEPARTURE = Date.UTC(2026, 0, 1);
const MINUTES_PER_YEAR = 365 * 24 * 60;
const LARGEST_BATCH_ROWS = 16_384;

function kilometres([, , , latitude, longitude], [, , , otherLatitude, otherLongitude]) {
  const radians = (degrees) => (degrees * Math.PI) / 180;
  const [a, b] = [radians(latitude), radians(otherLatitude)];
  const part = Math.sin((b - a) / 2) ** 2 + Math.cos(a) * Math.cos(b) * Math.sin(radians(otherLongitude - longitude) / 2) ** 2;
  return 2 * EARTH_RADIUS_KILOMETRES * Math.asin(Math.sqrt(part));
}

/** The bytes of a table as a file. Columns are triples of a name, a type and values. */
function file(columns) {
  const made = columns.map(([name, type, values]) => [name, arrow.columnFromArray(values, type, { maxBatchRows: LARGEST_BATCH_ROWS })]);
  return Buffer.from(arrow.tableToIPC(arrow.tableFromColumns(made), { format: 'file' }));
}

/** Flights, the first of which departs so many minutes after the year has begun. */
function flights(count, first) {
  const random = randomNumbers(first + 1);
  const among = (values, exponent = 1) => values[Math.floor(random() ** exponent * values.length)];
  const waited = () => -6 * Math.log(1 - random());
  const lines = Array.from({ length: count }, (_, i) => {
    const origin = among(AIRPORTS, 1.4);
    const destination = among(AIRPORTS.filter((airport) => airport !== origin), 1.4);
    const distance = kilometres(origin, destination);
    const minute = first + i * 2;
    const isCancelled = random() < 0.012;
    // Winters are worse.
    const season = 1 + 0.5 * Math.cos((2 * Math.PI * minute) / MINUTES_PER_YEAR);
    const delay = isCancelled ? null : Math.round((waited() + waited() + waited()) * season * (random() < 0.06 ? 2 : 1) - 10);
    return {
      origin: origin[0],
      destination: destination[0],
      departure: FIRST_DEPARTURE + minute * 60_000,
      delay,
      distance: Math.round(distance * 10) / 10,
      fare: Math.round((39 + distance * 0.07 * (0.6 + random())) * 100) / 100,
      via: random() < 0.85 ? [] : [among(AIRPORTS)[0], ...(random() < 0.2 ? [among(AIRPORTS)[0]] : [])],
      isCancelled,
      remark: random() < (delay > 45 ? 0.6 : 0.03) ? among(REMARKS) : null,
      carrier: among(CARRIERS, 1.7),
      number: 100 + Math.floor(random() * 8900),
    };
  });
  const values = (member) => lines.map((line) => line[member]);
  return file([
    ['flight', arrow.utf8(), lines.map(({ carrier, number }) => carrier.slice(0, 2).toUpperCase() + number)],
    ['carrier', arrow.dictionary(arrow.utf8(), arrow.int8()), values('carrier')],
    ['origin', arrow.dictionary(arrow.utf8(), arrow.int8()), values('origin')],
    ['destination', arrow.dictionary(arrow.utf8(), arrow.int8()), values('destination')],
    ['departure', arrow.timestamp(arrow.TimeUnit.SECOND, 'UTC'), values('departure')],
    ['delay', arrow.int32(), values('delay')],
    ['distance', arrow.float64(), values('distance')],
    ['fare', arrow.decimal(10, 2), values('fare')],
    ['via', arrow.list(arrow.utf8()), values('via')],
    ['cancelled', arrow.bool(), values('isCancelled')],
    ['remark', arrow.utf8(), values('remark')],
  ]);
}

function airports() {
  const lines = AIRPORTS.map(([code, city, country, latitude, longitude, altitude]) => `${code},${city},${country},${latitude},${longitude},${altitude}`);
  return Buffer.from(`code,city,country,latitude,longitude,altitude\n${lines.join('\n')}\n`);
}

/** Hourly observations of weather stations as JSON lines. */
function observations() {
  const random = randomNumbers(7);
  const lines = Array.from({ length: 24_000 }, (_, i) => {
    const hour = Math.floor(i / AIRPORTS.length);
    const [station, , , latitude] = AIRPORTS[i % AIRPORTS.length];
    const temperature = 28 - 0.5 * Math.abs(latitude) + 6 * Math.sin((hour / 24) * 2 * Math.PI) + 4 * random();
    return JSON.stringify({
      station,
      time: new Date(FIRST_DEPARTURE + hour * 3_600_000).toISOString(),
      temperature: random() < 0.02 ? null : Math.round(temperature * 10) / 10,
      wind: { speed: Math.round(random() * 180) / 10, gusts: random() < 0.3 },
      sky: ['clear', 'few', 'broken', 'overcast'].slice(0, 1 + Math.floor(random() * 3)),
    });
  });
  return Buffer.from(`${lines.join('\n')}\n`);
}

/** Names and values that mean something to HTML, to scripts, or to the direction of text. */
function hostile() {
  return file([
    ['<img src=x onerror=alert(1)>', arrow.utf8(), ['</td><script>alert(1)</script>', '', null]],
    ['__proto__', arrow.int64(), [9007199254740993n, -1n, 0n]],
    ['\u202eright to left', arrow.utf8(), ['a\u202eb', 'tab\tand\nline', '👩‍👩‍👧 family']],
    ['', arrow.utf8(), ['a column without a name', 'null', '\u0000']],
    ['a very long name '.repeat(20), arrow.float64(), [Number.NaN, -0, Number.POSITIVE_INFINITY]],
  ]);
}

/** Rows that take a while to send. */
function track() {
  const random = randomNumbers(11);
  const lines = Array.from({ length: 400_000 }, (_, i) => `${i},${(46 + random()).toFixed(6)},${(7 + random()).toFixed(6)},${Math.round(400 + 900 * random())}`);
  return Buffer.from(`second,latitude,longitude,altitude\n${lines.join('\n')}\n`);
}

/** An Arrow file, one text of which has bytes that are not UTF-8. */
function damaged() {
  const bytes = flights(20_000, 50_000);
  bytes.fill(0xff, bytes.indexOf('Zürich'), bytes.indexOf('Zürich') + 4);
  return bytes;
}

const HOSTILE = 'hostile.names_and-values-that-mean-something-to-html-to-scripts-or-to-the-direction-of-text';

async function upload(url, name, body, { method = 'PUT', type = 'application/vnd.apache.arrow.file', query = '' } = {}) {
  const response = await fetch(`${url}/datasets/${name}${query}`, { method, body, headers: { 'Content-Type': type } });
  if (!response.ok) {
    throw new Error(`Expected ${name} to be stored but found ${response.status} at ${method} ${name}: ${await response.text()}`);
  }
}

async function fill(url) {
  await upload(url, 'flights', flights(150_000, 0));
  for (const day of [300_000, 330_000, 360_000]) {
    await upload(url, 'flights', flights(15_000, day), { method: 'POST' });
  }
  await upload(url, 'airports', airports(), { type: 'text/csv' });
  await upload(url, 'weather', observations(), { type: 'application/x-ndjson' });
  await upload(url, HOSTILE, hostile());
  await upload(url, 'busiest-routes', `SELECT origin, destination, count(*) AS flights, avg(delay) AS delay FROM flights GROUP BY ALL ORDER BY flights DESC`, {
    type: 'application/sql',
    query: '?expires=7d',
  });
}

// The service

function java() {
  const homes = [process.env.JAVA_HOME];
  for (const folder of ['/usr/lib/jvm', '/opt', '/Library/Java/JavaVirtualMachines']) {
    homes.push(...(existsSync(folder) ? readdirSync(folder).flatMap((name) => [join(folder, name), join(folder, name, 'Contents/Home')]) : []));
  }
  const release = (home) => (home && existsSync(join(home, 'release')) ? readFileSync(join(home, 'release'), 'utf8') : '');
  const home = homes.find((each) => Number(/JAVA_VERSION="(\d+)/.exec(release(each))?.[1]) >= 25);
  if (!home) {
    throw new Error('Expected a JDK 25 but found none at JAVA_HOME or /usr/lib/jvm');
  }
  return join(home, 'bin/java');
}

function newestJar() {
  const folder = join(TOP, 'target');
  const jars = existsSync(folder) ? readdirSync(folder).filter((name) => /^quiver-.*\.jar$/.test(name)) : [];
  const byAge = jars.map((name) => join(folder, name)).sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
  if (byAge.length === 0) {
    throw new Error(`Expected target/quiver-*.jar but found none at ${TOP}: run mvn package first`);
  }
  return byAge[0];
}

/** Returns the usual port, which commands on the pages show, or another one if it is not free. */
function freePort(wanted = USUAL_PORT) {
  return new Promise((found) => {
    const server = createServer().listen(wanted, () => {
      const { port } = server.address();
      server.close(() => found(port));
    });
    server.once('error', () => found(freePort(0)));
  });
}

/** Starts the service with an empty store in a folder. Returns its URL and what stops it. */
async function start(folder) {
  const port = await freePort();
  const settings = { 'server.port': port, 'quiver.storage.path': join(folder, 'storage'), 'quiver.spool.path': join(folder, 'spool') };
  const parameters = Object.entries(settings).map(([key, value]) => `--${key}=${value}`);
  const jar = resolve(options.jar ?? newestJar());
  const service = spawn(java(), ['-jar', jar, ...parameters], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  let log = '';
  for (const output of [service.stdout, service.stderr]) {
    output.on('data', (text) => (log = (log + text).slice(-20_000)));
  }
  const ended = new Promise((over) => service.once('exit', over));
  const stop = async () => {
    service.kill();
    await ended;
  };
  const url = `http://localhost:${port}`;
  const deadline = Date.now() + LONGEST_START_MILLISECONDS;
  while (!(await fetch(`${url}/health`).then(({ ok }) => ok, () => false))) {
    if (service.exitCode !== null || Date.now() > deadline) {
      await stop();
      throw new Error(`Expected the service to start but found:\n${log}`);
    }
    await new Promise((over) => setTimeout(over, POLL_MILLISECONDS));
  }
  return { url, stop };
}

// The views, each of which is ready once its function returns

/** Waits until nothing that is in sight is still being fetched. */
async function settled(page) {
  await page.waitForFunction(() => {
    const isSeen = (each) => {
      const { top, bottom, left, right } = each.getBoundingClientRect();
      return each.checkVisibility() && bottom > top && bottom > 0 && top < innerHeight && right > 0 && left < innerWidth;
    };
    return ![...document.querySelectorAll('[aria-busy=true], .waiting')].some(isSeen);
  });
  await page.evaluate(() => document.fonts.ready);
}

/** Waits for what a view shows, or fails with what the page says instead. */
async function seen(page, wanted) {
  const alert = page.getByRole('alert').filter({ visible: true });
  await wanted.first().or(alert.first()).first().waitFor();
  const [told] = await alert.allInnerTexts();
  if (told !== undefined) {
    throw new Error(`Expected the view but found ${told.replace(/\s+/g, ' ')} at ${new URL(page.url()).pathname}`);
  }
}

/** Opens the page at a path. */
async function open(page, path, status = 200) {
  const response = await page.goto(page.base + path);
  if (response && response.status() !== status) {
    throw new Error(`Expected ${status} but found ${response.status()} at ${path.split('#')[0]}`);
  }
}

/** Opens a view of a dataset, which the page has to offer. */
async function view(page, dataset, fragment) {
  await open(page, `/datasets/${dataset}${fragment}`);
  const views = page.getByRole('navigation', { name: 'Views' }).getByRole('link');
  await views.first().waitFor();
  const [wanted] = fragment.slice(1).split('&');
  const found = await views.evaluateAll((links) => links.map((link) => link.hash.slice(1).split('&')[0]));
  if (!found.includes(wanted)) {
    throw new Error(`Expected the view ${wanted} but found ${found.join(', ')} at /datasets/${dataset}`);
  }
}

async function rows(page, dataset, fragment) {
  await view(page, dataset, fragment);
  await seen(page, page.locator('[role=gridcell]:not(.waiting)'));
  await settled(page);
}

/** Waits for the pictures in the headers of columns. */
const summarized = (page) => seen(page, page.locator('[role=columnheader] .summary :is(svg, small)'));

/** Opens what stands beside the rows by a key. */
async function drawer(page, key, content) {
  await page.getByRole('grid').focus();
  await page.keyboard.press(key);
  await page.getByRole('complementary').locator(content).first().waitFor();
  await settled(page);
}

/** Opens the page of statements with one that has not run. */
async function unrun(page, values) {
  const pairs = Object.entries(values).map(([key, value]) => `&${key}=${encodeURIComponent(value)}`);
  await open(page, `/sql#sql${pairs.join('')}`);
  await page.getByRole('textbox', { name: 'Statement' }).waitFor();
  await page.locator('.cm-content').waitFor();
}

async function statement(page, values) {
  await unrun(page, values);
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await seen(page, page.locator('.summary:not(:empty)'));
  await settled(page);
}

const LATE = "delay > 60 AND carrier = 'Fjordair'";
const DELAYS = `SELECT carrier, count(*) AS flights, round(avg(delay), 1) AS "average delay",
       quantile_cont(delay, 0.95) AS "late by", sum(fare) AS fares
FROM flights
WHERE NOT cancelled
GROUP BY carrier
ORDER BY "average delay" DESC`;
const DAYS = `SELECT date_trunc('day', departure) AS day, avg(delay) AS "average delay",
       quantile_cont(delay, 0.9) AS "one in ten is later by"
FROM flights
GROUP BY day
ORDER BY day`;

const VIEWS = {
  /** The list of a store without datasets. */
  async empty(page) {
    await page.route(/\/datasets\?/, (route) => route.fulfill({ json: { datasets: [], total: 0 } }));
    await open(page, '/');
    await seen(page, page.getByRole('button', { name: 'Try an example' }));
    await settled(page);
  },

  async list(page) {
    await open(page, '/');
    await seen(page, page.locator('.datasets tbody tr'));
    await settled(page);
  },

  async rows(page) {
    await rows(page, 'flights', '#rows');
    await summarized(page);
  },

  async 'rows-filter'(page) {
    // In this order, the long remarks are first.
    await rows(page, 'flights', `#rows&where=${encodeURIComponent(LATE)}&sort=10&columns=0,4,5,10&row=2&column=10`);
    await summarized(page);
    await drawer(page, 'Enter', 'pre');
  },

  /** A condition that is written in the form, below one that holds. */
  async 'filter-form'(page) {
    await rows(page, 'flights', `#rows&where=${encodeURIComponent("carrier = 'Fjordair'")}`);
    await summarized(page);
    await page.getByRole('button', { name: 'Add filter' }).click();
    const form = page.getByRole('form', { name: 'Filter' });
    await form.getByLabel('Column').selectOption('delay');
    await form.getByLabel('Comparison').selectOption('is between');
    await form.getByLabel('From').fill('60');
    await page.waitForFunction(() => document.querySelector('.told-range').textContent !== '');
    await settled(page);
  },

  /** A value that its column cannot have, with its place and an example. */
  async 'filter-mistake'(page) {
    await rows(page, 'flights', '#rows');
    await summarized(page);
    page.expects(422);
    await page.getByLabel('Search or filter').fill("delay > '1h'");
    await page.keyboard.press('Enter');
    await page.locator('.mistake mark').waitFor();
    await settled(page);
  },

  async record(page) {
    await rows(page, 'flights', '#rows&row=4');
    await summarized(page);
    await drawer(page, 'r', 'dl');
  },

  async downloads(page) {
    await rows(page, 'flights', `#rows&where=${encodeURIComponent(LATE)}&sort=-5&columns=0,1,4,5`);
    await summarized(page);
    await page.getByText('Download', { exact: true }).click();
    await seen(page, page.locator('.menu .formats a'));
  },

  async column(page) {
    await rows(page, 'flights', '#rows&column=5');
    await summarized(page);
    await drawer(page, 'c', 'dl');
  },

  async hostile(page) {
    await rows(page, HOSTILE, '#rows');
  },

  async schema(page) {
    await view(page, 'weather', '#schema');
    await seen(page, page.getByRole('treeitem'));
    await page.getByRole('tree').focus();
    await page.keyboard.press('*');
    // The outline of the focus would say more than the tree.
    await page.evaluate(() => document.activeElement.blur());
    await settled(page);
  },

  async profile(page) {
    await view(page, 'flights', '#profile');
    await seen(page, page.locator('.card dl'));
    await settled(page);
  },

  async chart(page) {
    await view(page, 'flights', '#chart&type=bar&x=departure&colour=carrier&unit=month');
    await seen(page, page.locator('.chart:not([aria-busy]) .picture > svg'));
    await settled(page);
  },

  /** A chart whose statement still runs. */
  async 'chart-loading'(page) {
    await page.route('**/sql.arrows', () => null);
    await view(page, 'flights', '#chart');
    await seen(page, page.locator('.chart[aria-busy=true]'));
    await page.evaluate(() => document.fonts.ready);
  },

  async map(page) {
    await view(page, 'airports', '#chart');
    await seen(page, page.locator('.chart:not([aria-busy]) .picture .countries'));
    await settled(page);
  },

  async docs(page) {
    await open(page, '/docs/pages');
    await seen(page, page.locator('h1'));
    await settled(page);
  },

  async api(page) {
    await open(page, '/api');
    await seen(page, page.locator('.opblock'));
    await settled(page);
  },

  /** The page of a dataset that does not exist. */
  async missing(page) {
    page.expects(404);
    await open(page, '/datasets/flihgts', 404);
    await seen(page, page.locator('h1'));
    await settled(page);
  },

  async anatomy(page) {
    await view(page, 'flights', '#anatomy&message=batch-0&buffer=2');
    await seen(page, page.getByRole('heading', { name: 'Record batch 0', exact: true }));
    await seen(page, page.locator('.bytes:not(:empty)'));
    await settled(page);
  },

  async versions(page) {
    await view(page, 'flights', '#versions&a=2&b=4');
    await seen(page, page.locator('.versions tbody tr'));
    await page.getByRole('region', { name: 'Comparison' }).locator('table').waitFor();
    await settled(page);
  },

  async use(page) {
    await view(page, 'flights', `#use&columns=${encodeURIComponent('flight,departure,delay')}&where=${encodeURIComponent(LATE)}`);
    await seen(page, page.locator('.snippet'));
    await page.locator('main section:not([hidden]) .count').filter({ hasText: 'rows' }).waitFor();
    await settled(page);
  },

  async sql(page) {
    await statement(page, { q: DELAYS });
    await page.locator('[role=gridcell]:not(.waiting)').first().waitFor();
  },

  /** A statement of a link, which waits for its reader. */
  async 'sql-unrun'(page) {
    await unrun(page, { q: DELAYS });
    await seen(page, page.locator('.empty').getByRole('button', { name: 'Run to see it' }));
    await settled(page);
  },

  async 'sql-chart'(page) {
    await statement(page, { q: DAYS, type: 'line', x: 'day', y: 'average delay' });
    await seen(page, page.locator('.chart:not([aria-busy]) .picture > svg'));
    await settled(page);
  },

  async inspect(page) {
    await open(page, '/inspect');
    await page.locator('input[type=file]').setInputFiles({ name: 'flights.arrow', mimeType: 'application/octet-stream', buffer: damaged() });
    await page.getByRole('button', { name: 'Inspect thoroughly' }).click();
    await seen(page, page.locator('.findings li'));
    await page.getByRole('status').filter({ hasText: 'Nothing was stored.' }).waitFor();
    await settled(page);
  },

  /** A file that is stored, one that is being sent, and one that is looked at before. */
  async upload(page) {
    await open(page, '/');
    await seen(page, page.locator('.datasets tbody tr'));
    await page.locator('input[type=file]').setInputFiles([
      { name: 'stations.csv', mimeType: 'text/csv', buffer: airports() },
      { name: 'gps track.csv', mimeType: 'text/csv', buffer: track() },
      { name: 'observations.jsonl', mimeType: 'application/x-ndjson', buffer: observations() },
    ]);
    const [stored, sent, waiting] = [0, 1, 2].map((i) => page.locator('.uploads > li').nth(i));
    await seen(page, waiting.getByRole('region', { name: 'First rows' }).locator('td'));
    await stored.getByRole('button', { name: 'Upload', exact: true }).click();
    await seen(page, stored.getByRole('link'));
    const session = await page.context().newCDPSession(page);
    await session.send('Network.enable');
    await session.send('Network.emulateNetworkConditions', { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: SLOW_BYTES_PER_SECOND });
    await sent.getByRole('button', { name: 'Upload', exact: true }).click();
    await page.waitForFunction(() => {
      const progress = document.querySelectorAll('.uploads > li')[1].querySelector('progress');
      return progress.value > progress.max / 3;
    });
    page.afterwards = async () => {
      await sent.getByRole('button', { name: 'Cancel' }).click();
      await sent.getByRole('button', { name: 'Dismiss' }).waitFor();
      await page.request.delete(`${page.base}/datasets/stations`);
    };
  },
};

// The pictures

async function browserPage(browser, base, screen, colorScheme, failures) {
  const context = await browser.newContext({ viewport: screen, colorScheme, reducedMotion: 'reduce', deviceScaleFactor: 1, locale: 'en-GB', timezoneId: 'UTC' });
  const page = await context.newPage();
  page.base = base;
  page.setDefaultTimeout(LONGEST_WAIT_MILLISECONDS);
  // Chromium writes each response that is a failure on the console.
  let expected = 0;
  page.expects = (status) => (expected = status);
  const isExpected = (text) => expected !== 0 && text.includes(`the server responded with a status of ${expected} `);
  page.on('console', (message) => message.type() === 'error' && !isExpected(message.text()) && failures.push(message.text()));
  page.on('pageerror', (error) => failures.push(error.message));
  page.on('request', (request) => /^(blob|data):/.test(request.url()) || request.url().startsWith(base) || failures.push(`a request to ${request.url()}`));
  await page.addInitScript(() =>
    document.addEventListener('securitypolicyviolation', (event) => console.error(`${event.violatedDirective} ${event.blockedURI}`)),
  );
  return page;
}

/** Makes one picture. Returns what went wrong as a sentence, or null. */
async function picture(browser, base, name, screen, scheme, target) {
  const failures = [];
  const page = await browserPage(browser, base, screen, scheme, failures);
  try {
    await VIEWS[name](page);
    await page.screenshot({ path: target, animations: 'disabled', caret: 'hide' });
    await page.afterwards?.();
  } catch (error) {
    failures.push(error.message.replace(/\s+/g, ' ').slice(0, MOST_TOLD_CHARACTERS));
  } finally {
    await page.context().close();
  }
  return failures.length === 0 ? null : `${name}, ${screen.width} pixels, ${scheme}: ${failures.join('; ')}`;
}

const PALETTE = `
import pathlib, sys
from PIL import Image
for name in sys.argv[2:]:
    path = pathlib.Path(name)
    image = Image.open(path).convert("RGB").quantize(int(sys.argv[1]), Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    image.save(path, optimize=True)
`;

/** Gives pictures a palette. Returns whether a Python with Pillow is there. */
function reduce(targets) {
  const pythons = options.python ? [options.python] : [join(TOP, 'target/clients/bin/python'), 'python3'];
  const python = pythons.find((each) => spawnSync(each, ['-c', 'import PIL']).status === 0);
  if (!python || targets.length === 0) {
    return python !== undefined;
  }
  execFileSync(python, ['-c', PALETTE, String(MOST_COLOURS), ...targets]);
  return true;
}

function program(names) {
  const folders = process.env.PATH.split(delimiter);
  const found = names.flatMap((name) => folders.map((folder) => join(folder, name))).find((path) => existsSync(path));
  if (!found) {
    throw new Error(`Expected ${names.join(' or ')} but found none at PATH`);
  }
  return found;
}

const wanted = options.only?.split(',') ?? Object.keys(VIEWS);
const unknown = wanted.filter((name) => !Object.hasOwn(VIEWS, name));
if (unknown.length > 0) {
  throw new Error(`Expected some of ${Object.keys(VIEWS).join(', ')} but found ${unknown.join(', ')} at --only`);
}
const folder = resolve(options.to ?? join(TOP, 'src/docs/screens'));
mkdirSync(folder, { recursive: true });
const scratch = mkdtempSync(join(tmpdir(), 'quiver-screens-'));
const made = [];
const problems = [];
let service;
let browser;

async function end() {
  await browser?.close();
  await service?.stop();
  rmSync(scratch, { recursive: true, force: true });
}

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => end().finally(() => process.exit(1)));
}
try {
  browser = await chromium.launch({
    executablePath: program(['chromium', 'chromium-browser', 'google-chrome']),
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu', '--hide-scrollbars'],
    handleSIGINT: false,
    handleSIGTERM: false,
  });
  service = await start(scratch);
  await fill(service.url);
  for (const name of wanted) {
    for (const screen of SCREENS) {
      for (const scheme of SCHEMES) {
        const target = join(folder, `${name}-${screen.width}-${scheme}.png`);
        rmSync(target, { force: true });
        const problem = await picture(browser, service.url, name, screen, scheme, target);
        if (problem) {
          console.error(problem);
          problems.push(problem);
        }
        if (existsSync(target)) {
          made.push(target);
        }
      }
    }
  }
} finally {
  await end();
}
const isReduced = reduce(made);
const kilobytes = made.reduce((sum, path) => sum + statSync(path).size, 0) / 1000;
console.log(`${made.length} pictures, ${Math.round(kilobytes)} kB, in ${folder}`);
if (!isReduced) {
  console.log('Without Pillow, their colours are not reduced: install it (pip install pillow) before they are committed');
}
process.exitCode = problems.length > 0 ? 1 : 0;
