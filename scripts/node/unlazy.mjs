// Empties the functions that only Leptos' lazy hydration runs. Usage: node unlazy.mjs OUT_DIR IN_WASM…
//
// Leptos compiles the hydration of every view twice, as `hydrate` and as `hydrate_async`. The second is entered from
// `hydrate_lazy` alone, which Acuse does not call, but it stands in the table of every type-erased view, so no
// optimiser may drop it: a fifth of the whole. The names tell it apart: scripts/env keeps the compiler from merging
// equal functions, so that a name stands for nothing but its own function.

import binaryen from "binaryen";
import { readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";

const [outDir, ...inputs] = process.argv.slice(2);
// The functions themselves, and the dropping of what they hold: neither is named without the other's name in it.
const LAZY = /hydrate_async/;

let emptied = 0;
for (const input of inputs) {
  const module = binaryen.readBinary(readFileSync(input));
  for (let i = 0; i < module.getNumFunctions(); i++) {
    const fn = module.getFunctionByIndex(i);
    const { name, module: importedFrom } = binaryen.getFunctionInfo(fn);
    if (importedFrom || !LAZY.test(name)) continue;
    binaryen.Function.setBody(fn, module.unreachable());
    emptied += 1;
  }
  writeFileSync(join(outDir, basename(input)), module.emitBinary());
  module.dispose();
}
console.log(`emptied ${emptied} functions of lazy hydration`);
if (emptied === 0) {
  console.error("error: none found; does Leptos still have it, and does the wasm have its names?");
  process.exit(1);
}
