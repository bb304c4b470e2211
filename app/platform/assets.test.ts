import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { once } from "node:events";
import { createServer, get, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { builtAssets, keepAssets } from "./assets.server.ts";
import { closeFilesWith } from "./http.server.ts";
import { log } from "./log.server.ts";

let root: string;
let dataDir: string;
let servers: Server[];

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), "kickabout-assets-"));
  dataDir = path.join(root, "data");
  servers = [];
});

afterEach(() => {
  for (const server of servers) server.close();
  rmSync(root, { recursive: true });
  vi.restoreAllMocks();
});

/** Null for one that has been closed since it was listed. */
function readLink(link: string): string | null {
  try {
    return readlinkSync(link);
  } catch {
    return null;
  }
}

/** A build with a script of its own, and files of every build. */
function build(version: string): string {
  const folder = path.join(root, version);
  mkdirSync(path.join(folder, "assets"), { recursive: true });
  writeFileSync(path.join(folder, "assets", `page-${version}.js`), version);
  writeFileSync(path.join(folder, "assets", `page-${version}.js.br`), `packed ${version}`);
  writeFileSync(path.join(folder, "sw.js"), `worker of ${version}`);
  return folder;
}

/** A process of that build, which keeps its assets before it is ready. */
async function start(folder: string) {
  const serve = builtAssets(dataDir, folder);
  await keepAssets(dataDir, folder);
  const server = createServer((request, response) => {
    closeFilesWith(response);
    serve(request, response, () => response.writeHead(404).end("a page"));
  });
  servers.push(server.listen(0, "127.0.0.1"));
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return async (address: string, headers = {}) => {
    // Unlike fetch, this sends the address as it is.
    const asked = get({ host: "127.0.0.1", port, path: address, headers, agent: false });
    const [response] = (await once(asked, "response")) as [IncomingMessage];
    return { status: response.statusCode, headers: response.headers, body: await text(response) };
  };
}

test("between the restarts of an upgrade each process serves the scripts of both versions", async () => {
  const former = await start(build("former"));
  const next = await start(build("next"));
  for (const ask of [former, next]) {
    for (const version of ["former", "next"]) {
      const script = await ask(`/assets/page-${version}.js`);
      expect(script).toMatchObject({ status: 200, body: version });
      expect(script.headers["cache-control"]).toBe("public, max-age=31536000, immutable");
      expect(script.headers["content-type"]).toMatch(/^text\/javascript/);
    }
  }
  const packed = await former("/assets/page-next.js", { "Accept-Encoding": "br" });
  expect(packed).toMatchObject({ body: "packed next", headers: { "content-encoding": "br" } });
});

test("a page that was opened before an upgrade gets its scripts when the former folder is gone", async () => {
  const folder = build("former");
  await start(folder);
  rmSync(folder, { recursive: true });
  const next = await start(build("next"));
  expect(await next("/assets/page-former.js")).toMatchObject({ status: 200, body: "former" });
});

test("what no version has, and what is no asset, is not looked for among those that are kept", async () => {
  const ask = await start(build("former"));
  writeFileSync(path.join(dataDir, "secrets.json"), "secret");
  for (const name of ["sw.js", "page.js"]) {
    writeFileSync(path.join(dataDir, "builds", name), "kept");
  }
  const beyond = ["/builds/assets/page-former.js", "/assets/../../secrets.json"];
  const encoded = "/assets/%2e%2e/%2e%2e/secrets.json";
  for (const address of ["/assets/page-next.js", "/assets/", "/page.js", ...beyond, encoded]) {
    expect(await ask(address)).toMatchObject({ status: 404, body: "a page" });
  }
  expect(await ask("/sw.js")).toMatchObject({ status: 200, body: "worker of former" });
});

test("assets are kept for 30 days after the last start of their version", async () => {
  const [former, next] = [build("former"), build("next")];
  await keepAssets(dataDir, former);
  const kept = path.join(dataDir, "builds", "assets");
  const age = (days: number) => {
    const at = new Date(Date.now() - days * 86_400_000);
    for (const name of readdirSync(kept)) utimesSync(path.join(kept, name), at, at);
  };
  age(29);
  await keepAssets(dataDir, next);
  expect(readdirSync(kept)).toContain("page-former.js");
  age(31);
  await keepAssets(dataDir, next);
  expect(readdirSync(kept)).toEqual(["page-next.js", "page-next.js.br"]);
});

test.runIf(process.platform === "linux")("a file is closed when the client leaves", async () => {
  const folder = build("former");
  const script = path.join(folder, "assets", "page-former.js");
  writeFileSync(script, "x".repeat(20_000_000));
  await start(folder);
  const { port } = servers[0]!.address() as AddressInfo;
  const open = () =>
    readdirSync("/proc/self/fd").filter((fd) => readLink(`/proc/self/fd/${fd}`) === script);
  const asked = get({ host: "127.0.0.1", port, path: "/assets/page-former.js", agent: false });
  const [response] = (await once(asked, "response")) as [IncomingMessage];
  await once(response, "readable");
  expect(open()).toHaveLength(1);
  response.destroy();
  await vi.waitFor(() => expect(open()).toEqual([]));
});

// In containers all processes have the same id.
test("two that start at once keep the same assets, each of them whole", async () => {
  const warned = vi.spyOn(log, "warn").mockImplementation(() => {});
  const folder = build("former");
  const long = "x".repeat(5_000_000);
  writeFileSync(path.join(folder, "assets", "page-former.js"), long);
  await Promise.all([keepAssets(dataDir, folder), keepAssets(dataDir, folder)]);
  expect(warned).not.toHaveBeenCalled();
  const kept = path.join(dataDir, "builds", "assets");
  expect(readdirSync(kept)).toEqual(["page-former.js", "page-former.js.br"]);
  expect(readFileSync(path.join(kept, "page-former.js"), "utf8") === long).toBe(true);
});

test("a process that cannot keep its assets says so and goes on", async () => {
  const warned = vi.spyOn(log, "warn").mockImplementation(() => {});
  writeFileSync(dataDir, "no folder");
  const ask = await start(build("former"));
  expect(await ask("/assets/page-former.js")).toMatchObject({ status: 200 });
  expect(warned).toHaveBeenCalledOnce();
});
