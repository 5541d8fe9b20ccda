// A panic in the server fails the run, although the tests may not have noticed it.

import { readFileSync } from "node:fs";

export default function teardown() {
  const log = readFileSync(`${process.env.ACUSE_E2E_DIR}/server.log`, "utf8");
  const panics = log.split("\n").filter((line) => line.includes("panicked at"));
  if (panics.length > 0) throw new Error(`the server panicked:\n${panics.join("\n")}`);
}
