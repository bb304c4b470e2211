import type { Request } from "@playwright/test";
import { expect, firstCases, type Page, test as base } from "./fixtures.ts";
import { openWithStream } from "./live-pages.ts";
import { addPlayer } from "./players.ts";
import { openStage } from "./waitlist-stage.ts";

/** Longer than a page waits before it reads its data again, and than between two attempts. */
const SOON_MS = 3_000;

/** An organiser's page of a game that nobody is in. */
interface Edit {
  /** How often its data was read again. */
  readings(): number;
  /** Somebody is in. */
  change(): Promise<void>;
}

/** What somebody does at the page, and how they stop. */
const USES: Record<string, (page: Page) => Promise<() => Promise<unknown>>> = {
  "a dialog is open": async (page) => {
    await page.getByRole("button", { name: "Cancel game" }).first().click();
    await expect(page.getByRole("dialog")).toBeVisible();
    return () => page.keyboard.press("Escape");
  },
  "a button is pressed": async (page) => {
    await page.getByRole("button", { name: "Cancel game" }).first().hover();
    await page.mouse.down();
    return async () => {
      await page.mouse.move(0, 0);
      await page.mouse.up();
    };
  },
  "a field is in use": async (page) => {
    await page.getByLabel("Email or name").focus();
    return () => page.getByLabel("Email or name").blur();
  },
  "a field is filled in": async (page) => {
    await page.getByLabel("Email or name").fill("Ada");
    await page.getByLabel("Email or name").blur();
    return async () => {
      await page.getByLabel("Email or name").fill("");
      await page.getByLabel("Email or name").blur();
    };
  },
};

const isRead = () => {
  const { __reactRouterDataRouter: router } = window as unknown as {
    __reactRouterDataRouter: { state: { revalidation: string } };
  };
  return router.state.revalidation === "idle";
};

const test = base.extend<{ edit: Edit }>({
  edit: async ({ page, baseURL, dataDir, database, signIn }, run) => {
    const stage = openStage({ url: baseURL!, dataDir, db: database.db }, database);
    const { gameId } = await stage.game(3);
    const { userId } = await addPlayer(database.db);
    const isReading = (request: Request) => request.url().includes(`${gameId}.data`);
    await page.clock.install();
    await signIn("admin");
    let all = 0;
    page.on("request", (request) => (all += isReading(request) ? 1 : 0));
    await openWithStream(page, `/admin/games/${gameId}`);
    await page.waitForFunction(isRead);
    // From here on time passes where a test lets it.
    await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1_000);
    await run({
      readings: () => all,
      async change() {
        const seat = { user_id: userId, game_id: gameId, price_eur: "0" };
        const paid = { ...seat, payment_status: "Paid" as const };
        await database.db.insertInto("bookings").values(paid).execute();
        await expect(page.getByText("1 in · 2 spots left")).toBeVisible();
      },
    });
  },
});

for (const [what, use] of firstCases(Object.entries(USES), 2)) {
  test(`a page is not read again while ${what}, and once it is not`, async ({ page, edit }) => {
    const stop = await use(page);
    await edit.change();
    await page.clock.runFor(SOON_MS);
    expect(edit.readings()).toBe(0);
    await expect(page.getByText("Nobody is in yet.")).toBeAttached();
    await stop();
    const readings = async () => {
      await page.clock.runFor(SOON_MS);
      return edit.readings();
    };
    await expect.poll(readings).toBe(1);
    await expect(page.getByText("Nobody is in yet.")).toHaveCount(0);
  });
}

test("a page that was just touched is read again a second later", async ({ page, edit }) => {
  await edit.change();
  for (let touch = 0; touch < 8; touch += 1) {
    await page.keyboard.press("Shift");
    await page.clock.runFor(500);
  }
  expect(edit.readings()).toBe(0);
  await page.clock.runFor(SOON_MS);
  await expect.poll(edit.readings).toBe(1);
});

test("what changes before a page has its stream is read at the stream's start", async ({
  page,
  baseURL,
  dataDir,
  database,
  signIn,
}) => {
  const stage = openStage({ url: baseURL!, dataDir, db: database.db }, database);
  const { gameId } = await stage.game(3);
  await signIn("admin");
  const changed = Promise.withResolvers<void>();
  await page.route("**/live?*", async (route) => {
    await changed.promise;
    await route.continue();
  });
  await page.goto(`/admin/games/${gameId}`);
  await database.db
    .updateTable("games")
    .set({ title: "Cup final" })
    .where("id", "=", gameId)
    .execute();
  await expect(page.getByRole("heading", { name: "Cup final" })).toHaveCount(0);
  changed.resolve();
  await expect(page.getByRole("heading", { name: "Cup final" })).toBeVisible();
});
