import { expect, test } from "vitest";
import { useDatabase } from "#test/db.ts";
import { aVenue } from "#test/fixtures.ts";
import { aPlan } from "#test/games.ts";
import { statementsSent } from "#test/plans.ts";
import { describeChanges } from "./describe-change.server.ts";

const database = useDatabase();

test("changes of many games are described by one statement", async () => {
  const hall = aPlan(await aVenue(database.db, { name: "Campus Hall" }));
  const sent = await statementsSent(database.pool, async (db) => {
    const moved = { ...hall, venueId: await aVenue(database.db, { name: "Harbour Hall" }) };
    const later = { ...hall, startTime: "20:00" };
    const found = await describeChanges(db, [
      { from: hall, to: moved },
      { from: moved, to: later },
    ]);
    const venue = { label: "Venue", from: "Campus Hall, Espoo", to: "Harbour Hall, Espoo" };
    const time = { label: "Time", from: "19:00–20:30", to: "20:00–20:30" };
    expect(found).toEqual([[venue], [time, { ...venue, from: venue.to, to: venue.from }]]);
  });
  expect(sent.filter(({ sql }) => sql.includes('from "venues"'))).toHaveLength(1);
});
