import { expect, test } from "vitest";
import { useDatabase } from "#test/db.ts";
import { aVenue } from "#test/fixtures.ts";
import { listCities } from "./venues.server.ts";

const database = useDatabase();

// spec: 7.24
test("each city with a venue is in the filter once, by name", async () => {
  expect(await listCities(database.db)).toEqual([]);
  for (const city of ["Vantaa", "Espoo", "Vantaa", "Helsinki", "Espoo"]) {
    await aVenue(database.db, { city });
  }
  expect(await listCities(database.db)).toEqual(["Espoo", "Helsinki", "Vantaa"]);
});
