import { createHmac } from "node:crypto";
import { sql } from "kysely";
import type pg from "pg";
import { RateLimiterPostgres, RateLimiterRes } from "rate-limiter-flexible";
import type { Db } from "#app/platform/db.server.ts";
import { log } from "#app/platform/log.server.ts";
import { BusyError, type Requester } from "#app/platform/fair-queue.server.ts";
import {
  FAILURES_COUNT_HOURS,
  FREE_FAILURES,
  PER_ADDRESS_AND_MINUTE,
  secondsToWait,
  SIGN_IN_DELAYS,
} from "./rules.ts";

export interface TooMany {
  ok: false;
  reason: "too-many";
  retryAfterSeconds: number;
}

export interface Guesser {
  /** The person (Accounts.personOf) whose password is guessed, or `codesOf` a user. */
  subject: string;
  /** A browser that has signed in before; null for all others together. */
  device: string | null;
}

interface Guess extends Guesser {
  address: string;
}

interface GuessDependencies {
  db: Db;
  accounts: {
    limits: ReturnType<typeof createAddressLimits>;
    withKeyedLock: ReturnType<typeof createKeyedLock>;
    verifyPassword(hash: string | null, password: string, requester: Requester): Promise<boolean>;
  };
}

const HOUR = 60 * 60 * 1_000;

// The guess counts as failed until `isRight` confirms it. Guesses of one browser run singly, so that
// concurrent right passwords do not count against each other.
export async function guessPassword<T>(
  { db, accounts }: GuessDependencies,
  { password, ...guess }: Guess & { password: string },
  now: Date,
  check: (isRight: (hash: string | null) => Promise<boolean>) => Promise<T>,
): Promise<T | TooMany> {
  const { subject, device } = guess;
  return accounts.withKeyedLock(device ? `${subject} ${device}` : subject, async () => {
    const wait = await countGuess({ db, accounts }, guess, now);
    if (wait) return { ok: false, reason: "too-many", retryAfterSeconds: wait };
    return check(async (hash) => {
      const isRight = await accounts.verifyPassword(hash, password, requesterOf(guess));
      if (isRight) await resetFailures(db, guess);
      return isRight;
    });
  });
}

/** Seconds to wait, or null. A delayed guess does not count against its network. */
export async function countGuess(
  { db, accounts }: { db: Db; accounts: Pick<GuessDependencies["accounts"], "limits"> },
  { address, ...guesser }: Guess,
  now: Date,
): Promise<number | null> {
  const wait = await takeAttempt(db, guesser, now);
  if (wait || guesser.device) return wait;
  return accounts.limits.count("sign-in", address);
}

/** A known browser queues by its account, so others in its network do not slow it down. */
export function requesterOf({ subject, device, address }: Guess): Requester {
  return { client: device ? subject : networkOf(address), account: subject };
}

// Known browsers count apart, so that nobody else's guesses lock the owner out.
async function takeAttempt(db: Db, guesser: Guesser, now: Date): Promise<number | null> {
  const counted = await countAttempt(db, guesser, now);
  if (counted === 1) await deleteOldFailures(db, now);
  if (counted) return null;
  const row = await db
    .selectFrom("sign_in_failures")
    .select(["failures", "last_failed_at"])
    .where("email", "=", guesser.subject)
    .where("device", "=", guesser.device ?? "")
    .executeTakeFirst();
  // No row: somebody has signed in meanwhile.
  return (row && secondsToWait(row.failures, row.last_failed_at, now)) || 1;
}

// One statement checks and counts: concurrent attempts get no more tries than the delays allow.
async function countAttempt(db: Db, { subject, device }: Guesser, now: Date) {
  const old = oldestCounted(now);
  const { rows } = await sql<{ failures: number }>`
    insert into sign_in_failures as before (email, device, failures, last_failed_at)
    values (${subject}, ${device ?? ""}, 1, ${now})
    on conflict (email, device) do update set
      failures = case when before.last_failed_at < ${old} then 1 else before.failures + 1 end,
      last_failed_at = greatest(before.last_failed_at, excluded.last_failed_at)
    where before.last_failed_at < ${old} or before.failures <= ${FREE_FAILURES}
      or before.last_failed_at <= excluded.last_failed_at - make_interval(secs =>
        (${SIGN_IN_DELAYS}::int[])[least(before.failures, ${SIGN_IN_DELAYS.length - 1}) + 1])
    returning failures`.execute(db);
  return rows[0]?.failures;
}

// Guesses at unknown addresses leave rows too; each new row deletes a few old ones.
async function deleteOldFailures(db: Db, now: Date): Promise<void> {
  await sql`delete from sign_in_failures where (email, device) in (
    select email, device from sign_in_failures where last_failed_at < ${oldestCounted(now)}
    limit 10 for update skip locked
  )`.execute(db);
}

function oldestCounted(now: Date): Date {
  return new Date(now.getTime() - FAILURES_COUNT_HOURS * HOUR);
}

/** After the right password. Failures of other devices still count. */
export async function resetFailures(db: Db, { subject, device }: Guesser): Promise<void> {
  await db
    .deleteFrom("sign_in_failures")
    .where("email", "=", subject)
    .where("device", "=", device ?? "")
    .execute();
}

export async function resetAllFailures(db: Db, subject: string): Promise<void> {
  await db.deleteFrom("sign_in_failures").where("email", "=", subject).execute();
}

export function codesOf(userId: string): string {
  return `totp:${userId}`;
}

type Kind = keyof typeof PER_ADDRESS_AND_MINUTE;

/** A plain hash could be reversed with a table of all addresses. */
export function hashNetwork(address: string, secret: string): string {
  return createHmac("sha256", secret).update(networkOf(address)).digest("base64url");
}

export function createAddressLimits(pool: pg.Pool, secret: string) {
  const limiters: Record<Kind, RateLimiterPostgres> = {
    "sign-in": createLimiter(pool, "sign-in"),
    "sign-up": createLimiter(pool, "sign-up"),
    mail: createLimiter(pool, "mail"),
    calendar: createLimiter(pool, "calendar"),
  };
  return {
    /** Seconds to wait, or null. If the database fails, that is logged and nothing is limited. */
    async count(kind: Kind, address: string): Promise<number | null> {
      try {
        await limiters[kind].consume(hashNetwork(address, secret));
        return null;
      } catch (error) {
        if (error instanceof RateLimiterRes) return Math.ceil(error.msBeforeNext / 1_000) || 1;
        log.error({ err: error }, "address limits do not count");
        return null;
      }
    },
  };
}

function createLimiter(pool: pg.Pool, kind: Kind): RateLimiterPostgres {
  const points = PER_ADDRESS_AND_MINUTE[kind];
  return new RateLimiterPostgres({
    storeClient: pool,
    storeType: "pool",
    tableName: "rate_limits",
    tableCreated: true,
    keyPrefix: kind,
    points,
    duration: 60,
    // An address over its limit causes no more queries.
    inMemoryBlockOnConsumed: points + 1,
  });
}

/** The /56 of an IPv6 address: one household may use all of it. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped || !address.includes(":")) return mapped ?? address;
  const [head = "", tail] = (address.split("%")[0] ?? "").toLowerCase().split("::");
  const left = head ? head.split(":") : [];
  const right = tail ? tail.split(":") : [];
  const zeros = tail === undefined ? 0 : Math.max(8 - left.length - right.length, 0);
  const groups = [...left, ...Array<string>(zeros).fill("0"), ...right];
  // The last two digits of the fourth group number the household's own networks.
  const [a, b, c, d = ""] = groups.map((group) => group.padStart(4, "0"));
  const kept = [a, b, c, `${d.slice(0, 2)}00`].map((group = "") => group.replace(/^0+(.)/, "$1"));
  return `${kept.join(":")}::/56`;
}

const MOST_WAITING = 50;

export function createKeyedLock() {
  const lines = new Map<string, { last: Promise<unknown>; length: number }>();
  return async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const line = lines.get(key) ?? { last: Promise.resolve(), length: 0 };
    if (line.length > MOST_WAITING) throw new BusyError("too much work on one account is waiting");
    line.length += 1;
    lines.set(key, line);
    const mine = line.last.then(work, work);
    line.last = mine;
    try {
      return await mine;
    } finally {
      line.length -= 1;
      if (line.length === 0) lines.delete(key);
    }
  };
}
