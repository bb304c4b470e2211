import { expect, type Page, test } from "./fixtures.ts";
import { isLong } from "#test/long.ts";

const ALL = [
  { tab: "Games", from: "/venues", page: "Loading games" },
  { tab: "My Games", from: "/events", page: "Loading My Games" },
  { tab: "Venues", from: "/events", page: "Loading venues" },
  { tab: "Profile", from: "/events", page: "Loading profile" },
];
const TABS = isLong ? ALL : ALL.slice(0, 2);

test.use({ hasTouch: true });

for (const { tab, from, page: skeletonName } of TABS) {
  test(`a touch of ${tab} answers before the network does`, async ({ page, signIn }) => {
    await signIn("player");
    // Names the scripts of the pages that are linked; a slow device asks for it after an idle while.
    const manifest = page.waitForResponse(/__manifest/);
    await page.goto(from, { waitUntil: "networkidle" });
    await (await manifest).finished();
    await page.evaluate(recordAnswers, tab);
    await page.evaluate(() => scrollTo(0, 400));
    const network = await holdNetwork(page);
    const entry = page.getByRole("navigation").getByRole("link", { name: tab, exact: true });
    await entry.tap();
    await expect(entry).toHaveAttribute("aria-current", "page");
    await expect(page.getByRole("status", { name: skeletonName })).toBeVisible();
    expect(await page.evaluate(() => scrollY)).toBe(0);
    network.release();
    await expect(page.getByRole("status", { name: skeletonName })).toHaveCount(0);
    await page.waitForLoadState("networkidle");
    const { lit, skeleton } = await page.evaluate(() => window.answers);
    const said = `${tab}: lit after ${lit} ms, skeleton after ${skeleton} ms`;
    test.info().annotations.push({ type: "tap", description: said });
    process.stdout.write(`${said}\n`);
    // What the page itself is made of is asked for in one go, not when some of it has come.
    expect(network.late.filter((path) => !LATER.test(path))).toEqual([]);
  });
}

/** Comes after its page, which does not wait for it. */
const LATER = /city-combobox|downshift|react-is|text-|install-card/;

interface Answers {
  lit?: number;
  skeleton?: number;
}

declare global {
  interface Window {
    answers: Answers;
  }
}

/** Runs in the browser: when what follows a touch is on the page, in milliseconds since it. */
function recordAnswers(tab: string) {
  let touched = 0;
  window.answers = {};
  addEventListener("pointerdown", () => (touched = performance.now()), { capture: true });
  new MutationObserver(() => {
    const now = Math.round(performance.now() - touched);
    const entries = [...document.querySelectorAll("nav [aria-current=page]")];
    const isActive = entries.some((entry) => entry.textContent.startsWith(tab));
    const isLoading = document.querySelector("[role=status][aria-label^=Loading]") !== null;
    if (isActive) window.answers.lit ??= now;
    if (isLoading) window.answers.skeleton ??= now;
  }).observe(document, { subtree: true, childList: true, attributes: true });
}

/** Nothing is answered until it is released; which scripts were asked for only then. */
async function holdNetwork(page: Page) {
  const late: string[] = [];
  let isReleased = false;
  const released = Promise.withResolvers<void>();
  page.on("request", (request) => {
    if (isReleased && request.resourceType() === "script")
      late.push(new URL(request.url()).pathname);
  });
  await page.route("**/*", async (route) => {
    await released.promise;
    await route.continue();
  });
  const release = () => {
    isReleased = true;
    released.resolve();
  };
  return { late, release };
}

test("the tab that was lit goes out at once, in both navigations and in admin", async ({
  page,
  signIn,
}) => {
  await signIn("admin");
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto("/admin/games", { waitUntil: "networkidle" });
  await page.route(/\.data/, () => {});
  const lit = (name: string) => page.getByRole("navigation", { name }).locator("[aria-current]");
  await expect(lit("Admin")).toHaveText("Games");
  await page
    .getByRole("navigation", { name: "Admin" })
    .getByRole("link", { name: "Players" })
    .click();
  await expect(lit("Admin")).toHaveText("Players");
  await page
    .getByRole("navigation", { name: "Main" })
    .getByRole("link", { name: "Venues" })
    .click();
  await expect(lit("Main")).toHaveText("Venues");
  await expect(lit("Admin")).toHaveCount(0);
});
