// The outlines of countries with their names, as one module.

export { feature } from 'topojson-client';
export { default as topology } from './world.json';
