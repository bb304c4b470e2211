import { expect, type Page, test as base } from "./fixtures.ts";
import { openWithStream } from "./live-pages.ts";
import { openStage } from "./waitlist-stage.ts";
import { MARK, translatePages, WAYS, withoutRepair } from "./translator.ts";

const test = base.extend<{ stage: ReturnType<typeof openStage>; problems: string[] }>({
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
const failure = (page: Page) => page.getByText("Something went wrong");

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
    await expect(failure(page)).toHaveCount(0);
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
    await expect(failure(page)).toBeVisible();
    expect(problems.join()).toMatch("The node to be removed is not a child of this node");
  });
}
