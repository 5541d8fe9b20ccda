// Packs the site: bundles the CSS and the glue, names every file by its content, compresses it once and for good.
// Usage: node pack.mjs OUT_DIR [GLUE_JS WASM BUDGET_FILE]; without the last three, a site of style alone.
//
// OUT_DIR gets the files, a .br and a .gz beside each, and manifest.tsv, which server/build.rs reads: one line a file
// with its logical name, its hashed name and its content type. Fails when the site has outgrown its budgets.

import { build } from "esbuild";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const [outDir, gluePath, wasmPath, budgetPath] = process.argv.slice(2);
// What a browser loads for its first page, compressed with brotli.
const FIRST_LOAD_BUDGET = 300_000;
const GROWTH_ALLOWED = 1.03;

/** Bundles and minifies; esbuild throws on what it cannot resolve. */
async function bundle(entry) {
  const result = await build({
    ...entry,
    bundle: true,
    charset: "utf8",
    legalComments: "none",
    logLevel: "warning",
    minify: true,
    target: "esnext",
    write: false,
  });
  return Buffer.from(result.outputFiles[0].contents);
}

function compress(bytes) {
  const br = brotliCompressSync(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  });
  return { br, gz: gzipSync(bytes, { level: 9 }) };
}

const files = [];
if (wasmPath) {
  const glue = await bundle({ entryPoints: [gluePath], format: "esm" });
  files.push({ name: "app.wasm", type: "application/wasm", bytes: readFileSync(wasmPath), firstLoad: true });
  files.push({ name: "app.js", type: "text/javascript; charset=utf-8", bytes: glue, firstLoad: true });
}
files.push({ name: "app.css", type: "text/css; charset=utf-8", bytes: await bundle({ entryPoints: ["style/main.css"] }), firstLoad: true });
files.push({ name: "mark.svg", type: "image/svg+xml", bytes: readFileSync("style/mark.svg"), firstLoad: false });

rmSync(outDir, { recursive: true, force: true });
mkdirSync(outDir, { recursive: true });
const row = (...cells) => console.log(cells.map((c, i) => (i ? String(c).padStart(10) : c.padEnd(28))).join(""));
row("file", "raw", "gzip", "brotli");
let firstLoad = 0;
for (const file of files) {
  const hash = createHash("sha256").update(file.bytes).digest("hex").slice(0, 10);
  const [stem, extension] = file.name.split(".");
  file.hashed = `${stem}.${hash}.${extension}`;
  const { br, gz } = compress(file.bytes);
  writeFileSync(`${outDir}/${file.hashed}`, file.bytes);
  writeFileSync(`${outDir}/${file.hashed}.br`, br);
  writeFileSync(`${outDir}/${file.hashed}.gz`, gz);
  row(file.hashed, file.bytes.length, gz.length, br.length);
  if (file.firstLoad) firstLoad += br.length;
}

row("first load", "", "", firstLoad);

if (wasmPath) {
  const wasm = files[0].bytes.length;
  const budget = Number(readFileSync(budgetPath, "utf8"));
  const change = ((wasm / budget - 1) * 100).toFixed(1);
  console.log(`wasm: ${wasm} bytes raw, ${change} % from the ${budget} in ${budgetPath}`);
  if (wasm > budget * GROWTH_ALLOWED) {
    console.error(`error: the wasm grew by more than 3 %: find out why, or record ${wasm} in ${budgetPath}`);
    process.exit(1);
  }
}
if (firstLoad > FIRST_LOAD_BUDGET) {
  console.error(`error: a first page loads ${firstLoad} bytes, ${FIRST_LOAD_BUDGET} are allowed`);
  process.exit(1);
}
// Last, because it is what says that the site is whole.
writeFileSync(`${outDir}/manifest.tsv`, files.map((f) => `${f.name}\t${f.hashed}\t${f.type}\n`).join(""));
