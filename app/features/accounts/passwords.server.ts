import { randomBytes, scrypt, type ScryptOptions, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { createTurns, type Turn } from "../../platform/turns.server.ts";

export interface Passwords {
  /** A salted hash as text that says how it was made. Takes tenths of a second of a processor. */
  hash(password: string, turn?: Turn): Promise<string>;
  /** Without a hash (no such account) it does the same work and is false. */
  verify(hash: string | null, password: string, turn?: Turn): Promise<boolean>;
}

// OWASP Password Storage Cheat Sheet, 2025: of its equal settings the one with the least memory.
const COST = { N: 2 ** 14, r: 8, p: 5 };
const CURRENT = "scrypt:14:8:5";
const FORMER_COST = { N: 2 ** 14, r: 16, p: 1 };
const [SALT_BYTES, KEY_BYTES] = [16, 64];

// Hashing runs on Node's four worker threads, which reading files needs too: one stays free.
const LIMITS = { atOnce: 3, maxWaitMs: 5_000, maxWaiting: 1_000 };
/** Work that nobody outside asked for, such as seeding. */
const OWN_TURN: Turn = { client: "this process", account: "" };

const derive = promisify<string, string, number, ScryptOptions, Buffer>(scrypt);

/**
 * Password hashes by scrypt, a few at a time: clients and accounts take turns, and work that has
 * not begun after five seconds fails with BusyError. Never call them inside a transaction.
 */
export function createPasswords(): Passwords {
  const turns = createTurns(LIMITS);
  return {
    hash: (password, turn = OWN_TURN) =>
      turns.run(turn, async () => {
        const salt = randomBytes(SALT_BYTES).toString("hex");
        return `${CURRENT}:${salt}:${(await key(password, salt, COST)).toString("hex")}`;
      }),
    verify: (hash, password, turn = OWN_TURN) => turns.run(turn, () => matches(hash, password)),
  };
}

/** Whether a password should be hashed again when it is next known: advice has changed since. */
export function isOutdated(hash: string): boolean {
  return !hash.startsWith(`${CURRENT}:`);
}

async function matches(hash: string | null, password: string): Promise<boolean> {
  const { cost, salt, expected } = read(hash ?? `${CURRENT}:${"0".repeat(32)}:`);
  const derived = await key(password, salt, cost);
  return expected.length === derived.length && timingSafeEqual(expected, derived);
}

/** Until November 2026 a hash was `salt:key`, made with other parameters. */
function read(hash: string) {
  const parts = hash.split(":");
  const [salt = "", expected = ""] = parts.slice(-2);
  const cost = isOutdated(hash) ? FORMER_COST : COST;
  return { cost, salt, expected: Buffer.from(expected, "hex") };
}

// Signs that look the same may be typed in several ways (NFKC makes them one).
function key(password: string, salt: string, cost: typeof COST): Promise<Buffer> {
  const maxmem = 256 * cost.N * cost.r;
  return derive(password.normalize("NFKC"), salt, KEY_BYTES, { ...cost, maxmem });
}
