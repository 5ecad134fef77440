// Uploads a file with tus-js-client: node tus.mjs URL FILE PROTOCOL. Prints the responses that differ.
import fs from "node:fs";
import { createRequire } from "node:module";

const tus = createRequire(process.env.NODE_MODULES + "/")("tus-js-client");
const [url, file, protocol] = process.argv.slice(2);
const counts = {};

const upload = new tus.Upload(fs.createReadStream(file), {
  endpoint: url,
  protocol,
  retryDelays: Array(200).fill(300),
  storeFingerprintForResuming: false,
  onAfterResponse: (request, response) => {
    const seen = `${request.getMethod()} ${response.getStatus()}`;
    counts[seen] = (counts[seen] ?? 0) + 1;
  },
  onError: (error) => {
    console.error(String(error), JSON.stringify(counts));
    process.exit(1);
  },
  onSuccess: () => console.log(JSON.stringify(counts)),
});
upload.start();
