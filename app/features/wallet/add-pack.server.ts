import type { Insertable } from "kysely";
import type { Db } from "#app/platform/db.server.ts";
import type { Schema } from "#app/platform/schema.ts";

/** The packs that the product is sold in (specification, section 2, Credit plans dialog). */
export const DEFAULT_PACKS = [
  { pack_key: "pay_per_game", pack_name: "Single game", price_eur: "9.99", total_credit_eur: "10" },
  {
    pack_key: "monthly_4",
    pack_name: "4 games a month",
    price_eur: "34.00",
    total_credit_eur: "40",
  },
  {
    pack_key: "monthly_8",
    pack_name: "8 games a month",
    price_eur: "64.00",
    total_credit_eur: "80",
  },
  {
    pack_key: "monthly_12",
    pack_name: "12 games a month",
    price_eur: "90.00",
    total_credit_eur: "120",
  },
];

/** Adds a pack; one that exists under its key stays as it is. */
export async function addPack(db: Db, pack: Insertable<Schema["credit_packs"]>): Promise<void> {
  await db
    .insertInto("credit_packs")
    .values(pack)
    .onConflict((conflict) => conflict.column("pack_key").doNothing())
    .execute();
}
