import { beforeEach, describe, expect, test } from "vitest";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { aGame, aPlayer, hoursLater, markDeleted, NOW } from "#test/fixtures.ts";
import { bookingOf, placeOf, statusesIn, suspend, waitlistOf } from "#test/waitlist.ts";
import type { JobData } from "#app/platform/jobs.server.ts";
import type { Mail } from "#app/platform/mail.server.ts";
import { cancelGame } from "./cancel-game.server.ts";
import { bookingJobs } from "./jobs.server.ts";
import { leaveWaitlist } from "./join-waitlist.server.ts";
import { waitlistJobs, waitlistMails } from "./waitlist-jobs.server.ts";

const database = useDatabase();
const list = waitlistOf(database);
const sent: Mail[] = [];
let now = NOW;
beforeEach(() => {
  sent.length = 0;
  now = NOW;
});
const tools = () => {
  const mailer = async (mail: Mail) => void sent.push(mail);
  return { ...testApp(database, () => now), mailer };
};
type PlaceMail = keyof ReturnType<typeof waitlistMails>;

/** Sends the newest queued mail of a place, as the worker does: its text, or null where none is sent. */
async function send(name: PlaceMail, entryId: string): Promise<Mail | null> {
  const { rows } = await database.pool.query<{ data: JobData[PlaceMail] }>(
    "select data from pgboss.job where name = $1 and data->>'entryId' = $2 order by created_on desc limit 1",
    [name, entryId],
  );
  if (!rows[0]) throw new Error(`no ${name}`);
  const before = sent.length;
  await waitlistMails(tools())[name](rows[0].data as never);
  return sent.length > before ? sent.at(-1)! : null;
}
const linkIn = (mail: Mail | null) => /<a[^>]*href="([^"]+)"/.exec(mail?.html ?? "")?.[1];

/** Ada waits for the only spot, and it opens. */
async function aFreedSpot({ mode = "auto" as "auto" | "ask", credits = 10, startsIn = 48 } = {}) {
  const { gameId, seat } = await list.fullGame({ startsIn });
  const playerId = await aPlayer(database.db, { name: "Ada", credits });
  const id = await list.wait(gameId, playerId, { mode });
  await list.cancel(seat);
  return { gameId, playerId, id };
}

describe("who is booked from the list", () => {
  const mailOf = async (startsIn: number) => {
    const { gameId, playerId } = await aFreedSpot({ startsIn });
    await list.promote(gameId);
    const { id: bookingId } = await bookingOf(database.db, gameId, playerId);
    await bookingJobs(tools())["mail.waitlist-booked"]({ bookingId });
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
    await bookingJobs(tools())["mail.waitlist-booked"]({ bookingId });
    expect(sent).toEqual([]);
  });
});

describe("who is asked first", () => {
  test("reads until when the spot is held, with a link that books nothing by itself", async () => {
    const { gameId, id } = await aFreedSpot({ mode: "ask" });
    await list.promote(gameId);
    const mail = await send("mail.spot-offered", id);
    expect(mail?.subject).toBe("A spot for you until Sat 14:00: Mon 12:00, Nov 23");
    expect(mail?.text).toContain("It is held for you until Sat 14:00.");
    expect(linkIn(mail)).toBe(`http://kickabout.test/events/${gameId}?offer=1#join`);
  });

  test("reads nothing of an offer that is over or taken", async () => {
    const { gameId, id, playerId } = await aFreedSpot({ mode: "ask" });
    await list.promote(gameId);
    now = hoursLater(2);
    expect(await send("mail.spot-offered", id)).toBeNull();
    now = NOW;
    await list.join(gameId, playerId);
    expect(await send("mail.spot-offered", id)).toBeNull();
  });

  test("reads of a missed offer, and of each new one", async () => {
    const { gameId, id } = await aFreedSpot({ mode: "ask" });
    await list.promote(gameId);
    const first = await send("mail.spot-offered", id);
    await list.promote(gameId, hoursLater(2));
    now = hoursLater(2);
    const second = await send("mail.spot-offered", id);
    expect(second?.key).not.toBe(first?.key);
    expect(await send("mail.offer-missed", id)).toBeNull();
    await list.promote(gameId, hoursLater(4));
    await database.pool.query(
      "update waitlist_entries set status = 'Waiting', offer_expires_at = null where id = $1",
      [id],
    );
    const missed = await send("mail.offer-missed", id);
    expect(missed?.subject).toBe("Your spot went to the next one: Mon 12:00, Nov 23");
    expect(missed?.text).toContain("behind those who were not asked yet");
  });
});

describe("who is passed over reads why", () => {
  test.each<[string, (id: string) => Promise<unknown>, string, string]>([
    [
      "too few credits",
      async (id) => list.join(await aGame(database.db, { startsIn: 72 }), id),
      "It costs 10 credits and you have 0.",
      "http://kickabout.test/wallet",
    ],
    [
      "a debt",
      (id) =>
        database.pool.query("update profiles set wallet_debt_eur = 3.5 where user_id = $1", [id]),
      "You owe 3.50 credits.",
      "http://kickabout.test/wallet",
    ],
    ["a suspension", (id) => suspend(database.db, id), "Your account is suspended.", "events"],
    [
      "another game",
      async (id) => {
        const other = await aGame(database.db, { startsIn: 48 });
        const seat = { user_id: id, game_id: other, payment_status: "Unpaid" as const };
        await database.db.insertInto("bookings").values(seat).execute();
      },
      "You are in another game at that time.",
      "events",
    ],
  ])("%s", async (_, obstruct, text, link) => {
    const { gameId, id, playerId } = await aFreedSpot();
    await obstruct(playerId);
    await list.promote(gameId);
    const mail = await send("mail.passed-over", id);
    expect(mail?.subject).toBe("A spot opened, and you could not have it: Mon 12:00, Nov 23");
    expect(mail?.text).toContain(text);
    expect(mail?.text).toContain("You keep your place on the waitlist.");
    expect(linkIn(mail)).toContain(link);
  });

  test("unless the place has ended meanwhile", async () => {
    const { gameId, id, playerId } = await aFreedSpot({ credits: 0 });
    await list.promote(gameId);
    await leaveWaitlist(database.db, database.jobs, { gameId, playerId, now });
    expect(await send("mail.passed-over", id)).toBeNull();
  });
});

describe("the end of a place", () => {
  const ended = async (end: (gameId: string, playerId: string) => Promise<unknown>) => {
    const { gameId } = await list.fullGame();
    const playerId = await aPlayer(database.db, { name: "Ada" });
    const id = await list.wait(gameId, playerId, { until: 24 });
    await end(gameId, playerId);
    return send("mail.waitlist-ended", id);
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
      "The game has started and no spot opened.",
    ],
    [
      "the chosen time has come",
      (gameId) => list.promote(gameId, hoursLater(24)),
      "No spot opened until the time that you chose.",
    ],
  ])("is told when %s", async (_, end, text) => {
    const mail = await ended(end);
    expect(mail?.subject).toBe("No longer on the waitlist: Mon 12:00, Nov 23");
    expect(mail?.text).toContain(`${text} Nothing was taken from you.`);
    expect(linkIn(mail)).toBe("http://kickabout.test/events");
  });

  test("is not told to a deleted account", async () => {
    const { gameId } = await list.fullGame();
    const playerId = await aPlayer(database.db);
    const id = await list.wait(gameId, playerId);
    await list.promote(gameId, hoursLater(48));
    await markDeleted(database.db, playerId);
    expect(await send("mail.waitlist-ended", id)).toBeNull();
  });
});

test("a changed game is told to those who have not agreed again or left since", async () => {
  const { gameId } = await list.fullGame();
  const playerId = await aPlayer(database.db, { name: "Ada" });
  const id = await list.wait(gameId, playerId);
  await database.pool.query("update games set date = date + 1 where id = $1", [gameId]);
  await list.sweep();
  const mail = await send("mail.waitlist-changed", id);
  expect(mail?.subject).toBe("Still want a spot? The game has changed: Tue 12:00, Nov 24");
  expect(mail?.text).toContain("no spot is taken for you until you have agreed to it again");
  expect(linkIn(mail)).toBe(`http://kickabout.test/events/${gameId}#join`);
  await list.wait(gameId, playerId);
  expect(await send("mail.waitlist-changed", id)).toBeNull();
  await database.pool.query("update games set date = date + 1 where id = $1", [gameId]);
  await list.sweep();
  await leaveWaitlist(database.db, database.jobs, { gameId, playerId, now });
  expect((await placeOf(database.db, gameId, playerId)).needs_consent).toBe(true);
  expect(await send("mail.waitlist-changed", id)).toBeNull();
});

test("a late refund is told, with the reason", async () => {
  const mails = async (end: (gameId: string) => Promise<unknown>) => {
    const { gameId, seat } = await list.fullGame({ startsIn: 20 });
    await list.cancel(seat);
    await end(gameId);
    await bookingJobs(tools())["mail.late-refund"](seat);
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

test("the job of a freed spot promotes", async () => {
  const { gameId } = await aFreedSpot();
  await waitlistJobs(tools())["waitlist.promote"]({ gameId });
  expect(await statusesIn(database.db, gameId)).toEqual(["Promoted"]);
});
