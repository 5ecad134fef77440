// Uploads a file by tus-js-client. Prints how many responses of which kind it got.
//
//   node tus.mjs folder-of-node_modules URL file protocol

import { createReadStream } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';

const [modules, url, file, protocol] = process.argv.slice(2);
const tus = createRequire(resolve(modules, 'package.json'))('tus-js-client');
const counts = {};

const upload = new tus.Upload(createReadStream(file), {
  endpoint: url,
  protocol,
  retryDelays: Array(200).fill(300),
  storeFingerprintForResuming: false,
  onAfterResponse(request, response) {
    const seen = `${request.getMethod()} ${response.getStatus()}`;
    counts[seen] = (counts[seen] ?? 0) + 1;
  },
  onError(error) {
    console.error(String(error), JSON.stringify(counts));
    process.exit(1);
  },
  onSuccess: () => console.log(JSON.stringify(counts)),
});
upload.start();
