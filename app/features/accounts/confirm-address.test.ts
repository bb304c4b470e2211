import { beforeAll, expect, test } from "vitest";
import { testApp } from "../../../test/app.ts";
import { useDatabase } from "../../../test/db.ts";
import { addAccount, waitingJobs } from "./account-fixture.ts";
import { confirmAddress, findConfirmed } from "./confirm-address.server.ts";
import { strangerId } from "./mail-links.server.ts";
import { resendConfirmation } from "./resend-confirmation.server.ts";
import { sendConfirmation } from "./send-confirmation.server.ts";

const database = useDatabase();
const start = new Date("2026-11-21T12:00:00Z");
const after = (hours: number) => new Date(start.getTime() + hours * 3_600_000);
let app: ReturnType<typeof testApp>;
beforeAll(() => {
  app = testApp(database);
});

const send = (userId: string, now = start) =>
  app.db.transaction().execute((tx) => sendConfirmation(tx, app.jobs, userId, now));
const resend = (email: string, now = start) =>
  resendConfirmation(app, { email, address: "192.0.2.1" }, now);
const mailsTo = async (userId: string, queue = "mail.confirm-address") =>
  (await waitingJobs(database.pool, queue)).filter((job) => job.userId === userId);
const isConfirmed = async (userId: string) => {
  const user = app.db.selectFrom("users").select("email_verified").where("id", "=", userId);
  return (await user.executeTakeFirstOrThrow()).email_verified;
};

async function unconfirmed() {
  const account = await addAccount(app, { confirmed: false });
  await send(account.userId);
  const [job] = await mailsTo(account.userId);
  return { ...account, token: job?.token ?? "" };
}

test("a link confirms the address once", async () => {
  const { userId, token } = await unconfirmed();
  expect(await isConfirmed(userId)).toBe(false);
  expect(await confirmAddress(app.db, token, after(23.9))).toBe(userId);
  expect(await isConfirmed(userId)).toBe(true);
  expect(await confirmAddress(app.db, token, after(23.9))).toBeNull();
});

test("used twice at once it works for one of them", async () => {
  const { userId, token } = await unconfirmed();
  const both = await Promise.all([1, 2, 3].map(() => confirmAddress(app.db, token, start)));
  expect(both.filter((answer) => answer === userId)).toHaveLength(1);
});

test("two links of one account used at once: one works, the other is gone", async () => {
  const { userId, token } = await unconfirmed();
  await send(userId);
  const [, second] = await mailsTo(userId);
  const tokens = [token, second?.token ?? ""];
  const answers = await Promise.all(tokens.map((each) => confirmAddress(app.db, each, start)));
  expect(answers.filter(Boolean)).toEqual([userId]);
});

test("a used link, and the others of its account, tell for their day that it is confirmed", async () => {
  const { userId, token } = await unconfirmed();
  await send(userId);
  const [, second] = await mailsTo(userId);
  expect(await findConfirmed(app.db, token, start)).toBeNull();
  await confirmAddress(app.db, token, start);
  for (const each of [token, second?.token ?? ""]) {
    expect(await findConfirmed(app.db, each, after(23.9))).toBe(userId);
    expect(await findConfirmed(app.db, each, after(24.1))).toBeNull();
    expect(await confirmAddress(app.db, each, after(1))).toBeNull();
  }
});

test("expired, made up, or of another kind it confirms nothing", async () => {
  const { userId, token } = await unconfirmed();
  expect(await confirmAddress(app.db, token, after(24.1))).toBeNull();
  expect(await confirmAddress(app.db, "made-up", start)).toBeNull();
  expect(await confirmAddress(app.db, "", start)).toBeNull();
  expect(await isConfirmed(userId)).toBe(false);
});

test("the tables hold no token that would confirm", async () => {
  const { token } = await unconfirmed();
  const stored = await app.db.selectFrom("verifications").select("identifier").execute();
  expect(JSON.stringify(stored)).not.toContain(token);
  const [first] = stored;
  expect(await confirmAddress(app.db, first?.identifier ?? "", start)).toBeNull();
});

test("three mails an hour, also when asked for at once, and then again", async () => {
  const { userId } = await addAccount(app, { confirmed: false });
  const sent = await Promise.all(Array.from({ length: 8 }, () => send(userId)));
  expect(sent.filter(Boolean)).toHaveLength(3);
  expect(await mailsTo(userId)).toHaveLength(3);
  expect(await send(userId, after(0.9))).toBe(false);
  expect(await send(userId, after(1.1))).toBe(true);
});

test("asking again answers the same for every address, and mails what fits", async () => {
  const waiting = await addAccount(app, { confirmed: false });
  const confirmed = await addAccount(app);
  for (const email of [waiting.email, confirmed.email, "nobody@uni.example"]) {
    expect(await resend(email)).toEqual({ ok: true });
  }
  expect(await mailsTo(waiting.userId)).toHaveLength(1);
  expect(await mailsTo(confirmed.userId)).toHaveLength(0);
  expect(await mailsTo(confirmed.userId, "mail.account-exists")).toHaveLength(1);
  // The same work for nobody: a job that will find no one.
  expect(await mailsTo(strangerId("nobody@uni.example"))).toHaveLength(1);
});

test("expired links are tidied away", async () => {
  const { token } = await unconfirmed();
  const { userId } = await addAccount(app, { confirmed: false });
  await send(userId, after(48));
  expect(await confirmAddress(app.db, token, start)).toBeNull();
});
