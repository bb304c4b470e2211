import { expect, test } from "vitest";
import { weeksUntil } from "#app/platform/date-ranges.server.ts";
import { useDatabase } from "#test/db.ts";
import { ben, hoursLater, NOW } from "#test/fixtures.ts";
import { countReviews } from "./inbox.server.ts";

const database = useDatabase();
const question = { weeks: weeksUntil(NOW, 2), now: NOW };

test("the reviews of each week and their stars", async () => {
  expect(await countReviews(database.db, question)).toBeNull();
  const userId = await ben(database.db);
  for (const [rating, hours] of [
    [1, -24 * 20],
    [4, -24 * 6],
    [5, -3],
    [2, -2],
  ] as const) {
    await database.pool.query(
      "insert into reviews (user_id, rating, created_at) values ($1, $2, $3)",
      [userId, rating, hoursLater(hours)],
    );
  }
  expect(await countReviews(database.db, question)).toEqual([
    { reviews: 1, stars: 4 },
    { reviews: 2, stars: 7 },
  ]);
});
