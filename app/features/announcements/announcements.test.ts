import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { EVERYBODY, TEXT, useAnnouncements } from "#test/announcements.ts";
import { aPlayer, aVenue, hoursLater, markDeleted, NOW } from "#test/fixtures.ts";
import { waitingIn } from "#test/notifications.ts";
import { MailError } from "#app/platform/mail-outage.server.ts";
import { saveSettings } from "#app/features/notifications/settings.server.ts";
import { announce, eraseRecipient, stopAllAnnouncements } from "./announcements.server.ts";
import { listAnnouncements } from "./progress.server.ts";
import { closeAnnouncements } from "./send-announcements.server.ts";

const scenario = useAnnouncements();
const { database, sent, send, queue, deliver, addresses, addressOf, progress, stop, suspend } =
  scenario;

describe("sending", () => {
  test("is never faster than the rate, whichever process queues", async () => {
    for (let n = 0; n < 9; n += 1) await aPlayer(database.db);
    await send();
    const at = (seconds: number) => new Date(NOW.getTime() + seconds * 1_000);
    const queuedAt = async (seconds: number, perMinute = 24) => {
      await Promise.all([queue(perMinute, at(seconds)), queue(perMinute, at(seconds))]);
      const waiting = (await waitingIn(database, "mail.news")).length;
      await deliver();
      return waiting;
    };
    expect([await queuedAt(0), await queuedAt(0), await queuedAt(5)]).toEqual([2, 0, 2]);
    // A rate of five a minute: four of this minute are queued already.
    expect([await queuedAt(10, 5), await queuedAt(15, 5), await queuedAt(66, 5)]).toEqual([
      1, 0, 1,
    ]);
  });

  test("of news waits at night for the morning, and what is important does not", async () => {
    // NOW is noon in Helsinki.
    const [night, morning] = [hoursLater(11), hoursLater(20)];
    const news = await send();
    await queue(6_000, night);
    expect(await progress(news)).toMatchObject({ waiting: 1, underWay: 0 });
    const important = await send({ ...EVERYBODY, kind: "important-announcement", ...TEXT });
    await queue(6_000, night);
    expect(await progress(important)).toMatchObject({ waiting: 0, underWay: 1 });
    expect(await progress(news)).toMatchObject({ waiting: 1, underWay: 0 });
    await queue(6_000, morning);
    expect(await progress(news)).toMatchObject({ waiting: 0, underWay: 1 });
  });

  test("waits while the mail server is behind", async () => {
    for (let n = 0; n < 9; n += 1) await aPlayer(database.db);
    await send();
    await queue(24);
    await queue(24, new Date(NOW.getTime() + 5_000));
    expect(await waitingIn(database, "mail.news")).toHaveLength(2);
  });

  test("a job that runs twice sends one email", async () => {
    const id = await send();
    await queue();
    const [job] = await waitingIn(database, "mail.news");
    await deliver();
    await database.db.transaction().execute(async (tx) => {
      await tx.updateTable("announcements").set({ message: "Again" }).execute();
      await database.jobs.enqueueEmails(tx, "news", [job!]);
    });
    await deliver();
    expect(sent).toHaveLength(1);
    expect(await progress(id)).toMatchObject({ sent: 1, underWay: 0, undelivered: 0 });
  });

  test("news that a killed worker had handed over is not sent again, and counts as unsure", async () => {
    const id = await send();
    await queue();
    const killed = deliver(() => {
      throw new Error("killed");
    });
    await expect(killed).rejects.toThrow("killed");
    await deliver();
    expect(sent).toEqual([]);
    expect(await progress(id)).toMatchObject({ sent: 0, unsure: 1, waiting: 0, underWay: 0 });
  });

  test("what is important is sent again then, with the same Message-ID", async () => {
    const id = await send({ ...EVERYBODY, kind: "important-announcement", ...TEXT });
    await queue();
    const killed = deliver((mail) => {
      sent.push(mail);
      throw new Error("killed");
    });
    await expect(killed).rejects.toThrow("killed");
    await deliver();
    expect(sent).toHaveLength(2);
    expect(sent[0]!.key).toBe(sent[1]!.key);
    expect(await progress(id)).toMatchObject({ sent: 1, unsure: 0 });
  });

  test("news that the mail server has not taken is tried again", async () => {
    await send();
    await queue();
    const deferred = deliver(() => {
      throw new MailError("deferred", "not now", "450");
    });
    await expect(deferred).rejects.toThrow("not now");
    await deliver();
    expect(sent).toHaveLength(1);
  });

  test("leaves out who has left, was suspended or has switched it off meanwhile", async () => {
    const [gone, suspended, off] = await Promise.all([1, 2, 3].map(() => aPlayer(database.db)));
    const id = await send();
    await queue();
    await markDeleted(database.db, gone!);
    await suspend(suspended!);
    await saveSettings(database.db, off!, { news: { email: false } });
    await deliver();
    expect(addresses()).toEqual([await addressOf(scenario.actor)]);
    expect(await progress(id)).toMatchObject({ recipients: 4, sent: 1, waiting: 0, underWay: 0 });
  });

  test("what the mail server rejects counts as not delivered", async () => {
    const id = await send();
    await queue();
    await expect(
      deliver(() => {
        throw new Error("550");
      }),
    ).rejects.toThrow("550");
    expect(await progress(id)).toMatchObject({ sent: 0, underWay: 1, undelivered: 0 });
    await database.pool.query("delete from pgboss.job");
    expect(await progress(id)).toMatchObject({ sent: 0, underWay: 0, undelivered: 1 });
  });
});

describe("stopping", () => {
  test("keeps what is queued from being sent, and going on sends the rest once", async () => {
    for (let n = 0; n < 5; n += 1) await aPlayer(database.db);
    const id = await send();
    await queue(24);
    await deliver();
    await queue(24, hoursLater(1));
    expect(await stop(id)).toEqual({ ok: true });
    await deliver();
    await queue(24, hoursLater(2));
    expect(await progress(id)).toMatchObject({ sent: 2, waiting: 4, underWay: 0 });
    expect(await stop(id, false)).toEqual({ ok: true });
    await queue(6_000, hoursLater(3));
    await deliver();
    expect(await progress(id)).toMatchObject({ sent: 6, waiting: 0, stoppedAt: null });
    expect(new Set(addresses()).size).toBe(6);
    expect(sent).toHaveLength(6);
  });

  test("is in the log, once however often it is pressed", async () => {
    const id = await send();
    await stop(id);
    await stop(id);
    await stop(id, false);
    const entries = await database.db
      .selectFrom("audit_log")
      .select(["action", "actor", "details"])
      .where("subject", "=", id)
      .orderBy("id")
      .execute();
    expect(entries).toEqual([
      {
        ...{ action: "announcement.send", actor: scenario.actor },
        details: { kind: "news", before: null, after: { recipients: 1 } },
      },
      { action: "announcement.stop", actor: scenario.actor, details: { kind: "news" } },
      { action: "announcement.resume", actor: scenario.actor, details: { kind: "news" } },
    ]);
  });

  test("after a restore nothing that was under way goes on by itself", async () => {
    const id = await send();
    expect(await database.db.transaction().execute(stopAllAnnouncements)).toBe(1);
    await queue();
    expect(await progress(id)).toMatchObject({ waiting: 1, underWay: 0 });
  });

  test("of an unknown one says so", async () => {
    expect(await stop(randomUUID())).toEqual({ ok: false, reason: "not-found" });
    expect(await stop("x")).toEqual({ ok: false, reason: "not-found" });
  });
});

describe("announcing", () => {
  const form = (more: object = {}) => ({
    announcementId: randomUUID(),
    input: { ...EVERYBODY, kind: "news" as const, ...TEXT },
    ...{ shown: 1, actor: scenario.actor, now: NOW },
    ...more,
  });

  test("twice by the same form is one announcement", async () => {
    const once = form();
    const results = await Promise.all([1, 2].map(() => announce(database.db, once)));
    expect(results).toEqual(Array(2).fill({ ok: true, recipients: 1 }));
    expect(await listAnnouncements(database.db, 9)).toHaveLength(1);
    const other = { ...once, input: { ...once.input, subject: "Other" } };
    expect(await announce(database.db, other)).toEqual({ ok: false, reason: "sent-before" });
  });

  test("to others than the confirmation named, or to nobody, sends nothing", async () => {
    await aPlayer(database.db);
    expect(await announce(database.db, form())).toEqual({
      ...{ ok: false, reason: "changed", recipients: 2 },
    });
    const nobody = { audience: "venue", venueId: await aVenue(database.db) } as const;
    const input = { ...nobody, kind: "news" as const, ...TEXT };
    expect(await announce(database.db, form({ input, shown: 0 }))).toMatchObject({
      reason: "nobody",
    });
    expect(await announce(database.db, form({ announcementId: "x" }))).toMatchObject({
      reason: "not-found",
    });
    expect(await listAnnouncements(database.db, 9)).toEqual([]);
  });
});

test("a deleted account's rows name nobody, and what was sent still counts", async () => {
  const later = await aPlayer(database.db);
  const id = await send();
  await queue(12);
  await deliver();
  const [{ userId: first } = { userId: "" }] = await database.db
    .selectFrom("announcement_recipients")
    .select("user_id as userId")
    .where("outcome", "=", "sent")
    .execute();
  await database.db.transaction().execute(async (tx) => {
    for (const userId of [first!, scenario.actor, later]) await eraseRecipient(tx, userId, NOW);
  });
  await queue();
  expect(await progress(id)).toMatchObject({ recipients: 2, sent: 1, waiting: 0, underWay: 0 });
  const named = database.db.selectFrom("announcement_recipients").where("user_id", "is not", null);
  expect(await named.select("id").execute()).toEqual([]);
});

test("after 60 days only the numbers are kept", async () => {
  await aPlayer(database.db);
  const id = await send();
  await queue(12);
  await deliver();
  await closeAnnouncements(database.db, hoursLater(60 * 24 - 1));
  expect((await progress(id)).closedAt).toBeNull();
  await closeAnnouncements(database.db, hoursLater(60 * 24 + 1));
  const rows = database.db.selectFrom("announcement_recipients").select("id");
  expect(await rows.execute()).toEqual([]);
  expect(await progress(id)).toMatchObject({ recipients: 2, sent: 1, waiting: 0, undelivered: 0 });
  expect(await stop(id)).toEqual({ ok: false, reason: "closed" });
});
