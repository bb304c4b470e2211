import { beforeAll, describe, expect, test } from "vitest";
import { useDatabase } from "#test/db.ts";
import { aGame, aPlayer, hoursLater, NOW } from "#test/fixtures.ts";
import { recordAudit } from "#app/platform/audit.server.ts";
import {
  type EntryFilter,
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
  await database.db.transaction().execute(async (tx) => {
    await recordAudit(tx, { actor: olga, action: "game.create", subject: game });
    await recordAudit(tx, { actor: "command", action: "role.admin", subject: olga });
    await recordAudit(tx, { actor: olga, action: "game.publish", subject: game });
    await recordAudit(tx, { actor: olga, action: "legal.edit", subject: "terms" });
  });
});

const NONE: EntryFilter = { actor: null, action: null, subject: null };
const list = async (filter: Partial<EntryFilter> = {}, before: number | null = null, limit = 50) =>
  listAuditEntries(database.db, { filter: { ...NONE, ...filter }, before, limit });
const actionsOf = (entries: { action: string }[]) => entries.map(({ action }) => action);

describe("the log", () => {
  test("lists the newest first, with names where they exist", async () => {
    const entries = await list();
    const actions = ["legal.edit", "game.publish", "role.admin", "game.create"];
    expect(actionsOf(entries)).toEqual(actions);
    expect(entries[0]).toMatchObject({ subject: "terms", subjectName: null });
    expect(entries[1]).toMatchObject({ actor: olga, subjectName: "Late futsal" });
    expect(entries[2]).toMatchObject({ actor: "command", actorName: null });
    expect(entries[1]?.actorName).toMatch(/^Olga /);
    expect(entries[2]?.subjectName).toBe(entries[1]?.actorName);
  });

  test("filters by actor, action and subject", async () => {
    expect(await list({ actor: "command" })).toHaveLength(1);
    expect(actionsOf(await list({ subject: game }))).toEqual(["game.publish", "game.create"]);
    expect(await list({ actor: olga, action: "game.publish" })).toHaveLength(1);
    expect(await list({ actor: "command", action: "game.publish" })).toEqual([]);
    expect(await list({ subject: "' or true --" })).toEqual([]);
  });

  test("lists in pages", async () => {
    const [one, two] = await list({}, null, 2);
    const more = await list({}, two!.id, 2);
    expect(actionsOf([one!, two!, ...more])).toEqual(actionsOf(await list()));
  });

  test("lists the actors and actions that occur", async () => {
    const { actors, actions } = await listFilterChoices(database.db);
    expect(actors.map(({ actor }) => actor)).toEqual([olga, "command"]);
    expect(actions).toEqual(["game.create", "game.publish", "legal.edit", "role.admin"]);
  });

  test("exports a period in chunks, oldest first", async () => {
    const { db } = database;
    const { created_at } = await db
      .selectFrom("audit_log")
      .select("created_at")
      .executeTakeFirstOrThrow();
    const period = { from: created_at, to: new Date(created_at.getTime() + 1_000), limit: 3 };
    const first = await exportEntries(db, { ...period, after: null });
    const rest = await exportEntries(db, { ...period, after: first.at(-1)! });
    const actions = ["game.create", "role.admin", "game.publish", "legal.edit"];
    expect(actionsOf([...first, ...rest])).toEqual(actions);
    const earlier = { from: hoursLater(-1), to: NOW, after: null, limit: 3 };
    expect(await exportEntries(db, { ...earlier, to: created_at })).toEqual([]);
  });
});

// As the role that the app itself uses.
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
