// The columns, types and first rows that a local file has once it is stored: the service reads a sample, and stores nothing.
// @ts-check

import { Bytes, Malformed, formatOf, message, typeText } from '../anatomy/ipc.js';
import { LocalFile } from '../anatomy/local-file.js';
import { cell, tableOf } from '../grid/arrow-values.js';
import { byteSize, groupedDigits, visible } from '../lib/elements.js';
import { Problem, base, send, transferred } from '../lib/requests.js';

/** @typedef {import('../grid/arrow-values.js').CellText} CellText */
/** @typedef {{ name: string, suffix?: RegExp, type: string, isText: boolean }} Format */

/**
 * A parameter by which a file is read.
 *
 * @typedef {{ option: string, value: string, column?: string }} FileOption
 */

/**
 * The columns and first rows that a file will have once it is stored.
 *
 * @typedef {object} Preview
 * @property {string} format its name
 * @property {{ name: string, type: string, nullable: boolean }[]} columns
 * @property {CellText[][]} rows
 * @property {boolean} isSample whether the types were inferred from the start of the file alone
 * @property {FileOption[]} read the parameters by which it is read
 * @property {FileOption[]} options those that would read it in another way
 * @property {Record<string, any>} found what was found rather than stated
 * @property {string[]} warnings
 */

const SAMPLE_BYTES = 1 << 20;
/** The most that is sent of a workbook, a Parquet file or an archive, and of the first batch of an Arrow file. */
const MOST_BYTES = 64 << 20;
const ROWS = 20;
const STREAM = 'application/vnd.apache.arrow.stream';

/** @type {Format[]} */
const FORMATS = [
  { name: 'CSV', suffix: /\.csv$/i, type: 'text/csv', isText: true },
  { name: 'TSV', suffix: /\.(tsv|tab)$/i, type: 'text/tab-separated-values', isText: true },
  { name: 'JSON lines', suffix: /\.(jsonl|ndjson)$/i, type: 'application/x-ndjson', isText: true },
  // The type application/json is one that tools send for any bytes.
  { name: 'JSON', suffix: /\.json$/i, type: 'text/json', isText: true },
  { name: 'Excel', suffix: /\.xls[xm]$/i, type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', isText: false },
  { name: 'Parquet', suffix: /\.(parquet|pq)$/i, type: 'application/vnd.apache.parquet', isText: false },
];
/** The suffixes of codings around a file. A file in an archive has a name of its own. */
const CODING = /\.(gz|zst|zip)$/i;
const CODED_ARROW = /\.(arrows?|feather|ipc)\.(gz|zst|zip)$/i;
const ARCHIVE = /\.zip$/i;
/** Spreadsheets, which can be saved as workbooks of Excel. */
const SHEET = /^\.(xls|xlsb|ods|numbers)$/i;
const END_OF_STREAM = new Uint8Array([0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0]);
const NUMBER = /^(u?int|float|decimal)/;

/** A file that an upload reads, and a preview does not. */
export class NoPreview extends Error {}

/**
 * Reads a sample of a file.
 *
 * @param {File} file a File of any format that uploads have
 * @param {object} [options]
 * @param {URLSearchParams} [options.parameters] by which it is read
 * @param {AbortSignal} [options.signal] ends the request
 * @returns {Promise<Preview>}
 * @throws Problem of the service, or of a file whose format has no preview
 */
export async function preview(file, { parameters = new URLSearchParams(), signal } = {}) {
  const found = await formatOf(new Bytes(file));
  return found === 'file' || found === 'stream' ? arrow(file, signal) : inspected(file, formatNamed(file.name, found), parameters, signal);
}

/**
 * Lets the service tell what it would read.
 *
 * @param {File} file
 * @param {Format} format
 * @param {URLSearchParams} parameters
 * @param {AbortSignal | undefined} signal
 * @returns {Promise<Preview>}
 */
async function inspected(file, format, parameters, signal) {
  const isSample = format.isText && !ARCHIVE.test(file.name) && file.size > SAMPLE_BYTES;
  if (!isSample) {
    requireFew(file.size, format.name);
  }
  const query = new URLSearchParams([...(isSample ? [['truncated', 'accept']] : []), ...parameters]);
  const response = await send(`${base}/inspect?${query}`, {
    method: 'POST',
    body: isSample ? file.slice(0, SAMPLE_BYTES) : file,
    headers: { 'Content-Type': format.type },
    signal,
  });
  const { columns, rows, read, options, found, warnings } = await transferred(response.json());
  if (!columns) {
    throw new NoPreview('The file has Arrow data, which is read when it is uploaded.');
  }
  return {
    format: format.name,
    columns: columns.map((/** @type {any} */ column) => ({ ...column, nullable: true })),
    rows: rows.map((/** @type {(string | null)[]} */ row) => row.map((text, i) => cellOf(text, columns[i].type))),
    isSample,
    read,
    options,
    found,
    warnings,
  };
}

/**
 * A value as a cell of a grid.
 *
 * @param {string | null} text
 * @param {string} type
 * @returns {CellText}
 */
function cellOf(text, type) {
  if (text === null) {
    return { text: 'null', kind: 'null' };
  }
  if (text === '') {
    return { text: 'empty', kind: 'empty' };
  }
  return NUMBER.test(type) ? { text: groupedDigits(visible(text)), kind: 'number' } : { text: visible(text), kind: 'text' };
}

/**
 * The first batch of an Arrow file, which describes itself.
 *
 * @param {File} file
 * @param {AbortSignal | undefined} signal
 * @returns {Promise<Preview>}
 */
async function arrow(file, signal) {
  const response = await send(`${base}/convert?codec=none&dictionaries=used&limit=${ROWS}`, {
    method: 'POST',
    body: await firstBatch(file),
    headers: { 'Content-Type': STREAM, Accept: STREAM },
    signal,
  });
  const bytes = new Uint8Array(await transferred(response.arrayBuffer()));
  const columns = columnsOf(bytes);
  return { format: 'Arrow', columns, rows: rowsOf(bytes, columns.length), isSample: false, read: [], options: [], found: {}, warnings: [] };
}

/**
 * The format of a file that is not Arrow data.
 *
 * @param {string} name
 * @param {string | null} [found] that which its bytes tell
 * @returns {Format}
 */
export function formatNamed(name, found = null) {
  const named = FORMATS.find(({ suffix }) => suffix?.test(name.replace(CODING, '')));
  if (CODED_ARROW.test(name)) {
    throw new NoPreview('Compressed Arrow data is read when it is uploaded.');
  }
  const format = found === 'parquet' ? FORMATS.at(-1) : (named ?? (ARCHIVE.test(name) ? { name: 'ZIP archive', type: 'application/octet-stream', isText: true } : undefined));
  if (!format) {
    throw new Problem(0, { detail: refused(name) });
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
 * @param {number} size
 * @param {string} name
 */
function requireFew(size, name) {
  if (size > MOST_BYTES) {
    throw new NoPreview(`More than ${byteSize(MOST_BYTES)} of ${name} are only read when the file is uploaded.`);
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
