// The axes of a grid: rows behind a scroll bar, and columns each of its own width.
// @ts-check

// Browsers end elements at 17 million pixels or more.
const MOST_PIXELS = 8_000_000;

/** The rows of a grid, of any number, behind a scroll bar of at most eight million pixels. */
export class RowAxis {
  /** The first visible row, with the part of it that is above. */
  top = 0;

  #lastOffset = 0;

  /**
   * @param {number} count
   * @param {number} rowPixels
   */
  constructor(count, rowPixels) {
    this.count = count;
    this.rowPixels = rowPixels;
    this.pixels = 0;
    this.visible = 1;
    this.lastTop = 0;
    this.resize(0);
  }

  /** @param {number} pixels the height in which rows are seen */
  resize(pixels) {
    this.pixels = pixels;
    this.visible = Math.max(1, Math.floor(pixels / this.rowPixels));
    this.lastTop = Math.max(0, this.count - this.visible);
    this.top = Math.min(this.top, this.lastTop);
  }

  /** The height of all rows for the scroll bar. */
  get length() {
    return Math.min(this.count * this.rowPixels, MOST_PIXELS);
  }

  get isScaled() {
    return this.count * this.rowPixels > MOST_PIXELS;
  }

  /** The offset of the scroll bar for the present rows. */
  get offset() {
    return this.isScaled
      ? Math.round((this.top / this.lastTop) * (this.length - this.pixels))
      : this.top * this.rowPixels;
  }

  /**
   * Follows the scroll bar. A small movement is one of exact rows; a large one goes to the part of the rows that the bar
   * shows.
   *
   * @param {number} offset
   */
  scrolledTo(offset) {
    const movement = offset - this.#lastOffset;
    const end = this.length - this.pixels;
    if (!this.isScaled) {
      this.top = offset / this.rowPixels;
    } else if (Math.abs(movement) < 2 * this.pixels && offset > 0 && offset < end) {
      this.top += movement / this.rowPixels;
    } else {
      this.top = (offset / end) * this.lastTop;
    }
    this.top = Math.min(Math.max(0, this.top), this.lastTop);
    this.#lastOffset = offset;
  }

  /**
   * Notes that the scroll bar was moved to the present rows.
   *
   * @param {number} offset
   */
  synchronized(offset) {
    this.#lastOffset = offset;
  }

  /** Whether the scroll bar is a screen or more from the part that it stands for. */
  get hasDrifted() {
    return this.isScaled && Math.abs(this.offset - this.#lastOffset) > this.pixels;
  }

  /**
   * Makes a row visible. Returns whether the rows have moved.
   *
   * @param {number} row
   */
  reveal(row) {
    const before = this.top;
    if (row < this.top) {
      this.top = row;
    } else if (row >= this.top + this.visible) {
      this.top = row - this.visible + 1;
    }
    this.top = Math.min(Math.max(0, this.top), this.lastTop);
    return this.top !== before;
  }
}

/** The columns of a grid, each of its own width. */
export class ColumnAxis {
  /** @param {number[]} widths */
  constructor(widths) {
    this.starts = new Float64Array(widths.length + 1);
    widths.forEach((width, i) => (this.starts[i + 1] = this.starts[i] + width));
  }

  get count() {
    return this.starts.length - 1;
  }

  get length() {
    return this.starts[this.count];
  }

  /** @param {number} column */
  start(column) {
    return this.starts[column];
  }

  /** @param {number} column */
  width(column) {
    return this.starts[column + 1] - this.starts[column];
  }

  /**
   * @param {number} column
   * @param {number} width
   */
  resize(column, width) {
    const change = width - this.width(column);
    for (let i = column + 1; i < this.starts.length; i++) {
      this.starts[i] += change;
    }
  }

  /**
   * The columns between two offsets: the first one, and the one after the last.
   *
   * @param {number} from
   * @param {number} to
   * @returns {[number, number]}
   */
  between(from, to) {
    return [this.#at(from), Math.min(this.#at(to) + 1, this.count)];
  }

  /** @param {number} offset */
  #at(offset) {
    let low = 0;
    let high = this.count;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.starts[middle] <= offset) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
