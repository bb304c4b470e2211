import { expect, test, WITH_SCRIPTS } from "./fixtures.ts";
import { addPlayer } from "./players.ts";

for (const javaScriptEnabled of WITH_SCRIPTS) {
  test.describe(javaScriptEnabled ? "with JavaScript" : "as plain HTML", () => {
    test.use({ javaScriptEnabled });

    test("an organiser finds a player, gives credits, and shuts the account", async ({
      page,
      signIn,
      browser,
      baseURL,
      database,
    }) => {
      const { who } = await addPlayer(database.db);
      await signIn("admin");
      await page.goto("/admin/players");
      await page.getByLabel("Name or email").fill(`${who}@uni.example`);
      await page.getByRole("button", { name: "Search" }).click();
      const found = page.getByRole("link", { name: "Kirsi Example" });
      await found.filter({ hasText: who }).click();
      await page.getByLabel("Credits *").fill("12,50");
      await page.getByRole("button", { name: "Correct the balance" }).click();
      await expect(page.getByRole("main").getByRole("alert")).toContainText("Reason is required");
      await expect(page.getByLabel("Credits *")).toHaveValue("12,50");
      await page.getByLabel("Reason *").first().fill("Rained off");
      await page.getByRole("button", { name: "Correct the balance" }).click();
      await expect(page.getByText("12.50 credits", { exact: true })).toBeVisible();

      const theirs = await browser.newContext({ baseURL: baseURL! });
      const enter = () =>
        theirs.request.post("/auth", {
          form: { intent: "sign-in", email: `${who}@uni.example`, password: "Kickabout1" },
          maxRedirects: 0,
        });
      expect((await enter()).status()).toBe(302);
      await page.locator("summary").filter({ hasText: "Suspend" }).click();
      await page.getByLabel("Reason *").last().fill("Two red cards");
      await page.getByLabel("Sign Kirsi out everywhere").check();
      await page.getByRole("button", { name: "Suspend", exact: true }).click();
      await expect(page.getByText("Suspended since")).toBeVisible();
      const wallet = await theirs.request.get("/wallet", { maxRedirects: 0 });
      expect(wallet.status()).toBe(302);
      expect(await (await enter()).text()).toContain("Your account is suspended. Contact ");
      await page.getByRole("button", { name: "Lift the suspension" }).click();
      await expect(page.getByText("Suspended since")).toBeHidden();
      expect((await enter()).status()).toBe(302);
      await theirs.close();
    });

    test("a new pack is on sale with its payment link", async ({ page, signIn }) => {
      await signIn("admin");
      await page.goto("/admin/packs");
      await page.getByRole("link", { name: "New pack" }).click();
      await page.getByLabel("Name *").fill("Winter term");
      await page.getByLabel("Price in euros *").fill("150");
      await page.getByLabel("Credits *").fill("200");
      await page.getByRole("button", { name: "Create pack" }).click();
      await expect(page.getByRole("heading", { name: "Winter term" })).toBeVisible();
      await expect(page.getByText("No payment link", { exact: true })).toBeVisible();
      await page.getByRole("button", { name: "Make the payment link" }).click();
      await expect(page.getByText("Demo checkout", { exact: true })).toBeVisible();
      // The other tests count the packs.
      await page.getByLabel("On sale").uncheck();
      await page.getByRole("button", { name: "Save", exact: true }).click();
      await expect(page.getByText("Pack saved")).toBeVisible();
    });
  });
}
