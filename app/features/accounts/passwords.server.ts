import { randomBytes, scrypt, type ScryptOptions, timingSafeEqual } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { sql } from "kysely";
import type { Db, Tx } from "#app/platform/db.server.ts";
import { projectRoot } from "#app/platform/root.server.ts";
import { createFairQueue, type Requester } from "#app/platform/fair-queue.server.ts";

// OWASP Password Storage Cheat Sheet and ASVS 5.0, appendix C.
const ADVISED = { log2N: 15, r: 8, p: 3 };
type Cost = typeof ADVISED;
// Until November 2026; a hash was `salt:key` then.
const FORMER: Cost = { log2N: 14, r: 16, p: 1 };
/** Extra work for an old hash, so timing does not reveal it. */
const REST: Cost = { log2N: 15, r: 8, p: 2 };
const [SALT_BYTES, KEY_BYTES] = [16, 64];
export const SHORTEST = 8;
/** Longer passwords never match: normalising n combining marks in a row takes n² steps. */
const LONGEST = 128;

// Hashing runs on Node's four worker threads; reading files needs them too, so one stays free.
const LIMITS = { atOnce: 3, maxWaitMs: 5_000, maxWaiting: 1_000 };
const OWN_PROCESS: Requester = { client: "this process", account: "" };

const derive = promisify<string, string, number, ScryptOptions, Buffer>(scrypt);

/** Never inside a transaction. Throws BusyError if work has not begun after five seconds. */
export function createPasswords(cost = ADVISED) {
  const start = `scrypt:${cost.log2N}:${cost.r}:${cost.p}:`;
  const queue = createFairQueue(LIMITS);
  return {
    hash: (password: string, requester = OWN_PROCESS) =>
      queue.run(requester, async () => {
        const salt = randomBytes(SALT_BYTES).toString("hex");
        return `${start}${salt}:${(await key(password, salt, cost)).toString("hex")}`;
      }),
    /** Tries it as typed, then without the space pasted around it. Without a hash (no such
     * account) it does the same work and returns false. */
    verify: (hash: string | null, password: string, requester = OWN_PROCESS) =>
      queue.run(requester, async () => {
        const stored = hash ?? `${start}${"0".repeat(32)}:`;
        const bare = withoutSpaceAround(password);
        return (await matches(stored, password)) || (bare !== password && matches(stored, bare));
      }),
    isOutdated: (hash: string) => !hash.startsWith(start),
  };
}

/** What is left must be long enough for a password. */
export function withoutSpaceAround(password: string): string {
  const bare = password.trim();
  return bare.length < SHORTEST ? password : bare;
}

async function matches(hash: string, password: string): Promise<boolean> {
  const [salt = "", expected = ""] = hash.split(":").slice(-2);
  const right = Buffer.from(expected, "hex");
  const cost = costOf(hash);
  const derived = await key(password, salt, cost);
  if (cost === FORMER) await key(password, salt, REST);
  const isRight = right.length === derived.length && timingSafeEqual(right, derived);
  return isRight && password.length <= LONGEST;
}

function costOf(hash: string): Cost {
  const [, log2N, r, p] = /^scrypt:(\d{1,2}):(\d{1,2}):(\d{1,2}):/.exec(hash) ?? [];
  return p ? { log2N: Number(log2N), r: Number(r), p: Number(p) } : FORMER;
}

function key(password: string, salt: string, { log2N, r, p }: Cost): Promise<Buffer> {
  const N = 2 ** log2N;
  const options = { N, r, p, maxmem: 256 * N * r };
  return derive(password.slice(0, LONGEST).normalize("NFKC"), salt, KEY_BYTES, options);
}

// Identifies a password, also after a rehash. As a number: a timestamp's text depends on settings.
export const passwordMark = sql<
  string | null
>`(extract(epoch from accounts.updated_at) * 1e6)::bigint::text`.as("passwordMark");

/** Once no change of it is under way, locked for the rest of a transaction. */
export async function lockPassword(db: Db | Tx, userId: string): Promise<string | null> {
  const account = await db
    .selectFrom("accounts")
    .select(passwordMark)
    .where("user_id", "=", userId)
    .where("provider_id", "=", "credential")
    .forUpdate()
    .executeTakeFirst();
  return account?.passwordMark ?? null;
}

export async function setPassword(tx: Tx, userId: string, passwordHash: string, now: Date) {
  // Always later than the previous one, so that each password has its own mark.
  const updated_at = sql<Date>`greatest(${now}::timestamptz, updated_at + interval '1 microsecond')`;
  await tx
    .updateTable("accounts")
    .set({ password: passwordHash, updated_at })
    .where("user_id", "=", userId)
    .where("provider_id", "=", "credential")
    .execute();
}

export async function replaceHash(db: Db, userId: string, current: string, next: string) {
  await db
    .updateTable("accounts")
    .set({ password: next })
    .where("user_id", "=", userId)
    .where("provider_id", "=", "credential")
    .where("password", "=", current)
    .execute();
}

const LIST = path.join(projectRoot, "app", "features", "accounts", "common-passwords.txt");
const ROWS = ["qwertyuiop", "asdfghjkl", "zxcvbnm", "abcdefghijklmnopqrstuvwxyz", "01234567890"];

let list: Set<string> | undefined;

/** In the list, or runs along alphabet, digits or keyboard with at most one break (ASVS 6.2.4). */
export function isCommonPassword(password: string): boolean {
  const folded = fold(password);
  list ??= new Set(readFileSync(LIST, "utf8").split("\n"));
  return list.has(folded) || breaksOf(folded) <= 1;
}

/** Nothing but digits and punctuation around one of the words (ASVS 5.0, 6.2.11). */
export function isMadeOf(password: string, words: string[]): boolean {
  const bare = lettersOf(password);
  return bare !== "" && words.some((word) => lettersOf(word) === bare);
}

function breaksOf(folded: string): number {
  const signs = [...folded];
  return signs.filter((sign, at) => at > 0 && !isStep(signs[at - 1]!, sign)).length;
}

function isStep(from: string, to: string): boolean {
  return from === to || ROWS.some((row) => row.includes(from + to) || row.includes(to + from));
}

function lettersOf(text: string): string {
  return fold(text).replace(/\P{L}/gu, "");
}

function fold(text: string): string {
  return text.normalize("NFKC").toLowerCase();
}
