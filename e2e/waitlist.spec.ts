import { expect, type Page, test as base, WITH_SCRIPTS } from "./fixtures.ts";
import { openMail } from "./newcomers.ts";
import { openStage } from "./waitlist-stage.ts";

const test = base.extend<{ stage: ReturnType<typeof openStage> }>({
  stage: async ({ baseURL, dataDir, database }, use) =>
    use(openStage({ url: baseURL!, dataDir, db: database.db }, database)),
});

for (const javaScriptEnabled of WITH_SCRIPTS) {
  test.describe(javaScriptEnabled ? "with JavaScript" : "as plain HTML", () => {
    test.use({ javaScriptEnabled });

    test("full, on the waitlist, somebody cancels, booked, notified by email", async ({
      page,
      signIn,
      stage,
    }) => {
      const { gameId, cancel } = await stage.fullGame();
      const waiter = await stage.player();
      await signIn(waiter.who);
      await page.goto(`/events/${gameId}`);
      await expect(page.getByRole("button", { name: "GAME FULL" })).toBeDisabled();
      await expect(page.getByText("Nobody is waiting yet.").first()).toBeVisible();
      await page.getByRole("button", { name: "Join waitlist" }).click();
      const dialog = page.getByRole("dialog", { name: "Join the waitlist" });
      await expect(
        dialog.getByRole("radio", { name: /Book it for me.*10 credits are taken/ }),
      ).toBeChecked();
      await expect(dialog.getByText("The spot is yours at once")).toBeHidden();
      await dialog.getByText("How the waitlist works").click();
      await expect(dialog.getByText("The spot is yours at once")).toBeVisible();
      await dialog.getByRole("button", { name: "Join waitlist" }).click();
      await expect(page.getByText("You are 1st of 1")).toBeVisible();
      await page.goto("/bookings");
      const places = page.getByRole("region", { name: "Waitlist" });
      await expect(places.getByRole("listitem")).toContainText("You are 1st of 1");

      expect(await cancel()).toBe(302);
      await untilShown(page, `/events/${gameId}`, "You're attending this game!");
      const mail = await openMail(page, `${waiter.who}@uni.example`);
      await expect(mail).toContainText("A spot opened, and it is yours", { ignoreCase: true });
      await page.goto("/bookings");
      await expect(page.getByRole("article")).toHaveCount(1);
      await expect(places).toHaveCount(0);
    });

    test("asked first, the spot is taken from the email", async ({ page, signIn, stage }) => {
      const { gameId, cancel } = await stage.fullGame();
      const asked = await stage.player();
      await signIn(asked.who);
      await page.goto(`/events/${gameId}`);
      await page.getByRole("button", { name: "Join waitlist" }).click();
      const dialog = page.getByRole("dialog", { name: "Join the waitlist" });
      await dialog.getByRole("radio", { name: "Ask me first" }).check();
      await expect(dialog.getByText(/^Waiting until 3 hours before, /)).toBeVisible();
      await dialog.getByText("Change", { exact: true }).click();
      await dialog.getByRole("combobox", { name: "Until when?" }).selectOption("1");
      await dialog.getByRole("button", { name: "Join waitlist" }).click();
      await expect(page.getByText("You are 1st of 1")).toBeVisible();

      expect(await cancel()).toBe(302);
      const mail = await openMail(page, `${asked.who}@uni.example`);
      await mail.getByRole("link", { name: "Open the link" }).click();
      const offer = page.getByRole("dialog", { name: "A spot is held for you" });
      const take = "Take the spot · 10 credits";
      if (!javaScriptEnabled) await expect(page.getByRole("button", { name: take })).toHaveCount(1);
      await offer.getByRole("button", { name: take }).click();
      await expect(page.getByText("You're attending this game!")).toBeVisible();
      await expect(page).toHaveURL(`/events/${gameId}`);
    });

    test("an offer that nobody answers goes to the next one", async ({
      page,
      signIn,
      stage,
      database,
    }) => {
      const { gameId, cancel } = await stage.fullGame();
      const [asked, next] = [await stage.player(), await stage.player()];
      await stage.wait(asked, gameId, "ask");
      await stage.wait(next, gameId, "auto");
      expect(await cancel()).toBe(302);
      await signIn(asked.who);
      await untilShown(page, `/events/${gameId}`, /^A spot is held for you until/);
      const offer = database.db.updateTable("waitlist_entries").where("user_id", "=", asked.userId);
      await offer.set({ offer_expires_at: new Date() }).execute();
      // Carried out by the worker's next look at the lists.
      await untilShown(page, `/events/${gameId}?offer=1`, "This offer is over.");
      // Until then the next one is still behind.
      await untilShown(page, `/events/${gameId}?offer=1`, "You are 1st of 1");
      await page.getByRole("button", { name: "Manage" }).click();
      const change = page.getByRole("dialog", { name: "Your place on the waitlist" });
      await expect(change.getByRole("radio", { name: "Ask me first" })).toBeChecked();
      await change.getByRole("radio", { name: "Book it for me" }).check();
      await change.getByRole("button", { name: "Save changes" }).click();
      await expect(page.getByText("a spot that opens is yours")).toBeVisible();
      await expect(page.getByRole("dialog")).toHaveCount(0);
      await page.getByRole("button", { name: "Manage" }).click();
      await change.getByRole("button", { name: "Leave waitlist" }).click();
      const leave = page.getByRole("dialog", { name: "Leave the waitlist?" });
      await expect(leave).toContainText("If you join again, you are last.");
      await leave.getByRole("button", { name: "Leave for good" }).click();
      await expect(page.getByRole("button", { name: "Join waitlist" })).toBeVisible();
      await signIn(next.who);
      await page.goto(`/events/${gameId}`);
      await expect(page.getByText("You're attending this game!")).toBeVisible();
    });

    test("cancelled late, the credits come back once the spot is taken", async ({
      page,
      signIn,
      stage,
    }) => {
      const { gameId, holder } = await stage.fullGame();
      await signIn(holder.who);
      await page.goto("/bookings");
      await page.getByRole("button", { name: /^Cancel/ }).click();
      const dialog = page.getByRole("dialog", { name: "Cancel this booking?" });
      await expect(dialog).toContainText(
        "Nothing comes back now. 9.01 credits come back if somebody takes your spot before " +
          "kick-off. Nobody is waiting yet.",
      );
      await dialog.getByRole("button", { name: "Cancel booking" }).click();
      const earlier = page.getByRole("region", { name: "Earlier" });
      const open = page.getByRole("region", { name: "Your spot is open" });
      await expect(open).toContainText("9.01 credits come back if somebody takes it");
      await expect(earlier).toContainText("Cancelled");
      expect(await stage.join(await stage.player(), gameId)).toBe(302);
      await page.reload();
      await expect(earlier).toContainText("Refunded");
      await expect(open).toHaveCount(0);
      // 10 of 20 are left, and 9.01 come back.
      await expect(page.getByRole("main").getByText(/^19 credits$/)).toBeVisible();
    });

    test("an organiser promotes one, and its dialog closes", async ({ page, signIn, stage }) => {
      const { gameId } = await stage.fullGame();
      for (const waiter of [await stage.player(), await stage.player()]) {
        await stage.wait(waiter, gameId, "auto");
      }
      await signIn("admin");
      await page.goto(`/admin/games/${gameId}`);
      const rows = page.getByRole("listitem").filter({ has: page.getByText("Is booked at once") });
      await rows.nth(1).getByRole("button", { name: "Promote" }).click();
      await page.getByRole("dialog").getByLabel("Reason").fill("Brings the goals");
      await page.getByRole("button", { name: "Promote player" }).click();
      await expect(rows.nth(0)).toContainText("Put first: Brings the goals");
      await expect(page.getByRole("dialog")).toHaveCount(0);
    });

    test("a second game at the same hour is asked for by name", async ({ page, signIn, stage }) => {
      const { gameId } = await stage.game(4);
      const { gameId: other } = await stage.game(4);
      const player = await stage.player();
      expect(await stage.join(player, other)).toBe(302);
      await signIn(player.who);
      await page.goto(`/events/${gameId}`);
      await page.getByRole("button", { name: "Join game" }).click();
      await expect(page.getByText("You are in another game at that time:")).toBeVisible();
      await page.getByRole("button", { name: "Join anyway" }).click();
      await expect(page.getByText("You're attending this game!")).toBeVisible();
    });
  });
}

/** What another process does is seen by the next look at the page. */
async function untilShown(page: Page, path: string, text: string | RegExp) {
  await expect(async () => {
    await page.goto(path);
    await expect(page.getByText(text).first()).toBeVisible({ timeout: 300 });
  }).toPass({ timeout: 40_000 });
}
