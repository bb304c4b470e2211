import type { ChildProcess } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import path from "node:path";
import { text } from "node:stream/consumers";
import { connect, type Connection } from "#app/platform/connect.server.ts";
import { readEnv } from "#app/platform/env.server.ts";
import { OWNER } from "#app/platform/files.server.ts";
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from "#app/platform/postgres/embedded.server.ts";
import { stripes } from "#test/pictures.ts";
import { urlOf } from "#test/postgres.ts";
import { openTestBucket } from "#test/storages.ts";
import { expect, test } from "../fixtures.ts";
import { enterPlayer } from "../players.ts";
import { endWith, freePort, newDataDir, spawnServer, untilReady } from "../site.ts";

interface Host {
  url: string;
  dataDir: string;
  server: ChildProcess;
  log: Promise<string>;
}

let postgres: EmbeddedPostgres;
let database: Connection;
let storage: Awaited<ReturnType<typeof openTestBucket>>;
let folder: string;
const hosts: Host[] = [];

test.beforeAll(async () => {
  folder = newDataDir();
  postgres = await startEmbeddedPostgres(folder);
  database = await connect({ databaseUrl: undefined, dataDir: folder });
  storage = await openTestBucket();
  for (const ROLE of ["all", "web"]) hosts.push(await startHost(ROLE));
});

test.afterAll(async () => {
  for (const { server } of hosts) if (server.exitCode === null) await endWith(server, "SIGTERM");
  await storage?.close();
  await database?.close();
  await postgres?.release();
  for (const each of [folder, ...hosts.map(({ dataDir }) => dataDir)]) {
    rmSync(each, { recursive: true, force: true });
  }
});

/** Has a folder of its own; the hosts have the database and the bucket in common. */
async function startHost(ROLE: string): Promise<Host> {
  const [dataDir, port] = [newDataDir(), await freePort()];
  const { endpoint, name, region, accessKeyId, secretAccessKey } = storage.env.bucket!;
  const env = {
    ROLE,
    DATABASE_URL: urlOf(postgres.connection),
    SESSION_SECRET: readEnv({ DEMO: "1", DATA_DIR: folder }).sessionSecret,
    S3_ENDPOINT: endpoint,
    S3_BUCKET: name,
    S3_REGION: region,
    S3_ACCESS_KEY_ID: accessKeyId,
    S3_SECRET_ACCESS_KEY: secretAccessKey,
  };
  const server = spawnServer(dataDir, port, env, "pipe");
  const url = `http://127.0.0.1:${port}`;
  await untilReady(url, server);
  return { url, dataDir, server, log: text(server.stdout!) };
}

test("two hosts share nothing but database and bucket", async () => {
  const [one, two] = hosts as [Host, Host];
  const { cookie } = await enterPlayer({ url: one.url, dataDir: folder }, database, {
    name: "host",
    credits: 0,
  });
  const post = async ({ url }: Host, fields: Record<string, string | Blob>) => {
    const body = new FormData();
    for (const [name, value] of Object.entries(fields)) body.set(name, value);
    const headers = { cookie, Origin: url };
    const options = { method: "POST", headers, body, redirect: "manual" } as const;
    return (await fetch(`${url}/profile`, options)).status;
  };
  const png = new Blob([new Uint8Array(await stripes().png().toBuffer())]);
  const upload = { intent: "picture", picture: png };

  expect(await post(one, upload)).toBe(302);
  const page = await (await fetch(`${two.url}/profile`, { headers: { cookie } })).text();
  const [src] = /\/files\/avatars\/\w+-512\.webp/.exec(page) ?? [];
  const picture = await fetch(two.url + src);
  expect([picture.status, picture.headers.get("Content-Type")]).toEqual([200, "image/webp"]);
  const stored = storage.server.objects.get(src!.slice("/files/".length))!;
  expect(Buffer.from(await picture.arrayBuffer()).equals(stored.bytes)).toBe(true);
  for (const { dataDir } of hosts) expect(existsSync(path.join(dataDir, "uploads"))).toBe(false);

  storage.server.state.mood = "silent";
  const late = await fetch(one.url + src);
  expect([late.status, late.headers.get("Retry-After")]).toEqual([503, "10"]);
  expect(await post(two, upload)).toBe(503);
  expect((await fetch(`${one.url}/profile`, { headers: { cookie } })).status).toBe(200);
  expect((await fetch(`${one.url}/readyz`)).status).toBe(200);

  storage.server.state.mood = "half";
  await expect(fetch(one.url + src).then((each) => each.arrayBuffer())).rejects.toThrow();
  storage.server.state.mood = "well";
  expect(await post(two, { intent: "remove-picture" })).toBe(302);
  expect((await fetch(one.url + src)).status).toBe(404);
  const pictures = [...storage.server.objects.keys()].filter((name) => name !== OWNER);
  expect(pictures).toEqual([]);

  for (const { server } of hosts) await endWith(server, "SIGTERM");
  const logs = (await Promise.all(hosts.map(({ log }) => log))).join("");
  expect(logs).toContain("the bucket did not answer in time");
  expect(logs).not.toContain(storage.env.bucket!.secretAccessKey);
});
