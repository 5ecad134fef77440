// The tasks of people in Firefox: charts of dropped files, one of them filtered, and that of two joined ones.
//
//   node tasks_firefox.mjs folder-of-node_modules program URL file-to-filter column value colour lines map joined statement

import { marks } from './chart_marks.mjs';
import { cell, page, parameters, play, store, text, url } from './firefox_visitor.mjs';

const [filtered, column, value, colour, lines, map, joined, statement] = parameters;

/** Reads the chart with some choices once it is drawn. */
async function drawn(choices) {
  const isDrawn = (wanted) => decodeURIComponent(location.hash).includes(wanted) && document.querySelector('.chart:not([aria-busy]) .picture > svg') !== null;
  await page.waitForFunction(isDrawn, {}, choices);
  return page.evaluate(marks);
}

/** Opens the chart of what is shown. */
async function chart() {
  await (await page.waitForSelector('.views a[href^="#chart"]')).click();
  return drawn('type=');
}

async function charted(file) {
  await store(file);
  await text(cell(0, 0));
  return chart();
}

await play(async () => {
  await store(filtered);
  await text(cell(0, 0));
  await page.focus('[role=grid]');
  await page.keyboard.press('/');
  await page.keyboard.type(`"${column}" = '${value}'`);
  await page.keyboard.press('Enter');
  await page.waitForSelector('.parts li');
  await chart();
  await page.select('select[aria-label="Step"]', 'month');
  await drawn('unit=month');
  await page.select('select[aria-label="Colour by"]', colour);
  const share = await drawn(`colour=${colour}`);
  const seen = { share, lines: await charted(lines), map: await charted(map) };
  await store(joined);
  await text(cell(0, 0));
  await page.goto(`${url}/sql`);
  // The editor is in a shadow root.
  await page.waitForSelector('>>> .cm-content');
  await page.keyboard.type(statement);
  await (await page.waitForSelector('aria/Run[role="button"]')).click();
  await text(cell(0, 0));
  await (await page.waitForSelector('aria/Chart[role="button"]')).click();
  return { ...seen, join: await drawn('type=') };
});
