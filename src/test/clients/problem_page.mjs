// Opens a URL that has no resource, as a person does.

import { accessibility, forgive, page, play, url } from './visitor.mjs';

await play({
  /** The page of a problem, and where its link leads. */
  async problem(path) {
    forgive();
    const response = await page.goto(url + path);
    const seen = {
      status: response.status(),
      heading: await page.getByRole('heading', { level: 1 }).textContent(),
      text: await page.getByRole('main').textContent(),
      axe: await accessibility(),
    };
    await page.getByRole('link', { name: 'All datasets' }).click();
    await page.waitForURL(`${url}/`);
    return { ...seen, start: page.url() };
  },
});
