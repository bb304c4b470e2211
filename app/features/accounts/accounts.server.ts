import { createHmac } from "node:crypto";
import type pg from "pg";
import type { Db } from "../../platform/db.server.ts";
import type { Env } from "../../platform/env.server.ts";
import type { Turn } from "../../platform/turns.server.ts";
import { type AddressLimits, createAddressLimits } from "./address-limits.server.ts";
import { inTurnByKey } from "./in-turn.server.ts";
import { createPasswords } from "./passwords.server.ts";
import {
  closeSession,
  type NewSession,
  type OpenedSession,
  openSession,
} from "./sessions.server.ts";

/** What this process shares between requests about accounts. */
export interface Accounts {
  /** A salted hash. Never call it inside a transaction: it takes tenths of a second. */
  hashPassword(password: string, turn?: Turn): Promise<string>;
  /** Without a hash (no such account) it does the same work and answers false. */
  verifyPassword(hash: string | null, password: string, turn?: Turn): Promise<boolean>;
  openSession(userId: string, session?: NewSession): Promise<OpenedSession>;
  closeSession(token: string): Promise<void>;
  /** Runs deeds of the same key one after another within this process. */
  inTurn<T>(key: string, deed: () => Promise<T>): Promise<T>;
  /** By which an e-mail address is known again without being kept; another secret, another hash. */
  hashEmail(email: string): string;
  limits: AddressLimits;
}

interface Parts {
  env: Pick<Env, "sessionSecret">;
  db: Db;
  pool: pg.Pool;
}

/** Accounts of this process; passwords and sessions are ours, in tables of ours. */
export function createAccounts({ env, db, pool }: Parts): Accounts {
  const passwords = createPasswords();
  return {
    hashPassword: passwords.hash,
    verifyPassword: passwords.verify,
    openSession: (userId, session) => openSession(db, userId, session),
    closeSession: (token) => closeSession(db, token),
    inTurn: inTurnByKey(),
    hashEmail: (email) =>
      createHmac("sha256", env.sessionSecret).update(`email:${email.toLowerCase()}`).digest("hex"),
    limits: createAddressLimits(pool, env.sessionSecret),
  };
}
