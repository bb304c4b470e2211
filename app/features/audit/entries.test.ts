import { beforeAll, describe, expect, test } from "vitest";
import { useDatabase } from "#test/db.ts";
import { aGame, aPlayer, hoursLater, NOW } from "#test/fixtures.ts";
import { recordAudit } from "#app/platform/audit.server.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import { sendMessage } from "#app/features/support/tickets.server.ts";
import {
  type EntryFilter,
  findNamed,
  listFilterChoices,
  listAuditEntries,
  exportEntries,
} from "./entries.server.ts";

const database = useDatabase();
let olga: string;
let game: string;
beforeAll(async () => {
  olga = await aPlayer(database.db, { name: "Olga" });
  game = await aGame(database.db, { title: "Late futsal" });
  const recordEntry = (entry: Parameters<typeof recordAudit>[1]) =>
    database.db.transaction().execute((tx) => recordAudit(tx, entry));
  await recordEntry({ actor: olga, action: "game.create", subject: game });
  await recordEntry({ actor: "command", action: "role.admin", subject: olga });
  await recordEntry({ actor: olga, action: "game.publish", subject: game });
  await recordEntry({ actor: olga, action: "legal.edit", subject: "terms" });
});

const NONE: EntryFilter = { actor: null, action: null, subject: null };
const list = async (filter: Partial<EntryFilter> = {}, before: number | null = null, limit = 50) =>
  listAuditEntries(database.db, { filter: { ...NONE, ...filter }, before, limit });
/** Sets the role aside, which other tests are about. */
const FORMS = ["history", "late", "many", "series"];
const actionsOf = (entries: { action: string }[]) => entries.map(({ action }) => action);

describe("the log", () => {
  test("lists the newest first, with names where they exist", async () => {
    const entries = (await list()).filter(({ actor }) => !FORMS.includes(actor));
    const actions = ["legal.edit", "game.publish", "role.admin", "game.create"];
    expect(actionsOf(entries)).toEqual(actions);
    expect(entries[0]).toMatchObject({
      subject: "terms",
      name: "the terms",
      game: null,
      player: null,
    });
    expect(entries[1]).toMatchObject({ actor: olga, game: { id: game } });
    expect(entries[2]).toMatchObject({ actor: "command", actorName: null });
    expect(entries[1]?.actorName).toMatch(/^Olga /);
    expect(entries[2]?.player).toEqual({ id: olga, name: entries[1]?.actorName });
  });

  test("filters by actor, action and subject", async () => {
    expect(await list({ actor: "command" })).toHaveLength(1);
    expect(actionsOf(await list({ subject: game, actor: olga }))).toEqual([
      ...["game.publish", "game.create"],
    ]);
    expect(await list({ actor: olga, action: "game.publish" })).toHaveLength(1);
    expect(await list({ actor: "command", action: "game.publish" })).toEqual([]);
    expect(await list({ subject: "' or true --" })).toEqual([]);
  });

  test("lists in pages", async () => {
    const [one, two] = await list({}, null, 2);
    const more = await list({}, two!.id, 2);
    expect(actionsOf([one!, two!, ...more])).toEqual(actionsOf(await list()));
  });

  test("folds what one form did into one entry, but not in the history of each", async () => {
    const { db } = database;
    const later = [await aGame(db), await aGame(db)];
    const create = (subjects: string[]) =>
      db.transaction().execute(async (tx) => {
        for (const subject of subjects) {
          await recordAudit(tx, { actor: "series", action: "game.edit", subject });
        }
        await recordAudit(tx, { actor: "series", action: "game.publish", subject: game });
      });
    await create([game, ...later]);
    await create([game]);
    const entries = await list({ actor: "series", action: "game.edit" });
    const gamesOf = (entry: (typeof entries)[number]) =>
      [entry, ...entry.others].map((each) => each.game?.id);
    expect(entries.map(gamesOf)).toEqual([[game], [game, ...later]]);
    const [inHistory, ...rest] = await list({ actor: "series", subject: later[1]! });
    expect([rest, gamesOf(inHistory!)]).toEqual([[], [later[1], game, later[0]]]);
    const [newest] = await list({ actor: "series" }, entries[0]!.id + 1, 1);
    expect(newest?.id).toBe(entries[0]!.id);
    expect(await list({ actor: "series" }, entries[0]!.id)).toHaveLength(2);
  });

  test("does not fold what a form that was gone back to did to somebody else", async () => {
    const { db } = database;
    const remove = { actor: "history", action: "booking.remove" } as const;
    for (const subject of ["one", "two"]) {
      const entry = { ...remove, subject, details: { formKey: "form" } };
      await db.transaction().execute((tx) => recordAudit(tx, entry));
    }
    expect(await list({ action: "booking.remove" })).toMatchObject([
      { subject: "two", others: [] },
      { subject: "one", others: [] },
    ]);
  });

  test("counts all that one form is about, as many as a game has seats", async () => {
    const { db } = database;
    await db.transaction().execute(async (tx) => {
      for (let seat = 0; seat < 200; seat += 1) {
        await recordAudit(tx, { actor: "many", action: "booking.attendance", subject: `${seat}` });
      }
    });
    const [entry, ...rest] = await list({ actor: "many" });
    expect([rest, entry!.others.length]).toEqual([[], 199]);
  });

  test("names those who were placed in teams", async () => {
    const { db } = database;
    const placed = [await aPlayer(db, { name: "Bo" }), await aPlayer(db, { name: "Ann" })];
    const details = { placed: [...placed, crypto.randomUUID(), "somebody"] };
    const late = { actor: "late", action: "teams.place", subject: game } as const;
    for (const each of [details, {}, { placed: "all" }]) {
      await db.transaction().execute((tx) => recordAudit(tx, { ...late, details: each }));
    }
    const entries = await list({ actor: "late" });
    expect(entries.map((entry) => entry.placed?.map(({ id }) => id) ?? null)).toEqual([
      ...[null, null, placed.toReversed()],
    ]);
  });

  test("has in a player's history what names them, by whatever it is about, and nothing else", async () => {
    const { db, jobs } = database;
    const [ann, bob] = [await aPlayer(db, { credits: 20 }), await aPlayer(db, { credits: 20 })];
    const gameId = await aGame(db);
    const join = async (playerId: string) => {
      const joined = await joinGame(db, jobs, { gameId, playerId, now: NOW });
      if (!joined.ok) throw new Error(joined.reason);
      return joined.bookingId;
    };
    const seats = [await join(ann), await join(bob)];
    await sendMessage(db, jobs, { userId: ann, subject: "Shoes", message: "Lost" }, NOW);
    const tickets = db.selectFrom("support_messages").select("id").where("user_id", "=", ann);
    const { id: ticket } = await tickets.executeTakeFirstOrThrow();
    const marks = { gameId, playerId: ann };
    const entries = [
      { action: "account.suspend", subject: ann },
      { action: "booking.attendance", subject: seats[0]!, details: marks },
      { action: "inbox.done", subject: ticket },
      { action: "waitlist.remove", subject: gameId, details: marks },
      { action: "teams.place", subject: gameId, details: { placed: [bob, ann] } },
    ] as const;
    const others = [
      { action: "account.suspend", subject: bob },
      { action: "booking.attendance", subject: seats[1]!, details: { gameId, playerId: bob } },
      { action: "teams.place", subject: gameId, details: { placed: [bob] } },
      { action: "game.edit", subject: gameId },
    ] as const;
    for (const entry of [...entries, ...others]) {
      await db.transaction().execute((tx) => recordAudit(tx, { actor: "history", ...entry }));
    }
    const of = async (subject: string) => actionsOf(await list({ subject, actor: "history" }));
    expect(await of(ann)).toEqual(entries.map(({ action }) => action).reverse());
    expect(await of(seats[0]!)).toEqual(["booking.attendance"]);
    expect((await of(gameId)).length).toBe(4);
    const [newest] = await list({ subject: ann, actor: "history" }, null, 1);
    expect(await list({ subject: ann, actor: "history" }, newest!.id)).toHaveLength(4);
    expect((await findNamed(db, ann)).player?.id).toBe(ann);
  });

  test("lists the actors and actions that occur", async () => {
    const { actors, actions } = await listFilterChoices(database.db);
    expect(actors.map(({ actor }) => actor)).toEqual([olga, "command", ...FORMS]);
    expect(actions).toEqual(
      expect.arrayContaining(["game.create", "game.publish", "legal.edit", "role.admin"]),
    );
    expect(actions).toEqual([...new Set(actions)].toSorted());
  });

  test("exports a period in chunks, oldest first", async () => {
    const { db } = database;
    const { created_at } = await db
      .selectFrom("audit_log")
      .select("created_at")
      .executeTakeFirstOrThrow();
    const period = { from: created_at, to: new Date(created_at.getTime() + 60_000), limit: 3 };
    const first = await exportEntries(db, { ...period, after: null });
    const rest = await exportEntries(db, { ...period, after: first.at(-1)! });
    const actions = ["game.create", "role.admin", "game.publish", "legal.edit"];
    expect(actionsOf([...first, ...rest]).slice(0, 4)).toEqual(actions);
    const earlier = { from: hoursLater(-1), to: NOW, after: null, limit: 3 };
    expect(await exportEntries(db, { ...earlier, to: created_at })).toEqual([]);
  });
});

// Runs as the role that the app itself uses.
test.each([
  "update audit_log set actor = 'somebody'",
  "update audit_log set details = '{}' where action = 'legal.edit'",
  "delete from audit_log",
  "truncate audit_log",
  "truncate audit_log restart identity cascade",
])("the database rejects: %s", async (statement) => {
  const before = await list();
  await expect(database.pool.query(statement)).rejects.toThrow("audit_log is append-only");
  expect(await list()).toEqual(before);
});
