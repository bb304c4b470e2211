import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test, vi } from "vitest";
import { type DeleteTickets, noTickets, useErasure, tracesOf } from "#test/erasure.ts";
import { turnOnFeed } from "#app/features/bookings/calendar-feeds.server.ts";
import { aFailedMail } from "#test/failed-mails.ts";
import { singlePurchase, deliverEvents } from "#test/payments.ts";
import { aGame, balanceCents, bookingsOf, everything, hoursLater, NOW } from "#test/fixtures.ts";
import { PASSWORD, waitingJobs } from "#test/accounts.ts";
import { findSession } from "#app/features/accounts/sessions.server.ts";
import { signIn } from "#app/features/accounts/sign-in.server.ts";
import { listAttendees } from "#app/features/bookings/bookings.server.ts";
import { cancelGame } from "#app/features/organise/cancel-game.server.ts";
import { checkBooks } from "#app/features/reports/check-books.server.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import { removePlayer } from "#app/features/roster/roster.server.ts";
import { countFailedMails } from "#app/features/players/failed-mails.server.ts";
import { findSharedCard, shareCard } from "#app/features/players/cards.server.ts";
import { insertPlayer } from "#app/features/players/profiles.server.ts";
import { correctBalance } from "#app/features/wallet/correct-balance.server.ts";
import { lockWallet } from "#app/features/wallet/ledger.server.ts";

const scenario = useErasure();
const address = "192.0.2.1";

async function join(playerId: string, wish: Parameters<typeof aGame>[1]) {
  const gameId = await aGame(scenario.app.db, wish);
  const now = hoursLater(Math.min(0, (wish?.startsIn ?? 0) - 30));
  const result = await joinGame(scenario.app.db, scenario.app.jobs, { gameId, playerId, now });
  if (!result.ok) throw new Error(result.reason);
  return gameId;
}

test.each(["called off", "removed"])("a later refund lapses too (%s)", async (how) => {
  const { db, jobs } = scenario.app;
  const who = await scenario.player();
  const gameId = await join(who.userId, { startsIn: -1 });
  const [seat] = await bookingsOf(db, gameId);
  expect(await scenario.remove(who)).toEqual({ ok: true });
  const removal = { gameId, bookingId: seat!.id, actorId: who.userId, now: NOW };
  if (how === "called off") await cancelGame(db, jobs, removal);
  else await removePlayer(db, jobs, { ...removal, withRefund: true });
  expect((await bookingsOf(db, gameId))[0]?.payment_status).toBe("Refunded");
  expect(await balanceCents(db, who.userId)).toBe(0);
  expect((await checkBooks(db)).differences).toEqual([]);
});

test("failed sign-ins go with an account that was its person's second one", async () => {
  const { db, accounts } = scenario.app;
  const { userId, email } = await scenario.player();
  const who = { userId, email: email.replace("@", "+2@") };
  await db.updateTable("users").set({ email: who.email }).where("id", "=", userId).execute();
  const attempt = { email: who.email, password: "Wrong1234", address, device: "phone" };
  await signIn(scenario.app, attempt, NOW);
  const left = db.selectFrom("sign_in_failures").select("device");
  const ofPerson = left.where("email", "=", accounts.personOf(who.email));
  expect(await ofPerson.execute()).toHaveLength(1);
  expect(await scenario.remove(who)).toEqual({ ok: true });
  expect(await ofPerson.execute()).toEqual([]);
});

describe("deleting an account", () => {
  test("gives up seats by the rule, lets credits lapse, and keeps the books right", async () => {
    const who = await scenario.player();
    const far = await join(who.userId, { startsIn: 48 });
    const near = await join(who.userId, { startsIn: 5 });
    const past = await join(who.userId, { startsIn: -50 });
    expect(await scenario.remove(who)).toEqual({ ok: true });
    const statusOf = async (gameId: string) =>
      (await bookingsOf(scenario.app.db, gameId))[0]?.payment_status;
    expect(await Promise.all([far, near, past].map(statusOf))).toEqual([
      "Refunded",
      "Cancelled",
      "Paid",
    ]);
    expect(await balanceCents(scenario.app.db, who.userId)).toBe(0);
    const last = scenario.app.db.selectFrom("wallet_transactions").select(["type", "amount_eur"]);
    const entries = last.where("user_id", "=", who.userId).orderBy("seq", "desc");
    expect(await entries.executeTakeFirst()).toEqual({ type: "adjustment", amount_eur: "-79.01" });
    expect((await checkBooks(scenario.app.db)).differences).toEqual([]);
    expect(await listAttendees(scenario.app.db, past)).toMatchObject([
      { firstName: "Deleted", lastName: "player", profilePictureUrl: null },
    ]);
  });

  test("leaves no trace of the person in any table", async () => {
    const who = await scenario.player();
    await scenario.app.db
      .updateTable("profiles")
      .set({
        first_name: "Zyxwyn",
        last_name: "Qwfpgj",
        phone: "+358 40 9988776",
        date_of_birth: "2001-02-28",
        major: "Arsmetrics",
        position: "GK",
        nationality: "Tuvalu",
        nationality_code: "TV",
        sports_interests: ["Curlingball"],
        profile_picture_url: "/files/avatars/zyx-512.webp",
      })
      .where("user_id", "=", who.userId)
      .execute();
    await scenario.app.db
      .updateTable("users")
      .set({ name: "Zyxwyn Qwfpgj" })
      .where("id", "=", who.userId)
      .execute();
    await signIn(scenario.app, { ...who, password: "Wrong1234", address, device: "laptop" }, NOW);
    const person = [who.email, "Zyxwyn", "Qwfpgj", "9988776", "2001-02-28", "Arsmetrics"];
    const traits = ["Tuvalu", "Curlingball", "avatars/zyx"];
    expect((await tracesOf(scenario.app.db, ...person, ...traits)).length).toBeGreaterThan(9);
    expect(await scenario.remove(who)).toEqual({ ok: true });
    expect(await tracesOf(scenario.app.db, ...person, ...traits)).toEqual([]);
  });

  test("removes the admins' reasons from the ledger, and no amount", async () => {
    const [who, other] = [await scenario.player(), await scenario.player({ credits: 0 })];
    const ledger = (userId: string) =>
      scenario.app.db
        .selectFrom("wallet_transactions")
        .select(["amount_eur", "notes"])
        .where("user_id", "=", userId)
        .orderBy("seq")
        .execute();
    for (const { userId } of [who, other]) {
      const key = crypto.randomUUID();
      const correction = { userId, amountCents: 500, reason: "Zyxwyn was ill", actor: "x", key };
      await correctBalance(scenario.app.db, scenario.app.jobs, correction);
    }
    expect(await scenario.remove(who)).toEqual({ ok: true });
    expect(await ledger(who.userId)).toEqual([
      { amount_eur: "100.00", notes: "Credit Top-up" },
      { amount_eur: "5.00", notes: null },
      { amount_eur: "-105.00", notes: "Account deleted" },
    ]);
    const kept = [{ amount_eur: "5.00", notes: "Zyxwyn was ill" }];
    expect(await ledger(other.userId)).toEqual(kept);
    expect(await tracesOf(scenario.app.db, "was ill")).toEqual(["wallet_transactions: was ill"]);
    const { pool } = scenario.database;
    for (const change of ["notes = null", "notes = 'Another'", "notes = null, amount_eur = 6"]) {
      const userId = change === "notes = null" ? other.userId : who.userId;
      const update = pool.query(`update wallet_transactions set ${change} where user_id = $1`, [
        userId,
      ]);
      await expect(update).rejects.toThrow("append-only");
    }
  });

  test("ends every session, nobody can sign in, and the address is free again", async () => {
    const who = await scenario.player({ credits: 0 });
    const { token } = await scenario.app.accounts.openSession(who.userId);
    await scenario.remove(who);
    expect(await findSession(scenario.app.db, token, NOW)).toBeNull();
    const attempt = { ...who, password: PASSWORD, address, device: null };
    expect(await signIn(scenario.app, attempt, NOW)).toMatchObject({ reason: "wrong-credentials" });
    const again = await scenario.app.db.transaction().execute((tx) =>
      insertPlayer(tx, {
        email: who.email,
        firstName: "Ada",
        lastName: "Again",
        passwordHash: "x",
        dateOfBirth: "2000-01-31",
        schoolYear: "Master",
        major: "Physics",
        phone: null,
      }),
    );
    expect([null, who.userId]).not.toContain(again);
  });

  test("stops the shared card, deletes the picture's files and calls the other deletions", async () => {
    const who = await scenario.player({ credits: 0 });
    const token = await shareCard(scenario.app.db, who.userId);
    const folder = path.join(scenario.dataDir, "uploads", "avatars");
    mkdirSync(folder, { recursive: true });
    for (const size of [512, 128]) writeFileSync(path.join(folder, `abc-${size}.webp`), "x");
    writeFileSync(path.join(folder, "other-512.webp"), "x");
    await scenario.app.db
      .updateTable("profiles")
      .set({ profile_picture_url: "/files/avatars/abc-512.webp" })
      .where("user_id", "=", who.userId)
      .execute();
    const cache = path.join(scenario.dataDir, "cache", "pictures");
    mkdirSync(cache, { recursive: true });
    for (const owner of [token, "another"]) writeFileSync(path.join(cache, `${owner}.k.png`), "x");
    const deleteTickets = vi.fn<DeleteTickets>(noTickets);
    expect(await scenario.remove(who, { deleteTickets })).toEqual({ ok: true });
    expect(await findSharedCard(scenario.app.db, token, NOW)).toBeNull();
    expect(readdirSync(folder)).toEqual(["other-512.webp"]);
    expect(readdirSync(cache)).toEqual(["another.k.png"]);
    expect(deleteTickets).toHaveBeenCalledExactlyOnceWith(expect.anything(), who.userId);
  });

  test("turns off the calendar", async () => {
    const { db } = scenario.app;
    const [who, other] = [await scenario.player(), await scenario.player()];
    for (const { userId } of [who, other]) await turnOnFeed(db, userId);
    await scenario.remove(who);
    const feeds = await db.selectFrom("calendar_feeds").select("user_id").execute();
    expect(feeds).toEqual([{ user_id: other.userId }]);
  });

  test("deletes the failed emails", async () => {
    const { db } = scenario.app;
    const [who, other] = [await scenario.player(), await scenario.player()];
    for (const { userId } of [who, other]) {
      await aFailedMail(db, { kind: "account-exists", data: { userId } });
    }
    await scenario.remove(who);
    expect(await countFailedMails(db, 9)).toBe(1);
  });

  test("is confirmed by email to the former address", async () => {
    const who = await scenario.player({ credits: 0 });
    await scenario.remove(who);
    expect(await waitingJobs(scenario.database.pool, "account-deleted")).toContainEqual({
      userId: who.userId,
      email: who.email,
      firstName: "Ada",
      debtCents: 0,
      givenBackCents: 0,
      cashDueCents: 0,
    });
  });

  test("twice at once happens once", async () => {
    const who = await scenario.player();
    const results = await Promise.all([
      scenario.remove(who),
      scenario.remove(who),
      scenario.remove(who),
    ]);
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
    expect((await checkBooks(scenario.app.db)).differences).toEqual([]);
  });

  test("an error in the middle rolls everything back", async () => {
    const who = await scenario.player();
    await join(who.userId, { startsIn: 48 });
    const before = await everything(scenario.app.db);
    const deleteTickets = async () => {
      throw new Error("no");
    };
    await expect(scenario.remove(who, { deleteTickets })).rejects.toThrow("no");
    expect(await everything(scenario.app.db)).toEqual(before);
  });

  test("while games are joined leaves no orphaned seat and correct books", async () => {
    const who = await scenario.player();
    const games = await Promise.all(
      Array.from({ length: 6 }, (_, n) => aGame(scenario.app.db, { startsIn: 48 + n })),
    );
    const joins = games.map((gameId) =>
      joinGame(scenario.app.db, scenario.app.jobs, {
        gameId,
        playerId: who.userId,
        now: NOW,
      }).catch(() => null),
    );
    // One that is caught out changes nothing, and the next one comes after the joins.
    const first = scenario.remove(who).catch(() => ({ ok: false }) as const);
    await Promise.all(joins);
    const results = [await first, await scenario.remove(who).catch(() => ({ ok: false }) as const)];
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
    for (const gameId of games) expect(await listAttendees(scenario.app.db, gameId)).toEqual([]);
    expect((await checkBooks(scenario.app.db)).differences).toEqual([]);
  });

  test("a seat taken in the middle rolls back, and the next try gives it up", async () => {
    const who = await scenario.player();
    const gameId = await aGame(scenario.app.db, { startsIn: 48 });
    const { deletion } = await scenario.app.db.transaction().execute(async (tx) => {
      await lockWallet(tx, who.userId);
      const begun = scenario.remove(who).then(
        () => "deleted",
        (error: Error) => error.message,
      );
      // It has seen no seat, and now wants the wallet.
      await scenario.untilSomebodyWaits();
      const seat = { user_id: who.userId, game_id: gameId, payment_status: "Unpaid" } as const;
      await tx.insertInto("bookings").values(seat).execute();
      return { deletion: begun };
    });
    expect(await deletion).toBe("a game was joined meanwhile");
    expect(await listAttendees(scenario.app.db, gameId)).toMatchObject([{ firstName: "Ada" }]);
    expect(await scenario.remove(who)).toEqual({ ok: true });
    expect(await listAttendees(scenario.app.db, gameId)).toEqual([]);
  });
});

test("a payment refunded after the deletion is booked correctly", async () => {
  const who = await scenario.player({ credits: 0 });
  const pack = singlePurchase(who.userId);
  await deliverEvents(scenario.app, pack.completed);
  expect(await scenario.remove(who)).toEqual({ ok: true });
  await deliverEvents(scenario.app, pack.refunded(999));
  expect((await checkBooks(scenario.app.db)).differences).toEqual([]);
});
