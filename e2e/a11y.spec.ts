import AxeBuilder from "@axe-core/playwright";
import { expect, type Page, test } from "./journey.ts";
import { findGames } from "./games.ts";

const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

// The dark theme differs by its colours alone, and their contrast is checked where they are defined.
const THEMES = process.env.LONG ? (["light", "dark"] as const) : (["light"] as const);

for (const colorScheme of THEMES) {
  test.describe(`in the ${colorScheme} theme`, () => {
    test.use({ colorScheme, contextOptions: { reducedMotion: "reduce" } });

    test("a visitor's pages", async ({ page, database }) => {
      const { open, free } = await findGames(database.db);
      const paths = ["/", "/auth", "/auth?tab=sign-up", "/auth/forgot", "/auth/reset?token=stale"];
      const games = [`/events/${open}`, `/events/${free}`, "/events/none"];
      const others = ["/auth/confirm?token=stale", "/bookings", "/demo/outbox", "/nowhere"];
      for (const path of [...paths, ...games, ...others]) {
        await page.goto(path);
        await expectNoViolations(page, path, colorScheme);
      }
    });

    test("a player's pages", async ({ page, signIn, database }) => {
      await signIn("player");
      const { open, full, joined, empty } = await findGames(database.db);
      const games = [open, full, joined, empty].map((id) => `/events/${id}`);
      const own = ["/bookings", "/wallet", "/profile", "/wallet/paid?session_id=cs_test_1"];
      for (const path of ["/events", "/events?outdoor=1&city=Espoo", ...games, ...own]) {
        await page.goto(path);
        await expectNoViolations(page, path, colorScheme);
      }
    });

    test("open dialogs", async ({ page, signIn }) => {
      await signIn("player");
      await page.goto("/events");
      await page.getByRole("button", { name: "Filters" }).click();
      await page.getByRole("checkbox", { name: "Indoor" }).check();
      await expectNoViolations(page, "the filter sheet", colorScheme);
      await page.goto("/bookings");
      await page
        .getByRole("button", { name: /^Cancel/ })
        .first()
        .click();
      await expect(page.getByRole("dialog")).toBeVisible();
      await expectNoViolations(page, "the cancel dialog", colorScheme);
      await page.goto("/wallet");
      await page.getByRole("button", { name: "Buy credits" }).click();
      await page.getByRole("tab", { name: "Monthly Subscription" }).click();
      await expectNoViolations(page, "the plan dialog", colorScheme);
    });

    test("the sandbox checkout", async ({ page, signIn }) => {
      await signIn("player");
      for (const path of ["pay_per_game", "monthly_8", "portal"]) {
        await page.goto(`/demo/checkout/${path}`);
        await expectNoViolations(page, path, colorScheme);
      }
    });

    test("an admin's pages", async ({ page, signIn }) => {
      await signIn("admin");
      await page.goto("/admin/payments");
      await expectNoViolations(page, "payments", colorScheme);
    });

    test("refused forms", async ({ page }) => {
      await page.goto("/auth");
      await page.getByRole("button", { name: "Sign In" }).click();
      await expect(page.getByRole("alert")).toBeVisible();
      await expectNoViolations(page, "a refused sign-in", colorScheme);
      await page.goto("/auth?tab=sign-up");
      await page.getByRole("button", { name: "Sign up" }).click();
      await expect(page.getByRole("alert")).toBeVisible();
      await expectNoViolations(page, "a refused sign-up", colorScheme);
    });
  });
}

async function expectNoViolations(page: Page, where: string, theme: "light" | "dark") {
  const axe = new AxeBuilder({ page });
  const rules = theme === "light" ? axe.withTags(RULES) : axe.withRules("color-contrast");
  const { violations } = await rules.analyze();
  const found = violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.html} ${node.failureSummary}`),
  );
  expect.soft(found, where).toEqual([]);
}
