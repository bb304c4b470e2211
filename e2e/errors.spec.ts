import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { laterChunk, routeChunk } from "./chunks.ts";

const heading = (page: Page) => page.getByRole("heading", { name: "Something went wrong" });
const link = (page: Page, name: string) =>
  page.getByRole("navigation", { name: "Main" }).getByRole("link", { name, exact: true });

test("a page that cannot be rendered leaves the navigation, and Try Again renders it again", async ({
  page,
  signIn,
}) => {
  await signIn("player");
  // The route's own file may be one line that leads to the one with the page.
  await page.route("**/assets/*.js", async (route) => {
    const response = await route.fetch();
    const line = '"Attend your next pickup Football game here."';
    const fails =
      'if(!window.isRepaired){window.failures=(window.failures??0)+1;throw new Error("a secret detail")}';
    const throws = `(()=>{${fails}return ${line}})()`;
    const text = await response.text();
    if (!text.replaceAll("`", '"').includes(line)) return route.fulfill({ response });
    const body = text.replace(/["`]Attend your next pickup Football game here\.["`]/, throws);
    await route.fulfill({ response, body });
  });
  await page.goto("/bookings");
  await page.waitForLoadState("networkidle");
  await link(page, "Games").click();
  await expect(heading(page)).toBeVisible();
  await expect(link(page, "My Games")).toBeVisible();
  await page.getByText("Details").click();
  await expect(page.getByRole("group")).toContainText("Unexpected error");
  await expect(page.getByRole("main")).not.toContainText(/secret|\bat .*:\d+/);
  const failures = () => page.evaluate("window.failures");
  const before = await failures();
  await page.getByRole("button", { name: "Try Again" }).click();
  await expect.poll(failures).not.toBe(before);
  await expect(heading(page)).toBeVisible();
  await page.evaluate(() => Object.assign(window, { isRepaired: true }));
  await page.getByRole("button", { name: "Try Again" }).click();
  await expect(page.getByText("Attend your next pickup Football game here.")).toBeVisible();
});

test("a page that does not come leaves the navigation, and comes with the connection", async ({
  page,
  signIn,
}) => {
  await signIn("player");
  await page.goto("/events");
  await page.waitForLoadState("networkidle");
  await link(page, "Profile").click();
  await expect(page).toHaveURL(/\/profile$/);
  await page.route("**/events.data*", (route) => route.abort());
  await link(page, "Games").click();
  await expect(heading(page)).toBeVisible();
  await expect(page.getByRole("main")).toContainText("The page could not be fetched.");
  await expect(link(page, "My Games")).toBeVisible();
  await page.unroute("**/events.data*");
  await page.evaluate(() => window.dispatchEvent(new Event("online")));
  await expect(page.getByText("Attend your next pickup Football game here.")).toBeVisible();
});

test("a page whose file went with the last build is reloaded once for each press", async ({
  page,
  signIn,
}) => {
  await signIn("player");
  let documents = 0;
  page.on("request", (request) => (documents += Number(request.isNavigationRequest())));
  const file = `**/${routeChunk("routes/games/list/list.tsx").file}`;
  await page.route(file, (route) => route.fulfill({ status: 404, body: "" }));
  await page.goto("/bookings");
  await page.waitForLoadState("networkidle");
  expect(documents).toBe(1);
  const loaded = page.waitForEvent("load");
  await link(page, "Games").click();
  await loaded;
  await page.waitForLoadState("networkidle");
  expect(documents).toBe(2);
  await page.unroute(file);
  await link(page, "Games").click();
  await expect(page).toHaveURL(/\/events$/);
  await expect(page.getByRole("link", { name: /spots left/ }).first()).toBeVisible();
});

test("what opens later and whose file is gone says so or does without", async ({
  page,
  signIn,
}) => {
  await signIn("player");
  const file = laterChunk("credits/plan-choice.tsx").file;
  await page.route(`**/${file}`, (route) => route.fulfill({ status: 404, body: "" }));
  await page.goto("/wallet");
  await page.getByRole("button", { name: "Buy credits" }).first().click();
  await expect(page.getByRole("main")).toContainText("Failed to load credit packs");
  await expect(heading(page)).toBeHidden();
});

test.describe("as plain HTML", () => {
  test.use({ javaScriptEnabled: false });

  test("both buttons reload the page", async ({ page, request }) => {
    const broken = await request.post("/terms?from=espoo", { form: { intent: "x" } });
    expect(broken.status()).toBe(405);
    const body = await broken.text();
    for (const name of ["Try Again", "Refresh Page"]) {
      await page.route("**/terms?from=espoo", (route) =>
        route.fulfill({ status: 405, contentType: "text/html", body }),
      );
      await page.goto("/terms?from=espoo");
      await expect(heading(page)).toBeVisible();
      await page.unroute("**/terms?from=espoo");
      await page.getByRole("button", { name }).click();
      await expect(page).toHaveURL(/\/terms\?from=espoo$/);
      await expect(heading(page)).toBeHidden();
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    }
  });
});
