import { expect, type Page, test } from "./fixtures.ts";
import {
  again,
  bodiesOf,
  fill,
  holdPosts,
  openAs,
  openChat,
  openGame,
  POSTS,
  showTab,
  shown,
  stage,
  type Two,
  write,
} from "./chat-stage.ts";

test.use({ viewport: { width: 390, height: 844 } });

const fieldOf = (page: Page) => page.getByRole("textbox", { name: "Message" });
const menuOf = (page: Page, words: string) => page.getByLabel(new RegExp(`^Menu of .*: ${words}$`));
const scrolled = (page: Page) => page.evaluate(() => scrollY);

let two: Two;
test.beforeEach(async ({ signIn, database }) => {
  two = await stage(database);
  await signIn(two.first.who);
});

test("Send pressed twice sends once, and says nothing of the second time", async ({ page }) => {
  await openChat(page, two.path);
  await fieldOf(page).fill("Once");
  await fieldOf(page).press("Enter");
  await fieldOf(page).press("Enter");
  await expect(shown(page)).toHaveCount(1);
  await expect(page.getByRole("alert")).toHaveCount(0);
  await expect(fieldOf(page)).toBeFocused();
  await fieldOf(page).fill(" ");
  await fieldOf(page).press("Enter");
  await expect(page.getByRole("alert")).toHaveText("Message cannot be empty");
  await fieldOf(page).pressSequentially("x");
  await expect(page.getByRole("alert")).toHaveCount(0);
});

test("a long message is counted, and stays in the field", async ({ page }) => {
  await openChat(page, two.path);
  await fieldOf(page).fill("x".repeat(449));
  await expect(page.getByText(/ left$/)).toHaveCount(0);
  await fieldOf(page).fill("x".repeat(452));
  await expect(page.getByText("48 left")).toBeVisible();
  await fieldOf(page).fill("x".repeat(544));
  await expect(page.getByText("44 too many")).toBeVisible();
  await fieldOf(page).press("Enter");
  await expect(page.getByRole("alert")).toHaveText("Message is too long (max 500 characters)");
  await expect(fieldOf(page)).toHaveValue("x".repeat(544));
  await expect(fieldOf(page)).toBeFocused();
});

test("a draft is there again, and gone once it is sent", async ({ page }) => {
  await openChat(page, two.path);
  await fieldOf(page).fill("I will bring");
  await page.goto("/events");
  await openChat(page, two.path);
  await expect(fieldOf(page)).toHaveValue("I will bring");
  await fieldOf(page).press("Enter");
  await expect(shown(page)).toHaveCount(1);
  await openChat(page, two.path);
  await expect(fieldOf(page)).toHaveValue("");
});

test("new messages are announced by a small button that floats above the form", async ({
  page,
  database,
}) => {
  await fill(database, two, 60);
  await openChat(page, two.path);
  await page.evaluate(() => scrollTo(0, 600));
  await fill(database, two, 2);
  const button = page.getByRole("button", { name: "2 new messages" });
  await expect(button).toBeVisible();
  const [pill, bar] = [(await button.boundingBox())!, (await fieldOf(page).boundingBox())!];
  expect(pill.y + pill.height).toBeLessThan(bar.y);
  expect(pill.width).toBeLessThan(220);
  expect(Math.abs(pill.x + pill.width / 2 - 195)).toBeLessThan(5);
  await button.press("Enter");
  await expect(button).toHaveCount(0);
  await expect(shown(page).last()).toBeInViewport();
  await expect(shown(page).last()).toBeFocused();
});

test("a page at its end stays there, also where it is measured as messages come", async ({
  page,
  database,
}) => {
  await fill(database, two, 20);
  await openChat(page, two.path);
  // It has opened at the first unread one.
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  await expect(shown(page).last()).toBeInViewport();
  // Makes a rush, where the event of the last scroll comes with the next messages.
  await page.evaluate(() => {
    const observer = new MutationObserver(() => dispatchEvent(new Event("scroll")));
    observer.observe(document.body, { childList: true, subtree: true });
  });
  for (let count = 28; count <= 52; count += 8) {
    await fill(database, two, 8);
    await expect(shown(page)).toHaveCount(count);
  }
  await expect(shown(page).last()).toBeInViewport();
  await expect(page.getByRole("button", { name: /new messages/ })).toHaveCount(0);
});

test("it opens at the first unread message, and Back to where one was", async ({
  page,
  database,
}) => {
  const long = new Date(Date.now() - 3_600_000);
  const bookings = database.db.updateTable("bookings").set({ created_at: long });
  await bookings.where("game_id", "=", two.gameId).execute();
  await openChat(page, two.path);
  await fill(database, two, 1);
  await expect(shown(page)).toHaveCount(1);
  await page.goto("/events");
  await fill(database, two, 50);
  await page.goto(`${two.path}#latest`);
  const line = page.getByText("New", { exact: true });
  await expect(line).toBeInViewport();
  await expect(shown(page).last()).not.toBeInViewport();
  await fill(database, two, 90);
  await expect(shown(page)).toHaveCount(141);
  await page.goto(two.path);
  await page.waitForLoadState("networkidle");
  await page.evaluate(() => scrollTo(0, 300));
  await expect.poll(() => scrolled(page)).toBe(300);
  // A press would scroll to it first.
  await page.getByRole("link", { name: "Earlier messages" }).dispatchEvent("click");
  await page.waitForURL(/before=42/);
  await expect(shown(page).last()).toBeInViewport();
  await page.goBack();
  await expect(shown(page)).toHaveCount(100);
  await expect.poll(() => scrolled(page)).toBe(300);
});

test("the keyboard: Escape closes a menu, and the focus stays at the message", async ({ page }) => {
  await openChat(page, two.path);
  await write(page, "First");
  await expect(shown(page)).toHaveCount(1);
  await menuOf(page, "First").press("Enter");
  await expect(page.locator("details[data-menu][open]")).toHaveCount(1);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Escape");
  await expect(page.locator("details[data-menu][open]")).toHaveCount(0);
  await expect(menuOf(page, "First")).toBeFocused();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Delete message?")).toBeVisible();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Deleted", { exact: true })).toBeVisible();
  await expect(shown(page).first()).toBeFocused();
  await holdPosts(page, (route) => route.abort());
  await write(page, "Second");
  await expect(again(page)).toBeVisible();
  await page.unroute(POSTS);
  await again(page).press("Enter");
  await expect(fieldOf(page)).toBeFocused();
});

test("a block names whom, and is undone at once", async ({ page, database }) => {
  await fill(database, two, 1);
  await openChat(page, two.path);
  await menuOf(page, "Line 1").click();
  await page.getByRole("button", { name: "Block", exact: true }).click();
  await expect(page.getByText(/^Kirsi .+ is blocked$/)).toBeVisible();
  await expect(page.getByText("Message from a player you blocked")).toBeVisible();
  await expect(page.getByText("Message from a player you blocked")).toBeFocused();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("Line 1", { exact: true })).toBeVisible();
  await expect(shown(page).first()).toBeFocused();
  await expect(page.getByText("Player unblocked")).toBeVisible();
});

test("Enter sends from the page of the game too", async ({ page }) => {
  await openGame(page, `/events/${two.gameId}`);
  await fieldOf(page).fill("From here");
  await fieldOf(page).press("Enter");
  await page.waitForURL(`**${two.path}#latest`);
  await expect(shown(page)).toHaveCount(1);
});

test("the page of the game says that a message is empty, or too long", async ({ page }) => {
  await openGame(page, `/events/${two.gameId}`);
  for (const [typed, error] of [
    ["", "Message cannot be empty"],
    ["😀".repeat(501), "Message is too long (max 500 characters)"],
  ] as const) {
    await fieldOf(page).fill(typed);
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await expect(page.getByRole("alert")).toHaveText(error);
    await expect(fieldOf(page)).toHaveValue(typed);
    await expect(fieldOf(page)).toBeFocused();
  }
  await fieldOf(page).fill("😀".repeat(500));
  await expect(page.getByRole("alert")).toHaveCount(0);
  await fieldOf(page).press("Enter");
  await page.waitForURL(`**${two.path}#latest`);
  const parts = shown(page).locator("p");
  await expect(parts.first()).toBeVisible();
  expect((await parts.allTextContents()).join("")).toBe("😀".repeat(500));
});

test("what is sent from the page of the game without a connection is kept there until it is in the chat", async ({
  page,
  database,
}) => {
  const gamePath = `/events/${two.gameId}`;
  await openGame(page, gamePath);
  await page.context().setOffline(true);
  await write(page, "Late by five");
  const notSent = page.getByRole("link", { name: "Not sent. Try again" });
  await expect(notSent).toBeVisible();
  await expect(page.getByText("Late by five")).toBeVisible();
  await expect(fieldOf(page)).toHaveValue("");
  await write(page, "And I bring two");
  await expect(notSent).toHaveCount(2);
  await notSent.first().click();
  await expect(page.getByText("You are offline.")).toBeVisible();
  await page.context().setOffline(false);
  await openGame(page, gamePath);
  await expect(notSent).toHaveCount(2);
  await notSent.first().click();
  await expect(shown(page).locator("p")).toHaveText(["Late by five", "And I bring two"]);
  expect(await bodiesOf(database, two.gameId)).toEqual(["Late by five", "And I bring two"]);
  await page.goBack();
  await expect(page.getByRole("link", { name: "Open chat" })).toBeVisible();
  await expect(notSent).toHaveCount(0);
});

test("what is lost on its way from the page of the game is still kept", async ({
  page,
  database,
}) => {
  const isChat = (url: URL) => url.pathname.startsWith(two.path);
  await openGame(page, `/events/${two.gameId}`);
  await page.route(isChat, (route) => route.abort());
  await write(page, "Where is the gate?");
  await page.waitForURL(`**${two.path}#latest`);
  await expect(page.getByRole("button", { name: "Send", exact: true })).toHaveCount(0);
  await page.goBack();
  const notSent = page.getByRole("link", { name: "Not sent. Try again" });
  await expect(notSent).toBeVisible();
  await page.unroute(isChat);
  await notSent.click();
  await expect(shown(page).locator("p")).toHaveText("Where is the gate?");
  expect(await bodiesOf(database, two.gameId)).toEqual(["Where is the gate?"]);
});

test("My Games shows what was written while it was hidden", async ({ page, database }) => {
  await openChat(page, "/bookings");
  await expect(page.getByText("1 unread message")).toHaveCount(0);
  await showTab(page, "hidden");
  await fill(database, two, 1);
  await showTab(page, "visible");
  await expect(page.getByText("1 unread message")).toBeVisible();
});

test("namesakes who write while the page is open are told apart", async ({
  browser,
  baseURL,
  dataDir,
  page,
  database,
}) => {
  await openChat(page, two.path);
  await write(page, "One");
  const site = { browser, baseURL, dataDir, database };
  const other = await openAs(site, two.second.who, two.path);
  await write(other, "Two");
  await expect(page.locator("section").getByText(/^Kirsi ./)).toBeVisible();
  await other.context().close();
});
