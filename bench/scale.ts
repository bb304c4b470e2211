import { sql } from "kysely";
import { connect } from "#app/platform/connect.server.ts";
import { connectWithoutLimits } from "#app/platform/db.server.ts";
import { type Server, startApp } from "./app-under-test.ts";
import { mustBe } from "./compare.ts";
import { loadFor, request } from "./load.ts";
import { median, printTable } from "./table.ts";
import {
  addPlayers,
  BOOKING,
  GAME,
  openScenario,
  PLAYER,
  sqlIdOf,
  type Scenario,
} from "./scenario.ts";

/** How many rows are added to the demo data; all of them lie in the past 1,500 days. */
export interface Size {
  players: number;
  games: number;
  bookings: number;
}

export const LARGE: Size = { players: 100_000, games: 100_000, bookings: 1_000_000 };
const PART = 5_000;
const ROUNDS = 7;

/** The pages on a database with a hundred times the rows, beside the demo data. */
export async function benchScale(dataDir: string): Promise<void> {
  await withTwoSites(dataDir, async (small, large) => {
    await fill(large.scenario, LARGE);
    const rows = [];
    for (const page of ["/events", "/events/{id}", "/bookings"]) {
      rows.push({ "signed in": page, ...(await compareP50(page, small, large)) });
    }
    printTable(
      "The pages with 100,000 games, 1,000,000 bookings, 100,000 players",
      rows.map((row) => ({ ...row, "to reach": "≤ 1.2" })),
    );
  });
}

export interface Site {
  app: Server;
  scenario: Scenario;
  gameId: string;
}

/** Two sites with demo data, to be filled differently; player 0 is signed in to both. */
export async function withTwoSites(
  dataDir: string,
  run: (small: Site, large: Site) => Promise<void>,
): Promise<void> {
  const small = await startSite(`${dataDir}-small`);
  const large = await startSite(dataDir);
  try {
    await run(small, large);
  } finally {
    for (const { scenario, app } of [small, large]) {
      await scenario.close();
      await app.stop();
    }
  }
}

async function startSite(dataDir: string): Promise<Site> {
  const app = await startApp(dataDir);
  const scenario = await openScenario(dataDir, 50);
  const { id } = await scenario.db
    .selectFrom("games")
    .select("id")
    .where("status", "=", "Published")
    .where("starts_at", ">", new Date())
    .where("seats_taken", ">", 3)
    .orderBy("date")
    .executeTakeFirstOrThrow();
  // The same short history on both sides: what differs is everybody else's.
  await sql`insert into bookings (user_id, game_id, payment_status)
    select ${sql.raw(sqlIdOf(PLAYER, "0"))}, id, 'Paid' from games
    where status = 'Published' and seats_taken between 1 and max_players - 1
    order by date, start_time limit 10`.execute(scenario.db);
  return { app, scenario, gameId: id };
}

/** Loaded with triggers off, then the seats counted: the rows are as the triggers leave them. */
export async function fill({ dataDir, pool }: Scenario, size: Size): Promise<void> {
  const { players, games, bookings } = size;
  // A part at a time: all of them in one statement take longer than a statement may.
  for (let n = 0; n < players; n += PART) {
    await addPlayers(pool, 1_000 + n, Math.min(PART, players - n));
  }
  const seats = bookings / games;
  await loadRows(dataDir, [
    `insert into games (id, title, date, start_time, end_time, status, max_players, venue_id,
       seats_taken)
     select ${sqlIdOf(GAME, "n")}, 'Indoor futsal', current_date - 1 - n % 1500, '18:00', '19:30',
       'Published', 12, (select id from venues order by name limit 1 offset n % 7), ${seats}
     from generate_series(1, ${games}) n`,
    `insert into bookings (id, user_id, game_id, payment_status, created_at)
     select ${sqlIdOf(BOOKING, "n")}, ${sqlIdOf(PLAYER, `1000 + (n * 7) % ${players}`)},
       ${sqlIdOf(GAME, `1 + (n - 1) / ${seats}`)}, 'Paid', now() - interval '30 days'
     from generate_series(1, ${bookings}) n`,
    "vacuum analyze",
  ]);
}

/** Runs statements for as long as they take, with triggers off. */
export async function loadRows(dataDir: string, statements: string[]): Promise<void> {
  const { pool, close } = await connect({ databaseUrl: undefined, dataDir });
  const client = await connectWithoutLimits(pool);
  await client.query("set session_replication_role = replica");
  for (const statement of statements) await client.query(statement);
  await client.end();
  await close();
}

/** One client at a time, in turns: the middle time of an answer, and how it grows. */
export async function compareP50(page: string, small: Site, large: Site) {
  const p50 = async ({ app, scenario, gameId }: Site) => {
    const path = page.replace("{id}", gameId);
    const round = await loadFor(app.port, 1, 1, request(path, { cookie: scenario.cookies[0] }));
    mustBe(round, 200);
    return round.p50;
  };
  const turns: { few: number; many: number }[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const few = await p50(small);
    const many = await p50(large);
    if (round > 0) turns.push({ few, many });
  }
  return {
    "few p50 ms": median(turns.map(({ few }) => few)),
    "many p50 ms": median(turns.map(({ many }) => many)),
    ratio: median(turns.map(({ few, many }) => many / few)),
  };
}
