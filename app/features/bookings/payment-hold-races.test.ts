import { beforeAll, expect, test } from "vitest";
import { useDatabase } from "#test/db.ts";
import { withoutLocks } from "#test/disable-locks.ts";
import { balanceCents } from "#test/fixtures.ts";
import { heldCount } from "#test/holds.ts";
import { withoutTimeouts } from "#test/no-timeouts.ts";
import { joinOrHold, manyTabs, moneyAtTheEnd } from "#test/payment-hold-races.ts";
import { paymentStatuses } from "#test/payment-holds.ts";
import { somePacks } from "#test/payments.ts";
import { checkBooks } from "#app/features/reports/check-books.server.ts";
import { isLong } from "#test/long.ts";

const ROUNDS = isLong ? 100 : 12;
const database = useDatabase(20);
withoutTimeouts(database);
beforeAll(() => somePacks(database.db));
const guarded = () => ({ database, unguarded: database.db });
const lockless = () => ({ database, unguarded: database.db.withPlugin(withoutLocks) });
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

test("without locks the last spot is joined and held, and the constraint throws", () =>
  breaks(async (turn) =>
    (await joinOrHold(lockless(), turn)).includes("games_spots_within_capacity"),
  ));

test("without locks tabs hold several spots, and the index or a deadlock throws", () =>
  breaks(async () => (await manyTabs(lockless())).results.some((result) => result !== "held")));
