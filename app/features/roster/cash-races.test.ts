import { afterEach, describe, expect, test } from "vitest";
import { expectRightBooks } from "#test/books.ts";
import { useDatabase } from "#test/db.ts";
import { withoutLocks } from "#test/disable-locks.ts";
import { isLong } from "#test/long.ts";
import { withoutTimeouts } from "#test/no-timeouts.ts";
import { ada, aGame, aPlayer, ben, bookingsOf, NOW } from "#test/fixtures.ts";
import { seatsPaidByHand, TEN } from "#test/seats-paid-by-hand.ts";
import type { Db } from "#app/platform/db.server.ts";
import { addPlayer } from "./add-player.server.ts";
import { removePlayer } from "./roster.server.ts";

const database = useDatabase(20);
withoutTimeouts(database);
const { anUnpaidSeat, actionsOn } = seatsPaidByHand(database);
const ROUNDS = isLong ? 200 : 6;
const unlocked = () => database.db.withPlugin(withoutLocks);

afterEach(() => expectRightBooks(database));
/** "done", why not, or the guard of the database that kept it out. */
const outcome = (doing: Promise<{ ok: boolean; reason?: string }>) =>
  doing.then(
    (result) => (result.ok ? "done" : result.reason!),
    (error: { constraint?: string; code?: string }) => {
      if (error.code === DEADLOCK) return DEADLOCK;
      return error.constraint ?? String(error).replace(/^error: /, "");
    },
  );
// Without an order of locks, PostgreSQL may also end one of the two.
const DEADLOCK = "40P01";

async function actionsSince(bookingId: string, before: number) {
  return (await actionsOn(bookingId)).slice(before).map(({ action }) => action);
}

/** In up to 300 rounds without the lock, the first in which something else comes out. */
async function breaks(round: () => Promise<boolean>) {
  for (let n = 0; n < 300; n += 1) if (await round()) return;
  expect.fail("the property held in 300 rounds without its guard");
}

describe("of organisers who mark a seat paid at once", () => {
  /** Five, each with another amount. */
  async function fivePay(db: Db) {
    const { bookingId, pay, rows } = await anUnpaidSeat();
    const results = await Promise.all(
      [1, 2, 3, 4, 5].map((euros) =>
        pay(crypto.randomUUID(), { ...TEN, amountCents: euros * 100 }, db).then(
          (result) => (result.ok ? "noted" : result),
          (error: { constraint?: string }) => error.constraint ?? String(error),
        ),
      ),
    );
    return { results, rows: await rows(), recorded: await actionsSince(bookingId, 1) };
  }

  test("one is noted, with one entry, and the others are shown it", async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { results, rows, recorded } = await fivePay(database.db);
      expect(rows).toHaveLength(1);
      expect(recorded).toEqual(["booking.mark-paid"]);
      expect(results.filter((result) => result === "noted")).toHaveLength(1);
      const cash = { ...TEN, amountCents: Number(rows[0]!.amount_eur) * 100 };
      expect(results.filter((result) => result !== "noted")).toEqual(
        Array(4).fill({ ok: false, reason: "paid-already", cash }),
      );
    }
  });

  test("without the lock the database keeps the second payment out", async () => {
    await breaks(async () => {
      const { results, rows, recorded } = await fivePay(unlocked());
      expect([rows.length, recorded.length]).toEqual([1, 1]);
      return results.includes("cash_payments_one_live");
    });
  });
});

describe("of two organisers, one undoes a payment while the other marks the seat paid:", () => {
  async function undoneAndPaid(db: Db) {
    const { bookingId, pay, undo, rows, status } = await anUnpaidSeat();
    const [first, second] = [crypto.randomUUID(), crypto.randomUUID()];
    await pay(first);
    const [undone, paid] = await Promise.all([undo(first, "Mistake", db), pay(second, TEN, db)]);
    const live = (await rows()).filter(({ undone_at }) => undone_at === null);
    const recorded = await actionsSince(bookingId, 2);
    return { undone, paid, second, live, status: await status(), recorded };
  }

  test("neither is lost, and the log has what was done", async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { undone, paid, second, live, status, recorded } = await undoneAndPaid(database.db);
      expect(undone).toEqual({ ok: true, isIn: true });
      expect(paid).toEqual(
        paid.ok ? { ok: true } : { ok: false, reason: "paid-already", cash: TEN },
      );
      expect(live.map(({ id }) => id)).toEqual(paid.ok ? [second] : []);
      expect(status).toBe(paid.ok ? "Paid" : "Unpaid");
      const again = paid.ok ? ["booking.mark-paid"] : [];
      expect(recorded).toEqual(["booking.mark-unpaid", ...again]);
    }
  });

  test("without the lock the other is notified of a payment that is not there", async () => {
    await breaks(async () => {
      const { paid } = await undoneAndPaid(unlocked());
      return !paid.ok && paid.reason === "paid-already" && paid.cash === null;
    });
  });
});

describe("two organisers who undo the same payment at once", () => {
  type Kind = "Mistake" | "GivenBack";
  /** Undoes for a player who is in, or who was taken off the list. */
  async function bothUndo(db: Db, [one, other]: [Kind, Kind], isIn: boolean) {
    const { seat, bookingId, pay, undo, rows } = await anUnpaidSeat();
    const id = crypto.randomUUID();
    await pay(id);
    if (!isIn) await removePlayer(database.db, database.jobs, { ...seat, withRefund: false });
    const before = (await actionsOn(bookingId)).length;
    const results = await Promise.all([outcome(undo(id, one, db)), outcome(undo(id, other, db))]);
    const recorded = await actionsSince(bookingId, before);
    return { results, recorded, undone: (await rows()).map((row) => row.undone_kind) };
  }
  const CASES: [string, [Kind, Kind], boolean][] = [
    ["of a player who is in", ["Mistake", "Mistake"], true],
    ["as given back to a player who has left", ["GivenBack", "GivenBack"], false],
    ["one as never paid, the other as given back", ["Mistake", "GivenBack"], false],
  ];
  const ACTIONS = { Mistake: "booking.cash-mistake", GivenBack: "booking.cash-back" };

  test.each(CASES)("undo it once, with one entry: %s", async (_, kinds, isIn) => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { results, recorded, undone } = await bothUndo(database.db, kinds, isIn);
      const [kind] = undone as [Kind];
      expect(recorded).toEqual([isIn ? "booking.mark-unpaid" : ACTIONS[kind]]);
      const other = kind === "Mistake" ? "never-paid" : "given-back";
      expect(results).toEqual(kinds.map((wanted) => (wanted === kind ? "done" : other)));
    }
  });

  test.each(CASES)(
    "without the lock the database keeps the second out: %s",
    async (_, kinds, isIn) => {
      await breaks(async () => {
        const { results, recorded } = await bothUndo(unlocked(), kinds, isIn);
        expect(recorded).toHaveLength(1);
        return results.includes("cash_payments: a payment is only undone, once");
      });
    },
  );
});

describe("a seat that is marked unpaid while its player is removed", () => {
  async function removedAndUndone(db: Db) {
    const { seat, pay, undo, status, bookingId } = await anUnpaidSeat();
    const id = crypto.randomUUID();
    await pay(id);
    const removal = { ...seat, withRefund: false };
    await Promise.all([undo(id, "Mistake", db), removePlayer(db, database.jobs, removal)]);
    return { status: await status(), recorded: await actionsSince(bookingId, 2) };
  }

  test("stays free, and the log has both in their order", async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { status, recorded } = await removedAndUndone(database.db);
      expect(status).toBe("Cancelled");
      expect([
        ["booking.mark-unpaid", "booking.remove"],
        ["booking.remove", "booking.cash-mistake"],
      ]).toContainEqual(recorded);
    }
  });

  test("without the lock may be taken again, which nobody asked for", async () => {
    await breaks(async () => {
      const raced = await removedAndUndone(unlocked()).catch((error: { code?: string }) => {
        if (error.code === DEADLOCK) return null;
        throw error;
      });
      return raced?.status === "Unpaid";
    });
  });
});

describe("a player who came along, added as paid by hand by two organisers at once,", () => {
  async function bothAdd(db: Db) {
    const gameId = await aGame(database.db);
    const playerId = await ada(database.db);
    const organisers = [await ben(database.db), await ben(database.db)];
    const payment = { by: "cash", ...TEN } as const;
    const results = await Promise.all(
      organisers.map((actorId) =>
        outcome(addPlayer(db, database.jobs, { gameId, playerId, actorId, payment, now: NOW })),
      ),
    );
    const bookings = await bookingsOf(database.db, gameId);
    const recorded = await Promise.all(bookings.map(({ id }) => actionsSince(id, 0)));
    const rows = database.db.selectFrom("cash_payments").select("id");
    const ids = bookings.map(({ id }) => id);
    const payments = await rows.where("booking_id", "in", ids).execute();
    return { results, recorded: recorded.flat(), payments: payments.length };
  }
  const ONE = { recorded: ["booking.add", "booking.mark-paid"], payments: 1 };

  test("has one seat, one payment and one entry of each", async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { results, ...kept } = await bothAdd(database.db);
      expect(results.toSorted()).toEqual(["already-in", "done"]);
      expect(kept).toEqual(ONE);
    }
  });

  test("without the locks the database keeps the second seat out", async () => {
    await breaks(async () => {
      const { results, ...kept } = await bothAdd(unlocked());
      expect(kept).toEqual(ONE);
      return results.some((result) => /^bookings_/.test(result));
    });
  });
});

describe("the credits for one seat, with which two organisers add a player to two games at once,", () => {
  async function bothCharge(db: Db) {
    const games = [await aGame(database.db), await aGame(database.db)];
    const playerId = await aPlayer(database.db, { credits: 10 });
    const form = { playerId, actorId: await ben(database.db), now: NOW };
    const results = await Promise.all(
      games.map((gameId) =>
        outcome(
          addPlayer(db, database.jobs, { ...form, gameId, payment: { by: "credits" as const } }),
        ),
      ),
    );
    const bookings = (await Promise.all(games.map((id) => bookingsOf(database.db, id)))).flat();
    const recorded = await Promise.all(bookings.map(({ id }) => actionsSince(id, 0)));
    return { results, recorded: recorded.flat() };
  }

  test("buy one seat, with one entry", async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { results, recorded } = await bothCharge(database.db);
      expect(results.toSorted()).toEqual(["done", "not-enough-credits"]);
      expect(recorded).toEqual(["booking.add"]);
    }
  });

  test("without the locks the database keeps the balance from going below nothing", async () => {
    await breaks(async () => {
      const { results, recorded } = await bothCharge(unlocked());
      expect(recorded).toEqual(["booking.add"]);
      return !results.includes("not-enough-credits");
    });
  });
});
