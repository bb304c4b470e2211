import { expect, test } from "vitest";
import { useDatabase } from "./db.ts";
import { ben, NOW } from "./fixtures.ts";

const database = useDatabase();
const data = { withdrawalId: "of the test" };
const enqueued = async () =>
  (
    await database.pool.query(
      "select from pgboss.job where name = 'mail.send' and data->>'kind' = 'withdrawal'",
    )
  ).rowCount;

test("a job on a transaction that has written nothing fails the test that sees it", async () => {
  const userId = await ben(database.db);
  const queue = database.db.transaction().execute(async (tx) => {
    await tx.selectFrom("profiles").selectAll().where("user_id", "=", userId).forUpdate().execute();
    await database.jobs.enqueueEmails(tx, "withdrawal", [data]);
  });
  await expect(queue).rejects.toThrow("withdrawal: queued before anything was written");
  expect(await enqueued()).toBe(0);
});

test("on one that has written something it is queued, and another one after it", async () => {
  const userId = await ben(database.db);
  await database.db.transaction().execute(async (tx) => {
    const user = tx.updateTable("users").where("id", "=", userId);
    await user.set({ updated_at: NOW }).execute();
    for (let n = 0; n < 2; n += 1) await database.jobs.enqueueEmails(tx, "withdrawal", [data]);
  });
  expect(await enqueued()).toBe(2);
});
