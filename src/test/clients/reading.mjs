// The ways in which JavaScript reads, the same in Node and on a page. Each takes the libraries, a URL
// and the rest of the job, and tells what it found of the column `id`.

async function open(url, options) {
  const answer = await fetch(url, options);
  if (!answer.ok) throw new Error(`${answer.status} of ${url}`);
  return answer;
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

  // The rest of the answer is held back until this says that it has the first batch.
  'arrow-js, batch by batch': async ({ arrow }, { url, release }) => {
    const reader = await arrow.RecordBatchReader.from(open(url));
    const told = { rows: 0, batches: 0 };
    for await (const batch of reader) {
      told.batches += 1;
      told.rows += batch.numRows;
      if (told.batches === 1) await open(release);
    }
    return told;
  },

  // The schema, the dictionaries and one batch, put together.
  'one batch by range': async ({ arrow, flechette }, { url, batch }) => {
    const index = await (await open(`${url}/batches`)).json();
    const wanted = index.batches[batch];
    const length = wanted.metaDataLength + wanted.bodyLength;
    const parts = [index.schema, ...index.dictionaries, { offset: wanted.offset, length }];
    const file = new URL(index.file, url);
    const told = { ranges: [] };
    const stream = [];
    for (const { offset, length } of parts) {
      const answer = await open(file, { headers: { Range: `bytes=${offset}-${offset + length - 1}` } });
      told.ranges.push([answer.status, answer.headers.get('Content-Range')]);
      told.etag = answer.headers.get('ETag');
      stream.push(new Uint8Array(await answer.arrayBuffer()));
    }
    const whole = new Uint8Array(await new Blob(stream).arrayBuffer());
    told['arrow-js'] = ofArrow(arrow.tableFromIPC(whole));
    told.flechette = ofFlechette(flechette.tableFromIPC(whole));
    return told;
  },

  // No browser sends these without asking first.
  'ranges that need a preflight': async (_, { url }) => {
    const last = await bytes(url, { headers: { Range: 'bytes=-6' } });
    const several = await open(url, { headers: { Range: 'bytes=0-5,100-109' } });
    return {
      last: new TextDecoder().decode(last),
      several: [several.status, several.headers.get('Content-Type').split(';')[0]],
    };
  },

  // An expression that gives a table.
  line: async ({ arrow, flechette }, { line }) => {
    const run = new Function('arrow', 'flechette', `return (async () => ${line})()`);
    return { rows: (await run(arrow, flechette)).numRows };
  },

  headers: async (_, { url, options, names }) => {
    const answer = await open(url, options);
    await answer.arrayBuffer();
    return Object.fromEntries(names.map((name) => [name, answer.headers.get(name)]));
  },
};

export async function outcome(libraries, job) {
  try {
    return await ways[job.way](libraries, job);
  } catch (error) {
    return { error: `${error.name}: ${error.message}` };
  }
}
