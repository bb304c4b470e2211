import { type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { type ClientAddress, createRequestListener } from "@remix-run/node-fetch-server";
import compression from "compression";
import { createRequestHandler, type RequestHandler } from "react-router";
import { createAccounts, alignPersons } from "#app/features/accounts/accounts.server.ts";
import { networkOf } from "#app/features/accounts/throttles.server.ts";
import { CANARY_MS, createCanary } from "#app/canary.server.ts";
import { createMetrics } from "#app/metrics.server.ts";
import { builtAssets, keepAssets } from "#app/platform/assets.server.ts";
import {
  forwardingCheck,
  prepareDataDir,
  warnOfAddress,
} from "#app/platform/start-checks.server.ts";
import { type Env, readEnv } from "#app/platform/env.server.ts";
import * as http from "#app/platform/http.server.ts";
import { log, logRepeats } from "#app/platform/log.server.ts";
import { upgradeAtStart } from "#app/platform/upgrade/upgrade.server.ts";
import { startScheduler } from "#app/platform/scheduler.server.ts";
import { sendPage } from "#app/platform/page-cache.server.ts";
import { closeServers, listen, loopbackHosts, stopSignal } from "#app/platform/serve.server.ts";
import { watchClock } from "#app/platform/observability/clock-offset.server.ts";
import { observeRequest } from "#app/platform/observability/observe-request.server.ts";
import { STACK_LINES } from "#app/platform/observability/repeats.server.ts";
import { noteRoute } from "#app/platform/observability/request-scope.server.ts";
import { serveMetrics } from "#app/platform/observability/serve-metrics.server.ts";
import { logSlowStatements } from "#app/platform/observability/statements.server.ts";
import { startTraces } from "#app/platform/observability/traces.server.ts";
import type { App } from "#app/routes/context.server.ts";
import { createVisitorPages } from "#app/routes/games/game-page.server.ts";
import { isLiveRequest, type LiveStreams } from "#app/live/streams.server.ts";
import { openLiveStreams } from "#app/routes/live/topics.server.ts";
import { createAdmissionControls, withOutages } from "#app/routes/outage.server.ts";
import { receiveRequest } from "#app/routes/receive-request.server.ts";
import { storeDefaults } from "./db/defaults.ts";
import { DEMO_ACCOUNTS, seedDemoData } from "./db/seed.ts";
import { startWorker } from "./worker.ts";
import { connectServer, type Readiness, warnOfConnections } from "#app/platform/connect.server.ts";
import { reportLockWaits } from "#app/platform/postgres/session-locks.server.ts";
import { withinRequest } from "#app/platform/postgres/database-time.server.ts";
import { openJobs } from "#app/jobs.server.ts";

type Listener = (request: IncomingMessage, response: ServerResponse) => void;
type Middleware = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

interface State {
  phase: "starting" | "ready" | "draining";
  app?: App;
  readiness?: Readiness;
  live?: LiveStreams;
}

/** After DRAIN_SECONDS: 7 s for requests in flight (serve.server.ts), then jobs and database. */
const STOPPING_MS = 8_500;

// Listens first, so that a taken port fails before anything is touched, and responds with 503 until
// the database is migrated and the demo seeded. `assets` serves built files, or Vite's in development.
export async function startServer(assets?: Middleware): Promise<void> {
  Error.stackTraceLimit = STACK_LINES;
  const env = readEnv();
  const state: State = { phase: "starting" };
  const stopped = stopSignal();
  // Before it serves there is nothing to finish; unfinished work rolls back.
  void stopped.then(() => state.phase === "starting" && process.exit(0));
  const hosts = env.host ? [env.host] : env.demo ? loopbackHosts() : [undefined];
  const serveFiles = assets ?? builtAssets(env.dataDir);
  const handle = await routesHandler();
  const listener = createListener(env, state, handle, serveFiles);
  const servers = await listen(listener, { port: env.port, hosts });
  prepareDataDir(env.dataDir);
  warnOfAddress(env);

  const endTraces = env.hasTraces ? await startTraces() : null;
  logSlowStatements(env.slowQueryMs);
  const { work, requests, replica, readiness, location, close, ...database } =
    await connectServer(env);
  const { db, pool } = work;
  const endReports = reportLockWaits(pool, (wait) => log.warn(wait, "waiting for a lock"));
  await upgradeAtStart(pool);
  await warnOfConnections(db, env);
  const jobs = await openJobs(pool, env.sessionSecret);
  const accounts = createAccounts({ env, ...requests });
  await alignPersons(db, env.emailTags);
  const app: App = { env, jobs, accounts, db: requests.db, replica, now: () => new Date() };
  await storeDefaults(db, env);
  if (env.demo) await seedDemoData({ pool, jobs, accounts, now: new Date() });
  const clock = await watchClock(db);
  const worker = { env, db, jobs, isClockRight: clock.isRight };
  const stopScheduler = env.role === "web" ? null : await startWorker(worker);
  if (env.role !== "worker") state.live = openLiveStreams(app, pool);
  if (!assets && env.role !== "worker") await keepAssets(env.dataDir);
  const { live } = state;
  const checksLedger = env.role !== "web";
  const endMetrics =
    env.metrics && (await startMetrics(env.metrics, { ...database, live, checksLedger }));
  const hasCanary = env.canary && env.metrics && env.role !== "worker";
  const canary = hasCanary ? createCanary({ app, pool: requests.pool, handle }) : null;
  const endCanary = canary && startScheduler([{ name: "canary", everyMs: CANARY_MS, run: canary }]);
  await endReports();
  Object.assign(state, { app, readiness, phase: "ready" });
  announce(env, location);

  await stopped;
  state.phase = "draining";
  await state.live?.close();
  await delay(env.drainSeconds * 1_000);
  // A hanging request or database must not keep the process alive.
  setTimeout(() => process.exit(0), STOPPING_MS);
  await closeServers(servers);
  clock.stop();
  await Promise.all([jobs.stop(), stopScheduler?.(), endCanary?.()]);
  await Promise.allSettled([endMetrics?.(), endTraces?.()]);
  await close();
  logRepeats();
  log.info("stopped");
  process.exit(0);
}

async function startMetrics(
  place: NonNullable<Env["metrics"]>,
  sources: Parameters<typeof createMetrics>[0],
) {
  const metrics = createMetrics(sources);
  const server = await serveMetrics(place, metrics.refresh);
  void metrics.checkLedger();
  return () => Promise.all([server.close(), metrics.close()]);
}

/** A function reloads the routes for each request, as development needs. */
async function routesHandler(): Promise<RequestHandler> {
  const build = () => import("virtual:react-router/server-build");
  const routes = import.meta.env.PROD ? await build() : build;
  return withOutages(createRequestHandler(routes, import.meta.env.MODE));
}

function createListener(
  env: Env,
  state: State,
  handle: RequestHandler,
  assets: Middleware,
): Listener {
  const isHttps = env.appUrl.startsWith("https:");
  const compress = compression({ threshold: 1024 }) as unknown as Middleware;
  const pages = pageListener(env, state, handle);
  // In development pages change with their sources, so they are not cached.
  const visitorPages = import.meta.env.PROD ? createVisitorPages(handle) : async () => null;
  const checkForwarding = forwardingCheck(env.trustProxy);
  const respond: Listener = (request, response) => {
    http.setSecurityHeaders(response, isHttps);
    http.closeFilesWith(response);
    if (state.phase === "draining") response.setHeader("Connection", "close");
    const { app } = state;
    const { url } = request;
    // Before anything is asked of the request: load balancers send HTTP/1.0 without a host.
    if (url === "/healthz" || url === "/readyz") return void sendHealth(url, response, state);
    checkForwarding(request.headers["x-forwarded-for"] as string | undefined);
    const errorStatus = http.errorStatusOf(request);
    if (errorStatus) return sendError(response, errorStatus);
    if (env.role === "worker") return plain(response, 404, "This process serves no pages.");
    if (!app) return plain(response, 503, "Starting. Please try again in a moment.");
    // Neither compressed nor counted among the requests, whose time for the database it would outlive.
    if (isLiveRequest(request)) return serveLive(request, response, state);
    // sirv throws for a range that ends before it begins; sending the whole file is valid.
    delete request.headers.range;
    const serve = () =>
      compress(request, response, () => {
        http.waitForDrainTogether(response);
        assets(request, response, () => pages(request, response));
      });
    const find = () =>
      visitorPages(app, request)
        .then((page) => (page ? sendPage(page, request, response) : serve()), serve)
        .catch((error: unknown) => breakOff(response, error));
    void withinRequest(find);
  };
  const watched = { isLogged: env.accessLog, hasProxy: env.trustProxy > 0 };
  return (request, response) =>
    observeRequest(request, response, watched, () => respond(request, response));
}

function pageListener(env: Env, state: State, handle: RequestHandler): Listener {
  const admit = createAdmissionControls();
  return createRequestListener(
    async (incoming: Request, client: ClientAddress) => {
      noteRoute("(other)");
      const forwardedFor = incoming.headers.get("X-Forwarded-For");
      const address = http.clientAddress(forwardedFor, client.address, env.trustProxy);
      const received = await receiveRequest(state.app!, incoming, address);
      if (received instanceof Response) return received;
      const answer = () => handle(received.request, received.context);
      return admit(incoming.url, networkOf(address), answer);
    },
    { onError: (error) => log.error({ err: error }, "answering a request") },
  );
}

function serveLive(request: IncomingMessage, response: ServerResponse, { phase, live }: State) {
  noteRoute("/live");
  if (live && phase === "ready") return void live.serve(request, response);
  response.setHeader("Retry-After", "5");
  plain(response, 503, phase);
}

async function sendHealth(
  url: "/healthz" | "/readyz",
  response: ServerResponse,
  { phase, app, readiness }: State,
) {
  noteRoute(url);
  // Checks the process only: a restart does not help if the database is down.
  if (url === "/healthz") return plain(response, app ? 200 : 503, app ? "ok" : "starting");
  if (phase !== "ready") return plain(response, 503, phase);
  const isUp = await readiness?.isUp();
  plain(response, isUp ? 200 : 503, isUp ? "ok" : "no database");
}

function sendError(response: ServerResponse, status: http.ErrorStatus) {
  noteRoute("(rejected)");
  if (status === 405) response.setHeader("Allow", "GET, HEAD, POST");
  plain(response, status, STATUS_CODES[status] ?? "");
}

/** An error outside the routes ends only its own response. */
function breakOff(response: ServerResponse, error: unknown) {
  log.error({ err: error }, "request failed");
  if (response.headersSent) response.destroy();
  else plain(response, 500, "Internal Server Error");
}

function plain(response: ServerResponse, status: number, text: string) {
  response.writeHead(status, {
    "Content-Type": "text/plain; charset=utf-8",
    "Cache-Control": "no-store",
  });
  response.end(text);
}

function announce(env: Env, location: string | null) {
  const database = env.databaseUrl ? "server" : "embedded";
  log.info({ url: env.appUrl, demo: env.demo, database }, "ready");
  const lines = [`\n  ${env.brandName} is open at ${env.appUrl}`];
  if (!env.demo && !env.databaseUrl) {
    lines.push(`  Without DATABASE_URL its data is in ${env.dataDir}`);
  }
  if (location) lines.push(`  The database lives in ${location}`);
  if (env.demo) lines.push("  Demo accounts:", ...DEMO_ACCOUNTS.map((line) => `    ${line}`));
  process.stdout.write(`${lines.join("\n")}\n\n`);
}
