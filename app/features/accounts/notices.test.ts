import { beforeAll, expect, test } from "vitest";
import { mailJobs } from "#test/notices.ts";
import { pageBehind } from "#test/email-links.ts";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import type { SecurityChange } from "./two-factor.server.ts";
import type { Mail } from "#app/platform/mail.server.ts";
import { addAccount } from "#test/accounts.ts";

const database = useDatabase();
let app: ReturnType<typeof testApp>;
beforeAll(() => {
  app = testApp(database);
});

async function mailsOf(userId: string, change: SecurityChange): Promise<Mail[]> {
  const sent: Mail[] = [];
  const handlers = mailJobs({
    ...app,
    mailer: async (mail) => void sent.push(mail),
  });
  await handlers["account-security"]({ userId, change, eventId: "event" });
  return sent;
}

test.each([
  ["two-factor-on", "Two-factor sign-in is on"],
  ["two-factor-off", "Two-factor sign-in is off"],
  ["two-factor-reset", "Two-factor sign-in was reset"],
  ["recovery-codes", "New recovery codes were made"],
  ["recovery-code-used", "A recovery code was used"],
] as const)(
  "%s is reported to the owner with what to do if it was not them",
  async (change, title) => {
    const { userId, email } = await addAccount(app);
    const [mail, ...more] = await mailsOf(userId, change);
    expect(more).toEqual([]);
    expect(mail).toMatchObject({
      to: email,
      subject: `${title} for your Kickabout account`,
      key: "account-security:event",
    });
    expect(mail!.text).toContain("Was it not you? Change your password at once");
    expect(pageBehind(/https?:\/\/\S+/.exec(mail!.text)?.[0])).toBe(
      "http://kickabout.test/settings",
    );
  },
);

test("no email goes to a deleted account", async () => {
  expect(await mailsOf(crypto.randomUUID(), "two-factor-on")).toEqual([]);
});
