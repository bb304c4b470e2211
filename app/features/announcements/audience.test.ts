import { describe, expect, test } from "vitest";
import { EVERYBODY, TEXT, useAnnouncements } from "#test/announcements.ts";
import { aPlayer, aVenue, markDeleted } from "#test/fixtures.ts";
import { aBooking } from "#test/notifications.ts";
import { saveSettings } from "#app/features/notifications/settings.server.ts";

const scenario = useAnnouncements();
const { database, sent, count, send, queue, deliver, addresses, addressOf, progress, suspend } =
  scenario;

describe("who gets an announcement", () => {
  test("everybody with an open account", async () => {
    const [open, suspended, gone] = await Promise.all(
      ["Bo", "Cy", "Di"].map((name) => aPlayer(database.db, { name })),
    );
    await suspend(suspended!);
    await markDeleted(database.db, gone!);
    expect(await count(EVERYBODY)).toBe(2);
    const id = await send();
    await queue();
    await deliver();
    expect(addresses()).toEqual(
      [await addressOf(scenario.actor), await addressOf(open!)].toSorted(),
    );
    expect(await progress(id)).toMatchObject({ recipients: 2, sent: 2, waiting: 0, underWay: 0 });
  });

  test("who has played lately, and came", async () => {
    const playedAt = async (startsIn: number, status?: "NoShow") => {
      const { bookingId, playerId } = await aBooking(database, {
        startsIn,
        bookedAt: startsIn - 9,
      });
      const bookings = database.db.updateTable("bookings").where("id", "=", bookingId);
      if (status) await bookings.set({ attendance: status }).execute();
      return playerId;
    };
    await playedAt(-24 * 10);
    await playedAt(-24 * 61);
    await playedAt(-24 * 10, "NoShow");
    await playedAt(24);
    expect(await count({ audience: "played", days: 60 })).toBe(1);
    expect(await count({ audience: "played", days: 62 })).toBe(2);
    expect(await count({ audience: "played", days: 9 })).toBe(0);
  });

  test("a venue's players: who has played there within a year, or has a spot to come", async () => {
    const venue_id = await aVenue(database.db);
    const here = { venue_id };
    await aBooking(database, { ...here, startsIn: 48 });
    await aBooking(database, { ...here, startsIn: -24 * 360, bookedAt: -24 * 361 });
    await aBooking(database, { ...here, startsIn: -24 * 366, bookedAt: -24 * 367 });
    await aBooking(database, { startsIn: 48 });
    const { gameId } = await aBooking(database, { ...here, startsIn: 72 });
    await database.pool.query("update games set status = 'Cancelled' where id = $1", [gameId]);
    expect(await count({ audience: "venue", venueId: venue_id })).toBe(2);
  });

  test("news leaves out who has switched it off, what is important does not", async () => {
    await saveSettings(database.db, scenario.actor, { news: { email: false } });
    await aPlayer(database.db);
    expect([await count(EVERYBODY), await count(EVERYBODY, "important-announcement")]).toEqual([
      1, 2,
    ]);
  });
});

describe("an announcement's email", () => {
  test("of news can be turned off with one click and by a link", async () => {
    await send();
    await queue();
    await deliver();
    const [mail] = sent;
    expect(mail).toMatchObject({ subject: "New games", replyTo: "hello@kickabout.example" });
    expect(mail!.headers).toMatchObject({ "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" });
    expect(mail!.text).toContain("Come and play.\n\nIn Töölö.");
    expect(mail!.text).toContain("“News from the organisers” is on in your settings");
  });

  test("that is important has no such link, and says why", async () => {
    await send({ ...EVERYBODY, kind: "important-announcement", ...TEXT });
    await queue();
    await deliver();
    expect(sent[0]!.headers).toBeUndefined();
    expect(sent[0]!.html).not.toContain("unsubscribe");
    expect(sent[0]!.text).toContain("it cannot be switched off");
  });
});
