import { rmSync } from "node:fs";
import { enableCompileCache, flushCompileCache } from "node:module";
import path from "node:path";

const BUILD = path.join(import.meta.dirname, "..", "build");
/** What V8 has compiled of the server, for the next start. */
const COMPILED = path.join(BUILD, "compiled");

// The build runs this file, since who runs the server may not write here.
if (import.meta.main) {
  rmSync(COMPILED, { recursive: true, force: true });
  enableCompileCache(COMPILED);
  await import(path.join(BUILD, "server", "index.js"));
  flushCompileCache();
  process.exit(0);
}
enableCompileCache(COMPILED);
