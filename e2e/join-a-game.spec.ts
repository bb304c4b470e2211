import { UPCOMING } from "../db/demo/schedule.ts";
import { expect, type Page, test, WITH_SCRIPTS } from "./fixtures.ts";
import { closeJoinedDialog } from "./joined.ts";
import { runCommand } from "./site.ts";
import { findGames } from "./games.ts";
import { openMail, sendSignUp } from "./newcomers.ts";

const PUBLISHED = UPCOMING.filter(({ status }) => !status);
const INDOOR_IN_ESPOO = PUBLISHED.filter(({ venue }) =>
  ["otaniemi-hall", "tapiola-court"].includes(venue),
);

for (const javaScriptEnabled of WITH_SCRIPTS) {
  const kind = javaScriptEnabled ? "with JavaScript" : "as plain HTML";
  test.describe(kind, () => {
    test.use({ javaScriptEnabled });

    // spec: 1.3, 2.58, 2.76, 2.108, 4.15, 4.18, 4.26, 8.1, 8.19
    test("from signing up to a refund", async ({ page, dataDir }) => {
      const email = `newcomer.${javaScriptEnabled ? "js" : "html"}@uni.example`;
      await signUp(page, email);
      await confirmAddress(page, email);
      await filterGames(page);
      await openLastGame(page);
      await expectTooFewCredits(page);
      await runCommand(dataDir, "grant.ts", email, "20", "welcome");
      await join(page);
      await cancel(page);
    });
  });
}

async function signUp(page: Page, email: string) {
  await page.goto("/");
  await page.getByRole("main").getByRole("link", { name: "Sign up" }).first().click();
  await sendSignUp(page, email);
  const main = page.getByRole("main");
  await expect(main.getByText("Check your email")).toBeVisible();
  await expect(main.getByText("We sent you a confirmation link.")).toBeVisible();
}

async function confirmAddress(page: Page, email: string) {
  const mail = await openMail(page, email);
  await mail.getByRole("link", { name: "Open the link" }).click();
  await expect(page).toHaveURL(/\/auth\/confirm/);
  await page.getByRole("button", { name: "Confirm my email" }).click();
  await expect(page).toHaveURL(/\/events$/);
  await expect(page.getByRole("heading", { name: "Hi Tove" })).toBeVisible();
}

/** The choice holds after a reload and on the way back. */
async function filterGames(page: Page) {
  const cards = page.getByRole("main").getByRole("listitem");
  // Organisers' tests on the same site add games of their own.
  await expect.poll(() => cards.count()).toBeGreaterThanOrEqual(PUBLISHED.length);
  await page.getByRole("button", { name: "Filters" }).click();
  const dialog = page.getByRole("dialog", { name: "Location" });
  await dialog.getByRole("checkbox", { name: "Indoor" }).check();
  await dialog.getByRole("checkbox", { name: "Espoo" }).check();
  await dialog.getByRole("button", { name: "Apply Selection" }).click();
  await expect(dialog).toBeHidden();
  await expectEspoo(page);
  await page.reload();
  await expectEspoo(page);
  await cards.first().getByRole("link").click();
  await expect(page).toHaveURL(/\/events\/[0-9a-f-]{36}$/);
  await page.goBack();
  await expectEspoo(page);
}

async function expectEspoo(page: Page) {
  await expect(page).toHaveURL(/\/events\?indoor=1&city=Espoo$/);
  const cards = page.getByRole("main").getByRole("listitem");
  await expect(cards.filter({ hasNotText: "Espoo" })).toHaveCount(0);
  expect(await cards.count()).toBeGreaterThanOrEqual(INDOOR_IN_ESPOO.length);
}

async function openLastGame(page: Page) {
  const games = page.getByRole("main").getByRole("listitem");
  const ours = games.filter({ hasText: "Otaniemi Sports Hall" });
  await ours.last().getByRole("link").click();
  await expect(page.getByRole("heading", { name: "Otaniemi Sports Hall", level: 1 })).toBeVisible();
}

async function expectTooFewCredits(page: Page) {
  await page.getByRole("button", { name: "Pay and join" }).click();
  const plans = page.getByRole("dialog", { name: "Choose Your Plan" });
  await expect(plans).toContainText("This game costs 10 credits. You have 0.");
  await plans.getByRole("button", { name: "Close" }).click();
  await expect(page.getByRole("main").getByRole("alert")).toHaveCount(0);
}

/** The page was loaded before the credits were there. */
async function join(page: Page) {
  await page.getByRole("button", { name: "Pay and join" }).click();
  const toast = page.getByRole("region", { name: "Notifications" });
  await expect(toast).toContainText("Successfully joined!");
  await expect(toast).toContainText("You've joined the game for 10 credits!");
  await closeJoinedDialog(page);
  await expect(page.getByText("You're attending this game!")).toBeVisible();
}

async function cancel(page: Page) {
  await page.goto("/bookings");
  const next = page.getByRole("region", { name: "NEXT GAMES" });
  await expect(next.getByRole("article")).toHaveCount(1);
  await expect(next.getByRole("article")).toContainText("Otaniemi Sports Hall");
  await next.getByRole("button", { name: "Cancel" }).click();
  const dialog = page.getByRole("dialog", { name: "Cancel this booking?" });
  await expect(dialog).toContainText("You'll get 9.01 credits back.");
  await dialog.getByRole("button", { name: "Cancel booking" }).click();
  await expect(next).toContainText("You are not attending any game yet.");
  await expect(dialog).toBeHidden();
  const earlier = page.getByRole("region", { name: "Earlier" });
  await expect(earlier.getByRole("listitem")).toHaveCount(1);
  await expect(earlier).toContainText("Refunded");
  // 19.01, in whole credits.
  await expect(page.getByRole("main").getByText(/^19 credits$/)).toBeVisible();
}

// spec: 9.18
test("a first session is free, says so, and cannot be had back", async ({
  page,
  signIn,
  database,
}) => {
  await signIn("broke");
  const { free } = await findGames(database.db);
  await page.goto(`/events/${free}`);
  const main = page.getByRole("main");
  await expect(main.locator("#join").getByText("Free", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Join game" }).click();
  await expect(main.getByText("You're attending this game!")).toBeVisible();
  const toast = page.getByRole("region", { name: "Notifications" });
  await expect(toast).toContainText("Successfully joined!");
  await expect(toast).not.toContainText("credits");
  await closeJoinedDialog(page);

  await page.goto("/bookings");
  await expect(main.getByRole("article")).toContainText("with your free session");
  await main.getByRole("button", { name: "Cancel" }).click();
  const dialog = page.getByRole("dialog", { name: "Cancel this booking?" });
  await expect(dialog).toContainText("irreversible");
  await dialog.getByRole("button", { name: "Cancel booking" }).click();
  const earlier = page.getByRole("region", { name: "Earlier" });
  await expect(earlier.getByRole("listitem")).toContainText("Cancelled");

  await page.goto(`/events/${free}`);
  await expect(
    main.locator("#join").getByText("10 credits (10.00 €)", { exact: true }),
  ).toBeVisible();
});
