// The sentences below a chart: of how many rows it is, and what it leaves out.
// @ts-check

import { counted, grouped } from '../lib/elements.js';
import { MOST_CATEGORIES, MOST_COLOURS, MOST_VALUES } from './chart-limits.js';
import { isAdditive } from './chart-steps.js';

/** @typedef {import('./chart-question.js').Choice} Choice */
/** @typedef {import('./chart-question.js').Totals} Totals */
/** @typedef {import('./chart-values.js').Model} Model */

/** @param {number} count */
const are = (count) => (count === 1 ? 'is' : 'are');

/**
 * Says that rows are left out, if there are some.
 *
 * @param {number} count
 * @param {string} which rows
 */
export const omitted = (count, which) => (count > 0 ? [`${counted(count, 'row')} ${which} ${are(count)} left out.`] : []);

/**
 * The rows that no mark is of, by the reason.
 *
 * @param {Choice} choice
 * @param {Totals} totals
 */
export function missing({ x, ys }, { missing: withoutX, far, without }) {
  return [
    ...omitted(withoutX, `without ${x?.label}`),
    ...omitted(far, `whose ${x?.label} is far from all others`),
    ...(ys.length > 1
      ? ys.flatMap(({ label }, i) => (without[i] > 0 ? [`${counted(without[i], 'row')} ${without[i] === 1 ? 'has' : 'have'} no ${label}.`] : []))
      : omitted(without[0] ?? 0, `without ${ys[0]?.label}`)),
  ];
}

/**
 * The number of rows of a chart, and of those that it leaves out.
 *
 * @param {Choice} choice
 * @param {Totals} totals
 * @param {boolean} isCut
 */
export function totalled(choice, totals, isCut) {
  const cut = isCut ? [`Only the first values by ${choice.x?.label} are drawn, at most ${grouped(MOST_VALUES)}.`] : [];
  return [`Over ${counted(totals.rows, 'row')}.`, ...cut, ...missing(choice, totals)];
}

/**
 * The number of the points that are drawn, and of the rows that are left out.
 *
 * @param {Choice} choice
 * @param {Totals} totals
 * @param {number} every one of so many rows is drawn
 * @param {number} placed the number of rows that have a point
 */
export function sampled(choice, totals, every, placed) {
  return [every > 1 ? `One in ${grouped(every)} of ${counted(placed, 'row')} is drawn.` : `Over ${counted(totals.rows, 'row')}.`, ...missing(choice, totals)];
}

/**
 * Says how steps without rows are drawn, if there are some.
 *
 * @param {Choice} choice
 * @param {Model['values']} values
 */
export function stepless(choice, values) {
  const filled = new Set(values.map(({ x }) => x));
  values.forEach(({ x, rows }) => rows > 0 && filled.delete(x));
  return filled.size > 0 ? [`Steps without rows are ${isAdditive(choice) ? 'zero' : 'gaps'}.`] : [];
}

/**
 * The limits of categories and colours.
 *
 * @param {Choice} choice
 * @param {import('./chart-question.js').Rows} rows
 * @param {Model['series']} series
 */
export function leftOut({ x, ys, colour, type }, rows, series) {
  const notes = [];
  const categories = rows.find((row) => row.x_among)?.x_among ?? 0;
  if (categories > MOST_CATEGORIES) {
    const rank = type === 'points' ? 'most frequent' : 'greatest';
    notes.push(`The ${MOST_CATEGORIES} ${rank} of ${grouped(categories)} values of ${x?.label}${ys.length > 1 ? ` by ${ys[0].label}` : ''} are drawn.`);
  }
  const colours = rows.find((row) => row.c_among)?.c_among ?? 0;
  if (colours > MOST_COLOURS && series.some(({ isRest }) => isRest)) {
    notes.push(`The ${MOST_COLOURS} most frequent of ${grouped(colours)} values of ${colour?.label} have colours; the others are one.`);
  }
  return notes;
}
