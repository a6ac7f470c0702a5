// Bundles the editor into the one file that `pincer serve` gives to browsers, with the licence of its parts:
//     npm install && npm run build
import { readFileSync } from "node:fs";
import { build } from "esbuild";

const licence = readFileSync(new URL("node_modules/@codemirror/view/LICENSE", import.meta.url), "utf8").trim();

await build({
  entryPoints: ["editor.mjs"],
  bundle: true,
  minify: true,
  format: "iife",
  legalComments: "none",
  banner: { js: `/* The editor of pincer serve, with CodeMirror and Lezer.\n\n${licence}\n*/` },
  outfile: process.argv[2] ?? "../../src/pincer/cli/serving/page/editor.js",
});
