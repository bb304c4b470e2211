import { cpSync, readdirSync, writeFileSync } from "node:fs";
import { createAccounts } from "#app/features/accounts/accounts.server.ts";
import { PASSWORD } from "#test/accounts.ts";
import { balanceCents, bookingsOf } from "#test/fixtures.ts";
import { readIncident } from "../incidents/page.ts";
import { aPayment, purchasesOf } from "../incidents/payments.ts";
import { aComingGame, anOrganiser, aPerson, joinGame, type Person } from "../incidents/people.ts";
import { openStage, type Stage } from "../incidents/stage.ts";
import { expect, test } from "../fixtures.ts";

/* Incidents of docs/runbook.md, each ended by the page's own commands. */
test.describe.configure({ mode: "serial", timeout: 400_000 });

let stage: Stage;
test.beforeAll(async () => {
  test.setTimeout(400_000);
  stage = await openStage();
});
// No incident may end a process.
test.afterEach(() => expect(stage.units.lost).toEqual([]));
test.afterAll(() => stage?.close());

const NEW_SERVER = "192.0.2.7";
const THE_COPY = "copy.example/var/backups/kickabout-copy";
const PICTURE = "var/lib/kickabout/uploads/picture.webp";

test("12, the server is lost", async () => {
  const { steps, over } = readIncident(12);
  const [, , newest, bring, own, commit, env, restore, serves, , payments] = steps[0]!;
  await stage.run(readIncident(4).steps[0]![2]);
  const organiser = await anOrganiser(stage);
  const player = await aPerson(stage, 20);
  const gameId = await aComingGame(stage);
  await givePassword(player);
  expect((await joinGame(stage, player, gameId)).status).toBe(302);
  const before = await aPayment(stage, player.userId);
  expect(await stage.deliver(before.completed)).toBe(200);
  writeFileSync(stage.at(PICTURE), "a picture");
  // The night's lines of cron, here and on the other machine.
  expect((await stage.run("kickabout backup -- /var/backups/kickabout")).status).toBe(0);
  cpSync(stage.at("var/backups/kickabout"), stage.at(THE_COPY), { recursive: true });

  // The day after it: one payment arrives, one does not any more, and somebody joins.
  const since = await aPayment(stage, player.userId);
  expect(await stage.deliver(since.completed)).toBe(200);
  const late = await aPerson(stage, 10);
  expect((await joinGame(stage, late, gameId)).status).toBe(302);
  const missed = await aPayment(stage, player.userId);
  await stage.lose();
  await expect(stage.ask("/readyz")).rejects.toThrow();

  await stage.install();
  const NAME = (await stage.run(newest)).out.trim();
  expect(NAME).toMatch(/^kickabout-\S+$/);
  expect((await stage.run(bring, { NAME, ADDRESS: NEW_SERVER })).status).toBe(0);
  expect((await stage.run(own)).status).toBe(0);
  expect((await stage.run(commit, { NAME })).out).toMatch(/"commit": ?"[0-9a-f]{40}"/);
  expect((await stage.run(env, { NAME })).status).toBe(0);
  const restored = await stage.run(restore, { NAME });
  expect(restored.status).toBe(0);
  expect(restored.out).toContain("Everybody signs in again");
  // Section 5 of docs/deploy.md.
  await stage.units.run("start kickabout-web@3001 kickabout-web@3002 kickabout-worker");
  await stage.openDatabase();
  expect((await stage.run(serves)).out.trim()).toBe("200");
  expect(await purchasesOf(stage, player)).toEqual([before.id]);
  expect((await stage.run(payments)).status).toBe(0);
  expect(await purchasesOf(stage, player)).toEqual([before.id, since.id, missed.id].sort());

  // All is as at the time of the backup, a picture and the configuration among it.
  const { db } = stage.database;
  expect(await balanceCents(db, player.userId)).toBe(4_000);
  expect(await bookingsOf(db, gameId)).toHaveLength(1);
  expect(readdirSync(stage.at("var/lib/kickabout/uploads"))).toContain("picture.webp");
  expect((await stage.ask("/events", player)).status).toBe(302);
  for (const person of [player, organiser]) person.cookie = await stage.cookieOf(person.userId);
  expect((await stage.ask("/admin", organiser)).status).toBe(200);

  const [, passwords] = steps[1]!;
  expect((await signIn(player)).status).toBe(302);
  expect((await stage.run(passwords)).status).toBe(0);
  expect((await signIn(player)).status).not.toBe(302);
  const { email } = player;
  expect((await stage.post("/auth/forgot", "", { email })).status).toBeLessThan(400);

  expect((await stage.run("kickabout backup -- /var/backups/kickabout")).status).toBe(0);
  const [books, reconcile, rehearse] = over;
  expect((await stage.run(books)).status).toBe(0);
  expect(await stage.run(reconcile)).toEqual({ status: 0, out: "", problems: "" });
  expect((await stage.run(rehearse)).status).toBe(0);
  expect((await joinGame(stage, player, await aComingGame(stage))).status).toBe(302);
});

const signIn = ({ email }: Person) =>
  stage.post("/auth", "", { intent: "sign-in", email, password: PASSWORD });

async function givePassword({ userId }: Person) {
  const { db, pool } = stage.database;
  const password = await createAccounts({ env: stage.env(), db, pool }).hashPassword(PASSWORD);
  await db.updateTable("accounts").set({ password }).where("user_id", "=", userId).execute();
}
