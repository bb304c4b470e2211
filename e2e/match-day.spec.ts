import type { BrowserContext, Locator } from "@playwright/test";
import { expect, type Page, test, WITH_SCRIPTS } from "./fixtures.ts";
import { aMatch } from "./matches.ts";
import { addPlayer } from "./players.ts";
import { signInAs } from "./site.ts";
import { markAttendance } from "#app/features/roster/roster.server.ts";
import type { Db } from "#app/platform/db.server.ts";

const rowOf = (page: Page, name: string) => page.getByRole("listitem", { name: `${name} Example` });
const attendanceOf = async (db: Db, bookingId: string) => {
  const booking = db.selectFrom("bookings").select("attendance").where("id", "=", bookingId);
  return (await booking.executeTakeFirstOrThrow()).attendance;
};
const CREW = ["Aino", "Bertta", "Cecilia", "Daniela", "Eevi", "Fanni", "Greta"];

test("on a phone five players can be checked in without scrolling, and marked ones take one line", async ({
  page,
  signIn,
  database,
}) => {
  const { gameId } = await aMatch(database, CREW);
  await signIn("admin");
  await page.goto(`/admin/games/${gameId}`, { waitUntil: "networkidle" });
  const { y: bar } = (await page.getByRole("navigation", { name: "Main" }).last().boundingBox())!;
  expect(bar).toBeGreaterThan(700);
  const buttons = await page.getByRole("button", { name: /^Check in .* Example$/ }).all();
  const ends = await Promise.all(buttons.map(lowerEdge));
  const said = `check-in buttons end at ${ends.map(Math.round).join(", ")} of ${bar}`;
  test.info().annotations.push({ type: "match day", description: said });
  process.stdout.write(`${said}\n`);
  expect(ends.filter((end) => end <= bar).length).toBeGreaterThanOrEqual(5);
  const row = rowOf(page, "Aino");
  await row.getByRole("button", { name: "Check in" }).click();
  await expect(row.getByText("Saved")).toBeVisible();
  // Two lines of a long name, or a button, and no more.
  expect((await row.boundingBox())!.height).toBeLessThanOrEqual(60);
});

test("a row that is unfolded keeps its first line, with the rest below", async ({
  page,
  signIn,
  database,
}) => {
  const { gameId } = await aMatch(database, ["Aino"]);
  await signIn("admin");
  await page.goto(`/admin/games/${gameId}`, { waitUntil: "networkidle" });
  const row = rowOf(page, "Aino");
  const checkIn = row.getByRole("button", { name: "Check in" });
  const before = await checkIn.boundingBox();
  await row.locator("summary").click();
  const remove = row.getByRole("button", { name: "Remove" });
  await expect(remove).toBeVisible();
  expect(await checkIn.boundingBox()).toEqual(before);
  expect((await remove.boundingBox())!.y).toBeGreaterThan(await lowerEdge(checkIn));
});

async function lowerEdge(button: Locator): Promise<number> {
  const { y, height } = (await button.boundingBox())!;
  return y + height;
}

test("taps without a connection wait, over a reload too, and are saved in their order when it is back", async ({
  page,
  context,
  signIn,
  database,
}) => {
  const { gameId, bookings } = await aMatch(database, ["Aino", "Bertta", "Cecilia"]);
  await signIn("admin");
  await page.goto(`/admin/games/${gameId}`, { waitUntil: "networkidle" });
  const loseConnection = () => page.route("**/tap", (route) => route.abort("internetdisconnected"));
  await loseConnection();
  await rowOf(page, "Aino").getByRole("button", { name: "Check in" }).click();
  await rowOf(page, "Bertta").getByRole("button", { name: "No-show" }).click();
  for (const name of ["Aino", "Bertta"]) {
    await expect(rowOf(page, name).getByText("Waiting for a connection")).toBeVisible();
  }
  expect(await attendanceOf(database.db, bookings.get("Aino")!)).toBeNull();
  await page.reload({ waitUntil: "networkidle" });
  await expect(rowOf(page, "Aino").getByText("Waiting for a connection")).toBeVisible();
  await expect(rowOf(page, "Aino").getByText("Checked in")).toBeVisible();
  // Another mark of the same player, after the kept one.
  await rowOf(page, "Bertta").getByRole("button", { name: "Undo" }).click();
  await expect(rowOf(page, "Bertta").getByRole("button", { name: "Check in" })).toBeVisible();
  const taps: string[] = [];
  // One that is on its way while the route is removed goes through.
  page.on("requestfinished", (request) => {
    if (request.url().endsWith("/tap")) taps.push(request.postDataJSON()["to"]);
  });
  await page.unroute("**/tap");
  await context.setOffline(true);
  await context.setOffline(false);
  await expect(rowOf(page, "Aino").getByText("Saved")).toBeVisible();
  await expect(rowOf(page, "Bertta").getByText("Saved")).toBeVisible();
  expect(taps).toEqual(["CheckedIn", "NoShow", ""]);
  expect(await attendanceOf(database.db, bookings.get("Aino")!)).toBe("CheckedIn");
  expect(await attendanceOf(database.db, bookings.get("Bertta")!)).toBeNull();
  await page.reload({ waitUntil: "networkidle" });
  await expect(page.getByText("Waiting for a connection")).toHaveCount(0);
});

test("any page of admin sends what was tapped without a connection, or says what was not saved", async ({
  page,
  signIn,
  database,
}) => {
  const { gameId, bookings, actorId } = await aMatch(database, ["Aino", "Bertta"]);
  await signIn("admin");
  await page.goto(`/admin/games/${gameId}`, { waitUntil: "networkidle" });
  await page.route("**/tap", (route) => route.abort("internetdisconnected"));
  for (const name of ["Aino", "Bertta"]) {
    await rowOf(page, name).getByRole("button", { name: "Check in" }).click();
    await expect(rowOf(page, name).getByText("Waiting for a connection")).toBeVisible();
  }
  await page.goto("/admin/venues", { waitUntil: "networkidle" });
  const notice = page
    .getByRole("main")
    .getByRole("status")
    .filter({ hasText: /\btaps?\b/ });
  await expect(notice).toContainText("2 taps wait on this phone to be sent.");
  const mark = { gameId, bookingId: bookings.get("Bertta")!, actorId, now: new Date() };
  await markAttendance(database.db, { ...mark, from: null, to: "NoShow" });
  await page.unroute("**/tap");
  await page.context().setOffline(true);
  await page.context().setOffline(false);
  await expect(notice).toContainText("1 tap was not saved.");
  expect(await attendanceOf(database.db, bookings.get("Aino")!)).toBe("CheckedIn");
  await notice.getByRole("link", { name: "Open the player list" }).click();
  const problem = 'Not saved: somebody else has changed it to "No-show".';
  await expect(rowOf(page, "Bertta").getByText(problem)).toBeVisible();
  await expect(notice).toHaveCount(0);
});

test("a kept tap that somebody else has forestalled says what is marked now", async ({
  page,
  context,
  signIn,
  database,
}) => {
  const { gameId, bookings, actorId } = await aMatch(database, ["Aino"]);
  await signIn("admin");
  await page.goto(`/admin/games/${gameId}`, { waitUntil: "networkidle" });
  await page.route("**/tap", (route) => route.abort("internetdisconnected"));
  const row = rowOf(page, "Aino");
  await row.getByRole("button", { name: "Check in" }).click();
  await expect(row.getByText("Waiting for a connection")).toBeVisible();
  const mark = { gameId, bookingId: bookings.get("Aino")!, actorId, now: new Date() };
  await markAttendance(database.db, { ...mark, from: null, to: "NoShow" });
  await page.unroute("**/tap");
  await context.setOffline(true);
  await context.setOffline(false);
  const problem = 'Not saved: somebody else has changed it to "No-show".';
  await expect(row.getByText(problem)).toBeVisible();
  await expect(row.getByText("No-show", { exact: true })).toBeVisible();
  await expect(row.getByRole("button", { name: "Undo" })).toBeVisible();
});

test("what one admin has tapped is not sent for another who signs in", async ({
  page,
  context,
  baseURL: url = "",
  dataDir,
  signIn,
  database,
}) => {
  const { gameId, bookings } = await aMatch(database, ["Aino"]);
  await signIn("admin");
  await page.goto(`/admin/games/${gameId}`, { waitUntil: "networkidle" });
  await page.route("**/tap", (route) => route.abort("internetdisconnected"));
  const row = rowOf(page, "Aino");
  await row.getByRole("button", { name: "Check in" }).click();
  await expect(row.getByText("Waiting for a connection")).toBeVisible();
  const other = await anotherAdmin(database.db);
  await signInAs(context, { url, dataDir, db: database.db }, other);
  // In this page, which the first admin has left open.
  await page.unroute("**/tap");
  await context.setOffline(true);
  await context.setOffline(false);
  await expect(row.getByText("another admin is signed in here now")).toBeVisible();
  // On a page of the other one.
  await page.reload({ waitUntil: "networkidle" });
  await expect(row.getByRole("button", { name: "Check in" })).toBeVisible();
  expect(await attendanceOf(database.db, bookings.get("Aino")!)).toBeNull();
  await signIn("admin");
  await page.reload({ waitUntil: "networkidle" });
  await expect(row.getByText("Saved")).toBeVisible();
  expect(await attendanceOf(database.db, bookings.get("Aino")!)).toBe("CheckedIn");
});

async function anotherAdmin(db: Db): Promise<string> {
  const { who, userId } = await addPlayer(db);
  await db.insertInto("user_roles").values({ user_id: userId, role: "admin" }).execute();
  return who;
}

for (const javaScriptEnabled of WITH_SCRIPTS) {
  test.describe(javaScriptEnabled ? "with JavaScript" : "as plain HTML", () => {
    test.use({ javaScriptEnabled });

    test("the rest is checked in, cash is noted and taken back, and a walk-in gets a link", async ({
      page,
      context,
      signIn,
      database,
    }) => {
      const { gameId } = await aMatch(database, ["Aino", "Bertta"], ["Cecilia"]);
      await signIn("admin");
      const path = `/admin/games/${gameId}`;
      await page.goto(path, { waitUntil: "networkidle" });
      await rowOf(page, "Aino").getByRole("button", { name: "No-show" }).click();
      await expect(rowOf(page, "Aino").getByRole("button", { name: "Undo" })).toBeVisible();
      // Else the page that is loaded may have been read before the tap was saved.
      if (javaScriptEnabled) await expect(rowOf(page, "Aino").getByText("Saved")).toBeVisible();
      await page.goto(path, { waitUntil: "networkidle" });
      await page.getByRole("button", { name: "Check in the rest" }).click();
      await page.getByRole("button", { name: "Check in 2 players" }).click();
      await expect(page.getByText(/2\/3 checked in · \d+ spots left · 1 no-show/)).toBeVisible();
      await payByHand(page, "Cecilia");
      await takeBack(page, "Cecilia");
      await askForSomebodyUnknown(page, context, gameId);
    });
  });
}

async function payByHand(page: Page, name: string) {
  const row = rowOf(page, name);
  await row.getByRole("button", { name: "Mark paid" }).first().click();
  const dialog = page.getByRole("dialog", { name: `${name} Example has paid` });
  await expect(dialog.getByLabel("Amount in €")).toHaveValue("10.00");
  await dialog.getByLabel("Amount in €").fill("7,50");
  await dialog.getByLabel("MobilePay").check();
  await dialog.getByRole("button", { name: "Mark paid" }).click();
  await expect(row.getByRole("button", { name: "Mark paid" })).toHaveCount(0);
  await row.locator("summary").click();
  await expect(row.getByText("Paid 7.50\u00a0€ (MobilePay)")).toBeVisible();
}

async function takeBack(page: Page, name: string) {
  const row = rowOf(page, name);
  await row.getByRole("button", { name: "Mark unpaid" }).click();
  await expect(row.getByText("Unpaid", { exact: true })).toBeVisible();
}

/** The link leads through signing up back to the game. */
async function askForSomebodyUnknown(page: Page, context: BrowserContext, gameId: string) {
  await page.getByLabel("Email or name").fill("Somebody New");
  await page.getByRole("button", { name: "Add unpaid" }).click();
  await expect(page.getByRole("img", { name: "QR code of the sign-up link" })).toBeVisible();
  const link = await page.getByRole("textbox", { name: "Sign-up link" }).inputValue();
  const visitor = await context.browser()!.newContext();
  const other = await visitor.newPage();
  await other.goto(link);
  const redirect = other.locator("input[name=redirectTo]").first();
  await expect(redirect).toHaveValue(`/events/${gameId}`);
  await visitor.close();
}
