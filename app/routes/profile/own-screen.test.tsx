import { expect, test } from "vitest";
import { playedGames } from "#test/games.ts";
import { useProfilePage } from "#test/profile-page.ts";
import { buttonsOf, headingsOf, linksOf, renderPage, textOf } from "#test/screen.tsx";
import Profile from "./show.tsx";

const page = useProfilePage();

// spec: 1.8, 2.114, 2.115, 2.116, 2.117, 2.118, 2.119
test("one's own profile: who one is, what can be done, and what is counted", async () => {
  await page.app.db
    .updateTable("profiles")
    .set({ nationality: "Finland", nationality_code: "FI", position: "GK" })
    .where("user_id", "=", page.id)
    .execute();
  await playedGames(page.app.db, page.id, 5);
  const html = renderPage(Profile, { loaderData: await page.open() });
  expect(headingsOf(html, 1)[0]).toMatch(/^Ben Numb/);
  expect(html).toMatch(/<img src="\/flags\/FI\.svg"[^>]*>Finland/);
  expect(textOf(html)).toContain("|25 years|GK|Finland|");
  expect(buttonsOf(html)).toEqual(expect.arrayContaining(["Edit profile", "Claim 10 Credits!"]));
  expect(linksOf(html)).toContain("MY PLAYER CARD → /profile/player-card");
  expect(html).toMatch(/<a[^>]* aria-label="Settings"[^>]* href="\/settings"/);
  for (const heading of ["Monthly challenge", "My stats", "Wallet history"]) {
    expect(headingsOf(html, 2)).toContain(heading);
  }
  expect(textOf(html)).toContain("|Games played|5|Games this month|5|");
  expect(textOf(html)).toContain("|Events joined 5 · Events created 0|");
});
