// Runs SQL in ClickHouse within this process (chDB), one job per line.

import readline from "node:readline";
import { createRequire } from "node:module";
import { resolve } from "node:path";

const chdb = createRequire(resolve(process.argv[2], "package.json"))("chdb");

for await (const line of readline.createInterface({ input: process.stdin })) {
  const { query } = JSON.parse(line);
  let result;
  try {
    const output = chdb.query(query, "JSONCompactStringsEachRow");
    result = { rows: String(output).split("\n").filter(Boolean).map((row) => JSON.parse(row)) };
  } catch (error) {
    result = { error: String(error) };
  }
  console.log(JSON.stringify(result));
}
