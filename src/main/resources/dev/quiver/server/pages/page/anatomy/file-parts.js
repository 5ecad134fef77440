// The parts of a picture of a file, and what they are called.
// @ts-check

import { grouped, visible } from '../lib/elements.js';

/** @typedef {{ offset: number, length: number }} Place */

/**
 * A message with its place, and of a dictionary or record batch its fields. If it is damaged, its `problem` is a sentence.
 *
 * @typedef {object} MessageLayout
 * @property {number} offset
 * @property {number} length of the metadata and the body
 * @property {number} metaDataLength
 * @property {number} bodyLength
 * @property {string | null} [codec]
 * @property {number} [rows]
 * @property {number} [rowOffset]
 * @property {string | number} [dictionary]
 * @property {[string, string][]} [facts]
 * @property {FieldOfMessage[]} [fields]
 * @property {string} [problem]
 */

/** @typedef {Omit<import('./ipc.js').FieldLayout, 'buffers'> & { buffers: BufferOfMessage[] }} FieldOfMessage */

/**
 * A buffer: `inCodec` is the codec of its message while its own length tells whether it is compressed.
 *
 * @typedef {Place & { role: string, codec?: string | null, uncompressedLength?: number, inCodec?: string | null }} BufferOfMessage
 */

/**
 * A buffer with its field, its number among all of the message, and the padding after it.
 *
 * @typedef {BufferOfMessage & { field: FieldOfMessage, path: string, column: number, number: number, padding?: number,
 *     complete?: () => void }} PlacedBuffer
 */

const BYTES_OF_LINE = 16;
const COLORS = 6;

// Labels of several parts that are drawn as one.
/** @param {number} count */
export const DICTIONARIES = (count) => `${grouped(count)} dictionaries`;
/** @param {number} count */
export const BATCHES = (count) => `${grouped(count)} record batches`;
/** @param {number} count */
const BUFFERS = (count) => `${grouped(count)} buffers`;

/**
 * The place of a part alone.
 *
 * @param {Place} placed
 */
export const place = ({ offset, length }) => ({ offset, length });

/**
 * Adds what lies between parts and around them: the magic at both ends, and padding.
 *
 * @param {import('./file-map.js').Part[]} parts
 * @param {number} bytes
 * @param {string} [rest] what the bytes at the end are
 * @returns {import('./file-map.js').Part[]}
 */
export function filled(parts, bytes, rest = 'Magic') {
  /** @type {import('./file-map.js').Part[]} */
  const made = [];
  let end = 0;
  /** @param {number} to */
  const fill = (to) => {
    if (to > end) {
      const isEdge = end === 0 || to === bytes;
      made.push({ kind: isEdge ? 'magic' : 'padding', label: isEdge ? (end === 0 && to < bytes ? 'Magic' : rest) : 'Between messages', offset: end, length: to - end });
    }
  };
  for (const part of parts.sort((a, b) => a.offset - b.offset)) {
    fill(part.offset);
    made.push(part);
    end = Math.max(end, part.offset + part.length);
  }
  fill(bytes);
  return made;
}

/**
 * The buffers of a message with their fields, each with its `number` and the `padding` after it.
 *
 * @param {MessageLayout} found
 * @returns {PlacedBuffer[]}
 */
export function buffersOf(found) {
  /** @type {PlacedBuffer[]} */
  const buffers = [];
  for (const field of found.fields ?? []) {
    field.buffers.forEach((buffer) => buffers.push({ ...buffer, field, path: field.path, column: field.column ?? 0, number: buffers.length }));
  }
  const placed = buffers.filter(({ length }) => length > 0).sort((a, b) => a.offset - b.offset);
  const end = found.offset + found.metaDataLength + found.bodyLength;
  placed.forEach((buffer, i) => (buffer.padding = Math.max(0, (placed[i + 1]?.offset ?? end) - buffer.offset - buffer.length)));
  return buffers;
}

/**
 * The parts of a message: its metadata, its buffers and what is between them.
 *
 * @param {MessageLayout} found
 * @param {PlacedBuffer[]} buffers
 * @returns {import('./file-map.js').Part[]}
 */
export function partsOf(found, buffers) {
  const body = found.offset + found.metaDataLength;
  /** @type {import('./file-map.js').Part[]} */
  const parts = [{ kind: 'metadata', label: 'Metadata', offset: found.offset, length: found.metaDataLength }];
  let end = body;
  for (const buffer of buffers.filter(({ length }) => length > 0).sort((a, b) => a.offset - b.offset)) {
    const offset = Math.max(end, buffer.offset);
    const length = buffer.offset + buffer.length - offset;
    if (offset > end) {
      parts.push({ kind: 'padding', label: 'Padding', offset: end, length: offset - end });
    }
    if (length > 0) {
      parts.push({
        kind: `column${buffer.column % COLORS} ${buffer.role.toLowerCase()}`,
        label: `${visible(buffer.path)}, ${role(buffer)}`,
        offset,
        length,
        buffer,
        many: BUFFERS,
      });
      end = offset + length;
    }
  }
  const last = body + found.bodyLength;
  if (last > end) {
    parts.push({ kind: 'padding', label: 'Padding', offset: end, length: last - end });
  }
  return parts;
}

/**
 * The names and values of what is said about a message.
 *
 * @param {MessageLayout} found
 * @param {number} length
 */
export function facts(found, length) {
  const { rows: count = 0, rowOffset } = found;
  /** @type {[string, string][]} */
  const rows = found.rows === undefined ? [] : [['rows', grouped(count)]];
  if (rowOffset !== undefined) {
    rows[0] = ['rows', count === 0 ? '0' : `${grouped(rowOffset)} to ${grouped(rowOffset + count - 1)} (${grouped(count)})`];
  }
  if (found.dictionary !== undefined) {
    rows[0] = ['values', grouped(count)];
    rows.push(['id', String(found.dictionary)]);
  }
  rows.push(['offset', grouped(found.offset)]);
  if (found.codec !== undefined) {
    rows.push(['metadata', `${grouped(found.metaDataLength)} bytes`], ['body', `${grouped(found.bodyLength)} bytes`], ['codec', found.codec ?? 'none']);
  } else {
    rows.push(['length', `${grouped(length)} bytes`]);
  }
  for (const [name, value] of found.facts ?? []) {
    rows.push([name, visible(value)]);
  }
  return rows;
}

/**
 * The role of a buffer as text.
 *
 * @param {{ role: string }} buffer
 */
export function role(buffer) {
  return buffer.role.toLowerCase().replace('_', ' ');
}

/**
 * Bytes as lines of sixteen: their offset, and their values as hexadecimal numbers and as ASCII.
 *
 * @param {Uint8Array} bytes
 * @param {number} offset
 */
export function dump(bytes, offset) {
  const lines = [];
  const digits = String(offset + bytes.length).length;
  for (let i = 0; i < bytes.length; i += BYTES_OF_LINE) {
    const some = [...bytes.subarray(i, i + BYTES_OF_LINE)];
    const hex = some.map((each) => each.toString(16).padStart(2, '0')).join(' ');
    const text = some.map((each) => (each >= 0x20 && each < 0x7f ? String.fromCharCode(each) : '·')).join('');
    lines.push(`${String(offset + i).padStart(digits)}  ${hex.padEnd(3 * BYTES_OF_LINE - 1)}  ${text}`);
  }
  return lines.join('\n');
}
