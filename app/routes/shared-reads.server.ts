import type { Db } from "#app/platform/db.server.ts";
import { waitForDatabase } from "#app/platform/postgres/database-time.server.ts";
import { MOST_LAG_MS } from "#app/platform/postgres/replica.server.ts";
import { COOKIE_PREFIX, type CookieEnv, signedCookie } from "#app/platform/signed-cookie.server.ts";
import type { App } from "./context.server.ts";

const LABEL = "acted";
/** Longer than the replica may be behind, the time on the way included. */
const ACTED_SECONDS = (MOST_LAG_MS * 5) / 1_000;

/** Reads what everybody sees, from the replica unless this browser has just sent a form. */
export function readShared<T>(app: App, request: Request, ask: (db: Db) => Promise<T>): Promise<T> {
  return isPrimary(app, request) ? ask(app.db) : app.replica!.read(ask);
}

const isPrimary = ({ replica }: App, { headers }: Request) =>
  !replica || (headers.get("Cookie")?.includes(`${COOKIE_PREFIX}${LABEL}=`) ?? false);

interface Flight {
  read: Promise<unknown>;
  next: Promise<unknown> | null;
}
const flights = new WeakMap<object, Map<string, Flight>>();
/** As much as a request has for the database. */
const PATIENCE_MS = 4_200;

/** `readShared`, once for all requests that ask for the same meanwhile. `key` says what is asked. */
export function readTogether<T>(
  app: App,
  request: Request,
  key: string,
  ask: (db: Db) => Promise<T>,
): Promise<T> {
  const source = isPrimary(app, request) ? app.db : app.replica!;
  const all = flights.get(source) ?? new Map<string, Flight>();
  flights.set(source, all);
  const read = () => readShared(app, request, ask);
  const begun = () => joinFlight(all, key, read) as Promise<T>;
  return waitForDatabase(PATIENCE_MS, begun, () => {});
}

function joinFlight(all: Map<string, Flight>, key: string, read: () => Promise<unknown>) {
  const flight = all.get(key);
  if (!flight) return startFlight(all, key, read);
  // One that has begun may have missed what was committed since.
  const start = () => startFlight(all, key, read);
  return (flight.next ??= flight.read.then(start, start));
}

function startFlight(all: Map<string, Flight>, key: string, read: () => Promise<unknown>) {
  const flight: Flight = { read: read(), next: null };
  all.set(key, flight);
  const end = () => flight.next ?? all.delete(key);
  void flight.read.then(end, end);
  return flight.read;
}

/** For the response to a form: what it changed is read from the primary for a while. */
export function actedCookie(env: CookieEnv): Promise<string> {
  return signedCookie(env, LABEL).write("1", { maxAge: ACTED_SECONDS });
}
