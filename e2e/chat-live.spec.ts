import { expect, type Page, test } from "./fixtures.ts";
import {
  fill,
  openAs,
  openChat,
  POSTS,
  showTab,
  shown,
  stage,
  type Two,
  write,
} from "./chat-stage.ts";

test.use({ viewport: { width: 390, height: 844 } });

test("two talk: each sees the other's at once, in one order, read out but for one's own", async ({
  browser,
  baseURL,
  dataDir,
  database,
}) => {
  const site = { browser, baseURL, dataDir, database };
  const two = await stage(database);
  const [one, other] = [
    await openAs(site, two.first.who, two.path),
    await openAs(site, two.second.who, two.path),
  ];
  await write(one, "Who brings a ball?");
  await expect(shown(other)).toContainText(["Who brings a ball?"]);
  await expect(other.getByRole("log")).toHaveText("Kirsi Example: Who brings a ball?");
  await write(other, "I do");
  await expect(shown(one).last()).toContainText("I do");
  await expect(one.getByRole("log")).toHaveText("Kirsi Example: I do");
  await Promise.all([write(one, "And bibs?"), write(other, "Two of them")]);
  await expect(shown(one)).toHaveCount(4);
  await expect(shown(other)).toHaveCount(4);
  const ids = (page: Page) => shown(page).evaluateAll((all) => all.map(({ id }) => id));
  expect(await ids(one)).toEqual(await ids(other));
  await one
    .getByLabel(/^Menu of your message/)
    .first()
    .click();
  await one.getByText("Delete", { exact: true }).first().click();
  await one.getByRole("button", { name: "Yes, delete" }).click();
  await expect(shown(other).first()).toHaveText("Deleted");
  await one.context().close();
  await other.context().close();
});

test("what a blocked player writes comes folded, unread aloud, and is marked as shown", async ({
  page,
  signIn,
  database,
}) => {
  const two = await stage(database);
  const { db } = database;
  const blocking = { user_id: two.first.userId, blocked_id: two.second.userId };
  await db.insertInto("player_blocks").values(blocking).execute();
  await signIn(two.first.who);
  await openChat(page, two.path);
  await fill(database, two, 1);
  await page.getByText("Message from a player you blocked").click();
  await expect(shown(page)).toContainText(["Line 1"]);
  await expect(page.getByRole("log")).toBeEmpty();
  const marks = db.selectFrom("chat_members").select("read_number");
  const ofReader = marks.where("user_id", "=", two.first.userId);
  await expect.poll(() => ofReader.execute()).toEqual([{ read_number: 1 }]);
});

test.describe("the page", () => {
  let two: Two;
  test.beforeEach(async ({ page, signIn, database }) => {
    two = await stage(database);
    await signIn(two.first.who);
    await fill(database, two, 60);
    // Unread ones would be shown from their first.
    for (let n = 0; n < 2; n += 1) await openChat(page, two.path);
  });

  test("follows at its end, and does not move who reads further up", async ({ page, database }) => {
    const toLatest = page.getByRole("button", { name: "New messages" });
    await expect(shown(page).last()).toBeInViewport();
    await fill(database, two, 1);
    await expect(shown(page)).toHaveCount(61);
    await expect(shown(page).last()).toBeInViewport();
    await expect(toLatest).toHaveCount(0);
    await page.evaluate(() => scrollTo(0, 600));
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(600);
    await fill(database, two, 2);
    await expect(shown(page)).toHaveCount(63);
    await expect(toLatest).toBeVisible();
    expect(await page.evaluate(() => scrollY)).toBe(600);
    await toLatest.click();
    await expect(shown(page).last()).toBeInViewport();
    await expect(toLatest).toHaveCount(0);
  });

  test("keeps the newest two hundred at its end, and all while somebody reads further up", async ({
    page,
    database,
  }) => {
    await fill(database, two, 150);
    await expect(shown(page)).toHaveCount(200);
    await expect(shown(page).last()).toBeInViewport();
    await expect(page.getByRole("link", { name: "Earlier messages" })).toHaveCount(1);
    await page.evaluate(() => scrollTo(0, 600));
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(600);
    await fill(database, two, 30);
    await expect(shown(page)).toHaveCount(230);
    expect(await page.evaluate(() => scrollY)).toBe(600);
    await page.getByRole("button", { name: "New messages" }).click();
    await expect(shown(page).last()).toBeInViewport();
    await fill(database, two, 1);
    await expect(shown(page)).toHaveCount(200);
    await expect(shown(page).last()).toBeInViewport();
  });

  test("of earlier messages leads to what is written there", async ({ page, database }) => {
    await fill(database, two, 60);
    await page.goto(`${two.path}?before=20`);
    await write(page, "Found it");
    await page.waitForURL(`**${two.path}#latest`);
    await expect(shown(page).last()).toContainText("Found it");
    await expect(shown(page).last()).toBeInViewport();
  });

  test("is not moved under a finger", async ({ page, database }) => {
    const before = await page.evaluate(() => {
      const touch = new Touch({ identifier: 1, target: document.body });
      dispatchEvent(new TouchEvent("touchstart", { touches: [touch] }));
      return scrollY;
    });
    await fill(database, two, 5);
    await expect(shown(page)).toHaveCount(65);
    await expect(page.getByRole("button", { name: "New messages" })).toBeVisible();
    expect(await page.evaluate(() => scrollY)).toBe(before);
  });

  test("a page that was hidden gets what it missed, also more than one event holds", async ({
    page,
    database,
  }) => {
    await showTab(page, "hidden");
    await fill(database, two, 30);
    await showTab(page, "visible");
    await expect(shown(page)).toHaveCount(90);
    await showTab(page, "hidden");
    await fill(database, two, 330);
    await showTab(page, "visible");
    await expect(shown(page).last()).toContainText("Line 330");
    await expect(shown(page)).toHaveCount(100);
  });

  test("that fails to be read again is tried until its messages came", async ({
    page,
    database,
  }) => {
    const rejected: number[] = [];
    await page.route(POSTS, (route) => {
      if (route.request().method() !== "GET" || rejected.length === 2) return route.continue();
      return route.fulfill({ status: rejected[rejected.push(503) - 1]! });
    });
    await showTab(page, "hidden");
    await fill(database, two, 330);
    await showTab(page, "visible");
    await expect(shown(page).last()).toContainText("Line 330");
    expect(rejected).toHaveLength(2);
  });
});

test("the page of the game shows what is written", async ({ page, signIn, database }) => {
  const two = await stage(database);
  await signIn(two.first.who);
  await openChat(page, `/events/${two.gameId}`);
  await expect(page.getByText("Nobody has written yet.")).toBeVisible();
  await fill(database, two, 1);
  await expect(page.getByText("Line 1")).toBeVisible();
});

test("the page of the game is read again until it shows what was written", async ({
  page,
  signIn,
  database,
}) => {
  const two = await stage(database);
  await signIn(two.first.who);
  await openChat(page, `/events/${two.gameId}`);
  const isReading = (url: URL) => url.pathname === `/events/${two.gameId}.data`;
  await page.route(isReading, (route) => route.fulfill({ status: 503 }), { times: 1 });
  await fill(database, two, 1);
  await expect(page.getByText("Line 1")).toBeVisible();
});
