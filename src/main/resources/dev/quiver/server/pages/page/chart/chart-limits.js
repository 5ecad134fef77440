// The most that a chart draws of its rows.
// @ts-check

export const MOST_CATEGORIES = 50;
export const MOST_COLOURS = 8;
export const MOST_VALUES = 20_000;
export const MOST_POINTS = 5_000;
