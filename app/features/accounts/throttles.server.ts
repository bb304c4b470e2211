import { sql } from "kysely";
import type { Db } from "#app/platform/db.server.ts";
import type { Turn } from "#app/platform/turns.server.ts";
import type { Accounts } from "./accounts.server.ts";
import { FAILURES_COUNT_HOURS, FREE_FAILURES, SIGN_IN_DELAYS, secondsToWait, PER_ADDRESS_AND_MINUTE } from "./rules.ts";
import { createHmac } from "node:crypto";
import type pg from "pg";
import { RateLimiterPostgres, RateLimiterRes } from "rate-limiter-flexible";
import { log } from "#app/platform/log.server.ts";

/** Who tries passwords of which account. */
export interface Guesser {
  /** The person's address (Accounts.personOf). */
  email: string;
  /** A browser that has signed in to this account before; null for everybody else together. */
  device: string | null;
}

const HOUR = 60 * 60 * 1_000;

/**
 * Asks to try a password of an account, known or not. Known browsers count apart, so that nobody
 * else's guessing keeps the owner out. Answers null when it may be tried now: the attempt then
 * counts as failed until forgetFailures says otherwise. Answers the seconds to wait when the last
 * failure is too recent; asking then changes nothing.
 *
 * One statement checks and counts, so that no number of attempts at once, in however many
 * processes, gets more tries than the delays allow.
 */
export async function takeAttempt(db: Db, guesser: Guesser, now: Date): Promise<number | null> {
  const counted = await countAttempt(db, guesser, now);
  if (counted === 1) await forgetOldFailures(db, now);
  if (counted) return null;
  const row = await db
    .selectFrom("sign_in_failures")
    .select(["failures", "last_failed_at"])
    .where("email", "=", guesser.email)
    .where("device", "=", guesser.device ?? "")
    .executeTakeFirst();
  // Gone meanwhile: somebody signed in, and the next attempt is free again.
  return (row && secondsToWait(row.failures, row.last_failed_at, now)) || 1;
}

/** Starts one count afresh, after the right password; an attack goes on counting elsewhere. */
export async function forgetFailures(db: Db, { email, device }: Guesser): Promise<void> {
  await db
    .deleteFrom("sign_in_failures")
    .where("email", "=", email)
    .where("device", "=", device ?? "")
    .execute();
}

/** Starts all counts of an account afresh, after a new password. */
export async function forgetAllFailures(db: Db, email: string): Promise<void> {
  await db.deleteFrom("sign_in_failures").where("email", "=", email).execute();
}

/** What takes turns within a process: right passwords sent at once do not count as guesses. */
export function lineOf({ email, device }: Guesser): string {
  return device ? `${email} ${device}` : email;
}

/**
 * Whose work checking this guess is: known browsers of an account share turns of its own, and none
 * with their network.
 */
export function turnOf({ email, device, address }: Guesser & { address: string }): Turn {
  return { client: device ? email : networkOf(address), account: email };
}

/**
 * Seconds to wait before a guess may be checked, else null: it then counts as failed until
 * forgetFailures says otherwise. A guess that its account's delay holds off uses up nothing of its
 * network's limit, which a known browser does not share.
 */
export async function admitGuess(
  { db, accounts }: { db: Db; accounts: Pick<Accounts, "limits"> },
  { address, ...guesser }: Guesser & { address: string },
  now: Date,
): Promise<number | null> {
  const wait = await takeAttempt(db, guesser, now);
  if (wait || guesser.device) return wait;
  return accounts.limits.count("sign-in", address);
}

async function countAttempt(
  db: Db,
  { email, device }: Guesser,
  now: Date,
): Promise<number | undefined> {
  const old = oldest(now);
  const { rows } = await sql<{ failures: number }>`
    insert into sign_in_failures as before (email, device, failures, last_failed_at)
    values (${email}, ${device ?? ""}, 1, ${now})
    on conflict (email, device) do update set
      failures = case when before.last_failed_at < ${old} then 1 else before.failures + 1 end,
      last_failed_at = greatest(before.last_failed_at, excluded.last_failed_at)
    where before.last_failed_at < ${old} or before.failures <= ${FREE_FAILURES}
      or before.last_failed_at <= excluded.last_failed_at - make_interval(secs =>
        (${SIGN_IN_DELAYS}::int[])[least(before.failures, ${SIGN_IN_DELAYS.length - 1}) + 1])
    returning failures`.execute(db);
  return rows[0]?.failures;
}

// Guesses at addresses that do not exist leave rows too; a few old ones go with each new one.
async function forgetOldFailures(db: Db, now: Date): Promise<void> {
  await sql`delete from sign_in_failures where (email, device) in (
    select email, device from sign_in_failures where last_failed_at < ${oldest(now)}
    limit 10 for update skip locked
  )`.execute(db);
}

function oldest(now: Date): Date {
  return new Date(now.getTime() - FAILURES_COUNT_HOURS * HOUR);
}

type Kind = keyof typeof PER_ADDRESS_AND_MINUTE;

export interface AddressLimits {
  /**
   * Counts one deed of a client address. Answers the seconds to wait when there were too many,
   * else null. When the counter's database fails the deed goes on, and the log says so.
   */
  count(kind: Kind, address: string): Promise<number | null>;
}

/** Counters per client address, kept in the database so that all processes share them. */
export function createAddressLimits(pool: pg.Pool, secret: string): AddressLimits {
  const limiters: Record<Kind, RateLimiterPostgres> = {
    "sign-in": createLimiter(pool, "sign-in"),
    "sign-up": createLimiter(pool, "sign-up"),
    mail: createLimiter(pool, "mail"),
  };
  return {
    async count(kind, address) {
      try {
        await limiters[kind].consume(keyOf(address, secret));
        return null;
      } catch (refusal) {
        if (refusal instanceof RateLimiterRes) return Math.ceil(refusal.msBeforeNext / 1_000) || 1;
        log.error({ err: refusal }, "address limits do not count");
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
    // Whoever is over the limit costs no more queries until the minute is over.
    inMemoryBlockOnConsumed: points + 1,
  });
}

// A plain hash of an address can be looked up in a table of all of them; a keyed one cannot.
function keyOf(address: string, secret: string): string {
  return createHmac("sha256", secret).update(networkOf(address)).digest("base64url");
}

/** An IPv4 address itself; of an IPv6 address the /64, all of which one household may use. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped || !address.includes(":")) return mapped ?? address;
  const [head = "", tail] = (address.split("%")[0] ?? "").toLowerCase().split("::");
  const left = head ? head.split(":") : [];
  const right = tail ? tail.split(":") : [];
  const zeros = tail === undefined ? 0 : Math.max(8 - left.length - right.length, 0);
  const groups = [...left, ...Array<string>(zeros).fill("0"), ...right];
  return `${groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(.)/, "$1"))
    .join(":")}::/64`;
}
