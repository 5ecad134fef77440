// A headless browser in which any error on the console, violation of the policy, or request to another host is a failure.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';

/**
 * Runs the scenario that the arguments name, and prints what it saw as JSON.
 *
 *   node file.mjs folder-of-node_modules program URL scenario [argument…]
 *
 * @param scenarios functions of a `browser` with `page`, `url`, `failures`, `requests` and `axe()`, and of the arguments
 */
export async function run(scenarios) {
  const [modules, program, url, scenario, ...parameters] = process.argv.slice(2);
  const load = createRequire(resolve(modules, 'package.json'));
  const { chromium } = load('playwright-core');
  const browser = await chromium.launch({ executablePath: program, args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'] });
  const failures = [];
  const requests = [];
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  page.on('console', (message) => message.type() === 'error' && failures.push(message.text()));
  page.on('pageerror', (error) => failures.push(error.stack));
  page.on('request', (request) => {
    requests.push(`${request.method()} ${request.url().slice(url.length)}`);
    if (!request.url().startsWith(url)) {
      failures.push(`a request to ${request.url()}`);
    }
  });
  await page.addInitScript(() =>
    document.addEventListener('securitypolicyviolation', (event) => console.error(`${event.violatedDirective} ${event.blockedURI}`)),
  );
  const rules = readFileSync(load.resolve('axe-core/axe.min.js'), 'utf8');

  /** The findings about the accessibility of the main part, in both schemes. */
  async function axe() {
    const found = [];
    for (const colorScheme of ['light', 'dark']) {
      await page.emulateMedia({ colorScheme });
      await page.evaluate(rules);
      const { violations } = await page.evaluate(() => globalThis.axe.run('main'));
      found.push(...violations.flatMap(({ id, nodes }) => nodes.map((node) => `${colorScheme} ${id} ${node.html.slice(0, 200)}`)));
    }
    return found;
  }

  try {
    const seen = await scenarios[scenario]({ page, url, failures, requests, axe }, ...parameters);
    if (failures.length > 0) {
      throw new Error(failures.join('\n'));
    }
    console.log(JSON.stringify(seen));
  } catch (error) {
    console.error(error.stack, failures.join('\n'), page.url());
    process.exitCode = 1;
  } finally {
    await browser.close();
  }
}
