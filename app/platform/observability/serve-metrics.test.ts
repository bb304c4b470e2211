import type { AddressInfo } from "node:net";
import { afterEach, expect, test, vi } from "vitest";
import { log } from "#app/platform/log.server.ts";
import { serveMetrics } from "./serve-metrics.server.ts";

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
  vi.restoreAllMocks();
});

async function serve(port = 0, host = "127.0.0.1") {
  const metrics = await serveMetrics({ port, host }, async () => {});
  ends.push(metrics.close);
  return metrics;
}

const portOf = ({ server }: Awaited<ReturnType<typeof serve>>) =>
  (server.address() as AddressInfo).port;

test("metrics are served at /metrics, and nothing else", async () => {
  const url = `http://127.0.0.1:${portOf(await serve())}`;
  expect(await (await fetch(`${url}/metrics`)).text()).toContain("kickabout_db_pool_max");
  expect((await fetch(`${url}/`)).status).toBe(404);
  expect((await fetch(`${url}/metrics`, { method: "POST" })).status).toBe(404);
});

test.each([
  ["a port that is taken", "EADDRINUSE", async () => serve(portOf(await serve()))],
  ["an address of another machine", "EADDRNOTAVAIL", () => serve(0, "192.0.2.1")],
])("%s is logged, and the process goes on", async (_, code, start) => {
  const error = vi.spyOn(log, "error").mockImplementation(() => {});
  const { server, close } = await start();
  expect(server.listening).toBe(false);
  const facts = expect.objectContaining({ err: expect.objectContaining({ code }) });
  expect(error.mock.calls).toEqual([[facts, "metrics are not served"]]);
  await close();
});
