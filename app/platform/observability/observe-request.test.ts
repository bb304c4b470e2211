import { type AddressInfo, connect } from "node:net";
import { createServer, type RequestListener } from "node:http";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { afterEach, expect, test, vi } from "vitest";
import { currentRequest, noteRoute, noteUnknownPath, timeBody } from "./request-scope.server.ts";
import { log } from "#app/platform/log.server.ts";
import { requestSeconds } from "./metrics.server.ts";
import { observeRequest } from "./observe-request.server.ts";

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
  vi.restoreAllMocks();
});

/** A server that observes its requests, and the lines that it logs about them. */
async function open(handler: RequestListener, { isLogged = true, hasProxy = true } = {}) {
  const lines: Record<string, unknown>[] = [];
  const spy = vi.spyOn(log, "info").mockImplementation(((facts: object) => {
    lines.push({ ...facts, requestId: currentRequest()?.id });
  }) as never);
  const server = createServer((request, response) =>
    observeRequest(request, response, { isLogged, hasProxy }, () => handler(request, response)),
  );
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  ends.push(() => {
    server.closeAllConnections();
    server.close();
    spy.mockRestore();
  });
  return { lines, port: (server.address() as AddressInfo).port };
}

const page: RequestListener = (_, response) => {
  noteRoute("/card/:token");
  response.end("a page");
};

test("a request is one line: its id, the route's pattern, and nothing of the address or the browser", async () => {
  const { lines, port } = await open(page);
  const headers = {
    "User-Agent": "Aino's phone",
    Cookie: "session=secret",
    "X-Request-Id": "lb_1-7",
  };
  const response = await fetch(`http://127.0.0.1:${port}/card/secret-token?email=aino`, {
    headers,
  });
  expect(response.headers.get("X-Request-Id")).toBe("lb_1-7");
  await response.text();
  await vi.waitFor(() => expect(lines).toHaveLength(1));
  expect(lines[0]).toEqual({
    requestId: "lb_1-7",
    method: "GET",
    route: "/card/:token",
    status: 200,
    ms: expect.any(Number),
    bytes: expect.any(Number),
  });
  expect(lines[0]!["bytes"]).toBeGreaterThan(100);
});

test("without a proxy nobody chooses the id of a request", async () => {
  const { port } = await open(page, { hasProxy: false });
  const headers = { "X-Request-Id": "lb_1-7" };
  const response = await fetch(`http://127.0.0.1:${port}/`, { headers });
  expect(response.headers.get("X-Request-Id")).toMatch(/^[0-9a-f]{16}$/);
});

test.each(["", "a b", "x".repeat(65), 'a"b', "é"])(
  "an id such as '%s' is replaced",
  async (given) => {
    const { port } = await open(page);
    const raw = `GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Request-Id: ${given}\r\n\r\n`;
    const socket = connect(port, "127.0.0.1").end(raw, "latin1");
    const [, id] = /^X-Request-Id: (.*)\r$/im.exec(await text(socket)) ?? [];
    expect(id).toMatch(/^[0-9a-f]{16}$/);
  },
);

test("files and probes are counted, and logged only where they fail", async () => {
  let status = 200;
  const { lines, port } = await open((request, response) => {
    if (request.url === "/readyz") noteRoute("/readyz");
    response.writeHead(status).end();
  });
  const before = await countOf("/readyz");
  const ask = (path: string) => fetch(`http://127.0.0.1:${port}${path}`).then((r) => r.text());
  await ask("/assets/a.js");
  await ask("/readyz");
  status = 503;
  await ask("/readyz");
  await vi.waitFor(() => expect(lines).toHaveLength(1));
  expect(lines[0]).toMatchObject({ route: "/readyz", status: 503 });
  expect((await countOf("/readyz")) - before).toBe(2);
});

test("without ACCESS_LOG nothing is logged, and all is counted", async () => {
  const { lines, port } = await open(page, { isLogged: false });
  const before = await countOf("/card/:token");
  await (await fetch(`http://127.0.0.1:${port}/card/x`)).text();
  await vi.waitFor(async () => expect((await countOf("/card/:token")) - before).toBe(1));
  expect(lines).toEqual([]);
});

test("an address without a page is one line, with its path, also without ACCESS_LOG", async () => {
  const { lines, port } = await open(
    (_, response) => {
      noteRoute("/*");
      noteUnknownPath("/no/where");
      response.writeHead(404).end();
    },
    { isLogged: false },
  );
  await fetch(`http://127.0.0.1:${port}/no/where?token=1`);
  await vi.waitFor(() => expect(lines).toHaveLength(1));
  expect(lines[0]).toMatchObject({ route: "/*", status: 404, path: "/no/where" });
});

test("a client that goes before it is answered is counted apart", async () => {
  const arrived = Promise.withResolvers<void>();
  const { lines, port } = await open(() => arrived.resolve());
  const socket = connect(port, "127.0.0.1");
  socket.write("GET /slow HTTP/1.1\r\nHost: x\r\n\r\n");
  await arrived.promise;
  socket.destroy();
  await vi.waitFor(async () => expect(await countOf("(file)", 499)).toBeGreaterThan(0));
  expect(lines).toEqual([]);
});

test("the time that a client takes to send its body is not counted, nor if it goes meanwhile", async () => {
  let now = 0;
  vi.spyOn(performance, "now").mockImplementation(() => now);
  const began = Promise.withResolvers<void>();
  const { port } = await open((request, response) => {
    const end = timeBody();
    now += 30_000;
    if (request.url === "/away") return began.resolve();
    end();
    now += 200;
    noteRoute("/slow/:body");
    response.end();
  });
  const secondsOf = async (route: string) =>
    (await requestSeconds.get()).values
      .filter(({ metricName, labels }) => metricName?.endsWith("_sum") && labels.route === route)
      .reduce((sum, { value }) => sum + value, 0);
  await (await fetch(`http://127.0.0.1:${port}/`)).text();
  await vi.waitFor(async () => expect(await secondsOf("/slow/:body")).toBeCloseTo(0.2));
  const before = [await secondsOf("(file)"), await countOf("(file)", 499)] as const;
  const socket = connect(port, "127.0.0.1");
  socket.write("POST /away HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n");
  await began.promise;
  socket.destroy();
  await vi.waitFor(async () => expect(await countOf("(file)", 499)).toBe(before[1] + 1));
  expect(await secondsOf("(file)")).toBe(before[0]);
});

async function countOf(route: string, status?: number): Promise<number> {
  const { values } = await requestSeconds.get();
  return values
    .filter(({ metricName, labels }) => metricName?.endsWith("_count") && labels.route === route)
    .filter(({ labels }) => status === undefined || labels.status === status)
    .reduce((sum, { value }) => sum + value, 0);
}
