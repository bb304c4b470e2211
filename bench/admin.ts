import { WEEKLY_METRICS } from "#app/features/reports/metrics.server.ts";
import { weeksUntil } from "#app/platform/date-ranges.server.ts";
import { keepWeeks } from "#app/platform/weekly-metrics.server.ts";
import { readEnv } from "#app/platform/env.server.ts";
import { storeDefaults } from "../db/defaults.ts";
import { compareP50, fill, LARGE, loadRows, type Site, type Size, withTwoSites } from "./scale.ts";
import { median, printTable } from "./table.ts";
import { idOf, openScenario, PLAYER, sqlIdOf, type Scenario } from "./scenario.ts";

const HUNDRED: Size = { players: 100, games: 100, bookings: 1_000 };

const LISTS = [
  ...["/admin/partners", "/admin/games", "/admin/games?when=past", "/admin/legal"],
  ...["/admin/venues", "/admin/players", "/admin/packs", "/admin/payments", "/admin/inbox"],
  "/admin/log",
  // All that there are, one of them, none of them.
  "/admin/players?q=player+no",
  "/admin/players?q=player1050%40bench.example",
  "/admin/players?q=nobody",
];

/**
 * The admin pages with 100,000 games, 1,000,000 bookings and 100,000 players. The overview stands beside
 * that of an empty site, since it keeps what it has counted of weeks that are over; a list beside
 * one that is as long on its page: a hundred games, a thousand bookings and a hundred players.
 */
export async function benchAdmin(dataDir: string): Promise<void> {
  await withTwoSites(dataDir, async (small, large) => {
    await clear(small);
    await fillAdmin(large.scenario, LARGE);
    await benchOverview(small, large);
    await fillAdmin(small.scenario, HUNDRED);
    await benchLists(small, large);
    await benchFile(small, large);
  });
}

async function benchLists(hundred: Site, large: Site): Promise<void> {
  const rows = [];
  for (const page of LISTS) {
    rows.push({ list: page, ...(await compareP50(page, hundred, large)), "to reach": "≤ 1.2" });
  }
  printTable("The admin lists with a hundred games and players, and with 100,000", rows);
}

const GAMES = "select count(*) from games where starts_at >= $1 and starts_at < now()";
const ALL = [
  GAMES,
  // Once for who was active, once for who came.
  `select 2 * count(*) from bookings join games on games.id = game_id
   where starts_at >= $1 and starts_at < now()`,
  ...["profiles", "payments", "wallet_transactions", "reviews"].map(
    (table) => `select count(*) from ${table} where created_at >= $1`,
  ),
];

/** Exact, and of weeks that are over from counts that are kept: it grows far less than its rows. */
async function benchOverview(empty: Site, large: Site): Promise<void> {
  const rows = [];
  for (const [page, weeks, counts] of [
    ["/admin?weeks=4", 4, ALL],
    ["/admin", 12, ALL],
    ["/admin?weeks=52", 52, ALL],
    ["/admin/overview/games.csv", 12, [GAMES]],
  ] as const) {
    const none = await countRows(empty.scenario, weeks, counts);
    const many = await countRows(large.scenario, weeks, counts);
    const times = await compareP50(page, empty, large);
    const counted = { "empty rows": none.rows, rows: many.rows, "to count ms": many.ms };
    rows.push({ overview: page, ...counted, ...times, "to reach": "ratio ≤ 3" });
  }
  printTable("The overview, by the rows that its weeks hold", rows);
}

const COUNTS = 9;

async function countRows({ pool }: Scenario, weeks: number, counts: readonly string[]) {
  const { from } = weeksUntil(new Date(), weeks)[0]!;
  const text = `select (${counts.map((count) => `(${count})`).join(" + ")})::integer as rows`;
  const times: number[] = [];
  let rows = 0;
  for (let turn = 0; turn < COUNTS; turn += 1) {
    const started = performance.now();
    rows = (await pool.query<{ rows: number }>(text, [from])).rows[0]!.rows;
    times.push(performance.now() - started);
  }
  return { rows, ms: median(times) };
}

/** The log as a file: a long one takes longer, no longer a row, and no more memory. */
async function benchFile(hundred: Site, large: Site): Promise<void> {
  const path = "/admin/log.csv?from=2020-01-01";
  const rows = [];
  for (const [place, name] of [
    [hundred, "of a hundred entries"],
    [large, "of 100,000"],
  ] as const) {
    // Until the server's heap has grown to what it takes for any length.
    for (let turn = 0; turn < 3; turn += 1) await download(place, path);
    const before = place.app.peakMb();
    const started = performance.now();
    const lines = await download(place, path);
    const ms = performance.now() - started;
    const perRow = { "µs a row": (ms * 1_000) / lines, "MB more": place.app.peakMb() - before };
    rows.push({ "the log as a file": name, rows: lines - 1, ms, ...perRow });
  }
  printTable("A long file, sent as it is read", rows);
}

/** Its lines. */
async function download({ app, scenario }: Site, path: string): Promise<number> {
  const headers = { cookie: scenario.cookies[0]! };
  const response = await fetch(`http://127.0.0.1:${app.port}${path}`, { headers });
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  let lines = 0;
  for await (const chunk of response.body!) {
    for (const byte of chunk) if (byte === 10) lines += 1;
  }
  return lines;
}

/** Leaves what a first day has: what a start stores, venues and one organiser. */
async function clear(site: Site): Promise<void> {
  await site.scenario.close();
  await loadRows(site.app.dataDir, [
    "truncate users, games, audit_log, weekly_metrics, week_changes cascade",
    "vacuum analyze",
  ]);
  site.scenario = await openScenario(site.app.dataDir, 1);
  // Legal texts name who saved them, so they are gone too.
  await storeDefaults(site.scenario.db, readEnv({ DEMO: "1", DATA_DIR: site.app.dataDir }));
  await makeAdmin(site.scenario);
  await keepWeeks(site.scenario.db, WEEKLY_METRICS, new Date());
}

async function makeAdmin({ pool }: Scenario): Promise<void> {
  await pool.query(
    "insert into user_roles (user_id, role) values ($1, 'admin') on conflict do nothing",
    [idOf(PLAYER, 0)],
  );
}

/** Games and players, and what the admin pages list of them: attendance, payments, tickets, ratings. */
async function fillAdmin(scenario: Scenario, size: Size): Promise<void> {
  await fill(scenario, size);
  await makeAdmin(scenario);
  const each = size.players;
  const player = sqlIdOf(PLAYER, `1000 + n % ${each}`);
  const at = "now() - n % 1500 * interval '1 day'";
  const some = `from generate_series(1, ${each}) n`;
  await loadRows(scenario.dataDir, [
    `update profiles set created_at = now() - random() * interval '1500 days'`,
    `update wallet_transactions set created_at = now() - random() * interval '1500 days'`,
    `update bookings set attendance = case when random() < 0.05 then 'NoShow' else 'CheckedIn' end
     where id >= ${sqlIdOf("c", "1")}`,
    `insert into wallet_transactions (user_id, type, amount_eur, business_key, created_at)
     select ${player}, 'deduction', -10, 'bench:' || n, ${at}
     from generate_series(1, ${size.bookings}) n`,
    `insert into payments (stripe_object_id, user_id, pack_id, amount_eur, credits_eur, created_at)
     select 'cs_bench_' || n, ${player}, (select id from credit_packs limit 1), 9.99, 10, ${at}
     ${some}`,
    `insert into support_messages (user_id, subject, message, created_at)
     select ${player}, 'Shoes', 'I left them in the hall.', ${at} ${some}`,
    `insert into reviews (user_id, rating, created_at) select ${player}, 1 + n % 5, ${at} ${some}`,
    // Different times: what has the same one is of one form, and is shown as one entry.
    `insert into audit_log (actor, action, subject, created_at)
     select '${idOf(PLAYER, 0)}', 'edit-game', 'game:' || n, ${at} - n * interval '1 s' ${some}`,
    "vacuum full bookings, profiles, wallet_transactions",
    // Loaded without triggers, so nothing has noted that the weeks have changed.
    "truncate weekly_metrics, week_changes",
    "vacuum analyze",
  ]);
  await keepWeeks(scenario.db, WEEKLY_METRICS, new Date());
}
