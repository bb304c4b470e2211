import { expect, type Page, test } from "./fixtures.ts";
import { findGames } from "./games.ts";
import { openMail, PASSWORD, sendSignUp } from "./newcomers.ts";

for (const javaScriptEnabled of [true, false]) {
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

test("its email, opened on another device, leads to the game after the password", async ({
  page,
  browser,
  database,
}) => {
  const email = "invited.twice@uni.example";
  const game = `/events/${(await findGames(database.db)).open}`;
  const name = await signUpFrom(page, game, email);
  const mail = await openMail(page, email);
  const link = await mail.getByRole("link", { name: "Open the link" }).getAttribute("href");
  const device = await browser.newContext();
  const laptop = await device.newPage();
  await laptop.goto(new URL(link!, page.url()).href);
  await expect(laptop.getByText(`Confirm your email to join ${name}`)).toBeVisible();
  await laptop.getByLabel("password", { exact: true }).fill(PASSWORD);
  await laptop.getByRole("button", { name: "Confirm my email" }).click();
  await expectToJoin(laptop, game);
  await device.close();
});

/** From the game's page to the notice; returns how the game is named on the way. */
async function signUpFrom(page: Page, game: string, email: string): Promise<string> {
  await page.goto(game);
  const venue = await page.getByRole("heading", { level: 1 }).innerText();
  await page.getByRole("button", { name: "Join game" }).click();
  await expect(page).toHaveURL(/\/auth\?redirectTo=/);
  await expect(page.getByRole("tab", { name: "Sign up" })).toHaveAttribute("aria-selected", "true");
  const invitation = page.getByRole("tabpanel").getByText("Sign up to join");
  await expect(invitation).toContainText(/, .*\d\d:\d\d · \d+ spots left$/);
  await page.getByRole("tab", { name: "Sign In" }).click();
  await expect(page.getByRole("tabpanel").getByText("Sign in to join")).toContainText(venue);
  await page.getByRole("tab", { name: "Sign up" }).click();
  const [, name = ""] = /join (.*) · /.exec(await invitation.innerText()) ?? [];
  await sendSignUp(page, email);
  await expect(page.getByRole("heading", { name: "Check your email" })).toBeVisible();
  await expect(page.getByText(`Confirm your email to join ${name}`)).toBeVisible();
  return name;
}

async function expectToJoin(page: Page, game: string) {
  await expect(page).toHaveURL(new RegExp(`${game}$`));
  await expect(page.getByRole("button", { name: "Join game" })).toBeInViewport();
}
