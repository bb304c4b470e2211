import type { Connection } from "#app/platform/connect.server.ts";
import { isLong } from "#test/long.ts";
import { expect, type Page, test } from "./fixtures.ts";
import { findGames } from "./games.ts";
import { listPages, routeFiles } from "./screens/visits.ts";
import { MARK, translatePages, WAYS } from "./translator.ts";

/** The addresses of the router's pages, by who sees them, with ids of the demo data. */
async function pathsOf({ db }: Connection) {
  const one = (table: "venues" | "partners" | "credit_packs" | "support_messages") =>
    db.selectFrom(table).select("id").orderBy("id").executeTakeFirst();
  const { joined, open } = await findGames(db);
  const venue = await one("venues");
  const { user_id: playerId } = await db
    .selectFrom("profiles")
    .select("user_id")
    .where("email", "=", "player@uni.example")
    .executeTakeFirstOrThrow();
  const settings = ["/change-password", "/two-factor", "/sessions", "/blocked", "/calendar"];
  settings.push("", "/notifications", "/contact-support", "/leave-review", "/onboarding");
  settings.push("/withdraw", "/delete-account");
  const game = ["", "/edit", "/teams", "/cancel", "/print"].map((of) => `games/${joined}${of}`);
  const tabs = ["partners", "partners/new", "games", "games/new", "legal", "legal/terms", "venues"];
  tabs.push("venues/new", "players", `players/${playerId}`, "packs", "packs/new", "payments");
  tabs.push("inbox", "log", "legal/terms/versions/1", "nowhere", ...game);
  for (const below of ["", "/photos", "/cancel-games"]) tabs.push(`venues/${venue?.id}${below}`);
  tabs.push(`partners/${(await one("partners"))?.id}`, `packs/${(await one("credit_packs"))?.id}`);
  return {
    visitor: [
      ...["/venues", `/venues/${venue?.id}`, `/events/${open}`, "/bookings", "/terms"],
      ...["/privacy", "/accessibility", "/checkout", "/auth?tab=sign-up", "/auth", "/auth/forgot"],
      ...["/auth/reset?token=x", "/auth/confirm?token=x", "/card/none", "/nowhere"],
      ...["/demo/outbox", "/demo/checkout/monthly_8", "/unsubscribe/none", "/sign-out"],
    ],
    player: [
      ...["/events", `/events/${open}`, `/events/${joined}`, "/bookings"],
      ...["/wallet", "/wallet/paid?session_id=x", "/profile", "/profile/player-card"],
      ...[`/profile/${playerId}`, ...settings.map((below) => `/settings${below}`)],
    ],
    admin: ["/admin", ...tabs.map((tab) => `/admin/${tab}`)],
  };
}

/** Navigates like the browser's own links. */
async function goTo(page: Page, path: string) {
  await page.evaluate(async (to) => {
    type Routed = { __reactRouterDataRouter: { navigate(to: string): Promise<void> } };
    await (window as unknown as Routed).__reactRouterDataRouter.navigate(to);
  }, path);
}

/** What the page shows. */
async function textOf(page: Page): Promise<string> {
  const text = await page.locator("main").innerText();
  // Spaces have a test of their own (translated.spec.ts): a translator drops those of a typed line.
  return text.replaceAll(MARK, "").replaceAll(/\s+/g, "");
}

for (const way of WAYS) {
  for (const who of ["visitor", "player", "admin"] as const) {
    test(`${who}: from page to page nothing is lost while they are translated, ${way}`, async ({
      page,
      context,
      database,
      signIn,
    }) => {
      if (who !== "visitor") await signIn(who);
      const problems: string[] = [];
      page.on("pageerror", (error) => problems.push(String(error)));
      const all = (await pathsOf(database))[who];
      // LONG=1 takes each way through all pages, otherwise one of them.
      const paths = isLong ? all : all.filter((_, n) => n % WAYS.length === WAYS.indexOf(way));
      const plain = await context.newPage();
      await translatePages(page, way);
      for (const one of [page, plain]) {
        await one.goto(paths[0]!);
        await one.waitForFunction(() => "__reactRouterDataRouter" in window);
      }
      for (const path of paths) {
        // What other tests change between the two is on both the next time.
        await expect(async () => {
          await Promise.all([goTo(page, path), goTo(plain, path)]);
          await expect(async () => {
            expect(await textOf(page), path).toBe(await textOf(plain));
          }).toPass({ timeout: 3_000 });
        }).toPass({ timeout: 30_000 });
        await expect.poll(() => page.locator("main").innerText(), path).toContain(MARK);
      }
      expect(problems).toEqual([]);
    });
  }
}

const ELSEWHERE = new Set([
  // Without scripts there is nothing to follow.
  ...["public/landing", "public/offline"],
  // What a first visit shows is gone at the second; e2e/translated.spec.ts follows the first.
  "chat/show",
  // For what the demo data has not.
  ...["auth/code", "admin/inbox/mail", "admin/inbox/ticket", "demo/portal"],
  ...["admin/games/cancel/cancellation", "admin/games/plan/delete"],
]);

test("the walks come to every page with scripts that the router has", async ({ database }) => {
  const paths = Object.values(await pathsOf(database)).flat();
  const seen = new Set(paths.flatMap((path) => routeFiles(path.split("?", 1)[0]!)));
  expect(
    listPages().filter(
      (file) => !seen.has(file) && !ELSEWHERE.has(file.slice("routes/".length, -".tsx".length)),
    ),
  ).toEqual([]);
});
