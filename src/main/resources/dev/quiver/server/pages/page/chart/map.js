// Maps: rows as points by longitude and latitude, geometries as they are, and countries shaded by their values.
// @ts-check

import { counted, grouped, visible } from '../lib/elements.js';
import * as library from '../vendor/plot-0.6.17.min.js';
import { coloursOf, framed, legend, legendOfShades, range, shaded } from './chart-picture.js';
import { omitted, sampled } from './chart-notes.js';
import { MOST_POINTS } from './chart-limits.js';
import { numberText, shadeText } from './chart-texts.js';
import { pointsOf, seriesOf } from './chart-values.js';
import { countries, countryOf } from './map-countries.js';
import { geometryOf, positions } from './map-geometry.js';

/** @typedef {import('./chart-question.js').Choice} Choice */
/** @typedef {import('./chart-values.js').Model} Model */
/** @typedef {import('./chart-values.js').Value} Value */
/** @typedef {import('./map-geometry.js').Geometry} Geometry */
/**
 * A value with its geometry. The latitude of a point is its `start`.
 *
 * @typedef {Value & { geometry: Geometry }} Place
 */

const Plot = /** @type {any} */ (library);

const MOST_GEOMETRIES = 2_000;
const MOST_GEOMETRY_BYTES = 8_000_000;
const MOST_NAMED = 5;
const MOST_SPELLINGS = 2_000;
const FONT = 12;
const LARGE_DEGREES = 150;
const WORLD_DEGREES = 250;
/** The latitudes of all countries but Antarctica. */
const WORLD = [-56, 78];
const LEAST_DEGREES = 0.02;
const INSET = 14;
const ANTARCTIC = -60;
const ANTARCTICA = '010';
const MOST_MERCATOR = 80;
const LEAST_HEIGHT = 160;
const MOST_HEIGHT = 600;
const RADIANS = Math.PI / 180;
const EQUAL_EARTH = [1.340264, -0.081106, 0.000893, 0.003796];

/**
 * The map of a choice, whose x is a longitude, a geometry or a country.
 *
 * @param {import('./chart-question.js').Question} question
 * @param {Choice} choice
 * @param {AbortSignal} signal
 * @returns {Promise<Model>}
 */
export async function mapOf(question, choice, signal) {
  const kind = choice.x?.kind;
  const found = kind === 'number' ? await placesOf(question, choice, signal) : kind === 'geometry' ? await shapesOf(question, choice, signal) : await regionsOf(question, choice, signal);
  return { ...found, draw: (labels, look) => draw(found, labels, look) };
}

/**
 * @param {import('./chart-question.js').Question} question
 * @param {Choice} choice
 * @param {AbortSignal} signal
 */
async function placesOf(question, choice, signal) {
  if (choice.ys.length === 0) {
    return nothing(choice, 'A map needs a column of latitudes beside that of longitudes.');
  }
  const extent = await question.extent(choice, signal);
  const every = Math.max(1, Math.ceil(extent.places / MOST_POINTS));
  const rows = await question.points(choice, { ...extent, both: extent.places }, every, signal, true);
  const notes = [...sampled(choice, extent, every, extent.places), ...omitted(extent.both - extent.places, 'with numbers that are not degrees')];
  const model = pointsOf(choice, rows, notes);
  return { ...model, values: model.values.map((value) => ({ ...value, start: value.y ?? NaN, geometry: { type: 'Point', coordinates: [value.x, value.y] } })) };
}

/**
 * @param {import('./chart-question.js').Question} question
 * @param {Choice} choice
 * @param {AbortSignal} signal
 */
async function shapesOf(question, choice, signal) {
  const { rows, known, total } = await question.geometries(choice, MOST_GEOMETRIES, MOST_GEOMETRY_BYTES, signal);
  const isNumber = choice.colour?.kind === 'number';
  const { series, indexOf } = isNumber ? { series: [{ name: '', isRest: false }], indexOf: () => 0 } : seriesOf(choice, rows);
  const values = rows.flatMap((row, i) => {
    const geometry = geometryOf(row.g);
    const [x, y] = geometry?.type === 'Point' ? geometry.coordinates : [i, i];
    const place = { x, x0: x, x1: x, start: y, name: `${geometry?.type} ${grouped(i)}`, series: indexOf(row), y: null, base: 0, top: null, rows: 1, known: 1 };
    return geometry ? [{ ...place, geometry, ...(isNumber ? { shade: row.c ?? NaN } : {}) }] : [];
  });
  const wrong = rows.length - values.length;
  const notes = [
    `Over ${counted(total, 'row')}.`,
    ...(known > rows.length ? [`The first ${grouped(rows.length)} of ${grouped(known)} geometries are drawn.`] : []),
    ...omitted(total - known, `without ${choice.x?.label}`),
    ...omitted(wrong, `whose ${choice.x?.label} is not a geometry in degrees`),
  ];
  return { choice, step: {}, values, series, categories: null, isAggregated: false, notes };
}

/**
 * @param {import('./chart-question.js').Question} question
 * @param {Choice} choice
 * @param {AbortSignal} signal
 */
async function regionsOf(question, choice, signal) {
  const column = /** @type {import('./chart-columns.js').Column} */ (choice.x);
  // The first one may be of rows without a text.
  const found = await question.texts(column, MOST_SPELLINGS, signal);
  const texts = found.filter(({ x }) => x !== null).slice(0, MOST_SPELLINGS);
  const known = new Map(texts.flatMap(({ x }) => (countryOf(x) ? [/** @type {const} */ ([x, countryOf(x)])] : [])));
  if (known.size === 0) {
    return nothing(choice, 'A map needs columns of longitude and latitude, geometries, or countries by ISO code or English name.');
  }
  // A country has several spellings, whose rows have one value together.
  const names = new Map([...known].map(([x, country]) => [x, /** @type {import('./map-countries.js').Country} */ (country).properties.name]));
  const rows = await question.named(choice, names, signal);
  const values = rows.map((row, i) => {
    const { geometry } = /** @type {import('./map-countries.js').Country} */ (countryOf(row.name));
    const y = Number.isFinite(row.y) ? row.y : null;
    return { x: i, x0: i, x1: i, start: i, name: row.name, series: 0, y, base: 0, top: y, rows: row.n, known: row.known, shade: y ?? NaN, geometry };
  });
  const all = found[0].n_all;
  const without = found.find(({ x }) => x === null)?.n ?? 0;
  const drawn = rows.reduce((sum, { n }) => sum + n, 0);
  const unknown = texts.filter(({ x }) => !known.has(x)).map(({ x }) => (x.trim() === '' ? '(empty)' : visible(x)));
  const others = found[0].among - known.size - MOST_NAMED;
  const named = `${unknown.slice(0, MOST_NAMED).join(', ')}${others > 0 ? ` and ${grouped(others)} others` : ''}`;
  const notes = [
    `Over ${counted(all, 'row')}.`,
    ...omitted(all - without - drawn, `of names that are not on the map (${named})`),
    ...omitted(without, `without ${column.label}`),
    ...choice.ys.slice(0, 1).flatMap(({ label }) => omitted(rows.reduce((sum, { n, known: withY }) => sum + n - withY, 0), `without ${label}`)),
  ];
  return { choice, step: {}, values, series: [{ name: '', isRest: false }], categories: null, isAggregated: values.some((value) => value.rows > 1), notes };
}

/**
 * @param {Choice} choice
 * @param {string} sentence
 * @returns {Model}
 */
function nothing(choice, sentence) {
  return { choice, step: {}, values: [], series: [], categories: null, isAggregated: false, notes: [sentence] };
}

/**
 * @param {Model} model
 * @param {import('./chart-picture.js').Labels} labels
 * @param {import('./chart-picture.js').Look} look
 */
function draw(model, labels, look) {
  const colours = coloursOf(model, look);
  const shades = range(model.values.map(({ shade }) => shade ?? NaN).filter(Number.isFinite));
  const isRegions = model.choice.x?.kind === 'category';
  const places = /** @type {Place[]} */ (model.values).map((value) => ({
    ...value,
    fill: value.shade === undefined ? colours[value.series] : shaded(value.shade, shades, look),
    title: titleOf(value, model, labels, isRegions),
  }));
  const isArea = places.some(({ geometry }) => geometry.type.includes('Polygon') || geometry.type === 'GeometryCollection');
  const isShape = places.some(({ geometry }) => geometry.type !== 'Point');
  const bounds = boundsOf(places.map(({ geometry }) => geometry));
  const projection = projectionOf(bounds);
  const width = look.width;
  const clip = 'frame';
  const drawn = Plot.plot({
    width,
    height: Math.min(MOST_HEIGHT, Math.max(LEAST_HEIGHT, (width - 2 * INSET) * aspectOf(projection) + 2 * INSET)),
    margin: 0,
    style: { fontSize: `${FONT}px`, color: look.text, overflow: 'visible' },
    color: { type: 'identity' },
    r: { type: 'identity' },
    projection,
    marks: [
      Plot.frame({ stroke: null, fill: look.page, pointerEvents: 'all' }),
      Plot.geo(bounds[2] < ANTARCTIC ? countries : countries.filter(({ id }) => id !== ANTARCTICA), { clip, fill: look.land, stroke: look.page, strokeWidth: 0.7, ariaLabel: (/** @type {any} */ country) => country.properties.name, className: 'countries' }),
      isShape
        ? Plot.geo(places, { clip, geometry: 'geometry', ...paint(isArea, look), r: 3, ariaLabel: 'name', className: 'places' })
        : Plot.dot(places, { x: 'x', y: 'start', fill: 'fill', fillOpacity: 0.75, r: places.length > 1000 ? 2 : 3.5, className: 'places' }),
      isShape ? Plot.tip(places, Plot.pointer(Plot.centroid(tip(look)))) : Plot.tip(places, Plot.pointer({ ...tip(look), geometry: undefined, x: 'x', y: 'start' })),
    ],
  });
  drawn.setAttribute('aria-hidden', 'true');
  drawn.querySelectorAll('style').forEach((/** @type {Element} */ style) => style.remove());
  return framed(labels, look, [...(isRegions ? legendOfShades(labels.y, shades, look, places.some(({ y }) => y === null)) : legend(model, labels, look, colours))], drawn);
}

/** @param {import('./chart-picture.js').Look} look */
const tip = ({ page, line }) => ({ geometry: 'geometry', title: 'title', fill: page, stroke: line, fontSize: FONT, lineWidth: 28 });

/**
 * @param {boolean} isArea
 * @param {import('./chart-picture.js').Look} look
 */
const paint = (isArea, look) => (isArea ? { fill: 'fill', stroke: look.page, strokeWidth: 0.7, fillOpacity: 0.9 } : { stroke: 'fill', strokeWidth: 1.5 });

/**
 * @param {Value} value
 * @param {Model} model
 * @param {import('./chart-picture.js').Labels} labels
 * @param {boolean} isRegions
 */
function titleOf({ name, y, series, shade }, model, labels, isRegions) {
  const { x, colour } = model.choice;
  if (isRegions) {
    return `${name}\n${labels.y}: ${y === null ? 'none' : numberText(y)}`;
  }
  const lines = x?.kind === 'geometry' ? [name] : [`${x?.label}: ${name}`, `${labels.y}: ${y === null ? 'none' : numberText(y)}`];
  return [...lines, ...(colour ? [`${colour.label}: ${shade === undefined ? model.series[series].name : shadeText(shade)}`] : [])].join('\n');
}

/**
 * The part of the world that has the places: round where it is large.
 *
 * @param {number[]} bounds
 */
function projectionOf([west, east, south, north]) {
  const isLarge = !(east - west <= LARGE_DEGREES && north - south <= LARGE_DEGREES / 2) || Math.max(-south, north) > MOST_MERCATOR;
  const margin = Math.max(0, (LEAST_DEGREES - Math.max(east - west, north - south)) / 2);
  const [low, high] = isLarge && east - west > WORLD_DEGREES ? [Math.min(south, WORLD[0]), Math.max(north, WORLD[1])] : [south - margin, north + margin];
  const [xs, ys] = [[west - margin, (west + east) / 2, east + margin], [low, (low + high) / 2, high]];
  const domain = { type: 'MultiPoint', coordinates: xs.flatMap((x) => ys.map((y) => [x, y])) };
  return { type: isLarge ? 'equal-earth' : 'mercator', domain, inset: INSET };
}

/**
 * The height of a projected part of the world for a width of 1.
 *
 * @param {ReturnType<typeof projectionOf>} projection
 */
function aspectOf({ type, domain }) {
  const places = domain.coordinates.map(([x, y]) => (type === 'mercator' ? mercator(x, y) : equalEarth(x, y)));
  const [[west, east], [south, north]] = [range(places.map(([x]) => x)), range(places.map(([, y]) => y))];
  return (north - south) / (east - west);
}

/**
 * @param {number} longitude
 * @param {number} latitude
 */
const mercator = (longitude, latitude) => [longitude * RADIANS, Math.log(Math.tan(Math.PI / 4 + (latitude * RADIANS) / 2))];

/**
 * The projection of Šavrič, Patterson and Jenny, 2018.
 *
 * @param {number} longitude
 * @param {number} latitude
 */
function equalEarth(longitude, latitude) {
  const at = Math.asin((Math.sqrt(3) / 2) * Math.sin(latitude * RADIANS));
  const [a, b, c, d] = EQUAL_EARTH;
  const slope = a + 3 * b * at ** 2 + 7 * c * at ** 6 + 9 * d * at ** 8;
  return [(2 * Math.sqrt(3) * longitude * RADIANS * Math.cos(at)) / (3 * slope), at * (a + b * at ** 2 + c * at ** 6 + d * at ** 8)];
}

/**
 * The bounds of geometries, of which those of several parts have that of the largest one: islands far away do not count.
 *
 * @param {Geometry[]} geometries
 */
function boundsOf(geometries) {
  let [west, east, south, north] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const geometry of geometries) {
    const parts = geometry.type === 'MultiPolygon' ? geometry.coordinates.map((/** @type {any} */ part) => [...positions({ type: 'Polygon', coordinates: part })]) : [[...positions(geometry)]];
    const largest = parts.reduce((/** @type {number[][]} */ a, /** @type {number[][]} */ b) => (b.length > a.length ? b : a));
    for (const [x, y] of largest) {
      [west, east, south, north] = [Math.min(west, x), Math.max(east, x), Math.min(south, y), Math.max(north, y)];
    }
  }
  return [west, east, south, north];
}
