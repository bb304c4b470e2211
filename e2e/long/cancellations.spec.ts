import { createHash, randomUUID } from "node:crypto";
import { sql } from "kysely";
import { cancelKey, readGames } from "#app/features/organise/cancel-games.server.ts";
import { type MailServer, openMailServer } from "#test/mail-server.ts";
import { expect, test } from "../fixtures.ts";
import { type Lists, openLists } from "../lists.ts";
import { addRaceGames, post } from "../players.ts";
import { type Processes, startProcesses } from "../processes.ts";
import { runCommand } from "../site.ts";

/*
 * A season is called off with one form, and the process that refunds is killed twice meanwhile. The
 * short form is app/features/organise/bulk-cancellations.test.ts.
 */
const GAMES = 100;
const PLAYERS = 100;
const PRICE = 10;
const WORKER = 1;
/** After so many games. */
const KILLS_AT = [30, 60];

test.describe.configure({ mode: "serial", timeout: 1_200_000 });
let mailServer: MailServer;
let processes: Processes;
let lists: Lists;
let gameIds: string[];
let formKey: string;

test.beforeAll(async () => {
  mailServer = await openMailServer();
  processes = await startProcesses(["web", "worker"], { SMTP_URL: mailServer.url });
  lists = openLists(processes);
  const players = await lists.players(PLAYERS, GAMES * PRICE);
  gameIds = await addRaceGames(lists.db, { count: GAMES, spots: PLAYERS });
  await fill(players.map(({ userId }) => userId));
});

test.afterAll(async () => {
  await processes?.stop();
  await mailServer?.close();
});

test("a hundred games of a hundred players are cancelled by one request that is answered in time", async () => {
  const games = await readGames(lists.db, gameIds);
  const shown = games.map((game) => `${game.id}:${cancelKey(game)}`).join(",");
  formKey = randomUUID();
  const form = { intent: "cancel", games: shown, formKey, message: "The hall is flooded." };
  const cookie = await lists.adminCookie();
  const path = `/admin/games/${games[0]!.id}/cancel`;
  const since = performance.now();
  expect(await post(lists.nextUrl(), path, cookie, form)).toBe(302);
  const answeredMs = Math.round(performance.now() - since);
  process.stdout.write(`cancelled: ${JSON.stringify({ answeredMs, done: await countDone() })}\n`);
  const { rows } = await sql<{ open: number }>`select count(*) as open from games
    where id = any(${gameIds}) and status <> 'Cancelled'`.execute(lists.db);
  expect(rows).toEqual([{ open: 0 }]);
});

test("the worker is killed twice, and goes on where it was", async () => {
  for (const at of KILLS_AT) {
    await expect.poll(countDone, { intervals: [20], timeout: 300_000 }).toBeGreaterThan(at);
    await processes.kill(WORKER);
    const done = await countDone();
    expect(done).toBeLessThan(GAMES);
    process.stdout.write(`killed: ${JSON.stringify({ done })}\n`);
    await processes.start(WORKER);
  }
  await expect.poll(countDone, { intervals: [100], timeout: 300_000 }).toBe(GAMES);
});

test("each player is refunded once for each game, and the books are right", async () => {
  const { rows } = await sql<{ status: string; refunds: number; bookings: number }>`
    select payment_status as status, refunds, count(*) as bookings from bookings
    cross join lateral (select count(*) as refunds from wallet_transactions
      where booking_id = bookings.id and type = 'refund' and amount_eur = ${PRICE}) entry
    where game_id = any(${gameIds}) group by 1, 2`.execute(lists.db);
  expect(rows).toEqual([{ status: "Refunded", refunds: 1, bookings: GAMES * PLAYERS }]);
  expect(await runCommand(processes.dataDir, "check-ledger.ts")).toContain("The books are right");
});

test("each player is notified once of each game, by one email or the same one again", async () => {
  const { rows } = await sql<{ id: string; jobs: number }>`
    select bookings.id, count(job.id) as jobs from bookings
    left join pgboss.job on name = 'mail.send' and data->>'kind' = 'game-cancelled' and data->>'bookingId' = bookings.id::text
    where game_id = any(${gameIds}) group by bookings.id`.execute(lists.db);
  expect(rows.filter(({ jobs }) => jobs !== 1)).toEqual([]);
  const wanted = new Set(rows.map(({ id }) => messageIdOf(id)));
  const taken = () => new Set(mailServer.taken.filter((id) => wanted.has(id))).size;
  // The emails on which a dead process worked are found after a minute.
  await expect.poll(taken, { intervals: [1_000], timeout: 900_000 }).toBe(GAMES * PLAYERS);
  const again = mailServer.taken.filter((id) => wanted.has(id)).length - taken();
  process.stdout.write(`emails: ${JSON.stringify({ taken: taken(), again })}\n`);
});

async function countDone(): Promise<number> {
  const { rows } = await sql<{ done: number }>`select count(*) as done
    from bulk_cancellation_games where cancellation_id = ${formKey} and finished_at is not null
    `.execute(lists.db);
  return rows[0]!.done;
}

/** All of them in all games, as their joins would have left it. */
async function fill(userIds: string[]): Promise<void> {
  await sql`
    with booking as (
      insert into bookings (user_id, game_id, payment_status, price_eur)
      select player, game, 'Paid', ${PRICE}
      from unnest(${userIds}::uuid[]) player, unnest(${gameIds}::uuid[]) game
      returning id, user_id
    ), entry as (
      insert into wallet_transactions (user_id, type, amount_eur, booking_id, business_key)
      select user_id, 'deduction', ${-PRICE}, id, 'deduction:' || id from booking
      returning id, user_id
    ), part as (
      insert into lot_entries (transaction_id, lot_id, amount_eur)
      select entry.id, credit_lots.id, ${-PRICE} from entry join credit_lots using (user_id)
    ), lot as (
      update credit_lots set remaining_eur = 0 where user_id = any(${userIds}::uuid[])
    )
    update profiles set wallet_balance_eur = 0 where user_id = any(${userIds}::uuid[])
    `.execute(lists.db);
}

/** Same id as app/platform/mail.server.ts makes. */
function messageIdOf(bookingId: string): string {
  const digest = createHash("sha256").update(`game-cancelled:${bookingId}`).digest("hex");
  return `<${digest.slice(0, 32)}@127.0.0.1>`;
}
