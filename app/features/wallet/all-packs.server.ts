import type { Db } from "../../platform/db.server.ts";
import { centsFromNumeric } from "../../platform/money.ts";

export interface AnyPack {
  id: string;
  name: string;
  priceCents: number;
  creditsCents: number;
  isActive: boolean;
}

/** Every pack that was ever sold, those on sale first, cheapest first. */
export async function listAllPacks(db: Db): Promise<AnyPack[]> {
  const rows = await db
    .selectFrom("credit_packs")
    .select(["id", "pack_name", "price_eur", "total_credit_eur", "is_active"])
    .orderBy("is_active", "desc")
    .orderBy("price_eur")
    .orderBy("pack_key")
    .execute();
  return rows.map((row) => ({
    id: row.id,
    name: row.pack_name,
    priceCents: centsFromNumeric(row.price_eur),
    creditsCents: centsFromNumeric(row.total_credit_eur),
    isActive: row.is_active,
  }));
}
