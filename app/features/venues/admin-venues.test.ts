import { sql } from "kysely";
import { beforeEach, expect, test } from "vitest";
import { useDatabase } from "#test/db.ts";
import { aGame, aVenue, NOW } from "#test/fixtures.ts";
import { createGames } from "#app/features/games/create-games.server.ts";
import { findGame, listUpcomingGames } from "#app/features/games/games.server.ts";
import {
  lockAndCheckVenue,
  findVenue,
  listCities,
  listVenueIds,
  listVenues,
} from "./venues.server.ts";
import { heldNow } from "#app/features/games/held-spots.server.ts";
import { planOf } from "#app/features/games/plan.ts";
import { changeRow, createRow, editRow } from "#app/platform/entity-writes.server.ts";
import { findRow, searchRows } from "#app/platform/entity.server.ts";
import { findAdminVenue, venues } from "./admin-venues.server.ts";

const database = useDatabase();
const actor = "an-admin";
const input = {
  ...{ name: "Hall", city: "Espoo", address: "Otakaari 1", description: "A hall." },
  playerNotes: "Ring twice.",
  ...{ mapsUrl: null, website: "https://hall.example" },
};
beforeEach(async () => {
  await database.db.deleteFrom("games").execute();
  await database.db.deleteFrom("venues").execute();
});

const list = async (search = "", after: string | null = null, limit = 50) => {
  const { rows, next } = await searchRows(database.db, venues, { search, after, limit });
  return { names: rows.map(({ name }) => name), next };
};
const create = async (id: string = crypto.randomUUID()) => {
  expect(await createRow(database.db, venues, { id, input, actor })).toEqual({ ok: true });
  return id;
};
const hide = (id: string, isHidden: boolean) =>
  changeRow(database.db, venues, { id, actor, action: "venue.hide", values: { isHidden } });
const entriesOn = (subject: string) =>
  database.db
    .selectFrom("audit_log")
    .select(["actor", "action", "details"])
    .where("subject", "=", subject)
    .orderBy("id")
    .execute();

test("venues are listed by name in pages, with equal names too", async () => {
  for (const name of ["C", "A", "B", "B", "B", "D"]) await aVenue(database.db, { name });
  const names: string[] = [];
  let after: string | null = null;
  do {
    const page = await list("", after, 2);
    names.push(...page.names);
    after = page.next;
  } while (after);
  expect(names).toEqual(["A", "B", "B", "B", "C", "D"]);
  expect((await list("", "forged")).names).toHaveLength(6);
});

test("a search finds parts of names and cities, hidden ones too, and no wildcards", async () => {
  await aVenue(database.db, { name: "100% Hall", city: "Espoo" });
  await aVenue(database.db, { name: "The Cage", city: "Helsinki", is_hidden: true });
  expect((await list("hall")).names).toEqual(["100% Hall"]);
  expect((await list("HELS")).names).toEqual(["The Cage"]);
  expect((await list("0%")).names).toEqual(["100% Hall"]);
  for (const none of ["%%", "_", "\\", "Turku"]) expect((await list(none)).names).toEqual([]);
});

test("a search takes ß for ss, Þ for th, and one apostrophe and space for all", async () => {
  const name = "Þórs O’Neill\u00a0Straße";
  await aVenue(database.db, { name, city: "Malmö" });
  for (const words of ["strasse", "STRAẞE", "thors o'neill s", "malmo"]) {
    expect((await list(words)).names).toEqual([name]);
  }
});

test("a venue is created and edited, with audit entries", async () => {
  const id = await create();
  const edited = { ...input, name: "Great Hall", description: "" };
  const edit = { id, version: 1, input: edited, actor };
  expect(await editRow(database.db, venues, edit)).toEqual({ ok: true });
  expect(await findAdminVenue(database.db, id)).toEqual({
    ...{ id, ...edited, photos: [], isHidden: false, version: 2 },
  });
  expect(await entriesOn(id)).toEqual([
    { actor, action: "venue.create", details: { before: null, after: input } },
    { actor, action: "venue.edit", details: { before: input, after: edited } },
  ]);
});

test("a form that arrives twice makes one venue, and another venue is not taken for it", async () => {
  const id = crypto.randomUUID();
  await Promise.all([create(id), create(id)]);
  expect((await list()).names).toEqual(["Hall"]);
  expect(await entriesOn(id)).toHaveLength(1);
  const make = (id: string, name: string) =>
    createRow(database.db, venues, { id, input: { ...input, name }, actor });
  expect(await make(id, "Another")).toEqual({ ok: false, reason: "form-used" });
  expect(await make("x", "Hall")).toEqual({ ok: false, reason: "no-id" });
  expect((await list()).names).toEqual(["Hall"]);
});

test("of two who edit the same venue the second gets the first one's version", async () => {
  const id = await create();
  const save = (name: string) =>
    editRow(database.db, venues, { id, version: 1, input: { ...input, name }, actor });
  const results = await Promise.all([save("First"), save("Second")]);
  const kept = await findRow(database.db, venues, id);
  expect(results.filter(({ ok }) => ok)).toHaveLength(1);
  expect(results.find(({ ok }) => !ok)).toEqual({ ok: false, reason: "changed", current: kept });
  // What is as it was wanted is no conflict: the same form sent twice.
  expect(await save(kept!.name)).toEqual({ ok: true });
  expect(await entriesOn(id)).toHaveLength(2);
});

test("a missing venue is not edited, hidden or found", async () => {
  const gone = { ok: false, reason: "gone" };
  for (const id of ["no-id", "00000000-0000-4000-8000-000000000000"]) {
    expect(await editRow(database.db, venues, { id, version: 1, input, actor })).toEqual(gone);
    expect(await hide(id, true)).toEqual(gone);
    expect(await findAdminVenue(database.db, id)).toBeNull();
  }
});

test("a hidden venue is in no list of the players; its games are", async () => {
  const venueId = await aVenue(database.db, { city: "Vantaa" });
  const gameId = await aGame(database.db, { venue_id: venueId });
  const seen = async () => [
    (await listVenues(database.db, { cities: [], now: NOW, held: heldNow(NOW) })).length,
    (await listVenueIds(database.db)).length,
    (await listCities(database.db)).length,
  ];
  expect(await seen()).toEqual([1, 1, 1]);
  expect(await hide(venueId, true)).toMatchObject({ ok: true });
  expect(await hide(venueId, true)).toMatchObject({ ok: true });
  expect(await seen()).toEqual([0, 0, 0]);
  expect(await findVenue(database.db, { venueId, now: NOW, held: heldNow(NOW) })).toMatchObject({
    isHidden: true,
  });
  expect(await listUpcomingGames(database.db, { now: NOW })).toHaveLength(1);
  expect((await findGame(database.db, gameId, NOW))?.venue.isHidden).toBe(true);
  expect(await hide(venueId, false)).toMatchObject({ ok: true });
  expect(await seen()).toEqual([1, 1, 1]);
  expect((await entriesOn(venueId)).map(({ details }) => details)).toEqual([
    { before: { isHidden: false }, after: { isHidden: true } },
    { before: { isHidden: true }, after: { isHidden: false } },
  ]);
});

test("new games cannot be put at a hidden venue", async () => {
  const venueId = await aVenue(database.db, { is_hidden: true });
  const gameId = await aGame(database.db, { venue_id: venueId });
  const game = await database.db
    .selectFrom("games")
    .selectAll()
    .where("id", "=", gameId)
    .executeTakeFirstOrThrow();
  const games = { plan: planOf(game), weeks: 1, status: "Draft" as const, actorId: actor };
  expect(await createGames(database.db, { ...games, now: NOW })).toEqual({
    ok: false,
    reason: "no-venue",
  });
});

test("a venue is not hidden while a game is created there", async () => {
  const venueId = await aVenue(database.db);
  const hide = () =>
    database.db.transaction().execute(async (tx) => {
      await sql`set local lock_timeout = '50ms'`.execute(tx);
      return tx.updateTable("venues").set({ is_hidden: true }).where("id", "=", venueId).execute();
    });
  await database.db.transaction().execute(async (tx) => {
    expect(await lockAndCheckVenue(tx, venueId)).toBe(true);
    await expect(hide()).rejects.toThrow("lock timeout");
  });
  await hide();
  await database.db.transaction().execute(async (tx) => {
    expect(await lockAndCheckVenue(tx, venueId)).toBe(false);
  });
});
