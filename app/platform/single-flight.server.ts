import { waitForDatabase, withOwnTime } from "./postgres/database-time.server.ts";

interface Flight {
  read: Promise<unknown>;
  next: Promise<unknown> | null;
}

const flights = new WeakMap<object, Map<string, Flight>>();
/** Time that a request has for the database. */
const PATIENCE_MS = 4_200;

/**
 * One read for all who ask `source` for the same while another is under way. It begins after each of
 * them has asked, so nobody reads less than a read of their own would have shown.
 */
export function singleFlight<T>(source: object, key: string, read: () => Promise<T>): Promise<T> {
  const all = flights.get(source) ?? new Map<string, Flight>();
  flights.set(source, all);
  return waitForDatabase(
    PATIENCE_MS,
    () => join(all, key, read) as Promise<T>,
    () => {},
  );
}

function join(all: Map<string, Flight>, key: string, read: () => Promise<unknown>) {
  const flight = all.get(key);
  const start = () => begin(all, key, read);
  // One that has begun may have missed what was committed since.
  return flight ? (flight.next ??= flight.read.then(start, start)) : start();
}

function begin(all: Map<string, Flight>, key: string, read: () => Promise<unknown>) {
  // Not the time of the first who asked, which waiting for the one before may have spent.
  const flight: Flight = { read: withOwnTime(async () => read(), PATIENCE_MS), next: null };
  all.set(key, flight);
  // Returns nothing: nobody would handle what the next one fails with.
  const end = () => {
    if (!flight.next) all.delete(key);
  };
  void flight.read.then(end, end);
  return flight.read;
}
