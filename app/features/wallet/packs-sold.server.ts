import { sql } from "kysely";
import type { Tx } from "../../platform/db.server.ts";
import { centsFromNumeric } from "../../platform/money.ts";

/** A pack at the price that it was sold at. */
export interface SoldPack {
  id: string;
  key: string;
  name: string;
  priceCents: number;
  creditsCents: number;
}

/** The pack that a payment link or a price of Stripe's stands for, at today's or a former price. */
export async function findSoldPack(
  tx: Tx,
  by: { paymentLinkId: string | null } | { priceId: string | null },
): Promise<SoldPack | null> {
  const [column, value] =
    "priceId" in by
      ? ["stripe_price_id", by.priceId]
      : ["stripe_payment_link_id", by.paymentLinkId];
  if (!value) return null;
  const { rows } = await sql<Record<"id" | "key" | "name" | "price" | "credits", string>>`
    select pack.id, pack.pack_key as key, pack.pack_name as name, sold.price_eur as price,
      sold.total_credit_eur as credits
    from (
      select id as pack_id, price_eur, total_credit_eur from credit_packs
      where ${sql.ref(column!)} = ${value}
      union all
      select pack_id, price_eur, total_credit_eur from former_pack_prices
      where ${sql.ref(column!)} = ${value}
    ) sold join credit_packs pack on pack.id = sold.pack_id limit 1`.execute(tx);
  const row = rows[0];
  if (!row) return null;
  const { id, key, name, price, credits } = row;
  const cents = { priceCents: centsFromNumeric(price), creditsCents: centsFromNumeric(credits) };
  return { id, key, name, ...cents };
}
