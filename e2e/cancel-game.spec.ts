import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { sql } from "kysely";
import { makeAdmin } from "#app/features/accounts/account-status.server.ts";
import { expect, test } from "./fixtures.ts";
import { type RestartableSite, startRestartableSite, runCommand } from "./site.ts";
import { addRaceGames, enterPlayer, join, type Player, post } from "./players.ts";
import { isLong } from "#test/long.ts";

/*
 * An organiser calls a game off and the server is killed half-way through the refunds; LONG=1 has
 * more players, and kills it once more half-way through the mails.
 */
const PLAYERS = isLong ? 200 : 10;
const AT_ONCE = 10;

test.describe.configure({ mode: "serial" });
test.setTimeout(isLong ? 600_000 : 120_000);
let site: RestartableSite;
let admin: Player;
let players: Player[];
let gameId: string;

test.beforeAll(async () => {
  site = await startRestartableSite();
  const { database, url } = site;
  admin = await enterPlayer(site, database, { name: "organiser", credits: 0 });
  await makeAdmin(database.db, "organiser@uni.example", "command");
  [gameId = ""] = await addRaceGames(database.db, { count: 1, spots: PLAYERS });
  players = [];
  for (let n = 0; n < PLAYERS; n += AT_ONCE) {
    const names = Array.from({ length: AT_ONCE }, (_, i) => `rained-off-${n + i}`);
    const entered = names.map((name) => enterPlayer(site, database, { name, credits: 10 }));
    players.push(...(await Promise.all(entered)));
    const joins = players.slice(-AT_ONCE).map((player) => join(url, player, gameId));
    expect(await Promise.all(joins)).toEqual(joins.map(() => 302));
  }
});

test.afterAll(() => site?.stop());

test("killed before the last refund, nothing has happened", async () => {
  const { db } = site.database;
  // Wallets are refunded in the order of their users: the last one is held until the server dies.
  const last = players.map(({ userId }) => userId).sort()[PLAYERS - 1]!;
  const hold = await db.startTransaction().execute();
  await sql`select from profiles where user_id = ${last} for update`.execute(hold);
  const cancelling = cancel().catch(() => "cut off");
  await expect.poll(countWaiting, { timeout: 60_000 }).toBe(1);
  await site.kill();
  expect(await cancelling).toBe("cut off");
  await hold.rollback().execute();
  expect(await gameStatus()).toBe("Published");
  expect(await refunds()).toEqual([]);
});

test("each player is refunded and notified once, however often the cancellation is repeated", async () => {
  expect(await cancel()).toBe(302);
  if (isLong) {
    await expect.poll(() => notifiedPlayers().length, { intervals: [10] }).toBeGreaterThan(0);
    await site.kill();
  }
  expect(await cancel()).toBe(409);
  await expect.poll(() => notifiedPlayers().length, { timeout: 200_000 }).toBe(PLAYERS);
  expect(new Set(notifiedPlayers()).size).toBe(PLAYERS);
  expect(await gameStatus()).toBe("Cancelled");
  expect(await refunds()).toEqual(players.map(({ userId }) => `${userId} 10.00`).sort());
  expect(await runCommand(site.dataDir, "check-ledger.ts")).toContain("The books are right");
});

const cancel = () => post(site.url, `/admin/games/${gameId}`, admin.cookie, { intent: "cancel" });

/** How many of the server's transactions wait for a locked row. */
async function countWaiting(): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from pg_stat_activity
    where wait_event_type = 'Lock' and query like '%profiles%'`.execute(site.database.db);
  return rows[0]!.n;
}

async function gameStatus(): Promise<string | undefined> {
  const game = site.database.db.selectFrom("games").select("status").where("id", "=", gameId);
  return (await game.executeTakeFirst())?.status;
}

/** Every refund of this game: to whom, and how much. */
async function refunds(): Promise<string[]> {
  const entries = await site.database.db
    .selectFrom("wallet_transactions as entry")
    .innerJoin("bookings", "bookings.id", "entry.booking_id")
    .select(["entry.user_id", "amount_eur"])
    .where("game_id", "=", gameId)
    .where("entry.type", "=", "refund")
    .execute();
  return entries.map(({ user_id, amount_eur }) => `${user_id} ${amount_eur}`).sort();
}

/** To whom a mail says that the game is off, a name for each mail. */
function notifiedPlayers(): string[] {
  const folder = path.join(site.dataDir, "outbox");
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith(".eml"))
    .map((name) => readFileSync(path.join(folder, name), "utf8"))
    .filter((mail) => /^Subject: Game cancelled/m.test(mail))
    .map((mail) => /^To: (.*)$/m.exec(mail)?.[1] ?? "nobody");
}
