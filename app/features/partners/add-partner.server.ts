import type { Insertable } from "kysely";
import type { Db } from "../../platform/db.server.ts";
import type { Schema } from "../../platform/schema.ts";

export async function addPartner(db: Db, partner: Insertable<Schema["partners"]>): Promise<void> {
  await db.insertInto("partners").values(partner).execute();
}
