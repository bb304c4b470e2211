import { beforeAll, expect, test } from "vitest";
import { useDatabase } from "#test/db.ts";
import { withoutLocks, withoutRowConditions, withoutWaitlist } from "#test/disable-locks.ts";
import { balanceCents } from "#test/fixtures.ts";
import { heldCount } from "#test/holds.ts";
import { withoutTimeouts } from "#test/no-timeouts.ts";
import {
  joinOrHold,
  lateMoney,
  manyTabs,
  moneyAtTheEnd,
  moneyOnceCounted,
  oneAfterTheOther,
  payerWaitsToo,
} from "#test/payment-hold-races.ts";
import { paymentStatuses } from "#test/payment-holds.ts";
import { somePacks } from "#test/payments.ts";
import { checkBooks } from "#app/features/reports/check-books.server.ts";
import { isLong } from "#test/long.ts";

const ROUNDS = isLong ? 100 : 6;
const database = useDatabase(20);
withoutTimeouts(database);
beforeAll(() => somePacks(database.db));
const guarded = () => ({ database, unguarded: database.db });
const lockless = () => ({ database, unguarded: database.db.withPlugin(withoutLocks) });
const conditionless = () => ({
  database,
  unguarded: database.db.withPlugin(withoutRowConditions),
});
const rounds = async (run: (round: number) => Promise<void>) => {
  for (let round = 0; round < ROUNDS; round += 1) await run(round);
  expect((await checkBooks(database.db)).differences).toEqual([]);
};

test("money at the instant at which the spot lapses: the payer is in, or has the credits", () =>
  rounds(async (round) => {
    const { gameId, payer, waiter, players } = await moneyAtTheEnd(guarded(), round);
    expect([[payer], [waiter]]).toContainEqual(players);
    expect(await balanceCents(database.db, payer)).toBe(players[0] === payer ? 0 : 1_000);
    expect(await heldCount(database.db, gameId)).toBe(0);
    const [status] = await paymentStatuses(database.db, payer);
    expect(status).toBe(players[0] === payer ? "Booked" : "Declined");
  }));

test.each(["has lapsed", "was given back"] as const)(
  "money for a spot that %s never passes who waits, while the spot goes to them",
  (end) =>
    rounds(async (round) => {
      const { payer, player, others } = await lateMoney(guarded(), round, end);
      expect({ player, others }).toEqual({ player: "who waits", others: 0 });
      expect(await balanceCents(database.db, payer)).toBe(1_000);
      const status = end === "has lapsed" ? "Declined" : "GivenBack";
      expect(await paymentStatuses(database.db, payer)).toEqual([status]);
    }),
);

test("money that comes first keeps its spot from the lapse that waits for its row", async () => {
  const { isIn, payer } = await oneAfterTheOther(guarded(), "money", "lapse");
  expect(isIn).toBe(true);
  expect(await balanceCents(database.db, payer)).toBe(0);
});

test("money that waits for the lapse stays as credits, and the payer is notified", async () => {
  const { waiterIsIn, payer, hold, isNotified } = await oneAfterTheOther(
    guarded(),
    "lapse",
    "money",
  );
  expect({ waiterIsIn, isNotified }).toEqual({ waiterIsIn: true, isNotified: true });
  expect(hold).toMatchObject({ status: "Declined", declined_reason: "full" });
  expect(await balanceCents(database.db, payer)).toBe(1_000);
});

test("a spot that is paid for is no longer given back, and books", async () => {
  const { isIn, result } = await oneAfterTheOther(guarded(), "money", "stop");
  expect({ isIn, result }).toEqual({ isIn: true, result: { ok: false, reason: "not-paying" } });
});

test("money that waits for a spot that is given back pays for no game", async () => {
  const { waiterIsIn, payer, hold } = await oneAfterTheOther(guarded(), "stop", "money");
  expect(waiterIsIn).toBe(true);
  expect(hold).toMatchObject({ status: "GivenBack", session_id: null, paid_at: null });
  expect(await balanceCents(database.db, payer)).toBe(1_000);
});

test("money never waits for a lapse that waits for its wallet", async () => {
  const { payer, outcome, bookings } = await payerWaitsToo(guarded());
  expect(outcome).toEqual(["applied"]);
  expect(bookings.filter(({ payment_status }) => payment_status === "Paid")).toMatchObject([
    { user_id: payer },
  ]);
  expect(await balanceCents(database.db, payer)).toBe(1_000);
});

test.each(["a join", "a payer", "a friend's holder", "an organiser"] as const)(
  "money for a spot that %s has counted as over books all the same",
  async (by) => {
    const { result, players, expected } = await moneyOnceCounted({ database }, by);
    expect({ result, players }).toEqual({ result: "full", players: expected });
  },
);

test("the last spot is joined or held, never both", () =>
  rounds(async (round) => {
    expect([
      ["full", "held"],
      ["full", "joined"],
    ]).toContainEqual(await joinOrHold(guarded(), round));
  }));

test("many tabs hold one spot between them", () =>
  rounds(async () => {
    const { payer, games, results } = await manyTabs(guarded());
    expect(new Set(results)).toEqual(new Set(["held"]));
    const statuses = await paymentStatuses(database.db, payer);
    expect(statuses.filter((status) => status === "Held")).toHaveLength(1);
    const held = await Promise.all(games.map((id) => heldCount(database.db, id)));
    expect(held[0]! + held[1]!).toBeLessThanOrEqual(1);
  }));

/** Repeats a round until it breaks the property; fails where it never does. */
async function breaks(round: (turn: number) => Promise<boolean>) {
  for (let turn = 0; turn < 200; turn += 1) if (await round(turn)) return;
  expect.fail("the property held in 200 rounds without its guard");
}

test("without the waitlist's rule late money passes who waits", () =>
  breaks(async (turn) => {
    const unruled = { database, unguarded: database.db.withPlugin(withoutWaitlist) };
    return (await lateMoney(unruled, turn, "has lapsed")).player === "who pays late";
  }));

test("without locks the last spot is joined and held, and the constraint throws", () =>
  breaks(async (turn) =>
    (await joinOrHold(lockless(), turn)).includes("games_spots_within_capacity"),
  ));

test("without locks tabs hold several spots, and the index or a deadlock throws", () =>
  breaks(async () => (await manyTabs(lockless())).results.some((result) => result !== "held")));

test("without the row's condition a spot that was paid for lapses", async () => {
  const { isIn, waiterIsIn } = await oneAfterTheOther(conditionless(), "money", "lapse");
  expect({ isIn, waiterIsIn }).toEqual({ isIn: false, waiterIsIn: true });
});

// The wallet's lock keeps these apart before they come to the row.
const unguarded = () => ({
  database,
  unguarded: database.db.withPlugin(withoutLocks).withPlugin(withoutRowConditions),
});

test("without lock and condition who has paid is neither in nor notified", async () => {
  const { isIn, isNotified, result } = await oneAfterTheOther(unguarded(), "money", "stop");
  expect({ isIn, isNotified, result }).toEqual({
    isIn: false,
    isNotified: false,
    result: { ok: true, isUnderWay: true },
  });
});

test("without lock and condition money pays for what was given back", async () => {
  const { hold } = await oneAfterTheOther(unguarded(), "stop", "money");
  expect(hold).toMatchObject({ status: "GivenBack", paid_at: expect.any(Date) });
});
