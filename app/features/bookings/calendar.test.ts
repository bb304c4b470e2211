import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type CalendarEvent, eventsOf } from "#test/calendar.ts";
import { useDatabase } from "#test/db.ts";
import { aGame, aPlayer, aVenue, hoursLater, NOW } from "#test/fixtures.ts";
import { statementsSent } from "#test/plans.ts";
import { cancelBooking } from "./cancel-booking.server.ts";
import { cancelGame } from "#app/features/organise/cancel-game.server.ts";
import { findFeedCalendar, findGameCalendar } from "./calendar.server.ts";
import { findFeedToken, renewFeed, turnOffFeed, turnOnFeed } from "./calendar-feeds.server.ts";
import { joinGame } from "./join-game.server.ts";

const SITE = {
  appUrl: "https://kickabout.test",
  brandName: 'The "Kickabout"',
  contactEmail: "hello@kickabout.test",
};
const database = useDatabase();
let playerId: string;
beforeEach(async () => {
  playerId = await aPlayer(database.db, { credits: 50 });
});

async function join(gameId: string, who = playerId): Promise<string> {
  const joined = await joinGame(database.db, database.jobs, { gameId, playerId: who, now: NOW });
  if (!joined.ok) throw new Error(joined.reason);
  return joined.bookingId;
}

type Viewer = Partial<Parameters<typeof findGameCalendar>[2]>;
const fileOf = (gameId: string, viewer: Viewer = {}) =>
  findGameCalendar(database.db, SITE, { gameId, now: NOW, ...viewer });

async function eventOf(gameId: string, viewer: Viewer = {}): Promise<CalendarEvent> {
  const events = eventsOf((await fileOf(gameId, viewer))!);
  expect(events).toHaveLength(1);
  return events[0]!;
}

const squeezed = (text: string) => text.replace(/\s+/g, " ");
const run = (text: string, values: unknown[] = []) => database.pool.query(text, values);

describe("a game's file", () => {
  test("says what, when and where, and how to cancel", async () => {
    const gameId = await aGame(database.db, {
      level: "Relaxed",
      description: "Bring both shirts.",
    });
    const event = await eventOf(gameId);
    expect(event).toMatchObject({
      uid: gameId,
      sequence: 1,
      status: "CONFIRMED",
      summary: "Football at Campus Hall",
      location: "Campus Hall, Otakaari 1, Espoo",
      start: hoursLater(48),
      end: hoursLater(49.5),
    });
    expect(event.description).toMatch(
      /^Indoor futsal\n\n5v5, indoor, relaxed\n\nBring both shirts\.\n\nA paid game/,
    );
    expect(event.description).toContain(`\n\nhttps://kickabout.test/events/${gameId}`);
    await join(gameId);
    expect((await eventOf(gameId, { playerId })).description).toContain(
      "\n\nCancel by Sun 12:00 to get 9.01 credits back.\n\n",
    );
  });

  test("keeps its UID and counts up when the game moves and when it is cancelled", async () => {
    const gameId = await aGame(database.db);
    await join(gameId);
    const before = await eventOf(gameId, { playerId });
    await run("update games set start_time = '20:00', end_time = '21:00' where id = $1", [gameId]);
    const moved = await eventOf(gameId, { playerId });
    expect(moved).toMatchObject({ uid: before.uid, sequence: 2, status: "CONFIRMED" });
    expect(moved.start).toEqual(new Date("2026-11-23T18:00:00Z"));
    await cancelGame(database.db, database.jobs, { gameId, now: NOW });
    const off = await eventOf(gameId, { playerId });
    expect(off).toMatchObject({ uid: before.uid, sequence: 3, status: "CANCELLED" });
    expect(off.summary).toBe("Cancelled: Football at Campus Hall");
    expect(off.description).not.toMatch(/refund|credits/);
  });

  test("has a new date of change when the game or its venue is edited, not when a seat is taken", async () => {
    const venue_id = await aVenue(database.db);
    const gameId = await aGame(database.db, { venue_id });
    // Writes as a replica: no trigger takes it for an edit.
    const age = () =>
      run(`begin; set local session_replication_role = replica;
        update games set changed_at = now() - interval '1 day';
        update venues set changed_at = now() - interval '1 day'; commit`);
    await age();
    const changed = async () => Date.now() - (await eventOf(gameId)).changed.getTime() < 3_600_000;
    await join(gameId);
    expect(await changed()).toBe(false);
    await run("update games set title = 'Cup' where id = $1", [gameId]);
    expect(await changed()).toBe(true);
    await age();
    await run("update venues set name = 'Arena' where id = $1", [venue_id]);
    expect(await changed()).toBe(true);
    expect((await eventOf(gameId)).location).toMatch(/^Arena, /);
  });

  test("is there for everybody who may see the page of the game", async () => {
    const [draft, off] = [await aGame(database.db, { status: "Draft" }), await aGame(database.db)];
    await join(off);
    await cancelGame(database.db, database.jobs, { gameId: off, now: NOW });
    const stranger = await aPlayer(database.db);
    for (const gameId of [draft, off]) {
      expect(await fileOf(gameId)).toBeNull();
      expect(await fileOf(gameId, { playerId: stranger })).toBeNull();
    }
    expect((await eventOf(draft, { playerId: stranger, isAdmin: true })).status).toBe("TENTATIVE");
    expect((await eventOf(off, { playerId })).status).toBe("CANCELLED");
    for (const gameId of ["1", "x'y", crypto.randomUUID()]) expect(await fileOf(gameId)).toBeNull();
  });

  test("has the organiser's notes no longer once the game is over", async () => {
    const gameId = await aGame(database.db, { player_notes: "Gate 7137" });
    await join(gameId);
    const textAt = async (now: Date) => (await eventOf(gameId, { playerId, now })).description;
    expect(await textAt(hoursLater(49))).toContain("Gate 7137");
    expect(await textAt(hoursLater(49.5))).not.toMatch(/7137|credits back/);
  });

  test("has the organiser's notes for those who are in, and for nobody else", async () => {
    const venue_id = await aVenue(database.db, { player_notes: "Gate code 7137" });
    const gameId = await aGame(database.db, { venue_id, player_notes: "Ask for Pekka" });
    const bookingId = await join(gameId);
    const stranger = await aPlayer(database.db);
    const { description } = await eventOf(gameId, { playerId });
    expect(description).toContain("\n\nFrom the organiser:\nAsk for Pekka\n\nGate code 7137\n\n");
    await cancelBooking(database.db, database.jobs, { bookingId, playerId, now: NOW });
    for (const viewer of [{}, { playerId: stranger }, { playerId }, { isAdmin: true }]) {
      expect(await fileOf(gameId, viewer)).not.toMatch(/7137|Pekka/);
    }
  });

  // In these nights the clocks change, at 4:00 and at 3:00.
  test.each([
    ["2026-10-25", "02:00", "05:30", "2026-10-24T23:00:00Z", "2026-10-25T03:30:00Z"],
    ["2026-10-25", "18:00", "19:30", "2026-10-25T16:00:00Z", "2026-10-25T17:30:00Z"],
    ["2027-03-28", "02:00", "05:30", "2027-03-28T00:00:00Z", "2027-03-28T02:30:00Z"],
    ["2027-03-28", "18:00", "19:30", "2027-03-28T15:00:00Z", "2027-03-28T16:30:00Z"],
  ])("on %s from %s to %s is at the right instants", async (date, from, to, startsAt, endsAt) => {
    const gameId = await aGame(database.db, { date, start_time: from, end_time: to });
    const { start, end } = await eventOf(gameId);
    expect([start, end]).toEqual([new Date(startsAt), new Date(endsAt)]);
  });

  test.each([
    "Äijät, öisin; 5\\5",
    "Cup\r\nATTENDEE:mailto:a@b.example\r\nEND:VEVENT\r\nBEGIN:VEVENT",
    "\u2028Zero\u0000\u0007 \u{1f1eb}\u{1f1ee}\u{26bd}".repeat(6),
    "ä".repeat(120),
    "BEGIN:VALARM:END;X=\"1\":'2'",
    "5\\, 5\\; \\\\ 5",
  ])("stays one event with exactly its text: %j", async (text) => {
    const title = text.replaceAll("\u0000", "").slice(0, 120).toWellFormed();
    const notes = `${title}\n\n${"õ".repeat(300)}, ${title}`;
    const venue_id = await aVenue(database.db, { name: title, address: title });
    const gameId = await aGame(database.db, { title, description: notes, venue_id });
    const event = await eventOf(gameId);
    const line = title.replace(/[\p{Cc}\p{Zl}]+/gu, " ").trim();
    expect(squeezed(event.summary)).toBe(squeezed(`Football at ${line}`));
    expect(squeezed(event.location)).toBe(squeezed([line, line, "Espoo"].join(", ")));
    const kept = notes.replace(/\r\n|[\u2028\u2029]/g, "\n").replace(/[^\P{Cc}\n]/gu, " ");
    expect(squeezed(event.description)).toContain(squeezed(`\n\n${kept}\n\n`));
    const file = (await fileOf(gameId))!;
    expect(file).toMatch(/\r\nEND:VCALENDAR\r\n$/);
    for (const row of file.split("\r\n")) {
      expect(Buffer.byteLength(row), row).toBeLessThanOrEqual(75);
      expect(row).not.toMatch(/\p{Cc}/u);
    }
  });

  test("is published by the organiser, invites nobody and rings no alarm", async () => {
    const text = (await fileOf(await aGame(database.db)))!;
    expect(text).toContain("METHOD:PUBLISH\r\n");
    expect(text.replaceAll("\r\n ", "")).toContain(
      `ORGANIZER;CN="The 'Kickabout'":mailto:hello@kickabout.test`,
    );
    expect(text).not.toMatch(/ATTENDEE|VALARM|RSVP|VTIMEZONE|TZID/);
  });
});

describe("a player's feed", () => {
  const feedOf = async (now = NOW, who = playerId) => {
    const token = (await findFeedToken(database.db, who))!;
    return findFeedCalendar(database.db, SITE, { token, now });
  };
  beforeEach(() => turnOnFeed(database.db, playerId));

  test("has the games that one is in, cancelled ones as such, for 90 days after", async () => {
    const [soon, off, left] = [
      await aGame(database.db, { startsIn: 30 }),
      await aGame(database.db, { startsIn: 72 }),
      await aGame(database.db, { startsIn: 60, player_notes: "Gate 7137" }),
    ];
    await join(soon);
    await join(off);
    const playing = { bookingId: await join(left), playerId };
    await aGame(database.db);
    expect(eventsOf((await feedOf())!).map(({ uid }) => uid)).toEqual([soon, left, off]);
    expect((await feedOf())!.replaceAll("\r\n ", "")).toContain("Gate 7137");
    await cancelBooking(database.db, database.jobs, { ...playing, now: NOW });
    await join(left, await aPlayer(database.db, { credits: 50 }));
    for (const gameId of [off, left]) {
      await cancelGame(database.db, database.jobs, { gameId, now: NOW });
    }
    const events = eventsOf((await feedOf())!).map(({ uid, status }) => [uid, status]);
    expect(events.join(" ")).toBe(`${soon},CONFIRMED ${off},CANCELLED`);
    expect(await feedOf()).not.toContain("7137");
    const after = (days: number) => hoursLater(31.5 + days * 24);
    expect(eventsOf((await feedOf(hoursLater(31.4 + 90 * 24)))!)).toHaveLength(2);
    expect(eventsOf((await feedOf(after(90)))!).map(({ uid }) => uid)).toEqual([off]);
    // No draft, and no game that one is not in any more.
    await run("update games set status = 'Draft' where id = $1", [soon]);
    await run("update games set status = 'Published' where id = $1", [off]);
    const later = [0, 72.5, 80].map((hours) => feedOf(hoursLater(hours)));
    expect((await Promise.all(later)).join()).not.toContain("VEVENT");
  });

  test("shows once a game that one has left and joined again", async () => {
    const gameId = await aGame(database.db);
    const bookingId = await join(gameId);
    await cancelBooking(database.db, database.jobs, { bookingId, playerId, now: NOW });
    await join(gameId);
    expect(eventsOf((await feedOf())!)).toHaveLength(1);
    await cancelGame(database.db, database.jobs, { gameId, now: NOW });
    expect(eventsOf((await feedOf())!)).toHaveLength(1);
  });

  test("has a name, asks to be read every hour and is empty without games", async () => {
    const text = (await feedOf())!;
    expect(text).toContain('X-WR-CALNAME:The "Kickabout"\r\n');
    expect(text).toContain("REFRESH-INTERVAL;VALUE=DURATION:PT1H\r\n");
    expect(text).not.toContain("BEGIN:VEVENT");
  });

  test("gives the same bytes until something changes", async () => {
    const gameId = await aGame(database.db);
    await join(gameId);
    const text = await feedOf();
    expect(await feedOf(hoursLater(1))).toBe(text);
    await run("update games set title = 'Cup' where id = $1", [gameId]);
    expect(await feedOf(hoursLater(1))).not.toBe(text);
  });

  test("is another one after a renewal, and none once turned off or suspended", async () => {
    const find = (token: string) => findFeedCalendar(database.db, SITE, { token, now: NOW });
    const old = (await findFeedToken(database.db, playerId))!;
    expect(old).toMatch(/^[\w-]{22}$/);
    await turnOnFeed(database.db, playerId);
    expect(await findFeedToken(database.db, playerId)).toBe(old);
    await renewFeed(database.db, playerId, NOW);
    const token = (await findFeedToken(database.db, playerId))!;
    expect([await find(old), await find(`${token}x`), await find("")]).toEqual([null, null, null]);
    expect(await find(token)).toContain("BEGIN:VCALENDAR");
    await run("update users set suspended_at = now(), suspended_reason = 'x' where id = $1", [
      playerId,
    ]);
    expect(await find(token)).toBeNull();
    await run("update users set suspended_at = null, suspended_reason = null where id = $1", [
      playerId,
    ]);
    await turnOffFeed(database.db, playerId);
    expect([await find(token), await findFeedToken(database.db, playerId)]).toEqual([null, null]);
    expect(await renewFeed(database.db, playerId, NOW)).toBe(false);
  });

  describe("of 200 games", () => {
    beforeAll(async () => {
      const venue_id = await aVenue(database.db, { name: "Great Hall" });
      await run(
        `insert into games (title, date, start_time, end_time, status, max_players, venue_id)
         select 'Game ' || n, $1::date + n, '18:00', '19:30', 'Published', 10, $2
         from generate_series(1, 200) n`,
        ["2026-11-21", venue_id],
      );
    });

    test("is one statement", async () => {
      await run(
        `insert into bookings (user_id, game_id, payment_status)
         select $1, games.id, 'Paid' from games join venues on venues.id = venue_id
         where venues.name = 'Great Hall'`,
        [playerId],
      );
      const token = (await findFeedToken(database.db, playerId))!;
      let text: string | null = null;
      const statements = await statementsSent(database.pool, async (db) => {
        text = await findFeedCalendar(db, SITE, { token, now: NOW });
      });
      expect(statements).toHaveLength(1);
      expect(eventsOf(text!)).toHaveLength(200);
    });
  });
});
