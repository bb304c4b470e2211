import type pg from "pg";
import type { Db } from "#app/platform/db.server.ts";
import { TEST_SECRET } from "./db.ts";
import { type Accounts, registerAccount } from "#app/features/accounts/accounts.server.ts";
import { openToken } from "#app/platform/job-tokens.server.ts";
import type { Jobs } from "#app/platform/jobs.server.ts";
import { sql } from "kysely";
import { confirmSignUp, registerPlayer } from "#app/features/players/sign-up.server.ts";
import { recallDebt } from "#app/features/wallet/debts.server.ts";
import type { SignUpInput } from "#app/features/players/input.ts";
import type { App } from "#app/routes/context.server.ts";

export const PASSWORD = "Kickabout1";
/** Hash of PASSWORD, as it was made until November 2026. */
export const FORMER_HASH =
  "39e89615f67d11675f570465c17e5d32:8e68390bf05b4bcd00d00b023174f72dcba37d98a4a4a1232cbf1f48d3ccc6f2d300761058aae50c2a2a235524612955dbf5a19715e9db3b8adf448be955628d";

interface Scenario {
  db: Db;
  accounts: Accounts;
}

const hashes = new Map<Accounts["hashPassword"], Promise<string>>();
let number = 0;

/** Hash of PASSWORD. Test files share this module; some replace the way a password is hashed. */
function hashOnce({ hashPassword }: Accounts): Promise<string> {
  const hash = hashes.get(hashPassword) ?? hashPassword(PASSWORD);
  hashes.set(hashPassword, hash);
  return hash;
}

/** An account with its profile and PASSWORD. */
export async function addAccount({ db, accounts }: Scenario) {
  const email = `player${(number += 1)}@uni.example`;
  const passwordHash = await hashOnce(accounts);
  const account = { email, name: "Ada Player", passwordHash };
  const userId = await db.transaction().execute((tx) => registerAccount(tx, account));
  if (!userId) throw new Error(`${email} is taken`);
  await db
    .insertInto("profiles")
    .values({ user_id: userId, email, ...ADA })
    .execute();
  return { userId, email };
}

const ADA = {
  first_name: "Ada",
  last_name: "Player",
  date_of_birth: "2000-01-31",
  school_year: "Bachelor",
  major: "Physics",
  phone: null,
};

export async function addSignUp(
  { db, accounts }: Scenario,
  {
    email = `sign-up${(number += 1)}@uni.example`,
    browserHash = null as string | null,
    redirectTo = null as string | null,
    createdAt = new Date(),
  } = {},
) {
  const password_hash = await hashOnce(accounts);
  const person_email = accounts.personOf(email);
  const { id: signUpId } = await db
    .insertInto("sign_ups")
    .values({
      ...ADA,
      email,
      person_email,
      password_hash,
      browser_hash: browserHash,
      redirect_to: redirectTo,
      created_at: createdAt,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return { signUpId, email };
}

interface WaitingJob {
  userId: string;
  signUpId: string;
  token: string;
}

/** Oldest first, as their handlers get it. */
export async function waitingJobs(pool: pg.Pool, kind: string) {
  const { rows } = await pool.query<{ data: WaitingJob }>(
    "select data - 'kind' as data from pgboss.job where name like 'mail.%' and data->>'kind' = $1 order by created_on",
    [kind],
  );
  return rows.map(({ data }) => openToken(TEST_SECRET, data)!);
}

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

type SignUpApp = Pick<App, "db" | "jobs" | "accounts">;

/** The tokens of the confirmation mails that these jobs send, oldest first. */
export function watchTokens(jobs: Jobs): { jobs: Jobs; tokens: string[] } {
  const tokens: string[] = [];
  return {
    tokens,
    jobs: {
      ...jobs,
      async enqueueEmails(tx, kind, emails, when) {
        if (kind === "confirm-address") {
          tokens.push(...emails.map((data) => (data as { token: string }).token));
        }
        await jobs.enqueueEmails(tx, kind, emails, when);
      },
    },
  };
}

/** Signs up with an address that has no account and confirms it; returns the new player's id. */
export async function signUpAndConfirm(
  parts: SignUpApp,
  email: string,
  now: Date,
): Promise<string> {
  const { jobs, tokens } = watchTokens(parts.jobs);
  const signUp = { ...PERSON, email, address: ADDRESS, browserHash: BROWSER };
  await registerPlayer({ ...parts, jobs, recallDebt }, signUp, now);
  const browser = { browserHash: BROWSER, password: "", address: ADDRESS, device: null };
  const confirmed = await confirmSignUp(
    { ...parts, recallDebt },
    { token: tokens[0] ?? "", ...browser },
    now,
  );
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
