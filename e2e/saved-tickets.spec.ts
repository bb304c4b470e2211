import { DEMO_PASSWORD } from "../db/demo/people.ts";
import { expect, type Page, test, whenStarted } from "./fixtures.ts";
import { findGames } from "./games.ts";
import { addChampion, addPlayer } from "./players.ts";
import { whenWorkerIsReady } from "./service-worker.ts";

test.use({ serviceWorkers: "allow" });

/** Joined two games and looked at them in My Games; the page's worker is ready. */
async function openMyGames(page: Page, games: string[]) {
  for (const game of games) {
    const form = { intent: "join" };
    await page.request.post(`/events/${game}`, { form, maxRedirects: 0 });
  }
  await page.goto("/bookings");
  await expect(page.getByRole("article")).toHaveCount(games.length);
  await expect.poll(() => stored(page)).toContain("place");
  await whenWorkerIsReady(page);
}

const stored = (page: Page) =>
  page.evaluate(() => {
    const all = Object.entries({ ...localStorage });
    return all.flatMap(([key, text]) => (/^(kept )?tickets/.test(key) ? text : [])).join();
  });

/** What is shown in the place of a page without a connection. */
async function openOffline(page: Page) {
  await page.context().setOffline(true);
  await page.goto("/bookings", { waitUntil: "load" });
  await expect(page.getByRole("heading", { name: "You are offline" })).toBeVisible();
}

const savedTickets = (page: Page) =>
  page.getByRole("region", { name: "Next games" }).getByRole("listitem");

/** The page goes on by itself. */
async function goOnline(page: Page) {
  await page.context().setOffline(false);
  await expect(page.getByRole("heading", { name: "You are offline" })).toHaveCount(0);
  await page.waitForLoadState();
  await whenStarted(page);
}

test("tickets can be read offline, without a cancelled one, up to the end of the games", async ({
  page,
  signIn,
  database,
}) => {
  await signIn(await addChampion(database.db));
  const { open, free } = await findGames(database.db);
  await database.db
    .updateTable("games")
    .set({ player_notes: "Gate code 1234" })
    .where("id", "=", free)
    .execute();
  await openMyGames(page, [open, free]);
  const online = page.getByRole("article").filter({ hasText: "free session" });
  const venue = (await online.getByRole("heading").textContent())!;
  const directions = await online.getByRole("link", { name: /^Directions/ }).getAttribute("href");

  await openOffline(page);
  await expect(page.getByText(/^Saved \w{3}, \w{3} \d+, \d\d:\d\d$/)).toBeVisible();
  await expect(savedTickets(page)).toHaveCount(2);
  const ticket = savedTickets(page).filter({ hasText: "irreversible" });
  await expect(ticket).toContainText(venue);
  await expect(ticket).toContainText(/[A-Z]+DAY.*\d\d:\d\d – \d\d:\d\d/);
  await expect(ticket).toContainText("Gate code 1234");
  expect(await ticket.getByRole("link", { name: "Directions" }).getAttribute("href")).toBe(
    directions,
  );
  await expect(savedTickets(page).filter({ hasNotText: "irreversible" })).toContainText(
    /Cancel by \w{3} \d\d:\d\d to get 9\.01 credits back/,
  );

  await goOnline(page);
  await online.getByRole("button", { name: /^Cancel/ }).click();
  await page.getByRole("button", { name: "Cancel booking" }).click();
  await expect(online).toHaveCount(0);
  await expect.poll(async () => (await stored(page)).match(/"place"/g)).toHaveLength(1);
  await openOffline(page);
  await expect(savedTickets(page)).toHaveCount(1);

  await page.clock.setFixedTime(Date.now() + 400 * 24 * 3_600_000);
  await openOffline(page);
  await expect(savedTickets(page)).toHaveCount(0);
  expect(await stored(page)).toBe("");
});

test("tickets saved under the name of before are shown offline, to their account alone", async ({
  page,
  signIn,
  database,
}) => {
  await signIn(await addChampion(database.db));
  const { open } = await findGames(database.db);
  await openMyGames(page, [open]);
  const rename = (isOwn: boolean) => {
    const key = Object.keys(localStorage).find((each) => /^(kept )?tickets/.test(each))!;
    const kept = JSON.parse(localStorage.getItem(key)!);
    localStorage.removeItem(key);
    const account = isOwn ? localStorage.getItem("account") : "another";
    localStorage.setItem("tickets", JSON.stringify({ ...(kept.value ?? kept), account }));
  };
  await page.evaluate(rename, true);
  await openOffline(page);
  await expect(savedTickets(page)).toHaveCount(1);
  await page.evaluate(rename, false);
  await openOffline(page);
  await expect(savedTickets(page)).toHaveCount(0);
  expect(await stored(page)).toBe("");
});

test("check-ins that wait are shown instead of what is for players, and the roster comes back by itself", async ({
  page,
  signIn,
}) => {
  await signIn("admin");
  await page.goto("/admin/games");
  await whenWorkerIsReady(page);
  const link = page.locator('a[href^="/admin/games/"]:not([href$="/new"])').first();
  await page.goto((await link.getAttribute("href"))!);
  await page.context().setOffline(true);
  await page.reload({ waitUntil: "load" });
  await expect(page.getByText("Your spots and your credits are safe")).toBeVisible();
  await expect(page.getByText("on this phone not sent yet")).toBeHidden();
  await page.evaluate(() => {
    const account = localStorage.getItem("account");
    const keep = (key: string, value: unknown) => localStorage.setItem(key, JSON.stringify(value));
    const [a, b, c] = ["a", "b", "c"].map((bookingId) => ({ bookingId }));
    keep(`kept taps ${account} some-game`, { at: Date.now(), value: [a, a] });
    keep("kept taps another some-game", { at: Date.now(), value: [c] });
    // The name of before.
    keep(`taps other-game ${account}`, [b]);
  });
  await page.reload({ waitUntil: "load" });
  await expect(page.getByText("2 taps on this phone not sent yet: kept, and sent")).toBeVisible();
  await expect(page.getByText("Your spots and your credits are safe")).toHaveCount(0);
  await expect(page.getByText("confirmation email")).toHaveCount(0);
  await page.context().setOffline(false);
  await expect(page.getByRole("navigation", { name: "Admin" })).toBeVisible();
});

test("signing out takes the tickets, also where no script of the page runs", async ({
  page,
  signIn,
  database,
}) => {
  const cdp = await page.context().newCDPSession(page);
  for (const hasScripts of [true, false]) {
    await signIn(await addChampion(database.db));
    const { open } = await findGames(database.db);
    await openMyGames(page, [open]);
    await cdp.send("Emulation.setScriptExecutionDisabled", { value: !hasScripts });
    await page.goto("/settings", { waitUntil: hasScripts ? "load" : "domcontentloaded" });
    expect(await stored(page)).not.toBe("");
    await page.getByRole("button", { name: "Logout" }).click();
    await expect(page).toHaveURL(/:\d+\/$/);
    await cdp.send("Emulation.setScriptExecutionDisabled", { value: false });
    expect(await stored(page)).toBe("");
    await page.goto("/auth");
    await whenWorkerIsReady(page);
    await openOffline(page);
    await expect(savedTickets(page)).toHaveCount(0);
    await goOnline(page);
  }
});

test("a sign-out whose request is lost has taken the tickets all the same", async ({
  page,
  signIn,
  database,
}) => {
  await signIn(await addChampion(database.db));
  const { open } = await findGames(database.db);
  await openMyGames(page, [open]);
  await page.goto("/settings");
  await page.route("**/sign-out.data*", (route) => route.abort());
  await page.getByRole("button", { name: "Logout" }).click();
  await expect(page.getByText("Failed to log out. Please try again.")).toBeVisible();
  expect(await stored(page)).toBe("");
});

test("a session that was ended elsewhere takes the tickets with My Games or the account pages", async ({
  page,
  signIn,
  database: { db },
}) => {
  for (const path of ["/bookings", "/auth"]) {
    const who = await addChampion(db);
    await signIn(who);
    const { open } = await findGames(db);
    await openMyGames(page, [open]);
    const user = db.selectFrom("users").select("id").where("email", "=", `${who}@uni.example`);
    await db.deleteFrom("sessions").where("user_id", "=", user).execute();
    await page.goto(path);
    await expect.poll(() => stored(page)).toBe("");
  }
});

test("another player finds no ticket of the one before", async ({ page, signIn, database }) => {
  await signIn(await addChampion(database.db));
  const { open } = await findGames(database.db);
  await openMyGames(page, [open]);
  // The session ran out while the browser was closed.
  await page.context().clearCookies();
  const { who } = await addPlayer(database.db);
  await page.goto("/auth?tab=sign-in");
  await page.getByLabel("email", { exact: true }).fill(`${who}@uni.example`);
  await page.getByLabel("password", { exact: true }).fill(DEMO_PASSWORD);
  await page.getByRole("button", { name: "Sign In" }).click();
  await expect(page).toHaveURL(/\/events$/);
  expect(await stored(page)).toBe("");
  await openOffline(page);
  await expect(savedTickets(page)).toHaveCount(0);
});
