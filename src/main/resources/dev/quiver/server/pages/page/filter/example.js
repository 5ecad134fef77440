// An example of what to write in the filter.
// @ts-check

/**
 * A condition as an example, on a column of the data: the first one of numbers, of times, or of text.
 *
 * @param {import('../sql/conditions.js').SchemaField[]} fields
 */
export function exampleOf(fields) {
  /** @param {RegExp} type */
  const name = (type) => fields.find((field) => field.name !== '' && field.name.length < 25 && type.test(field.arrowType))?.name;
  // A keyword gets its quotes when it is sent.
  /** @param {string} found */
  const spelled = (found) => (/^[a-z_]\w*$/i.test(found) ? found : `"${found.replaceAll('"', '""')}"`);
  const [number, time, text] = [name(/^(u?int|float|decimal)/), name(/^(date|timestamp)/), name(/utf8/)];
  return number ? `${spelled(number)} > 100` : time ? `${spelled(time)} >= '2026-01-31'` : text ? `${spelled(text)} = 'a'` : 'a filter';
}
