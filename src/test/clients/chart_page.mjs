// Scenarios of the charts of a dataset and of a result. Each prints what it saw.

import { readFile } from 'node:fs/promises';
import { accessibility, clipboard, forgive, page, play, session, traffic, url } from './visitor.mjs';

const picture = page.locator('.picture > svg');
const note = page.locator('.chart .note');

/** Waits until a chart is drawn, or says why not. */
async function drawn() {
  await page.waitForFunction(() => document.querySelector('.chart:not([aria-busy]) :is(.picture > svg, .picture > .empty, .picture > .failure, .note:not(:empty))'));
}

async function open(dataset, state = '#chart') {
  await page.goto(`${url}/datasets/${dataset}${state}`);
  await drawn();
}

/** The marks, the ticks and the texts of the picture, and its values as the table has them. */
async function read() {
  // A click would wait for a picture that is drawn, which may take long.
  await page.evaluate(() => (document.querySelector('.chart .data').open = true));
  await page.waitForFunction(() => document.querySelector('.chart .data tbody'));
  return page.evaluate(() => {
    const all = (selector) => [...document.querySelectorAll(`.picture > svg ${selector}`)];
    const numbers = (node, names) => names.map((name) => Number(node.getAttribute(name)));
    const shift = (node) => /translate\(([-\d.e]+), ?([-\d.e]+)\)/.exec(node.getAttribute('transform') ?? '')?.slice(1).map(Number) ?? [0, 0];
    const ticks = (axis) => all(`[aria-label="${axis}-axis tick label"] text`).map((text) => [text.textContent, ...shift(text)]);
    // A box has the room of letters that stand out, which these texts have not.
    const spare = 2;
    const boxes = all('text').map((text) => text.getBoundingClientRect());
    const overlaps = boxes.flatMap((one, i) =>
      boxes.slice(i + 1).filter((other) => one.left < other.right && other.left < one.right && one.top < other.bottom - spare && other.top < one.bottom - spare),
    );
    const frame = document.querySelector('.picture > svg').getBoundingClientRect();
    const outside = all('text').filter((text) => {
      const { left, right } = text.getBoundingClientRect();
      return left < frame.left - 0.5 || right > frame.right + 0.5;
    });
    return {
      bars: all('[aria-label="rect"] rect').map((bar) => [...numbers(bar, ['x', 'y', 'width', 'height']), bar.getAttribute('fill') ?? bar.parentElement.getAttribute('fill')]),
      points: all('[aria-label="dot"]:not([pointer-events]) circle').map((circle) => numbers(circle, ['cx', 'cy'])),
      lines: all('[aria-label="line"] path').map((path) => path.getAttribute('d')),
      areas: all('[aria-label="area"] path').map((path) => path.getAttribute('d')),
      x: ticks('x'),
      y: ticks('y'),
      overlaps: overlaps.length,
      outside: outside.map((text) => text.textContent),
      title: document.querySelector('.picture .title').textContent,
      axes: all('[aria-label$="axis label"]').map((label) => label.textContent),
      legend: all('.series text').map((text) => text.textContent),
      colours: all('.series rect').map((box) => box.getAttribute('fill')),
      heads: document.querySelectorAll('.chart .data tbody th[scope=row]:first-child').length,
      rows: [...document.querySelectorAll('.chart .data tbody tr')].map((row) => [...row.cells].map((cell) => cell.textContent)),
      note: document.querySelector('.chart .note').textContent,
      label: document.querySelector('.picture > svg').getAttribute('aria-label'),
      hash: decodeURIComponent(location.hash),
    };
  });
}

const select = (label) => page.getByLabel(label, { exact: true });

async function choose(label, option) {
  await select(label).selectOption(option);
  await page.waitForFunction(() => !document.querySelector('.chart[aria-busy]'));
}

async function typeTitle(title) {
  await page.getByLabel('Title').pressSequentially(title);
  await page.waitForFunction((typed) => document.querySelector('.picture .title').textContent === typed, title);
}

const scenarios = {
  /** Charts by their URLs, in a browser that is in some time zone. */
  async charts(dataset, zone, ...states) {
    await session.send('Emulation.setTimezoneOverride', { timezoneId: zone });
    const seen = [];
    for (const state of states) {
      await page.goto('about:blank');
      await open(dataset, state);
      seen.push(await read());
    }
    return seen;
  },

  /** The bytes that a chart adds to the page of a dataset whose rows are shown. */
  async size(dataset) {
    await page.goto(`${url}/datasets/${dataset}`);
    await page.locator('[role=gridcell]:not(.waiting)').first().waitFor();
    await page.waitForLoadState('networkidle');
    const before = { ...traffic };
    await page.getByRole('link', { name: 'Chart', exact: true }).click();
    await drawn();
    await page.waitForLoadState('networkidle');
    const chart = { ...traffic };
    await choose('Type', 'map');
    await page.locator('.picture .countries').waitFor();
    await page.waitForLoadState('networkidle');
    return { bytes: chart.bytes - before.bytes, requests: chart.requests - before.requests, map: traffic.bytes - chart.bytes };
  },

  /** The chart of the rows that match, by default and by choices, and the same one after a reload. */
  async choices(dataset, where) {
    await page.goto(`${url}/datasets/${dataset}#rows&where=${encodeURIComponent(where)}`);
    await page.locator('[role=gridcell]:not(.waiting)').first().waitFor();
    await page.getByRole('link', { name: 'Chart', exact: true }).click();
    await drawn();
    const standard = await read();
    await choose('Type', 'bar');
    await choose('Step', 'year');
    await choose('Aggregate', 'sum');
    const bars = await read();
    await choose('Type', 'points');
    await choose('Colour by', '');
    const points = await read();
    const link = decodeURIComponent(await page.getByRole('link', { name: 'All rows', exact: true }).getAttribute('href'));
    await typeTitle('A <b>title</b> of mine');
    const { hash } = new URL(page.url());
    await page.reload();
    await drawn();
    const again = await read();
    await page.getByRole('link', { name: 'All rows', exact: true }).click();
    await page.waitForFunction(() => !location.hash.includes('where'));
    await page.waitForFunction((before) => (document.querySelector('.chart:not([aria-busy]) .note')?.textContent ?? before) !== before, again.note);
    return { standard, bars, points, link, hash, again, all: await note.textContent() };
  },

  /** A chart after another type was chosen. */
  async rechosen(dataset, state) {
    await open(dataset, state);
    await choose('Type', 'grouped');
    return read();
  },

  /** The picture as files, with a title that is typed. */
  async files(dataset, state, title = '') {
    await open(dataset, state);
    if (title !== '') {
      await typeTitle(title);
    }
    const [vector] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save as SVG' }).click()]);
    const [pixels] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save as PNG' }).click()]);
    const png = await readFile(await pixels.path());
    // A picture that anything can draw has more than its background.
    const colours = await page.evaluate(async (base64) => {
      const image = new Image();
      image.src = `data:image/png;base64,${base64}`;
      await image.decode();
      const canvas = document.createElement('canvas');
      [canvas.width, canvas.height] = [image.width, image.height];
      const context = canvas.getContext('2d');
      context.drawImage(image, 0, 0);
      const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
      return new Set(Array.from({ length: data.length / 4 }, (_, i) => data.slice(4 * i, 4 * i + 3).join())).size;
    }, png.toString('base64'));
    return {
      svg: await readFile(await vector.path(), 'utf8'),
      names: [vector.suggestedFilename(), pixels.suggestedFilename()],
      note: await note.textContent(),
      pixels: [png.readUInt32BE(16), png.readUInt32BE(20)],
      colours,
    };
  },

  /** Charts on a phone. */
  async narrow(dataset, ...states) {
    await page.setViewportSize({ width: 390, height: 844 });
    const seen = [];
    for (const state of states) {
      await page.goto('about:blank');
      await open(dataset, state);
      seen.push({ ...(await read()), width: await page.evaluate(() => document.documentElement.scrollWidth) });
    }
    return seen;
  },

  /** The colours of bars and the first of the palette, and the colours of bars by another palette, in both schemes. */
  async colours(dataset, state, ...colours) {
    await open(dataset, state);
    const seen = [];
    const fills = async () => seen.push(await picture.evaluate((svg) => [...new Set([...svg.querySelectorAll('[aria-label="rect"] rect')].map((bar) => bar.getAttribute('fill')))]));
    await fills();
    seen.push(
      await page.evaluate((count) => {
        const probe = document.querySelector('.chart .note');
        return Array.from({ length: count }, (_, i) => ((probe.style.color = `var(--series-${i + 1})`), getComputedStyle(probe).color));
      }, seen[0].length),
    );
    await page.evaluate((all) => {
      all.forEach((colour, i) => document.documentElement.style.setProperty(`--series-${i + 1}`, colour));
      dispatchEvent(new Event('coloured'));
    }, colours);
    await fills();
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.waitForFunction((before) => document.querySelector('.picture [aria-label="rect"] rect').getAttribute('fill') !== before, seen[2][0]);
    await fills();
    return seen;
  },

  /** Columns of y that are added, changed and removed by their lists, with the keyboard where it stands then. */
  async ys(path, first) {
    await page.goto(url + path);
    if (path.startsWith('/sql')) {
      await page.locator('.cm-content').waitFor();
      await page.getByRole('button', { name: 'Run', exact: true }).click();
      await page.getByRole('button', { name: 'Chart', exact: true }).click();
    }
    await drawn();
    const seen = { standard: await read() };
    await choose('Type', 'bar');
    while (await select('Y axis 2').isVisible()) {
      await select('Y axis 2').focus();
      await choose('Y axis 2', '');
    }
    seen.focused = await page.evaluate(() => document.activeElement.ariaLabel);
    await choose('Y axis', first);
    await choose('Add Y axis', { index: 1 });
    seen.added = await read();
    seen.colour = await select('Colour by').isVisible();
    await choose('Type', 'bar');
    await choose('Aggregate', 'sum');
    seen.stacked = await read();
    await page.reload();
    if (path.startsWith('/sql')) {
      await page.locator('.cm-content').waitFor();
      await page.getByRole('button', { name: 'Run', exact: true }).click();
    }
    await drawn();
    seen.again = await read();
    await choose('Y axis', '');
    seen.counted = await read();
    return seen;
  },

  /** The links that *Share* copies, and the one that is shown where nothing can be copied. */
  async share(dataset, ...states) {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const links = [];
    for (const state of states) {
      await page.goto('about:blank');
      await page.goto(`${url}/datasets/${dataset}${state}`);
      if (state.startsWith('#chart')) {
        await drawn();
      }
      const button = page.locator('main section:not([hidden])').getByRole('button', { name: 'Share', exact: true });
      await button.click();
      const { hash } = new URL(page.url());
      links.push([(await clipboard((text) => text.endsWith(hash))).slice(url.length), hash]);
      await page.evaluate(() => (navigator.clipboard.writeText = () => Promise.reject(new Error('Expected a secure page'))));
      await button.click();
      const shown = page.locator('main section:not([hidden]) .shared');
      await shown.waitFor();
      links.at(-1).push((await shown.textContent()).slice(url.length), await page.evaluate(() => getSelection().toString().length > 0));
    }
    return links;
  },

  /** The controls that are seen while the first chart is computed, and once it is drawn. */
  async waiting(dataset) {
    let release;
    const held = new Promise((resolve) => (release = resolve));
    await page.route('**/sql.arrows', async (route) => {
      await held;
      await route.continue();
    });
    const asked = page.waitForRequest('**/sql.arrows');
    await page.goto(`${url}/datasets/${dataset}#chart`);
    await asked;
    const seen = () => page.locator('.chart :is(select, input, button, summary)').evaluateAll((all) => all.filter((each) => each.checkVisibility()).map((each) => each.ariaLabel ?? each.textContent));
    const before = await seen();
    release();
    await drawn();
    return { before, after: await seen() };
  },

  /** The places of maps, the outlines of countries that they are within, and the colours of countries. */
  async maps(...states) {
    const seen = [];
    for (const state of states) {
      const [dataset, hash] = state.split(/(?=#)/);
      await page.goto('about:blank');
      await open(dataset, hash);
      const found = await read();
      const map = await page.evaluate(() => {
        const names = (path) => path.getAttribute('aria-label');
        const outlines = [...document.querySelectorAll('.picture .countries path')];
        const box = (path) => {
          const { x, y, width, height } = path.getBBox();
          return [x, y, width, height];
        };
        return {
          points: [...document.querySelectorAll('.picture .places circle')].map((circle) => {
            const at = new DOMPoint(circle.getAttribute('cx'), circle.getAttribute('cy'));
            return [at.x, at.y, outlines.filter((path) => path.isPointInFill(at)).map(names)];
          }),
          shapes: [...document.querySelectorAll('.picture .places path')].map((path) => [names(path), box(path), path.getAttribute('fill') ?? path.getAttribute('stroke')]),
          outlines: Object.fromEntries(outlines.map((path) => [names(path), box(path)])),
        };
      });
      seen.push({ ...found, ...map });
    }
    return seen;
  },

  /** The tip beside the pointer, and the elements of a name that means something to HTML. */
  async tip(dataset, state) {
    await open(dataset, state);
    // At an edge of the bar, far from its middle.
    const bar = page.locator('.picture [aria-label="rect"] rect').first();
    await bar.hover();
    const { x, y, width, height } = await bar.boundingBox();
    await page.mouse.move(x + width / 2, y + height - 3);
    const tip = page.locator('.picture [aria-label="tip"] text');
    await tip.waitFor();
    const text = await tip.evaluate((node) => [...node.querySelectorAll('tspan')].map(({ textContent }) => textContent.replaceAll('\u200b', '')).filter((line) => line !== ''));
    return { text, images: await page.locator('main img').count(), styles: await page.locator('style').count() };
  },

  /** A failure of the service, and the chart after another attempt. */
  async failing(dataset, state) {
    const problem = { status: 503, contentType: 'application/problem+json', body: '{"detail":"Expected a free worker but found none"}' };
    await page.route('**/sql.arrows', (route) => route.fulfill(problem));
    await open(dataset, state);
    const alert = await page.getByRole('alert').innerText();
    await page.unroute('**/sql.arrows');
    await page.getByRole('button', { name: 'Try again' }).click();
    await picture.waitFor();
    forgive();
    return { alert, title: await page.locator('.picture .title').textContent() };
  },

  /** The state of the rows after a chart was left whose first statement was under way, and has ended then. */
  async left(dataset) {
    let release;
    const held = new Promise((resolve) => (release = resolve));
    await page.route('**/sql.arrows', async (route) => {
      await held;
      await route.continue().catch(() => null);
    });
    const asked = page.waitForRequest('**/sql.arrows');
    await page.goto(`${url}/datasets/${dataset}#chart`);
    await asked;
    const ended = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/sql.arrows'));
    await page.locator('.views').getByRole('link', { name: 'Rows', exact: true }).click();
    await ended;
    release();
    await page.locator('[role=gridcell]:not(.waiting)').first().waitFor();
    return decodeURIComponent(new URL(page.url()).hash);
  },

  /** The failure of a condition that is none, and the statements that were sent until the chart of all rows is drawn. */
  async refused(dataset, state) {
    const statements = [];
    page.on('request', (request) => new URL(request.url()).pathname.startsWith('/sql') && statements.push(decodeURIComponent(request.url()) + (request.postData() ?? '')));
    await page.goto(`${url}/datasets/${dataset}${state}`);
    const alert = page.getByRole('alert');
    await alert.waitFor();
    forgive();
    const told = await alert.textContent();
    await page.getByRole('link', { name: 'All rows', exact: true }).click();
    await picture.waitFor();
    return { told, statements, alerts: await alert.count() };
  },

  /** Sentences in place of pictures. */
  async notes(...datasets) {
    const seen = [];
    for (const dataset of datasets) {
      await open(...dataset.split(/(?=#)/));
      seen.push(await page.locator('.chart :is(.picture > .empty .title, .note:not(:empty))').first().textContent());
    }
    return seen;
  },

  /** The notes of charts. */
  async sentences(...datasets) {
    const seen = [];
    for (const dataset of datasets) {
      await open(...dataset.split(/(?=#)/));
      seen.push(await note.textContent());
    }
    return seen;
  },

  /** The names of the views of a dataset, whose page has a link to SQL where that runs. */
  async views(dataset, hasSql) {
    await page.route(`**/datasets/${dataset}`, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: (await response.text()).replace(hasSql === '1' ? '' : '<a href="/sql">SQL</a>', '') });
    });
    await page.goto(`${url}/datasets/${dataset}#chart`);
    await page.locator('.views a').first().waitFor();
    return page.locator('.views a').allTextContents();
  },

  /** A chart by keys alone, and violations of accessibility in each type of chart. */
  async accessible(dataset, ...states) {
    await open(dataset);
    await page.getByRole('link', { name: 'Chart', exact: true }).focus();
    const order = [];
    while (order.at(-1) !== 'Values as a table' && order.length < 30) {
      await page.keyboard.press('Tab');
      order.push(await page.evaluate(() => document.activeElement.ariaLabel ?? document.activeElement.closest('label')?.textContent.split('\n')[0] ?? document.activeElement.textContent));
    }
    await page.keyboard.press('Enter');
    await page.locator('.chart .data tbody tr').first().waitFor();
    const found = [];
    const widths = [];
    for (const state of states) {
      await page.setViewportSize({ width: 1440, height: 900 });
      await open(dataset, state);
      await read();
      found.push(...(await accessibility()));
      await page.setViewportSize({ width: 390, height: 844 });
      await page.waitForFunction(() => Number(document.querySelector('.picture > svg').getAttribute('width')) <= 390);
      const { overlaps, outside } = await read();
      widths.push([await page.evaluate(() => document.documentElement.scrollWidth), overlaps, outside]);
      await page.emulateMedia({ colorScheme: 'light' });
    }
    return { order, found, widths };
  },
};

await play(scenarios);
