import { beforeAll, expect, test } from "vitest";
import { mailJobs } from "#test/notices.ts";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import type { Mail } from "#app/platform/mail.server.ts";
import { addAccount, addSignUp } from "#test/accounts.ts";
import { accountNotices } from "./notices.ts";
import { issueConfirmation, issueLink } from "./mail-links.server.ts";

const database = useDatabase();
let app: ReturnType<typeof testApp>;
beforeAll(() => {
  app = testApp(database);
});

const sent: Mail[] = [];
const mailer = async (mail: Mail) => void sent.push(mail);
const jobs = (nameGame: NameGame = async () => null) =>
  mailJobs({ ...app, mailer }, accountNotices(nameGame));
type NameGame = Parameters<typeof accountNotices>[0];
const resetOf = async (userId: string, now = new Date()) => {
  const token = await app.db.transaction().execute((tx) => issueLink(tx, "reset", userId, now));
  return { userId, token: token ?? "" };
};
const confirmationOf = async ({ signUpId, email }: SignUp, now = new Date()) => {
  const link = { signUpId, mailbox: email };
  const issued = await app.db.transaction().execute((tx) => issueConfirmation(tx, link, now));
  return { signUpId, token: issued?.token ?? "" };
};
type SignUp = Awaited<ReturnType<typeof addSignUp>>;
const firstLink = (mail: Mail | undefined) => /<a[^>]*href="([^"]+)"/.exec(mail?.html ?? "")?.[1];

test("each mail goes to the account's address and begins with its action", async () => {
  const { userId, email } = await addAccount(app);
  const signUp = await addSignUp(app, { email });
  const [confirm, reset] = [await confirmationOf(signUp), await resetOf(userId)];
  await jobs()["confirm-address"](confirm);
  await jobs()["reset-password"](reset);
  await jobs()["account-exists"]({ userId });
  await jobs()["password-changed"]({ userId, at: "2026-11-21T10:00:00Z" });
  expect(sent.map(firstLink)).toEqual([
    `http://kickabout.test/auth/confirm?token=${confirm.token}`,
    `http://kickabout.test/auth/reset?token=${reset.token}`,
    "http://kickabout.test/auth?tab=sign-in",
    "http://kickabout.test/auth/forgot",
  ]);
  for (const mail of sent) {
    expect(mail.to).toBe(email);
    expect(mail.text).toContain(firstLink(mail));
    expect(mail.html).not.toContain("<script");
  }
  expect(new Set(sent.map(({ key }) => key)).size).toBe(4);
  expect(sent[3]?.text).toContain("was changed on Nov 21, 2026, 12:00");
  // What a stranger typed in as a name does not go to the owner of the address.
  expect(sent.map(({ text }) => text.includes("Hi Ada,"))).toEqual([false, true, true, true]);
});

test("a mail on the way to a game names it, or leads on to it", async () => {
  sent.length = 0;
  const gameId = crypto.randomUUID();
  const path = `/events/${gameId}`;
  const { userId } = await addAccount(app);
  const signUp = await addSignUp(app, { redirectTo: path });
  const named = jobs(async (_, at) => (at === path ? "Campus Hall, Mon 12:00" : null));
  await named["confirm-address"](await confirmationOf(signUp));
  await named["confirm-address"](await confirmationOf(await addSignUp(app)));
  const reset = await resetOf(userId);
  await named["reset-password"]({ ...reset, gameId });
  await named["account-exists"]({ userId, gameId });
  expect(sent[0]?.text).toContain("is yours and you can join Campus Hall, Mon 12:00.");
  expect(sent[1]?.text).toContain("is yours and you can book your first game.");
  const onwards = `redirectTo=${encodeURIComponent(path)}`;
  expect(sent.slice(2).map((mail) => firstLink(mail)?.replaceAll("&amp;", "&"))).toEqual([
    `http://kickabout.test/auth/reset?token=${reset.token}&${onwards}`,
    `http://kickabout.test/auth?tab=sign-in&${onwards}`,
  ]);
});

test("a job that runs twice sends the same mail under the same key", async () => {
  sent.length = 0;
  const link = await confirmationOf(await addSignUp(app));
  for (let n = 0; n < 2; n += 1) await jobs()["confirm-address"](link);
  expect(sent).toHaveLength(2);
  expect(sent[0]).toEqual(sent[1]);
  expect(JSON.stringify(sent[0]?.key)).not.toContain(link.token);
});

test("a name cannot add markup to a mail", async () => {
  sent.length = 0;
  const { userId } = await addAccount(app);
  const name = "<img src=x>";
  await app.db
    .updateTable("profiles")
    .set({ first_name: name })
    .where("user_id", "=", userId)
    .execute();
  await jobs()["reset-password"](await resetOf(userId));
  expect(sent[0]?.html).not.toContain("<img");
});

test("no email is sent without a user", async () => {
  sent.length = 0;
  const userId = crypto.randomUUID();
  await jobs()["confirm-address"]({ signUpId: userId, token: "tok" });
  await jobs()["reset-password"]({ userId, token: "tok" });
  await jobs()["account-exists"]({ userId });
  await jobs()["password-changed"]({ userId, at: new Date().toISOString() });
  expect(sent).toEqual([]);
});

test("an email whose link expired while it waited is not sent", async () => {
  sent.length = 0;
  const { userId } = await addAccount(app);
  const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000);
  await jobs()["confirm-address"](await confirmationOf(await addSignUp(app), ago(24.1)));
  await jobs()["reset-password"](await resetOf(userId, ago(1.1)));
  expect(sent).toEqual([]);
});
