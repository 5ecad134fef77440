// The watch for a newer version of a dataset, which asks while the page is seen.
// @ts-check

import { element, grouped } from '../lib/elements.js';
import { authorization, datasetPath, linked } from '../lib/requests.js';

const POLL_MILLISECONDS = 10_000;

/**
 * Shows a quiet link once there is a newer version.
 *
 * @param {import('./dataset-page.js').Dataset} dataset
 * @param {HTMLElement} news the part of the page that has the link
 */
export function watch({ name, version, etag }, news) {
  const path = datasetPath(name);
  const timer = setInterval(async () => {
    if (document.hidden) {
      return;
    }
    const headers = { ...authorization(), Accept: 'application/vnd.apache.arrow.file', 'If-None-Match': etag };
    let response;
    try {
      response = await fetch(linked(path), { method: 'HEAD', cache: 'no-store', headers });
    } catch {
      // The service may be back at the next time.
      return;
    }
    const newest = Number(response.headers.get('Quiver-Version'));
    if (response.status === 410 || newest > version) {
      clearInterval(timer);
      const text = response.status === 410 ? 'This dataset was deleted' : `Version ${grouped(newest)} is available`;
      const badge = element('a', { class: 'badge', href: linked(path) + location.hash }, text);
      // The state may have changed until then.
      badge.addEventListener('click', () => (badge.href = linked(path) + location.hash));
      news.replaceChildren(badge);
    }
  }, POLL_MILLISECONDS);
}
