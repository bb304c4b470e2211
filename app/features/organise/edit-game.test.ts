import { randomUUID } from "node:crypto";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { pushOf } from "#test/notices.ts";
import { useDatabase } from "#test/db.ts";
import { ada, aVenue, balanceCents, ben, bookingsOf, everything, NOW } from "#test/fixtures.ts";
import { createGames } from "#app/features/games/create-games.server.ts";
import type { GamePlan } from "#app/features/games/plan.ts";
import { aPlan } from "#test/games.ts";
import { findPlannedGame } from "#app/features/games/admin-games.server.ts";
import { aDevice } from "#test/push-service.ts";
import { waitingIn } from "#test/notifications.ts";
import { cancelBooking } from "#app/features/bookings/cancel-booking.server.ts";
import { checkBooks } from "#app/features/reports/check-books.server.ts";
import { editGame } from "./edit-game.server.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";

const database = useDatabase();
let [venueId, otherVenueId, actorId] = ["", "", ""];
/** A weekly series of four, from December 2nd. */
let series: string[];

beforeAll(async () => {
  otherVenueId = await aVenue(database.db, { name: "Harbour Cage", city: "Helsinki" });
  actorId = await ben(database.db);
});
beforeEach(async () => {
  venueId = await aVenue(database.db);
  const wish = { plan: aPlan(venueId), status: "Published" as const, weeks: 4 };
  const form = { actorId, confirmed: true, now: NOW };
  const result = await createGames(database.db, { ...wish, ...form });
  series = result.ok ? result.gameIds : [];
});

interface EditWish extends Partial<GamePlan> {
  following?: boolean;
  confirmed?: boolean;
  version?: number;
  formKey?: string;
}

async function edit(gameId: string, asked: EditWish) {
  const { following, confirmed, version, formKey, ...wish } = asked;
  const game = await findPlannedGame(database.db, gameId);
  return editGame(database.db, database.jobs, {
    ...{ gameId, actorId, now: NOW, plan: { ...game!.plan, ...wish } },
    version: version ?? game!.version,
    withFollowing: following ?? false,
    ...(confirmed && { confirmed }),
    formKey,
  });
}

async function joined(gameId: string) {
  const playerId = await ada(database.db);
  const result = await joinGame(database.db, database.jobs, { gameId, playerId, now: NOW });
  if (!result.ok) throw new Error(result.reason);
  return { playerId, bookingId: result.bookingId };
}

const plansOf = async (ids: string[]) =>
  Promise.all(ids.map(async (id) => (await findPlannedGame(database.db, id))!.plan));

async function mailsOf(bookingId: string) {
  const { rows } = await database.pool.query(
    "select data - 'kind' as data from pgboss.job where name = 'mail.send' and data->>'kind' = 'game-changed' and data->>'bookingId' = $1",
    [bookingId],
  );
  return rows.map(({ data }) => data);
}

async function entriesOf(gameId: string) {
  const entries = database.db.selectFrom("audit_log").select(["actor", "details"]);
  return entries.where("subject", "=", gameId).where("action", "=", "game.edit").execute();
}

describe("a game without players", () => {
  test("is saved at once; the audit log has both versions", async () => {
    const [first = "", second = ""] = series;
    expect(await edit(first, { startTime: "20:00", title: "Late one" })).toEqual({
      ...{ ok: true, games: 1, notified: 0 },
    });
    expect((await plansOf([first, second])).map(({ startTime }) => startTime)).toEqual([
      "20:00",
      "19:00",
    ]);
    const before = { title: "Indoor futsal", startTime: "19:00" };
    const after = { title: "Late one", startTime: "20:00" };
    expect(await entriesOf(first)).toEqual([{ actor: actorId, details: { before, after } }]);
  });

  test("an unchanged form writes nothing", async () => {
    const before = await everything(database.db);
    const nothing = { ok: true, games: 0, notified: 0 };
    expect(await edit(series[0]!, { following: true })).toEqual(nothing);
    expect(await everything(database.db)).toEqual(before);
  });
});

describe("a change that affects players", () => {
  test("is queued for each of their devices, and says how it is now", async () => {
    const [gameId = ""] = series;
    const [first, second] = [await joined(gameId), await joined(gameId)];
    for (const [n, { playerId }] of [first, first, second].entries()) {
      await aDevice(database.db, playerId, `https://push.example/${gameId}/${n}`);
    }
    await edit(gameId, { startTime: "20:00", venueId: otherVenueId, confirmed: true });
    const version = String((await findPlannedGame(database.db, gameId))!.version);
    const pushes = await waitingIn(database, "push.send");
    const about = pushes.map(({ kind, subjectId, version: of }) => [kind, subjectId, of]);
    expect(about.toSorted()).toEqual(
      [first, first, second]
        .map(({ bookingId }) => ["game-changed", bookingId, version])
        .toSorted(),
    );
    const compose = () => pushOf(database, "game-changed", [first.bookingId, version]);
    expect(await compose()).toMatchObject({
      title: "Your game has changed",
      body: "It is on Wed, Dec 2, 20:00, Harbour Cage, Helsinki. Free cancellation until Wed Dec 2, 20:00.",
      url: "/bookings",
      tag: `game-${gameId}`,
      isUrgent: true,
    });
    const cancellation = { ...first, now: NOW };
    await cancelBooking(database.db, database.jobs, cancellation);
    expect(await compose()).toBeNull();
  });

  test("a repeated form gets the first result and notifies nobody twice", async () => {
    const [gameId = "", next = ""] = series;
    const { bookingId } = await joined(gameId);
    const wish = { startTime: "20:00", following: true, confirmed: true, formKey: randomUUID() };
    const version = (await findPlannedGame(database.db, gameId))!.version;
    const saved = { ok: true, games: 4, notified: 1 };
    expect(await edit(gameId, { ...wish, version })).toEqual(saved);
    const before = await everything(database.db);
    expect(await edit(gameId, { ...wish, version })).toEqual(saved);
    expect(await everything(database.db)).toEqual(before);
    expect(await mailsOf(bookingId)).toHaveLength(1);
    // Gone back to and changed, it asks for something else.
    const changed = { ...wish, version, startTime: "21:00" };
    expect(await edit(gameId, changed)).toMatchObject({ ok: false, reason: "changed" });
    expect((await plansOf([next]))[0]?.startTime).toBe("20:00");
  });

  test("first returns whom it affects, without writing", async () => {
    const [gameId = ""] = series;
    await joined(gameId);
    await joined(gameId);
    const before = await everything(database.db);
    const result = await edit(gameId, { startTime: "20:00" });
    expect(result).toMatchObject({
      ...{ ok: false, reason: "unconfirmed" },
      effects: [{ gameId, players: 2, from: { startTime: "19:00" }, to: { startTime: "20:00" } }],
    });
    expect(await everything(database.db)).toEqual(before);
  });

  test.each<[string, EditWish]>([
    ["date", { date: "2026-12-03" }],
    ["end", { endTime: "20:45" }],
    ["venue", {}],
    ["capacity", { maxPlayers: 8 }],
    ["free or not", { isFirstSessionFree: true }],
  ])("confirmed (%s): each may leave for the full price, and is notified", async (field, wish) => {
    const [gameId = ""] = series;
    const { playerId, bookingId } = await joined(gameId);
    const change = field === "venue" ? { venueId: otherVenueId } : wish;
    expect(await edit(gameId, { ...change, confirmed: true })).toMatchObject({
      ok: true,
      notified: 1,
    });
    expect(await bookingsOf(database.db, gameId)).toMatchObject([
      { refund_hours: 0, refund_fee_eur: "0.00", price_eur: "10.00" },
    ]);
    expect(await mailsOf(bookingId)).toMatchObject([{ before: { venueId }, after: change }]);
    const lastMinute = new Date("2026-12-02T16:59:00Z");
    const cancelled = { bookingId, playerId, now: lastMinute };
    expect(await cancelBooking(database.db, database.jobs, cancelled)).toMatchObject({
      ...{ ok: true, creditsBackCents: 1_000 },
    });
    expect(await balanceCents(database.db, playerId)).toBe(10_000);
    expect((await checkBooks(database.db)).differences).toEqual([]);
  });

  test("a change of texts or displayed prices, or more spots, affects nobody", async () => {
    const [gameId = ""] = series;
    const { bookingId } = await joined(gameId);
    const words = { title: "Other", description: "New", priceCents: 900, maxPlayers: 14 };
    expect(await edit(gameId, words)).toMatchObject({ ok: true, notified: 0 });
    expect(await mailsOf(bookingId)).toEqual([]);
    expect(await bookingsOf(database.db, gameId)).toMatchObject([{ refund_hours: 24 }]);
  });

  test("a player who left before is not notified or refunded", async () => {
    const [gameId = ""] = series;
    const { playerId, bookingId } = await joined(gameId);
    await cancelBooking(database.db, database.jobs, { bookingId, playerId, now: NOW });
    expect(await edit(gameId, { startTime: "20:00" })).toMatchObject({ ok: true, notified: 0 });
    expect(await mailsOf(bookingId)).toEqual([]);
    expect(await bookingsOf(database.db, gameId)).toMatchObject([{ refund_hours: 24 }]);
  });

  test("two changes send two emails, each with its own details", async () => {
    const [gameId = ""] = series;
    const { bookingId } = await joined(gameId);
    await edit(gameId, { startTime: "20:00", confirmed: true });
    await edit(gameId, { startTime: "18:00", confirmed: true });
    const mails = await mailsOf(bookingId);
    expect(mails.map(({ before, after }) => [before.startTime, after.startTime]).sort()).toEqual([
      ["19:00", "20:00"],
      ["20:00", "18:00"],
    ]);
    expect(new Set(mails.map(({ version }) => version)).size).toBe(2);
  });
});

describe("this and following", () => {
  test("times shift; unchanged fields and earlier games stay", async () => {
    const [first = "", second = "", third = "", fourth = ""] = series;
    await edit(third, { startTime: "18:00", endTime: "19:30", title: "Its own" });
    const change = { date: "2026-12-10", startTime: "19:30", endTime: "21:30" };
    expect(await edit(second, { ...change, venueId: otherVenueId, following: true })).toEqual({
      ...{ ok: true, games: 3, notified: 0 },
    });
    const plans = await plansOf([first, second, third, fourth]);
    expect(plans.map((plan) => [plan.date, plan.startTime, plan.endTime, plan.title])).toEqual([
      ["2026-12-02", "19:00", "20:30", "Indoor futsal"],
      ["2026-12-10", "19:30", "21:30", "Indoor futsal"],
      ["2026-12-17", "18:30", "20:30", "Its own"],
      ["2026-12-24", "19:30", "21:30", "Indoor futsal"],
    ]);
    expect(plans.map((plan) => plan.venueId === otherVenueId)).toEqual([false, true, true, true]);
  });

  test("cancelled and completed ones stay as they are", async () => {
    const [first = "", second = "", third = ""] = series;
    await database.db
      .updateTable("games")
      .set({ status: "Cancelled" })
      .where("id", "=", second)
      .execute();
    expect(await edit(first, { maxPlayers: 12, following: true })).toMatchObject({ games: 3 });
    const plans = await plansOf([second, third]);
    expect(plans.map(({ maxPlayers }) => maxPlayers)).toEqual([10, 12]);
  });

  test("one game that is too full or lacks the time fails all", async () => {
    const third = series[2]!;
    for (let n = 0; n < 3; n += 1) await joined(third);
    const before = await everything(database.db);
    const wish = { following: true, confirmed: true };
    expect(await edit(series[0]!, { ...wish, maxPlayers: 2 })).toEqual({
      ...{
        ok: false,
        reason: "too-few-seats",
        date: "2026-12-16",
        players: 3,
        held: { offered: 0, forFriends: [], forPayers: [] },
      },
    });
    expect(
      await edit(series[0]!, { ...wish, date: "2027-03-14", startTime: "03:30", endTime: "05:00" }),
    ).toEqual({ ok: false, reason: "no-such-time", date: "2027-03-28", time: "03:30" });
    expect(await everything(database.db)).toEqual(before);
  });
});

describe("fails without writing:", () => {
  test("the second of two admins gets the first one's version", async () => {
    const [gameId = ""] = series;
    const { version } = (await findPlannedGame(database.db, gameId))!;
    await edit(gameId, { title: "First" });
    const before = await everything(database.db);
    expect(await edit(gameId, { title: "Second", version })).toMatchObject({
      ...{ ok: false, reason: "changed", version: version + 1 },
      current: { title: "First" },
    });
    expect(await everything(database.db)).toEqual(before);
  });

  test("a finished, cancelled or unknown game, or a start in the past", async () => {
    const [gameId = ""] = series;
    expect(await edit(gameId, { date: "2026-11-20" })).toMatchObject({ reason: "past" });
    const elsewhere = await edit(gameId, { venueId: crypto.randomUUID() });
    expect(elsewhere).toMatchObject({ reason: "no-venue" });
    const games = database.db.updateTable("games").where("id", "=", gameId);
    await games.set({ date: "2026-11-20" }).execute();
    expect(await edit(gameId, { title: "Late" })).toMatchObject({ reason: "started" });
    await games.set({ status: "Cancelled" }).execute();
    expect(await edit(gameId, { title: "Late" })).toMatchObject({ reason: "closed" });
    const wish = { plan: aPlan(venueId), version: 1, withFollowing: false, confirmed: true };
    for (const nowhere of [crypto.randomUUID(), "7"]) {
      const result = await editGame(database.db, database.jobs, {
        ...{ ...wish, gameId: nowhere, actorId, now: NOW },
      });
      expect(result).toEqual({ ok: false, reason: "not-found" });
    }
  });
});
