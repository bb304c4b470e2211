import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "../fixtures.ts";
import { freePort, spawnServer, untilReady } from "../site.ts";

/* Clients that send nothing, half of something or nonsense, and never close their side. */
const EACH = 250;
const RELEASED_MS = 60_000;
const PIPELINING = 300;
const PAGES = 20;
/** What 300 unread pages and their connections may take, far below all 6,000. */
const PIPELINING_MB = 250;

const KINDS = {
  silent: "",
  "half a head": "GET /events HTTP/1.1\r\nHost: a\r\nX-Half: ",
  nonsense: "NONSENSE\r\n\r\n",
  "half a body": "POST /auth HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\nintent=sign-in",
};

test.setTimeout(300_000);
let dataDir: string;
let port: number;
let server: ChildProcess;
const clients: Socket[] = [];

test.beforeAll(async () => {
  dataDir = mkdtempSync(path.join(tmpdir(), "kickabout-sockets-"));
  port = await freePort();
  server = spawnServer(dataDir, port);
  await untilReady(`http://127.0.0.1:${port}`, server);
});

test.afterAll(() => {
  for (const client of clients) client.destroy();
  server?.kill("SIGKILL");
  rmSync(dataDir, { recursive: true, force: true });
});

test(`${EACH} clients of each kind: a minute later none is held`, async () => {
  const before = openSockets();
  await Promise.all(Object.values(KINDS).map((bytes) => connectAll(EACH, bytes)));
  const begun = performance.now();
  const held = openSockets() - before;
  while (openSockets() > before + 5 && performance.now() - begun < RELEASED_MS) await delay(500);
  const left = openSockets() - before;
  const ms = Math.round(performance.now() - begun);
  process.stdout.write(`bad sockets: ${JSON.stringify({ before, held, left, ms })}\n`);
  expect(held).toBeGreaterThan(EACH);
  // The server's own connections come and go.
  expect(left).toBeLessThanOrEqual(5);
});

test(`${PIPELINING} clients ask for ${PAGES} pages each and read none: others are served`, async () => {
  const [events] = await Promise.all([fetch(`http://127.0.0.1:${port}/`)]);
  await events.text();
  const before = memoryMb();
  const request = "GET /venues HTTP/1.1\r\nHost: a\r\n\r\n";
  await connectAll(PIPELINING, request.repeat(PAGES), { isReading: false });
  const others: number[] = [];
  for (let n = 0; n < 20; n += 1) {
    const response = await fetch(`http://127.0.0.1:${port}/venues`);
    await response.text();
    others.push(response.status);
    await delay(250);
  }
  const peak = memoryMb("VmHWM");
  process.stdout.write(`pipelining: ${JSON.stringify({ before, peak, others })}\n`);
  expect(others.filter((status) => status !== 200)).toEqual([]);
  expect(peak - before).toBeLessThan(PIPELINING_MB);
});

async function connectAll(count: number, bytes: string, { isReading = true } = {}) {
  const opened = Array.from({ length: count }, async () => {
    const client = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    clients.push(client);
    client.on("error", () => {});
    await once(client, "connect");
    if (bytes) client.write(bytes);
    if (isReading) client.resume();
    else client.pause();
  });
  await Promise.all(opened);
}

/** The server's open sockets, as the system counts them. */
function openSockets(): number {
  const folder = `/proc/${server.pid}/fd`;
  return readdirSync(folder).filter((name) => isSocket(path.join(folder, name))).length;
}

function isSocket(file: string): boolean {
  try {
    return readlinkSync(file).startsWith("socket:");
  } catch {
    return false; // closed meanwhile
  }
}

function memoryMb(field: "VmRSS" | "VmHWM" = "VmRSS"): number {
  const status = readFileSync(`/proc/${server.pid}/status`, "utf8");
  return Math.round(Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1024);
}
