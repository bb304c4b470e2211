import { Secret, TOTP } from "otpauth";
import { changeRole } from "#app/features/accounts/account-status.server.ts";
import { DEMO_PASSWORD } from "../db/demo/people.ts";
import { expect, type Page, test, WITH_SCRIPTS } from "./fixtures.ts";
import { addPlayer } from "./players.ts";
import { turnOn } from "./screens/auth.ts";
import { signInAs } from "./site.ts";

/** Code of the next step, for each counts once. */
function nextCode(secret: string): string {
  return TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: Date.now() + 30_000 });
}

async function signInByForm(page: Page, who: string) {
  await page.getByLabel("email", { exact: true }).fill(`${who}@uni.example`);
  await page.getByLabel("password", { exact: true }).fill(DEMO_PASSWORD);
  await page.getByRole("button", { name: "Sign In" }).click();
}

for (const javaScriptEnabled of WITH_SCRIPTS) {
  test.describe(javaScriptEnabled ? "with JavaScript" : "as plain HTML", () => {
    test.use({ javaScriptEnabled });

    test("an admin sets up two-factor sign-in and signs in with it", async ({
      page,
      signIn,
      database,
    }) => {
      const { who, userId } = await addPlayer(database.db);
      await changeRole(database.db, { userId, isAdmin: true, actor: "command" });
      await page.setViewportSize({ width: 390, height: 600 });
      await signIn(who);
      await page.goto("/settings");
      await page.getByRole("link", { name: "Two-factor sign-in" }).click();
      const secret = await turnOn(page);
      const heading = page.getByRole("heading", { name: "Your recovery codes" });
      await expect(heading).toBeInViewport();
      if (javaScriptEnabled) await expect(heading).toBeFocused();
      const codes = page.getByRole("list", { name: "Recovery codes" }).getByRole("listitem");
      await expect(codes).toHaveCount(10);
      const saved = page.waitForEvent("download");
      await page.getByRole("link", { name: "Save as a file" }).click();
      expect((await saved).suggestedFilename()).toBe("recovery-codes.txt");
      await page.getByRole("link", { name: "Done" }).click();
      await page.getByRole("button", { name: "Logout" }).click();
      await expect(page).toHaveURL(/:\d+\/$/);

      await page.goto("/auth?redirectTo=%2Fadmin%2Fplayers");
      await signInByForm(page, who);
      await expect(page.getByRole("heading", { name: "Enter your code" })).toBeVisible();
      await page.getByLabel("code", { exact: true }).fill("000000");
      await page.getByRole("button", { name: "Continue" }).click();
      await expect(page.getByRole("alert").first()).toContainText("Wrong code");
      await page.getByLabel("code", { exact: true }).fill(nextCode(secret));
      await page.keyboard.press("Enter");
      await expect(page).toHaveURL(/\/admin\/players$/);
    });
  });
}

for (const javaScriptEnabled of WITH_SCRIPTS) {
  test.describe(javaScriptEnabled ? "with JavaScript" : "as plain HTML", () => {
    test.use({ javaScriptEnabled });

    test("after signing out Back shows nothing of the wallet", async ({
      page,
      signIn,
      database,
    }) => {
      const { who } = await addPlayer(database.db);
      await signIn(who);
      await page.goto("/wallet");
      await page.goto("/settings");
      await page.getByRole("button", { name: "Logout" }).click();
      await expect(page).toHaveURL(/:\d+\/$/);
      await page.goBack();
      await page.goBack();
      await expect(page).toHaveURL(/:\d+\/$/);
      await expect(page.getByRole("heading", { name: /wallet/i })).toHaveCount(0);
    });

    test("another device is signed out from the settings", async ({
      page,
      signIn,
      database,
      browser,
      baseURL: url = "",
      dataDir,
    }) => {
      const { who } = await addPlayer(database.db);
      const other = await browser.newContext({ baseURL: url });
      await signInAs(other, { url, dataDir, db: database.db }, who);
      await signIn(who);
      await page.goto("/settings");
      await page.getByRole("link", { name: "Your devices" }).click();
      await expect(page.getByText("This device")).toHaveCount(1);
      await page.getByRole("button", { name: /^Sign out .*, signed in/ }).click();
      const said = page.getByRole("region", { name: "Notifications" });
      await expect(said).toContainText("Signed out there");
      await expect(page.getByRole("listitem").filter({ hasText: "Signed in" })).toHaveCount(1);
      const wallet = await other.request.get("/wallet", { maxRedirects: 0 });
      expect(wallet.status()).toBe(302);
      await other.close();
    });
  });
}
