import assert from "node:assert/strict";
import { once } from "node:events";
import * as http from "node:http";
import * as https from "node:https";
import { setTimeout as delay } from "node:timers/promises";
import * as tls from "node:tls";
import { createClient, toStage } from "./client.ts";

export type Stage = (script: string) => Promise<{ status: number | null; out: string }>;

/** What the proxy has to do beyond passing on pages. */
export async function checkProxy(ca: string, stage: Stage, gameId: string) {
  process.stdout.write("▸ the proxy\n");
  const plain = http.get({ ...toStage, host: "kickabout.example", path: "/events" });
  const [redirect] = (await once(plain, "response")) as [http.IncomingMessage];
  redirect.resume();
  assert.equal(redirect.statusCode, 308);
  assert.equal(redirect.headers.location, "https://kickabout.example/events");

  const live = https.get(`https://kickabout.example/live?games=${gameId}`, { ...toStage, ca });
  const [stream] = (await once(live, "response")) as [http.IncomingMessage];
  assert.equal(stream.headers["content-type"], "text/event-stream");
  const [part] = (await once(stream, "data", { signal: AbortSignal.timeout(30_000) })) as [Buffer];
  assert.ok(part.length > 0, "a part of a stream is passed on at once");
  live.destroy();

  const headers = {
    "X-Request-Id": "forged",
    traceparent: `00-${"a".repeat(32)}-${"b".repeat(16)}-01`,
  };
  const named = https.get("https://kickabout.example/", { ...toStage, ca, headers });
  const [answer] = (await once(named, "response")) as [http.IncomingMessage];
  answer.resume();
  assert.match(`${answer.headers["x-request-id"]}`, /^[0-9a-f-]{36}$/);

  await checkLog(ca, stage);

  const client = createClient(ca);
  const large = await client.send("/auth", "x".repeat(71_000_000), {}).catch(() => null);
  assert.ok(!large || large.status === 413, `${large?.status}`);

  // The application still answers for itself with no process ready.
  await stage("systemctl stop postgresql@17-main");
  await until(async () => (await client.get("/readyz")).body === "no database");
  assert.equal((await client.get("/")).status, 200);
  const page = await client.get("/venues");
  assert.equal(page.status, 503);
  assert.match(page.body, /<html/);
  await stage("systemctl start postgresql@17-main");
  await until(async () => (await client.get("/readyz")).status === 200);
  process.stdout.write(
    "  redirects, streams, names requests, limits bodies, and shows the application's own 503\n",
  );
}

/** Caddy writes an error of a form that breaks off, without the request. */
async function checkLog(ca: string, stage: Stage) {
  const browser = tls.connect({
    host: "127.0.0.1",
    port: 443,
    servername: "kickabout.example",
    ca,
  });
  const lines = [
    "POST /auth/reset?token=half-a-secret HTTP/1.1",
    "Host: kickabout.example",
    "User-Agent: half-a-browser",
    "Transfer-Encoding: chunked",
  ];
  browser.end(`${lines.join("\r\n")}\r\n\r\nno length\r\n`);
  browser.resume();
  await once(browser, "close");
  const { out } = await stage("journalctl --no-pager --unit=caddy");
  assert.match(out, /invalid byte in chunk length/);
  assert.doesNotMatch(out, /half-a-/);
}

/** Asks again and again. */
export async function until(isSo: () => Promise<boolean>, seconds = 30) {
  for (let tries = 0; tries < 2 * seconds; tries += 1) {
    if (await isSo()) return;
    await delay(500);
  }
  assert.fail(`not within ${seconds} seconds`);
}
