// Reads the metadata of files and streams by the reader of the pages, one path per line: what the schema says, and each message
// with the layout of its fields.
//
//   node metadata.mjs reader.js < paths

import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const { Bytes, formatOf, layout, readFooter, readMessage, valuesOf, walk } = await import(pathToFileURL(process.argv[2]));

/** A message with the fields of its layout. */
function described(schema, found, block) {
  const fields = found.kind === 'batch' ? schema.fields : [valuesOf(schema.fields, found.id)];
  const nodes = layout(fields, found, block.offset + block.metaDataLength, block.offset);
  return { kind: found.kind, id: found.id, rows: found.rows, codec: found.codec, ...block, nodes };
}

async function read(path) {
  const bytes = new Bytes(new Blob([readFileSync(path)]));
  const format = await formatOf(bytes);
  const messages = [];
  let schema = null;
  if (format === 'file') {
    const footer = await readFooter(bytes);
    ({ schema } = footer);
    for (const blocks of [footer.dictionaries, footer.batches]) {
      for (let i = 0; i < blocks.count; i++) {
        messages.push(described(schema, await readMessage(bytes, blocks.at(i)), blocks.at(i)));
      }
    }
    return { format, schema, messages, findings: footer.findings.length };
  }
  const { ended } = await walk(bytes, 0, Infinity, (found, block) => {
    if (found.kind === 'schema') {
      ({ schema } = found);
    } else {
      messages.push(described(schema, found, block));
    }
  });
  return { format, schema, messages, ended };
}

for await (const path of createInterface({ input: process.stdin })) {
  console.log(JSON.stringify(await read(path)));
}
