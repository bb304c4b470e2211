import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { unzipSync } from "fflate";
import { DEMO_PASSWORD } from "../db/demo/people.ts";
import { singlePurchase, deliverEvents } from "#test/payments.ts";
import { expect, type Page, test, WITH_SCRIPTS } from "./fixtures.ts";
import { findGames } from "./games.ts";
import { addPlayer, silent } from "./players.ts";

const NEW_PASSWORD = "Another2Password";

async function signInByForm(page: Page, who: string, password: string) {
  await page.goto("/auth");
  await page.getByLabel("email", { exact: true }).fill(`${who}@uni.example`);
  await page.getByLabel("password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign In" }).click();
}

/** The text of a mail with all these words, once it is there. */
async function mailWith(dataDir: string, ...words: string[]): Promise<string> {
  const folder = path.join(dataDir, "outbox");
  const names = () => (existsSync(folder) ? readdirSync(folder) : []);
  const find = () =>
    names()
      .filter((name) => name.endsWith(".eml") && !name.startsWith("."))
      .map((name) => readFileSync(path.join(folder, name), "utf8"))
      .find((mail) => words.every((word) => mail.includes(word)));
  await expect.poll(find).toBeDefined();
  return find()!;
}

for (const javaScriptEnabled of WITH_SCRIPTS) {
  test.describe(javaScriptEnabled ? "with JavaScript" : "as plain HTML", () => {
    test.use({ javaScriptEnabled });

    // spec: 2.128, 5.15, 8.9, 8.35
    test("a password is changed, and the way out is at hand", async ({
      page,
      signIn,
      database,
    }) => {
      const { who } = await addPlayer(database.db);
      await signIn(who);
      await page.goto("/.well-known/change-password");
      await expect(page).toHaveURL(/\/settings\/change-password$/);
      const fill = async (current: string, next: string, again: string) => {
        await page.getByLabel("Current password", { exact: true }).fill(current);
        await page.getByLabel("New password", { exact: true }).fill(next);
        await page.getByLabel("Confirm new password", { exact: true }).fill(again);
        await page.getByRole("button", { name: "Update password" }).click();
      };
      const alert = page.getByRole("main").getByRole("alert");
      await fill(DEMO_PASSWORD, NEW_PASSWORD, "Another2Passwort");
      await expect(alert).toContainText("New passwords do not match");
      await fill(DEMO_PASSWORD, "Ab3de", "Ab3de");
      await expect(alert).toContainText("Password must be at least 6 characters long");
      await fill("Wrong1234", NEW_PASSWORD, NEW_PASSWORD);
      await expect(alert).toContainText("Current password is wrong");
      await fill(DEMO_PASSWORD, NEW_PASSWORD, NEW_PASSWORD);
      await expect(page).toHaveURL(/\/settings$/);
      const said = page.getByRole("region", { name: "Notifications" });
      await expect(said).toContainText("Password updated successfully");
      await expect(page.getByText("v1.4.26")).toBeVisible();
      await page.getByRole("button", { name: "Logout" }).click();
      await expect(page).toHaveURL(/:\d+\/$/);
      await expect(said).toContainText("You have been successfully logged out.");
      await signInByForm(page, who, DEMO_PASSWORD);
      await expect(page.getByText("Wrong email or password.").first()).toBeVisible();
      await signInByForm(page, who, NEW_PASSWORD);
      await expect(page).toHaveURL(/\/events$/);
    });

    test("an account is deleted", async ({ page, signIn, database, dataDir }) => {
      const { who } = await addPlayer(database.db);
      await signIn(who);
      const { free } = await findGames(database.db);
      await page.goto(`/events/${free}`);
      await page.getByRole("button", { name: "Join game" }).click();
      await expect(page.getByText("You're attending this game!").first()).toBeVisible();
      await page.goto("/settings");
      await page.getByRole("link", { name: "Delete my account" }).click();
      await page.getByLabel("Your password").fill("Wrong1234");
      await page.getByRole("button", { name: "Delete my account" }).click();
      await expect(page.getByRole("main").getByRole("alert")).toContainText("Wrong password");
      await page.getByLabel("Your password").fill(DEMO_PASSWORD);
      await page.getByRole("button", { name: "Delete my account" }).click();
      await expect(page).toHaveURL(/:\d+\/$/);
      await expect(page.getByRole("region", { name: "Notifications" })).toContainText(
        "Your account is deleted",
      );
      await mailWith(dataDir, `To: ${who}@uni.example`, "Subject: Your Kickabout account");
      await signInByForm(page, who, DEMO_PASSWORD);
      await expect(page.getByText("Wrong email or password.").first()).toBeVisible();
    });
  });
}

for (const javaScriptEnabled of WITH_SCRIPTS) {
  test.describe(javaScriptEnabled ? "with JavaScript" : "as plain HTML", () => {
    test.use({ javaScriptEnabled });

    // spec: 7.38
    test("support and a review are sent", async ({ page, signIn, database, dataDir }) => {
      const { who } = await addPlayer(database.db);
      await signIn(who);
      await page.goto("/settings");
      await page.getByRole("link", { name: "Contact support" }).click();
      await page.getByLabel("Subject *").fill(`Shoes of ${who}`);
      await page.getByRole("button", { name: "Send message" }).click();
      await expect(page.getByRole("main").getByRole("alert")).toContainText("Message is required");
      await expect(page.getByLabel("Subject *")).toHaveValue(`Shoes of ${who}`);
      await page.getByLabel("Message *").fill("Blue ones");
      await page.getByRole("button", { name: "Send message" }).click();
      await expect(page.getByRole("main").getByRole("status")).toContainText("Message sent");
      await expect(page.getByLabel("Message *")).toHaveValue("");
      // A second one in a row leaves an empty form too.
      await page.getByLabel("Subject *").fill("Socks");
      await page.getByLabel("Message *").fill("Red ones");
      await page.getByRole("button", { name: "Send message" }).click();
      await expect(page.getByLabel("Message *")).toHaveValue("");
      await expect(page.getByRole("main").getByRole("status")).toContainText("Message sent");
      const mail = await mailWith(dataDir, `Subject: Support: Shoes of ${who}`);
      expect(mail).toContain(`Reply-To: ${who}@uni.example`);

      // The way back does not lead to the form as it was before.
      const settings = page.getByRole("main").getByRole("link", { name: "Settings" });
      await (javaScriptEnabled ? page.goBack() : settings.click());
      await page.getByRole("link", { name: "Leave a Review" }).click();
      await page.getByRole("button", { name: "Submit review" }).click();
      await expect(page.getByRole("main").getByRole("alert")).toContainText(
        "Please select a rating",
      );
      await page.getByRole("radio", { name: "5 Superb" }).check();
      await page.getByRole("button", { name: "Submit review" }).click();
      await expect(page.getByRole("main").getByRole("status")).toContainText("Review submitted");
      await (javaScriptEnabled ? page.goBack() : settings.click());
      await expect(page).toHaveURL(/\/settings$/);
    });

    test("a purchase is withdrawn from in two steps, and acknowledged", async ({
      page,
      signIn,
      database,
      dataDir,
    }) => {
      const { who, userId } = await addPlayer(database.db);
      const pack = singlePurchase(userId, { payment_link: "plink_demo_pay_per_game" });
      await deliverEvents(silent(database.db), pack.completed, new Date());
      await signIn(who);
      await page.goto("/wallet");
      await page.getByRole("link", { name: "Withdraw from a purchase" }).click();
      await page.getByRole("button", { name: "Withdraw from this purchase" }).click();
      await expect(page.getByText("I withdraw from my purchase of Single game")).toBeVisible();
      await page.getByRole("button", { name: "Confirm withdrawal" }).click();
      const list = page.getByRole("region", { name: "Your withdrawals" });
      await expect(list).toContainText("10 credits, 9.99 €");
      await expect(list).toContainText("Waiting");
      await page.getByRole("button", { name: "Take back" }).click();
      await expect(list).toContainText("Taken back");
      await page.getByRole("button", { name: "Withdraw from this purchase" }).click();
      await page.getByRole("button", { name: "Confirm withdrawal" }).click();
      await expect(list).toContainText("Waiting");
      await mailWith(dataDir, `To: ${who}@uni.example`, "Subject: We received your withdrawal");
      await deliverEvents(silent(database.db), pack.refunded(999), new Date());
      await page.reload();
      await expect(list).toContainText("Refunded");
    });
  });
}

test("my data comes as one file", async ({ page, signIn }) => {
  await signIn("player");
  await page.goto("/settings");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Download my data" }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^my-data-\d{4}-\d\d-\d\d\.zip$/);
  const files = unzipSync(readFileSync(await download.path()));
  const profile = JSON.parse(Buffer.from(files["profile.json"]!).toString());
  expect(profile).toMatchObject([{ email: "player@uni.example" }]);
  expect(JSON.parse(Buffer.from(files["bookings.json"]!).toString()).length).toBeGreaterThan(4);
});

// spec: 1.21, 2.28, 6.1
test("legal pages and the accessibility statement are for everybody", async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto("/");
  for (const [link, heading] of [
    ["Terms", "Terms & Conditions"],
    ["Privacy", "Privacy Policy"],
    ["Accessibility", "Accessibility"],
  ] as const) {
    await page.getByRole("contentinfo").getByRole("link", { name: link }).click();
    await expect(page.getByRole("heading", { level: 1, name: heading })).toBeVisible();
  }
  await page.goto("/terms");
  await expect(page.getByText("refunded in full minus a €0.99 fee")).toBeVisible();
});

// spec: 8.8
test("a failed logout says so, and can be tried again", async ({ page, signIn, database }) => {
  const { who } = await addPlayer(database.db);
  await signIn(who);
  await page.goto("/settings");
  await page.waitForLoadState("networkidle");
  await page.route("**/sign-out.data*", (route) => route.abort());
  await page.getByRole("button", { name: "Logout" }).click();
  const alert = page.getByRole("main").getByRole("alert");
  await expect(alert).toContainText("Failed to log out. Please try again.");
  await page.unroute("**/sign-out.data*");
  await page.getByRole("button", { name: "Logout" }).click();
  await expect(page).toHaveURL(/:\d+\/$/);
});
