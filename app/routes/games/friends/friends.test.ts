import { beforeAll, describe, expect, test } from "vitest";
import type { App } from "#app/routes/context.server.ts";
import { friendshipsOf, listLineupPlayers } from "#app/features/teams/lineups.server.ts";
import { listRoster } from "#app/features/roster/roster.server.ts";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { ada, aGame, aPlayer, everything, hoursLater, NOW } from "#test/fixtures.ts";
import { friendPages, friendsOf, readBar } from "#test/friend-pages.ts";
import { holdsIn, holdsOf } from "#test/holds.ts";
import { buttonsOf, linksOf, textOf } from "#test/screen.tsx";
import { toastAfter } from "#test/visit.ts";
import { bookingOf, waitlistOf } from "#test/waitlist.ts";

const database = useDatabase();
const holds = holdsOf(database);
const list = waitlistOf(database);
let app: App;
let site: ReturnType<typeof friendPages>;
beforeAll(() => {
  app = testApp(database, () => NOW);
  site = friendPages(app, database);
});

/** The pages so many hours later. */
const later = (hours: number) => friendPages({ ...app, now: () => hoursLater(hours) }, database);

const aHost: (typeof site)["aHost"] = (wish) => site.aHost(wish);
const aHold: (typeof site)["aHold"] = (wish) => site.aHold(wish);

const HOLD = { intent: "hold" };
describe("a player in a game", () => {
  test("holds a spot by one button, and sends the link that the page then shows", async () => {
    const { gameId, host, path } = await aHost();
    const before = friendsOf(await site.pageOf(gameId, host.cookie));
    expect(before).toContain("Hold one spot for 30 minutes and send a friend the link.");
    const { status, headers } = await site.post(gameId, host.cookie, HOLD);
    expect([status, headers.get("Location")]).toEqual([302, `${path}#friends`]);
    const html = await site.pageOf(gameId, host.cookie);
    const token = (await holdsIn(app.db, gameId))[0]?.token;
    expect(html).toContain(`value="${app.env.appUrl}${path}?hold=${token}"`);
    expect(friendsOf(html)).toContain("|One spot is held until 12:30.|");
    expect(friendsOf(html)).toContain("sees your first name");
    expect(friendsOf(html)).toContain("needs a school email");
    expect(textOf(html)).toContain("|0 spots left|");
  });

  test("holds one with a form that is sent twice", async () => {
    const { gameId, host } = await aHost({ spots: 5 });
    const form = { ...HOLD, formKey: crypto.randomUUID() };
    for (const turn of [1, 2]) {
      expect([turn, (await site.post(gameId, host.cookie, form)).status]).toEqual([turn, 302]);
    }
    expect(await holdsIn(app.db, gameId)).toHaveLength(1);
  });

  test("gives it back", async () => {
    const { gameId, host, path } = await aHold();
    const back = { intent: "give-back" };
    const { status, headers } = await site.post(gameId, host.cookie, back);
    expect([status, headers.get("Location")]).toEqual([302, `${path}#friends`]);
    expect(await toastAfter(app, headers)).toMatchObject({
      title: "Spot given back",
      description: "The link no longer works.",
    });
    expect(buttonsOf(await site.pageOf(gameId, host.cookie))).toContain("Hold a spot");
    const again = await site.post(gameId, host.cookie, back);
    expect([again.status, again.formError]).toEqual([
      409,
      expect.stringMatching(/no longer hold a spot/),
    ]);
    expect((await site.post(crypto.randomUUID(), host.cookie, back)).status).toBe(404);
  });

  test("reads who took it, and the friend reads with whom they came", async () => {
    const { gameId, host, token } = await aHold();
    const friend = await site.signedIn(aPlayer(app.db, { name: "Mikko", credits: 10 }));
    await holds.take(gameId, friend.id, token);
    const html = await site.pageOf(gameId, host.cookie);
    expect(friendsOf(html)).toContain("|Mikko took the spot you held.|");
    // Read out as well where the open page changes.
    expect(html).toMatch(/role="status"[^>]*><p[^>]*>Mikko took the spot you held\./);
    const read = async () => friendsOf(await site.pageOf(gameId, friend.cookie));
    expect(await read()).toContain("|You're coming with Aino.|");
  });

  test("reads that the friend has left again, as the friend does of the host", async () => {
    const { gameId, host, token } = await aHold({ spots: 4 });
    const friend = await site.signedIn(aPlayer(app.db, { name: "Mikko", credits: 10 }));
    const bookingId = await holds.take(gameId, friend.id, token);
    const leave = (id: string, playerId: string) => list.cancel({ bookingId: id, playerId });
    await leave((await bookingOf(app.db, gameId, host.id)).id, host.id);
    const said = friendsOf(await site.pageOf(gameId, friend.cookie));
    expect(said).toContain("|Aino, who held your spot, is no longer in.|");
    expect(said).not.toContain("coming with");
    await list.join(gameId, host.id);
    await leave(bookingId, friend.id);
    const read = friendsOf(await site.pageOf(gameId, host.cookie));
    expect(read).toContain("|Mikko took the spot you held and is no longer in.|");
    await app.db
      .updateTable("profiles")
      .set({ deleted_at: NOW })
      .where("user_id", "=", friend.id)
      .execute();
    expect(friendsOf(await site.pageOf(gameId, host.cookie))).not.toContain("no longer in");
  });

  test("is with a friend who left and joined again", async () => {
    const { gameId, host, token } = await aHold({ spots: 4 });
    const friend = await site.signedIn(aPlayer(app.db, { name: "Mikko", credits: 20 }));
    const bookingId = await holds.take(gameId, friend.id, token);
    await list.cancel({ bookingId, playerId: friend.id });
    await list.join(gameId, friend.id);
    const read = async (cookie: string) => friendsOf(await site.pageOf(gameId, cookie));
    expect(await read(host.cookie)).toContain("|Mikko took the spot you held.|");
    expect(await read(host.cookie)).not.toContain("no longer in");
    expect(await read(friend.cookie)).toContain("|You're coming with Aino.|");
    const roster = await listRoster(app.db, { gameId, now: NOW });
    expect(roster.map((player) => player.cameWith).toSorted()).toEqual(["Aino", null]);
    const lineup = await listLineupPlayers(app.db, gameId);
    const idOf = (id: string) => lineup.find(({ playerId }) => playerId === id)?.id;
    expect(friendshipsOf(lineup)).toEqual([[idOf(friend.id), idOf(host.id)]]);
  });

  test("reads a friend once who took both spots, one after the other", async () => {
    const { gameId, host, token } = await aHold({ spots: 4 });
    const friend = await site.signedIn(aPlayer(app.db, { name: "Mikko", credits: 20 }));
    const bookingId = await holds.take(gameId, friend.id, token);
    await list.cancel({ bookingId, playerId: friend.id });
    await holds.take(gameId, friend.id, await holds.hold(gameId, host.id));
    const read = friendsOf(await site.pageOf(gameId, host.cookie));
    expect(read).toContain("|Mikko took the spot you held.|");
    expect(read).not.toContain("no longer in");
  });

  test("is with nobody whose account is deleted", async () => {
    const { gameId, host, token } = await aHold();
    const friend = await site.signedIn(aPlayer(app.db, { name: "Mikko", credits: 10 }));
    await holds.take(gameId, friend.id, token);
    await app.db
      .updateTable("profiles")
      .set({ deleted_at: NOW })
      .where("user_id", "=", host.id)
      .execute();
    const html = await site.pageOf(gameId, friend.cookie);
    expect(friendsOf(html)).not.toMatch(/coming with|no longer in/);
    const roster = await listRoster(app.db, { gameId, now: NOW });
    expect(roster.map(({ cameWith }) => cameWith)).toEqual([null, null]);
  });

  test("sees the spot at the top of the page and on My Games, and what cancelling does to it", async () => {
    const { gameId, host } = await aHold();
    const top = (await site.pageOf(gameId, host.cookie)).split("<h2", 1)[0];
    expect(textOf(top ?? "")).toContain("|You hold a spot for a friend until 12:30|");
    const tickets = await site.read("/bookings", host.cookie);
    expect(textOf(tickets)).toContain("|You hold a spot for a friend until 12:30|");
    expect(textOf(tickets)).toContain("its link stops working.");
    const over = await later(0.5).read("/bookings", host.cookie);
    expect(textOf(over)).not.toContain("You hold a spot");
    expect(textOf(over)).not.toContain("its link");
    const friend = await site.signedIn(ada(app.db));
    await list.join(await aGame(app.db), friend.id);
    expect(textOf(await site.read("/bookings", friend.cookie))).not.toContain("You hold a spot");
  });

  test("sends the link with who holds the spot, where, and until when", async () => {
    const { gameId, host, token, path } = await aHold({ startsIn: 7 });
    const html = await site.pageOf(gameId, host.cookie);
    const mail = /href="mailto:\?([^"]*)"/g;
    const bodies = [...html.matchAll(mail)].map(([, query]) =>
      new URLSearchParams(query!.replaceAll("&amp;", "&")).get("body"),
    );
    const words =
      "Aino holds a spot for you at Campus Hall, Sat 19:00, until 12:30. Joining takes a school email.";
    const body = `${words}\n${app.env.appUrl}${path}?hold=${token}`;
    // The one place that shares the game: nothing sends the friend to a full one.
    expect(bodies).toEqual([body]);
    const link = `${app.env.appUrl}${path}?hold=${token}`;
    const [whatsapp, telegram] = ["wa.me", "t.me"].map((host) => {
      const [, address = ""] = linksOf(html)
        .find((one) => one.includes(host))!
        .split(" → ");
      return new URL(address).searchParams;
    });
    expect(whatsapp!.get("text")).toBe(body);
    expect([telegram!.get("text"), telegram!.get("url")]).toEqual([words, link]);
  });

  test("reads nothing of a free spot where the waitlist got it", async () => {
    const { gameId, host } = await aHold();
    await list.waiters(gameId, 1);
    for (const swept of [false, true]) {
      if (swept) await holds.sweep(hoursLater(0.6));
      const html = await later(0.75).pageOf(gameId, host.cookie);
      expect(friendsOf(html)).toContain("|Nobody took the spot you held until 12:30.|");
    }
  });

  test("reads once that nobody took it, and may hold one again", async () => {
    const { gameId, host } = await aHold();
    const read = () => later(0.75).pageOf(gameId, host.cookie);
    for (const swept of [false, true]) {
      if (swept) await holds.sweep(hoursLater(0.6));
      const said = "|Nobody took the spot you held until 12:30. It is free again.|";
      expect(friendsOf(await read())).toContain(said);
    }
    expect(buttonsOf(await read())).toContain("Hold a spot");
  });

  test("reads why there is no third", async () => {
    const { gameId, host } = await aHold();
    await holds.giveBack(gameId, host.id);
    await holds.hold(gameId, host.id);
    await holds.giveBack(gameId, host.id);
    const html = await site.pageOf(gameId, host.cookie);
    expect(friendsOf(html)).toContain(
      "|Two spots you held were not taken, so you can't hold another in this game.|",
    );
    expect(buttonsOf(html)).not.toContain("Hold a spot");
  });

  test("is offered a shorter time near kick-off, and nothing in the last hour", async () => {
    const [near, late] = [await aHost({ startsIn: 1.25 }), await aHost({ startsIn: 1 })];
    const html = await site.pageOf(near.gameId, near.host.cookie);
    expect(friendsOf(html)).toContain("Hold one spot until 12:15");
    expect(await site.pageOf(late.gameId, late.host.cookie)).not.toContain("Hold one spot");
  });

  test("is offered nothing in a full game, or while somebody waits", async () => {
    const { gameId, host } = await aHost();
    const other = await list.join(gameId, await ada(app.db));
    expect(await site.pageOf(gameId, host.cookie)).not.toContain("Hold a spot");
    await list.wait(gameId, await aPlayer(app.db, { credits: 10 }));
    await list.cancel(other);
    expect(await site.pageOf(gameId, host.cookie)).not.toContain("Hold a spot");
  });
});

test("a spot that cannot be held says why, in its own words, and nothing is written", async () => {
  const { gameId, host } = await aHold({ spots: 9 });
  const full = await aHost({ spots: 1 });
  const waited = await aHost();
  const other = await list.join(waited.gameId, await ada(app.db));
  await list.wait(waited.gameId, await aPlayer(app.db, { credits: 10 }));
  await list.cancel(other);
  const late = await aHost({ startsIn: 1 });
  const draft = await aGame(app.db, { status: "Draft" });
  const stranger = await site.signedIn(ada(app.db));
  const formKey = (await holdsIn(app.db, gameId))[0]!.id;
  const failures = [
    [crypto.randomUUID(), host.cookie, HOLD, 404, /not found/],
    ["no-id", host.cookie, HOLD, 404, /not found/],
    [draft, host.cookie, HOLD, 404, /not open/],
    [gameId, stranger.cookie, HOLD, 403, /Join this game first/],
    [gameId, host.cookie, HOLD, 409, /hold a spot in this game already/],
    [full.gameId, full.host.cookie, HOLD, 409, /This game is full/],
    [waited.gameId, waited.host.cookie, HOLD, 409, /belong to those on the waitlist/],
    [late.gameId, late.host.cookie, HOLD, 409, /too late to hold/],
  ] as const;
  const before = await everything(app.db);
  for (const [id, cookie, body, status, words] of failures) {
    const failed = await site.post(id, cookie, body);
    expect([failed.status, failed.formError]).toEqual([status, expect.stringMatching(words)]);
  }
  expect(await everything(app.db)).toEqual(before);
  const another = await aHost();
  const used = await site.post(another.gameId, another.host.cookie, { ...HOLD, formKey });
  expect([used.status, used.formError]).toEqual([409, expect.stringMatching(/sent before/)]);
});

test("a visitor who holds or gives back is sent to sign in", async () => {
  const { gameId } = await aHost();
  for (const intent of ["hold", "give-back"]) {
    const { headers } = await site.post(gameId, "", { intent });
    expect(headers.get("Location")).toMatch(/^\/auth/);
  }
});

test("a failed form of a player who is in is shown at its place, also without JavaScript", async () => {
  const { gameId, host } = await aHost();
  await list.join(gameId, await ada(app.db));
  const html = await site.submit(gameId, host.cookie, HOLD);
  expect(friendsOf(html)).toContain("This game is full. Someone took the last spot.");
  expect(readBar(html)).not.toContain("Someone took");
});

test("the roster and the printed one say with whom a friend came", async () => {
  const { gameId, host, token } = await aHold();
  const friend = await aPlayer(app.db, { name: "Mikko", credits: 10 });
  await holds.take(gameId, friend, token);
  const admin = await site.signedIn(ada(app.db));
  await app.db.insertInto("user_roles").values({ user_id: admin.id, role: "admin" }).execute();
  const read = (page: string) => site.read(`/admin/games/${gameId}${page}`, admin.cookie);
  expect(textOf(await read(""))).toContain("with Aino");
  expect(textOf(await read("/print"))).toContain("with Aino");
  // Also where the host has left, and the friend came all the same.
  const { id: bookingId } = await bookingOf(app.db, gameId, host.id);
  await list.cancel({ bookingId, playerId: host.id });
  expect(textOf(await read(""))).not.toContain("with Aino");
});
