import { expect, test } from "./fixtures.ts";
import { findGames } from "./games.ts";
import { closeJoinedDialog, joinedDialog } from "./joined.ts";
import { addPlayer, addRaceGames, enterPlayer } from "./players.ts";
import { topUp } from "#app/features/wallet/ledger.server.ts";

const button = "Join game";

test("who joins reads the dialog once: neither a reload nor a step back brings it again", async ({
  page,
  signIn,
  database: { db },
}) => {
  const { who, userId } = await addPlayer(db);
  const { free } = await findGames(db);
  await signIn(who);
  await page.goto("/events?city=all");
  await page.locator(`a[href="/events/${free}"]`).click();
  await page.getByRole("button", { name: button }).click();
  try {
    const dialog = joinedDialog(page);
    await expect(dialog).toContainText("Add to calendar");
    await expect(page).toHaveURL(`/events/${free}`);
    await dialog.getByRole("link", { name: "Keep all your games in your calendar" }).click();
    await expect(page).toHaveURL("/settings/calendar");
    await page.goBack();
    await expect(page.getByText("You're attending this game!")).toBeVisible();
    await expect(dialog).toHaveCount(0);
    await page.reload();
    await expect(page.getByText("You're attending this game!")).toBeVisible();
    await expect(dialog).toHaveCount(0);
    await page.goBack();
    await expect(page).toHaveURL("/events?city=all");
  } finally {
    await db.deleteFrom("bookings").where("user_id", "=", userId).execute();
  }
});

test("with the keyboard the focus goes into the dialog, and from there to the bar", async ({
  page,
  signIn,
  database: { db },
}) => {
  const { who, userId } = await addPlayer(db);
  const { free } = await findGames(db);
  await signIn(who);
  await page.goto(`/events/${free}`);
  await page.getByRole("button", { name: button }).focus();
  await page.keyboard.press("Enter");
  try {
    const dialog = joinedDialog(page);
    await expect(dialog.getByRole("button", { name: "Close" })).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(dialog).toHaveCount(0);
    await expect(page.locator("#join")).toBeFocused();
    const said = page.getByRole("region", { name: "Notifications" });
    await expect(said).toContainText("Successfully joined!");
  } finally {
    await db.deleteFrom("bookings").where("user_id", "=", userId).execute();
  }
});

test("nothing at the top of the page moves under the dialog", async ({
  page,
  signIn,
  database: { db },
}) => {
  const [gameId = ""] = await addRaceGames(db, { count: 1, spots: 9 });
  const { who, userId } = await addPlayer(db);
  await topUp(db, { userId, amountCents: 1_000, key: `moves-${userId}` });
  await signIn(who);
  await page.goto(`/events/${gameId}`);
  const about = page.getByRole("heading", { name: "About This Game" });
  const positions = async () => {
    const found: (number | undefined)[] = [];
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 844 });
      found.push((await about.boundingBox())?.y);
    }
    return found;
  };
  const before = await positions();
  await page.getByRole("button", { name: button }).click();
  await closeJoinedDialog(page);
  await expect(page.getByText("You're attending this game!")).toBeVisible();
  expect(await positions()).toEqual(before);
  await page.getByRole("link", { name: "Invite", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Invite" })).toBeInViewport();
});

test("two phones of a player: the other one shows the game without the dialog", async ({
  page,
  browser,
  baseURL: url = "",
  signIn,
  database,
  dataDir,
}) => {
  const [gameId = ""] = await addRaceGames(database.db, { count: 1, spots: 9 });
  const name = `two-phones-${gameId.slice(0, 8)}`;
  const { cookie } = await enterPlayer({ url, dataDir }, database, { name, credits: 10 });
  await signIn(name);
  const other = await browser.newContext({ baseURL: url });
  await other.addCookies([{ url, ...pair(cookie) }]);
  const phone = await other.newPage();
  await phone.goto(`/events/${gameId}`);
  await page.goto(`/events/${gameId}`);
  await page.getByRole("button", { name: button }).click();
  await closeJoinedDialog(page);
  await phone.reload();
  await expect(phone.getByText("You're attending this game!")).toBeVisible();
  await expect(joinedDialog(phone)).toHaveCount(0);
  await other.close();
});

const pair = (cookie: string) => {
  const [name = "", value = ""] = cookie.split("=", 2);
  return { name, value };
};

test.describe("as plain HTML", () => {
  test.use({ javaScriptEnabled: false });

  test("the dialog is the beginning of a page, and a link leads to the game", async ({
    page,
    signIn,
    database: { db },
  }) => {
    const { who, userId } = await addPlayer(db);
    const { free } = await findGames(db);
    await signIn(who);
    await page.goto(`/events/${free}`);
    await page.getByRole("button", { name: button }).click();
    try {
      await expect(page).toHaveURL(`/events/${free}/joined`);
      await expect(joinedDialog(page)).toContainText("Add to calendar");
      await expect(page.getByText("Successfully joined!")).toHaveCount(1);
      await closeJoinedDialog(page);
      await expect(page.getByText("You're attending this game!")).toBeVisible();
    } finally {
      await db.deleteFrom("bookings").where("user_id", "=", userId).execute();
    }
  });
});
