import { sendReminders } from "#app/features/bookings/reminders.server.ts";
import { closeJoinedDialog } from "./joined.ts";
import { openJobs } from "#app/jobs.server.ts";
import type { Connection } from "#app/platform/connect.server.ts";
import { expect, firstCases, type Page, test, WITH_SCRIPTS } from "./fixtures.ts";
import { findGames } from "./games.ts";
import { openMail, PASSWORD, sendSignUp } from "./newcomers.ts";

for (const javaScriptEnabled of WITH_SCRIPTS) {
  const kind = javaScriptEnabled ? "with JavaScript" : "as plain HTML";
  test.describe(kind, () => {
    test.use({ javaScriptEnabled });

    test("a shared link leads through signing up back to its game", async ({ page, database }) => {
      const email = `invited.${javaScriptEnabled ? "js" : "html"}@uni.example`;
      const game = `/events/${(await findGames(database.db)).open}`;
      const name = await signUpFrom(page, game, email);
      const mail = await openMail(page, email);
      await expect(mail).toContainText(`join ${name}`);
      await mail.getByRole("link", { name: "Open the link" }).click();
      await expect(page.getByText(`Confirm your email to join ${name}`)).toBeVisible();
      await page.getByRole("button", { name: "Confirm my email" }).click();
      await expectToJoin(page, game);
    });
  });
}

for (const javaScriptEnabled of firstCases([false, true])) {
  const kind = javaScriptEnabled ? "with JavaScript" : "as plain HTML";
  test(`a shared link leads, by an email opened on another device, into the game: ${kind}`, async ({
    browser,
    database,
  }) => {
    const email = `invited.twice.${javaScriptEnabled ? "js" : "html"}@uni.example`;
    const gameId = (await findGames(database.db)).open;
    const game = `/events/${gameId}`;
    const phone = await (await browser.newContext({ javaScriptEnabled })).newPage();
    const name = await signUpFrom(phone, game, email);
    const mail = await openMail(phone, email);
    const link = await mail.getByRole("link", { name: "Open the link" }).getAttribute("href");
    await phone.context().close();
    const laptop = await (await browser.newContext({ javaScriptEnabled })).newPage();
    await laptop.goto(link!);
    await expect(laptop.getByText(`Confirm your email to join ${name}`)).toBeVisible();
    await laptop.getByLabel("password", { exact: true }).fill(PASSWORD);
    await laptop.getByRole("button", { name: "Confirm my email" }).click();
    await expectToJoin(laptop, game);
    await joinByPaying(laptop, game);
    await expectCalendarFile(laptop, gameId);
    await expectReminder(laptop, database, { email, gameId });
    await laptop.context().close();
  });
}

/** From the game's page to the notice; returns how the game is named on the way. */
async function signUpFrom(page: Page, game: string, email: string): Promise<string> {
  await page.goto(game);
  const venue = await page.getByRole("heading", { level: 1 }).innerText();
  await page.getByRole("button", { name: "Join game" }).click();
  await expect(page).toHaveURL(/\/auth\?redirectTo=/);
  await expect(page.getByRole("tab", { name: "Sign up" })).toHaveAttribute("aria-selected", "true");
  const invitation = page.getByRole("tabpanel").getByText("Sign up to join");
  await expect(invitation).toContainText(/, .*\d\d:\d\d · .* · \d+ spots left$/);
  await page.getByRole("tab", { name: "Sign In" }).click();
  await expect(page.getByRole("tabpanel").getByText("Sign in to join")).toContainText(venue);
  await page.getByRole("tab", { name: "Sign up" }).click();
  const [, name = ""] = /join (.*?) · /.exec(await invitation.innerText()) ?? [];
  await sendSignUp(page, email);
  await expect(page.getByRole("heading", { name: "Check your email" })).toBeVisible();
  await expect(page.getByText(`Confirm your email to join ${name}`)).toBeVisible();
  return name;
}

async function expectToJoin(page: Page, game: string) {
  await expect(page).toHaveURL(new RegExp(`${game}$`));
  await expect(page.getByRole("button", { name: "Pay and join" })).toBeInViewport();
}

async function joinByPaying(page: Page, game: string) {
  await page.getByRole("button", { name: "Pay and join" }).click();
  await page.getByRole("button", { name: "START PLAYING" }).click();
  await page.getByRole("button", { name: "Pay 9.99 €" }).click();
  await expect(page.getByText("You're in", { exact: true })).toBeVisible();
  await page.getByRole("link", { name: "Go to the game" }).click();
  await closeJoinedDialog(page);
  await expect(page).toHaveURL(new RegExp(`${game}$`));
  await expect(page.getByText("You're attending this game!")).toBeVisible();
}

async function expectCalendarFile(page: Page, gameId: string) {
  const link = page.locator(`a[href="/events/${gameId}.ics"]`).first();
  const file = await page.request.get((await link.getAttribute("href"))!);
  expect(file.headers()["content-type"]).toContain("text/calendar");
  expect(await file.text()).toContain(`UID:${gameId}`);
}

/** The site's own worker sends what is due, as if kick-off were three hours away. */
async function expectReminder(
  page: Page,
  { db, pool }: Connection,
  { email, gameId }: { email: string; gameId: string },
) {
  const game = db.selectFrom("games").select("starts_at").where("id", "=", gameId);
  const { starts_at: startsAt } = await game.executeTakeFirstOrThrow();
  const jobs = await openJobs(pool, "unused: a reminder has no token");
  await sendReminders(db, jobs, new Date(startsAt.getTime() - 3 * 3_600_000));
  await jobs.stop();
  const mails = page.getByRole("article").filter({ hasText: email });
  await expect(async () => {
    await page.goto("/demo/outbox");
    await expect(mails.filter({ hasText: "See you soon" })).toHaveCount(1, { timeout: 200 });
  }).toPass();
}
