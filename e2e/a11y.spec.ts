import AxeBuilder from "@axe-core/playwright";
import { expect, type Page, test as base } from "@playwright/test";
import { endOf } from "./screens/screen.ts";
import {
  enter,
  lookAt,
  LOOKS,
  openContext,
  openScreen,
  openStage,
  type Stage,
  toastOf,
} from "./screens/visit.ts";
import { listRefusals, listShortVisits, listVisits, type Visit } from "./screens/visits.ts";

const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
const isLong = Boolean(process.env.LONG);
// Nothing scrolls sideways there.
const NARROWEST = 320;
const widthOfPage = () => document.documentElement.scrollWidth;

/** Each worker has a site of its own: what is done on one screen is not seen on another's. */
const test = base.extend<object, { stage: Stage }>({
  stage: [
    async ({}, use) => {
      const stage = await openStage();
      await use(stage);
      await stage.close();
    },
    { scope: "worker", timeout: 200_000 },
  ],
});
test.describe.configure({ mode: "parallel" });

for (const visit of isLong ? listVisits() : listShortVisits()) {
  test(`${visit.screen.name} as ${visit.role}`, async ({ browser, stage }) => {
    const { page, status, close } = await openScreen(browser, stage, visit.screen);
    expect(status).toBeLessThan(500);
    expect(new URL(page.url()).pathname).toBe(endOf(visit.screen, stage.scenario));
    if (isLong) await checkEveryLook(page, visit);
    // The dark differs by its colours alone, which ui/contrast.test.ts checks where they are defined.
    else await expectNoViolations(page, visit.screen.toast, "light, 390");
    await page.setViewportSize({ width: NARROWEST, height: 640 });
    expect.soft(await page.evaluate(widthOfPage), "wide as its words").toBe(NARROWEST);
    await close();
  });
}

test("what is not for everybody leads away who may not see it", async ({ browser, stage }) => {
  for (const [role, refusals] of Map.groupBy(listRefusals(), (refusal) => refusal.role)) {
    const context = await openContext(browser, stage);
    if (role !== "visitor") await enter(context, stage, { as: role });
    for (const { path, to } of refusals) {
      const where = path(stage.scenario);
      const answer = await context.request.get(where, { maxRedirects: 0 });
      const location = answer.headers().location?.split("?", 1)[0];
      expect.soft([answer.status(), location], `${where} as ${role}`).toEqual([302, to]);
    }
    await context.close();
  }
});

test("a picture without words and pale words are found", async ({ browser, stage }) => {
  const { page, close } = await openScreen(browser, stage, { name: "control", path: "/terms" });
  expect(await violations(page)).toEqual([]);
  await page.getByRole("main").evaluate((main) => {
    const image = document.createElement("img");
    image.src = "/favicon.svg";
    const words = document.createElement("p");
    words.textContent = "Pale words";
    words.style.cssText = "color: #ccc; background: #fff";
    main.append(image, words);
  });
  const found = (await violations(page)).map((violation) => violation.split(":", 1)[0]);
  expect(found.sort()).toEqual(["color-contrast", "image-alt"]);
  await close();
});

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
  // No page has frames; looking for them opens a page for each run.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ["violations"] });
  const result = await axe.withTags(TAGS).analyze();
  return result.violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.html} ${node.failureSummary}`),
  );
}
