// Arrow types as the service names them, for columns that have no schema document.
// @ts-check

import { Type } from './arrow-values.js';

const UNITS = ['s', 'ms', 'us', 'ns'];
const FLOATS = ['float16', 'float32', 'float64'];
const INTERVALS = ['year_month', 'day_time', 'month_day_nano'];

/** @type {Map<number | null, string>} */
const PLAIN = new Map([
  [Type.Null, 'null'],
  [Type.Binary, 'binary'],
  [Type.Utf8, 'utf8'],
  [Type.Bool, 'bool'],
  [Type.LargeBinary, 'large_binary'],
  [Type.LargeUtf8, 'large_utf8'],
  [Type.BinaryView, 'binary_view'],
  [Type.Utf8View, 'utf8_view'],
  [Type.List, 'list'],
  [Type.LargeList, 'large_list'],
  [Type.ListView, 'list_view'],
  [Type.LargeListView, 'large_list_view'],
  [Type.Struct, 'struct'],
  [Type.RunEndEncoded, 'run_end_encoded'],
]);

/**
 * The type of a field, such as `list<item: int64>`.
 *
 * @param {import('./arrow-values.js').ValueType} type
 * @returns {string}
 */
export function describeType(type) {
  if (type.typeId === Type.Dictionary) {
    const { indices, dictionary, ordered } = type;
    return `dictionary<${describeType(indices)}, ${describeType(dictionary)}${ordered ? ', ordered' : ''}>`;
  }
  const children = type.children?.length > 0 ? `<${type.children.map(describeField).join(', ')}>` : '';
  return nameOf(type) + children;
}

/** @param {import('./arrow-values.js').ValueField} field */
function describeField({ name, type, nullable }) {
  return `${name}: ${describeType(type)}${nullable ? '' : ' not null'}`;
}

/**
 * @param {import('./arrow-values.js').ValueType} type
 * @returns {string}
 */
function nameOf(type) {
  if (type.extension) {
    return type.extension;
  }
  switch (type.typeId) {
    case Type.Int:
      return `${type.signed ? '' : 'u'}int${type.bitWidth}`;
    case Type.Float:
      return FLOATS[type.precision];
    case Type.Decimal:
      return `decimal${type.bitWidth}(${type.precision}, ${type.scale})`;
    case Type.Date:
      return type.unit === 0 ? 'date32[day]' : 'date64[ms]';
    case Type.Time:
      return `time${type.bitWidth}[${UNITS[type.unit]}]`;
    case Type.Timestamp:
      return type.timezone ? `timestamp[${UNITS[type.unit]}, ${type.timezone}]` : `timestamp[${UNITS[type.unit]}]`;
    case Type.Duration:
      return `duration[${UNITS[type.unit]}]`;
    case Type.Interval:
      return `interval[${INTERVALS[type.unit]}]`;
    case Type.FixedSizeBinary:
      return `fixed_size_binary[${type.stride}]`;
    case Type.FixedSizeList:
      return `fixed_size_list[${type.stride}]`;
    case Type.Map:
      return type.keysSorted ? 'map[keys sorted]' : 'map';
    case Type.Union:
      return type.mode === 0 ? 'sparse_union' : 'dense_union';
    default:
      return PLAIN.get(type.typeId) ?? 'unknown';
  }
}
