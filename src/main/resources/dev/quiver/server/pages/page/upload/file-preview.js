// The columns, types and first rows that a local file has once it is stored: the service reads a sample, and stores nothing.
// @ts-check

import { Bytes, Malformed, formatOf, message, typeText } from '../anatomy/ipc.js';
import { LocalFile } from '../anatomy/local-file.js';
import { cell, tableOf } from '../grid/arrow-values.js';
import { visible } from '../lib/elements.js';
import { Problem, base, send } from '../lib/requests.js';

/** @typedef {{ name: string, suffix?: RegExp, type: string, cut: ((bytes: Uint8Array) => Uint8Array | null) | null }} Format */

/**
 * The columns and first rows that a file will have once it is stored.
 *
 * @typedef {object} Preview
 * @property {string} format its name
 * @property {{ name: string, type: string, nullable: boolean }[]} columns
 * @property {import('../grid/arrow-values.js').CellText[][]} rows
 * @property {boolean} isSample whether the types were inferred from the start of the file alone
 */

const SAMPLE_BYTES = 1 << 20;
/** The most that is sent of a workbook or a Parquet file, which begin to make sense at their end, and of the first batch of an Arrow file. */
const MOST_BYTES = 64 << 20;
const ROWS = 20;
const STREAM = 'application/vnd.apache.arrow.stream';
const NEWLINE = 0x0a;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** @type {Format[]} */
const FORMATS = [
  { name: 'CSV', suffix: /\.csv$/i, type: 'text/csv', cut: cutRows },
  { name: 'TSV', suffix: /\.(tsv|tab)$/i, type: 'text/tab-separated-values', cut: cutLines },
  { name: 'JSON lines', suffix: /\.(jsonl|ndjson)$/i, type: 'application/x-ndjson', cut: cutLines },
  { name: 'JSON', suffix: /\.json$/i, type: 'application/json', cut: cutArray },
  { name: 'Excel', suffix: /\.xlsx$/i, type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', cut: null },
  { name: 'Parquet', suffix: /\.(parquet|pq)$/i, type: 'application/vnd.apache.parquet', cut: null },
];
/** The suffixes of codings around a file. A file in an archive has a name of its own. */
const CODING = /\.(gz|zst|zip)$/i;
/** @type {Format} */
const ARCHIVE = { name: 'ZIP archive', type: 'application/octet-stream', cut: null };
/** Spreadsheets, which can be saved as workbooks of Excel. */
const SHEET = /^\.(xls|xlsb|xlsm|ods|numbers)$/i;
/** @type {Format} */
const ARROW = { name: 'Arrow', type: STREAM, cut: null };
const END_OF_STREAM = new Uint8Array([0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0]);

/**
 * Reads a sample of a file.
 *
 * @param {File} file a File of any format that uploads have
 * @param {object} [options]
 * @param {AbortSignal} [options.signal] ends the request
 * @returns {Promise<Preview>}
 * @throws Problem of the service, or of a file whose format has no preview
 */
export async function preview(file, { signal } = {}) {
  const decoded = await decodedStart(file);
  const format = await find(decoded);
  const { body, isSample } = CODING.test(decoded.name) ? whole(decoded, format) : await sample(decoded, format);
  const response = await send(`${base}/convert?codec=none&dictionaries=used&limit=${ROWS}`, {
    method: 'POST',
    body: /** @type {BodyInit} */ (body),
    headers: { 'Content-Type': format.type, Accept: STREAM },
    signal,
  });
  const bytes = new Uint8Array(await response.arrayBuffer());
  const columns = columnsOf(bytes);
  return { format: format.name, columns, rows: rowsOf(bytes, columns.length), isSample };
}

/**
 * The start of a file of gzip without its coding, a little more than a sample; or another file itself.
 *
 * @param {File} file
 */
async function decodedStart(file) {
  if (!/\.gz$/i.test(file.name) || !('DecompressionStream' in globalThis)) {
    return file;
  }
  const reader = file.stream().pipeThrough(new DecompressionStream('gzip')).getReader();
  const parts = [];
  let size = 0;
  while (size <= SAMPLE_BYTES) {
    const { value, done } = await reader.read();
    if (done) {
      break;
    }
    parts.push(value);
    size += value.length;
  }
  await reader.cancel();
  return new File(parts, file.name.replace(CODING, ''));
}

/**
 * All bytes of a file with a coding, which the service decodes.
 *
 * @param {File} file
 * @param {Format} format
 */
function whole(file, format) {
  requireFew(file.size, format.name);
  return { body: file, isSample: false };
}

/**
 * @param {File} file
 * @returns {Promise<Format>}
 */
async function find(file) {
  const found = await formatOf(new Bytes(file));
  if (found === 'file' || found === 'stream') {
    return ARROW;
  }
  const name = file.name.replace(CODING, '');
  const named = FORMATS.find(({ suffix }) => suffix?.test(name));
  const format = found === 'parquet' ? FORMATS.at(-1) : (named ?? (/\.zip$/i.test(file.name) ? ARCHIVE : undefined));
  if (!format) {
    throw new Problem(0, { detail: refused(file.name) });
  }
  return format;
}

/**
 * Why a file is not read, and what helps.
 *
 * @param {string} name
 */
function refused(name) {
  const suffix = /\.[^.]*$/.exec(name)?.[0] ?? '';
  const known = 'Quiver reads CSV, TSV, JSON, JSON lines, Excel, Parquet and Arrow files';
  if (SHEET.test(suffix)) {
    return `${known}. Save the sheet as .xlsx first.`;
  }
  return suffix === '' ? `${known}, which it knows by the end of their names.` : `${known}, and not ${visible(suffix)}.`;
}

/**
 * The bytes that are sent: all, or the start of the file up to the end of a row.
 *
 * @param {File} file
 * @param {Format} format
 */
async function sample(file, format) {
  if (format === ARROW) {
    return { body: await firstBatch(file), isSample: false };
  }
  const { name, cut } = format;
  if (file.size <= SAMPLE_BYTES) {
    return { body: file, isSample: false };
  }
  if (!cut) {
    requireFew(file.size, name);
    return { body: file, isSample: false };
  }
  const bytes = new Uint8Array(await file.slice(0, SAMPLE_BYTES).arrayBuffer());
  const body = cut(bytes);
  if (!body) {
    throw new Problem(0, { detail: `Expected a row of at most ${SAMPLE_BYTES} bytes but found a longer one at byte 0` });
  }
  return { body, isSample: true };
}

/**
 * @param {number} size
 * @param {string} name
 */
function requireFew(size, name) {
  if (size > MOST_BYTES) {
    throw new Problem(0, { detail: `Expected at most ${MOST_BYTES} bytes of ${name} for a preview but found ${size} at the file` });
  }
}

/**
 * The schema, the dictionaries and the first batch of Arrow data as a stream.
 *
 * @param {File} file
 */
async function firstBatch(file) {
  const local = await LocalFile.open(file);
  if (!local.schema) {
    throw new Malformed('a schema', 'none', 0);
  }
  const [batch] = await local.extents(0, 1);
  // A dictionary of a stream that is replaced later is not that of the first batch.
  const dictionaries = local.footer ? local.dictionaries : local.dictionaries.filter(({ offset }) => offset < (batch?.offset ?? Infinity));
  const messages = [local.schema, ...dictionaries, ...(batch ? [batch] : [])];
  requireFew(messages.reduce((sum, { length }) => sum + length, 0), 'the first batch');
  return new Blob([...messages.map(({ offset, length }) => file.slice(offset, offset + length)), END_OF_STREAM]);
}

/**
 * Cuts after the last line break that is not within quotes.
 *
 * @param {Uint8Array} bytes
 */
function cutRows(bytes) {
  // In UTF-16 of little-endian order, another byte belongs to the line break.
  const after = bytes[0] === 0xff && bytes[1] === 0xfe ? 2 : 1;
  let end = 0;
  let isQuoted = false;
  for (let i = 0; i < bytes.length; i++) {
    if (bytes[i] === QUOTE) {
      isQuoted = !isQuoted;
    } else if (bytes[i] === NEWLINE && !isQuoted) {
      end = i + after;
    }
  }
  return end === 0 ? null : bytes.subarray(0, end);
}

/** @param {Uint8Array} bytes */
function cutLines(bytes) {
  const end = bytes.lastIndexOf(NEWLINE) + 1;
  return end === 0 ? null : bytes.subarray(0, end);
}

/**
 * Cuts after the last whole element of an array, and closes it. Without an array, these are lines.
 *
 * @param {Uint8Array} bytes
 */
function cutArray(bytes) {
  const [open, close] = ['[', ']'].map((character) => character.charCodeAt(0));
  if (bytes[bytes.findIndex((byte) => byte > 0x20)] !== open) {
    return cutLines(bytes);
  }
  let depth = 0;
  let isText = false;
  let end = 0;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i];
    if (isText) {
      if (byte === BACKSLASH) {
        i++;
      } else if (byte === QUOTE) {
        isText = false;
      }
    } else if (byte === QUOTE) {
      isText = true;
    } else if (byte === open || byte === 0x7b) {
      depth++;
    } else if (byte === close || byte === 0x7d) {
      depth--;
      end = depth === 1 ? i + 1 : end;
    }
  }
  if (end === 0) {
    return null;
  }
  const made = new Uint8Array(end + 1);
  made.set(bytes.subarray(0, end));
  made[end] = close;
  return made;
}

/**
 * The columns of a stream, from its schema.
 *
 * @param {Uint8Array} bytes
 */
function columnsOf(bytes) {
  const length = new DataView(bytes.buffer, bytes.byteOffset).getInt32(4, true);
  const { schema } = message(bytes.subarray(8, 8 + length), 8);
  return (schema?.fields ?? []).map((field) => ({ name: field.name, type: typeText(field), nullable: field.nullable }));
}

/**
 * @param {Uint8Array} bytes
 * @param {number} count
 */
function rowsOf(bytes, count) {
  const table = tableOf(bytes);
  const columns = Array.from({ length: count }, (_, i) => table.getChildAt(i));
  return Array.from({ length: table.numRows }, (_, row) => columns.map((column) => cell(column.at(row), column.type)));
}
