import { balanceCents } from "#test/fixtures.ts";
import { readIncident } from "../incidents/page.ts";
import { aComingGame, anOrganiser, aPerson, joinGame, type Person } from "../incidents/people.ts";
import { openStage, type Stage } from "../incidents/stage.ts";
import { expect, type Page, test } from "../fixtures.ts";

/* Incidents of docs/runbook.md, each ended by the page's own commands. */
test.describe.configure({ mode: "serial", timeout: 300_000 });
const BACK = { timeout: 90_000, intervals: [500] };

let stage: Stage;
let organiser: Person;
test.beforeAll(async () => {
  test.setTimeout(400_000);
  stage = await openStage();
  organiser = await anOrganiser(stage);
});
// No incident may end a process.
test.afterEach(() => expect(stage.units.lost).toEqual([]));
test.afterAll(() => stage?.close());

test("7, an organiser has cancelled the wrong game", async ({ page }) => {
  const { steps, over } = readIncident(7);
  // All four are done on pages.
  expect(steps).toEqual([[undefined, undefined, undefined, undefined]]);
  const { db } = stage.database;
  const gameId = await aComingGame(stage);
  const players = [await aPerson(stage, 10), await aPerson(stage, 10), await aPerson(stage, 10)];
  for (const player of players) expect((await joinGame(stage, player, gameId)).status).toBe(302);
  const bystander = await aPerson(stage, 10);
  await signIn(page, organiser);

  await page.goto(`${stage.units.url}/admin/games/${gameId}`);
  await page.getByRole("button", { name: "Cancel game" }).click();
  await page.getByRole("button", { name: "Cancel game for good" }).click();
  await expect(page.getByText("3 players were refunded in full, 30 credits")).toBeVisible();
  for (const { userId } of players) expect(await balanceCents(db, userId)).toBe(1_000);
  await page.goto(`${stage.units.url}/admin/log`);
  await expect(page.getByText("3 bookings cancelled")).toBeVisible();
  await expect.poll(() => players.map(mailsTo), BACK).toEqual(players.map(() => 1));

  // Duplicate, with the same day and hour.
  await page.goto(`${stage.units.url}/admin/games/${gameId}`);
  await page.getByLabel("More", { exact: true }).click();
  await page.getByRole("link", { name: "Duplicate" }).click();
  const { date, start_time } = await gameOf(gameId);
  await page.getByLabel("Date").fill(date);
  await page.getByRole("button", { name: "Publish" }).click();
  await expect(page).toHaveURL(/\/admin\/games\/[0-9a-f-]{36}$/);
  const newId = page.url().split("/").pop()!;
  expect(newId).not.toBe(gameId);
  expect(await gameOf(newId)).toEqual({ date, start_time, status: "Published" });

  // It reaches those who were in, and nobody else.
  await page.goto(`${stage.units.url}/admin/games/${gameId}`);
  await page.getByRole("button", { name: "Message all" }).click();
  await page.getByLabel("Subject").fill("It is on after all");
  const link = `${stage.units.url}/events/${newId}`;
  await page.getByLabel("Message", { exact: true }).fill(`Join again: ${link}`);
  await page.getByRole("button", { name: /^Send to/ }).click();
  await expect.poll(() => players.map(mailsTo), BACK).toEqual(players.map(() => 2));
  expect(mailsTo(bystander)).toBe(0);

  const [first, ...others] = players as [Person, Person, Person];
  await page.goto(`${stage.units.url}/admin/games/${newId}`);
  await page.getByLabel("Email or name").fill(first.email);
  await page.getByRole("button", { name: /^Add and take/ }).click();
  await expect.poll(() => seatsOf(newId), BACK).toBe(1);
  for (const player of others) expect((await joinGame(stage, player, newId)).status).toBe(302);

  expect(await seatsOf(newId)).toBe(3);
  for (const { userId } of players) expect(await balanceCents(db, userId)).toBe(0);
  expect((await stage.run(over[0])).status).toBe(0);
});

async function signIn(page: Page, { cookie }: Person) {
  const [name = "", ...value] = cookie.split("=");
  await page.context().addCookies([{ name, value: value.join("="), url: stage.units.url }]);
}

const mailsTo = ({ email }: Person) => stage.mail.offered(email.split("@")[0]!);

async function gameOf(gameId: string) {
  const columns = ["date", "start_time", "status"] as const;
  const game = stage.database.db.selectFrom("games").select(columns);
  return game.where("id", "=", gameId).executeTakeFirstOrThrow();
}

async function seatsOf(gameId: string) {
  const game = stage.database.db.selectFrom("games").select("seats_taken");
  return (await game.where("id", "=", gameId).executeTakeFirstOrThrow()).seats_taken;
}
