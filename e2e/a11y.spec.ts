import AxeBuilder from "@axe-core/playwright";
import { expect, type Page, test } from "./journey.ts";
import { findGames } from "./games.ts";
import { openProfileDialog, placePicture, refuseProfile } from "./profile-screens.ts";

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
      const venues = ["/venues", "/venues?city=Turku", "/venues/none"];
      const others = ["/auth/confirm?token=stale", "/bookings", "/demo/outbox", "/nowhere"];
      for (const path of [...paths, ...games, ...venues, ...others]) {
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

    test("a venue, its photos and the list of cities", async ({ page }) => {
      await page.goto("/venues");
      await page.getByRole("combobox", { name: "City" }).click();
      await page.keyboard.press("Enter");
      await expect(page.getByRole("option", { selected: true })).toBeVisible();
      await expectNoViolations(page, "the open list of cities", colorScheme);
      await page.keyboard.type("zzz");
      await expect(page.getByText("No options found")).toBeVisible();
      await expectNoViolations(page, "the list without options", colorScheme);
      await page.keyboard.press("Escape");
      await page.getByRole("article").first().getByRole("link").click();
      await expect(page).toHaveURL(/\/venues\/[0-9a-f-]{36}$/);
      await expectNoViolations(page, "a venue", colorScheme);
      await page
        .getByRole("link", { name: /^View photo/ })
        .first()
        .click();
      const photo = page.getByRole("dialog", { name: "Photos" }).getByRole("img").first();
      await expect(photo).toBeVisible();
      await expectNoViolations(page, "the lightbox", colorScheme);
    });

    test("legal pages and a player's settings", async ({ page, signIn }) => {
      for (const path of ["/terms", "/privacy", "/accessibility"]) {
        await page.goto(path);
        await expectNoViolations(page, path, colorScheme);
      }
      await signIn("player");
      const pages = ["", "/change-password", "/contact-support", "/leave-review", "/onboarding"];
      for (const path of [...pages, "/withdraw", "/delete-account"]) {
        await page.goto(`/settings${path}`);
        await expectNoViolations(page, `/settings${path}`, colorScheme);
      }
      await page.goto("/settings/leave-review");
      await page.getByRole("button", { name: "Submit review" }).click();
      await expect(page.getByRole("alert")).toBeVisible();
      await expectNoViolations(page, "a refused review", colorScheme);
    });

    test("a player card, own and shared", async ({ page, signIn }) => {
      await signIn("aino.virtanen");
      await page.goto("/profile/player-card");
      await expectNoViolations(page, "an own card", colorScheme);
      await page.getByRole("button", { name: "Share", exact: true }).click();
      const link = await page.getByLabel("Link to your card").inputValue();
      await expectNoViolations(page, "an own card that is shared", colorScheme);
      for (const path of [link, "/card/none"]) {
        await page.goto(path);
        await expectNoViolations(page, path, colorScheme);
      }
      await page.goto("/profile/player-card");
      await page.getByRole("button", { name: "Stop sharing" }).click();
      await expect(page.getByText("Sharing stopped")).toBeVisible();
    });

    test("profiles and their dialogs", async ({ page, signIn, database }) => {
      await signIn("player");
      await page.goto("/profile");
      await openProfileDialog(page);
      await expectNoViolations(page, "the profile dialog", colorScheme);
      await page.getByPlaceholder("Search countries").fill("swe");
      await expect(page.getByRole("option", { name: "Sweden" })).toBeVisible();
      await expectNoViolations(page, "the open list of countries", colorScheme);
      await page.goto("/profile");
      await refuseProfile(page);
      await expectNoViolations(page, "a refused profile", colorScheme);
      await page.goto("/profile");
      await placePicture(page);
      await expectNoViolations(page, "the picture dialog", colorScheme);
      const { joined } = await findGames(database.db);
      await page.goto(`/events/${joined}`);
      const other = page.getByRole("main").locator('a[href^="/profile/"]');
      await other.filter({ hasNotText: "Eero" }).first().click();
      await expect(page.getByText("Events joined")).toBeVisible();
      await expectNoViolations(page, "another's profile", colorScheme);
      await page.goto("/profile/none");
      await expectNoViolations(page, "nobody's profile", colorScheme);
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
