// The count, the sum and the mean of selected cells, exactly where their numbers are integers and decimals.
// @ts-check

import { counted, groupedDigits } from '../lib/elements.js';
import { Type, decimal, isNumber, valueType } from './arrow-values.js';
import { countOf } from './cell-formats.js';
import { MOST_COPIED_CELLS } from './grid.js';

const REST_MILLISECONDS = 200;
const MEAN_DIGITS = 6;
const FLOAT_DIGITS = 12;

/** Ends what is under way for an earlier selection. */
let summing = new AbortController();
/** @type {number | undefined} */
let resting;

/**
 * Tells of the selected cells of a grid, once they stay the same for a moment.
 *
 * @param {import('./grid.js').Grid} grid
 * @param {HTMLElement} output
 * @param {AbortSignal} left aborted once other rows take the place of those of the grid
 */
export function tellSums(grid, output, left) {
  clearTimeout(resting);
  summing.abort();
  summing = new AbortController();
  const signal = AbortSignal.any([summing.signal, left]);
  output.hidden ||= !grid.isSelecting;
  if (!grid.isSelecting || left.aborted) {
    return;
  }
  const { windows, selection } = grid;
  // Its text is that of an earlier selection.
  output.setAttribute('aria-busy', 'true');
  const tell = async () => {
    const told = await toldSums(windows, selection, signal).catch(() => `${counted(countOf(selection), 'cell')} · cannot be summed`);
    if (!signal.aborted) {
      output.textContent = told;
      output.hidden = false;
      output.removeAttribute('aria-busy');
    }
  };
  resting = setTimeout(tell, REST_MILLISECONDS);
}

/**
 * Tells of the numbers among some cells, or only how many cells there are if none of them is one.
 *
 * @param {import('./grid.js').RowSource} source
 * @param {import('./grid.js').CellRange} cells
 * @param {AbortSignal} signal
 */
async function toldSums(source, cells, signal) {
  const count = countOf(cells);
  const told = [counted(count, 'cell')];
  if (count > MOST_COPIED_CELLS) {
    return told.join(' · ');
  }
  const sums = new Sums();
  const { rows, columns } = cells;
  for (let row = rows[0]; row <= rows[1]; ) {
    const found = await source.values(row, rows[1] + 1, [columns[0], columns[1] + 1], signal);
    signal.throwIfAborted();
    if (found === null) {
      return told.join(' · ');
    }
    found.columns.forEach((values) => sums.add(values, found.count));
    row += found.count;
  }
  return [...told, ...sums.told(count)].join(' · ');
}

class Sums {
  #numbers = 0;
  #nulls = 0;
  /** The sum of integers and decimals, in units of ten to the power of minus the scale. */
  #exact = 0n;
  #scale = 0;
  #hasFloats = false;
  #floats = 0;
  /** The part that the sum of floats has lost by rounding (Neumaier). */
  #lost = 0;

  /**
   * @param {import('./arrow-values.js').Vector} values
   * @param {number} count
   */
  add(values, count) {
    const { type } = values;
    const { typeId, scale = 0 } = valueType(type);
    for (let i = 0; i < count; i++) {
      const value = values.at(i);
      if (value === null || value === undefined) {
        this.#nulls++;
      } else if (isNumber(type)) {
        this.#numbers++;
        if (typeId === Type.Float) {
          this.#addFloat(value);
        } else {
          this.#addExact(BigInt(value), typeId === Type.Decimal ? scale : 0);
        }
      }
    }
  }

  /** @param {number} value */
  #addFloat(value) {
    this.#hasFloats = true;
    const sum = this.#floats + value;
    this.#lost += Math.abs(this.#floats) >= Math.abs(value) ? this.#floats - sum + value : value - sum + this.#floats;
    this.#floats = sum;
  }

  /**
   * @param {bigint} unscaled
   * @param {number} scale
   */
  #addExact(unscaled, scale) {
    if (scale > this.#scale) {
      this.#exact *= 10n ** BigInt(scale - this.#scale);
      this.#scale = scale;
    }
    this.#exact += unscaled * 10n ** BigInt(this.#scale - scale);
  }

  /** @param {number} count that of all cells */
  told(count) {
    const nulls = this.#nulls > 0 ? [`${counted(this.#nulls, 'null')}`] : [];
    if (this.#numbers === 0) {
      return nulls;
    }
    const numbers = this.#numbers + this.#nulls < count ? [counted(this.#numbers, 'number')] : [];
    const [sum, mean] = this.#hasFloats ? this.#toldFloats() : this.#toldExact();
    return [...numbers, ...nulls, `sum ${sum}`, `mean ${mean}`];
  }

  #toldExact() {
    const shift = 10n ** BigInt(MEAN_DIGITS);
    const count = BigInt(this.#numbers);
    const twice = 2n * this.#exact * shift;
    // Rounded half away from zero.
    const mean = (twice + (twice < 0n ? -count : count)) / (2n * count);
    return [groupedDigits(decimal(this.#exact, this.#scale)), groupedDigits(withoutZeros(decimal(mean, this.#scale + MEAN_DIGITS)))];
  }

  #toldFloats() {
    const rounded = Number.isFinite(this.#floats) ? this.#floats + this.#lost : this.#floats;
    const sum = rounded + Number(decimal(this.#exact, this.#scale));
    const mean = sum / this.#numbers;
    // A mean of few decimals is one to read. Those below 1 keep as many digits.
    const brief = Math.abs(mean) < 1 ? mean.toPrecision(MEAN_DIGITS) : mean.toFixed(MEAN_DIGITS);
    return [sum, Number(brief)].map((value) => groupedDigits(String(Number(value.toPrecision(FLOAT_DIGITS)))));
  }
}

/** @param {string} text */
const withoutZeros = (text) => text.replace(/\.?0+$/, '');
