import { createHmac } from "node:crypto";
import type pg from "pg";
import type { Db } from "#app/platform/db.server.ts";
import type { Env } from "#app/platform/env.server.ts";
import { type Turn, BusyError } from "#app/platform/turns.server.ts";
import { type AddressLimits, createAddressLimits } from "./throttles.server.ts";
import { createPasswords, type Passwords } from "./passwords.server.ts";
import { personOf } from "./rules.ts";
import { closeSession, type NewSession, type OpenedSession, openSession } from "./sessions.server.ts";

/** What this process shares between requests about accounts. */
export interface Accounts {
  /** A salted hash. Never call it inside a transaction: it takes tenths of a second. */
  hashPassword(password: string, turn?: Turn): Promise<string>;
  /** Without a hash (no such account) it does the same work and answers false. */
  verifyPassword(hash: string | null, password: string, turn?: Turn): Promise<boolean>;
  /** Whether a password is to be hashed again when it is next known: the cost has changed since. */
  isOutdatedHash(hash: string): boolean;
  openSession(userId: string, session?: NewSession): Promise<OpenedSession>;
  closeSession(token: string): Promise<void>;
  /** Runs deeds of the same key one after another within this process. */
  inTurn<T>(key: string, deed: () => Promise<T>): Promise<T>;
  /** By which the person of an address is known, tag or not: see rules.ts. */
  personOf(email: string): string;
  /** By which a person's address is known without being kept; another secret, another hash. */
  hashEmail(email: string): string;
  limits: AddressLimits;
}

interface Parts {
  env: Pick<Env, "sessionSecret" | "emailTags">;
  db: Db;
  pool: pg.Pool;
  passwords?: Passwords;
}

/** Accounts of this process; passwords and sessions are ours, in tables of ours. */
export function createAccounts({ env, db, pool, passwords = createPasswords() }: Parts): Accounts {
  const person = (email: string) => personOf(email, env.emailTags);
  return {
    hashPassword: passwords.hash,
    verifyPassword: passwords.verify,
    isOutdatedHash: passwords.isOutdated,
    openSession: (userId, session) => openSession(db, userId, session),
    closeSession: (token) => closeSession(db, token),
    inTurn: inTurnByKey(),
    personOf: person,
    hashEmail: (email) =>
      createHmac("sha256", env.sessionSecret)
        .update(`email:${person(email)}`)
        .digest("hex"),
    limits: createAddressLimits(pool, env.sessionSecret),
  };
}

const MOST_WAITING = 50;

/**
 * Runs work of the same key one after another; work of different keys does not wait. Fails with
 * BusyError where too much of one key waits.
 */
export function inTurnByKey(): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const lines = new Map<string, { last: Promise<unknown>; length: number }>();
  return async (key, work) => {
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
