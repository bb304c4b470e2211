import { expect, test } from "./fixtures.ts";
import { findGames } from "./games.ts";

test("a browser reports how fast the page was when it is left", async ({ page, database }) => {
  const { open } = await findGames(database.db);
  // Looks like a browser that no program controls, of the visits that are measured.
  await page.addInitScript(() => {
    Object.defineProperty(Navigator.prototype, "webdriver", { get: () => false });
    Math.random = () => 0;
  });
  const loaded = page.waitForResponse(/\/assets\/web-vitals-/);
  await page.goto(`/events/${open}`);
  await loaded;
  await page.getByRole("heading", { level: 1 }).click();
  const sent = page.waitForRequest("**/vitals");
  // Pretends that it is left: what a page sends while it goes, the test does not get to see.
  await page.evaluate(() => {
    Object.defineProperty(document, "visibilityState", { get: () => "hidden" });
    document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
  });
  const request = await sent;
  expect((await request.response())?.status()).toBe(204);
  expect(request.headers()["content-type"]).toMatch(/^text\/plain/);
  expect(request.postDataJSON()).toMatchObject({
    page: `/events/${open}`,
    LCP: expect.any(Number),
    CLS: expect.any(Number),
  });
});
