import type { Db } from "#app/platform/db.server.ts";
import { changeRole } from "#app/features/accounts/account-status.server.ts";
import { openChat, stage } from "./chat-stage.ts";
import { expect, type Page, test, WITH_SCRIPTS } from "./fixtures.ts";
import { aMatch } from "./matches.ts";
import { addChampion, addRaceGames } from "./players.ts";

/** Signed in in this browser in place of who opened the page, which does not know of it. */
async function aNamesake(db: Db, firstName: string) {
  const who = await addChampion(db);
  const users = db.selectFrom("users").select("id").where("email", "=", `${who}@uni.example`);
  const { id: userId } = await users.executeTakeFirstOrThrow();
  await db
    .updateTable("profiles")
    .set({ first_name: firstName })
    .where("user_id", "=", userId)
    .execute();
  return { who, userId };
}

const notice = (page: Page) => page.getByRole("region", { name: "Notifications" });
const bookingsOf = async (db: Db, userId: string, gameId: string) =>
  db
    .selectFrom("bookings")
    .select("payment_status")
    .where("user_id", "=", userId)
    .where("game_id", "=", gameId)
    .execute();

for (const javaScriptEnabled of WITH_SCRIPTS) {
  const kind = javaScriptEnabled ? "with JavaScript" : "as plain HTML";
  test.describe(kind, () => {
    test.use({ javaScriptEnabled });

    const expectRejected = async (page: Page) => {
      await expect(notice(page)).toContainText("This page was opened for another account.");
      await expect(notice(page)).toContainText("You are signed in as Helmi now. Nothing was done.");
      // A browser prefers the place in its address, without scripts that of the last message.
      if (!page.url().includes("#")) await expect(notice(page)).toBeFocused();
    };

    test("a join and a cancellation act in nobody else's name", async ({
      page,
      signIn,
      database: { db },
    }) => {
      const [gameId = ""] = await addRaceGames(db, { count: 1, spots: 9 });
      const [aino, helmi] = [await aNamesake(db, "Aino"), await aNamesake(db, "Helmi")];
      await signIn(aino.who);
      await page.goto(`/events/${gameId}`);
      await signIn(helmi.who);
      await page.getByRole("button", { name: "Join game" }).click();
      await expectRejected(page);
      expect(await bookingsOf(db, helmi.userId, gameId)).toEqual([]);

      await page.getByRole("button", { name: "Join game" }).click();
      await expect(page.getByText("You're attending this game!")).toBeVisible();
      await page.goto("/bookings");
      const next = page.getByRole("region", { name: "NEXT GAMES" });
      await next.getByRole("button", { name: "Cancel" }).click();
      await signIn(aino.who);
      const dialog = page.getByRole("dialog", { name: "Cancel this booking?" });
      await dialog.getByRole("button", { name: "Cancel booking" }).click();
      await expect(notice(page)).toContainText("You are signed in as Aino now.");
      expect(await bookingsOf(db, helmi.userId, gameId)).toEqual([{ payment_status: "Paid" }]);
    });

    test("a profile is not saved as another player's", async ({
      page,
      signIn,
      database: { db },
    }) => {
      const [aino, helmi] = [await aNamesake(db, "Aino"), await aNamesake(db, "Helmi")];
      await signIn(aino.who);
      await page.goto("/profile");
      await page.getByRole("button", { name: "Edit profile" }).click();
      await signIn(helmi.who);
      await page.getByRole("button", { name: "Save changes" }).click();
      await expectRejected(page);
      await expect(page.getByRole("heading", { name: "Helmi Example" })).toBeVisible();
      const saved = db.selectFrom("profiles").select("first_name");
      const profile = await saved.where("user_id", "=", helmi.userId).executeTakeFirstOrThrow();
      expect(profile.first_name).toBe("Helmi");
    });

    test("a message is not sent as another player's", async ({ page, signIn, database }) => {
      const { path, gameId, first, second } = await stage(database);
      const rename = database.db.updateTable("profiles").set({ first_name: "Helmi" });
      await rename.where("user_id", "=", second.userId).execute();
      await signIn(first.who);
      if (javaScriptEnabled) await openChat(page, path);
      else await page.goto(path);
      await signIn(second.who);
      await page.getByRole("textbox", { name: "Message" }).fill("Only I say this");
      await page.getByRole("button", { name: "Send", exact: true }).click();
      await expectRejected(page);
      await expect(page.getByText("Only I say this")).toHaveCount(0);
      const sent = database.db.selectFrom("chat_messages").select("body");
      expect(await sent.where("game_id", "=", gameId).execute()).toEqual([]);
    });

    test("a tap on a roster is not another organiser's", async ({ page, signIn, database }) => {
      const { gameId, bookings } = await aMatch(database, ["Aino"]);
      const helmi = await aNamesake(database.db, "Helmi");
      await changeRole(database.db, { userId: helmi.userId, isAdmin: true, actor: "command" });
      await signIn("admin");
      await page.goto(`/admin/games/${gameId}`);
      await signIn(helmi.who);
      const row = page.getByRole("listitem", { name: "Aino Example" });
      await row.getByRole("button", { name: "Check in" }).click();
      if (javaScriptEnabled) await expect(row).toContainText("another admin is signed in here now");
      else await expectRejected(page);
      const booking = database.db.selectFrom("bookings").select("attendance");
      const marked = await booking
        .where("id", "=", bookings.get("Aino")!)
        .executeTakeFirstOrThrow();
      expect(marked.attendance).toBe(null);
    });
  });
}

test("a tab shows who has signed in in another one, and does not for the same account", async ({
  page,
  context,
  signIn,
  database: { db },
}) => {
  const [aino, helmi] = [await aNamesake(db, "Aino"), await aNamesake(db, "Helmi")];
  await signIn(aino.who);
  await page.goto("/profile");
  const other = await context.newPage();
  await other.goto("/events");
  await expect(other.getByRole("heading", { name: "Hi Aino" })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Aino Example" })).toBeVisible();
  await signIn(helmi.who);
  await other.goto("/events");
  await expect(notice(page)).toContainText("You are signed in as Helmi now.");
  await expect(page.getByRole("heading", { name: "Helmi Example" })).toBeVisible();
  await expect(other.getByRole("heading", { name: "Hi Helmi" })).toBeVisible();
  await page.reload();
  await expect(page.getByText("You are signed in as Helmi now.")).toHaveCount(0);
});

test("a hidden tab waits until it is seen, and a page of before comes back as the other's", async ({
  page,
  context,
  signIn,
  database: { db },
}) => {
  const [aino, helmi] = [await aNamesake(db, "Aino"), await aNamesake(db, "Helmi")];
  await signIn(aino.who);
  await page.goto("/profile");
  await page.evaluate(() => {
    Object.defineProperty(document, "hidden", { configurable: true, get: () => true });
  });
  await signIn(helmi.who);
  const other = await context.newPage();
  await other.goto("/events");
  await expect(other.getByRole("heading", { name: "Hi Helmi" })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Aino Example" })).toBeVisible();
  await page.evaluate(() => {
    Object.defineProperty(document, "hidden", { configurable: true, get: () => false });
    dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }));
  });
  await expect(notice(page)).toContainText("You are signed in as Helmi now.");
  await expect(page.getByRole("heading", { name: "Helmi Example" })).toBeVisible();
});

test("a sign-out of another account ends nothing, and keeps what it has typed", async ({
  page,
  signIn,
  database: { db },
}) => {
  const [aino, helmi] = [await aNamesake(db, "Aino"), await aNamesake(db, "Helmi")];
  await signIn(aino.who);
  await page.goto("/settings");
  await page.evaluate(() =>
    localStorage.setItem("kept chat x y", JSON.stringify({ at: Date.now(), value: [] })),
  );
  await signIn(helmi.who);
  await page.getByRole("button", { name: "Logout" }).click();
  await expect(notice(page)).toContainText("You are signed in as Helmi now. Nothing was done.");
  expect(await page.evaluate(() => localStorage.getItem("kept chat x y"))).not.toBeNull();
  await page.goto("/events");
  await expect(page.getByRole("heading", { name: "Hi Helmi" })).toBeVisible();
});
