import { beforeAll, describe, expect, test } from "vitest";
import { listAuditEntries } from "#app/features/audit/entries.server.ts";
import { cancelBooking } from "#app/features/bookings/cancel-booking.server.ts";
import type { FormResult } from "#app/forms/form-result.ts";
import type { App } from "#app/routes/context.server.ts";
import { anAdmin } from "#test/admin.ts";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { ada, aGame, aPlayer, ben, bookingsOf, hoursLater, NOW } from "#test/fixtures.ts";
import { buttonsOf, linksOf, renderPage, textOf } from "#test/screen.tsx";
import { signIn, toastAfter, visit } from "#test/visit.ts";
import { waitlistPages } from "#test/waitlist-pages.ts";
import { loader as overview } from "#app/routes/admin/overview/overview.tsx";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import * as edit from "#app/routes/admin/games/plan/edit.tsx";
import { textOf as sentenceText } from "#app/routes/admin/log/parts.ts";
import { sentenceOf } from "#app/routes/admin/log/sentences.server.ts";
import AdminGame, { action, loader } from "#app/routes/admin/games/show.tsx";

const database = useDatabase();
let app: App;
let admin: Awaited<ReturnType<typeof anAdmin>>;
let site: ReturnType<typeof waitlistPages>;
let now = NOW;
beforeAll(async () => {
  app = testApp(database, () => now);
  admin = await anAdmin(app);
  site = waitlistPages(app);
});

const at = (gameId: string) => ({ path: `/admin/games/${gameId}`, cookie: admin.cookie });
async function pageOf(gameId: string, actionData?: FormResult | null) {
  const { data: loaderData } = await visit(app, loader, at(gameId));
  return renderPage(AdminGame, { loaderData, actionData });
}
async function post(gameId: string, body: Record<string, string>) {
  const { status, headers, data } = await visit(app, action, { ...at(gameId), body });
  return { status, headers, result: data as FormResult | null };
}

/** A full game, and those who wait for it in the order of their names. */
async function aWaitlist(...playerIds: Promise<string>[]) {
  const full = await site.aFullGame();
  const ids = await Promise.all(playerIds);
  for (const playerId of ids) await site.wait(full.gameId, playerId);
  const entries = await site.entriesOf(full.gameId);
  const entryIds = ids.map((id) => entries.find(({ user_id }) => user_id === id)!.id);
  return { ...full, ids, entryIds };
}

const auditOf = (gameId: string) =>
  app.db.selectFrom("audit_log").selectAll().where("subject", "=", gameId).execute();

describe("the waitlist on a game's page", () => {
  test("shows who waits, in order, and why a spot would go to somebody behind", async () => {
    const { gameId } = await aWaitlist(aPlayer(app.db, { name: "Wilma" }), ada(app.db));
    const html = await pageOf(gameId);
    const text = textOf(html);
    expect(text).toContain("|2 people are waiting. A spot goes to the first who can have it.|");
    expect(text).toMatch(/\|1\|.*Wilma .*\|Too few credits\|.*\|2\|.*Ada /s);
    expect(text.match(/Too few credits/g)).toHaveLength(1);
    expect(text).toContain("Is booked at once, until Mon 09:00");
    expect(linksOf(html).some((link) => /^Wilma .* → \/admin\/players\//.test(link))).toBe(true);
  });

  test("of a game for which nobody waits is not there", async () => {
    expect(textOf(await pageOf(await aGame(app.db)))).not.toContain("|Waitlist|");
  });

  test("a removal is mailed and recorded; a second one finds nobody", async () => {
    const { gameId, ids, entryIds } = await aWaitlist(ada(app.db), ada(app.db));
    const body = { intent: "waitlist-remove", entryId: entryIds[0]! };
    const { status, headers } = await post(gameId, body);
    expect(status).toBe(302);
    expect(await toastAfter(app, headers)).toMatchObject({ title: "Removed from the waitlist" });
    expect(await site.entriesOf(gameId)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ id: entryIds[0], status: "Lapsed", end_reason: "Removed" }),
        expect.objectContaining({ id: entryIds[1], status: "Waiting" }),
      ]),
    );
    expect(await auditOf(gameId)).toMatchObject([
      { actor: admin.id, action: "waitlist.remove", details: { playerId: ids[0] } },
    ]);
    const { rows } = await database.pool.query(
      "select from pgboss.job where name = 'mail.send' and data->>'kind' = 'waitlist-ended' and data->>'entryId' = $1",
      [entryIds[0]],
    );
    expect(rows).toHaveLength(1);
    const again = await post(gameId, body);
    expect([again.status, again.result?.formError]).toEqual([
      409,
      expect.stringMatching(/does not wait any more/),
    ]);
    expect(textOf(await pageOf(gameId, again.result))).toContain("does not wait any more");
  });

  test("one who is promoted out of order is the next, with the reason on the list, not in the log", async () => {
    const { gameId, holder, bookingId, ids, entryIds } = await aWaitlist(
      ada(app.db),
      ada(app.db),
      ada(app.db),
    );
    const form = { intent: "waitlist-promote", entryId: entryIds[2]! };
    const rejected = await post(gameId, { ...form, reason: " " });
    expect(rejected.status).toBe(422);
    expect(await pageOf(gameId, rejected.result)).toMatch(
      new RegExp(`<dialog[^>]*id="promote-${entryIds[2]}"[^>]* open=""`),
    );
    const { status, headers } = await post(gameId, { ...form, reason: "Brings the goals" });
    expect(status).toBe(302);
    expect(await toastAfter(app, headers)).toMatchObject({
      description: "The next spot is theirs.",
    });
    expect(await auditOf(gameId)).toMatchObject([
      { actor: admin.id, action: "waitlist.promote", details: { gameId, playerId: ids[2] } },
    ]);
    expect(JSON.stringify(await auditOf(gameId))).not.toContain("goals");
    const entries = { actor: null, action: null, subject: gameId };
    const [logged] = await listAuditEntries(app.db, { filter: entries, before: null, limit: 1 });
    expect(sentenceText(sentenceOf(logged!))).toMatch(/^put Ada \w+ first on the waitlist of /);
    expect(textOf(await pageOf(gameId))).toContain("Put first: Brings the goals|");
    await cancelBooking(app.db, app.jobs, { bookingId, playerId: holder.id, now });
    const first = await post(gameId, { ...form, entryId: entryIds[0]!, reason: "Even more so" });
    expect(await toastAfter(app, first.headers)).toMatchObject({
      description: "The free spot went to this player.",
    });
    const promoted = (await site.entriesOf(gameId)).filter(({ status }) => status === "Promoted");
    expect(promoted.map(({ id }) => id)).toEqual([entryIds[0]]);
    const gone = await post(gameId, { ...form, entryId: entryIds[0]!, reason: "Again" });
    expect(gone.status).toBe(409);
  });

  test("another game's place is not found", async () => {
    const { entryIds } = await aWaitlist(ada(app.db));
    const { gameId } = await site.aFullGame();
    for (const intent of ["waitlist-remove", "waitlist-promote"]) {
      const body = { intent, entryId: entryIds[0]!, reason: "Mistake" };
      expect((await post(gameId, body)).status).toBe(409);
      expect((await post(gameId, { ...body, entryId: "no-id" })).status).toBe(409);
    }
  });

  test("a game cannot be smaller than its players and the spots that are held", async () => {
    const { gameId } = await site.anOffer();
    await app.db.updateTable("games").set({ max_players: 3 }).where("id", "=", gameId).execute();
    await joinGame(app.db, app.jobs, { gameId, playerId: await ada(app.db), now });
    const path = `/admin/games/${gameId}/edit`;
    const { data } = await visit(app, edit.loader, { path, cookie: admin.cookie });
    const { values, version } = data as { values: Record<string, string>; version: number };
    const body = { ...values, version: String(version), intent: "save", maxPlayers: "1" };
    const saved = await visit(app, edit.action, { path, cookie: admin.cookie, body });
    expect(saved.data).toMatchObject({
      fieldErrors: {
        maxPlayers:
          "1 player already in, and 1 spot held for the waitlist, on Mon, Nov 23, 2026: " +
          "the game cannot be smaller.",
      },
    });
  });

  test("a spot that is held is shown, and its holder cannot be promoted", async () => {
    const { gameId } = await site.anOffer();
    const html = await pageOf(gameId);
    expect(textOf(html)).toContain("|Has a spot held until Sat 14:00|");
    expect(buttonsOf(html).filter((label) => label.startsWith("Promote"))).toEqual([]);
  });
});

describe("a player who is added while somebody waits for the free spot", () => {
  /** A free spot, and two who wait for it. */
  async function aFreeSpot() {
    const list = await aWaitlist(aPlayer(app.db, { name: "Wilma", credits: 10 }), ada(app.db));
    const { bookingId, holder } = list;
    await cancelBooking(app.db, app.jobs, { bookingId, playerId: holder.id, now });
    const playerId = await aPlayer(app.db, { name: "Greta" });
    return { ...list, add: { intent: "add", playerId } };
  }
  const playersIn = async (gameId: string) =>
    (await bookingsOf(app.db, gameId)).filter(({ payment_status }) => payment_status === "Unpaid");

  test("is asked for by the name of who is next, and added where that is confirmed", async () => {
    const { gameId, ids, add } = await aFreeSpot();
    const asked = await post(gameId, add);
    expect(asked.status).toBe(200);
    const html = await pageOf(gameId, asked.result);
    expect(textOf(html)).toMatch(/\|Wilma \w+ is next on the waitlist\|/);
    expect(buttonsOf(html)).toContainEqual(expect.stringMatching(/^Add Greta \w+ anyway, unpaid$/));
    expect(html).toContain(`name="nextId" value="${ids[0]}"`);
    expect(await playersIn(gameId)).toEqual([]);
    expect((await post(gameId, { ...add, nextId: ids[0]! })).status).toBe(302);
    expect(await playersIn(gameId)).toMatchObject([{ user_id: add.playerId }]);
    const waiting = (await site.entriesOf(gameId)).filter(({ status }) => status === "Waiting");
    expect(waiting).toHaveLength(2);
  });

  test("is asked for again where somebody else is next by then", async () => {
    const { gameId, ids, entryIds, add } = await aFreeSpot();
    await post(gameId, { intent: "waitlist-remove", entryId: entryIds[0]! });
    const again = await post(gameId, { ...add, nextId: ids[0]! });
    expect(await pageOf(gameId, again.result)).toContain(`name="nextId" value="${ids[1]}"`);
    expect(await playersIn(gameId)).toEqual([]);
  });

  test("needs no question where nobody who waits could have the spot, or who is next is added", async () => {
    const { gameId, ids, add } = await aFreeSpot();
    expect((await post(gameId, { ...add, playerId: ids[0]! })).status).toBe(302);
    const poor = await aWaitlist(aPlayer(app.db));
    const { bookingId, holder } = poor;
    await cancelBooking(app.db, app.jobs, { bookingId, playerId: holder.id, now });
    expect((await post(poor.gameId, add)).status).toBe(302);
  });
});

test("the roster counts a spot that is held for the waitlist as no free one", async () => {
  const { gameId } = await site.anOffer();
  expect(textOf(await pageOf(gameId))).toContain("|0 in · 0 spots left · 1 held for the waitlist|");
});

test("the overview counts how many waited, and how many of them played", async () => {
  const { gameId, holder, bookingId, entryIds } = await aWaitlist(ada(app.db), ben(app.db));
  await cancelBooking(app.db, app.jobs, { bookingId, playerId: holder.id, now });
  const promotion = { intent: "waitlist-promote", entryId: entryIds[0]!, reason: "First" };
  expect((await post(gameId, promotion)).status).toBe(302);
  now = hoursLater(50);
  const cookie = await signIn(app, admin.id);
  const game = app.db.selectFrom("games").select("venue_id").where("id", "=", gameId);
  const { venue_id } = await game.executeTakeFirstOrThrow();
  const path = `/admin?weeks=4&venue=${venue_id}`;
  const { data } = await visit(app, overview, { path, cookie });
  now = NOW;
  const { reports } = data as { reports: { key: string; found: object | null }[] };
  expect(reports.find(({ key }) => key === "waitlists")?.found).toMatchObject({
    headline: "2 waited",
    note: "in these weeks, 1 of them played",
  });
});
