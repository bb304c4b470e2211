import { type AddressInfo, createServer } from "node:net";
import { expect, test } from "vitest";
import { listen, loopbackHosts } from "./serve.server.ts";

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

test("loopback is loopback", () => {
  expect(loopbackHosts()).toContain("127.0.0.1");
  for (const host of loopbackHosts()) expect(["127.0.0.1", "::1"]).toContain(host);
});
