import { randomUUID } from "node:crypto";
import { closeJoinedDialog } from "./joined.ts";
import type { Browser, BrowserContextOptions } from "@playwright/test";
import { addGame } from "../db/insert.ts";
import { wallClock } from "#app/platform/clock.ts";
import type { Connection } from "#app/platform/connect.server.ts";
import { expect, type Page, test as base, whenStarted, WITH_SCRIPTS } from "./fixtures.ts";
import { openMail, sendSignUp } from "./newcomers.ts";
import { enterPlayer, join, type Player } from "./players.ts";
import { signInAs } from "./site.ts";

const HOURS_AHEAD = 40;

const test = base.extend<{ stage: Awaited<ReturnType<typeof openStage>> }>({
  stage: async ({ baseURL, dataDir, database, signIn }, use) => {
    const stage = await openStage({ url: baseURL!, dataDir }, database);
    await signIn(stage.host.who);
    await use(stage);
  },
});

for (const javaScriptEnabled of WITH_SCRIPTS) {
  test.describe(javaScriptEnabled ? "with JavaScript" : "as plain HTML", () => {
    test.use({ javaScriptEnabled });

    test("a held spot, its link sent, and a friend who signs up and pays is in", async ({
      page: host,
      browser,
      baseURL,
      stage,
    }) => {
      const { game } = stage;
      const link = await holdSpot(host, game);
      const friend = await openPhone(browser, { baseURL, javaScriptEnabled });
      await friend.goto(link);
      await expectHeld(friend);
      await friend.getByRole("button", { name: "Join game" }).click();
      const held = /^Sign up to join .* · Racer holds a spot for you until \d\d:\d\d$/;
      await expect(friend.getByText(held)).toBeVisible();
      const email = `friend-${randomUUID().slice(0, 8)}@uni.example`;
      await sendSignUp(friend, email);
      await expect(friend.getByRole("heading", { name: "Check your email" })).toBeVisible();
      const mail = await openMail(friend, email);
      await mail.getByRole("link", { name: "Open the link" }).click();
      await friend.getByRole("button", { name: "Confirm my email" }).click();
      await expect(friend).toHaveURL(link);
      await expectHeld(friend);
      await friend.getByRole("button", { name: "Pay and join" }).click();
      await friend.getByRole("button", { name: "START PLAYING" }).click();
      await friend.getByRole("button", { name: "Pay 9.99 €" }).click();
      await expect(friend.getByText("You're in", { exact: true })).toBeVisible();
      await friend.getByRole("link", { name: "Go to the game" }).click();
      await closeJoinedDialog(friend);
      await expect(friend.getByText("You're attending this game!")).toBeVisible();
      await expect(friend.getByText("You're coming with Racer.")).toBeVisible();
      // Its page follows by itself; as plain HTML it is loaded again.
      if (!javaScriptEnabled) await host.reload();
      await expect(host.getByText("Tove took the spot you held.")).toBeVisible();
      await friend.context().close();
    });

    test("a link that is over says so, and the game is joined normally", async ({
      page: host,
      browser,
      baseURL,
      stage,
    }) => {
      const { game, addPlayer } = stage;
      const link = await holdSpot(host, game);
      const friend = await openPhone(browser, { baseURL, javaScriptEnabled });
      await signInAs(friend.context(), stage.site, (await addPlayer()).who);
      // Its page learns of the end by the join alone.
      await friend.route("**/live?*", (route) => route.abort());
      await friend.goto(link);
      await expectHeld(friend);
      await host.getByText("Give it back", { exact: true }).click();
      await host.getByRole("button", { name: "Yes, give it back" }).click();
      await expect(host.getByRole("button", { name: "Hold a spot" })).toBeVisible();
      await friend.getByRole("button", { name: "Join game" }).click();
      await expect(friend.getByText("This spot is no longer held", { exact: true })).toBeVisible();
      await expect(friend.getByText("You can join as long as there are spots.")).toBeVisible();
      await friend.getByRole("button", { name: "Join game" }).click();
      await expect(friend.getByText("You're attending this game!")).toBeVisible();
      await expect(friend.getByText("You're coming with")).toHaveCount(0);
      await friend.context().close();
    });
  });
}

test("a spot that nobody took is free again without a reload, once its time is over", async ({
  page: host,
  database,
  stage,
}) => {
  await holdSpot(host, stage.game);
  const holds = database.db.updateTable("friend_holds").set({ expires_at: new Date() });
  await holds.where("user_id", "=", stage.host.userId).execute();
  await expect(host.getByText(/^Nobody took the spot you held until \d\d:\d\d\./)).toBeVisible({
    timeout: 40_000,
  });
  await expect(host.getByText("1 spots left").first()).toBeVisible();
});

test("the link is copied, and shared where the browser can", async ({ page, context, stage }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const link = await holdSpot(page, stage.game);
  await page.getByRole("button", { name: "Copy" }).click();
  await expect(page.getByText("Link copied!")).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link);
  const text =
    /^Racer holds a spot for you at .+, until \d\d:\d\d\. Joining takes a school email\.$/;
  await page.evaluate(() => Object.assign(navigator, { share: undefined }));
  await page.getByRole("button", { name: "SHARE GAME" }).click();
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await expect
    .poll(async () => (await copied()).split("\n"))
    .toEqual([expect.stringMatching(text), link]);
  await page.evaluate(() => {
    navigator.share = async (shared) => void Object.assign(window, { shared });
  });
  await page.getByRole("button", { name: "SHARE GAME" }).click();
  expect(await page.evaluate(() => "shared" in window && window.shared)).toMatchObject({
    text: expect.stringMatching(text),
    url: link,
  });
});

test("the link does not leave the site as a referrer", async ({ page, stage }) => {
  const link = await holdSpot(page, stage.game);
  await page.goto(link);
  await page.route("https://elsewhere.example/", (route) =>
    route.fulfill({ contentType: "text/html", body: "<h1>Elsewhere</h1>" }),
  );
  const asked = page.waitForRequest("https://elsewhere.example/");
  await page.evaluate(() => location.assign("https://elsewhere.example/"));
  const referrer = (await (await asked).allHeaders())["referer"] ?? "";
  expect(referrer).not.toContain("events");
});

/** Returns the link. */
async function holdSpot(page: Page, game: string): Promise<string> {
  await page.goto(game);
  await expect(page.getByText("Hold one spot for 30 minutes")).toBeVisible();
  await page.getByRole("button", { name: "Hold a spot" }).click();
  await expect(page.getByText(/^One spot is held until \d\d:\d\d\.$/)).toBeVisible();
  await expect(page.getByText("0 spots left").first()).toBeVisible();
  return page.getByLabel("Link for your friend").inputValue();
}

async function expectHeld(page: Page) {
  await expect(page.getByText(/^Racer holds a spot for you until \d\d:\d\d$/)).toBeInViewport();
  await expect(page.getByText("Held for you").first()).toBeVisible();
}

/** A browser of the friend's; it has gone to a page once its scripts have started. */
async function openPhone(browser: Browser, options: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext({ ...options, serviceWorkers: "block" });
  const page = await context.newPage();
  const goto = page.goto.bind(page);
  page.goto = async (url, more) => {
    const response = await goto(url, more);
    if (options.javaScriptEnabled) await whenStarted(page);
    return response;
  };
  return page;
}

/** A game with one spot left; `host` is in it. */
async function openStage(at: { url: string; dataDir: string }, database: Connection) {
  const { db } = database;
  const addPlayer = async (): Promise<Player & { who: string }> => {
    const who = `friend-${randomUUID().slice(0, 8)}`;
    return { who, ...(await enterPlayer(at, database, { name: who, credits: 20 })) };
  };
  const { id: venue_id } = await db.selectFrom("venues").select("id").executeTakeFirstOrThrow();
  const { date, time } = wallClock(new Date(Date.now() + HOURS_AHEAD * 3_600_000));
  const hour = time.slice(0, 2);
  const times = { date, start_time: `${hour}:00`, end_time: `${hour}:59` };
  const plan = { title: "With friends", status: "Published" as const, max_players: 2, venue_id };
  const gameId = await addGame(db, { ...plan, ...times });
  const host = await addPlayer();
  expect(await join(at.url, host, gameId)).toBe(302);
  return { game: `/events/${gameId}`, host, addPlayer, site: { ...at, db } };
}
