import { createServer, get } from "node:http";
import type { AddressInfo } from "node:net";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { contentSecurityPolicy } from "./http.server.ts";
import { createPageCache, finishPage, sendPage } from "./page-cache.server.ts";

const HTML =
  '<p>Play</p><script nonce="N">run()</script><script nonce="N" src="/a.js"></script>' +
  "<script>smuggled()</script>";

const POLICY = contentSecurityPolicy({
  scripts: ["'nonce-N'"],
  formTargets: ["https://buy.stripe.com"],
});

function rendered(html = HTML, { headers, ...init }: ResponseInit = {}) {
  const own = { "Content-Type": "text/html", "Content-Security-Policy": POLICY };
  return finishPage(new Response(html, { headers: { ...own, ...headers }, ...init }), "N");
}

test("only scripts that carried the nonce are named", async () => {
  const { headers, bodies } = await rendered();
  expect(headers["content-security-policy"]).toMatch(/script-src 'self' 'sha256-[^' ]+'$/);
  expect(headers["content-security-policy"]).toContain(
    "form-action 'self' https://buy.stripe.com;",
  );
  expect(bodies.identity.toString()).toBe(HTML.replaceAll(' nonce="N"', ""));
});

test("what is not for everybody is never finished", async () => {
  await expect(rendered(HTML, { status: 404 })).rejects.toThrow("404");
  await expect(rendered(HTML, { headers: { "Set-Cookie": "a=b" } })).rejects.toThrow("200");
  await expect(finishPage(new Response(HTML), "N")).rejects.toThrow("200");
});

test("the one that nobody asked for longest goes, and a failure is not kept", async () => {
  const cache = createPageCache(2);
  let renderings = 0;
  const find = (address: string, facts = "same") =>
    cache.getOrRender(address, facts, () => ((renderings += 1), rendered()));
  await find("/1");
  await find("/2");
  await find("/1");
  await find("/3");
  expect(renderings).toBe(3);
  await find("/1");
  expect(renderings).toBe(3);
  await find("/2");
  await find("/2", "other");
  expect(renderings).toBe(5);
  const failing = cache.getOrRender("/4", "same", () => Promise.reject(new Error("down")));
  await expect(failing).rejects.toThrow("down");
  await expect(find("/4")).resolves.toBeDefined();
});

test.each([
  ["gzip, deflate, br", "br"],
  ["gzip;q=1.0, br;q=0", "gzip"],
  ["br;q=0.5", "br"],
  ["deflate", null],
  ["", null],
])("Accept-Encoding %j gets %s", async (accepted, encoding) => {
  const page = await rendered();
  const server = createServer((request, response) => sendPage(page, request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const { headers, body } = await fetchRaw(port, accepted);
  server.close();
  expect(headers["content-encoding"] ?? null).toBe(encoding);
  const unpack = { br: brotliDecompressSync, gzip: gunzipSync }[encoding ?? ""];
  expect((unpack ? unpack(body) : body).toString()).toBe(page.bodies.identity.toString());
});

function fetchRaw(port: number, accepted: string) {
  return new Promise<{ headers: Record<string, unknown>; body: Buffer }>((resolve, reject) => {
    const headers = { "Accept-Encoding": accepted };
    const request = get({ port, host: "127.0.0.1", headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => resolve({ headers: response.headers, body: Buffer.concat(chunks) }));
    });
    request.on("error", reject);
  });
}
