// Scenarios in which a page does what no page of the service may do.

import { another, page, play, url } from './visitor.mjs';

/** Waits until something is written on the console, which is read after the scenario. */
const logged = (on, action) => Promise.all([on.waitForEvent('console'), action()]);

/** Opens the list as if it came without a policy and with something in it. */
async function openWith(html) {
  await page.route(`${url}/`, (route) => route.fulfill({ contentType: 'text/html', body: html }));
  await page.goto(`${url}/`);
}

await play({
  async nothing() {
    await page.goto(url);
    return page.title();
  },

  async style() {
    await page.goto(url);
    await logged(page, () => page.evaluate(() => document.body.setAttribute('style', 'color: red')));
  },

  async script() {
    await page.goto(url);
    await logged(page, () => page.evaluate(() => setTimeout(() => document.body.setAttribute('onclick', 'alert(1)'))));
  },

  /** A request, where no policy forbids it. */
  async image() {
    const asked = page.waitForEvent('request', (request) => request.url().includes('elsewhere'));
    await openWith('<img alt="" src="http://elsewhere.invalid/image.png">');
    await asked;
  },

  async error() {
    await page.goto(url);
    await Promise.all([page.waitForEvent('pageerror'), page.evaluate(() => setTimeout(() => undefined.planted))]);
  },

  /** A violation on the page of another person. */
  async other() {
    await page.goto(url);
    const other = await another();
    await other.goto(url);
    await logged(other, () => other.evaluate(() => document.body.setAttribute('style', 'color: red')));
  },
});
