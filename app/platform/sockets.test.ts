import { once } from "node:events";
import type { RequestListener, Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterEach, expect, test, vi } from "vitest";
import { listen } from "./serve.server.ts";

let server: Server;
let clients: Socket[] = [];

afterEach(() => {
  for (const client of clients) client.destroy();
  clients = [];
  server.closeAllConnections();
  server.close();
});

async function serve(handler: RequestListener) {
  [server] = (await listen(handler, { port: 0, hosts: ["127.0.0.1"] })) as [Server];
}

/** A client that never closes its side. */
async function connectClient(bytes: string): Promise<Socket> {
  const { port } = server.address() as AddressInfo;
  const client = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  clients.push(client);
  client.on("error", () => {});
  await once(client, "connect");
  client.write(bytes);
  return client;
}

const openSockets = () =>
  new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count)));

const GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

test("what is no HTTP is answered, and its connection let go though the client holds on", async () => {
  await serve((_, response) => response.end("here"));
  const responses = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const client = await connectClient("NONSENSE\r\n\r\n");
      return String((await once(client, "data"))[0]);
    }),
  );
  for (const response of responses) expect(response).toContain("400 Bad Request");
  await vi.waitFor(async () => expect(await openSockets()).toBe(0), 10_000);
});

test("half a head is answered 408 when its time is over, and let go", async () => {
  await serve((_, response) => response.end("here"));
  server.headersTimeout = 20;
  const client = await connectClient("GET / HTTP/1.1\r\nHost: a\r\n");
  const [response] = await once(client, "data");
  expect(String(response)).toContain("408 Request Timeout");
  await vi.waitFor(async () => expect(await openSockets()).toBe(0), 10_000);
});

test("half a body, and an answer that is not read, are let go; an answer in the making is not", async () => {
  const making = Promise.withResolvers<void>();
  const arrived: string[] = [];
  await serve((request, response) => {
    arrived.push(request.url ?? "");
    if (request.url === "/unread") return void response.end(Buffer.alloc(32 * 1024 * 1024));
    if (request.url === "/slow") return void making.promise.then(() => response.end("made"));
    request.resume();
  });
  server.timeout = 100;
  const slow = await connectClient(GET.replace("/", "/slow"));
  await connectClient(GET.replace("/", "/unread"));
  await connectClient("POST /half HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nhalf");
  await vi.waitFor(() => expect(arrived).toHaveLength(3));
  await vi.waitFor(async () => expect(await openSockets()).toBe(1), 10_000);
  making.resolve();
  expect(String((await once(slow, "data"))[0])).toContain("made");
});

test("requests sent ahead are answered one after another, and too many are cut off", async () => {
  const waiting: (() => void)[] = [];
  await serve((_, response) => void waiting.push(() => response.end("one")));
  const polite = await connectClient(GET.repeat(5));
  let text = "";
  polite.on("data", (chunk) => (text += String(chunk)));
  for (let answered = 1; answered <= 5; answered += 1) {
    await vi.waitFor(() => expect(waiting).toHaveLength(1));
    waiting.pop()?.();
    await vi.waitFor(() => expect(text.split("200 OK")).toHaveLength(answered + 1));
  }
  const greedy = await connectClient(GET.repeat(20));
  await once(greedy.resume(), "end");
  expect(waiting).toHaveLength(1);
});
