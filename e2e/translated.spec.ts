import { isLong } from "#test/long.ts";
import { fill, openChat, shown, stage as stageChat } from "./chat-stage.ts";
import { expect, type Page, test as base } from "./fixtures.ts";
import { openWithStream } from "./live-pages.ts";
import { MARK, translatePages, type Way, WAYS, withoutRepair } from "./translator.ts";
import { openStage } from "./waitlist-stage.ts";

const test = base.extend<{
  stage: ReturnType<typeof openStage>;
  /** What goes wrong on the page. */
  problems: string[];
}>({
  stage: async ({ baseURL, dataDir, database }, use) =>
    use(openStage({ url: baseURL!, dataDir, db: database.db }, database)),
  problems: async ({ page }, use) => {
    const problems: string[] = [];
    page.on("console", (message) => {
      if (message.type() === "error") problems.push(message.text());
    });
    page.on("pageerror", (error) => problems.push(String(error)));
    await use(problems);
  },
});

const isTranslated = (page: Page) =>
  expect.poll(() => page.locator("body").innerText()).toContain(MARK);

// The browser says so of each response.
const isNoRejection = (problem: string) => !problem.includes("status of 401");

/** LONG=1 takes each way on each page, otherwise one of them. */
const waysOf = (n: number): Way[] => (isLong ? WAYS : [WAYS[n % WAYS.length]!]);

for (const way of WAYS) {
  test(`a game's page follows who joins while its texts are translated, ${way}`, async ({
    page,
    stage,
    problems,
  }) => {
    await translatePages(page, way);
    const { gameId } = await stage.game(3);
    await openWithStream(page, `/events/${gameId}`);
    await isTranslated(page);
    const badge = page.locator("header").getByText(/spots left/);
    await expect(badge).toHaveText("3 spots left");
    expect(await stage.join(await stage.player(), gameId)).toBe(302);
    await expect(badge).toHaveText("2 spots left");
    expect(problems).toEqual([]);
  });

  // In place all texts of that page are alone in their elements.
  if (way === "in place") continue;
  test(`without the repair it ends in the error screen, ${way}`, async ({
    page,
    stage,
    problems,
  }) => {
    const restore = await withoutRepair(page);
    await translatePages(page, way);
    const { gameId } = await stage.game(3);
    await openWithStream(page, `/events/${gameId}`);
    await isTranslated(page);
    await restore();
    expect(await stage.join(await stage.player(), gameId)).toBe(302);
    await expect(page.getByText("Something went wrong")).toBeVisible();
    expect(problems.join()).toMatch("The node to be removed is not a child of this node");
  });
}

for (const way of waysOf(0)) {
  test(`the list, a waitlist and a ticket follow while they are translated, ${way}`, async ({
    page,
    signIn,
    stage,
    problems,
  }) => {
    await translatePages(page, way);
    const { gameId, cancel } = await stage.fullGame();
    const [ahead, behind] = [await stage.player(), await stage.player()];
    await stage.wait(ahead, gameId, "auto");
    await stage.wait(behind, gameId, "auto");
    await signIn(behind.who);
    await openWithStream(page, "/bookings");
    const places = page.getByRole("region", { name: "Waitlist" });
    await expect(places).toContainText("You are 2nd of 2");
    expect(await cancel()).toBe(302);
    await expect(places).toContainText("You are 1st of 1");
    await isTranslated(page);
    expect(problems).toEqual([]);
  });
}

for (const way of waysOf(1)) {
  test(`a chat follows what another player writes while it is translated, ${way}`, async ({
    page,
    signIn,
    database,
    problems,
  }) => {
    await translatePages(page, way);
    const two = await stageChat(database);
    await signIn(two.first.who);
    await openChat(page, two.path);
    await isTranslated(page);
    await fill(database, two, 2);
    await expect(shown(page)).toContainText(["Line 1", "Line 2"]);
    await page.getByRole("textbox", { name: "Message" }).fill("I bring a ball.");
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await expect(shown(page).last()).toContainText("I bring a ball.");
    expect(problems).toEqual([]);
  });
}

for (const way of waysOf(2)) {
  test(`a roster follows another organiser while it is translated, ${way}`, async ({
    page,
    context,
    signIn,
    stage,
    database,
    problems,
  }) => {
    await translatePages(page, way);
    const { gameId } = await stage.game(9, 1);
    for (const first_name of ["Aino", "Bertta"]) {
      const player = await stage.player();
      expect(await stage.join(player, gameId)).toBe(302);
      const profile = database.db.updateTable("profiles").set({ first_name });
      await profile.where("user_id", "=", player.userId).execute();
    }
    await signIn("admin");
    const other = await context.newPage();
    await openWithStream(page, `/admin/games/${gameId}`);
    await isTranslated(page);
    await other.goto(`/admin/games/${gameId}`);
    const row = (which: Page, name: string) =>
      which.getByRole("listitem", { name: `${name} Runner` });
    await row(other, "Aino").getByRole("button", { name: "Check in" }).click();
    await expect(page.getByText("1/2 checked in")).toBeVisible();
    await expect(row(page, "Aino").getByRole("button", { name: "Undo" })).toBeVisible();
    await row(page, "Bertta").getByRole("button", { name: "Check in" }).click();
    await expect(page.getByText("2/2 checked in")).toBeVisible();
    expect(problems).toEqual([]);
  });
}

for (const way of waysOf(0)) {
  test(`a form that is busy, rejected and sent says so while it is translated, ${way}`, async ({
    page,
    problems,
  }) => {
    await translatePages(page, way);
    await page.goto("/auth");
    const { promise: held, resolve: goOn } = Promise.withResolvers<void>();
    await page.route("**/auth.data*", (route) => held.then(() => route.continue()));
    const signIn = page.getByRole("button", { name: "Sign In", exact: true });
    await page.getByLabel("email", { exact: true }).fill("player@uni.example");
    await page.getByLabel("password", { exact: true }).fill("Wrong1234");
    await signIn.click();
    await expect(page.getByRole("button", { name: "Signing in...", exact: true })).toBeVisible();
    goOn();
    await expect(page.getByRole("main").getByRole("alert")).toContainText("Wrong email");
    await expect(page.getByRole("region", { name: "Notifications" })).toContainText("failed");
    await page.getByLabel("password", { exact: true }).fill("Kickabout1");
    await signIn.click();
    await expect(page).toHaveURL(/\/events$/);
    await isTranslated(page);
    expect(problems.filter(isNoRejection)).toEqual([]);
  });
}

for (const way of waysOf(1)) {
  test(`signing up sends the year that was chosen, not its translation, ${way}`, async ({
    page,
    problems,
  }) => {
    await translatePages(page, way);
    await page.goto("/auth?tab=sign-up");
    await isTranslated(page);
    const year = page.getByLabel("Year of Study *");
    await year.selectOption({ index: 1 });
    expect(await year.inputValue()).not.toContain(MARK);
    expect(problems).toEqual([]);
  });
}

test("what was typed before the scripts start stays, though the page is translated", async ({
  page,
  problems,
}) => {
  await translatePages(page, "each");
  const { promise: held, resolve: start } = Promise.withResolvers<void>();
  await page.route("**/assets/*.js", (route) => held.then(() => route.continue()));
  await page.goto("/auth", { waitUntil: "domcontentloaded" });
  await isTranslated(page);
  await page.getByLabel("email", { exact: true }).fill("player@uni.example");
  start();
  await page.waitForFunction(() => "__reactRouterDataRouter" in window);
  await page.getByRole("button", { name: "Sign In", exact: true }).click();
  await expect(page.getByLabel("email", { exact: true })).toHaveValue("player@uni.example");
  await isTranslated(page);
  expect(problems.filter(isNoRejection)).toEqual([]);
});

test("texts beside each other keep the space between them in a translated button", async ({
  page,
  signIn,
  database,
}) => {
  const two = await stageChat(database);
  await signIn(two.first.who);
  // A chat that was opened once has a count of what is unread.
  await openChat(page, two.path);
  await page.goto(`/events/${two.gameId}`);
  await fill(database, two, 2);
  const chat = page.getByRole("link", { name: "Open chat" });
  const widthOf = async () => (await chat.boundingBox())!.width;
  await page.reload();
  await expect(chat).toContainText("Open chat (");
  const before = await widthOf();
  await translatePages(page, "each");
  await page.reload();
  await expect.poll(() => chat.innerText()).toContain(MARK);
  expect(await widthOf()).toBeCloseTo(before, 0);
});
