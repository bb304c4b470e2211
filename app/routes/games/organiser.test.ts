import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { anAdmin } from "#test/admin.ts";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { aGame, aPlayer, aVenue, hoursLater, NOW } from "#test/fixtures.ts";
import { textOf } from "#test/screen.tsx";
import { signIn } from "#test/visit.ts";
import { openSite } from "#test/whole-site.ts";
import { cancelBooking } from "#app/features/bookings/cancel-booking.server.ts";
import { cancelGame } from "#app/features/organise/cancel-game.server.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import { messagePlayers } from "#app/features/organise/message-players.server.ts";
import type { App } from "#app/routes/context.server.ts";

const SECRETS = /Gate code 7137|Pekka|Bring bibs|White shirts/;
const database = useDatabase();
let now = NOW;
let app: App;
let admin: string;
let player: { id: string; cookie: string };
beforeAll(async () => {
  app = testApp(database, () => now);
  admin = (await anAdmin(app)).id;
});
beforeEach(async () => {
  now = NOW;
  const id = await aPlayer(app.db, { credits: 50 });
  player = { id, cookie: await signIn(app, id) };
});

async function join(gameId: string, playerId = player.id): Promise<string> {
  const joined = await joinGame(app.db, app.jobs, { gameId, playerId, now: NOW });
  if (!joined.ok) throw new Error(joined.reason);
  return joined.bookingId;
}

async function announce(gameId: string, subject: string, message: string, hours: number) {
  const sent = { gameId, actorId: admin, subject, message, now: hoursLater(hours) };
  const result = await messagePlayers(app.db, app.jobs, {
    messageId: crypto.randomUUID(),
    ...sent,
  });
  expect(result.ok).toBe(true);
}

/** A game with notes of every kind, which another player is in. */
async function anAnnouncedGame() {
  const venue_id = await aVenue(app.db, { player_notes: "Gate code 7137\nPekka lets you in." });
  const gameId = await aGame(app.db, { venue_id, player_notes: "Bring bibs & a ball." });
  await join(gameId, await aPlayer(app.db, { credits: 50 }));
  await announce(gameId, "Shirts", "White shirts, please.", -3);
  await announce(gameId, "Shirts again", "No, dark ones.", -1);
  return gameId;
}

async function pageOf(gameId: string, cookie?: string): Promise<string> {
  return (await (await openSite(app))(`/events/${gameId}`, { cookie })).text();
}

describe("what the organiser writes to those who play", () => {
  test("stands on the page of the game, the newest message first, for those who join later too", async () => {
    const gameId = await anAnnouncedGame();
    await join(gameId);
    const text = textOf(await pageOf(gameId, player.cookie));
    const [, shown = ""] = text.split("|From the organiser|");
    expect(shown).toMatch(/^Bring bibs & a ball\.\|Gate code 7137\nPekka lets you in\.\|/);
    expect(shown).toContain(
      "|Shirts again|Nov 21, 2026, 11:00|No, dark ones.|Shirts|Nov 21, 2026, 09:00|White shirts, please.|",
    );
  });

  test("is there for admins, who need not play", async () => {
    const page = await pageOf(await anAnnouncedGame(), await signIn(app, admin));
    expect(textOf(page)).toContain("|From the organiser|Bring bibs & a ball.|");
  });

  test("is for nobody else: not in the page, its data, its picture's address or its calendar file", async () => {
    const gameId = await anAnnouncedGame();
    const bookingId = await join(gameId);
    await cancelBooking(app.db, app.jobs, { bookingId, playerId: player.id, now: NOW });
    const stranger = await signIn(app, await aPlayer(app.db));
    const ask = await openSite(app);
    const addresses = ["", ".data", ".data?_routes=routes%2Fgames%2Fshow", ".ics"];
    for (const cookie of [undefined, stranger, player.cookie]) {
      for (const suffix of addresses) {
        const response = await ask(`/events/${gameId}${suffix}`, { cookie });
        const body = await response.text();
        expect([response.status, body.length > 300], suffix).toEqual([200, true]);
        expect(body, suffix).not.toMatch(SECRETS);
        expect(body, suffix).not.toContain("From the organiser");
      }
    }
    const venue = app.db.selectFrom("games").select("venue_id").where("id", "=", gameId);
    const { venue_id } = await venue.executeTakeFirstOrThrow();
    for (const path of [`/venues/${venue_id}`, "/venues", "/events", "/"]) {
      expect(await (await ask(path, { cookie: stranger })).text(), path).not.toMatch(SECRETS);
    }
  });

  test("the organiser's part is gone with a cancelled game, and has no heading where it is empty", async () => {
    const gameId = await anAnnouncedGame();
    await join(gameId);
    await cancelGame(app.db, app.jobs, { gameId, now: NOW });
    expect(await pageOf(gameId, player.cookie)).not.toMatch(SECRETS);
    const plain = await aGame(app.db);
    await join(plain);
    expect(await pageOf(plain, player.cookie)).not.toContain("From the organiser");
  });
});

test("the game's page leads organisers to its player list, and nobody else", async () => {
  const gameId = await aGame(app.db);
  await join(gameId);
  const link = `href="/admin/games/${gameId}"`;
  expect(await pageOf(gameId, await signIn(app, admin))).toContain(link);
  for (const cookie of [player.cookie, ""]) {
    expect(await pageOf(gameId, cookie)).not.toContain("/admin");
  }
});

describe("somebody who runs late", () => {
  const lateOn = async (gameId: string, at: Date, cookie = player.cookie) => {
    now = at;
    return (await pageOf(gameId, cookie)).includes("Running late?");
  };

  test("reads the notes until the end, and the messages after it too", async () => {
    const gameId = await anAnnouncedGame();
    await join(gameId);
    now = new Date(hoursLater(49.5).getTime() - 1);
    expect(await pageOf(gameId, await signIn(app, player.id))).toContain("Gate code 7137");
    now = hoursLater(49.5);
    const page = await pageOf(gameId, await signIn(app, player.id));
    expect(page).not.toMatch(/Gate code 7137|Bring bibs/);
    expect(page).toContain("White shirts");
  });

  test("finds the organiser from two hours before kick-off until the end", async () => {
    const gameId = await aGame(app.db, { startsIn: 4 });
    await join(gameId);
    expect(await lateOn(gameId, new Date(hoursLater(2).getTime() - 1))).toBe(false);
    expect(await lateOn(gameId, hoursLater(2))).toBe(true);
    expect(await lateOn(gameId, new Date(hoursLater(5.5).getTime() - 1))).toBe(true);
    expect(await lateOn(gameId, hoursLater(5.5))).toBe(false);
    const other = await signIn(app, await aPlayer(app.db));
    expect(await lateOn(gameId, hoursLater(3), other)).toBe(false);
    expect(await lateOn(gameId, hoursLater(3), await signIn(app, admin))).toBe(false);
    expect(await lateOn(gameId, hoursLater(3), "")).toBe(false);
  });

  test("can write an email about this game, and call where there is a number", async () => {
    const gameId = await aGame(app.db, { startsIn: 1 });
    await join(gameId);
    const page = await pageOf(gameId, player.cookie);
    expect(textOf(page)).toMatch(/\|Running late\?[| ]+Write to the organiser\|/);
    const subject = encodeURIComponent("Campus Hall, Nov 21, 13:00");
    expect(page).toContain(`href="mailto:hello@kickabout.example?subject=${subject}"`);
    const ask = await openSite({ ...app, env: { ...app.env, contactPhone: "+358 40 123 4567" } });
    const withPhone = await (await ask(`/events/${gameId}`, { cookie: player.cookie })).text();
    expect(textOf(withPhone)).toMatch(/\|Running late\?[| ]+Call or write to the organiser\|/);
    expect(withPhone).toContain('href="tel:+358401234567"');
  });
});
