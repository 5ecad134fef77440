// Uploads a file by tus-js-client on a page in a headless browser, as tus.mjs does it in Node.
//
//   node tus_browser.mjs folder-of-node_modules program port-of-the-page URL file

import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';

const [modules, program, port, url, file] = process.argv.slice(2);
const require = createRequire(resolve(modules, 'package.json'));
const { chromium } = require('playwright-core');

const pages = createServer((request, response) => {
  response.setHeader('Content-Type', 'text/html');
  response.end('<!doctype html><title>Upload</title><input type="file">');
});
await new Promise((listening) => pages.listen(Number(port), '127.0.0.1', listening));

const browser = await chromium.launch({
  executablePath: program,
  args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'],
});
const page = await browser.newPage();
await page.goto(`http://127.0.0.1:${port}/`);
await page.addScriptTag({ path: resolve(modules, 'tus-js-client', 'dist', 'tus.min.js') });
await page.setInputFiles('input', file);
const outcome = await page.evaluate(
  (endpoint) =>
    new Promise((done) => {
      const counts = {};
      const upload = new tus.Upload(document.querySelector('input').files[0], {
        endpoint,
        protocol: 'ietf-draft-05',
        retryDelays: Array(200).fill(300),
        storeFingerprintForResuming: false,
        onAfterResponse(request, response) {
          const seen = `${request.getMethod()} ${response.getStatus()}`;
          counts[seen] = (counts[seen] ?? 0) + 1;
        },
        onError: (error) => done({ counts, error: String(error) }),
        onSuccess: () => done({ counts }),
      });
      upload.start();
    }),
  url,
);
await browser.close();
pages.close();
if (outcome.error) {
  console.error(outcome.error, JSON.stringify(outcome.counts));
  process.exit(1);
}
console.log(JSON.stringify(outcome.counts));
