// Writes the outlines of countries with all of their names: codes of ISO 3166-1 and English ones. Their places are rounded to a
// ten-thousandth of the world, which is less than a pixel of a map, and half as many bytes.

import { readFileSync, writeFileSync } from 'node:fs';
import { quantize } from 'topojson-client';

const read = (path) => JSON.parse(readFileSync(`node_modules/${path}`, 'utf8'));
const atlas = read('world-atlas/countries-110m.json');
const { scale, translate } = atlas.transform;
// Each place but the first one of an arc is told by its distance from the one before.
const arcs = atlas.arcs.map((arc) => {
  const at = [0, 0];
  return arc.map((distance) => distance.map((each, i) => (at[i] += each) * scale[i] + translate[i]));
});
const world = quantize({ type: atlas.type, arcs, objects: { countries: atlas.objects.countries } }, 1e4);
const codes = new Map(read('i18n-iso-countries/codes.json').map(([two, three, number]) => [number, [two, three, number]]));
const names = read('i18n-iso-countries/langs/en.json').countries;

for (const country of world.objects.countries.geometries) {
  const found = codes.get(country.id) ?? [];
  country.properties.names = [...found, ...[names[found[0]] ?? []].flat()];
}
writeFileSync('world.json', JSON.stringify(world));
