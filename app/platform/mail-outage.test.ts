import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { useDatabase } from "#test/db.ts";
import { type MailServer, openMailServer } from "#test/mail-server.ts";
import { startMailWorker } from "#test/mail-worker.ts";
import { log } from "./log.server.ts";
import { MailError, findOutage, holdBack, watchOutages } from "./mail-outage.server.ts";
import { projectRoot } from "./root.server.ts";
import { isLong } from "#test/long.ts";

const database = useDatabase(12);

let server: MailServer;
const stops: (() => Promise<void>)[] = [];
beforeEach(async () => {
  await database.pool.query("delete from pgboss.job; delete from mail_outage");
  server = await openMailServer();
});
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
  await server.close();
});

async function startWorkers(count: number) {
  for (let n = 0; n < count; n += 1) {
    stops.push((await startMailWorker(database.connection, server.url)).stop);
  }
}

const enqueue = (keys: string[]) =>
  database.db.transaction().execute(async (tx) => {
    for (const bookingId of keys) {
      await database.queue.enqueueEmails(tx, "booking-confirmed", [{ bookingId }]);
    }
  });

async function countJobs(where: string): Promise<number> {
  const { rows } = await database.pool.query<{ n: number }>(
    `select count(*)::int as n from pgboss.job where ${where}`,
  );
  return rows[0]!.n;
}

const several = (name: string, count: number) =>
  Array.from({ length: count }, (_, n) => `${name}.${n}`);

/** The lines about outages, as they are logged meanwhile. */
function listen() {
  const lines: string[] = [];
  const note = (_: unknown, message?: string) => void lines.push(message ?? "");
  const spies = [log.error, log.info].map((_, n) =>
    vi.spyOn(log, n ? "info" : "error").mockImplementation(note as never),
  );
  stops.push(async () => spies.forEach((spy) => spy.mockRestore()));
  return lines;
}

test("what two processes could not send goes once when the server is back", async () => {
  const lines = listen();
  // A wrong password is our mistake: no mail is given up for it.
  server.mood = { auth: 535 };
  await startWorkers(2);
  await enqueue(several("ada", 20));
  await vi.waitFor(async () => expect(await countJobs("state = 'retry'")).toBe(20));
  const asked = server.connections;
  await enqueue(several("ben", 10));
  await vi.waitFor(async () => expect(await countJobs("state = 'retry'")).toBe(30));
  expect(server.connections, "nobody asks again so soon").toBe(asked);
  expect(await findOutage(database.db)).toEqual({ since: expect.any(Date), waiting: 30 });
  server.mood = {};
  // Pretends that hours of tries had passed: all but ten, which come together, are far away.
  await database.pool.query(
    `update mail_outage set probed_at = now() - interval '30 seconds';
     update pgboss.job set retry_delay = 3600, retry_delay_max = 3600, start_after =
       now() + case when data->>'bookingId' like 'ben.%' then '0' else '1 hour' end::interval`,
  );
  await vi.waitFor(async () => expect(await countJobs("state = 'completed'")).toBe(30));
  expect(server.taken).toHaveLength(30);
  expect(new Set(server.taken).size).toBe(30);
  expect(await findOutage(database.db)).toBeNull();
  expect(lines).toEqual([
    "mail server accepts no emails; they wait",
    "mail server accepts emails again",
  ]);
});

test("a mailbox that is unknown is asked once, a busy one again, and others wait for neither", async () => {
  const lines = listen();
  server.mood = { recipients: { gone: 550, busy: 451 } };
  await startWorkers(1);
  await enqueue(["gone.1", "busy.1", "ada.1"]);
  await vi.waitFor(async () => expect(await countJobs("state = 'retry'")).toBe(1));
  const soon = "state = 'retry' and start_after < now() + interval '1 minute'";
  expect(await countJobs(`${soon} and data->>'bookingId' = 'busy.1'`)).toBe(1);
  expect(await countJobs("state = 'completed'")).toBe(1);
  const given = "name = 'failed-mails' and source_output->>'code' = '550'";
  await vi.waitFor(async () => expect(await countJobs(given)).toBe(1));
  await database.pool.query("update pgboss.job set start_after = now() where state = 'retry'");
  await vi.waitFor(() => expect(server.offered("busy")).toBe(2));
  await vi.waitFor(async () => expect(await countJobs("state = 'retry'")).toBe(1));
  expect(server.offered("gone")).toBe(1);
  expect(await findOutage(database.db)).toBeNull();
  expect(lines.toSorted()).toEqual(["job failed, to be tried again", "job given up"]);
});

test("one address at which the server closes holds up no other, two mails in a row do", async () => {
  const lines = listen();
  server.mood = { recipients: { ada: 421 } };
  await startWorkers(1);
  await enqueue(["ada.1"]);
  await vi.waitFor(async () => expect(await countJobs("state = 'retry'")).toBe(1));
  await enqueue(several("ben", 5));
  await vi.waitFor(async () => expect(await countJobs("state = 'completed'")).toBe(5));
  expect(await findOutage(database.db)).toBeNull();
  server.mood = { recipients: { cleo: 421, dan: 421 } };
  await enqueue(["cleo.1", "dan.1"]);
  await vi.waitFor(async () => expect(await findOutage(database.db)).not.toBeNull());
  expect(lines.filter((line) => line.startsWith("mail server"))).toHaveLength(1);
});

test("after a day a mail is given up, and one that carries an address is not kept", async () => {
  listen();
  server.mood = { isClosing: true };
  await enqueue(["ada.1"]);
  const mail = { userId: "1", email: "ada@uni.example", firstName: "Ada", debtCents: 0 };
  const deleted = database.db.transaction();
  await deleted.execute((tx) => database.queue.enqueueEmails(tx, "account-deleted", [mail]));
  await database.pool.query(
    "update pgboss.job set created_on = now() - interval '25 hours', retry_limit = 0 " +
      "where name = 'mail.account-deleted'",
  );
  await database.pool.query("update pgboss.job set created_on = now() - interval '25 hours'");
  await database.pool.query("insert into mail_outage default values");
  await startWorkers(1);
  await vi.waitFor(async () => expect(await countJobs("state = 'failed'")).toBe(2));
  expect(await countJobs("name = 'failed-mails'")).toBe(1);
  const kept = "state = 'failed' and deletion_seconds <= 3600 and completed_on is not null";
  expect(await countJobs(kept), "the originals go within an hour").toBe(2);
});

describe("of many that ask at once during an outage", () => {
  const down = async () => {
    await database.pool.query(
      "insert into mail_outage (probed_at) values (now() - interval '1 minute')",
    );
  };

  test("one tries", async () => {
    await down();
    const { nothing } = holdBack(database.db, { nothing: async () => {} });
    const tries = await Promise.allSettled(Array.from({ length: 20 }, () => nothing!()));
    expect(tries.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  test("all would if asking and noting were two steps", async () => {
    await down();
    const ask = () =>
      sql`select from mail_outage where probed_at <= now() - interval '30 seconds'`.execute(
        database.db,
      );
    const asked = await Promise.all(Array.from({ length: 20 }, ask));
    expect(asked.filter(({ rows }) => rows.length > 0)).toHaveLength(20);
  });
});

test("however long the pauses are, one mail comes when the server may be asked again", async () => {
  listen();
  await enqueue(several("ada", 3));
  await database.pool.query(
    "update pgboss.job set state = 'retry', start_after = now() + interval '1 hour'",
  );
  const away = new MailError("unreachable", "away", "ECONNECTION");
  const fail = watchOutages(database.db, () => Promise.reject(away));
  await expect(fail("mail")).rejects.toBe(away);
  const due = `start_after between now() + interval '20 seconds' and
    (select probed_at + interval '31 seconds' from mail_outage)`;
  expect(await countJobs(due)).toBe(1);
});

test("what was on its way when the outage began does not end it", async () => {
  listen();
  const away = new MailError("unreachable", "away", "ECONNECTION");
  const fail = watchOutages(database.db, () => Promise.reject(away));
  await expect(fail("mail")).rejects.toBe(away);
  await watchOutages(database.db, async () => {})("mail");
  expect(await findOutage(database.db)).not.toBeNull();
  await database.pool.query("update mail_outage set probed_at = now() - interval '1 minute'");
  const { send } = holdBack(database.db, { send: watchOutages(database.db, async () => {}) });
  await send!("mail" as never);
  expect(await findOutage(database.db)).toBeNull();
});

// The short form is the first test above, which shortens the waits by hand.
test.each(isLong ? [200] : [])(
  "two real processes send %i mails once, within two minutes of an outage's end",
  async (count) => {
    const { url } = server;
    await server.close();
    let output = "";
    for (let n = 0; n < 2; n += 1) startProcess(url, (text) => (output += text));
    await enqueue(several("ada", count));
    // Three failures each are half a minute or so, and the pauses are as long as they get.
    const tired = "state = 'retry' and retry_count >= 3";
    await vi.waitFor(async () => expect(await countJobs(tired)).toBe(count), { timeout: 300_000 });
    server = await openMailServer(Number(new URL(url).port));
    const back = Date.now();
    await vi.waitFor(() => expect(server.taken).toHaveLength(count), { timeout: 120_000 });
    process.stdout.write(`${count} mails within ${Date.now() - back} ms\n`);
    await vi.waitFor(async () => expect(await countJobs("state = 'completed'")).toBe(count));
    expect(new Set(server.taken).size).toBe(count);
    const lines = output.trim().split("\n");
    expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual([
      "mail server accepts no emails; they wait",
      "mail server accepts emails again",
    ]);
  },
  600_000,
);

function startProcess(url: string, onLog: (text: string) => void) {
  const script = path.join(projectRoot, "test", "mail-worker.ts");
  const args = [script, JSON.stringify(database.connection), url];
  const worker = spawn(process.execPath, args, {
    stdio: ["ignore", "pipe", "ignore"],
    env: { ...process.env, LOG_LEVEL: "info" },
  });
  worker.stdout.on("data", (chunk: Buffer) => onLog(chunk.toString()));
  stops.push(async () => {
    const hasEnded = once(worker, "exit");
    worker.kill("SIGKILL");
    await hasEnded;
  });
}
