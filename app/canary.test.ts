import { afterEach, beforeAll, expect, test, vi } from "vitest";
import type { RequestHandler } from "react-router";
import { openDatabase } from "#app/platform/db.server.ts";
import { canary, type CanaryStep, registry } from "#app/platform/observability/metrics.server.ts";
import type { App } from "#app/routes/context.server.ts";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { aGame } from "#test/fixtures.ts";
import { openSite, siteHandler } from "#test/whole-site.ts";
import { createCanary } from "./canary.server.ts";

const database = useDatabase();
const sql = async (text: string) => (await database.pool.query(text)).rows as unknown[];
let app: App;
let handle: RequestHandler;
beforeAll(async () => {
  app = testApp(database);
  handle = await siteHandler();
});
afterEach(() => vi.useRealTimers());

const aCanary = (more: Partial<Parameters<typeof createCanary>[0]> = {}) =>
  createCanary({ app, pool: database.pool, handle, ...more });

/** How many rows each table has, those of the queue too. */
const countAll = () =>
  sql(`select format('%I.%I', schemaname, tablename) as name, (xpath('//n/text()',
      query_to_xml(format('select count(*) as n from %I.%I', schemaname, tablename), true, true, '')
    ))[1]::text as rows
    from pg_tables where schemaname in ('public', 'pgboss') order by 1`);

async function failuresOf(run: () => Promise<unknown>): Promise<string[]> {
  const read = async () => structuredClone((await canary.failures.get()).values);
  const before = await read();
  await run();
  const grown = (await read()).filter(({ value }, n) => value > (before[n]?.value ?? 0));
  return grown.map(({ labels }) => String(labels.step));
}

const age = async () =>
  Number(/^kickabout_canary_age_seconds (.*)$/m.exec(await registry.metrics())?.[1]);

test("the canary books and cancels while nobody else sees a row of it, then or afterwards", async () => {
  const before = await countAll();
  const seen: string[] = [];
  const run = aCanary({
    handle: async (request, context) => {
      const response = await handle(request, context);
      expect(await countAll()).toEqual(before);
      seen.push(`${request.method} ${response.status}`);
      return response;
    },
  });
  await run();
  await run();
  const once = ["GET 200", "POST 302", "GET 200", "POST 302"];
  expect(seen).toEqual([...once, ...once]);
  expect(await countAll()).toEqual(before);
});

test("a canary whose connection is lost between join and cancel leaves nothing, and the next one succeeds", async () => {
  const before = await countAll();
  let requests = 0;
  const run = aCanary({
    handle: async (request, context) => {
      requests += 1;
      const pids = "select pid from pg_stat_activity where state = 'idle in transaction'";
      if (requests === 4)
        await sql(
          `select pg_terminate_backend(pid) from (${pids} and datname = current_database()) x`,
        );
      return handle(request, context);
    },
  });
  expect(await failuresOf(() => expect(run()).rejects.toThrow("cancel"))).toEqual(["cancel"]);
  expect(await countAll()).toEqual(before);
  await run();
});

// What is broken, what mends it, and the code in the log: of PostgreSQL's where no page is between.
const BROKEN: [CanaryStep, string, string, string?][] = [
  [
    "prepare",
    "alter table games rename to games_away",
    "alter table games_away rename to games",
    "42P01",
  ],
  [
    "join",
    "alter table bookings add constraint none check (false) not valid",
    "alter table bookings drop constraint none",
  ],
  [
    "cancel",
    "alter table bookings add constraint none check (payment_status <> 'Refunded') not valid",
    "alter table bookings drop constraint none",
  ],
  [
    "books",
    `create function misbook() returns trigger language plpgsql as $$ begin
        if exists (select from bookings where user_id = new.user_id) then
          new.wallet_balance_eur := new.wallet_balance_eur + 1;
        end if;
        return new; end $$;
      create trigger misbook before update on profiles for each row
        when (new.wallet_balance_eur > old.wallet_balance_eur) execute function misbook()`,
    "drop function misbook cascade",
  ],
];

test.each(BROKEN)(
  "a failure is counted at its step: %s",
  async (step, breaks, mends, code = step) => {
    const run = aCanary();
    await sql(breaks);
    const error = { message: `the canary fails: ${step}`, code };
    const failures = await failuresOf(() => expect(run()).rejects.toMatchObject(error)).finally(
      () => sql(mends),
    );
    expect(failures).toEqual([step]);
    await run();
  },
);

test("a right that the database has taken from the application is seen while its pages are well", async () => {
  const role = `canary_${process.pid}`;
  await sql(`create role ${role} login password 'p' nosuperuser;
    grant usage on schema public, pgboss to ${role};
    grant all on all tables in schema public, pgboss to ${role};
    grant all on all sequences in schema public, pgboss to ${role};
    grant execute on all functions in schema public, pgboss to ${role}`);
  const own = openDatabase({ ...database.connection, user: role, password: "p" });
  try {
    const limited = testApp({ ...database, db: own.db, pool: own.pool });
    const run = aCanary({ app: limited, pool: own.pool });
    await run();
    await sql(`revoke insert on bookings from ${role}`);
    const gameId = await aGame(database.db);
    const site = await openSite({ ...limited, now: () => new Date("2026-11-21T10:00:00Z") });
    expect((await site(`/events/${gameId}`)).status).toBe(200);
    expect(await failuresOf(() => expect(run()).rejects.toThrow("join"))).toEqual(["join"]);
  } finally {
    await own.close();
    await sql(`drop owned by ${role}; drop role ${role}`);
  }
});

test("the metric is the time since the last success, and grows while it fails", async () => {
  const run = aCanary();
  await run();
  expect(await age()).toBeLessThan(30);
  await sql("alter table bookings add constraint none check (false) not valid");
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 60_000 });
  await expect(run())
    .rejects.toThrow("join")
    .finally(() => sql("alter table bookings drop constraint none"));
  expect(await age()).toBeGreaterThan(45);
  await run();
  expect(await age()).toBeLessThan(30);
});
