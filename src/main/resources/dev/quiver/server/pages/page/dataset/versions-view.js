// The versions of a dataset, newest first, and two of them side by side.
// @ts-check

import { byteSize, element, grouped, isolated, visible } from '../lib/elements.js';
import { failure } from '../lib/failure.js';
import { stylesheet } from '../lib/modules.js';
import { datasetPath, json, linked } from '../lib/requests.js';
import { readState, replaceState } from '../lib/url-state.js';
import { changeName, comparison, signed } from './version-comparison.js';

const PAGE_SIZE = 100;
const HEADS = ['', 'version', 'change', 'rows added', 'size added', 'rows', 'size', 'written (UTC)'];
const NUMBERS = new Set(['rows added', 'size added', 'rows', 'size']);

/**
 * @param {HTMLElement} host
 * @param {import('./dataset-page.js').Dataset} dataset
 */
export async function create(host, dataset) {
  await stylesheet('dataset/views.css');
  return new VersionsView(host, dataset);
}

class VersionsView {
  #request = 0;
  /** @type {number[]} */
  #chosen = [];
  /**
   * The path of the first page that is shown, and that of the next one.
   *
   * @type {string | null}
   */
  #first = null;
  /** @type {string | null} */
  #next = null;
  /**
   * The last version that is shown, whose change is told once the one before it is known.
   *
   * @type {{ version: number, tell: (before: any) => void } | null}
   */
  #last = null;

  /**
   * @param {HTMLElement} host
   * @param {import('./dataset-page.js').Dataset} dataset
   */
  constructor(host, dataset) {
    this.dataset = dataset;
    this.from = element('input', { type: 'text', inputmode: 'numeric', size: 10, 'aria-label': 'From version', placeholder: 'From version' });
    this.compactions = element('input', { type: 'checkbox', onchange: () => this.#go({ compactions: this.compactions.checked ? null : 'no' }) });
    this.compared = element('section', { class: 'compared', 'aria-label': 'Comparison', 'aria-live': 'polite' });
    this.rows = element('tbody');
    this.more = element('p', { class: 'more' });
    /** @param {Event} event */
    const submit = (event) => {
      event.preventDefault();
      const version = this.from.value.replaceAll(/[\s,._]/g, '');
      this.#go({ from: /^\d+$/.test(version) ? version : null });
    };
    host.replaceChildren(
      element(
        'div',
        { class: 'bar' },
        element('form', { onsubmit: submit }, this.from),
        element('label', { title: 'Versions that only pack the same rows into larger batches' }, this.compactions, ' Versions with the same rows'),
        element('span', { class: 'count' }, 'Choose two versions to compare them.'),
      ),
      this.compared,
      element(
        'div',
        { class: 'scroll', tabindex: 0 },
        element(
          'table',
          { class: 'versions' },
          element('thead', {}, element('tr', {}, ...HEADS.map((head) => (head === '' ? element('td') : element('th', { scope: 'col', class: NUMBERS.has(head) ? 'number' : null }, head))))),
          this.rows,
        ),
      ),
      this.more,
    );
    this.observer = new IntersectionObserver(([entry]) => entry.isIntersecting && this.#next && this.#load(this.#next));
    this.observer.observe(this.more);
  }

  /** @param {Map<string, string>} values */
  async show(values) {
    const chosen = [values.get('a'), values.get('b')].filter((version) => /^\d+$/.test(version ?? ''));
    this.compactions.checked = values.get('compactions') !== 'no';
    if (this.from !== document.activeElement) {
      this.from.value = values.get('from') ?? '';
    }
    this.#compare(chosen.map(Number).sort((a, b) => a - b));
    const query = new URLSearchParams({ limit: String(PAGE_SIZE) });
    if (this.compactions.checked) {
      query.set('compactions', 'true');
    }
    if (values.has('from')) {
      query.set('before', String(Number(values.get('from')) + 1));
    }
    const path = `${datasetPath(this.dataset.name)}/versions?${query}`;
    if (path !== this.#first) {
      this.#first = path;
      this.rows.replaceChildren();
      this.#last = null;
      await this.#load(path);
    }
  }

  /** @param {import('../lib/url-state.js').Values} changes */
  #go(changes) {
    replaceState(changes);
    this.show(readState().values);
  }

  /** @param {string} path */
  async #load(path) {
    const number = ++this.#request;
    this.#next = null;
    this.more.replaceChildren('…');
    try {
      /** @type {{ versions: any[], next?: string }} */
      const { versions, next } = await json(path);
      if (number !== this.#request) {
        return;
      }
      versions.forEach((version) => this.#append(version));
      this.#next = next ?? null;
      this.more.replaceChildren(this.#next ? 'more…' : '');
      if (!this.#next && this.#last) {
        this.#end();
      }
      // On a tall screen it may be in sight still, which an observer tells when it begins.
      this.observer.unobserve(this.more);
      this.observer.observe(this.more);
    } catch (error) {
      if (number === this.#request) {
        this.more.replaceChildren(failure(error, () => this.#load(path)));
      }
    }
  }

  /**
   * Adds a version below the one that came after it, whose change is known now.
   *
   * @param {any} version
   */
  #append(version) {
    if (this.#last) {
      this.#last.tell(version);
      const missing = this.#last.version - version.version - 1;
      if (missing > 0 && this.compactions.checked) {
        this.#gap(version.version + 1, this.#last.version - 1);
      }
    }
    const line = this.#line(version);
    this.rows.append(line.row);
    if (version.lineage) {
      this.rows.append(lineage(version.lineage));
    }
    this.#last = { version: version.version, tell: line.tell };
  }

  #end() {
    this.#last?.tell(null);
    const oldest = this.#last?.version ?? 1;
    if (oldest > 1 && this.compactions.checked) {
      this.#gap(1, oldest - 1);
    }
  }

  /**
   * @param {number} from
   * @param {number} to
   */
  #gap(from, to) {
    const text = from === to ? `Version ${grouped(from)} is no longer kept.` : `Versions ${grouped(from)} to ${grouped(to)} are no longer kept.`;
    this.rows.append(element('tr', { class: 'gap' }, element('td'), element('td', { colspan: HEADS.length - 1 }, text)));
  }

  /** @param {any} version */
  #line(version) {
    const box = element('input', {
      type: 'checkbox',
      'aria-label': `Compare version ${version.version}`,
      value: version.version,
      onchange: () => this.#choose(version.version, box.checked),
    });
    box.checked = this.#chosen.includes(version.version);
    const name = element('th', { scope: 'row' }, element('a', { href: linked(datasetPath(this.dataset.name, version.version)) }, grouped(version.version)));
    if (version.version === this.dataset.version) {
      name.append(' ', element('small', {}, 'this page'));
    }
    if (version.damaged) {
      return { row: element('tr', {}, element('td'), name, element('td', { colspan: HEADS.length - 2 }, 'damaged')), tell: () => {} };
    }
    const added = element('td', { class: 'number' });
    const addedBytes = element('td', { class: 'number' });
    const written = element('td', {}, element('time', { datetime: version.modified }, seconds(version.modified)));
    if (version.expires) {
      written.append(element('small', {}, `ends ${seconds(version.expires)}`));
    }
    const row = element(
      'tr',
      {},
      element('td', {}, box),
      name,
      element('td', {}, element('span', { class: `kind ${version.kind}`, title: `Kind: ${version.kind}` }, changeName(version.kind))),
      added,
      addedBytes,
      element('td', { class: 'number' }, grouped(version.rows)),
      element('td', { class: 'number', title: stored(version) }, byteSize(version.bytes)),
      written,
    );
    /** @param {any} before */
    const tell = (before) => {
      added.replaceChildren(change(this.dataset.name, version, before));
      addedBytes.textContent = version.kind === 'upload' ? byteSize(version.bytes) : signed(version.bytes, before?.bytes, byteSize);
    };
    return { row, tell };
  }

  /**
   * @param {number} version
   * @param {boolean} isChosen
   */
  #choose(version, isChosen) {
    const others = this.#chosen.filter((each) => each !== version);
    const [a, b] = (isChosen ? [...others, version].slice(-2) : others).sort((x, y) => x - y);
    this.#go({ a: a ?? null, b: b ?? null });
  }

  /** @param {number[]} versions */
  #compare(versions) {
    const before = this.#chosen;
    this.#chosen = versions;
    this.rows.querySelectorAll('input').forEach((box) => (box.checked = versions.includes(Number(box.value))));
    if (versions.length < 2) {
      this.compared.replaceChildren();
    } else if (before?.join() !== versions.join()) {
      comparison(this.compared, this.dataset.name, versions);
    }
  }
}

/**
 * Returns the rows that a version added to the one before it, with a link to them.
 *
 * @param {string} name
 * @param {any} version
 * @param {any} before
 */
function change(name, version, before) {
  switch (version.kind) {
    case 'upload':
      return grouped(version.rows);
    case 'append': {
      if (!before || before.damaged) {
        return '';
      }
      const href = linked(`${datasetPath(name, version.version)}?since=${before.version}`);
      return element('a', { href, title: `Rows added since version ${before.version}` }, signed(version.rows, before.rows, grouped));
    }
    case 'extend':
      return !before || before.damaged ? '' : signed(version.rows, before.rows, grouped);
    default:
      return '–';
  }
}

/**
 * The statement that computed the rows of a version, and the versions that it read.
 *
 * @param {{ sql: string, parameters?: Record<string, string>, reads: string[] }} lineage
 */
function lineage({ sql, parameters = {}, reads }) {
  const links = reads.map((reference) => {
    const [name, version] = reference.split('@');
    return element('a', { href: datasetPath(name, version) }, isolated(reference));
  });
  const given = Object.entries(parameters).map(([key, value]) => element('li', {}, `$${visible(key)} = ${visible(value)}`));
  return element(
    'tr',
    { class: 'lineage' },
    element('td'),
    element(
      'td',
      { colspan: HEADS.length - 1 },
      element(
        'details',
        {},
        element('summary', {}, `computed from ${reads.length === 0 ? 'no dataset' : ''}`, ...links.flatMap((link, i) => (i > 0 ? [', ', link] : [link]))),
        element('pre', { role: 'group', tabindex: 0, 'aria-label': 'Statement' }, sql.split('\n').map(visible).join('\n')),
        given.length > 0 ? element('ul', {}, ...given) : null,
      ),
    ),
  );
}

/**
 * The form in which the rows of a version are stored.
 *
 * @param {{ bytes: number, batches: number, codec?: string | null }} version
 */
const stored = ({ bytes, batches, codec }) => `${grouped(bytes)} bytes in ${grouped(batches)} record ${batches === 1 ? 'batch' : 'batches'}, ${codec ? `compressed by ${codec}` : 'not compressed'}`;

/** @param {string} time */
function seconds(time) {
  return time.slice(0, 19).replace('T', ' ');
}
