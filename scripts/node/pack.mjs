// Packs the site: bundles the CSS and the glue, names every file by its content, compresses it once and for good.
// Usage: node pack.mjs OUT_DIR [GLUE_JS WASM…]; without the last two, a site of style alone.
//
// OUT_DIR gets the files, a .br and a .gz beside each, and manifest.tsv, which server/build.rs reads: one line a file
// with its logical name, its hashed name, its content type and its sizes: raw, gzip, brotli.

import { build } from "esbuild";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const [outDir, gluePath, ...wasmPaths] = process.argv.slice(2);

/** Bundles and minifies; esbuild throws on what it cannot resolve. */
async function bundle(entry) {
  const result = await build({
    ...entry,
    bundle: true,
    charset: "utf8",
    legalComments: "none",
    logLevel: "warning",
    // The glue names the one module of the chunks for each function of it.
    logOverride: { "duplicate-object-key": "silent" },
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

/** The name under which it is served. */
function hashed({ name, bytes }) {
  const hash = createHash("sha256").update(bytes).digest("hex").slice(0, 10);
  const [stem, extension] = name.split(".");
  return `${stem}.${hash}.${extension}`;
}

const files = [];
if (gluePath) {
  for (const path of wasmPaths) {
    files.push({ name: basename(path), type: "application/wasm", bytes: readFileSync(path) });
  }
  let glue = (await bundle({ entryPoints: [gluePath], format: "esm" })).toString();
  // The glue asks for the chunks by the names that they have here.
  for (const file of files.filter(({ name }) => name !== "app.wasm")) {
    const named = glue.replaceAll(`./${file.name}`, `./${hashed(file)}`);
    if (named === glue) throw new Error(`the glue does not load ${file.name}`);
    glue = named;
  }
  files.push({ name: "app.js", type: "text/javascript; charset=utf-8", bytes: Buffer.from(glue) });
}
const style = await bundle({ entryPoints: ["style/main.css"] });
files.push({ name: "app.css", type: "text/css; charset=utf-8", bytes: style });
files.push({ name: "mark.svg", type: "image/svg+xml", bytes: readFileSync("style/mark.svg") });

rmSync(outDir, { recursive: true, force: true });
mkdirSync(outDir, { recursive: true });
const manifest = files.map(({ name, type, bytes }) => {
  const file = hashed({ name, bytes });
  const { br, gz } = compress(bytes);
  writeFileSync(`${outDir}/${file}`, bytes);
  writeFileSync(`${outDir}/${file}.br`, br);
  writeFileSync(`${outDir}/${file}.gz`, gz);
  return [name, file, type, bytes.length, gz.length, br.length].join("\t") + "\n";
});
// Last, because it is what says that the site is whole.
writeFileSync(`${outDir}/manifest.tsv`, manifest.join(""));
