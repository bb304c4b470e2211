import type { Insertable } from "kysely";
import type { Db } from "#app/platform/db.server.ts";
import type { Schema } from "#app/platform/schema.ts";

/** Adds a partner; false where there is one of this id already, which stays as it is. */
export async function addPartner(
  db: Db,
  partner: Insertable<Schema["partners"]>,
): Promise<boolean> {
  const added = await db
    .insertInto("partners")
    .values(partner)
    .onConflict((conflict) => conflict.column("id").doNothing())
    .returning("id")
    .executeTakeFirst();
  return added !== undefined;
}
