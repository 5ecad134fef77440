// The progress of the statement of a page, as its service reports it.
// @ts-check

import { element, grouped } from '../lib/elements.js';

/**
 * The state of a statement as the service tells it.
 *
 * @typedef {{ state: string, progress: number | null, rowsRead: number, rowsTotal: number, seconds: number }} StatementState
 */

const SHORT = new Intl.NumberFormat('en-US', { notation: 'compact', maximumSignificantDigits: 3 });
/** @type {Record<string, string>} */
const UNITS = { K: ' k', M: ' M', B: ' bn', T: ' tn' };
const LEAST_SHORT = 10_000;

/**
 * A number of rows, such as 9,999 or 42.3 M.
 *
 * @param {number} count
 */
function short(count) {
  return count < LEAST_SHORT ? grouped(Math.round(count)) : SHORT.format(count).replace(/[KMBT]$/, (unit) => UNITS[unit]);
}

/** A bar, which is hidden while the part that is done is unknown, and the same as text. */
export class Progress {
  /**
   * The first known state of the statement. It may have waited before.
   *
   * @type {StatementState | null}
   */
  #first = null;

  constructor() {
    this.element = element('progress', { 'aria-label': 'Progress', hidden: true });
  }

  /** Forgets the statement. */
  hide() {
    this.#first = null;
    this.element.hidden = true;
  }

  /**
   * Shows how far a statement is.
   *
   * @param {StatementState | null} told what the service has told last, or null
   * @returns the text that follows the time, which may be empty
   */
  show(told) {
    this.element.hidden = told === null || told.progress === null;
    if (told === null || told.progress === null) {
      return told?.state === 'waiting' ? ', is prepared' : '';
    }
    const { progress, rowsRead, rowsTotal, seconds } = told;
    this.element.value = progress;
    if (rowsRead === rowsTotal) {
      return `, all ${short(rowsTotal)} rows read`;
    }
    if (this.#first === null || rowsRead < this.#first.rowsRead) {
      this.#first = told;
    }
    const elapsed = seconds - this.#first.seconds;
    const speed = elapsed > 0 ? `, ${short((rowsRead - this.#first.rowsRead) / elapsed)}/s` : '';
    return `, ${Math.floor(progress * 100)} %, ${short(rowsRead)} of ${short(rowsTotal)} rows read${speed}`;
  }
}
