import { changeRole } from "#app/features/accounts/account-status.server.ts";
import type { Db } from "#app/platform/db.server.ts";
import { DEMO_PASSWORD } from "../db/demo/people.ts";
import { again, holdPosts, kept, openChat, stage, write } from "./chat-stage.ts";
import { expect, firstCases, type Page, test } from "./fixtures.ts";
import { aMatch } from "./matches.ts";
import { addPlayer } from "./players.ts";

async function signInByForm(page: Page, who: string, path = "/auth") {
  await page.goto(path);
  await fillSignIn(page, who);
}

async function fillSignIn(page: Page, who: string) {
  await page.getByLabel("email", { exact: true }).fill(`${who}@uni.example`);
  await page.getByLabel("password", { exact: true }).fill(DEMO_PASSWORD);
  await page.getByRole("button", { name: "Sign In" }).click();
  await expect(page).not.toHaveURL(/\/auth/);
}

/** Ends them like a suspension or "Sign out" on another device. */
async function endSessions(db: Db, userId: string) {
  await db.deleteFrom("sessions").where("user_id", "=", userId).execute();
}

async function addAdmin(db: Db) {
  const player = await addPlayer(db);
  await changeRole(db, { userId: player.userId, isAdmin: true, actor: "command" });
  return player;
}

/** An organiser's tap on Aino's row that waits for a connection. */
async function tapWithoutConnection(page: Page, gameId: string) {
  await page.goto(`/admin/games/${gameId}`, { waitUntil: "networkidle" });
  await page.route("**/tap", (route) => route.abort("internetdisconnected"));
  await rowOf(page).getByRole("button", { name: "Check in" }).click();
  await expect(rowOf(page).getByText("Waiting for a connection")).toBeVisible();
}

const rowOf = (page: Page) => page.getByRole("listitem", { name: "Aino Example" });
const attendanceOf = async (db: Db, bookingId: string) => {
  const booking = db.selectFrom("bookings").select("attendance").where("id", "=", bookingId);
  return (await booking.executeTakeFirstOrThrow()).attendance;
};

for (const opensGamesFirst of firstCases([true, false])) {
  const how = opensGamesFirst ? "after a page of players" : "at once";
  test(`check-ins kept on a phone are sent once the same admin signs in again, ${how}`, async ({
    page,
    database,
  }) => {
    const { gameId, bookings } = await aMatch(database, ["Aino"]);
    const { who, userId } = await addAdmin(database.db);
    await signInByForm(page, who);
    await tapWithoutConnection(page, gameId);
    await endSessions(database.db, userId);
    await page.unroute("**/tap");
    await page.context().setOffline(true);
    await page.context().setOffline(false);
    await expect(rowOf(page).getByText("Not saved: sign in again.")).toBeVisible();
    if (opensGamesFirst) {
      await page.goto("/events");
      await expect(page).toHaveURL("/");
    }
    await page.goto(`/admin/games/${gameId}`);
    await expect(page).toHaveURL(/\/auth\?/);
    await fillSignIn(page, who);
    await expect(rowOf(page).getByText("Saved", { exact: true })).toBeVisible();
    expect(await attendanceOf(database.db, bookings.get("Aino")!)).toBe("CheckedIn");
  });
}

test("a message of a chat that was not sent waits for its author to sign in again", async ({
  page,
  database,
}) => {
  const { first, path } = await stage(database);
  await signInByForm(page, first.who);
  await openChat(page, path);
  await holdPosts(page, (route) => route.abort());
  await write(page, "I am on the tram");
  await expect(again(page)).toBeVisible();
  await endSessions(database.db, first.userId);
  await page.goto("/wallet");
  await expect(page).toHaveURL("/");
  await signInByForm(page, first.who);
  await openChat(page, path);
  await expect(page.getByText("I am on the tram")).toBeVisible();
});

test("another account that signs in on the phone is shown nothing, and sends nothing", async ({
  page,
  database,
}) => {
  const { gameId, bookings } = await aMatch(database, ["Aino"]);
  const { who, userId } = await addAdmin(database.db);
  const other = await addAdmin(database.db);
  await signInByForm(page, who);
  await page.goto("/settings/contact-support");
  await page.getByLabel("Message").fill("The gate was locked.");
  await expect.poll(() => kept(page)).toContainEqual(expect.stringContaining("The gate"));
  await tapWithoutConnection(page, gameId);
  await page.unroute("**/tap");
  await endSessions(database.db, userId);
  await signInByForm(page, other.who, "/auth?redirectTo=%2Fadmin%2Fvenues");
  await expect(page).toHaveURL("/admin/venues");
  await page.goto("/settings/contact-support");
  await expect(page.getByLabel("Message")).toHaveValue("");
  await page.goto(`/admin/games/${gameId}`);
  await expect(rowOf(page).getByRole("button", { name: "Check in" })).toBeVisible();
  expect(await attendanceOf(database.db, bookings.get("Aino")!)).toBeNull();
});
