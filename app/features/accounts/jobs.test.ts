import { beforeAll, expect, test } from "vitest";
import { testApp } from "../../../test/app.ts";
import { useDatabase } from "../../../test/db.ts";
import type { Mail } from "../../platform/mail.server.ts";
import { addAccount } from "./account-fixture.ts";
import { accountJobs } from "./jobs.server.ts";
import { issueLink, type LinkKind } from "./mail-links.server.ts";

const database = useDatabase();
let app: ReturnType<typeof testApp>;
beforeAll(() => {
  app = testApp(database);
});

const sent: Mail[] = [];
const jobs = () => accountJobs({ ...app, mailer: async (mail) => void sent.push(mail) });
const linkOf = async (kind: LinkKind, userId: string, now = new Date()) => {
  const token = await app.db.transaction().execute((tx) => issueLink(tx, kind, userId, now));
  return { userId, token: token ?? "" };
};
const firstLink = (mail: Mail | undefined) => /<a[^>]*href="([^"]+)"/.exec(mail?.html ?? "")?.[1];

test("each mail goes to the account's address and begins with its action", async () => {
  const { userId, email } = await addAccount(app);
  const [confirm, reset] = [await linkOf("confirm", userId), await linkOf("reset", userId)];
  await jobs()["mail.confirm-address"](confirm);
  await jobs()["mail.reset-password"](reset);
  await jobs()["mail.account-exists"]({ userId });
  expect(sent.map(firstLink)).toEqual([
    `http://kickabout.test/auth/confirm?token=${confirm.token}`,
    `http://kickabout.test/auth/reset?token=${reset.token}`,
    "http://kickabout.test/auth",
  ]);
  for (const mail of sent) {
    expect(mail.to).toBe(email);
    expect(mail.text).toContain("Hi Ada,");
    expect(mail.text).toContain(firstLink(mail));
    expect(mail.html).not.toContain("<script");
  }
  expect(new Set(sent.map(({ key }) => key)).size).toBe(3);
});

test("a job that runs twice sends the same mail under the same key", async () => {
  sent.length = 0;
  const { userId } = await addAccount(app);
  const link = await linkOf("confirm", userId);
  for (let n = 0; n < 2; n += 1) await jobs()["mail.confirm-address"](link);
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
  await jobs()["mail.confirm-address"](await linkOf("confirm", userId));
  expect(sent[0]?.html).not.toContain("<img");
});

test("nobody there, nothing sent", async () => {
  sent.length = 0;
  const userId = crypto.randomUUID();
  await jobs()["mail.confirm-address"]({ userId, token: "tok" });
  await jobs()["mail.reset-password"]({ userId, token: "tok" });
  await jobs()["mail.account-exists"]({ userId });
  expect(sent).toEqual([]);
});

test("a mail whose link has ended while it waited is not sent", async () => {
  sent.length = 0;
  const { userId } = await addAccount(app);
  const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000);
  await jobs()["mail.confirm-address"](await linkOf("confirm", userId, ago(24.1)));
  await jobs()["mail.reset-password"](await linkOf("reset", userId, ago(1.1)));
  expect(sent).toEqual([]);
});
