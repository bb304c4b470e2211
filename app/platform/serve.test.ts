import { type AddressInfo, connect, createServer } from "node:net";
import { text } from "node:stream/consumers";
import { expect, test, vi } from "vitest";
import { drain, listen, loopbackHosts, stopSignal } from "./serve.server.ts";

const hosts = ["127.0.0.1"];

test("it listens where it is told and serves", async () => {
  const [server] = await listen((_, response) => response.end("here"), { port: 0, hosts });
  const { port } = server!.address() as AddressInfo;
  expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe("here");
  server!.closeAllConnections();
  server!.close();
});

test("a taken port is told in one sentence", async () => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
  const { port } = taken.address() as AddressInfo;
  await expect(listen(() => {}, { port, hosts })).rejects.toThrow(`Port ${port} is taken.`);
  taken.close();
});

test("a host that is not here is told", async () => {
  const listening = listen(() => {}, { port: 0, hosts: ["192.0.2.1"] });
  await expect(listening).rejects.toThrow("HOST is no address of this machine: 192.0.2.1");
});

test("loopback is loopback", () => {
  expect(loopbackHosts()).toContain("127.0.0.1");
  for (const host of loopbackHosts()) expect(["127.0.0.1", "::1"]).toContain(host);
});

test("what is in flight finishes, and nothing new is accepted", async () => {
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
  const drained = drain([server!]);
  await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow("fetch failed");
  end("finished");
  expect(await (await inFlight).text()).toBe("finished");
  await drained;
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

test("a second signal ends at once; one that npm and the terminal both send is one", async () => {
  const exit = vi.spyOn(process, "exit").mockImplementation(() => undefined as never);
  const now = vi.spyOn(performance, "now").mockReturnValue(1_000);
  const before = process.listeners("SIGINT");
  const stopped = stopSignal();
  const [tell] = process.listeners("SIGINT").filter((listener) => !before.includes(listener));
  tell?.("SIGINT");
  await stopped;
  now.mockReturnValue(1_100);
  tell?.("SIGINT");
  expect(exit).not.toHaveBeenCalled();
  now.mockReturnValue(2_000);
  tell?.("SIGINT");
  expect(exit).toHaveBeenCalledWith(1);
  vi.restoreAllMocks();
});
