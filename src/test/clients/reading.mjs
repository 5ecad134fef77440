// Ways to read in JavaScript, the same in Node and on a page. Each takes the libraries and a job with
// its URL, and most return the rows, batches and sum of the column `id`.

async function open(url, options) {
  const response = await fetch(url, options);
  if (!response.ok) throw new Error(`${response.status} at ${url}`);
  return response;
}

function tally(column, batches) {
  let sum = 0n;
  for (const id of column) sum += BigInt(id);
  return { rows: column.length, batches, sum: String(sum) };
}

const ofArrow = (table) => tally(table.getChild('id'), table.batches.length);
const ofFlechette = (table) => tally(table.getChild('id'), table.getChild('id').data.length);

const bytes = async (url, options) => new Uint8Array(await (await open(url, options)).arrayBuffer());

export const ways = {
  'arrow-js': async ({ arrow }, { url }) => ofArrow(await arrow.tableFromIPC(open(url))),

  flechette: async ({ flechette }, { url }) =>
    ofFlechette(flechette.tableFromIPC(await (await open(url)).arrayBuffer())),

  // The proxy holds back the rest of the response until this requests `release` after the first batch.
  'arrow-js, batch by batch': async ({ arrow }, { url, release }) => {
    const reader = await arrow.RecordBatchReader.from(open(url));
    const result = { rows: 0, batches: 0 };
    for await (const batch of reader) {
      result.batches += 1;
      result.rows += batch.numRows;
      if (result.batches === 1) await open(release);
    }
    return result;
  },

  // Runs a script that logs events until it closes their source. This requests `release` after the first.
  events: (libraries, { script, release }) =>
    new Promise((resolve) => {
      const logged = [];
      class Source extends EventSource {
        close() {
          super.close();
          resolve(logged);
        }
      }
      const log = (line) => {
        if (logged.push(line) === 1) open(release);
      };
      new Function('EventSource', 'console', script)(Source, { log });
    }),

  // Concatenates the schema, the dictionaries and one batch into a stream.
  'one batch by range': async ({ arrow, flechette }, { url, batch }) => {
    const index = await (await open(`${url}/batches`)).json();
    const { metaDataLength, bodyLength, offset: start } = index.batches[batch];
    const end = { offset: start, length: metaDataLength + bodyLength };
    const parts = [index.schema, ...index.dictionaries, end];
    const file = new URL(index.file, url);
    const result = { ranges: [] };
    const stream = [];
    for (const { offset, length } of parts) {
      const response = await open(file, { headers: { Range: `bytes=${offset}-${offset + length - 1}` } });
      result.ranges.push([response.status, response.headers.get('Content-Range')]);
      result.etag = response.headers.get('ETag');
      stream.push(new Uint8Array(await response.arrayBuffer()));
    }
    const whole = new Uint8Array(await new Blob(stream).arrayBuffer());
    result['arrow-js'] = ofArrow(arrow.tableFromIPC(whole));
    result.flechette = ofFlechette(flechette.tableFromIPC(whole));
    return result;
  },

  // Browsers send a preflight request before these.
  'ranges that need a preflight': async (_, { url }) => {
    const last = await bytes(url, { headers: { Range: 'bytes=-6' } });
    const several = await open(url, { headers: { Range: 'bytes=0-5,100-109' } });
    return {
      last: new TextDecoder().decode(last),
      several: [several.status, several.headers.get('Content-Type').split(';')[0]],
    };
  },

  // Evaluates an expression that returns a table.
  line: async ({ arrow, flechette }, { line }) => {
    const run = new Function('arrow', 'flechette', `return (async () => ${line})()`);
    return { rows: (await run(arrow, flechette)).numRows };
  },

  headers: async (_, { url, options, names }) => {
    const response = await open(url, options);
    await response.arrayBuffer();
    return Object.fromEntries(names.map((name) => [name, response.headers.get(name)]));
  },
};

export async function outcome(libraries, job) {
  try {
    return await ways[job.way](libraries, job);
  } catch (error) {
    return { error: `${error.name}: ${error.message}` };
  }
}
