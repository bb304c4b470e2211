import { expect, test } from "vitest";
import { anAdmin } from "#test/admin.ts";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { ada, aGame, hoursLater } from "#test/fixtures.ts";
import { signIn, visit } from "#test/visit.ts";
import { loader } from "./list.tsx";

const database = useDatabase();

async function rostersAt(hours: number, who: string): Promise<string[]> {
  const app = testApp(database, () => hoursLater(hours));
  const { data } = await visit(app, loader, { path: "/events", cookie: await signIn(app, who) });
  return (data as Awaited<ReturnType<typeof loader>>).rosters.map(({ to }) => to);
}

test("on match day, from an hour before, an organiser is led to the roster, and no player is", async () => {
  const { db } = database;
  const [admin, player] = [await anAdmin(testApp(database)), await ada(db)];
  const [kickOff, id] = [2, await aGame(db, { startsIn: 2 })];
  const roster = [`/admin/games/${id}`];
  expect(await rostersAt(kickOff - 1, admin.id)).toEqual(roster);
  expect(await rostersAt(kickOff + 2.9, admin.id)).toEqual(roster);
  expect(await rostersAt(kickOff - 1.1, admin.id)).toEqual([]);
  expect(await rostersAt(kickOff + 3.1, admin.id)).toEqual([]);
  expect(await rostersAt(kickOff, player)).toEqual([]);
});
