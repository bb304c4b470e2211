import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import fc from "fast-check";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { checkBooks } from "#app/features/reports/check-books.server.ts";
import { projectRoot } from "#app/platform/root.server.ts";
import type { SentEvent } from "#app/routes/demo/stripe-objects.ts";
import { useDatabase } from "#test/db.ts";
import { ada, aGame, NOW } from "#test/fixtures.ts";
import { isLong } from "#test/long.ts";
import { withoutTimeouts } from "#test/no-timeouts.ts";
import { payingOf } from "#test/payment-holds.ts";
import { outcomeDifferences } from "#test/payment-outcomes.ts";
import { type Story, storyOf, playStory, type Outcome } from "#test/payment-stories.ts";
import { deliverEvents, somePacks } from "#test/payments.ts";
import { nowOf } from "#test/soak-clock.ts";
import { waitlistOf } from "#test/waitlist.ts";

/*
 * Stories of players who go to pay for a game, several at a time, on a clock on which an hour passes in a
 * second: in time, late, by a bank, twice, out of order or never, while others wait and cancel, organisers
 * move games and call them off, and the worker is killed. LONG=1 is the long form; SEED repeats the
 * stories, not the order in which they meet.
 */
const SEED = Number(process.env.SEED ?? Date.now() % 2 ** 31);
const [STORIES, KILLS, GAMES] = isLong ? [1_000, 20, 150] : [20, 1, 6];
const AT_ONCE = 12;
const database = useDatabase(20);
withoutTimeouts(database);
const clock = { from: NOW.getTime(), startedAt: Date.now(), speed: 3_600 };
const outcomes: Outcome[] = [];
let worker: ChildProcess;

/** Until it has swept once: starting may take it longer than the stories. */
async function startWorker(): Promise<void> {
  const script = path.join(projectRoot, "test", "payment-worker.ts");
  const args = [script, JSON.stringify(database.connection), JSON.stringify(clock)];
  worker = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const { stdout } = worker;
  // The next kill may come before.
  await Promise.race([once(stdout!, "data"), once(worker, "exit")]);
  stdout!.resume();
}

async function killWorker(): Promise<void> {
  worker.kill("SIGKILL");
  if (worker.exitCode === null && worker.signalCode === null) await once(worker, "exit");
}

beforeAll(async () => {
  await somePacks(database.db);
  clock.startedAt = Date.now();
});
afterAll(killWorker);

test(`${STORIES} stories, ${KILLS} kills (SEED=${SEED})`, async () => {
  const { db } = database;
  const stories = fc.sample(fc.noBias(storyOf), { seed: SEED, numRuns: STORIES });
  const gameIds = await someGames();
  const [actor, last]: [string, SentEvent[]] = [await ada(db), []];
  const killAt = new Set(Array.from({ length: KILLS }, (_, n) => middleOf(n)));
  await startWorker();
  const queue = stories.entries();
  const play = async () => {
    for (const [n, story] of queue) {
      // What takes place soon is what others want as well.
      const games = story.games.map((game) => Math.floor((n / STORIES) * GAMES) + (game % 4));
      const scene = { database, clock, gameIds, actor, last };
      outcomes.push(await playStory(scene, { ...story, games: games as Story["games"] }));
      if (!killAt.has(n)) continue;
      await killWorker();
      await startWorker();
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, play));
  for (const event of last.toReversed()) await deliverEvents(database, event, nowOf(clock));
  expect(worker.exitCode).toBeNull();
  await killWorker();
  await finish();
  process.stdout.write(`payment soak: ${JSON.stringify(await countOutcomes())}\n`);
  expect(await outcomeDifferences(db, outcomes)).toEqual([]);
  expect((await checkBooks(db)).differences).toEqual([]);
  expect(worker.signalCode).toBe("SIGKILL");
});

const middleOf = (kill: number) => Math.floor(((kill + 0.5) * STORIES) / KILLS);

/** On a busy machine some have begun before their stories do. */
async function someGames(): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < GAMES + 4; n += 1) {
    ids.push(await aGame(database.db, { startsIn: 30 + 2 * n, spots: 1 + (n % 4) }));
  }
  return ids;
}

/** All that the queues and sweeps would do once the holds are over. */
async function finish(): Promise<void> {
  const end = new Date(nowOf(clock).getTime() + 3_600_000);
  const paying = payingOf(database);
  for (let turn = 0; turn < 3; turn += 1) {
    await paying.work(end);
    await paying.sweepPaid(end);
    await paying.sweep(end);
    await waitlistOf(database).sweep(end);
  }
}

async function countOutcomes() {
  const { rows } = await database.pool.query<{ what: string; count: number }>(
    `select concat_ws(' ', status, case when paid_at is not null then 'paid' end, declined_reason)
       as what, count(*)::int from payment_holds group by 1 order by 1`,
  );
  const counts = Object.fromEntries(rows.map(({ what, count }) => [what, count]));
  const hours = (Date.now() - clock.startedAt) / 1_000;
  return { seed: SEED, stories: outcomes.length, kills: KILLS, hours, ...counts };
}

const UNGUARDED = sql`alter table games drop constraint games_seats_within_capacity,
  drop constraint games_spots_within_capacity`;

// Each breaks one thing, and the comparison has to name it.
test.each([
  [
    "a payer who is neither in nor has the credits",
    `update bookings set payment_status = 'Cancelled', cancelled_at = now() where id = (
       select hold.id from payment_holds hold join bookings on bookings.id = hold.id
       where status = 'Booked' and payment_status = 'Paid' limit 1)
     returning user_id as name`,
    "due, has",
  ],
  [
    "a payment that was granted to nobody",
    `update payments set stripe_object_id = 'cs_nobody' where id = (select id from payments limit 1)
     returning user_id as name`,
    "wrong grants",
  ],
  [
    "a paid spot that nobody has booked or declined",
    `update payment_holds set status = 'Lapsed' where id = (
       select id from payment_holds where status = 'Booked' and paid_at is not null limit 1)
     returning id as name`,
    "neither booked nor declined",
  ],
  [
    "a game that is oversold",
    `update games set max_players = seats_taken - 1 where id = (
       select id from games where seats_taken > 1 limit 1) returning id as name`,
    "oversold",
  ],
])("the comparison sees %s", async (_, statement, named) => {
  const tx = await database.db.startTransaction().execute();
  try {
    await UNGUARDED.execute(tx);
    const broken = await sql.raw<{ name: string }>(statement).execute(tx);
    const lines = await outcomeDifferences(tx, outcomes);
    const { name } = broken.rows[0]!;
    expect(lines.find((line) => line.includes(named) && line.includes(name))).toBeDefined();
  } finally {
    await tx.rollback().execute();
  }
});
