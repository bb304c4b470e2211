import type { ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import sharp from "sharp";
import { clientAddress } from "#app/platform/http.server.ts";
import { expect, test } from "../fixtures.ts";
import { type Lists, openLists } from "../lists.ts";
import { type Processes, startProcesses } from "../processes.ts";
import { addRaceGames, join } from "../players.ts";
import { certify, endProxy, PROXIES, startProxy } from "../proxies.ts";
import { freePort } from "../site.ts";

/* Each proxy of docs/operations.md, with its block, before two production processes. */
test.describe.configure({ timeout: 180_000 });

let folder: string;
let port: number;
let processes: Processes;
let lists: Lists;
let url: string;

test.beforeAll(async () => {
  // Workers of Apache are another user.
  folder = mkdtempSync(path.join(tmpdir(), "kickabout-proxies-"));
  certify(folder);
  // What fetch reports of a certificate that nobody has signed.
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0";
  port = await freePort();
  url = `https://127.0.0.1:${port}`;
  processes = await startProcesses(2, { APP_URL: url, TRUST_PROXY: "1" });
  lists = openLists({ ...processes, urls: [url] });
});

test.afterAll(async () => {
  delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
  await processes?.stop();
  rmSync(folder, { recursive: true, force: true });
});

for (const known of PROXIES) {
  test.describe(known.name, () => {
    let proxy: ChildProcess | undefined;
    test.afterEach(() => endProxy(proxy));

    test("somebody signs in, joins, and uploads a picture; watchers see the join at once", async () => {
      proxy = await startProxy(known, { folder, port, to: processes.urls.map(portOf) });
      const cookie = await signIn();
      const { rows } = await processes.database.pool.query<{ id: string }>(
        "select id from users where email = 'player@uni.example'",
      );
      const [gameId = ""] = await addRaceGames(lists.db, { count: 1, spots: 4 });
      const stream = await openStream(`${url}/live?games=${gameId}`);
      const joined = await join(url, { cookie, userId: rows[0]!.id }, gameId);
      const began = performance.now();
      expect(joined).toBe(302);
      // Silence is broken by a comment after 20 seconds, which would let a buffered event through.
      await expect.poll(stream.text, { timeout: 10_000, intervals: [5] }).toContain("event: game");
      const ms = Math.round(performance.now() - began);
      process.stdout.write(`${known.name}: an event ${ms} ms after its join\n`);
      stream.close();
      expect(await uploadPicture(cookie)).toMatchObject({ status: 302 });
      const photos = await uploadPhotos(await lists.adminCookie());
      // It is no picture, but the application has read it.
      expect(photos.headers.get("content-security-policy")).toContain("default-src 'none'");
      expect(photos.status).toBe(422);
    });

    test("a browser chooses neither its address nor the id of its request", async () => {
      const echo = await startEcho();
      proxy = await startProxy(known, { folder, port, to: [echo.port, echo.port] });
      const sent = {
        "X-Forwarded-For": "203.0.113.7, 203.0.113.8",
        "X-Request-Id": "chosen",
        traceparent: `00-${"a".repeat(32)}-${"b".repeat(16)}-01`,
      };
      const seen = (await (
        await fetch(`${url}/echo`, { headers: sent })
      ).json()) as IncomingHttpHeaders;
      const forwarded = seen["x-forwarded-for"] as string;
      expect(clientAddress(forwarded, "the proxy", 1)).toBe("127.0.0.1");
      expect(seen["x-request-id"] ?? "").not.toContain("chosen");
      expect(seen["traceparent"] ?? "").toBe("");
      expect(seen.host).toMatch(/^127\.0\.0\.1/);
      await echo.stop();
    });
  });
}

const portOf = (address: string) => Number(new URL(address).port);

async function signIn(): Promise<string> {
  const form = { intent: "sign-in", email: "player@uni.example", password: "Kickabout1" };
  const options = { method: "POST", body: new URLSearchParams(form), redirect: "manual" } as const;
  const response = await fetch(`${url}/auth`, options);
  expect(response.status).toBe(302);
  return response.headers
    .getSetCookie()
    .map((line) => line.split(";")[0]!)
    .join("; ");
}

/** Noise, so that it is as large as one may be. */
async function uploadPicture(cookie: string) {
  const noise = { type: "gaussian", mean: 128, sigma: 60 } as const;
  const create = { width: 2_100, height: 2_100, channels: 3 as const, background: "white", noise };
  const bytes = await sharp({ create }).jpeg({ quality: 90 }).toBuffer();
  expect(bytes.length).toBeGreaterThan(3_000_000);
  expect(bytes.length).toBeLessThan(5 * 1024 * 1024);
  const form = new FormData();
  form.set("intent", "picture");
  form.set("picture", new Blob([new Uint8Array(bytes)], { type: "image/jpeg" }), "me.jpg");
  return send("/profile", cookie, form);
}

async function uploadPhotos(cookie: string) {
  const { id } = await lists.db
    .selectFrom("venues")
    .select("id")
    .limit(1)
    .executeTakeFirstOrThrow();
  const form = new FormData();
  form.set("intent", "upload");
  form.set("formKey", randomUUID());
  for (let n = 0; n < 4; n += 1) {
    form.append(
      "photos",
      new Blob([Buffer.alloc(7_500_000, "no picture")], { type: "image/jpeg" }),
      `${n}.jpg`,
    );
  }
  return send(`/admin/venues/${id}/photos`, cookie, form);
}

async function send(at: string, cookie: string, body: FormData) {
  const headers = { Cookie: cookie };
  const response = await fetch(url + at, { method: "POST", body, headers, redirect: "manual" });
  await response.text();
  return response;
}

async function openStream(address: string) {
  const over = new AbortController();
  const response = await fetch(address, { signal: over.signal });
  let text = "";
  const read = async () => {
    for await (const part of response.body!.pipeThrough(new TextDecoderStream())) text += part;
  };
  void read().catch(() => {});
  return { text: () => text, close: () => over.abort() };
}

/** In place of the processes: answers with the headers that arrive. */
async function startEcho() {
  const server = createServer((request, response) => response.end(JSON.stringify(request.headers)));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    port,
    stop: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
