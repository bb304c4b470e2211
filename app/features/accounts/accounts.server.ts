import { createHmac } from "node:crypto";
import { type BetterAuthOptions, betterAuth } from "better-auth";
import type { Kysely } from "kysely";
import type pg from "pg";
import type { Db } from "../../platform/db.server.ts";
import type { Env } from "../../platform/env.server.ts";
import { log } from "../../platform/log.server.ts";
import { createQueue } from "../../platform/queue.server.ts";
import { type AddressLimits, createAddressLimits } from "./address-limits.server.ts";
import { inTurnByKey } from "./in-turn.server.ts";
import { SESSION_DAYS } from "./rules.ts";
import { forgetExpiredSessions } from "./sessions.server.ts";
import { hashToken, newToken } from "./tokens.server.ts";

export interface OpenedSession {
  /** What the cookie carries; the database holds only its hash. */
  token: string;
  expiresAt: Date;
}

/** What this process shares between requests about accounts. */
export interface Accounts {
  /** A scrypt hash with a salt. Never call it inside a transaction: it takes tens of milliseconds. */
  hashPassword(password: string): Promise<string>;
  /** Without a hash (no such account) it does the same work and answers false. */
  verifyPassword(hash: string | null, password: string): Promise<boolean>;
  openSession(userId: string): Promise<OpenedSession>;
  closeSession(token: string): Promise<void>;
  /** Runs deeds of the same key one after another within this process. */
  inTurn<T>(key: string, deed: () => Promise<T>): Promise<T>;
  /** By which an e-mail address is known again without being kept; another secret, another hash. */
  hashEmail(email: string): string;
  limits: AddressLimits;
}

interface Parts {
  env: Pick<Env, "appUrl" | "sessionSecret">;
  db: Db;
  pool: pg.Pool;
}

// Hashing runs on Node's four worker threads, which reading files needs too: one stays free.
const CONCURRENT_HASHES = 3;
// Of the shape and cost of a real hash; no password leads to it.
const NOBODYS_HASH = `${"0".repeat(32)}:${"0".repeat(128)}`;

/**
 * Accounts on better-auth's core: its hashes, its sessions, its tables. Its own HTTP handler is
 * never mounted, because our forms answer in words of ours and write in transactions of ours.
 */
export function createAccounts({ env, db, pool }: Parts): Accounts {
  const core = betterAuth(coreOptions(env, db)).$context;
  // Nobody is refused: whoever comes waits.
  const hashing = createQueue(CONCURRENT_HASHES, Infinity);
  return {
    hashPassword: (password) => hashing.run(async () => (await core).password.hash(password)),
    verifyPassword: (hash, password) =>
      hashing.run(async () => {
        const matches = await (
          await core
        ).password.verify({ hash: hash ?? NOBODYS_HASH, password });
        return matches && hash !== null;
      }),
    async openSession(userId) {
      const token = newToken();
      const columns = { token: hashToken(token), ipAddress: null, userAgent: null };
      const { internalAdapter } = await core;
      await forgetExpiredSessions(db, new Date());
      const { expiresAt } = await internalAdapter.createSession(userId, false, columns, true);
      return { token, expiresAt };
    },
    async closeSession(token) {
      await (await core).internalAdapter.deleteSession(hashToken(token));
    },
    inTurn: inTurnByKey(),
    hashEmail: (email) =>
      createHmac("sha256", env.sessionSecret).update(`email:${email.toLowerCase()}`).digest("hex"),
    limits: createAddressLimits(pool, env.sessionSecret),
  };
}

function coreOptions(env: Parts["env"], db: Db): BetterAuthOptions {
  return {
    appName: "accounts",
    baseURL: env.appUrl,
    secret: env.sessionSecret,
    database: { db: db as unknown as Kysely<unknown>, type: "postgres" },
    emailAndPassword: {
      enabled: true,
      autoSignIn: false,
      requireEmailVerification: true,
      revokeSessionsOnPasswordReset: true,
    },
    telemetry: { enabled: false },
    rateLimit: { enabled: false },
    advanced: { database: { generateId: "uuid", validateSchema: false } },
    logger: { log: (level, message) => log[level](message) },
    user: { modelName: "users", fields: { emailVerified: "email_verified", ...timestamps } },
    session: {
      modelName: "sessions",
      fields: sessionColumns,
      expiresIn: SESSION_DAYS * 24 * 60 * 60,
      updateAge: 24 * 60 * 60,
    },
    account: { modelName: "accounts", fields: accountColumns },
    verification: {
      modelName: "verifications",
      fields: { expiresAt: "expires_at", ...timestamps },
    },
  };
}

const timestamps = { createdAt: "created_at", updatedAt: "updated_at" };
const sessionColumns = {
  userId: "user_id",
  expiresAt: "expires_at",
  ipAddress: "ip_address",
  userAgent: "user_agent",
  ...timestamps,
};
const accountColumns = {
  userId: "user_id",
  accountId: "account_id",
  providerId: "provider_id",
  accessToken: "access_token",
  refreshToken: "refresh_token",
  idToken: "id_token",
  accessTokenExpiresAt: "access_token_expires_at",
  refreshTokenExpiresAt: "refresh_token_expires_at",
  ...timestamps,
};
