import { sql } from "kysely";
import type { Server } from "./app-under-test.ts";
import { ask, request } from "./load.ts";
import { statementsOf } from "./statements.ts";
import { printTable } from "./table.ts";
import { BOOKING, GAME, idOf, PLAYER, sqlIdOf, stageGames, type Scenario } from "./scenario.ts";

const FIRST = 500;
const VIEWER = 4_000;

/** SQL statements a page, with few and with many rows to show: the number must not grow. */
export async function benchQueries(app: Server, scenario: Scenario): Promise<void> {
  const few = await countAll(app, scenario, 5);
  const many = await countAll(app, scenario, 40);
  printTable(
    "SQL statements a page",
    Object.keys(few).map((page) => ({
      page,
      "5 rows": `${few[page]}`,
      "40 rows": `${many[page]}`,
      constant: few[page] === many[page] ? "yes" : "NO",
    })),
  );
}

/** That many games on the list, that many players in one, that many bookings of one player. */
async function countAll(app: Server, scenario: Scenario, rows: number) {
  const from = FIRST + rows;
  await stageGames(scenario.pool, { from, count: rows, seats: 60 });
  await sql`insert into bookings (id, user_id, game_id, payment_status)
    select ${sql.raw(sqlIdOf(BOOKING, `${from} * 1000 + n`))}, ${idOf(PLAYER, VIEWER)},
      ${sql.raw(sqlIdOf(GAME, `${from} + n`))}, 'Paid' from generate_series(0, ${rows - 1}) n
    union all
    select ${sql.raw(sqlIdOf(BOOKING, `${from} * 1000 + 500 + n`))},
      ${sql.raw(sqlIdOf(PLAYER, `${VIEWER} + n`))}, ${idOf(GAME, from)}, 'Paid'
    from generate_series(1, ${rows - 1}) n`.execute(scenario.db);
  const cookie = scenario.cookies[VIEWER];
  const pages: Record<string, string> = {
    "/events": request("/events", { cookie }),
    "/events/{id}": request(`/events/${idOf(GAME, from)}`, { cookie }),
    "/events/{id}, visitor": request(`/events/${idOf(GAME, from)}`),
    "/bookings": request("/bookings", { cookie }),
  };
  const counts: Record<string, number> = {};
  for (const [page, text] of Object.entries(pages)) {
    const statements = await statementsOf(scenario, () => ask(app.port, text));
    counts[page] = statements.length;
  }
  return counts;
}
