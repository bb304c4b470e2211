import { topUp } from "#app/features/wallet/ledger.server.ts";
import { expect, test, WITH_SCRIPTS } from "./fixtures.ts";
import { addPlayer, addRaceGames } from "./players.ts";

test.describe("as plain HTML, in short", () => {
  test.use({ javaScriptEnabled: false });

  test("who is 0.99 short of a game pays that alone, and is in", async ({
    page,
    signIn,
    database: { db },
  }) => {
    const [gameId = ""] = await addRaceGames(db, { count: 1, spots: 9 });
    const { who, userId } = await addPlayer(db);
    await topUp(db, { userId, amountCents: 901, key: `short-${userId}` });
    await signIn(who);
    await page.goto(`/events/${gameId}`);
    await page.getByRole("button", { name: "Pay and join" }).click();
    const plans = page.getByRole("dialog", { name: "Choose Your Plan" });
    await expect(plans.getByRole("radio", { name: "Just what is missing" })).toBeChecked();
    await plans.getByRole("button", { name: "START PLAYING" }).click();
    await expect(page.getByLabel("Amount in euros")).toHaveValue("0.99");
    await page.getByRole("button", { name: "Pay", exact: true }).click();
    await expect(async () => {
      await page.goto(`/events/${gameId}`);
      await expect(page.getByText("You're attending this game!")).toBeVisible({ timeout: 500 });
    }).toPass();
    await page.goto("/wallet");
    await expect(page.getByText("0 games available")).toBeVisible();
  });
});

for (const javaScriptEnabled of WITH_SCRIPTS) {
  test.describe(javaScriptEnabled ? "with JavaScript" : "as plain HTML", () => {
    test.use({ javaScriptEnabled });

    test("a refund of 9.01, the difference of 0.99 by the sandbox, and into the next game", async ({
      page,
      signIn,
      database: { db },
    }) => {
      const { who, userId } = await addPlayer(db);
      await topUp(db, { userId, amountCents: 1_000, key: `difference-${userId}` });
      const bookingsOf = async (gameId: string) => {
        const own = db.selectFrom("bookings").select("payment_status as status");
        const rows = own.where("user_id", "=", userId).where("game_id", "=", gameId);
        return (await rows.execute()).map(({ status }) => status);
      };
      const [one, other] = await db
        .selectFrom("games")
        .select("id")
        .where("status", "=", "Published")
        .where("is_first_session_free", "=", false)
        .where("starts_at", ">", new Date(Date.now() + 26 * 3_600_000))
        .where((eb) => eb("seats_taken", "<", eb("max_players", "-", 4)))
        .orderBy("starts_at")
        .limit(2)
        .execute();
      await signIn(who);
      await page.goto(`/events/${one!.id}`);
      await page.getByRole("button", { name: "Join game" }).click();
      await expect.poll(() => bookingsOf(one!.id)).toEqual(["Paid"]);
      await page.goto("/bookings", { waitUntil: "networkidle" });
      const next = page.getByRole("region", { name: "NEXT GAMES" });
      await next.getByRole("button", { name: "Cancel" }).click();
      const dialog = page.getByRole("dialog", { name: "Cancel this booking?" });
      await dialog.getByRole("button", { name: "Cancel booking" }).click();
      await expect(next).toContainText("You are not attending any game yet.");
      await page.goto("/wallet");
      await expect(page.getByText("9.01 exactly, 0.99 short of a game")).toBeVisible();
      await page.goto(`/events/${other!.id}`);
      await page.getByRole("button", { name: "Pay and join" }).click();
      const plans = page.getByRole("dialog", { name: "Choose Your Plan" });
      await expect(plans.getByRole("radio", { name: "Just what is missing" })).toBeChecked();
      const pay = javaScriptEnabled ? "Pay 0.99 € and join" : "START PLAYING";
      await plans.getByRole("button", { name: pay }).click();
      await expect(page.getByLabel("Amount in euros")).toHaveValue("0.99");
      const exact = javaScriptEnabled ? "Pay 0.99 €" : "Pay";
      await page.getByRole("button", { name: exact, exact: true }).click();
      await expect(page.getByText("You're in", { exact: true })).toBeVisible();
      await expect.poll(() => bookingsOf(other!.id)).toEqual(["Paid"]);
    });
  });
}
