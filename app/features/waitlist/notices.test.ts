import { describe, expect, test } from "vitest";
import { mailJobs, markSent } from "#test/notices.ts";
import { useDatabase } from "#test/db.ts";
import { aPlayer, hoursLater, markDeleted, NOW } from "#test/fixtures.ts";
import { linkIn, entryMails } from "#test/entry-mails.ts";
import { bookingOf, statusesIn, waitlistOf } from "#test/waitlist.ts";
import type { WaitMode } from "#app/platform/schema.ts";
import { cancelGame } from "#app/features/organise/cancel-game.server.ts";
import type { UntilHours } from "./rules.ts";
import { promotionJobs } from "./promote-waiting.server.ts";

const database = useDatabase();
const list = waitlistOf(database);
const { sent, clock, tools, send } = entryMails(database);

interface Wish {
  mode?: WaitMode;
  startsIn?: number;
  until?: UntilHours;
}

/** Ada waits for the only spot, and it opens. */
async function aFreedSpot(wish: Wish = {}) {
  const { mode = "auto", startsIn = 48, until = 0 } = wish;
  const { gameId, seat } = await list.fullGame({ startsIn });
  const playerId = await aPlayer(database.db, { name: "Ada", credits: 10 });
  const id = await list.wait(gameId, playerId, { mode, until });
  await list.cancel(seat);
  return { gameId, playerId, id };
}

describe("who is booked from the list", () => {
  const mailOf = async (startsIn: number) => {
    const { gameId, playerId } = await aFreedSpot({ startsIn });
    await list.promote(gameId);
    const { id: bookingId } = await bookingOf(database.db, gameId, playerId);
    await mailJobs(tools())["waitlist-booked"]({ bookingId });
    return { gameId, playerId, bookingId, mail: sent[0]! };
  };

  test("reads what was taken, and by when it can be given back", async () => {
    const { gameId, mail } = await mailOf(48);
    expect(mail.to).toMatch(/^ada\d+@uni\.example$/);
    expect(mail.subject).toBe("You're in: Mon 12:00, Nov 23");
    expect(mail.text).toContain("You were on the waitlist. 10 credits were taken.");
    expect(mail.text).toContain("Cancel by Sun 12:00 to get 9.01 credits back.");
    expect(linkIn(mail)).toBe(`http://kickabout.test/events/${gameId}`);
    expect(mail.attachments?.[0]?.filename).toBe("game.ics");
  });

  test("late reads until when it can be given back for the whole price", async () => {
    const { mail } = await mailOf(20);
    expect(mail.text).toContain("Free cancellation until Sat 12:30.");
  });

  test("reads nothing after having given the spot back", async () => {
    const { gameId, playerId } = await aFreedSpot();
    await list.promote(gameId);
    const { id: bookingId } = await bookingOf(database.db, gameId, playerId);
    await list.cancel({ bookingId, playerId });
    await mailJobs(tools())["waitlist-booked"]({ bookingId });
    expect(sent).toEqual([]);
  });
});

describe("who is asked first", () => {
  test("reads until when the spot is held, with a link that books nothing by itself", async () => {
    const { gameId, id } = await aFreedSpot({ mode: "ask" });
    await list.promote(gameId);
    const mail = await send("spot-offered", id);
    expect(mail?.subject).toBe("A spot for you until Sat 14:00: Mon 12:00, Nov 23");
    expect(mail?.text).toContain("It is held for you until Sat 14:00.");
    expect(mail?.text).toContain("After that somebody else may get it, and you stay on");
    expect(linkIn(mail)).toBe(`http://kickabout.test/events/${gameId}?offer=1#join`);
  });

  test("reads of an offer that ends at the chosen time that it is the last", async () => {
    const { id, gameId } = await aFreedSpot({ mode: "ask", until: 12 });
    clock.now = hoursLater(35.75);
    await list.promote(gameId, clock.now);
    const mail = await send("spot-offered", id);
    expect(mail?.text).toContain("That is the time that you chose: after it you are no longer on");
    expect(mail?.text).not.toContain("you stay on");
  });

  test("reads nothing of an offer that is over or taken", async () => {
    const { gameId, id, playerId } = await aFreedSpot({ mode: "ask" });
    await list.promote(gameId);
    clock.now = hoursLater(2);
    expect(await send("spot-offered", id)).toBeNull();
    clock.now = NOW;
    await list.join(gameId, playerId);
    expect(await send("spot-offered", id)).toBeNull();
  });

  test("reads of a missed offer, and of each new one", async () => {
    const { gameId, id } = await aFreedSpot({ mode: "ask" });
    await list.promote(gameId);
    const first = await send("spot-offered", id);
    await list.promote(gameId, hoursLater(2));
    clock.now = hoursLater(2);
    const second = await send("spot-offered", id);
    expect(second?.key).not.toBe(first?.key);
    expect(await send("offer-missed", id)).toBeNull();
  });

  test("reads of a missed offer how to go on, and of the second how to be asked again", async () => {
    const { gameId, id } = await aFreedSpot({ mode: "ask" });
    for (const hours of [0, 2]) await list.promote(gameId, hoursLater(hours));
    await database.pool.query(
      "update waitlist_entries set status = 'Waiting', offer_expires_at = null where id = $1",
      [id],
    );
    const missed = await send("offer-missed", id);
    // Nobody else waits.
    expect(missed?.subject).toBe("Your offer is over: Mon 12:00, Nov 23");
    expect(missed?.text).not.toContain("went to");
    expect(missed?.text).toContain("behind those who were not asked yet");
    expect(missed?.text).toContain("If the next offer goes unanswered too, we stop asking.");
    for (const hours of [3, 5]) await list.promote(gameId, hoursLater(hours));
    const stopped = await send("offer-missed", id);
    expect(stopped?.subject).toBe("We do not ask you any more: Mon 12:00, Nov 23");
    expect(linkIn(stopped)).toBe(`http://kickabout.test/events/${gameId}#join`);
    expect(stopped?.key).not.toBe(missed?.key);
  });
});

describe("the end of a place", () => {
  const ended = async (end: (gameId: string, playerId: string) => Promise<unknown>) => {
    const { gameId } = await list.fullGame();
    const playerId = await aPlayer(database.db, { name: "Ada" });
    const id = await list.wait(gameId, playerId, { until: 24 });
    await end(gameId, playerId);
    return send("waitlist-ended", id);
  };

  test.each<[string, (gameId: string) => Promise<unknown>, string]>([
    [
      "the game is called off",
      (gameId) => cancelGame(database.db, database.jobs, { gameId, now: NOW }),
      "The organiser had to call the game off.",
    ],
    [
      "the game starts",
      (gameId) => list.promote(gameId, hoursLater(48)),
      "The game has started, and you had no spot.",
    ],
    [
      "the chosen time has come",
      (gameId) => list.promote(gameId, hoursLater(24)),
      "The time that you chose has come, and you had no spot.",
    ],
    [
      "the organiser makes the game a draft again",
      async (gameId) => {
        await database.pool.query("update games set status = 'Draft' where id = $1", [gameId]);
        await list.promote(gameId);
      },
      "The organiser has taken the game off the site.",
    ],
  ])("the player is notified when %s", async (_, end, text) => {
    const mail = await ended(end);
    expect(mail?.subject).toBe("No longer on the waitlist: Mon 12:00, Nov 23");
    expect(mail?.text).toContain(`${text} Nothing was taken from you.`);
    expect(linkIn(mail)).toBe("http://kickabout.test/events");
  });

  test("a deleted account is not notified", async () => {
    const { gameId } = await list.fullGame();
    const playerId = await aPlayer(database.db);
    const id = await list.wait(gameId, playerId);
    await list.promote(gameId, hoursLater(48));
    await markDeleted(database.db, playerId);
    expect(await send("waitlist-ended", id)).toBeNull();
  });
});

test("a late refund is mailed, with the reason", async () => {
  const mails = async (end: (gameId: string) => Promise<unknown>) => {
    const { gameId, seat } = await list.fullGame({ startsIn: 20 });
    await list.cancel(seat);
    await markSent(database, "booking-cancelled");
    await end(gameId);
    await mailJobs(tools())["late-refund"](seat);
    return sent.at(-1);
  };
  const taken = await mails(async (gameId) =>
    list.join(gameId, await aPlayer(database.db, { credits: 10 })),
  );
  expect(taken?.subject).toBe("9.01 credits are back: Sun 08:00, Nov 22");
  expect(taken?.text).toContain("You cancelled late, and somebody took your spot.");
  const off = await mails((gameId) => cancelGame(database.db, database.jobs, { gameId, now: NOW }));
  expect(off?.subject).toBe("10 credits are back: Sun 08:00, Nov 22");
  expect(off?.text).toContain("You cancelled late, and the game was called off.");
});

test("a late cancellation whose spot is taken before its email is sent is one email", async () => {
  const { gameId, seat } = await list.fullGame({ startsIn: 20 });
  await list.wait(gameId, await aPlayer(database.db, { credits: 10 }));
  await list.cancel(seat);
  const { rows } = await database.pool.query(
    `select extract(epoch from start_after - created_on)::int as seconds from pgboss.job
     where data->>'kind' = 'booking-cancelled' and data->>'bookingId' = $1`,
    [seat.bookingId],
  );
  expect(rows).toEqual([{ seconds: 30 }]);
  await list.promote(gameId, NOW);
  const jobs = mailJobs(tools());
  sent.length = 0;
  await jobs["late-refund"](seat);
  expect(sent).toEqual([]);
  await jobs["booking-cancelled"](seat);
  expect(sent).toMatchObject([{ subject: "Booking cancelled: Sun 08:00, Nov 22" }]);
  expect(sent[0]?.text).toContain(
    "You cancelled late, and somebody took your spot. 9.01 credits are back in your wallet.",
  );
});

test("a late refund is mailed by itself where the other email is being sent", async () => {
  const { gameId, seat } = await list.fullGame({ startsIn: 20 });
  await list.cancel(seat);
  await list.join(gameId, await aPlayer(database.db, { credits: 10 }));
  await database.pool.query(
    "update pgboss.job set state = 'active' where data->>'kind' = 'booking-cancelled' and data->>'bookingId' = $1",
    [seat.bookingId],
  );
  sent.length = 0;
  await mailJobs(tools())["late-refund"](seat);
  expect(sent).toMatchObject([{ subject: "9.01 credits are back: Sun 08:00, Nov 22" }]);
});

test("the job of a freed spot promotes", async () => {
  const { gameId } = await aFreedSpot();
  await promotionJobs(tools())["waitlist.promote"]({ gameId });
  expect(await statusesIn(database.db, gameId)).toEqual(["Promoted"]);
});
