import type pg from "pg";
import type { Db } from "#app/platform/db.server.ts";
import { TEST_SECRET } from "./db.ts";
import { type Accounts, registerAccount } from "#app/features/accounts/accounts.server.ts";
import { openToken } from "#app/platform/jobs.server.ts";

export const PASSWORD = "Kickabout1";
/** Of PASSWORD, as it was made until November 2026. */
export const FORMER_HASH =
  "39e89615f67d11675f570465c17e5d32:8e68390bf05b4bcd00d00b023174f72dcba37d98a4a4a1232cbf1f48d3ccc6f2d300761058aae50c2a2a235524612955dbf5a19715e9db3b8adf448be955628d";

interface Scenario {
  db: Db;
  accounts: Accounts;
}

let hash: Promise<string> | undefined;
let number = 0;

/** An account with its profile and PASSWORD. */
export async function addAccount({ db, accounts }: Scenario) {
  const email = `player${(number += 1)}@uni.example`;
  const passwordHash = await (hash ??= accounts.hashPassword(PASSWORD));
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
    createdAt = new Date(),
  } = {},
) {
  const password_hash = await (hash ??= accounts.hashPassword(PASSWORD));
  const person_email = accounts.personOf(email);
  const { id: signUpId } = await db
    .insertInto("sign_ups")
    .values({
      ...ADA,
      email,
      person_email,
      password_hash,
      browser_hash: browserHash,
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
export async function waitingJobs(pool: pg.Pool, queue: string) {
  const { rows } = await pool.query<{ data: WaitingJob }>(
    "select data from pgboss.job where name = $1 order by created_on",
    [queue],
  );
  return rows.map(({ data }) => openToken(TEST_SECRET, data)!);
}
