// Empties the functions that only Leptos' lazy hydration runs. Usage: node unlazy.mjs IN_WASM OUT_WASM
//
// Leptos compiles the hydration of every view twice, as `hydrate` and as `hydrate_async`. The second is entered from
// `hydrate_lazy` alone, which Acuse does not call, but it stands in the table of every type-erased view, so no
// optimiser may drop it: a sixth of the whole. Only the bodies of the asynchronous functions themselves are emptied,
// never closures or drop glue in them: those the compiler may have merged with code of other names that does run,
// while a body names its own place in the source for the message of a panic and so stays apart.

import binaryen from "binaryen";
import { readFileSync, writeFileSync } from "node:fs";

const [input, output] = process.argv.slice(2);
// Both manglings: `…::hydrate_async::{{closure}}::h0123456789abcdef` and `…::hydrate_async::{closure#0}`.
const LAZY = /^(?!core(\[[0-9a-f]+\])?::ptr::drop).*::hydrate_async(::<.*>)?::(\{\{closure\}\}(::h[0-9a-f]{16})?|\{closure#0\})$/;

const module = binaryen.readBinary(readFileSync(input));
let emptied = 0;
for (let i = 0; i < module.getNumFunctions(); i++) {
  const fn = module.getFunctionByIndex(i);
  const { name, module: importedFrom } = binaryen.getFunctionInfo(fn);
  if (importedFrom || !LAZY.test(name)) continue;
  binaryen.Function.setBody(fn, module.unreachable());
  emptied += 1;
}
console.log(`emptied ${emptied} functions of lazy hydration`);
if (emptied === 0) {
  console.error("error: none found; does Leptos still have it, and does the wasm have its names?");
  process.exit(1);
}
writeFileSync(output, module.emitBinary());
