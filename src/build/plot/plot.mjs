// The parts of Observable Plot and D3 that charts use, as one module.

export { areaY, axisX, axisY, centroid, dot, frame, geo, gridX, gridY, line, plot, pointer, rect, ruleX, ruleY, tip } from '@observablehq/plot';
export { tickIncrement, ticks } from 'd3-array';
