// Makes one HTML file of src/ and three.js, and writes it as a C++ source: node bundle.mjs OUT.cpp, in the
// folder that has node_modules.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const source = join(dirname(fileURLToPath(import.meta.url)), "src");
const esbuild = createRequire(join(process.cwd(), "package.json"))("esbuild");

function bundle(entry) {
  const { outputFiles } = esbuild.buildSync({
    entryPoints: [join(source, entry)],
    bundle: true,
    minify: true,
    write: false,
    format: "iife",
    target: "es2022",
    charset: "utf8",
    legalComments: "inline",
    nodePaths: [join(process.cwd(), "node_modules")],
  });
  return outputFiles[0].text.trim();
}

// The bytes of a text as the inside of a C++ string literal; ?? could begin a trigraph.
function escaped(text) {
  const code = (byte) => {
    if (byte === 0x22 || byte === 0x5c || byte === 0x3f) return "\\" + String.fromCharCode(byte);
    if (byte >= 0x20 && byte < 0x7f) return String.fromCharCode(byte);
    return "\\" + byte.toString(8).padStart(3, "0");
  };
  return Array.from(Buffer.from(text), code).join("");
}

const parts = {
  "@STYLE@": bundle("style.css"),
  "@SCRIPT@": bundle("main.ts").replaceAll("</script", "<\\/script"),
};
let page = readFileSync(join(source, "page.html"), "utf8");
for (const [place, text] of Object.entries(parts)) page = page.replace(place, () => text);
if (page.split("@RECORDING@").length !== 2) throw Error("page.html has one place for the recording");

writeFileSync(
  process.argv[2],
  `#include "carom/io/viewer_page.h"\n\nstd::string_view carom::io::viewer_page() {\n  using namespace std::literals;\n  return "${escaped(page)}"sv;\n}\n`,
);
