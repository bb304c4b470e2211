import { expect, test } from "vitest";
import { mailJobs } from "#test/notices.ts";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { ada, markDeleted } from "#test/fixtures.ts";
import type { Mail } from "#app/platform/mail.server.ts";
import { correctBalance, deleteCorrectionReasons } from "./correct-balance.server.ts";

const database = useDatabase();

async function correct(userId: string, amountCents: number, key: string) {
  const correction = { userId, amountCents, reason: "Rained off <b>", actor: "test", key };
  return correctBalance(database.db, database.jobs, correction);
}

async function mailsOf(userId: string, key: string): Promise<Mail[]> {
  const sent: Mail[] = [];
  const tools = testApp(database);
  const mails = mailJobs({ ...tools, mailer: async (mail) => void sent.push(mail) });
  await mails["balance-corrected"]({ userId, key });
  return sent;
}

async function queued(userId: string): Promise<number> {
  const { rows } = await database.pool.query(
    "select 1 from pgboss.job where name = 'mail.send' and data->>'kind' = 'balance-corrected' and data->>'userId' = $1",
    [userId],
  );
  return rows.length;
}

test("a correction is mailed with its reason, once for each form", async () => {
  const userId = await ada(database.db);
  const key = crypto.randomUUID();
  expect(await correct(userId, 1_250, key)).toEqual({ ok: true, isRepeat: false });
  expect(await correct(userId, 1_250, key)).toEqual({ ok: true, isRepeat: true });
  expect(await queued(userId)).toBe(1);
  const [mail, ...more] = await mailsOf(userId, key);
  expect(more).toEqual([]);
  expect(mail).toMatchObject({ subject: "You were given 12.50 credits" });
  expect(mail?.key).toBe(`balance-corrected:${key}`);
  expect(mail?.text).toContain("you were given 12.50 credits. Their reason: Rained off <b>");
  expect(mail?.text).toContain("Your balance is now 112.50 credits.");
  expect(mail?.html).toContain("Rained off &lt;b&gt;");
  expect(mail?.html).toContain('redirectTo=%2Fwallet"');
});

test("what was taken is mailed; one that failed is not", async () => {
  const userId = await ada(database.db);
  const key = crypto.randomUUID();
  await correct(userId, -500, key);
  const [mail] = await mailsOf(userId, key);
  expect(mail?.subject).toBe("5 credits were taken");
  expect(mail?.text).toContain("Your balance is now 95 credits.");
  expect(await correct(userId, -10_000, crypto.randomUUID())).toMatchObject({ ok: false });
  expect(await queued(userId)).toBe(1);
});

test("to a deleted account nothing is sent", async () => {
  const userId = await ada(database.db);
  const key = crypto.randomUUID();
  await correct(userId, 500, key);
  await markDeleted(database.db, userId);
  await database.db.transaction().execute((tx) => deleteCorrectionReasons(tx, userId));
  expect(await mailsOf(userId, key)).toEqual([]);
  expect(await mailsOf(userId, "never booked")).toEqual([]);
});
