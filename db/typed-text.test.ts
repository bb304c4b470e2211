import { readFileSync } from "node:fs";
import path from "node:path";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { aPlayer } from "#test/fixtures.ts";
import { useDatabase } from "#test/db.ts";
import { projectRoot } from "#app/platform/root.server.ts";
import { phoneText } from "#app/features/players/phone.server.ts";
import { searchPlayers } from "#app/features/players/search-players.server.ts";

const database = useDatabase();
const FILE = path.join(projectRoot, "db", "migrations", "040_typed_text.sql");

const PHONES = [
  ["0401234567", "+358 40 1234567"],
  ["040 123 4567", "+358 40 1234567"],
  ["+358 (0)50-123 4567", "+358 50 1234567"],
  ["00358401234567", "+358 40 1234567"],
  ["+46701234567", "+46 701234567"],
  ["+35312345678", "+353 12345678"],
  ["+46 70 123 45 67", "+46 70 123 45 67"],
  ["09 123 456", "09 123 456"],
  ["07911 123456", "07911 123456"],
  ["12345", "12345"],
  ["040", "040"],
  // One more space would be more than the column holds.
  ["+46123456789012345678901234567", "+46123456789012345678901234567"],
] as const;

test("phones and names of earlier versions get today's form, and nothing is lost", async () => {
  const { db } = database;
  const ids: string[] = [];
  for (const [phone] of PHONES) {
    const playerId = await aPlayer(db);
    const names = { first_name: "Seán  Ó", last_name: "O’Neill" };
    await db
      .updateTable("profiles")
      .set({ ...names, phone })
      .where("user_id", "=", playerId)
      .execute();
    ids.push(playerId);
  }
  await sql.raw(readFileSync(FILE, "utf8")).execute(db);
  const rows = await db.selectFrom("profiles").selectAll().where("user_id", "in", ids).execute();
  const found = ids.map((id) => rows.find(({ user_id }) => user_id === id)!);
  expect(found.map(({ phone }) => phone)).toEqual(PHONES.map(([, phone]) => phone));
  for (const { first_name, last_name } of found) {
    expect([first_name, last_name]).toEqual(["Seán Ó", "O'Neill"]);
  }
  const search = { words: "oneill", after: null, limit: 50 };
  expect((await searchPlayers(db, search)).players).toHaveLength(PHONES.length);
});

test("a Finnish mobile number of an earlier version is written as a new one is", () => {
  for (const [typed, kept] of PHONES.filter(([, kept]) => kept.startsWith("+358"))) {
    expect(phoneText(typed)).toBe(kept);
  }
});
