import { beforeEach, describe, expect, test } from "vitest";
import { mailJobs, pushOf } from "#test/notices.ts";
import { pageBehind } from "#test/email-links.ts";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { aGameToDecide, DECISION } from "#test/decisions.ts";
import { aGame, aPlayer, aVenue, bookingsOf, hoursLater, NOW } from "#test/fixtures.ts";
import type { Mail } from "#app/platform/mail.server.ts";
import { cancelGame } from "./cancel-game.server.ts";
import { decideGame } from "./decide-games.server.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";

const database = useDatabase();
const sent: Mail[] = [];
let now = DECISION;
beforeEach(async () => {
  sent.splice(0);
  now = DECISION;
  // What other tests have left to be offered.
  await database.pool.query("update games set status = 'Completed' where status = 'Published'");
});
const tools = () => ({
  ...testApp(database, () => now),
  mailer: async (mail: Mail) => void sent.push(mail),
});
const jobs = () => mailJobs(tools());
const linksOf = ({ html }: Mail) =>
  [...html.matchAll(/<a[^>]*href="([^"]+)"/g)].map(([, to]) => pageBehind(to));

describe("who was in a game that is called off by itself", () => {
  let espoo: string;
  let helsinki: string;
  beforeEach(async () => {
    espoo = await aVenue(database.db, { name: "Hall", city: "Espoo" });
    helsinki = await aVenue(database.db, { name: "Cage", city: "Helsinki" });
  });

  /** The mail of the one player of a game that was called off. */
  async function calledOffMail() {
    const { gameId, playerIds } = await aGameToDecide(database, 1, { venue_id: espoo });
    await decideGame(database.db, database.jobs, { gameId, now: DECISION });
    const [booking] = await bookingsOf(database.db, gameId);
    const send = () => jobs()["game-cancelled"]({ bookingId: booking!.id });
    return { gameId, playerId: playerIds[0]!, bookingId: booking!.id, send };
  }

  test("reads why, what came back, and the three nearest games, the own city first", async () => {
    const near = (startsIn: number, venue_id: string) =>
      aGame(database.db, { startsIn, venue_id, spots: 2 });
    const [third, second, first] = [
      await near(11, helsinki),
      await near(60, espoo),
      await near(30, espoo),
    ];
    await near(30, helsinki);
    const { send } = await calledOffMail();
    await send();
    const [mail] = sent;
    expect(mail?.subject).toBe("Game cancelled: Sat 22:00, Nov 21");
    expect(mail?.text).toContain("It takes 3 players, and fewer were in when it was decided.");
    expect(mail?.text).toContain("10 credits are back in your wallet.");
    expect(mail?.text).toContain("Sun 18:00, Nov 22, Hall, Espoo");
    const paths = [first, second, third].map((id) => `http://kickabout.test/events/${id}#join`);
    expect(linksOf(mail!)).toEqual(paths);
    expect(mail?.attachments?.[0]?.content).toContain("STATUS:CANCELLED");
  });

  test("is offered no game that cannot be joined at once", async () => {
    const { send, playerId } = await calledOffMail();
    const at = { startsIn: 30, venue_id: espoo };
    await aGame(database.db, { ...at, status: "Draft" });
    await aGame(database.db, { ...at, startsIn: 6 });
    await aGame(database.db, { ...at, startsIn: 10 + 73 });
    const full = await aGame(database.db, { ...at, spots: 1 });
    await join(full, await aPlayer(database.db, { credits: 10 }));
    const waited = await aGame(database.db, { ...at, startsIn: 40 });
    await database.pool.query(
      `insert into waitlist_entries (game_id, user_id, mode, agreed_text, agreed_version, agreed_at,
         max_price_eur, until_hours, not_after)
       values ($1, $2, 'auto', 'Yes', 1, now(), 10, 0, $3)`,
      [waited, await aPlayer(database.db), hoursLater(40)],
    );
    // The player is in one, and so has no time for another one at that hour.
    await join(await aGame(database.db, { ...at, startsIn: 50 }), playerId);
    await aGame(database.db, { ...at, startsIn: 51 });
    await send();
    expect(linksOf(sent[0]!)).toEqual(["http://kickabout.test/events"]);
    const touching = await aGame(database.db, { ...at, startsIn: 51.5 });
    await send();
    expect(linksOf(sent[1]!)).toEqual([`http://kickabout.test/events/${touching}#join`]);
  });

  test("gets a push message that says why", async () => {
    const { bookingId } = await calledOffMail();
    const push = await pushOf(database, "game-cancelled", [bookingId, "cancelled"], now);
    expect(push).toMatchObject({
      ...{ title: "Game cancelled: Sat 22:00", body: "Too few players. Hall, Espoo" },
    });
  });

  test("an organiser's cancellation is mailed as before", async () => {
    const { gameId } = await aGameToDecide(database, 1, { venue_id: espoo });
    const [booking] = await bookingsOf(database.db, gameId);
    await cancelGame(database.db, database.jobs, { gameId, now: NOW });
    await jobs()["game-cancelled"]({ bookingId: booking!.id });
    expect(sent[0]?.text).toContain("The organiser had to call it off.");
  });

  const join = (gameId: string, playerId: string) =>
    joinGame(database.db, database.jobs, { gameId, playerId, now: NOW });
});

describe("the warning to the organisers", () => {
  beforeEach(() => void (now = hoursLater(6)));
  const warn = (gameId: string, decidesAt = DECISION) =>
    jobs()["too-few-players"]({ gameId, decidesAt: decidesAt.toISOString() });

  test("goes to the contact address, with the game's page in admin", async () => {
    const { gameId } = await aGameToDecide(database, 2);
    await warn(gameId);
    const { contactEmail } = testApp(database).env;
    expect(sent).toMatchObject([
      { to: contactEmail, subject: "Too few players: Sat 22:00, Nov 21" },
    ]);
    expect(sent[0]?.text).toContain("2 of 3 players".toUpperCase());
    expect(sent[0]?.text).toContain("At Sat 19:00 it is called off by itself");
    expect(linksOf(sent[0]!)).toEqual([`http://kickabout.test/admin/games/${gameId}`]);
  });

  test.each([
    ["enough have joined", 3, async () => {}],
    [
      "it is played anyway",
      2,
      (id: string) => run(id, "decision = 'PlayAnyway', decided_at = now()"),
    ],
    ["it was cancelled", 2, (id: string) => run(id, "status = 'Cancelled'")],
    ["its decision has moved", 2, (id: string) => run(id, "decides_hours = 2")],
    ["it was decided", 2, async () => void (now = DECISION)],
  ])("is not sent when %s meanwhile", async (_, players, change) => {
    const { gameId } = await aGameToDecide(database, players);
    await change(gameId);
    await warn(gameId);
    expect(sent).toEqual([]);
  });

  const run = async (id: string, change: string) => {
    await database.pool.query(`update games set ${change} where id = $1`, [id]);
  };
});
