// Reads URLs with arrow-js and flechette and prints the values that each of them finds.
//
//   node readers.mjs folder-of-node_modules < urls.json
//
// Prints a line of JSON per URL: {"url", "arrow-js": {column: values} or an error text, "flechette": …}.
// 64-bit integers and decimals are text, decimals without their scale; bytes are {"bytes": hexadecimal};
// a map is a list of pairs.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';

const require = createRequire(resolve(process.argv[2], 'package.json'));
const arrow = require('apache-arrow');
const flechette = require('@uwdata/flechette');
const { decompress: zstd } = require('fzstd');
const lz4 = require('lz4js');

// Both libraries need an aligned array, but a codec may return a part of a larger one: hence the copies.
const codecs = {
  LZ4_FRAME: { decode: (bytes) => Uint8Array.from(lz4.decompress(bytes)) },
  ZSTD: { decode: (bytes) => zstd(bytes).slice() },
};
for (const [name, codec] of Object.entries(codecs)) {
  arrow.compressionRegistry.set(arrow.CompressionType[name], codec);
  flechette.setCompressionCodec(flechette.CompressionType[name], codec);
}

const numbers = (value) => Array.from(value, plain);
const bytes = (value) => ({ bytes: Buffer.from(value).toString('hex') });

function plain(value) {
  if (value === null || value === undefined) return null;
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (value instanceof Uint8Array) return bytes(value);
  if (ArrayBuffer.isView(value) || Array.isArray(value)) return numbers(value);
  if (typeof value === 'object') {
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, plain(item)]));
  }
  return value;
}

// Converts values for which arrow-js has classes; other values are plain JavaScript.
function ofArrow(type, value) {
  if (value === null || value === undefined) return null;
  const { DataType } = arrow;
  if (DataType.isDictionary(type)) return ofArrow(type.dictionary, value);
  if (DataType.isDecimal(type)) return String(unscaled(value));
  if (DataType.isInterval(type)) return interval(type, value);
  if (DataType.isMap(type)) {
    const [key, item] = type.children[0].type.children;
    return Array.from(value, ([k, v]) => [ofArrow(key.type, k), ofArrow(item.type, v)]);
  }
  if (DataType.isStruct(type)) {
    const members = type.children.map((field) => [field.name, ofArrow(field.type, value[field.name])]);
    return Object.fromEntries(members);
  }
  if (DataType.isUnion(type)) return plain(value);
  if (type.children?.length === 1) return Array.from(value, (item) => ofArrow(type.children[0].type, item));
  return plain(value);
}

// Decodes a little-endian two's complement in words of 32 bits.
function unscaled(words) {
  const value = words.reduceRight((sum, word) => (sum << 32n) | BigInt(word >>> 0), 0n);
  return BigInt.asIntN(32 * words.length, value);
}

function interval(type, value) {
  if (type.unit !== arrow.IntervalUnit.MONTH_DAY_NANO) return numbers(value);
  return [value[0], value[1], unscaled(value.subarray(2, 4))].map(String);
}

async function withArrow(url, content) {
  // arrow-js reads a Response batch by batch, as after a fetch.
  const source = url.endsWith('.arrows') ? new Response(content) : content;
  const table = await arrow.tableFromIPC(source);
  return table.schema.fields.map(({ name, type }, i) => [
    name,
    Array.from(table.getChildAt(i), (value) => ofArrow(type, value)),
  ]);
}

function withFlechette(url, content) {
  const options = { useBigInt: true, useDecimalInt: true };
  const table = flechette.tableFromIPC(content, options);
  return table.schema.fields.map(({ name, type }, i) => [
    name,
    Array.from(table.getChildAt(i), (value) => ofFlechette(type, value)),
  ]);
}

function ofFlechette(type, value) {
  const { Type } = flechette;
  if (value === null) return null;
  if (type.typeId === Type.Dictionary) return ofFlechette(type.dictionary, value);
  if (type.typeId === Type.Decimal || type.typeId === Type.Interval) {
    return type.typeId === Type.Decimal ? String(value) : Array.from(value, String);
  }
  return plain(value);
}

async function outcome(read, url, content) {
  try {
    return Object.fromEntries(await read(url, content));
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
}

for (const url of JSON.parse(readFileSync(0, 'utf8'))) {
  const response = await fetch(url);
  const content = new Uint8Array(await response.arrayBuffer());
  const result = { url, status: response.status };
  result['arrow-js'] = await outcome(withArrow, url, content.slice());
  result.flechette = await outcome(withFlechette, url, content);
  process.stdout.write(JSON.stringify(result) + '\n');
}
