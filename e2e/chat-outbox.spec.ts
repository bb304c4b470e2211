import { expect, type Page, test } from "./fixtures.ts";
import {
  again,
  bodiesOf,
  fill,
  holdPosts,
  kept,
  openChat,
  POSTS,
  shown,
  stage,
  type Two,
  write,
} from "./chat-stage.ts";

test.use({ viewport: { width: 390, height: 844 } });

const fieldOf = (page: Page) => page.getByRole("textbox", { name: "Message" });

/** From the button to the form, which would hide it. */
async function roomBelow(page: Page) {
  const { y, height } = (await again(page).boundingBox())!;
  return (await fieldOf(page).boundingBox())!.y - y - height;
}

test.describe("what is sent", () => {
  let two: Two;
  test.beforeEach(async ({ page, signIn, database }) => {
    two = await stage(database);
    await signIn(two.first.who);
    await openChat(page, two.path);
  });

  test("is in the list at once, and once", async ({ page, database }) => {
    const { promise: isLet, resolve: letGo } = Promise.withResolvers<void>();
    await holdPosts(page, async (route) => {
      await isLet;
      await route.continue();
    });
    await write(page, "One");
    await write(page, "Two");
    await expect(page.getByText("Sending…")).toHaveCount(2);
    await expect(page.getByRole("textbox", { name: "Message" })).toBeFocused();
    letGo();
    await expect(shown(page)).toHaveCount(2);
    await expect(page.getByText("Sending…")).toHaveCount(0);
    expect(await bodiesOf(database, two.gameId)).toEqual(["One", "Two"]);
    expect(await kept(page)).not.toContainEqual(expect.stringContaining("One"));
  });

  test("offline goes by itself once the connection is back, and none passes another", async ({
    page,
    database,
  }) => {
    await page.context().setOffline(true);
    await write(page, "Late by five");
    await expect(again(page)).toBeVisible();
    await expect.poll(() => roomBelow(page)).toBeGreaterThanOrEqual(0);
    await expect(page.getByText("You are offline.")).toHaveCount(0);
    await write(page, "And I bring two");
    await expect(again(page)).toHaveCount(2);
    await expect(page.getByText("They will be sent when you are online again.")).toHaveCount(1);
    const lost = page.getByText("No connection. New messages appear once you are online again.");
    await expect(lost).toBeVisible();
    await page.context().setOffline(false);
    await expect(lost).toHaveCount(0);
    // By itself, in the order in which they were written.
    await expect(shown(page).locator("p")).toHaveText(["Late by five", "And I bring two"]);
    await expect(again(page)).toHaveCount(0);
    expect(await bodiesOf(database, two.gameId)).toEqual(["Late by five", "And I bring two"]);
    expect(await kept(page)).not.toContainEqual(expect.stringContaining("Late by five"));
  });

  test("and stored without an answer is there once, however often it is sent", async ({
    page,
    database,
  }) => {
    await page.route("**/live?*", (route) => route.abort());
    await page.goto(two.path);
    await holdPosts(page, async (route) => {
      await route.fetch();
      await route.abort();
    });
    await write(page, "Once");
    await expect(again(page)).toBeVisible();
    await again(page).click();
    await expect(page.getByText("Sending…")).toHaveCount(0);
    await page.unroute(POSTS);
    await again(page).click();
    await expect(shown(page).locator("p")).toHaveText(["Once"]);
    expect(await bodiesOf(database, two.gameId)).toEqual(["Once"]);
  });

  test("while the server is too busy stays on the page", async ({ page }) => {
    await holdPosts(page, (route) => route.fulfill({ status: 503, body: "Too many" }));
    await write(page, "Anybody?");
    await expect(again(page)).toBeVisible();
    await page.unroute(POSTS);
    await again(page).click();
    await expect(shown(page).locator("p")).toHaveText(["Anybody?"]);
  });

  test("too fast counts down, and goes by itself", async ({ page, database }) => {
    for (let n = 1; n <= 5; n += 1) await write(page, `${n}`);
    await expect(shown(page)).toHaveCount(5);
    await write(page, "six");
    await write(page, "seven");
    await expect(page.getByRole("alert")).toHaveText(
      "You are writing very fast. It will be sent automatically",
    );
    await expect(page.getByText(/^ *in \d+ s$/)).toHaveCount(1);
    await expect(shown(page)).toHaveCount(7);
    expect((await bodiesOf(database, two.gameId)).slice(5)).toEqual(["six", "seven"]);
  });

  test("is there after the tab was closed, for a week, and for nobody else", async ({ page }) => {
    await holdPosts(page, (route) => route.abort());
    await write(page, "I am on the tram");
    await expect(again(page)).toBeVisible();
    const context = page.context();
    await page.close();
    const next = await context.newPage();
    await holdPosts(next, (route) => route.abort());
    await openChat(next, two.path);
    await expect(next.getByText("I am on the tram")).toBeVisible();
    await expect(again(next)).toBeVisible();
    // The chat's page would go on writing.
    await next.goto("/robots.txt");
    await next.evaluate(() => {
      for (const [key, text] of Object.entries({ ...localStorage })) {
        if (!key.startsWith("kept chat ")) continue;
        const queue = JSON.parse(text as string) as { at: number };
        localStorage.setItem(key, JSON.stringify({ ...queue, at: Date.now() - 8 * 86_400_000 }));
        localStorage.setItem("kept chat another one", text as string);
      }
    });
    await openChat(next, two.path);
    await expect(next.getByText("I am on the tram")).toHaveCount(0);
    // What another account has typed waits for it.
    expect((await kept(next)).filter((text) => `${text}`.includes("tram"))).toHaveLength(1);
  });

  test("and failed is edited in the field, or discarded", async ({ page, database }) => {
    await holdPosts(page, (route) => route.abort());
    await write(page, "One");
    await write(page, "Two");
    await expect(again(page)).toHaveCount(2);
    await page.getByRole("button", { name: "Discard" }).last().click();
    await expect(page.getByText("Two", { exact: true })).toHaveCount(0);
    await expect(fieldOf(page)).toBeFocused();
    await fieldOf(page).fill("and more");
    await page.getByRole("button", { name: "Edit" }).click();
    await expect(fieldOf(page)).toHaveValue("One\nand more");
    await expect(again(page)).toHaveCount(0);
    await page.unroute(POSTS);
    await fieldOf(page).press("Enter");
    await expect(shown(page).locator("p")).toHaveText(["One\nand more"]);
    expect(await bodiesOf(database, two.gameId)).toEqual(["One\nand more"]);
  });

  test("that the server rejects stays in the list with its reason, and others go on", async ({
    page,
    database,
  }) => {
    await fill(database, two, 20);
    await openChat(page, two.path);
    const body = JSON.stringify([
      { _1: 2 },
      "data",
      { _3: 4, _5: 6 },
      "fieldErrors",
      { _7: 8 },
      "values",
      { _9: 10 },
      "message",
      "Not like that",
      "messageId",
      "ID",
    ]);
    let isFirst = true;
    await holdPosts(page, async (route) => {
      if (!isFirst) return route.continue();
      isFirst = false;
      const id = new URLSearchParams(route.request().postData() ?? "").get("messageId")!;
      const headers = { "X-Remix-Response": "yes" };
      await route.fulfill({
        ...{ status: 422, contentType: "text/x-script", headers },
        body: body.replace("ID", id),
      });
    });
    await write(page, "Odd");
    await fieldOf(page).pressSequentially("typed on");
    await expect(page.getByRole("alert").first()).toHaveText("Not like that");
    await expect.poll(() => roomBelow(page)).toBeGreaterThanOrEqual(0);
    await expect(page.getByText("Odd", { exact: true })).toBeVisible();
    await expect(fieldOf(page)).toHaveValue("typed on");
    await fieldOf(page).press("Enter");
    await expect(shown(page).locator("p").last()).toHaveText("typed on");
    expect((await bodiesOf(database, two.gameId)).slice(20)).toEqual(["typed on"]);
  });

  test("by who has left meanwhile shows the closed chat", async ({ page, database }) => {
    const left = {
      payment_status: "Cancelled",
      end_reason: "Left",
      cancelled_at: new Date(),
    } as const;
    const booking = database.db.updateTable("bookings").set(left);
    await booking.where("user_id", "=", two.first.userId).execute();
    await write(page, "Still here?");
    const closed = page.getByRole("heading", {
      name: "This chat is for those who are in the game",
    });
    await expect(closed).toBeVisible();
    expect(await kept(page)).not.toContainEqual(expect.stringContaining("Still here?"));
  });

  test("and failed is gone once its player signs out", async ({ page }) => {
    await holdPosts(page, (route) => route.abort());
    await write(page, "My secret");
    await expect(again(page)).toBeVisible();
    expect(await kept(page)).toContainEqual(expect.stringContaining("My secret"));
    await page.goto("/settings");
    await page.getByRole("button", { name: "Logout" }).click();
    await page.waitForURL("/");
    expect(await kept(page)).not.toContainEqual(expect.stringContaining("My secret"));
  });
});
