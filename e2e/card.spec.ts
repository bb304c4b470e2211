import sharp from "sharp";
import { expect, firstCases, type Page, test, WITH_SCRIPTS } from "./fixtures.ts";
import { findGames } from "./games.ts";

const OWN = "/profile/player-card";
const LINK = /\/card\/[\w-]{22}$/;

for (const javaScriptEnabled of WITH_SCRIPTS) {
  test.describe(`with JavaScript ${javaScriptEnabled ? "on" : "off"}`, () => {
    test.use({ javaScriptEnabled });

    // spec: 1.9
    test("a card is shared, seen by a visitor, and taken back", async ({
      page,
      signIn,
      browser,
      baseURL,
    }) => {
      await signIn("player");
      await page.goto(OWN);
      const card = page.getByRole("article", { name: "Player card" });
      await expect(card.getByRole("heading", { name: "Eero Mäkelä" })).toBeVisible();
      await expect(card.getByText("Total games")).toBeVisible();
      await expect(card.getByText("-", { exact: true })).toHaveCount(2);
      await page.getByRole("button", { name: "Share", exact: true }).click();
      const link = await page.getByLabel("Link to your card").inputValue();
      expect(link).toMatch(LINK);

      const visitor = await browser.newContext({ baseURL: baseURL! });
      const seen = await visitor.newPage();
      const response = await seen.goto(link);
      expect(response?.status()).toBe(200);
      const picture = seen.getByRole("img", { name: /^Player card of Eero Mäkelä/ });
      await expect(picture).toBeVisible();
      await expect.poll(() => naturalWidth(seen)).toBe(1080);
      await expect(seen.getByRole("main").getByRole("link", { name: "Sign up" })).toBeVisible();

      await page.getByRole("button", { name: "Stop sharing" }).click();
      await expect(page.getByRole("button", { name: "Share", exact: true })).toBeVisible();
      await expect(page.getByLabel("Link to your card")).toBeHidden();
      expect((await seen.goto(link))?.status()).toBe(404);
      await expect(seen.getByText("This card is not shared, or no longer.")).toBeVisible();
      expect((await visitor.request.get(`${link}.png`)).status()).toBe(404);
      await visitor.close();
    });
  });
}

/** What the page shared natively, read from the page. */
type Shared = { title: string; text?: string; url?: string; files?: string[] };

test("a browser that shares files gets the picture with its link", async ({ page, signIn }) => {
  await page.addInitScript(() => {
    const shared: Shared[] = [];
    Object.assign(window, { shared });
    Object.assign(navigator, {
      canShare: () => true,
      share: async (wish: ShareData) => {
        const files = wish.files?.map(({ name, type, size }) => `${name} ${type} ${size > 9_999}`);
        shared.push({ ...(wish as Shared), ...(files && { files }) });
        throw new DOMException("dismissed", "AbortError");
      },
    });
  });
  await signIn("broke");
  await page.goto(OWN);
  await page.getByRole("button", { name: "Share", exact: true }).click();
  const link = await page.getByLabel("Link to your card").inputValue();
  const shared = () => page.evaluate(() => (window as unknown as { shared: Shared[] }).shared);
  const wish = {
    title: "Noel Berg, player card",
    text: link,
    files: ["player-card.png image/png true"],
  };
  await expect.poll(shared).toEqual([wish]);
  await page.getByRole("button", { name: "Share", exact: true }).click();
  await expect.poll(shared).toEqual([wish, wish]);
  await page.getByRole("button", { name: "Stop sharing" }).click();
  await expect(page.getByText("Sharing stopped")).toBeVisible();
});

// spec: 2.122
test("without native sharing the link is copied", async ({ page, signIn, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.addInitScript(() => Object.assign(navigator, { share: undefined }));
  await signIn("admin");
  await page.goto(OWN);
  await page.getByRole("button", { name: "Share", exact: true }).click();
  await expect(page.getByText("Link copied!")).toBeVisible();
  const link = await page.getByLabel("Link to your card").inputValue();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link);
  await page.getByRole("button", { name: "Stop sharing" }).click();
  await expect(page.getByText("Sharing stopped")).toBeVisible();
});

const PHONES = [
  [360, 740],
  [390, 844],
] as const;

for (const [width, height] of firstCases(PHONES)) {
  test(`card and Share are in view without scrolling at ${width} × ${height}`, async ({
    page,
    signIn,
  }) => {
    await page.setViewportSize({ width, height });
    await signIn("broke");
    await page.goto(OWN);
    const card = page.getByRole("article", { name: "Player card" });
    await expect(card).toBeInViewport({ ratio: 1 });
    const share = page.getByRole("button", { name: "Share", exact: true });
    await expect(share).toBeInViewport({ ratio: 1 });
    const isCovered = await share.evaluate((button) => {
      const { left, right, bottom } = button.getBoundingClientRect();
      return !button.contains(document.elementFromPoint((left + right) / 2, bottom - 2));
    });
    expect(isCovered).toBe(false);
  });
}

test("the numbers of the card stand on one line at every width", async ({ page, signIn }) => {
  await signIn("player");
  await page.goto(OWN);
  const numbers = page.getByRole("article", { name: "Player card" }).locator("dd");
  for (const width of [320, 360, 390, 768, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    const tops = await numbers.evaluateAll((all) =>
      all.map((dd) => dd.getBoundingClientRect().top),
    );
    expect(new Set(tops.map(Math.round)).size, `at ${width} px`).toBe(1);
    expect(tops).toHaveLength(3);
  }
});

// spec: 2.12
test("every open page has a head that can be shared", async ({ page, database, request }) => {
  const { open, full } = await findGames(database.db);
  const descriptions = new Set<string>();
  const paths = ["/", "/venues", `/events/${open}`, `/events/${full}`];
  for (const path of paths) {
    await page.goto(path);
    const head = await headOf(page);
    expect(head.title, path).toMatch(/\S · Kickabout$/);
    expect(head["og:url"], path).toBe(head.canonical);
    expect(new URL(head.canonical ?? "").pathname, path).toBe(path);
    expect(head.robots, path).toBeUndefined();
    descriptions.add(head.description ?? "");
    const picture = await request.get(head["og:image"] ?? "");
    expect(picture.headers()["content-type"], path).toBe("image/png");
    const { width, height } = await sharp(await picture.body()).metadata();
    const said = [head["og:image:width"], head["og:image:height"]];
    expect([String(width), String(height)], path).toEqual(said);
    expect(head["og:image:alt"], path).toMatch(/\S/);
  }
  expect(descriptions.size).toBe(paths.length);
});

test("a game's picture supports HEAD and revalidation, and follows the game", async ({
  request,
  database,
}) => {
  const { open } = await findGames(database.db);
  const path = `/events/${open}/social.png`;
  const head = await request.head(path);
  expect([head.status(), (await head.body()).length]).toEqual([200, 0]);
  const etag = head.headers().etag ?? "";
  const known = await request.get(path, { headers: { "If-None-Match": etag } });
  expect(known.status()).toBe(304);
  for (const id of ["none", "..%2f..%2fetc", "00000000-0000-4000-8000-000000000000"]) {
    expect((await request.get(`/events/${id}/social.png`)).status(), id).toBe(404);
  }
});

async function headOf(page: Page): Promise<Record<string, string>> {
  return page.evaluate(() => {
    const tags = [...document.querySelectorAll("meta[content]")].map((tag) => [
      tag.getAttribute("property") ?? tag.getAttribute("name") ?? "",
      tag.getAttribute("content") ?? "",
    ]);
    const canonical = document.querySelector("link[rel=canonical]")?.getAttribute("href");
    return { ...Object.fromEntries(tags), title: document.title, ...(canonical && { canonical }) };
  });
}

function naturalWidth(page: Page): Promise<number> {
  return page.evaluate(
    () => document.querySelector<HTMLImageElement>("img[alt^='Player card']")!.naturalWidth,
  );
}
