// Packs the site: bundles the CSS and the glue, names every file by its content, compresses it once and for good.
// Usage: node pack.mjs OUT_DIR [GLUE_JS WASM]; without the last two, a site of style alone.
//
// OUT_DIR gets the files, a .br and a .gz beside each, and manifest.tsv, which server/build.rs reads: one line a file
// with its logical name, its hashed name, its content type and its sizes: raw, gzip, brotli.

import { build } from "esbuild";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const [outDir, gluePath, wasmPath] = process.argv.slice(2);

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
  files.push({ name: "app.wasm", type: "application/wasm", bytes: readFileSync(wasmPath) });
  const glue = await bundle({ entryPoints: [gluePath], format: "esm" });
  files.push({ name: "app.js", type: "text/javascript; charset=utf-8", bytes: glue });
}
const style = await bundle({ entryPoints: ["style/main.css"] });
files.push({ name: "app.css", type: "text/css; charset=utf-8", bytes: style });
files.push({ name: "mark.svg", type: "image/svg+xml", bytes: readFileSync("style/mark.svg") });

rmSync(outDir, { recursive: true, force: true });
mkdirSync(outDir, { recursive: true });
const manifest = files.map(({ name, type, bytes }) => {
  const hash = createHash("sha256").update(bytes).digest("hex").slice(0, 10);
  const [stem, extension] = name.split(".");
  const hashed = `${stem}.${hash}.${extension}`;
  const { br, gz } = compress(bytes);
  writeFileSync(`${outDir}/${hashed}`, bytes);
  writeFileSync(`${outDir}/${hashed}.br`, br);
  writeFileSync(`${outDir}/${hashed}.gz`, gz);
  return [name, hashed, type, bytes.length, gz.length, br.length].join("\t") + "\n";
});
// Last, because it is what says that the site is whole.
writeFileSync(`${outDir}/manifest.tsv`, manifest.join(""));
