import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { expect, test, vi, afterEach } from "vitest";
import { closeServers, listen, loopbackHosts, stopSignal } from "./serve.server.ts";
import { once } from "node:events";
import { type RequestListener, Server } from "node:http";

const hosts = ["127.0.0.1"];

test("it listens at the given port and serves", async () => {
  const [server] = await listen((_, response) => response.end("here"), { port: 0, hosts });
  const { port } = server!.address() as AddressInfo;
  expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe("here");
  server!.closeAllConnections();
  server!.close();
});

test("a taken port is reported in one sentence", async () => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
  const { port } = taken.address() as AddressInfo;
  await expect(listen(() => {}, { port, hosts })).rejects.toThrow(`Port ${port} is taken.`);
  taken.close();
});

test("a host that is not here is reported", async () => {
  const listening = listen(() => {}, { port: 0, hosts: ["192.0.2.1"] });
  await expect(listening).rejects.toThrow("HOST is no address of this machine: 192.0.2.1");
});

test("loopback is loopback", () => {
  expect(loopbackHosts()).toContain("127.0.0.1");
  for (const host of loopbackHosts()) expect(["127.0.0.1", "::1"]).toContain(host);
});

test("requests in flight finish, and nothing new is accepted", async () => {
  let end = (_text: string) => {};
  const arrived = Promise.withResolvers<void>();
  const [server] = await listen(
    (_, response) => {
      end = (text) => response.end(text);
      arrived.resolve();
    },
    { port: 0, hosts },
  );
  const { port } = server!.address() as AddressInfo;
  const inFlight = fetch(`http://127.0.0.1:${port}/`);
  await arrived.promise;
  const closed = closeServers([server!]);
  await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow("fetch failed");
  end("finished");
  expect(await (await inFlight).text()).toBe("finished");
  await closed;
});

test("a request that names no host reaches the handler, and so our headers", async () => {
  const [server] = await listen((_, response) => response.end("ours"), { port: 0, hosts });
  const { port } = server!.address() as AddressInfo;
  const socket = connect(port, "127.0.0.1").end("GET / HTTP/1.1\r\nConnection: close\r\n\r\n");
  expect(await text(socket)).toContain("ours");
  server!.close();
});

test.each([
  ["no request at all\r\n\r\n", "400 Bad Request"],
  [`GET / HTTP/1.1\r\nHost: a\r\nCookie: ${"x".repeat(40_000)}\r\n\r\n`, "431 Request Header"],
])("what is no request is answered with our headers", async (bytes, status) => {
  const [server] = await listen((_, response) => response.end(), { port: 0, hosts });
  const { port } = server!.address() as AddressInfo;
  const socket = connect(port, "127.0.0.1").end(bytes);
  const answer = await text(socket);
  expect(answer).toContain(status);
  expect(answer).toContain("X-Content-Type-Options: nosniff");
  server!.close();
});

test.each(["SIGTERM", "SIGHUP"] as const)("%s stops it as well", async (signal) => {
  const before = process.listeners(signal);
  const stopped = stopSignal();
  const [listener] = process.listeners(signal).filter((listener) => !before.includes(listener));
  listener?.(signal);
  await stopped;
});

test("a second signal ends at once; one that npm and the terminal both send is one", async () => {
  const exit = vi.spyOn(process, "exit").mockImplementation(() => undefined as never);
  const now = vi.spyOn(performance, "now").mockReturnValue(1_000);
  const before = process.listeners("SIGINT");
  const stopped = stopSignal();
  const [listener] = process.listeners("SIGINT").filter((listener) => !before.includes(listener));
  listener?.("SIGINT");
  await stopped;
  now.mockReturnValue(1_100);
  listener?.("SIGINT");
  expect(exit).not.toHaveBeenCalled();
  now.mockReturnValue(2_000);
  listener?.("SIGINT");
  expect(exit).toHaveBeenCalledWith(1);
  vi.restoreAllMocks();
});

let server = new Server();
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
  await vi.waitFor(async () => expect(await openSockets()).toBe(0));
});

test("half a head is answered 408 when its time is over, and let go", async () => {
  await serve((_, response) => response.end("here"));
  server.headersTimeout = 20;
  const client = await connectClient("GET / HTTP/1.1\r\nHost: a\r\n");
  const [response] = await once(client, "data");
  expect(String(response)).toContain("408 Request Timeout");
  await vi.waitFor(async () => expect(await openSockets()).toBe(0));
});

test("half a body, and an answer that is not read, are let go; an answer in the making is not", async () => {
  const making = Promise.withResolvers<void>();
  const arrived: string[] = [];
  const more = Buffer.alloc(32 * 1024 * 1024);
  await serve((request, response) => {
    arrived.push(request.url ?? "");
    if (request.url === "/unread") return void response.end(more);
    if (request.url === "/slow") return void making.promise.then(() => response.end("made"));
    request.resume();
  });
  // Long enough for a busy process to hear what was sent.
  server.timeout = 1_000;
  const slow = await connectClient(GET.replace("/", "/slow"));
  await connectClient(GET.replace("/", "/unread"));
  await connectClient("POST /half HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nhalf");
  await vi.waitFor(() => expect(arrived).toHaveLength(3), 10_000);
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

/** Reads no more than the first part of a body. */
const answersEarly: RequestListener = (request, response) => {
  request.once("data", () => {
    request.pause();
    response.writeHead(413).end("too large");
  });
};
const MEGABYTE = 1024 * 1024;
const post = (size: number) => `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${size}\r\n\r\n`;

test("a body whose response came early is dropped to its end, and the next request answered", async () => {
  await serve(answersEarly);
  const client = await connectClient(post(20 * MEGABYTE));
  client.write("x".repeat(20 * MEGABYTE) + post(1) + "x");
  let answers = "";
  client.on("data", (part: Buffer) => (answers += part.toString()));
  await vi.waitFor(() => expect(answers.match(/ 413 /g)).toHaveLength(2), 10_000);
});

test("no more of it is dropped than a proxy lets through", async () => {
  await serve(answersEarly);
  const client = await connectClient(post(1_000 * MEGABYTE));
  client.resume();
  const part = "x".repeat(MEGABYTE);
  const closed = new Promise((resolve) => client.on("close", resolve));
  const write = () => {
    while (!client.destroyed && client.write(part));
  };
  client.on("drain", write);
  write();
  await closed;
  expect(client.bytesWritten).toBeLessThan(200 * MEGABYTE);
});
