import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type pg from "pg";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { administer, at } from "#test/postgres.ts";
import { hashToken } from "#app/features/accounts/tokens.server.ts";
import { findOpenLink } from "#app/features/players/confirm-sign-up.server.ts";
import { type Database, openDatabase } from "#app/platform/db.server.ts";
import { installJobs } from "#app/jobs.server.ts";

const NAME = `kickabout_t_former_${process.pid}`;
const FILE = "020_sign_ups.sql";
const FOLDER = path.join(import.meta.dirname, "migrations");
const sqlOf = (name: string) => readFileSync(path.join(FOLDER, name), "utf8");
let former: Database;

beforeAll(async () => {
  await administer(inject("server"), `create database ${NAME}`);
  former = openDatabase(at(inject("server"), NAME));
  const before = readdirSync(FOLDER).sort();
  for (const name of before.filter((each) => each < FILE)) await former.pool.query(sqlOf(name));
});
afterAll(async () => {
  await former.close();
  await administer(inject("server"), `drop database ${NAME} with (force)`);
});

/** Somebody as they stood in the tables until then; answers the id. */
async function aPerson(pool: pg.Pool, key: string, { confirmed = false, days = 1 } = {}) {
  const id = randomUUID();
  const email = `${key}@uni.example`;
  const steps: [string, unknown[]][] = [
    [
      `insert into users (id, name, email, email_verified, created_at)
       values ($1, 'Ada Player', $2, $3, now() - make_interval(days => $4))`,
      [id, email, confirmed, days],
    ],
    [
      `insert into accounts (user_id, account_id, provider_id, password)
       values ($1, $2, 'credential', $3)`,
      [id, id, `hash of ${key}`],
    ],
    [
      `insert into profiles (user_id, first_name, last_name, date_of_birth, email, school_year,
         major) values ($1, 'Ada', 'Player', '2000-01-31', $2, 'Master', 'Physics')`,
      [id, email],
    ],
    [
      `insert into verifications (identifier, value, expires_at)
       values ($1, $2, now() + interval '1 day')`,
      [`confirm:${hashToken(key)}`, id],
    ],
  ];
  for (const [text, values] of steps) await pool.query(text, values);
  return id;
}

test("who has not confirmed waits as a sign-up, links and mails go on, and the old ones go", async () => {
  const { pool, db } = former;
  await installJobs(pool);
  const waiting = await aPerson(pool, "waiting");
  await aPerson(pool, "old", { days: 31 });
  await aPerson(pool, "confirmed", { confirmed: true });
  const tagged = await aPerson(pool, "confirmed+tag", { confirmed: true });
  const paid = await aPerson(pool, "paid");
  await pool.query(
    "insert into wallet_transactions (user_id, type, amount_eur) values ($1, 'topup', 5)",
    [paid],
  );
  const admin = await aPerson(pool, "admin", { days: 40 });
  await pool.query("insert into user_roles (user_id, role) values ($1, 'admin')", [admin]);
  await pool.query(
    "insert into pgboss.job (name, data) values ('mail.confirm-address', $1)", //
    [{ userId: waiting, token: "waiting" }],
  );

  await pool.query(sqlOf(FILE));

  const signUps = await db.selectFrom("sign_ups").selectAll().execute();
  expect(signUps).toMatchObject([
    { id: waiting, email: "waiting@uni.example", password_hash: "hash of waiting" },
  ]);
  expect(signUps).toHaveLength(1);
  const browser = { token: "waiting", browserHash: null };
  const link = { email: "waiting@uni.example", firstName: null };
  expect(await findOpenLink(db, browser, new Date())).toEqual(link);
  const { rows: mails } = await pool.query("select data from pgboss.job");
  expect(mails).toEqual([{ data: { signUpId: waiting, token: "waiting" } }]);

  const users = await db.selectFrom("users").select(["email", "email_verified"]).execute();
  expect(users.map(({ email }) => email).toSorted()).toEqual([
    "admin@uni.example",
    "confirmed+tag@uni.example",
    "confirmed@uni.example",
    "paid@uni.example",
  ]);
  expect(users.every(({ email_verified }) => email_verified)).toBe(true);
  // Of whom organisers had given something nobody knows the address: it is proved by a reset.
  const closed = db.selectFrom("accounts").select("user_id").where("password", "is", null);
  const ids = (await closed.execute()).map(({ user_id }) => user_id);
  expect(ids.toSorted()).toEqual([paid, admin].toSorted());
  expect(ids).not.toContain(tagged);
});

test("an account whose address nobody has confirmed cannot be written", async () => {
  const write = former.pool.query(
    "insert into users (name, email, email_verified) values ('A', 'a@uni.example', false)",
  );
  await expect(write).rejects.toThrow("users_confirmed");
});
