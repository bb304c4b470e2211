import fc from "fast-check";
import { sql } from "kysely";
import type { Db } from "#app/platform/db.server.ts";
import { readEnv } from "#app/platform/env.server.ts";
import { paymentScenarios, type PaymentScenario } from "#test/payment-scenarios.ts";
import { paymentDifferences } from "#test/reconcile-assertions.ts";
import { deliverAll, deliveriesOf, type Journal } from "../webhook-delivery.ts";
import { expect, test } from "../fixtures.ts";
import { type RestartableSite, startRestartableSite, runCommand } from "../site.ts";
import { addRaceGames, enterPlayer, join, type Player, post } from "../players.ts";

/*
 * Payments of every kind, their events delivered one to five times in no order and some of them
 * long after all others, to a server that is killed meanwhile; players spend what they get. LONG=1
 * is the long form; SEED repeats the scenarios and the order of the deliveries.
 */
const SEED = Number(process.env.SEED ?? Date.now() % 2 ** 31);
const SCENARIOS = 1_000;
const KILLS = 20;
const PLAYERS = 50;

test.describe.configure({ mode: "serial" });
test.setTimeout(1_200_000);
let site: RestartableSite;
let scenarios: PaymentScenario[];
let journal: Journal;
const games: Record<string, number> = {};

test.beforeAll(async () => {
  site = await startRestartableSite();
});

test.afterAll(() => site?.stop());

test(`${SCENARIOS} payments, ${KILLS} kills`, async () => {
  process.stdout.write(`soak: seed ${SEED}\n`);
  const { database, dataDir, url } = site;
  const env = readEnv({ DEMO: "1", DATA_DIR: dataDir, APP_URL: url });
  const names = Array.from({ length: PLAYERS }, (_, n) => ({ name: `payer${n}`, credits: 0 }));
  const players = await Promise.all(names.map((name) => enterPlayer(site, database, name)));
  const userIds = players.map(({ userId }) => userId);
  const gameIds = await addRaceGames(database.db, { count: 60, spots: PLAYERS });
  const arbitrary = fc.noBias(scenarioOf(userIds));
  const [scenario] = fc.sample(arbitrary, { seed: SEED, numRuns: 1 });
  const { deliveries, kills, moves } = scenario!;
  ({ scenarios } = scenario!);
  journal = await deliverAll(site, {
    ...{ deliveries, kills, secret: env.stripeWebhookSecrets[0]! },
    between: async (n) => {
      const move = moves[n];
      if (move) await play(players[move.player]!, move, gameIds);
    },
  });
  const totals = { deliveries: deliveries.length, ...journal, games };
  process.stdout.write(`soak: ${JSON.stringify({ ...totals, inDebt: await countDebtors() })}\n`);
});

test("the kills have cut deliveries off, and nothing else has failed", () => {
  const { failures, kills } = journal;
  expect(kills).toBe(KILLS);
  expect(Object.values(failures).reduce((sum, n) => sum + n, 0)).toBeGreaterThanOrEqual(KILLS);
  expect(Object.keys(failures)).not.toContain("500");
  expect(Object.keys(games).filter((status) => /^5/.test(status))).toEqual([]);
});

test("grants equal what was paid, and the books are right", async () => {
  expect(await paymentDifferences(site.database.db, scenarios)).toEqual([]);
  expect(await runCommand(site.dataDir, "check-ledger.ts")).toContain("The books are right");
});

// Each breaks one thing, and the comparison has to name it.
for (const [what, statement, named] of [
  [
    "a grant given twice",
    sql<{ name: string }>`
      insert into wallet_transactions (user_id, type, amount_eur, business_key)
      select user_id, type, amount_eur, business_key || ':again' from wallet_transactions
      where business_key like 'payment:%' limit 1 returning business_key as name`,
    "unexpected: entry",
  ],
  [
    "a payment that nobody made",
    sql<{ name: string }>`
      insert into payments (stripe_object_id, user_id, pack_id, amount_eur, credits_eur)
      select 'cs_nobody', user_id, pack_id, amount_eur, credits_eur from payments limit 1
      returning stripe_object_id as name`,
    "unexpected: payment",
  ],
  [
    "an event deleted",
    sql<{ name: string }>`delete from stripe_events where id in (
      select id from stripe_events limit 1) returning id as name`,
    "missing: event",
  ],
  [
    "a cent left with who has the money back",
    sql<{ name: string }>`update payments set taken_back_eur = taken_back_eur - 0.01 where id in (
      select id from payments where subscription_id is null and taken_back_eur > owed_eur limit 1)
      returning stripe_object_id as name`,
    "payment",
  ],
  [
    "a subscription that never ends",
    sql<{ name: string }>`update subscriptions set status = 'unpaid' where id in (
      select id from subscriptions limit 1) returning id as name`,
    "missing: subscription",
  ],
] as const) {
  test(`the comparison sees ${what}`, async () => {
    const lines = await undone(site.database.db, async (tx) => {
      const { rows } = await statement.execute(tx);
      return [rows[0]?.name ?? "nothing", ...(await paymentDifferences(tx, scenarios))];
    });
    const [name = "", ...differences] = lines;
    expect(differences.join("\n")).toContain(`${named} ${name}`);
  });
}

/** Everything that chance decides: a seed repeats it. */
function scenarioOf(userIds: string[]) {
  const all = paymentScenarios({ count: SCENARIOS, userIds, now: new Date() });
  return all.filter(hasReturns).chain((made) =>
    deliveriesOf(made).chain((deliveries) =>
      fc.record({
        scenarios: fc.constant(made),
        deliveries: fc.constant(deliveries),
        kills: killsOf(deliveries.length),
        moves: fc.tuple(...deliveries.map(() => moveOf)),
      }),
    ),
  );
}

/** Single purchases whose money went back, some of them to who still has the credits. */
function hasReturns(made: PaymentScenario[]): boolean {
  const singles = made.filter(({ subscription }) => !subscription).flatMap(({ paid }) => paid);
  return singles.filter(({ returnedCents }) => returnedCents > 0).length > 2;
}

/** So many numbers of deliveries, spread over all of them, and when in each the kill comes. */
function killsOf(deliveries: number): fc.Arbitrary<Map<number, number>> {
  const share = Math.floor(deliveries / KILLS);
  const kills = Array.from({ length: KILLS }, (_, n) =>
    fc.tuple(
      fc.nat(share - 1).map((at) => n * share + at),
      fc.nat(15),
    ),
  );
  return fc.tuple(...kills).map((entries) => new Map(entries));
}

interface Move {
  player: number;
  joins: boolean;
  /** Index of the games to join or the bookings to cancel, counted round. */
  choice: number;
}

/** After one delivery in ten a player joins a game or cancels one. */
const moveOf: fc.Arbitrary<Move | null> = fc.oneof(
  { weight: 9, arbitrary: fc.constant(null) },
  {
    weight: 1,
    arbitrary: fc.record({
      player: fc.nat(PLAYERS - 1),
      joins: fc.nat(9).map((tenth) => tenth < 6),
      choice: fc.nat(999),
    }),
  },
);

/** A click that a kill swallows is not made again. */
async function play(player: Player, { joins, choice }: Move, gameIds: string[]): Promise<void> {
  const status = joins
    ? join(site.url, player, gameIds[choice % gameIds.length]!)
    : cancel(player, choice);
  const result = await status.catch(() => "cut off");
  games[result] = (games[result] ?? 0) + 1;
}

async function cancel(player: Player, choice: number): Promise<number | string> {
  const bookings = await site.database.db
    .selectFrom("bookings")
    .select("id")
    .where("user_id", "=", player.userId)
    .where("payment_status", "=", "Paid")
    .orderBy("id")
    .execute();
  const booking = bookings[choice % bookings.length];
  if (!booking) return "nothing to cancel";
  const form = { intent: "cancel", bookingId: booking.id };
  return post(site.url, "/bookings", player.cookie, form);
}

/** What comes out of a transaction that is rolled back. */
async function undone<T>(db: Db, run: (tx: Db) => Promise<T>): Promise<T> {
  const tx = await db.startTransaction().execute();
  try {
    return await run(tx);
  } finally {
    await tx.rollback().execute();
  }
}

function countDebtors(): Promise<{ wallets: number }> {
  return site.database.db
    .selectFrom("profiles")
    .select(({ fn }) => fn.countAll<number>().as("wallets"))
    .where("wallet_debt_eur", ">", "0")
    .executeTakeFirstOrThrow();
}
