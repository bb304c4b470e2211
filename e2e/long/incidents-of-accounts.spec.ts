import { Secret, TOTP } from "otpauth";
import { createAccounts } from "#app/features/accounts/accounts.server.ts";
import { startTwoFactor } from "#app/features/accounts/two-factor.server.ts";
import { PASSWORD } from "#test/accounts.ts";
import { type MailServer, openMailServer } from "#test/mail-server.ts";
import { readIncident } from "../incidents/page.ts";
import { anOrganiser, aPerson, type Person } from "../incidents/people.ts";
import { openStage, type Stage } from "../incidents/stage.ts";
import { expect, test } from "../fixtures.ts";

/* Incidents of docs/runbook.md, each ended by the page's own commands. */
test.describe.configure({ mode: "serial", timeout: 300_000 });
const BACK = { timeout: 90_000, intervals: [500] };

let stage: Stage;
let organiser: Person;
let rejecting: MailServer;
test.beforeAll(async () => {
  test.setTimeout(400_000);
  stage = await openStage();
  organiser = await anOrganiser(stage);
  rejecting = await openMailServer();
  rejecting.mood.auth = 535;
});
// No incident may end a process.
test.afterEach(() => expect(stage.units.lost).toEqual([]));
test.afterAll(async () => {
  await stage?.close();
  await rejecting?.close();
});

const workersLog = () => stage.units.log("kickabout-worker");

test("3, the mail server rejects us", async () => {
  const { steps, over } = readIncident(3);
  const [reason, tryIt, restart] = steps[0]!;
  const [waiting] = over;
  const settings = stage.env();
  stage.change({ SMTP_URL: rejecting.url });
  await stage.units.run("restart kickabout-worker");
  const player = await aPerson(stage);
  expect((await stage.post("/auth/forgot", "", { email: player.email })).status).toBeLessThan(400);
  await expect.poll(workersLog, BACK).toContain("mail server accepts no emails; they wait");
  await expect.poll(outageSeconds, BACK).toBeGreaterThan(0);
  const { body } = await stage.ask("/admin/inbox/mail", { cookie: organiser.cookie });
  expect(body).toContain("The mail server takes no emails");

  expect((await stage.run(reason)).out).toMatch(/"reason":"[^"]*535/);
  const tried = await stage.run(tryIt, { EMAIL: player.email });
  expect(tried.status).toBe(1);
  expect(tried.problems + tried.out).toMatch(/accepts no emails: .*535/);
  expect((await stage.run(waiting)).out).toContain("(1 row)");
  stage.change({ SMTP_URL: settings.smtpUrl! });
  expect((await stage.run(restart)).status).toBe(0);
  await expect.poll(workersLog, BACK).toContain("mail server accepts emails again");
  await expect.poll(async () => (await stage.run(waiting)).out, BACK).toContain("(0 rows)");
  expect(stage.mail.taken.length).toBeGreaterThan(0);
  expect(await outageSeconds()).toBe(0);
});

async function outageSeconds(): Promise<number> {
  const samples = await stage.scrape();
  const found = samples.filter(({ name }) => name === "kickabout_mail_outage_seconds");
  return Math.max(...found.map(({ value }) => value));
}

test("6, an admin has lost the phone", async () => {
  const { steps, over } = readIncident(6);
  const admin = await anOrganiser(stage);
  await givePassword(admin);
  await setUpTwoFactor(admin);
  const rows = async () => (await stage.run(over[0])).out;
  expect(await rows()).toContain(admin.userId);
  expect((await signIn(admin)).location).toContain("/auth/code");
  expect((await stage.run(steps[0]![2], { EMAIL: admin.email })).status).toBe(0);
  expect(await rows()).not.toContain(admin.userId);
  expect((await stage.ask("/settings", { cookie: admin.cookie })).status).toBe(302);
  // In by the password alone, and set up again.
  const { location } = await signIn(admin);
  expect(location).not.toContain("/auth/code");
  admin.cookie = await stage.cookieOf(admin.userId);
  await setUpTwoFactor(admin);
  expect(await rows()).toContain(admin.userId);
});

test("9, an account is stolen", async () => {
  const { steps, over } = readIncident(9);
  const [byNetwork, , proxies] = steps[2]!;
  const player = await aPerson(stage);
  await givePassword(player);
  for (let n = 0; n < 4; n += 1) await signIn(player, "Guess-number-1");
  const lines = stage.units.log("kickabout-web@3001");
  expect(lines).toMatch(/"msg":"security".*sign-in failed|sign-in failed.*"msg":"security"/);
  expect((await stage.run(byNetwork)).out).toMatch(/^ +[4-9]\d* "networkHash":"[^"]+"$/m);
  expect((await stage.run(proxies)).out).toContain("1");
  const sessions = async () => (await stage.run(over[0], { ID: player.userId })).out;
  expect(await sessions()).toMatch(/^ +1$/m);
  // Its mailbox is stolen too.
  const form = { reason: "Stolen", confirmed: "on" };
  const page = `/admin/players/${player.userId}`;
  expect((await stage.submit(page, organiser.cookie, "suspend", form)).status).toBe(302);
  expect(await sessions()).toMatch(/^ +0$/m);
  expect((await signIn(player)).location).toBe("");
});

const signIn = ({ email }: Person, password = PASSWORD) =>
  stage.post("/auth", "", { intent: "sign-in", email, password });

async function givePassword({ userId }: Person) {
  const { db, pool } = stage.database;
  const password = await createAccounts({ env: stage.env(), db, pool }).hashPassword(PASSWORD);
  await db.updateTable("accounts").set({ password }).where("user_id", "=", userId).execute();
}

async function setUpTwoFactor({ userId, cookie }: Person) {
  const of = { userId, replaces: null };
  const { setup, secret } = startTwoFactor({ env: stage.env() }, of, new Date());
  const code = TOTP.generate({ secret: Secret.fromBase32(secret) });
  const done = await stage.post("/settings/two-factor", cookie, { intent: "confirm", setup, code });
  expect(done.body).toContain("recovery codes");
}
