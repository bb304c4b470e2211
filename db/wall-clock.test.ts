import { beforeAll, expect, test } from "vitest";
import { useDatabase } from "#test/db.ts";
import { aGame } from "#test/fixtures.ts";

// The database turns date and times in Helsinki into instants, for every writer.
const database = useDatabase();
let gameId: string;
beforeAll(async () => {
  gameId = await aGame(database.db);
});

const run = (statement: string) => database.pool.query(statement, [gameId]);

test.each([
  ["2026-12-01", "19:00", "20:30", "2026-12-01T17:00:00Z", "2026-12-01T18:30:00Z"],
  ["2026-07-01", "19:00", "20:30", "2026-07-01T16:00:00Z", "2026-07-01T17:30:00Z"],
  ["2026-12-01", "23:00", "00:30", "2026-12-01T21:00:00Z", "2026-12-01T22:30:00Z"],
  // Both nights on which the clocks change.
  ["2026-10-24", "23:00", "05:00", "2026-10-24T20:00:00Z", "2026-10-25T03:00:00Z"],
  ["2027-03-27", "23:00", "05:00", "2027-03-27T21:00:00Z", "2027-03-28T02:00:00Z"],
])("%s %s to %s in Helsinki", async (date, start, end, startsAt, endsAt) => {
  const { rows } = await run(`update games set date = '${date}', start_time = '${start}',
    end_time = '${end}' where id = $1 returning starts_at, ends_at`);
  expect(rows).toEqual([{ starts_at: new Date(startsAt), ends_at: new Date(endsAt) }]);
});

// spec: 3.12
test("an instant cannot be written beside its wall clock", async () => {
  await expect(run("update games set starts_at = now() where id = $1")).rejects.toThrow(
    "only be updated to DEFAULT",
  );
});
