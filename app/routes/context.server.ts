import { createContext } from "react-router";
import type { Accounts } from "#app/features/accounts/accounts.server.ts";
import type { Db } from "#app/platform/db.server.ts";
import type { Env } from "#app/platform/env.server.ts";
import type { Jobs } from "#app/platform/jobs.server.ts";

/** What a request may use; made once by server.ts, and by tests for their own database. */
export interface App {
  env: Env;
  db: Db;
  jobs: Jobs;
  accounts: Accounts;
  now(): Date;
}

export const appContext = createContext<App>();
/** The nonce of this response's content security policy. */
export const nonceContext = createContext<string>();
/** The client's address, behind as many proxies as are trusted. */
export const addressContext = createContext<string>();
