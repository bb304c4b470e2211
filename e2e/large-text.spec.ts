import type { Db } from "#app/platform/db.server.ts";
import { topUp } from "#app/features/wallet/ledger.server.ts";
import { expect, type Page, test } from "./fixtures.ts";
import { findGames } from "./games.ts";
import { LARGE_TEXT, outOfReach, widthOf } from "./layout.ts";
import { addPlayer, addRaceGames } from "./players.ts";
import { isLong } from "#test/long.ts";

interface View {
  path: string;
  /** The name of what this page is for: it can be brought onto the screen, and pressed. */
  does: string | RegExp;
  act?: (page: Page) => Promise<void>;
}

const VISITOR: View[] = [
  { path: "/", does: "Sign In" },
  { path: "/auth", does: "Sign In" },
  { path: "/auth?tab=sign-up", does: "Sign up" },
  { path: "/events/OPEN", does: "Join game" },
  { path: "/venues", does: /Venues|Show|City/ },
  { path: "/terms", does: "Sign In" },
];

const PLAYER: View[] = [
  { path: "/events", does: "Filters" },
  { path: "/events/OPEN", does: "Pay and join" },
  { path: "/events/OPEN", does: "Pay 0.99 € and join", act: opens("Pay and join") },
  { path: "/events/FULL", does: "Join waitlist" },
  { path: "/events/FULL", does: "Join waitlist", act: opens("Join waitlist") },
  { path: "/bookings", does: "Buy credits" },
  { path: "/wallet", does: "Pay 0.99 €" },
  { path: "/wallet", does: "START PLAYING", act: opensMonthly },
  { path: "/wallet/paid?session_id=cs_test_unknown", does: "Find a game" },
  { path: "/demo/checkout/pay_per_game", does: "Pay 9.99 €" },
  { path: "/demo/checkout/any_amount", does: "Pay" },
  { path: "/profile", does: "Edit profile" },
  { path: "/settings", does: "Logout" },
  { path: "/settings/notifications", does: "Save" },
];

const IN_A_GAME: View[] = [
  { path: "/events/JOINED", does: /^Manage/ },
  { path: "/events/JOINED", does: "Cancel booking", act: opens(/^Manage/) },
  { path: "/events/JOINED/chat", does: "Send" },
  { path: "/bookings", does: /^Cancel/ },
  { path: "/wallet", does: "Buy credits" },
  { path: "/profile/player-card", does: /^Share/ },
];

const ORGANISER: View[] = [
  { path: "/admin", does: "New game" },
  { path: "/admin/games", does: "New game" },
  { path: "/admin/games/OPEN", does: "Edit" },
  { path: "/admin/games/OPEN/edit", does: "Save" },
  { path: "/admin/players", does: /Search|Find/ },
  { path: "/admin/payments", does: /.+/ },
  { path: "/admin/packs", does: /New pack|Add/ },
  { path: "/admin/inbox", does: /Show|Filter/ },
  { path: "/admin/log", does: /Show|Filter/ },
];

const VIEWS = { visitor: VISITOR, player: PLAYER, "a player in a game": IN_A_GAME, ORGANISER };

for (const [who, views] of Object.entries(VIEWS)) {
  test(`${who}: with text at 200 % nothing scrolls sideways, and all is in reach`, async ({
    page,
    signIn,
    database: { db },
  }) => {
    const account = await accountOf(who, db);
    if (account) await signIn(account);
    const { open, full, joined } = await findGames(db);
    const ids = { OPEN: open, FULL: full, JOINED: joined };
    for (const { path, does, act } of views.filter((view, n) => isLong || view.act || n % 2)) {
      const address = path.replace(/OPEN|FULL|JOINED/, (kind) => ids[kind as keyof typeof ids]);
      for (const way of isLong ? WAYS : WAYS.slice(0, 1)) {
        await page.setViewportSize({ width: 390, height: 844 });
        await way(page, address);
        await act?.(page);
        const where = `${path}${act ? ", opened" : ""}, by ${way.name}`;
        await measure(page, where, does);
        await page.setViewportSize({ width: 844, height: 390 });
        expect.soft(await page.evaluate(widthOf), `width of ${where}, on its side`).toBe(844);
      }
    }
  });
}

async function measure(page: Page, where: string, does: View["does"]) {
  expect.soft(await page.evaluate(widthOf), `width of ${where}`).toBe(390);
  expect.soft(await page.evaluate(outOfReach), `out of reach: ${where}`).toEqual([]);
  const scope = page.locator("dialog:modal").or(page.locator("body:not(:has(dialog:modal))"));
  const main = scope
    .getByRole("button", { name: does })
    .or(scope.getByRole("link", { name: does }));
  await expect.soft(main.filter({ visible: true }).first(), `${where} does`).toBeVisible();
}

async function setting(page: Page, address: string) {
  await setBrowsersText(page, 32);
  await page.goto(address);
}

async function style(page: Page, address: string) {
  await setBrowsersText(page, 16);
  await page.goto(address);
  await page.evaluate(LARGE_TEXT);
}

/** Both ways in which people and tools enlarge text; a11y.spec.ts takes the second on every page. */
const WAYS = [setting, style];

/** What is chosen in the browser's settings: lengths in rem of media queries follow it as well. */
async function setBrowsersText(page: Page, standard: number) {
  const browser = await page.context().newCDPSession(page);
  await browser.send("Page.setFontSizes", { fontSizes: { standard } });
  await browser.detach();
}

/** The account of that name, or a player who is 0.99 short of a game. */
async function accountOf(who: string, db: Db): Promise<string | null> {
  if (who === "visitor") return null;
  if (who === "ORGANISER") return "admin";
  if (who !== "player") return "player";
  const { who: name, userId } = await addPlayer(db);
  await topUp(db, { userId, amountCents: 901, key: `large-${userId}` });
  return name;
}

function opens(name: string | RegExp) {
  return async (page: Page) => {
    await page.getByRole("button", { name }).first().click();
    await page.locator("dialog:modal").getByRole("button", { name: /\w/ }).last().waitFor();
  };
}

async function opensMonthly(page: Page) {
  await page.getByRole("button", { name: "Buy credits" }).click();
  await page.getByRole("tab", { name: "Monthly Subscription" }).click();
}

test("who joins with text at 200 % reads the dialog and closes it", async ({
  page,
  signIn,
  database: { db },
}) => {
  const [gameId = ""] = await addRaceGames(db, { count: 1, spots: 9 });
  const { who, userId } = await addPlayer(db);
  await topUp(db, { userId, amountCents: 1_000, key: `large-${userId}` });
  await signIn(who);
  await page.goto(`/events/${gameId}`);
  await page.evaluate(LARGE_TEXT);
  await page.getByRole("button", { name: "Join game" }).click();
  const dialog = page.getByRole("dialog", { name: "You're in" });
  await expect(dialog).toContainText("Add to calendar");
  expect(await page.evaluate(widthOf)).toBe(390);
  expect(await page.evaluate(outOfReach)).toEqual([]);
  await dialog.getByRole("link", { name: "Done" }).click();
  await expect(dialog).toHaveCount(0);
});
