import { expect, test, WITH_SCRIPTS } from "./fixtures.ts";
import { makeAdmin } from "#app/features/accounts/account-status.server.ts";
import { addPlayer } from "./players.ts";

for (const javaScriptEnabled of WITH_SCRIPTS) {
  test.describe(javaScriptEnabled ? "with JavaScript" : "as plain HTML", () => {
    test.use({ javaScriptEnabled });

    test("a player writes, an admin answers, and the log shows it", async ({
      page,
      signIn,
      database: { db },
      context,
    }) => {
      const [player, organiser] = [await addPlayer(db), await addPlayer(db)];
      await makeAdmin(db, `${organiser.who}@uni.example`, "test");
      const subject = `Lost shoes of ${player.who}`;
      await signIn(player.who);
      await page.goto("/settings/contact-support");
      await page.getByLabel("Subject *").fill(subject);
      await page.getByLabel("Message *").fill("Blue ones.");
      await page.getByRole("button", { name: "Send message" }).click();
      await page.waitForURL(/sent/);
      await context.clearCookies();

      await signIn(organiser.who);
      await page.goto("/admin/inbox");
      const tab = page
        .getByRole("navigation", { name: "Admin" })
        .getByRole("link", { name: "Inbox" });
      await expect(tab).toContainText(/\d+ open/);
      await page.getByRole("link", { name: subject }).click();
      await expect(page.getByText("Blue ones.")).toBeVisible();
      await page.getByRole("button", { name: "Send answer" }).click();
      await expect(page.getByRole("main").getByRole("alert")).toContainText("Answer is required");
      await page.getByLabel("Answer").fill("They are in the hall.");
      await page.getByRole("button", { name: "Send answer" }).click();
      const said = page.getByRole("region", { name: "Notifications" });
      await expect(said).toContainText("Answer sent");
      await expect(page.getByRole("region", { name: "Answers" })).toContainText("in the hall");

      await page.getByRole("button", { name: "Reopen" }).click();
      await expect(said).toContainText("Reopened");
      await page.getByRole("button", { name: "Mark as done" }).click();
      await expect(said).toContainText("Marked as done");

      await page.goto(`/admin/log?actor=${organiser.userId}`);
      const entries = page.getByRole("main").getByRole("listitem");
      await expect(entries).toHaveCount(3);
      await expect(entries.first()).toContainText(/marked “.*” from .* as done/);
      await expect(entries.last()).toContainText("answered “");
      const download = page.waitForEvent("download");
      await page.getByRole("button", { name: "Download CSV" }).click();
      expect((await download).suggestedFilename()).toMatch(/^log-.*\.csv$/);
    });
  });
}
