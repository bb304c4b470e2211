import { expect, test } from "vitest";
import { useDatabase } from "#test/db.ts";
import { addPartner, listActivePartners } from "./partners.server.ts";

const database = useDatabase();

// spec: 7.13
test("active partners by their order, then the oldest first", async () => {
  // Ids that run the other way, so that they are not what orders two of the same place.
  let left = 9;
  const add = (name: string, sort_order: number, day: number, is_active = true) =>
    addPartner(database.db, {
      id: `00000000-0000-4000-8000-00000000000${left--}`,
      ...{ name, sort_order, is_active, logo_url: `/${name}.svg` },
      created_at: new Date(Date.UTC(2026, 0, day)),
    });
  await add("older", 2, 3);
  await add("younger", 2, 9);
  await add("last", 10, 1);
  await add("first", -1, 20);
  await add("hidden", 0, 2, false);
  const partners = await listActivePartners(database.db);
  expect(partners.map(({ name }) => name)).toEqual(["first", "older", "younger", "last"]);
  expect(partners[0]).toEqual({
    ...{ id: expect.any(String), name: "first" },
    ...{ logoUrl: "/first.svg", websiteUrl: null },
  });
});
