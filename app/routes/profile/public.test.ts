import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { signIn, visit } from "#test/visit.ts";
import { ada, aVenue, ben, hoursLater, markDeleted, NOW } from "#test/fixtures.ts";
import { aPlayedGame, playedGames } from "#test/games.ts";
import { openSite } from "#test/whole-site.ts";
import { findCountry } from "#app/features/players/countries.server.ts";
import { editProfile } from "#app/features/players/profiles.server.ts";
import type { App } from "#app/routes/context.server.ts";
import { loader } from "./public.tsx";
import { loader as ownLoader } from "./show.tsx";

const database = useDatabase();
let app: App;
let me: string;
let cookie: string;
beforeAll(() => {
  app = testApp(database, () => NOW);
});
beforeEach(async () => {
  me = await ben(app.db);
  cookie = await signIn(app, me);
});

const open = (userId: string, as = cookie) =>
  visit(app, loader, { path: `/profile/${encodeURIComponent(userId)}`, cookie: as });

/** Every text that an object holds. */
function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return value && typeof value === "object" ? Object.values(value).flatMap(textsIn) : [];
}

describe("another's profile", () => {
  // spec: 2.25, 3.26, 3.27, 6.7, 7.32
  test("exactly what may be seen", async () => {
    const them = await ada(app.db);
    await playedGames(app.db, them, 2);
    const { status, data } = await open(them);
    expect(status).toBe(200);
    expect(data).toEqual({
      player: {
        name: expect.stringMatching(/^Ada Number/),
        profilePictureUrl: null,
        schoolYear: "Master",
        major: "Physics",
        position: null,
        country: null,
        isDownToPlay: false,
        sportsInterests: [],
        stats: {
          numbers: [
            { label: "Games played", value: "2" },
            { label: "Games this month", value: "2" },
          ],
          events: "Events joined 2 · Events created 0",
        },
      },
    });
    const text = JSON.stringify(data);
    for (const secret of ["@", "2001", "05-17", "100", "wallet", them]) {
      expect(text).not.toContain(secret);
    }
  });

  test("the page shows all that its loader reads", async () => {
    const them = await ada(app.db);
    await editProfile(app.db, them, {
      ...{ firstName: "Quillonia", lastName: "Zephyrinus", dateOfBirth: "2001-05-17" },
      ...{ position: "GK", nationality: findCountry("FI"), isDownToPlay: true },
      sportsInterests: ["Futsal", "Quidditch"],
    });
    const { data } = await open(them);
    const html = await (await (await openSite(app))(`/profile/${them}`, { cookie })).text();
    const page = html.slice(html.indexOf("<main"), html.indexOf("</main>"));
    expect(page).toContain("Down to play");
    const texts = textsIn(data);
    expect(texts.length).toBeGreaterThan(7);
    expect(texts.filter((text) => !page.includes(text))).toEqual([]);
  });

  test("results are counted once they are recorded, and the favourite venue is not for others", async () => {
    const them = await ada(app.db);
    const venue_id = await aVenue(app.db, { name: "Secret Cage" });
    for (const weeksAgo of [0, 1, 2]) {
      const endedAt = hoursLater(-24 - weeksAgo * 7 * 24);
      await aPlayedGame(app.db, { playerId: them, endedAt, game: { venue_id } });
    }
    await app.db
      .updateTable("bookings")
      .set({ goals: 1, has_won: false })
      .where("user_id", "=", them)
      .execute();
    const { data } = await open(them);
    expect(data).toMatchObject({
      player: {
        stats: {
          numbers: [
            { label: "Games played", value: "3" },
            { label: "Games this month", value: "3" },
            { label: "Weeks in a row", value: "3" },
            { label: "Total wins", value: "0" },
            { label: "Total goals", value: "3" },
          ],
        },
      },
    });
    expect(JSON.stringify(data)).not.toContain("Cage");
    const own = await visit(app, ownLoader, { path: "/profile", cookie: await signIn(app, them) });
    expect(own.data).toMatchObject({ favouriteVenue: "Secret Cage" });
  });

  // spec: 2.123
  test("one's own leads to /profile, however the id is written", async () => {
    for (const id of [me, me.toUpperCase()]) {
      const { status, headers } = await open(id);
      expect([status, headers.get("Location")]).toEqual([302, "/profile"]);
    }
  });

  // spec: 2.124, 8.41
  test.each([crypto.randomUUID(), "none", "player-cards", "' or 1=1 --", "\0", "1".repeat(5_000)])(
    "no player has the id %j",
    async (id) => {
      expect(await open(id)).toMatchObject({ status: 404, data: null });
    },
  );

  test("a deleted account has no profile", async () => {
    const gone = await ada(app.db);
    await markDeleted(app.db, gone);
    expect(await open(gone)).toMatchObject({ status: 404, data: null });
  });

  // spec: 6.7
  test("signed out: to the front page, for every id", async () => {
    for (const id of [me, crypto.randomUUID()]) {
      const { status, headers } = await open(id, "");
      expect([status, headers.get("Location")]).toEqual([302, "/"]);
    }
  });
});
