import { sql } from "kysely";
import { expect, test } from "vitest";
import { useDatabase } from "../../test/db.ts";
import { isDatabaseAway } from "./db.server.ts";

const world = useDatabase();

test("a connection that is lost in a transaction fails that transaction alone", async () => {
  const lost = world.db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() pid`.execute(tx);
    await sql`select pg_terminate_backend(${rows[0]?.pid}, 5000)`.execute(world.db);
    await sql`select 1`.execute(tx);
  });
  const error: unknown = await lost.catch((thrown: unknown) => thrown);
  expect(isDatabaseAway(error)).toBe(true);
  const { rows } = await sql`select 1 as one`.execute(world.db);
  expect(rows).toEqual([{ one: 1 }]);
});
