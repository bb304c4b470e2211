import { createHmac } from "node:crypto";
import type pg from "pg";
import type { Db } from "#app/platform/db.server.ts";
import type { Env } from "#app/platform/env.server.ts";
import { createPasswords, type Passwords } from "./passwords.server.ts";
import { personOf } from "./rules.ts";
import {
  closeSession,
  type NewSession,
  type OpenedSession,
  openSession,
} from "./sessions.server.ts";
import { createAddressLimits, createKeyedLock, type Throttles } from "./throttles.server.ts";

export interface Accounts extends Throttles {
  hashPassword: Passwords["hash"];
  verifyPassword: Passwords["verify"];
  isOutdatedHash: Passwords["isOutdated"];
  openSession(userId: string, session?: NewSession): Promise<OpenedSession>;
  closeSession(token: string): Promise<void>;
  personOf(email: string): string;
  /** Identifies a person without storing the address. */
  hashEmail(email: string): string;
}

interface Parts {
  env: Pick<Env, "sessionSecret" | "emailTags">;
  db: Db;
  pool: pg.Pool;
  passwords?: Passwords;
}

export function createAccounts({ env, db, pool, passwords = createPasswords() }: Parts): Accounts {
  const person = (email: string) => personOf(email, env.emailTags);
  return {
    hashPassword: passwords.hash,
    verifyPassword: passwords.verify,
    isOutdatedHash: passwords.isOutdated,
    openSession: (userId, session) => openSession(db, userId, session),
    closeSession: (token) => closeSession(db, token),
    withKeyedLock: createKeyedLock(),
    personOf: person,
    hashEmail: (email) =>
      createHmac("sha256", env.sessionSecret)
        .update(`email:${person(email)}`)
        .digest("hex"),
    limits: createAddressLimits(pool, env.sessionSecret),
  };
}
