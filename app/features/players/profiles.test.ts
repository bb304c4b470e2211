import { expect, test } from "vitest";
import { weeksUntil } from "#app/platform/date-ranges.server.ts";
import { useDatabase } from "#test/db.ts";
import { hoursLater, NOW, somePlayers } from "#test/fixtures.ts";
import { countPlayers } from "./profiles.server.ts";

const database = useDatabase();

test("counts players, and those of each week, without deleted accounts", async () => {
  const [old, lastWeek, thisWeek, gone] = await somePlayers(database.db, 4, 0);
  const opened = (userId: string, hours: number) =>
    database.pool.query("update profiles set created_at = $2 where user_id = $1", [
      userId,
      hoursLater(hours),
    ]);
  await opened(old!, -24 * 40);
  await opened(lastWeek!, -24 * 7);
  await opened(thisWeek!, -1);
  await opened(gone!, -2);
  await database.pool.query("update profiles set deleted_at = now() where user_id = $1", [gone]);
  expect(await countPlayers(database.db, { weeks: weeksUntil(NOW, 2), now: NOW })).toEqual({
    total: 3,
    newPlayers: [1, 1],
  });
});
