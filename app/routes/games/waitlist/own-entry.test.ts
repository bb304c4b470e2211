import { beforeAll, describe, expect, test } from "vitest";
import { findPlannedGame } from "#app/features/games/admin-games.server.ts";
import { cancelGame } from "#app/features/organise/cancel-game.server.ts";
import { decideGame } from "#app/features/organise/decide-games.server.ts";
import { editGame } from "#app/features/organise/edit-game.server.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import type { App } from "#app/routes/context.server.ts";
import { anAdmin } from "#test/admin.ts";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { ada, aGame, aPlayer, everything, NOW } from "#test/fixtures.ts";
import { buttonsOf, linksOf, textOf } from "#test/screen.tsx";
import { toastAfter } from "#test/visit.ts";
import { barOf, waitlistPages } from "#test/waitlist-pages.ts";
import { openSite } from "#test/whole-site.ts";

const database = useDatabase();
let app: App;
let site: ReturnType<typeof waitlistPages>;
beforeAll(() => {
  app = testApp(database, () => NOW);
  site = waitlistPages(app);
});

/** Somebody alone on the list of a full game. */
async function anEntry(player: Promise<string> = ada(app.db)) {
  const { gameId } = await site.aFullGame();
  const { id, cookie } = await site.signedIn(player);
  await site.wait(gameId, id);
  return { gameId, id, cookie };
}

async function myGames(cookie: string) {
  const ask = await openSite(app);
  return (await ask("/bookings", { cookie })).text();
}

test("a player who waits already, or for whom a spot is free, is answered without an alert", async () => {
  const { gameId: full, cookie } = await anEntry();
  for (const gameId of [full, await aGame(app.db)]) {
    const wait = { intent: "wait", mode: "auto", until: "3", priceShown: "10" };
    const html = await site.submit(gameId, cookie, wait);
    expect(html).toMatch(/(Nothing was changed|A spot is free)<\/p>/);
    expect(html).not.toContain('role="alert"');
  }
});

describe("who waits and could not have a spot reads why, and no promise", () => {
  const ELSE = "Until then a spot that opens goes to the next one.";

  test("with too few credits, and where to buy them", async () => {
    const { gameId, cookie } = await anEntry(aPlayer(app.db, { credits: 4 }));
    const bar = await site.pageOf(gameId, cookie);
    for (const html of [bar, await myGames(cookie)]) {
      expect(textOf(html)).toContain(`|You need 6 more credits. ${ELSE}`);
      expect(textOf(html)).not.toContain("a spot that opens is yours");
      expect(linksOf(html)).toContain("Buy credits → /wallet");
    }
  });

  test("with another game at that hour", async () => {
    const { gameId, id, cookie } = await anEntry();
    const other = await aGame(app.db);
    await joinGame(app.db, app.jobs, { gameId: other, playerId: id, now: NOW });
    const html = await site.pageOf(gameId, cookie);
    expect(barOf(html)).toContain(`|You are in another game at that time. ${ELSE}`);
    expect(linksOf(html)).not.toContain("Buy credits → /wallet");
  });
});

describe("a place in a game that has changed", () => {
  async function aChangedEntry(agreedAt: string) {
    const entry = await anEntry();
    const { gameId } = entry;
    const { plan, version } = (await findPlannedGame(app.db, gameId))!;
    const later = { ...plan, startTime: "20:15", endTime: "21:45", maxPlayers: plan.maxPlayers };
    const admin = await anAdmin(app);
    const entries = app.db.updateTable("waitlist_entries").where("game_id", "=", gameId);
    await entries.set({ agreed_at: new Date(agreedAt) }).execute();
    const edit = { gameId, plan: later, version, actorId: admin.id, withFollowing: false };
    const form = { confirmed: true, formKey: crypto.randomUUID(), now: NOW };
    expect(await editGame(app.db, app.jobs, { ...edit, ...form })).toMatchObject({ ok: true });
    return { ...entry, was: `${plan.startTime}–${plan.endTime}` };
  }

  test("says what it was and what it is, in the bar, in the dialog and under My Games", async () => {
    const { gameId, cookie, was } = await aChangedEntry("2020-01-01T12:00Z");
    const html = await site.pageOf(gameId, cookie);
    const changed = new RegExp(`Time: ${was} → \\|?20:15–21:45`, "g");
    expect(textOf(html).match(changed)).toHaveLength(2);
    expect(textOf(await myGames(cookie)).match(changed)).toHaveLength(1);
    expect(buttonsOf(html)).toContain("Stay on the waitlist");
    expect(buttonsOf(html)).not.toContain("Join waitlist");
  });

  test("names no change from before it was agreed to", async () => {
    const { gameId, cookie } = await aChangedEntry("2100-01-01T12:00Z");
    const html = await site.pageOf(gameId, cookie);
    expect(barOf(html)).toContain("The game has changed. Still want a spot?");
    expect(textOf(html)).not.toContain("Time: ");
  });
});

describe("other terms for the same place", () => {
  const CHANGE = { intent: "change-wait", mode: "ask", until: "12", priceShown: "10" };

  test("are in the dialog as they were chosen, and saved with the turn", async () => {
    const { gameId, id, cookie } = await anEntry();
    await site.wait(gameId, await ada(app.db));
    const html = await site.pageOf(gameId, cookie);
    expect(buttonsOf(html)).toEqual(expect.arrayContaining(["Manage", "Save changes"]));
    const own = async () => (await site.entriesOf(gameId)).find(({ user_id }) => user_id === id);
    const before = await own();
    const { status, headers } = await site.post(gameId, cookie, CHANGE);
    expect(status).toBe(302);
    expect(await toastAfter(app, headers)).toMatchObject({ title: "Changes saved" });
    expect(await own()).toMatchObject({
      ...{ mode: "ask", until_hours: 12, status: "Waiting", created_at: before?.created_at },
      agreed_text: expect.stringMatching(/: Ask me first, .* Waiting until 12 hours before, /),
    });
    const again = await site.pageOf(gameId, cookie);
    expect(barOf(again)).toContain("|You are 1st of 2|");
    expect(again).toMatch(/value="ask"[^>]*checked=""|checked=""[^>]*value="ask"/);
    expect(again).toMatch(/<option[^>]*value="12"[^>]* selected=""|selected=""[^>]* value="12"/);
  });

  test("fail for who does not wait, has a spot held, or chose a time that is over", async () => {
    const { gameId, cookie } = await anEntry();
    const { cookie: stranger } = await site.signedIn(ada(app.db));
    const offer = await site.anOffer();
    const failures: [string, string, Record<string, string>, number, RegExp][] = [
      [gameId, stranger, CHANGE, 409, /not on this waitlist/],
      [offer.gameId, offer.asked.cookie, CHANGE, 409, /spot is held/],
      [gameId, cookie, { ...CHANGE, priceShown: "0" }, 409, /The price is now 10 credits/],
      [gameId, cookie, { ...CHANGE, mode: "both" }, 422, /book the spot or ask/],
      [crypto.randomUUID(), cookie, CHANGE, 404, /not found/],
    ];
    const before = await everything(app.db);
    for (const [id, as, body, status, words] of failures) {
      const failed = await site.post(id, as, body);
      const text = failed.formError ?? Object.values(failed.fieldErrors ?? {}).join();
      expect([failed.status, text]).toEqual([status, expect.stringMatching(words)]);
    }
    expect(await everything(app.db)).toEqual(before);
    const html = await site.submit(gameId, cookie, { ...CHANGE, priceShown: "9" });
    expect(html).toMatch(/<dialog[^>]*id="waitlist"[^>]* open=""/);
  });
});

test("leaving is asked first, and says that the place is lost", async () => {
  const { gameId, cookie } = await anEntry();
  for (const html of [await site.pageOf(gameId, cookie), await myGames(cookie)]) {
    expect(html).toMatch(new RegExp(`<button[^>]*commandfor="leave-${gameId}"`));
    expect(textOf(html)).toContain("|Your place is lost then. If you join again, you are last.|");
  }
});

test("who waited reads that the game was called off; a visitor finds nothing", async () => {
  const { gameId, cookie } = await anEntry();
  await cancelGame(app.db, app.jobs, { gameId, now: NOW });
  expect(textOf(await site.pageOf(gameId, cookie))).toContain("|This game was cancelled.|");
  const { cookie: stranger } = await site.signedIn(ada(app.db));
  for (const as of ["", stranger]) {
    expect(textOf(await site.pageOf(gameId, as))).toContain("Game not found");
  }
});

test("a minimum says what fewer players mean, in credits, and for a free session", async () => {
  const gameId = await aGame(app.db, { startsIn: 10, min_players: 3 });
  const free = await aGame(app.db, { startsIn: 10, min_players: 3, is_first_session_free: true });
  const { cookie } = await site.signedIn(ada(app.db));
  const page = async (id: string, as = cookie) => textOf(await site.pageOf(id, as));
  expect(await page(gameId)).toContain(
    "|With fewer it is cancelled, and you get 10 credits back.|",
  );
  expect(await page(free)).toContain("and your free session comes back.|");
  expect(await page(gameId, "")).toContain("and you get your credits back.|");
  const decided = app.db.updateTable("games").set({ decision: "PlayAnyway", decided_at: NOW });
  await decided.where("id", "=", gameId).execute();
  expect(await page(gameId)).not.toContain("With fewer");
});

test("who was in reads that credits are back, and where to play instead", async () => {
  const gameId = await aGame(app.db, { startsIn: 10, min_players: 3 });
  const { id, cookie } = await site.signedIn(ada(app.db));
  await joinGame(app.db, app.jobs, { gameId, playerId: id, now: NOW });
  const decided = app.db.updateTable("games").set({ decides_at: NOW });
  await decided.where("id", "=", gameId).execute();
  expect(await decideGame(app.db, app.jobs, { gameId, now: NOW })).toBe("called-off");
  const html = await site.pageOf(gameId, cookie);
  expect(barOf(html)).toContain("|10 credits are back in your wallet.|");
  expect(barOf(html)).toContain("|You could play here instead:|");
  expect(textOf(await myGames(cookie))).toContain("called off: too few players");
});
