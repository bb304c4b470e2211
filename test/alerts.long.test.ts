import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { QUEUES } from "#app/jobs.server.ts";
import { createMetrics } from "#app/metrics.server.ts";
import { type Database, openDatabase } from "#app/platform/db.server.ts";
import type { JobHandlers, Queue } from "#app/platform/jobs.server.ts";
import { MailError, watchOutages } from "#app/platform/mail-outage.server.ts";
import { scheduledJobGauges } from "#app/platform/observability/metrics.server.ts";
import { observeRequest } from "#app/platform/observability/observe-request.server.ts";
import { noteRoute } from "#app/platform/observability/request-scope.server.ts";
import { serveMetrics } from "#app/platform/observability/serve-metrics.server.ts";
import { logSlowStatements } from "#app/platform/observability/statements.server.ts";
import { checkoutSession, event } from "#app/routes/demo/stripe-objects.ts";
import {
  blockEventLoop,
  expectFiring,
  expectResults,
  fromZero,
  ownScenarios,
  schedulerScenario,
  type Phases,
  readAlerts,
  runPromtool,
  type Scenario,
} from "./alerting.ts";
import { createBrokenBookings } from "./broken-bookings.ts";
import { type SilentProxy, startSilentProxy } from "./database-proxies.ts";
import { useDatabase } from "./db.ts";
import { createExporters } from "./exporters.ts";
import { aFailedMail } from "./failed-mails.ts";
import { ada } from "./fixtures.ts";
import { deliverEvents, unmatchedEvents } from "./payments.ts";
import { readScrape, type Sample } from "./scrapes.ts";

const database = useDatabase();
const site = { isBroken: false, isSlow: false, streams: 3, visitors: 2 };
const exporters = createExporters();
const bookings = createBrokenBookings(database);
let proxy: SilentProxy;
let requests: Database;
let collector: ReturnType<typeof createMetrics>;
let metrics: Awaited<ReturnType<typeof serveMetrics>>;
let metricsPort = 0;
let web: Server;

beforeAll(async () => {
  // Other tests in this process have scheduled jobs of their own.
  for (const gauge of Object.values(scheduledJobGauges)) gauge.reset();
  proxy = await startSilentProxy(database.connection);
  requests = openDatabase(database.connection, 2, undefined, "requests");
  collector = createMetrics({
    pools: { requests: requests.pool },
    openForMetrics: (limits) => openDatabase(proxy.connection, 1, limits, "metrics"),
    live: { count: () => site.streams, countVisitors: () => site.visitors },
    checksLedger: true,
    freshMs: 0,
  });
  await serve();
  web = createServer((request, response) =>
    observeRequest(request, response, { isLogged: true, hasProxy: false }, () => {
      noteRoute("/events");
      const work = site.isSlow ? database.pool.query("select pg_sleep(1.1)") : Promise.resolve();
      void work.then(() => response.writeHead(site.isBroken ? 500 : 200).end());
    }),
  );
  web.listen(0, "127.0.0.1");
  await once(web, "listening");
  await collector.checkLedger();
});
beforeAll(() => void runPromtool("--version"), 600_000);
beforeEach(() => ask(5));
beforeEach(() => bookings.tryBooking());
afterAll(async () => {
  web.closeAllConnections();
  web.close();
  await Promise.all([metrics.close(), collector.close(), requests.close()]);
  await proxy.close();
  exporters.close();
});

async function serve() {
  metrics = await serveMetrics({ port: metricsPort, host: "127.0.0.1" }, collector.refresh);
  metricsPort = (metrics.server.address() as AddressInfo).port;
}

async function ask(times: number) {
  const { port } = web.address() as AddressInfo;
  const once = () => fetch(`http://127.0.0.1:${port}/`).then((response) => response.text());
  await Promise.all(Array.from({ length: times }, once));
}

/** Scrapes like Prometheus: over the network, with labels of its own and whether that worked. */
async function scrape(): Promise<Sample[]> {
  const target = { job: "kickabout", instance: "test" };
  const response = await fetch(`http://127.0.0.1:${metricsPort}/metrics`).catch(() => null);
  const samples = response ? readScrape(await response.text()) : [];
  const own = [{ name: "up", labels: {}, value: response?.ok ? 1 : 0 }, ...samples];
  const labelled = own.map((each) => ({ ...each, labels: { ...each.labels, ...target } }));
  return [...labelled, ...exporters.scrape()];
}

const HOURS_3 = 3 * 3_600;
const times = (count: number, run: () => unknown) => Array.from({ length: count }, run);
const deleteJobs = () => database.pool.query("delete from pgboss.job");
const run = (statement: string) => database.pool.query(statement);

/** A job that has been due for as long as nobody has worked on it. */
async function aLateJob(queue: "waitlist.promote" | "mail.send", since: string) {
  const data = queue === "waitlist.promote" ? { gameId: "1" } : { bookingId: "1" };
  await database.db.transaction().execute((tx) => database.queue.enqueue(tx, queue, data as never));
  await run(`update pgboss.job set start_after = now() - interval '${since}'`);
}

async function aJobThatFails() {
  const fail = () => Promise.reject(new Error("the push service is away"));
  const handlers = Object.keys(QUEUES).map((queue) => [queue, fail]);
  await database.db
    .transaction()
    .execute((tx) => database.queue.enqueue(tx, "push.send" as Queue, {} as never));
  await database.queue.work(Object.fromEntries(handlers) as JobHandlers);
  await vi.waitFor(async () => {
    const { rowCount } = await run("select from pgboss.job where state = 'retry'");
    expect(rowCount).toBe(1);
  });
}

async function changeBalance(by: number) {
  await sql`update profiles set wallet_balance_eur = wallet_balance_eur + ${by}`.execute(
    database.db,
  );
  await collector.checkLedger();
}

const unreachable = new MailError("unreachable", "connection refused", "ECONNECTION");
const sendMail = (send: () => Promise<void>) => watchOutages(database.db, send)(undefined);

/** Each alert of deploy/prometheus/alerts.yml: what makes it fire, and what ends it. */
const SCENARIOS: Record<string, Scenario> = {
  KickaboutDown: { breaks: () => metrics.close(), mends: serve },
  KickaboutDatabaseDown: { breaks: () => proxy.closeAll(), mends: () => proxy.letThrough() },
  KickaboutActionsFail: bookings.scenario,
  KickaboutErrors: {
    breaks: () => ((site.isBroken = true), ask(5)),
    mends: () => ((site.isBroken = false), ask(5)),
  },
  KickaboutSlow: {
    breaks: () => ((site.isSlow = true), ask(5)),
    mends: () => ((site.isSlow = false), ask(5)),
  },
  KickaboutPoolWaiting: {
    async breaks() {
      held.push(await requests.pool.connect(), await requests.pool.connect());
      waiting = requests.pool.query("select 1");
    },
    async mends() {
      for (const client of held.splice(0)) client.release();
      await waiting;
    },
  },
  KickaboutSlowQueries: {
    breaks: () => (
      logSlowStatements(1),
      Promise.all(times(10, () => run("select pg_sleep(0.01)")))
    ),
    mends: () => logSlowStatements(Infinity),
  },
  KickaboutEventLoopBlocked: {
    breaks: blockEventLoop,
    mends() {},
  },
  KickaboutJobsLate: {
    breaks: () => aLateJob("waitlist.promote", "10 minutes"),
    mends: deleteJobs,
  },
  KickaboutJobsFailing: { breaks: aJobThatFails, mends: deleteJobs },
  KickaboutDutyFails: schedulerScenario,
  KickaboutMailServerDown: {
    async breaks() {
      await expect(sendMail(() => Promise.reject(unreachable))).rejects.toThrow(unreachable);
      await run("update mail_outage set began_at = now() - interval '10 minutes', probes = 1");
    },
    mends: () => sendMail(() => Promise.resolve()),
  },
  KickaboutMailsLate: {
    breaks: () => aLateJob("mail.send", "2 hours"),
    mends: deleteJobs,
  },
  KickaboutMailsGivenUp: {
    breaks: () => aFailedMail(database.db, { kind: "booking-confirmed", data: { bookingId: "1" } }),
    mends: deleteJobs,
  },
  KickaboutPaymentsUnmatched: {
    async breaks() {
      const unknown = checkoutSession({ client_reference_id: crypto.randomUUID() });
      await deliverEvents(database, event("checkout.session.completed", unknown));
      expect(await unmatchedEvents(database.db)).toHaveLength(1);
    },
    mends: () => run("delete from stripe_events"),
  },
  KickaboutFiguresUnread: {
    breaks: () => run("alter table stripe_events rename to events_away"),
    mends: () => run("alter table events_away rename to stripe_events"),
  },
  KickaboutLedgerWrong: {
    breaks: async () => (await ada(database.db), changeBalance(5)),
    mends: () => changeBalance(-5),
  },
  KickaboutLedgerUnchecked: {
    breaks() {},
    async mends() {
      vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + HOURS_3 * 1_000 });
      await collector.checkLedger();
      vi.useRealTimers();
    },
    brokenSeconds: HOURS_3,
  },
  KickaboutLiveStreamsFull: {
    breaks: () => (site.streams = 9_500),
    mends: () => (site.streams = 3),
  },
  ...ownScenarios,
  ...exporters.scenarios,
};

const held: { release(): void }[] = [];
let waiting: Promise<unknown>;

const ONCE = { before: false, broken: true, after: false };
const alertOf = (name: string) => readAlerts().find(({ alert }) => alert === name)!;

test("every alert has a scenario that makes it fire", () => {
  const names = readAlerts().map(({ alert }) => alert);
  expect(names.length).toBeGreaterThan(10);
  expect(Object.keys(SCENARIOS).sort()).toEqual(names.sort());
});

test.each(readAlerts())("$alert fires, and is clear before and afterwards", async (alert) => {
  const { breaks, mends, brokenSeconds } = SCENARIOS[alert.alert]!;
  // A scrape covers the time since the one before, in which promtool may have held up this process.
  await scrape();
  const phases: Partial<Phases> = { before: await scrape() };
  await breaks();
  try {
    phases.broken = await scrape();
  } finally {
    await mends();
  }
  phases.after = await scrape();
  expectFiring(alert, fromZero(phases as Phases), ONCE, brokenSeconds);
});

test("one request that fails at night, where nobody else asks, wakes nobody", async () => {
  const { expr } = alertOf("KickaboutErrors");
  site.isBroken = true;
  await ask(1);
  const history = [{ at: 0, samples: await scrape() }];
  await ask(1);
  history.push({ at: 60, samples: await scrape() });
  await ask(10);
  history.push({ at: 120, samples: await scrape() });
  site.isBroken = false;
  expectResults(history, [
    { expr, at: 60, isTrue: false },
    { expr, at: 120, isTrue: true },
  ]);
});

test("the streams are full for visitors before they are for all", async () => {
  site.visitors = 4_600;
  const samples = await scrape();
  site.visitors = 2;
  const { expr } = alertOf("KickaboutLiveStreamsFull");
  expectResults([{ at: 0, samples }], [{ expr, at: 0, isTrue: true }]);
});

// A process that only serves pages does not check the ledger.
test("the worker's metrics of the ledger are enough, and without any it counts as unchecked", async () => {
  await collector.checkLedger();
  const samples = fromZero({ before: await scrape(), broken: [], after: [] }).before;
  const rest = samples.filter(({ name }) => !name.startsWith("kickabout_ledger"));
  const web = rest.map((sample) => ({ ...sample, labels: { ...sample.labels, instance: "web" } }));
  const both = [...samples, ...web];
  const change = (name: string, by: number) =>
    both.map((each) => (each.name === name ? { ...each, value: each.value + by } : each));
  const healthy = { before: both, after: both };
  const wrong = change("kickabout_ledger_differences", 1);
  expectFiring(alertOf("KickaboutLedgerWrong"), { ...healthy, broken: wrong }, ONCE);
  const unchecked = alertOf("KickaboutLedgerUnchecked");
  const stopped = change("kickabout_ledger_checked_timestamp_seconds", HOURS_3);
  expectFiring(unchecked, { before: both, broken: both, after: stopped }, ONCE, HOURS_3);
  expectFiring(unchecked, { ...healthy, broken: web }, { broken: true });
});
