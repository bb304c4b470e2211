import type { ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { expect, test } from "../fixtures.ts";
import { type Processes, startProcesses } from "../processes.ts";
import { endWith, freePort, spawnServer, untilReady } from "../site.ts";

let web: Processes;
let worker: ChildProcess | undefined;

test.beforeAll(async () => {
  web = await startProcesses(1, { ROLE: "web" });
});

test.afterAll(async () => {
  if (worker) await endWith(worker, "SIGTERM");
  await web?.stop();
});

test("a web process leaves jobs to a worker, which serves no pages", async () => {
  const { urls, dataDir, database, jobs } = web;
  const gameId = randomUUID();
  await database.db.transaction().execute(async (tx) => {
    await jobs.enqueue(tx, "waitlist.promote", { gameId }, { isUrgent: true });
  });
  // A process that works on jobs takes an urgent one before it has drawn a page.
  for (let n = 0; n < 20; n += 1) expect((await fetch(`${urls[0]}/venues`)).status).toBe(200);
  const states = "select state from pgboss.job where name = 'waitlist.promote' and data = $1";
  const state = async () => (await database.pool.query(states, [{ gameId }])).rows;
  expect(await state()).toEqual([{ state: "created" }]);

  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  worker = spawnServer(dataDir, port, { ROLE: "worker" });
  await untilReady(url, worker);
  await expect.poll(state).toEqual([{ state: "completed" }]);
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  // Asks like HAProxy's check by default.
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  socket.write("OPTIONS /readyz HTTP/1.0\r\n\r\n");
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 /);
  expect((await fetch(`${url}/venues`)).status).toBe(404);
});
