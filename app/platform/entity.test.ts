import { expect, test } from "vitest";
import { partners } from "#app/features/partners/partners.server.ts";
import { useDatabase } from "#test/db.ts";
import { searchRows } from "./entity.server.ts";

const database = useDatabase();

test("a search finds a row of which a searched column is empty", async () => {
  const { db } = database;
  const row = { name: "Corner Café", website_url: null, logo_url: null };
  await db.insertInto("partners").values(row).execute();
  const searched = { ...partners, searched: ["name", "websiteUrl"] };
  const { rows } = await searchRows(db, searched, { search: "corner", after: null, limit: 5 });
  expect(rows).toMatchObject([{ name: "Corner Café" }]);
});
