import { type Browser, expect, type Page, test as base } from "@playwright/test";
import axe from "axe-core";
import { expectToFit } from "./fits.ts";
import { endOf } from "./screens/screen.ts";
import {
  enter,
  lookAt,
  LOOKS,
  openContext,
  openScreen,
  openStage,
  showScreen,
  type Stage,
  toastOf,
} from "./screens/stage.ts";
import {
  isPlain,
  listPages,
  listRedirects,
  listShortVisits,
  listVisits,
  routeFiles,
  type Visit,
} from "./screens/visits.ts";
import { SCREENS } from "./screens/all.ts";
import type { Scenario, Screen } from "./screens/scenario.ts";
import { isLong } from "#test/long.ts";

const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
const PHONE = { width: 390, height: 844 };

/** A page per account, for the screens that are only looked at. */
type Pages = Map<Screen["as"], Page>;

/** Each worker has its own site: an action on one screen does not show on another's. */
const test = base.extend<object, { stage: Stage; pages: Pages }>({
  stage: [
    async ({}, use) => {
      const stage = await openStage();
      await use(stage);
      await stage.close();
    },
    { scope: "worker", timeout: 200_000 },
  ],
  pages: [async ({}, use) => use(new Map()), { scope: "worker" }],
});
// The few screens of a short run are not worth a second site.
test.describe.configure({ mode: isLong ? "parallel" : "default" });

for (const visit of isLong ? listVisits() : listShortVisits()) {
  test(`${visit.screen.name} as ${visit.role}`, async ({ browser, stage, pages }) => {
    const { page, status, close } = isPlain(visit.screen)
      ? await openShared(browser, stage, visit.screen, pages)
      : await openScreen(browser, stage, visit.screen);
    expect(status).toBeLessThan(500);
    expect(new URL(page.url()).pathname).toBe(endOf(visit.screen, stage.scenario));
    if (isLong) await checkEveryLook(page, visit);
    // Dark differs by its colours alone, which ui/contrast.test.ts checks where they are defined.
    else await expectNoViolations(page, visit.screen.toast, "light, 390");
    await expectToFit(page, visit.screen.name);
    await close();
  });
}

test("a page that a role may not see redirects", async ({ browser, stage }) => {
  for (const [role, redirects] of Map.groupBy(listRedirects(), (redirect) => redirect.role)) {
    const context = await openContext(browser, stage);
    if (role !== "visitor") await enter(context, stage, { as: role });
    for (const { path, to } of redirects) {
      const where = path(stage.scenario);
      const response = await context.request.get(where, { maxRedirects: 0 });
      const location = response.headers().location?.split("?", 1)[0];
      // A signed-in visitor goes on to where signing in would have led.
      const onwards = new URL(where, "http://localhost").searchParams.get("redirectTo");
      const expected = [302, onwards?.split("?", 1)[0] ?? to];
      expect.soft([response.status(), location], `${where} as ${role}`).toEqual(expected);
    }
    await context.close();
  }
});

test("the check finds a picture without a text and text of low contrast", async ({
  browser,
  stage,
}) => {
  const { page, close } = await openScreen(browser, stage, { name: "control", path: "/terms" });
  expect(await violations(page)).toEqual([]);
  await page.getByRole("main").evaluate((main) => {
    const image = document.createElement("img");
    image.src = "/favicon.svg";
    const text = document.createElement("p");
    text.textContent = "Pale text";
    text.style.cssText = "color: #ccc; background: #fff";
    main.append(image, text);
  });
  const found = (await violations(page)).map((violation) => violation.split(":", 1)[0]);
  expect(found.sort()).toEqual(["color-contrast", "image-alt"]);
  await close();
});

/** A page that has been on the site has its scripts cached: a new browser context costs most. */
async function openShared(browser: Browser, stage: Stage, screen: Screen, pages: Pages) {
  const close = async () => {};
  const page = pages.get(screen.as);
  if (!page) {
    const opened = await openScreen(browser, stage, screen);
    pages.set(screen.as, opened.page);
    return { ...opened, close };
  }
  await page.setViewportSize(PHONE);
  await page.emulateMedia({ colorScheme: "light" });
  return { page, status: await showScreen(page, stage, screen), close };
}

async function checkEveryLook(page: Page, { screen }: Visit) {
  for (const look of LOOKS) {
    await lookAt(page, screen, look);
    await expectNoViolations(page, screen.toast, `${look.theme}, ${look.width}`);
  }
}

async function expectNoViolations(page: Page, toast: string | undefined, look: string) {
  expect.soft(await violations(page), look).toEqual([]);
  if (toast) await expect(toastOf(page, toast), look).toBeVisible();
}

async function violations(page: Page): Promise<string[]> {
  // Its text once for each document: injecting it is half of a check.
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
  return page.evaluate(async (tags) => {
    // What is half under the header, since the page has scrolled to a field, counts as too small.
    window.scrollTo({ top: 0, behavior: "instant" });
    const { violations } = await window.axe.run(document, {
      runOnly: tags,
      resultTypes: ["violations"],
      // Fetches style sheets and media again, for rules about sound and turned screens alone.
      preload: false,
    });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map((node) => `${id}: ${node.html} ${node.failureSummary}`),
    );
  }, TAGS);
}

declare global {
  interface Window {
    axe: typeof axe;
  }
}

const ID = "00000000-0000-4000-8000-000000000000";
const scenario = new Proxy({} as Scenario, { get: () => ID });

test("every page of app/routes.ts has a screen", () => {
  const shown = new Set(SCREENS.map((screen) => routeFiles(endOf(screen, scenario)).at(-1)));
  const pages = listPages();
  expect(pages.length).toBeGreaterThan(25);
  expect(pages.filter((file) => !shown.has(file))).toEqual([
    // Opening it leads away; what it draws follows a failed form that only it shows.
    "routes/auth/sign-out.tsx",
    // The screen "joined-dialog", which takes the address of its game.
    "routes/games/joined/show.tsx",
  ]);
});

test("a screen's name is its own", () => {
  const names = SCREENS.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});
