// Reads a file by the page's reader of metadata, and mutations of it: none may hang, and each failure is a sentence.
//
//   node ipc.mjs reader.mjs file mutations

import { readFileSync } from 'node:fs';

const [reader, path, count] = process.argv.slice(2);
const { Bytes, Malformed, layout, readFooter, readMessage, typeText, valuesOf, walk } = await import(reader);
const file = readFileSync(path);
const SENTENCE = /^Expected [^]+ but found [^]+ at byte \d+$/;

/** All that a footer says, and all messages. */
async function readFile(bytes) {
  const footer = await readFooter(bytes);
  const messages = [];
  for (const blocks of [footer.dictionaries, footer.batches]) {
    for (let i = 0; i < blocks.count; i++) {
      const block = blocks.at(i);
      const found = await readMessage(bytes, block);
      const fields = found.kind === 'batch' ? footer.schema.fields : [valuesOf(footer.schema.fields, found.id)].filter(Boolean);
      messages.push({ ...block, kind: found.kind, id: found.id, rows: found.rows, codec: found.codec, fields: layout(fields, found, block.offset + block.metaDataLength, block.offset) });
    }
  }
  return { footer, messages };
}

async function readStream(bytes) {
  const kinds = [];
  const end = await walk(bytes, 8, 1000, ({ kind, rows }, { offset, metaDataLength, bodyLength }) => kinds.push({ kind, rows, offset, metaDataLength, bodyLength }));
  return { kinds, ...end };
}

const blob = (bytes) => new Bytes(new Blob([bytes]));
const { footer, messages } = await readFile(blob(file));
const stream = await readStream(blob(file));
const ranges = [[footer.offset - 16, file.length], [0, 8], ...stream.kinds.map(({ offset, metaDataLength }) => [offset, offset + metaDataLength])];

// A generator of numbers by Marsaglia, so that a failure comes again.
let state = 0x9e3779b9;
const random = (limit) => {
  state ^= state << 13;
  state ^= state >>> 17;
  state ^= state << 5;
  return (state >>> 0) % limit;
};
const VALUES = [0, 1, 4, 8, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff, 0xfffffffc];

function mutated() {
  const made = Buffer.from(file);
  for (let i = 0; i <= random(3); i++) {
    const [from, to] = ranges[random(ranges.length)];
    // Lengths are at the start.
    const at = from + random(random(3) === 0 ? Math.min(16, to - from - 4) : to - from - 4);
    if (random(2) === 0) {
      made[at] = random(256);
    } else {
      made.writeUInt32LE(VALUES[random(VALUES.length)], random(2) === 0 ? at : at - (at % 4));
    }
  }
  return random(10) === 0 ? made.subarray(0, random(made.length)) : made;
}

/** Whatever was read lies in the file. */
function requireWithin({ messages: all, kinds }, length) {
  for (const each of all ?? kinds) {
    const end = each.offset + each.metaDataLength + each.bodyLength;
    const buffers = (each.fields ?? []).flatMap((field) => field.buffers);
    if (!(each.offset >= 0 && end <= length) || buffers.some((buffer) => !(buffer.offset >= each.offset && buffer.offset + buffer.length <= end))) {
      throw new Error(`${JSON.stringify(each)} lies beyond ${length} bytes`);
    }
  }
}

const seen = { read: 0, malformed: 0, sentences: new Set() };
for (let i = 0; i < Number(count); i++) {
  const bytes = mutated();
  for (const read of [readFile, readStream]) {
    try {
      requireWithin(await read(blob(bytes)), bytes.length);
      seen.read++;
    } catch (error) {
      if (!(error instanceof Malformed) || !SENTENCE.test(error.message) || error.offset > bytes.length) {
        throw error;
      }
      seen.malformed++;
      seen.sentences.add(error.message.replace(/\d+/g, '#'));
    }
  }
}
console.log(
  JSON.stringify({
    names: footer.schema.fields.map(({ name }) => name),
    types: footer.schema.fields.map(typeText),
    nullable: footer.schema.fields.map(({ nullable }) => nullable),
    messages,
    stream: stream.kinds,
    ended: stream.ended,
    read: seen.read,
    malformed: seen.malformed,
    sentences: seen.sentences.size,
  }),
);
