import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { copyFile, mkdir, readdir, rename, rm, stat, utimes } from "node:fs/promises";
import path from "node:path";
import sirv from "sirv";
import { setFileHeaders } from "./http.server.ts";
import { log } from "./log.server.ts";
import { projectRoot } from "./root.server.ts";

type Middleware = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

const BUILD = path.join(projectRoot, "build", "client");
const KEPT_MS = 30 * 86_400_000;

/** Serves the build's files, and the assets that other versions have kept in the same DATA_DIR. */
export function builtAssets(dataDir: string, build = BUILD): Middleware {
  const files = { brotli: true, gzip: true, etag: true, setHeaders };
  const own = sirv(build, files) as Middleware;
  // `dev` looks at the disk for each request: the next version keeps its files while this one runs.
  const others = sirv(keptIn(dataDir), { ...files, dev: true }) as Middleware;
  return (request, response, next) =>
    own(request, response, () =>
      request.url?.startsWith("/assets/") ? others(request, response, next) : next(),
    );
}

// Keeps a copy for pages of this version that ask a process of another one. Names have hashes, so
// that versions share a folder.
export async function keepAssets(dataDir: string, build = BUILD): Promise<void> {
  try {
    const [from, to] = [path.join(build, "assets"), path.join(keptIn(dataDir), "assets")];
    await mkdir(to, { recursive: true });
    const names = await readdir(from);
    await Promise.all(names.map((name) => keep(path.join(from, name), path.join(to, name))));
    await deleteOld(to);
  } catch (err) {
    log.warn({ err }, "assets not kept: during an upgrade pages may miss their scripts");
  }
}

const keptIn = (dataDir: string) => path.join(dataDir, "builds");

async function keep(file: string, copy: string) {
  const now = new Date();
  const isThere = await utimes(copy, now, now).then(
    () => true,
    () => false,
  );
  if (isThere) return;
  // Renamed when it is whole, because other processes serve it at once.
  const draft = `${copy}.${randomUUID()}`;
  await copyFile(file, draft);
  await rename(draft, copy);
}

async function deleteOld(folder: string) {
  const before = Date.now() - KEPT_MS;
  for (const name of await readdir(folder)) {
    const file = path.join(folder, name);
    // Another process may be deleting it too, or has just renamed its draft.
    const found = await stat(file).catch(() => null);
    if (found && found.mtimeMs < before) await rm(file, { force: true });
  }
}

function setHeaders(response: ServerResponse, pathname: string) {
  const isHashed = pathname.startsWith("/assets/");
  const age = isHashed ? "public, max-age=31536000, immutable" : "public, max-age=86400";
  response.setHeader("Cache-Control", pathname === "/sw.js" ? "no-cache" : age);
  setFileHeaders(response, pathname);
  if (pathname.endsWith(".ico")) response.setHeader("Content-Type", "image/x-icon");
}
