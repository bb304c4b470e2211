import sharp from "sharp";
import { beforeAll, describe, expect, test } from "vitest";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { aGame, aPlayer, aVenue, hoursLater, NOW } from "#test/fixtures.ts";
import { openSite } from "#test/whole-site.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import { findGame } from "#app/features/games/games.server.ts";
import type { App } from "#app/routes/context.server.ts";
import { loadGamePage } from "./game-page.server.ts";
import { toSocialText } from "./social-drawing.server.tsx";

const database = useDatabase();
let app: App;
beforeAll(() => {
  app = testApp(database, () => NOW);
});

async function ask(gameId: string, search = "", as = app) {
  const site = await openSite(as);
  const response = await site(`/events/${encodeURIComponent(gameId)}/social.png${search}`);
  const bytes = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, bytes };
}
const join = async (gameId: string, name = "Cleo") => {
  const playerId = await aPlayer(app.db, { name, credits: 10 });
  await joinGame(app.db, app.jobs, { gameId, playerId, now: NOW });
};
const wordsOf = async (gameId: string, now = NOW) =>
  toSocialText((await findGame(app.db, gameId, now))!, now);

describe("the words", () => {
  test("say when, where and how many spots are left", async () => {
    const gameId = await aGame(app.db, { spots: 2 });
    expect(await wordsOf(gameId)).toMatchObject({
      weekday: "MONDAY",
      day: "Nov 23",
      start: "12:00",
      end: "13:30",
      venue: "Campus Hall",
      city: "Espoo",
      badge: { text: "2 spots left", tone: "green" },
    });
    await join(gameId);
    await join(gameId);
    expect((await wordsOf(gameId)).badge).toEqual({ text: "0 spots left", tone: "red" });
  });

  test("say that it has started, was played or is cancelled", async () => {
    const gameId = await aGame(app.db, { startsIn: 10 });
    const badge = async (now: Date) => (await wordsOf(gameId, now)).badge.text;
    expect(await badge(hoursLater(9.9))).toBe("10 spots left");
    expect(await badge(hoursLater(10))).toBe("Already started");
    expect(await badge(hoursLater(11.5))).toBe("Full time");
    const done = await aGame(app.db, { status: "Completed" });
    expect((await wordsOf(done)).badge.text).toBe("Full time");
    const cancelled = await aGame(app.db, { status: "Cancelled" });
    expect((await wordsOf(cancelled)).badge).toEqual({ text: "Cancelled", tone: "red" });
  });
});

describe("the picture", () => {
  test.each([[["/photos/toolo-cage-1-1280.webp"]], [[]], [["https://elsewhere.example/x.png"]]])(
    "is 1200 × 630 and shows something, whatever the venue's photo (%j)",
    async (photo_urls) => {
      const gameId = await aGame(app.db, { venue_id: await aVenue(app.db, { photo_urls }) });
      const { status, headers, bytes } = await ask(gameId);
      expect([status, headers.get("Content-Type")]).toEqual([200, "image/png"]);
      const image = sharp(bytes);
      expect(await image.metadata()).toMatchObject({ format: "png", width: 1200, height: 630 });
      expect((await image.stats()).channels[0]!.stdev).toBeGreaterThan(10);
      // Small enough for every service that shows previews.
      expect(bytes.length).toBeLessThan(300_000);
    },
  );

  test("the page names it by its content, and that address never changes", async () => {
    const gameId = await aGame(app.db);
    const address = async () => (await loadGamePage(app, null, gameId))!.socialPicture;
    const before = await address();
    expect(before).toMatch(new RegExp(`^/events/${gameId}/social\\.png\\?v=[\\w-]{22}$`));
    const search = new URL(before, app.env.appUrl).search;
    const named = await ask(gameId, search);
    expect(named.headers.get("Cache-Control")).toContain("immutable");
    expect((await ask(gameId)).headers.get("Cache-Control")).toBe("public, no-cache");
    await join(gameId);
    expect(await address()).not.toBe(before);
    const stale = await ask(gameId, search);
    expect(stale.headers.get("Cache-Control")).toBe("public, no-cache");
    expect(stale.bytes.equals(named.bytes)).toBe(false);
    const later = { ...app, now: () => hoursLater(47.9) };
    expect((await loadGamePage(later, null, gameId))!.socialPicture).toBe(await address());
    const over = { ...app, now: () => hoursLater(49) };
    expect((await loadGamePage(over, null, gameId))!.socialPicture).not.toBe(await address());
  });

  test("a cancelled one says so, a draft has none, and what is no id has none", async () => {
    const venue_id = await aVenue(app.db);
    const wish = { venue_id, startsIn: 70 };
    const [open, cancelled] = [
      await ask(await aGame(app.db, wish)),
      await ask(await aGame(app.db, { ...wish, status: "Cancelled" })),
    ];
    expect(cancelled.status).toBe(200);
    expect(cancelled.bytes.equals(open.bytes)).toBe(false);
    expect((await ask(await aGame(app.db, { status: "Draft" }))).status).toBe(404);
    for (const id of ["1", "../x", "%00", `${crypto.randomUUID()}\0`, crypto.randomUUID()]) {
      expect((await ask(id)).status, id).toBe(404);
    }
  });

  test("who plays changes nothing but the number of spots", async () => {
    const venue_id = await aVenue(app.db);
    const [one, other] = [await aGame(app.db, { venue_id }), await aGame(app.db, { venue_id })];
    await join(one, "Wilhelmina");
    await join(other, "Thaddeus");
    const [a, b] = [await ask(one), await ask(other)];
    expect(a.bytes.equals(b.bytes)).toBe(true);
  });
});
