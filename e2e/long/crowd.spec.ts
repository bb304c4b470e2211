import { connect, type Connection } from "#app/platform/connect.server.ts";
import { expect, test } from "../fixtures.ts";
import { addRaceGames, enterPlayer, join, type Player } from "../players.ts";
import { runCommand, type Site, startSite } from "../site.ts";

/* A thousand joins at once: those beyond the limit are asked to try again, and nothing breaks. */
const CROWD = 1_000;
const SPOTS = 10;

test.setTimeout(500_000);
let site: Site;
let database: Connection;

test.beforeAll(async () => {
  site = await startSite();
  database = await connect({ databaseUrl: undefined, dataDir: site.dataDir });
});

test.afterAll(async () => {
  await database?.close();
  await site?.stop();
});

test(`${CROWD} joins at once: 302, 409 or 503, the seats are right, and again until all know`, async () => {
  const players: Player[] = [];
  for (let n = 0; n < CROWD; n += 10) {
    const ten = Array.from({ length: 10 }, (_, m) => ({ name: `crowd${n + m}`, credits: 10 }));
    players.push(...(await Promise.all(ten.map((name) => enterPlayer(site, database, name)))));
  }
  const [game = ""] = await addRaceGames(database.db, { count: 1, spots: SPOTS });
  const rounds: object[] = [];
  let left = players;
  while (left.length > 0) {
    const begun = performance.now();
    const answers = await Promise.all(
      left.map(async (player) => {
        const status = await join(site.url, player, game);
        return { player, status, ms: Math.round(performance.now() - begun) };
      }),
    );
    const statuses = Object.groupBy(answers, ({ status }) => status);
    const counts = Object.entries(statuses).map(([status, all]) => [status, all?.length]);
    const slowestMs = Math.max(...answers.map(({ ms }) => ms));
    rounds.push({ ...Object.fromEntries(counts), slowestMs });
    process.stdout.write(`crowd: ${JSON.stringify(rounds.at(-1))}\n`);
    expect(Object.keys(statuses).filter((s) => !["302", "409", "503"].includes(s))).toEqual([]);
    left = (statuses[503] ?? []).map(({ player }) => player);
  }
  const { rows } = await database.pool.query<{ booked: number; seats: number }>(
    `select (select count(*) from bookings where game_id = $1 and payment_status = 'Paid') booked,
       (select seats_taken from games where id = $1) seats`,
    [game],
  );
  expect(rows).toEqual([{ booked: SPOTS, seats: SPOTS }]);
  expect(await runCommand(site.dataDir, "check-ledger.ts")).toContain("The books are right");
});
