import { existsSync, mkdtempSync, rmSync, utimesSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { addSignUp } from "./accounts.ts";
import { correctBalance } from "#app/features/wallet/correct-balance.server.ts";
import type { Env } from "#app/platform/env.server.ts";
import { openFiles } from "#app/platform/files.server.ts";
import { readMark } from "#app/platform/upload-owner.server.ts";
import { QUEUES } from "#app/jobs.server.ts";
import { listScheduledJobs, startWorker } from "../worker.ts";
import { testApp } from "./app.ts";
import { useDatabase } from "./db.ts";
import { aGame, aPlayer, NOW } from "./fixtures.ts";
import { aBooking } from "./notifications.ts";
import {
  aFormerJob,
  anOldCancellation,
  anOldComingText,
  anOldHold,
  anOldPaymentHold,
  anUnfinishedCancellation,
  anUnsentAnnouncement,
  aSentNotification,
} from "./old-rows.ts";
import { aDevice } from "./push-service.ts";

const database = useDatabase();
const [MINUTE, DAY] = [60_000, 86_400_000];
const LONG_AGO = new Date("2020-01-01T12:00:00Z");
const PAST = { created_at: LONG_AGO, stopped_at: NOW };
let [env, handlers] = [{} as Env, {}];
beforeAll(async () => {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), "kickabout-worker-"));
  env = { ...testApp(database).env, dataDir };
  await openFiles(env).claim(await readMark(database.db));
  return () => rmSync(env.dataDir, { recursive: true });
});
beforeEach(() => void vi.useFakeTimers({ toFake: ["setInterval", "Date"], now: NOW }));
afterEach(() => void vi.useRealTimers());

const worker = (demo = false) => {
  const work = async (given: object) => void (handlers = given);
  return { env: { ...env, demo }, db: database.db, jobs: { ...database.jobs, work } };
};

test("every queue has a handler, and every handler a queue", async () => {
  await startWorker(worker(), []);
  expect(Object.keys(handlers).toSorted()).toEqual(Object.keys(QUEUES).toSorted());
});

describe("a scheduled job", () => {
  test("is done at the start and then once an interval, with the time that it is then", async () => {
    const done: string[] = [];
    const run = async (now: Date) => void done.push(now.toISOString().slice(11, 19));
    await startWorker(worker(), [{ name: "a job", everyMs: 5 * MINUTE, run }]);
    expect(done).toEqual(["10:00:00"]);
    await vi.advanceTimersByTimeAsync(5 * MINUTE - 1);
    expect(done).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    await vi.advanceTimersByTimeAsync(10 * MINUTE);
    expect(done).toEqual(["10:00:00", "10:05:00", "10:10:00", "10:15:00"]);
  });

  test("that fails keeps neither the others nor its own next time from being done", async () => {
    const done: string[] = [];
    const scheduled = (name: string, run = async () => void done.push(name)) => ({
      ...{ name, everyMs: MINUTE, run },
    });
    const failing = async () => {
      done.push("failing");
      throw new Error("no database");
    };
    await startWorker(worker(), [scheduled("failing", failing), scheduled("other")]);
    await vi.advanceTimersByTimeAsync(MINUTE);
    expect(done).toEqual(["failing", "other", "failing", "other"]);
  });
});

/** Something old for each scheduled job, by its name; each says whether it is still there. */
const OLD: Record<string, () => Promise<() => Promise<boolean>>> = {
  async waitlists() {
    const user_id = await aPlayer(database.db);
    const place = {
      ...({ mode: "auto", agreed_text: "Yes", agreed_version: 1 } as const),
      user_id,
    };
    const agreed = { agreed_at: LONG_AGO, max_price_eur: "10", until_hours: 24 };
    const values = { ...place, ...agreed, game_id: await aGame(database.db), not_after: LONG_AGO };
    await database.db.insertInto("waitlist_entries").values(values).execute();
    const places = database.db.selectFrom("waitlist_entries").where("user_id", "=", user_id);
    return isThere(places.where("status", "=", "Waiting").select("id"));
  },
  async "held spots"() {
    const gameId = await anOldHold(database.db);
    const holds = database.db.selectFrom("friend_holds").where("game_id", "=", gameId);
    return isThere(holds.where("status", "=", "Held").select("id"));
  },
  "paid spots": () => anOldPaymentHold(database.db, { isPaid: true }),
  async decisions() {
    const gameId = await aGame(database.db, { startsIn: 2, min_players: 2 });
    const game = database.db.selectFrom("games").where("id", "=", gameId);
    return isThere(game.where("decision", "is", null).select("id"));
  },
  refunds: () => anUnfinishedCancellation(database.db, NOW),
  async cancellations() {
    const id = await anOldCancellation(database.db, LONG_AGO);
    return isThere(database.db.selectFrom("bulk_cancellations").where("id", "=", id).select("id"));
  },
  "former mails": () => aFormerJob(database.pool, "mail.answer", {}),
  announcements: () => anUnsentAnnouncement(database.db, { created_at: NOW }),
  "past announcements": () => anUnsentAnnouncement(database.db, PAST),
  async reminders() {
    const { playerId } = await aBooking(database, { startsIn: 26 });
    return isUnsent(playerId, "day-before");
  },
  async "expiring credits"() {
    const userId = await aPlayer(database.db, { credits: 5 });
    const lots = database.db.updateTable("credit_lots").where("user_id", "=", userId);
    await lots.set({ expires_at: new Date(NOW.getTime() + 7 * DAY) }).execute();
    return isUnsent(userId, "credits-expiring");
  },
  async credits() {
    const userId = await aPlayer(database.db);
    const grant = { userId, amountCents: 500, reason: "Sorry", actor: "command", key: userId };
    await correctBalance(database.db, database.jobs, grant);
    const lots = database.db.updateTable("credit_lots").where("user_id", "=", userId);
    await lots.set({ expires_at: LONG_AGO }).execute();
    const left = database.db.selectFrom("credit_lots").where("user_id", "=", userId);
    return isThere(left.where("remaining_eur", ">", "0").select("id"));
  },
  async "weekly metrics"() {
    const change = { source: "payments", week: "2020-01-06" };
    await database.db.insertInto("week_changes").values(change).execute();
    const changes = database.db.selectFrom("week_changes").select("id");
    return isThere(changes.where("source", "=", change.source));
  },
  "legal texts": () => anOldComingText(database.db),
  async uploads() {
    const userId = await aPlayer(database.db);
    const profile = database.db.updateTable("profiles").where("user_id", "=", userId);
    await profile.set({ profile_picture_url: "/files/avatars/face-512.webp" }).execute();
    await openFiles(env).store("avatars/lost-512.webp", Buffer.from("picture"));
    const file = path.join(env.dataDir, "uploads", "avatars", "lost-512.webp");
    utimesSync(file, LONG_AGO, LONG_AGO);
    return async () => existsSync(file);
  },
  async "free sessions"() {
    const values = { address_hash: "f".repeat(64), kept_until: LONG_AGO };
    await database.db.insertInto("former_free_sessions").values(values).execute();
    return isThere(database.db.selectFrom("former_free_sessions").select("address_hash"));
  },
  async "past holds"() {
    const gameId = await anOldHold(database.db, { startsIn: -24 * 40, ended_at: LONG_AGO });
    return isThere(
      database.db.selectFrom("friend_holds").where("game_id", "=", gameId).select("id"),
    );
  },
  "past payment holds": () => anOldPaymentHold(database.db, { startsIn: -24 * 40 }),
  async "former debts"() {
    const former_id = await aPlayer(database.db);
    const profile = database.db.updateTable("profiles").where("user_id", "=", former_id);
    await profile.set({ deleted_at: LONG_AGO }).execute();
    const values = { former_id, address_hash: "d".repeat(64) };
    await database.db.insertInto("former_payers").values(values).execute();
    return isThere(database.db.selectFrom("former_payers").select("former_id"));
  },
  async messages() {
    const sent_by = await aPlayer(database.db);
    const game_id = await aGame(database.db);
    const text = { subject: "Shoes", message: "Bring two pairs." };
    const values = { id: crypto.randomUUID(), game_id, sent_by, ...text, sent_at: LONG_AGO };
    await database.db.insertInto("game_messages").values(values).execute();
    return isThere(database.db.selectFrom("game_messages").select("id"));
  },
  async "chat pushes"() {
    const game_id = await aGame(database.db);
    const [user_id, author] = [await aPlayer(database.db), await aPlayer(database.db)];
    const booking = { user_id, game_id, payment_status: "Paid" as const, created_at: LONG_AGO };
    await database.db.insertInto("bookings").values(booking).execute();
    await aDevice(database.db, user_id, `https://fcm.googleapis.com/${user_id}`);
    const at = new Date(NOW.getTime() - 60_000);
    const said = { game_id, number: 1, user_id: author, body: "Hi", created_at: at };
    await database.db.insertInto("chat_messages").values(said).execute();
    return isUnsent(user_id, "chat");
  },
  async chats() {
    const game_id = await aGame(database.db, { startsIn: -91 * 24 - 2 });
    const said = { game_id, number: 1, user_id: await aPlayer(database.db), body: "Well played" };
    await database.db.insertInto("chat_messages").values(said).execute();
    return isThere(
      database.db.selectFrom("chat_messages").select("id").where("game_id", "=", game_id),
    );
  },
  "sent notifications": () => aSentNotification(database.db, LONG_AGO),
  async "sign-ups"() {
    await addSignUp(testApp(database), { createdAt: LONG_AGO });
    return isThere(database.db.selectFrom("sign_ups").select("id"));
  },
};

function isUnsent(userId: string, kind: string) {
  const sent = database.db.selectFrom("notifications_sent").where("user_id", "=", userId);
  const isSent = isThere(sent.where("kind", "=", kind).select("kind"));
  return async () => !(await isSent());
}

function isThere(query: { execute(): Promise<unknown[]> }) {
  return async () => (await query.execute()).length > 0;
}

async function everythingOld() {
  const entries = Object.entries(OLD);
  const checks = new Map<string, () => Promise<boolean>>();
  for (const [name, prepare] of entries) checks.set(name, await prepare());
  return async () => {
    const left = [];
    for (const [name, check] of checks) if (await check()) left.push(name);
    return left;
  };
}

test("each scheduled job has its interval, and takes what is its own and nothing else", async () => {
  const scheduled = listScheduledJobs(worker());
  expect(scheduled.map(({ name, everyMs }) => [name, everyMs])).toEqual([
    ["waitlists", 15_000],
    ["held spots", 15_000],
    ["paid spots", 15_000],
    ["decisions", 15_000],
    ["refunds", 15_000],
    ["chat pushes", 15_000],
    ["former mails", 15_000],
    ["announcements", 5_000],
    ["reminders", 5 * MINUTE],
    ["expiring credits", 5 * MINUTE],
    ["credits", 5 * MINUTE],
    ["weekly metrics", 5 * MINUTE],
    ["legal texts", 5 * MINUTE],
    ["uploads", DAY],
    ["free sessions", DAY],
    ["past holds", DAY],
    ["past payment holds", DAY],
    ["former debts", DAY],
    ["messages", DAY],
    ["cancellations", DAY],
    ["chats", DAY],
    ["sent notifications", DAY],
    ["past announcements", DAY],
    ["sign-ups", DAY],
  ]);
  const left = await everythingOld();
  const names = Object.keys(OLD);
  expect(await left()).toEqual(names);
  for (const { name, run } of scheduled) {
    await run(NOW);
    names.splice(names.indexOf(name), 1);
    expect(await left()).toEqual(names);
  }
});

describe.each([
  ["in the demo", true],
  ["outside the demo", false],
])("%s", (_, demo) => {
  // Each round asks the database, and so lets it do what it was asked before.
  const until = async (isSo: () => Promise<boolean>) => {
    for (let round = 0; round < 2_000; round += 1) if (await isSo()) return;
    throw new Error("it was not done");
  };
  const OFTEN = [
    ...["chat pushes", "former mails", "waitlists", "held spots", "paid spots", "decisions"],
    ...["announcements", "legal texts", "refunds", "reminders"],
    ...["expiring credits", "credits", "weekly metrics"],
  ];
  const isAllGone = (left: () => Promise<string[]>) => async () => (await left()).length === 0;

  test("the worker does all of them, at the start and when their time has come", async () => {
    const atStart = await everythingOld();
    // A day of every 15 seconds would be thousands of runs.
    const scheduled = listScheduledJobs(worker(demo)).map((job) => ({
      ...job,
      everyMs: Math.max(job.everyMs, 5 * MINUTE),
    }));
    await startWorker(worker(demo), scheduled);
    await until(isAllGone(atStart));
    const later = await everythingOld();
    vi.advanceTimersByTime(5 * MINUTE);
    const isOften = (name: string) => OFTEN.includes(name);
    await until(async () => !(await later()).some(isOften));
    expect(await later()).toEqual(Object.keys(OLD).filter((name) => !isOften(name)));
    vi.advanceTimersByTime(DAY - 5 * MINUTE);
    await until(isAllGone(later));
  });
});
