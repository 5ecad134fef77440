// The columns that a chart can draw, by the kinds of their axes, and their names in the URL.
// @ts-check

import { visible } from '../lib/elements.js';

/**
 * A column of a chart.
 *
 * @typedef {object} Column
 * @property {number} position
 * @property {string} name
 * @property {string} label the name for people
 * @property {string} key the name in the URL, or the position as `[3]` if another column has the name, too
 * @property {string} sql the column in a statement
 * @property {'number' | 'time' | 'category' | 'geometry'} kind that of its axis, or `geometry` for maps alone
 * @property {boolean} isText
 * @property {boolean} isBinary whether geometries are bytes
 * @property {boolean} isWhole whether numbers have no fractions
 * @property {boolean} isYear whether whole numbers may be years, by their name
 * @property {boolean} isDate whether times are days
 * @property {boolean} isZoned whether times are instants
 */

const KINDS = /** @type {const} */ ([
  ['number', /^(u?int\d|float\d|decimal\d)/],
  ['time', /^(date|timestamp)/],
  ['category', /^(utf8|large_utf8|utf8_view|bool|uuid)/],
]);
const TEXT = /^(utf8|large_utf8|utf8_view)/;
// GeoJSON is text, and WKB bytes, of which nothing else tells.
const GEOMETRY_NAME = /geo|shape|wkb|wkt/i;
const GEOMETRY_TYPE = /^(json|binary|large_binary|binary_view)$|geoarrow|wkb/;
const WHOLE = /^(u?int\d|decimal\d+\(\d+, 0\))/;
const YEAR_NAME = /(^|[\W_])(years?|date)([\W_]|$)|[a-z]Year$/i;

/**
 * The columns that can be drawn, in their order.
 *
 * @param {{ name: string, arrowType: string }[]} fields
 * @param {string[]} names those of the fields in statements
 * @returns {Column[]}
 */
export function columnsOf(fields, names) {
  return fields.flatMap(({ name, arrowType }, position) => {
    const type = valueType(arrowType);
    const isGeometry = GEOMETRY_NAME.test(name) && GEOMETRY_TYPE.test(type);
    const kind = isGeometry ? 'geometry' : KINDS.find(([, pattern]) => pattern.test(type))?.[0];
    if (!kind) {
      return [];
    }
    const isRepeated = fields.some((other, i) => i !== position && other.name === name);
    return [
      {
        position,
        name,
        label: name === '' ? '(no name)' : visible(name),
        key: name === '' || isRepeated ? `[${position}]` : name,
        sql: type === 'json' ? `CAST(${names[position]} AS VARCHAR)` : names[position],
        kind,
        isText: TEXT.test(type),
        isBinary: type !== 'json',
        isWhole: WHOLE.test(type),
        isYear: WHOLE.test(type) && YEAR_NAME.test(name),
        isDate: type.startsWith('date'),
        isZoned: /^timestamp\[\w+, /.test(type),
      },
    ];
  });
}

/**
 * The type of the values of dictionaries and runs.
 *
 * @param {string} type
 * @returns {string}
 */
function valueType(type) {
  const inner = /^dictionary<u?int\d+, (.*?)(?:, ordered)?>$/.exec(type) ?? /^run_end_encoded<[^,]*, \w+: (.*?)(?: not null)?>$/.exec(type);
  return inner ? valueType(inner[1]) : type;
}
