import { beforeAll, expect, test } from "vitest";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { addAccount, addSignUp, waitingJobs } from "#test/accounts.ts";
import { findLink, strangerId } from "./mail-links.server.ts";
import { resendConfirmation, sendConfirmation, lockPerson } from "./sign-ups.server.ts";

const database = useDatabase();
const start = new Date("2026-11-21T12:00:00Z");
const after = (seconds: number) => new Date(start.getTime() + seconds * 1_000);
let app: ReturnType<typeof testApp>;
beforeAll(() => {
  app = testApp(database);
});

const send = (signUpId: string, mailbox: string, now = start) =>
  app.db.transaction().execute(async (tx) => {
    await lockPerson(tx, mailbox);
    await sendConfirmation(tx, app.jobs, { signUpId, mailbox }, now);
  });
const resend = (email: string, choice: { browserHash?: string; preferredId?: string } = {}) =>
  resendConfirmation(app, { email, address: "192.0.2.1", ...choice }, start);
const mailsOf = async (signUpId: string) =>
  (await waitingJobs(database.pool, "confirm-address")).filter((job) => job.signUpId === signUpId);

/** When the mails of a sign-up go, in seconds after they were queued. */
async function delaysOf(signUpId: string): Promise<number[]> {
  const { rows } = await database.pool.query<{ delay: number }>(
    `select round(extract(epoch from start_after - created_on))::int as delay from pgboss.job
     where name = 'mail.send' and data->>'kind' = 'confirm-address' and data->>'signUpId' = $1 order by start_after`,
    [signUpId],
  );
  return rows.map(({ delay }) => delay);
}

// spec: 7.2
test("three mails an hour go at once, further ones after growing pauses, ten wait at most", async () => {
  const { signUpId, email } = await addSignUp(app, { createdAt: start });
  await Promise.all(Array.from({ length: 16 }, () => send(signUpId, email)));
  const waiting = [15, 45, 105, 225, 465, 945, 1_545, 2_145, 2_745, 3_345];
  expect(await delaysOf(signUpId)).toEqual([0, 0, 0, ...waiting]);
});

test("after an hour emails go out at once again", async () => {
  const { signUpId, email } = await addSignUp(app, { createdAt: start });
  for (let n = 0; n < 4; n += 1) await send(signUpId, email);
  await send(signUpId, email, after(3_599));
  expect(await delaysOf(signUpId)).toEqual([0, 0, 0, 15, 30]);
  await send(signUpId, email, after(3_601 + 15));
  expect((await delaysOf(signUpId)).filter((delay) => delay === 0)).toHaveLength(4);
});

test("requesting another email gives every address the same result", async () => {
  const waiting = await addSignUp(app, { createdAt: start });
  const confirmed = await addAccount(app);
  for (const email of [waiting.email, confirmed.email, "nobody@uni.example"]) {
    expect(await resend(email)).toEqual({ ok: true });
  }
  expect(await mailsOf(waiting.signUpId)).toHaveLength(1);
  const exists = await waitingJobs(database.pool, "account-exists");
  expect(exists.map(({ userId }) => userId)).toEqual([confirmed.userId]);
  // The same work for nobody: a job that will find no one.
  expect(await mailsOf(strangerId("nobody@uni.example"))).toHaveLength(1);
});

test("jobs for unknown addresses delay no owner's email", async () => {
  const email = "not-yet@uni.example";
  for (let n = 0; n < 15; n += 1) await resend(email);
  const { signUpId } = await addSignUp(app, { email, createdAt: start });
  await resend(email);
  expect(await delaysOf(signUpId)).toEqual([0]);
});

test("the named sign-up's link is sent, else this browser's, else the newest", async () => {
  const email = "several@uni.example";
  const at = (seconds: number, browserHash: string | null = null) =>
    addSignUp(app, { email, browserHash, createdAt: after(seconds - 100) });
  const named = await at(1);
  const own = await at(2, "laptop");
  const newest = await at(3, "stranger");
  await resend(email, { preferredId: named.signUpId, browserHash: "laptop" });
  await resend(email, { browserHash: "laptop" });
  await resend(email, { browserHash: "phone" });
  await resend(email);
  const other = await addSignUp(app, { createdAt: start });
  await resend(email, { preferredId: other.signUpId });
  const sent = [named, own, newest, other].map(async ({ signUpId }) => mailsOf(signUpId));
  expect((await Promise.all(sent)).map(({ length }) => length)).toEqual([1, 1, 3, 0]);
});

test("the tables hold no token that would confirm", async () => {
  const { signUpId, email } = await addSignUp(app, { createdAt: start });
  await send(signUpId, email);
  const [job] = await mailsOf(signUpId);
  expect(await findLink(app.db, "confirm", job?.token ?? "", start)).toBe(signUpId);
  const stored = await app.db.selectFrom("verifications").select("identifier").execute();
  expect(JSON.stringify(stored)).not.toContain(job?.token);
  const [, hash = ""] = stored[0]?.identifier.split(":") ?? [];
  expect(await findLink(app.db, "confirm", hash, start)).toBeNull();
});
