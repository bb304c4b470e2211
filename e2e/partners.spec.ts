import sharp from "sharp";
import { expect, test, WITH_SCRIPTS } from "./fixtures.ts";
import { addPlayer } from "./players.ts";
import { makeAdmin } from "#app/features/accounts/account-status.server.ts";

for (const javaScriptEnabled of WITH_SCRIPTS) {
  test.describe(javaScriptEnabled ? "with JavaScript" : "as plain HTML", () => {
    test.use({ javaScriptEnabled });

    // spec: 1.24
    test("an organiser adds a partner, gives it a logo, hides and deletes it", async ({
      page,
      signIn,
      database,
      browser,
      baseURL,
    }) => {
      const { who } = await addPlayer(database.db);
      await makeAdmin(database.db, `${who}@uni.example`, "test");
      await signIn(who);
      const name = `Partner of ${who}`;
      const said = page.getByRole("region", { name: "Notifications" });
      const visitor = await (await browser.newContext({ baseURL: baseURL! })).newPage();
      const onFrontPage = async () => {
        await visitor.goto("/");
        return visitor.getByRole("img", { name }).count();
      };

      await page.goto("/admin/partners");
      await page.getByRole("link", { name: "Add partner" }).click();
      await page.getByLabel("Name *").fill(name);
      await page.getByLabel("Website").fill("gym");
      await page.getByRole("button", { name: "Add partner" }).click();
      const alert = page.getByRole("main").getByRole("alert");
      await expect(alert).toContainText("Please enter a web address");
      await expect(page.getByLabel("Name *")).toHaveValue(name);
      await page.getByLabel("Website").fill("gym.example");
      await page.getByRole("button", { name: "Add partner" }).click();
      await expect(said).toContainText("Partner added successfully");

      const svg =
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 3 1"><rect width="3" height="1"/></svg>';
      const logo = { name: "logo.svg", mimeType: "image/svg+xml", buffer: Buffer.from(svg) };
      const file = page.getByLabel("Choose a logo");
      await file.setInputFiles({
        ...logo,
        name: "logo.png",
        mimeType: "image/png",
        buffer: Buffer.from("no"),
      });
      await page.getByRole("button", { name: "Upload logo" }).click();
      await expect(alert).toContainText("Please select an image file");
      await file.setInputFiles(logo);
      await page.getByRole("button", { name: "Upload logo" }).click();
      await expect(said).toContainText("Logo uploaded successfully");
      expect(await onFrontPage()).toBe(1);
      const source = await visitor.getByRole("img", { name }).getAttribute("src");
      const stored = await visitor.request.get(source!);
      expect(await sharp(await stored.body()).metadata()).toMatchObject({
        width: 512,
        height: 171,
      });

      await page
        .getByRole("main")
        .getByRole("link", { name: "Partners", exact: true })
        .last()
        .click();
      const row = page.getByRole("article", { name });
      await row.getByRole("switch", { name: `Active: ${name}` }).click();
      await expect(said).toContainText("Partner updated successfully");
      await expect(row.getByRole("switch")).not.toBeChecked();
      expect(await onFrontPage()).toBe(0);
      await row.getByRole("button", { name: `Move ${name} down` }).click();
      if (javaScriptEnabled) {
        const up = row.getByRole("button", { name: `Move ${name} up` });
        await expect(async () => {
          await up.press("Enter");
          await expect(up).toHaveAttribute("aria-disabled", "true", { timeout: 1_000 });
        }).toPass();
        await expect(up).toBeFocused();
        await up.press("Enter");
        await expect(up).toBeFocused();
      }
      await row.getByRole("link", { name: `Edit ${name}` }).click();
      await page.getByRole("link", { name: "Delete partner" }).click();
      const dialog = page.getByRole("dialog", { name: "Delete this partner?" });
      await dialog.getByRole("link", { name: "Keep it" }).click();
      await expect(dialog).toBeHidden();
      await page.getByRole("link", { name: "Delete partner" }).click();
      await dialog.getByRole("button", { name: "Delete partner" }).click();
      await expect(said).toContainText("Partner deleted successfully");
      await expect(page).toHaveURL(/\/admin\/partners$/);
      await expect(row).toHaveCount(0);
      await visitor.context().close();
    });

    // spec: 1.24
    test("an organiser looks at a legal text, stores it and brings the former one back", async ({
      page,
      signIn,
    }) => {
      await signIn("admin");
      await page.goto("/admin/legal");
      await page.getByRole("link", { name: "Edit Privacy Policy" }).click();
      const content = page.getByLabel("Content *");
      const before = await content.inputValue();
      await content.fill(`${before}\n\nAdded in this browser.`);
      await page.getByRole("button", { name: "Preview" }).click();
      const preview = page.getByRole("group", { name: "Preview" });
      await expect(preview).toContainText("Added in this browser.");
      await expect(content).toHaveValue(`${before}\n\nAdded in this browser.`);
      await page.getByRole("button", { name: "Save" }).click();
      const said = page.getByRole("region", { name: "Notifications" });
      await expect(said).toContainText("Legal page updated successfully");
      await page.goto("/privacy");
      await expect(page.getByText("Added in this browser.")).toBeVisible();
      await page.goto("/admin/legal/privacy");
      await page
        .getByRole("region", { name: "Previous versions" })
        .getByRole("link")
        .first()
        .click();
      await page.getByRole("link", { name: "Open in the editor" }).click();
      await expect(page.getByText("Nothing has changed yet")).toBeVisible();
      await expect(content).toHaveValue(before);
      await page.getByRole("button", { name: "Save" }).click();
      await expect(said).toContainText("Legal page updated successfully");
      await page.goto("/privacy");
      await expect(page.getByText("Added in this browser.")).toHaveCount(0);
    });
  });
}
