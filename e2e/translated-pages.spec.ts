import { isLong } from "#test/long.ts";
import { expect, test } from "./fixtures.ts";
import { listPages, routeFiles } from "./screens/visits.ts";
import { goTo, pathsOf, textOf } from "./translated-walk.ts";
import { MARK, translatePages, WAYS } from "./translator.ts";

for (const [turn, who] of (["visitor", "player", "admin"] as const).entries()) {
  // LONG=1 takes each way through all pages, otherwise everybody one of them through a third.
  for (const way of isLong ? WAYS : [WAYS[turn]!]) {
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
  "games/chat/show",
  // For what the demo data has not.
  ...["auth/code", "admin/inbox/mail", "admin/inbox/ticket", "demo/portal", "wallet/receipt"],
  "admin/announcements/show",
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
