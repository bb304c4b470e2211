import { sql } from "kysely";
import type { Accounts } from "#app/features/accounts/accounts.server.ts";
import {
  confirmSignUp,
  type RecallMore,
  registerPlayer,
} from "#app/features/players/sign-up.server.ts";
import type { SignUpInput } from "#app/features/players/input.ts";
import type { Db } from "#app/platform/db.server.ts";
import type { JobData, Jobs } from "#app/platform/jobs.server.ts";
import type { App } from "#app/routes/context.server.ts";

export const ADDRESS = "192.0.2.1";
export const BROWSER = "the-browser-that-signs-up";

export const PERSON: Omit<SignUpInput, "email"> = {
  password: "Kickabout1",
  firstName: "Ada",
  lastName: "Again",
  dateOfBirth: "2000-01-31",
  schoolYear: "Master",
  major: "Physics",
  phone: null,
};

type Parts = Pick<App, "db" | "jobs" | "accounts"> & { recallMore?: RecallMore };

/** The tokens of the confirmation mails that these jobs send, oldest first. */
export function watchTokens(jobs: Jobs): { jobs: Jobs; tokens: string[] } {
  const tokens: string[] = [];
  return {
    tokens,
    jobs: {
      ...jobs,
      async enqueue(tx, queue, data, when) {
        if (queue === "mail.confirm-address") {
          tokens.push((data as JobData["mail.confirm-address"]).token);
        }
        await jobs.enqueue(tx, queue, data, when);
      },
    },
  };
}

/** Signs up with an address that has no account and confirms it; answers the new player's id. */
export async function signUpAndConfirm(parts: Parts, email: string, now: Date): Promise<string> {
  const { jobs, tokens } = watchTokens(parts.jobs);
  const signUp = { ...PERSON, email, address: ADDRESS, browserHash: BROWSER };
  await registerPlayer({ ...parts, jobs }, signUp, now);
  const browser = { browserHash: BROWSER, password: "", address: ADDRESS, device: null };
  const confirmed = await confirmSignUp(parts, { token: tokens[0] ?? "", ...browser }, now);
  if (!confirmed.ok) throw new Error(`${email} was not confirmed: ${confirmed.reason}`);
  return confirmed.userId;
}

/** For tests of who gets in, where how a password is hashed plays no part. */
export function quickPasswords(accounts: Accounts): Accounts {
  return {
    ...accounts,
    hashPassword: async (password) => `quick:${password}`,
    verifyPassword: async (hash, password) => hash === `quick:${password}`,
  };
}

/** Every row of every table of ours and of the queue: equal before and after, nothing changed. */
export async function allRows(db: Db): Promise<Record<string, string>> {
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'`.execute(db);
  const names = [...tables.map(({ name }) => name), "pgboss.job"];
  const all: Record<string, string> = {};
  for (const name of names) {
    const { rows } = await sql<{ all: string }>`
      select coalesce(string_agg(t::text, e'\n' order by t::text), '') as all
      from ${sql.table(name)} t`.execute(db);
    all[name] = rows[0]?.all ?? "";
  }
  return all;
}
