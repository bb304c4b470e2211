import { expect, test } from "vitest";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { openSite } from "#test/whole-site.ts";

const database = useDatabase();

// spec: 2.14
test.each([
  ["1", "/events/1"],
  ["a%20b", "/events/a%20b"],
  ["%2Fevil.example", "/events/%2Fevil.example"],
])("/games/%s leads to %s for good", async (gameId, location) => {
  const site = await openSite(testApp(database));
  const { status, headers } = await site(`/games/${gameId}`);
  expect([status, headers.get("Location")]).toEqual([301, location]);
});
