import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { withoutTimeouts } from "#test/no-timeouts.ts";
import { withoutLocks } from "#test/disable-locks.ts";
import { NOW } from "#test/fixtures.ts";
import type { Db } from "#app/platform/db.server.ts";
import { addAccount } from "#test/accounts.ts";
import { changeRole, makeAdmin, suspendAccount } from "./account-status.server.ts";

const database = useDatabase(20);
withoutTimeouts(database);
let app: ReturnType<typeof testApp>;
beforeAll(() => {
  app = testApp(database);
});
beforeEach(async () => {
  await app.db.deleteFrom("user_roles").execute();
});

const change = (userId: string, isAdmin: boolean, actor = "test", db = app.db) =>
  changeRole(db, { userId, isAdmin, actor });
const admins = async (db: Db = app.db) =>
  (await db.selectFrom("user_roles").select("user_id").execute()).map((role) => role.user_id);

async function someAdmins(count: number) {
  const ids = [];
  for (let n = 0; n < count; n += 1) {
    const { userId } = await addAccount(app);
    await change(userId, true);
    ids.push(userId);
  }
  return ids;
}

test("granting and revoking the role are each recorded once with the previous state", async () => {
  const [first = ""] = await someAdmins(1);
  const { userId } = await addAccount(app);
  for (const isAdmin of [true, true, false, false]) {
    expect(await change(userId, isAdmin, first)).toEqual({ ok: true });
  }
  expect(await admins()).toEqual([first]);
  const entries = app.db.selectFrom("audit_log").select(["actor", "action", "details"]);
  const [no, yes] = [{ isAdmin: false }, { isAdmin: true }];
  expect(await entries.where("subject", "=", userId).orderBy("id").execute()).toEqual([
    { actor: first, action: "role.admin", details: { before: no, after: yes } },
    { actor: first, action: "role.player", details: { before: yes, after: no } },
  ]);
});

test("the last admin keeps the role, a suspended or missing account cannot get it", async () => {
  const [only = ""] = await someAdmins(1);
  expect(await change(only, false, only)).toEqual({ ok: false, reason: "last-admin" });
  const { userId } = await addAccount(app);
  await suspendAccount(app.db, app.jobs, { userId, reason: "Fights", actor: only }, NOW);
  expect(await change(userId, true)).toEqual({ ok: false, reason: "suspended" });
  for (const nobody of ["x", crypto.randomUUID()]) {
    expect(await change(nobody, true)).toEqual({ ok: false, reason: "gone" });
  }
  expect(await admins()).toEqual([only]);
});

test("the command grants the role under the same rules", async () => {
  const { userId, email } = await addAccount(app);
  for (const address of [email, ` ${email.toUpperCase()}`]) {
    expect(await makeAdmin(app.db, address, "command")).toEqual({ ok: true });
  }
  expect(await admins()).toEqual([userId]);
  const entries = app.db.selectFrom("audit_log").select("actor").where("subject", "=", userId);
  expect(await entries.execute()).toEqual([{ actor: "command" }]);
  const other = await addAccount(app);
  await suspendAccount(
    app.db,
    app.jobs,
    { userId: other.userId, reason: "Fights", actor: userId },
    NOW,
  );
  expect(await makeAdmin(app.db, other.email, "command")).toMatchObject({ reason: "suspended" });
  expect(await makeAdmin(app.db, "x@uni.example", "command")).toMatchObject({ reason: "gone" });
  expect(await admins()).toEqual([userId]);
});

/** Two admins take each other's role, or shut each other out, at the same moment. */
async function duel(db: Db) {
  const [one = "", other = ""] = await someAdmins(2);
  await Promise.all([change(one, false, other, db), change(other, false, one, db)]);
  return admins();
}

async function mixedDuel(db: Db) {
  const [one = "", other = ""] = await someAdmins(2);
  const [taken, suspended] = await Promise.all([
    change(one, false, other, db),
    suspendAccount(db, database.jobs, { userId: other, reason: "Fights", actor: one }, NOW),
  ]);
  return [taken.ok, suspended.ok].filter(Boolean);
}

describe("when two admins remove each other, one stays", () => {
  test("when each takes the other's role", async () => {
    for (let turn = 0; turn < 10; turn += 1) {
      expect(await duel(app.db)).toHaveLength(1);
      await app.db.deleteFrom("user_roles").execute();
    }
  });

  test("when one takes the role and the other suspends", async () => {
    for (let turn = 0; turn < 10; turn += 1) {
      expect(await mixedDuel(app.db)).toHaveLength(1);
      await app.db.deleteFrom("user_roles").execute();
    }
  });

  test("without the lock neither stays", async () => {
    const unlocked = app.db.withPlugin(withoutLocks);
    for (let turn = 0; turn < 200; turn += 1) {
      if ((await duel(unlocked)).length === 0) return;
      await app.db.deleteFrom("user_roles").execute();
    }
    expect.fail("the property held in 200 rounds without its guard");
  });
});
