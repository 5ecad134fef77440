// The names of types as people say them.
// @ts-check

/** @type {[RegExp, string][]} */
const PLAIN_TYPES = [
  [/^(large_)?utf8/, 'Text'],
  [/^u?int/, 'Whole number'],
  [/^(float|decimal)/, 'Number'],
  [/^bool/, 'True or false'],
  [/^date/, 'Date'],
  [/^timestamp/, 'Date and time'],
  [/^time/, 'Time'],
  [/^duration/, 'Duration'],
  [/^interval/, 'Interval'],
  [/^(large_|fixed_size_)?binary/, 'Bytes'],
  [/^(large_|fixed_size_)?list/, 'List'],
  [/^struct/, 'Record'],
  [/^map/, 'Map'],
  [/^json/, 'JSON'],
  [/^uuid/, 'UUID'],
  [/union/, 'Mixed'],
  [/^null/, 'Nothing'],
];

/**
 * The name of a type as people say it, or its exact name if it has no other.
 *
 * @param {string} arrowType
 * @returns {string}
 */
export function plainType(arrowType) {
  const [, coded] = /^(?:dictionary<\w+, |run_end_encoded<.*?values: )(.*)>$/s.exec(arrowType) ?? [];
  return coded === undefined ? (PLAIN_TYPES.find(([type]) => type.test(arrowType))?.[1] ?? arrowType) : plainType(coded);
}
