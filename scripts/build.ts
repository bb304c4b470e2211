import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { projectRoot } from "#app/platform/root.server.ts";
import { readOptions } from "./arguments.ts";

/** Written when a build is finished, with the hash of what it was made from. */
const BUILT = path.join(projectRoot, "build", "finished");
export const SOURCES = [
  ...["app", "db", "public", "scripts", "server.ts", "worker.ts"],
  ...["package.json", "package-lock.json", "tsconfig.json"],
  ...["react-router.config.ts", "vite.config.ts"],
];
const COMPRESSIBLE = /\.(css|js|svg|webmanifest|txt|ico|json)$/;

/** Builds pages and server, and compresses the files ahead of time. */
export async function build(): Promise<void> {
  process.stdout.write("Building …\n");
  rmSync(BUILT, { force: true });
  const hash = hashSources();
  const cli = path.join(projectRoot, "node_modules", "@react-router", "dev", "bin.cjs");
  const result = spawnSync(process.execPath, [cli, "build"], {
    cwd: projectRoot,
    encoding: "utf8",
  });
  if (result.status !== 0) throw new Error(`The build failed.\n${result.stdout}${result.stderr}`);
  const client = path.join(projectRoot, "build", "client");
  nameWorker(client);
  compress(client);
  spawnSync(process.execPath, [path.join(import.meta.dirname, "compile-cache.ts")]);
  // Written last, so that an interrupted build does not count.
  writeFileSync(BUILT, hash);
}

/** An old build is never served after a pull. */
export function isBuilt(): boolean {
  return existsSync(BUILT) && readFileSync(BUILT, "utf8") === hashSources();
}

/** Not of their times: a deleted file has none, and npm may write its lock file again unchanged. */
export function hashSources(root = projectRoot): string {
  const hash = createHash("sha256");
  for (const file of SOURCES.flatMap((source) => filesIn(path.join(root, source)))) {
    const bytes = readFileSync(file);
    hash.update(`${path.relative(root, file)}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest("hex");
}

function filesIn(place: string): string[] {
  if (!statSync(place).isDirectory()) return [place];
  const entries = readdirSync(place, { withFileTypes: true, recursive: true });
  const files = entries.filter((entry) => entry.isFile());
  return files.map(({ parentPath, name }) => path.join(parentPath, name)).sort();
}

/** Writes the build's name into the service worker: browsers update it only if its bytes differ. */
function nameWorker(client: string) {
  const worker = path.join(client, "sw.js");
  const hash = createHash("sha256");
  // The file names contain hashes; the route manifest lists the pages' own files.
  for (const name of readdirSync(path.join(client, "assets")).toSorted()) hash.update(name);
  const text = readFileSync(worker, "utf8");
  writeFileSync(
    worker,
    text.replace("offline-BUILD", `offline-${hash.digest("hex").slice(0, 12)}`),
  );
}

function compress(folder: string) {
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile() || !COMPRESSIBLE.test(entry.name)) continue;
    const file = path.join(entry.parentPath, entry.name);
    const bytes = readFileSync(file);
    if (bytes.length < 512) continue;
    writeFileSync(`${file}.br`, brotliCompressSync(bytes));
    writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
  }
}

if (import.meta.main) {
  readOptions("npm run build", {});
  await build();
}
