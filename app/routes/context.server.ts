import { createContext } from "react-router";
import type { Accounts } from "#app/features/accounts/accounts.server.ts";
import type { Db } from "#app/platform/db.server.ts";
import type { Replica } from "#app/platform/postgres/replica.server.ts";
import type { Env } from "#app/platform/env.server.ts";
import type { Jobs } from "#app/platform/jobs.server.ts";

export interface App {
  env: Env;
  db: Db;
  /** For reads of what everybody sees, which may be seconds old (readShared). */
  replica?: Replica | undefined;
  jobs: Jobs;
  accounts: Accounts;
  now(): Date;
}

export const appContext = createContext<App>();
export const nonceContext = createContext<string>();
export const addressContext = createContext<string>();
