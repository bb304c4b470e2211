import { sql } from "kysely";
import { connect } from "../app/platform/connect.server.ts";
import { type Server, startApp } from "./app-under-test.ts";
import { mustBe } from "./compare.ts";
import { loadFor, request } from "./load.ts";
import { median, printTable } from "./table.ts";
import { addPlayers, BOOKING, GAME, openWorld, PLAYER, sqlIdOf, type World } from "./world.ts";

const PLAYERS = 100_000;
const GAMES = 100_000;
const BOOKINGS = 1_000_000;
const PART = 5_000;
const ROUNDS = 7;

/** The pages on a database with a hundred times the rows, beside the demo world. */
export async function benchScale(_: Server, __: World, dataDir: string): Promise<void> {
  await compareAtScale(dataDir, {
    title: "The pages with 100,000 games, 1,000,000 bookings, 100,000 players",
    pages: ["/events", "/events/{id}", "/bookings"],
    toReach: "≤ 1.2",
  });
}

interface Comparison {
  title: string;
  pages: string[];
  /** The ratio that each of them is to keep. */
  toReach: string;
  /** What else stands in both worlds, and what else in the large one. */
  prepare?: (world: World) => Promise<void>;
  fillMore?: (world: World) => Promise<void>;
}

/** Player 0 opens pages on the demo world and on the large one, in turns. */
export async function compareAtScale(
  dataDir: string,
  { title, pages, toReach, prepare, fillMore }: Comparison,
): Promise<void> {
  const small = await startPlace(`${dataDir}-demo`);
  const large = await startPlace(dataDir);
  try {
    await fill(large.world);
    await fillMore?.(large.world);
    for (const { world } of [small, large]) await prepare?.(world);
    const rows = [];
    for (const page of pages) {
      rows.push({ ...(await comparePage(page, small, large)), "to reach": toReach });
    }
    printTable(title, rows);
  } finally {
    for (const { world, app } of [small, large]) {
      await world.close();
      await app.stop();
    }
  }
}

interface Place {
  app: Server;
  world: World;
  gameId: string;
}

async function startPlace(dataDir: string): Promise<Place> {
  const app = await startApp(dataDir);
  const world = await openWorld(dataDir, 50);
  const { id } = await world.db
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
    order by date, start_time limit 10`.execute(world.db);
  return { app, world, gameId: id };
}

/** Loaded with triggers off, then the seats counted: the rows are as the triggers leave them. */
async function fill({ dataDir, pool }: World): Promise<void> {
  // A part at a time: all of them in one statement take longer than a statement may.
  for (let n = 0; n < PLAYERS; n += PART) await addPlayers(pool, 1_000 + n, PART);
  await loadRows(dataDir, [
    `insert into games (id, title, date, start_time, end_time, status, max_players, venue_id,
       seats_taken)
     select ${sqlIdOf(GAME, "n")}, 'Indoor futsal', current_date - 1 - n % 1500, '18:00', '19:30',
       'Published', 12, (select id from venues order by name limit 1 offset n % 7),
       ${BOOKINGS / GAMES}
     from generate_series(1, ${GAMES}) n`,
    `insert into bookings (id, user_id, game_id, payment_status, created_at)
     select ${sqlIdOf(BOOKING, "n")}, ${sqlIdOf(PLAYER, `1000 + (n * 7) % ${PLAYERS}`)},
       ${sqlIdOf(GAME, `1 + (n - 1) / ${BOOKINGS / GAMES}`)}, 'Paid', now() - interval '30 days'
     from generate_series(1, ${BOOKINGS}) n`,
    "vacuum analyze",
  ]);
}

/** Runs statements for as long as they take, with triggers off. */
export async function loadRows(dataDir: string, statements: string[]): Promise<void> {
  const { pool, close } = await connect({ databaseUrl: undefined, dataDir });
  const client = await pool.connect();
  const settings = ["set statement_timeout = 0", "set session_replication_role = replica"];
  for (const statement of [...settings, ...statements]) await client.query(statement);
  client.release(true);
  await close();
}

/** One client at a time, in turns: the middle time of an answer, and how it grows. */
async function comparePage(page: string, small: Place, large: Place) {
  const p50 = async ({ app, world, gameId }: Place) => {
    const path = page.replace("{id}", gameId);
    const round = await loadFor(app.port, 1, 1, request(path, { cookie: world.cookies[0] }));
    mustBe(round, 200);
    return round.p50;
  };
  const turns: { demo: number; scaled: number }[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const demo = await p50(small);
    const scaled = await p50(large);
    if (round > 0) turns.push({ demo, scaled });
  }
  return {
    "signed in": page,
    "demo p50 ms": median(turns.map(({ demo }) => demo)),
    "scaled p50 ms": median(turns.map(({ scaled }) => scaled)),
    ratio: median(turns.map(({ demo, scaled }) => scaled / demo)),
  };
}
