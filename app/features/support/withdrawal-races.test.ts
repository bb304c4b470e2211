import { beforeAll, describe, expect, test } from "vitest";
import { useDatabase } from "#test/db.ts";
import { withoutTimeouts } from "#test/no-timeouts.ts";
import { somePacks, deliverEvents } from "#test/payments.ts";
import { aBuyer, reject, type Stated, takeBack, withdraw } from "#test/withdrawals.ts";
import { withoutLocks } from "#test/disable-locks.ts";
import { aGame, balanceCents, NOW } from "#test/fixtures.ts";
import { checkBooks } from "#app/features/reports/check-books.server.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import { isLong } from "#test/long.ts";

const database = useDatabase(12);
withoutTimeouts(database);
type Scenario = Pick<typeof database, "db" | "jobs">;
const lockless = {} as Scenario;
beforeAll(async () => {
  await somePacks(database.db);
  Object.assign(lockless, { db: database.db.withPlugin(withoutLocks), jobs: database.jobs });
});
const ROUNDS = isLong ? 200 : 8;
/** A race without its guard goes wrong sooner or later; it is run until then. */
const ENOUGH = 300;

type Player = Awaited<ReturnType<typeof aBuyer>>;

/** Begins all at once; what is thrown is an end as well. */
async function atOnce<T>(...actions: (() => Promise<T>)[]): Promise<(T | Error)[]> {
  return Promise.all(actions.map((action) => action().catch((error: Error) => error)));
}

/** Runs a race until an end of it is wrong, at most so often; answers whether one was. */
async function goesWrong(race: () => Promise<boolean>, rounds: number): Promise<boolean> {
  for (let round = 0; round < rounds; round += 1) if (!(await race())) return true;
  return false;
}

/** The same credits are played or withdrawn, and nobody is answered with a crash. */
async function joinOrWithdraw(at: Scenario): Promise<boolean> {
  const [player, gameId] = [await aBuyer(database), await aGame(database.db)];
  const ends = await atOnce<unknown>(
    () => joinGame(at.db, database.jobs, { gameId, playerId: player.userId, now: NOW }),
    () => withdraw(at, player),
  );
  const [joined, withdrawn] = ends as [{ ok?: boolean } | Error, object | Error | null];
  if (joined instanceof Error || withdrawn instanceof Error) return false;
  return (joined.ok === true) !== (withdrawn !== null) && (await isEven(player, 0));
}

async function withdrawTwice(at: Scenario): Promise<boolean> {
  const player = await aBuyer(database);
  const ends = await atOnce(
    () => withdraw(at, player),
    () => withdraw(at, player),
  );
  const done = ends.filter((end) => end !== null);
  return done.length === 1 && !(done[0] instanceof Error) && (await isEven(player, 0));
}

/** However it ends, the money is back and the credits are gone. */
async function takeBackOrRefund(at: Scenario): Promise<boolean> {
  const player = await aBuyer(database);
  const stated = (await withdraw(database, player))!;
  const ends = await atOnce<unknown>(
    () => takeBack(at, stated),
    () => deliverEvents(at, player.pack.refunded(999)),
  );
  return !ends.some((end) => end instanceof Error) && (await isEven(player, 0));
}

async function rejectOrTakeBack(at: Scenario): Promise<boolean> {
  const player = await aBuyer(database);
  const stated: Stated = (await withdraw(database, player))!;
  const ends = await atOnce(
    () => reject(at, stated),
    () => takeBack(at, stated),
  );
  const done = ends.filter((end) => !(end instanceof Error) && end.ok);
  return done.length === 1 && (await isEven(player, 1_000));
}

async function isEven({ userId }: Player, cents: number): Promise<boolean> {
  return (await balanceCents(database.db, userId)) === cents;
}

const RACES: [string, (at: Scenario) => Promise<boolean>][] = [
  ["a join and a withdrawal of the same credits", joinOrWithdraw],
  ["the same withdrawal twice", withdrawTwice],
  ["taking it back and its refund", takeBackOrRefund],
  ["rejecting it and taking it back", rejectOrTakeBack],
];

describe("at once:", () => {
  test.each(RACES)("%s", { timeout: 300_000 }, async (_, race) => {
    expect(await goesWrong(() => race(database), ROUNDS)).toBe(false);
    expect((await checkBooks(database.db)).differences).toEqual([]);
  });
});

describe("without the locks it fails:", () => {
  test.each(RACES)("%s", { timeout: 300_000 }, async (_, race) => {
    expect(await goesWrong(() => race(lockless), ENOUGH)).toBe(true);
  });
});
