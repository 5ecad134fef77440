// The statistics of columns as small pictures in their headers.

import { element } from './page.js';

const REST_MILLISECONDS = 300;
const MOST_AT_ONCE = 16;
const WIDTH = 100;
const HEIGHT = 16;
const MOST_PARTS = 6;

export class Summaries {
  #asked = new Set();

  constructor(view) {
    this.view = view;
  }

  /** Fills the headers in a part of the page that are empty, once their statistics are here. */
  async fill(stage) {
    clearTimeout(this.resting);
    const statistics = await this.view.statistics();
    const unknown = new Set();
    for (const summary of stage.querySelectorAll('.summary:empty')) {
      const position = Number(summary.dataset.position);
      const entry = statistics.entries.find(({ path }) => path.length === 1 && path[0] === position);
      const found = statistics.of(entry);
      if (found) {
        summary.append(...pictured(found, this.view.rows));
      } else if (!this.#asked.has(position)) {
        unknown.add(position);
      }
    }
    if (unknown.size > 0) {
      this.resting = setTimeout(() => this.#fetch([...unknown].slice(0, MOST_AT_ONCE), stage), REST_MILLISECONDS);
    }
  }

  async #fetch(positions, stage) {
    positions.forEach((position) => this.#asked.add(position));
    const statistics = await this.view.statistics();
    try {
      await statistics.fetch(positions);
    } catch {
      // The headers stay without pictures, and the side of a column tells why.
      return;
    }
    await this.fill(stage);
  }
}

/** A histogram, or the shares of the most frequent values, and the share of nulls. */
function pictured({ nulls, histogram, top }, rows) {
  const share = Math.round((100 * nulls) / rows);
  const told = nulls > 0 ? [element('small', {}, `${share === 0 ? '< 1' : share} % null`)] : [];
  if (histogram?.length > 1) {
    const most = Math.max(...histogram.map(({ count }) => count));
    const width = WIDTH / histogram.length;
    const bars = histogram.map(({ count }, i) => {
      const height = count === 0 ? 0 : Math.max(1, (count / most) * HEIGHT);
      return { x: i * width + 0.5, y: HEIGHT - height, width: width - 1, height };
    });
    return [drawn(bars), ...told];
  }
  if (top?.length > 0 && top[0].count > 1) {
    let x = 0;
    const parts = top.slice(0, MOST_PARTS).map(({ count }) => {
      const width = (count / rows) * WIDTH;
      x += width;
      return { x: x - width, y: 4, width: Math.max(0.5, width - 1), height: HEIGHT - 8 };
    });
    return [drawn(parts), ...told];
  }
  return told;
}

function drawn(parts) {
  const name = 'http://www.w3.org/2000/svg';
  const picture = document.createElementNS(name, 'svg');
  picture.setAttribute('viewBox', `0 0 ${WIDTH} ${HEIGHT}`);
  picture.setAttribute('preserveAspectRatio', 'none');
  picture.setAttribute('aria-hidden', 'true');
  for (const part of parts) {
    const rectangle = document.createElementNS(name, 'rect');
    Object.entries(part).forEach(([key, value]) => rectangle.setAttribute(key, value));
    picture.append(rectangle);
  }
  return picture;
}
