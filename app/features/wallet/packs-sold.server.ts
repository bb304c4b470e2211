import { sql } from "kysely";
import type { Tx } from "../../platform/db.server.ts";
import { isId } from "../../platform/ids.ts";
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
  const { rows } = await sql<Row>`
    select pack.id, pack.pack_key as key, pack.pack_name as name, sold.price_eur as price,
      sold.total_credit_eur as credits
    from (
      select id as pack_id, price_eur, total_credit_eur from credit_packs
      where ${sql.ref(column!)} = ${value}
      union all
      select pack_id, price_eur, total_credit_eur from former_pack_prices
      where ${sql.ref(column!)} = ${value}
    ) sold join credit_packs pack on pack.id = sold.pack_id limit 1`.execute(tx);
  return rows[0] ? toSoldPack(rows[0]) : null;
}

/** A pack at today's price, on sale or not; null for what is no id. */
export async function findPack(tx: Tx, packId: string | null): Promise<SoldPack | null> {
  if (!isId(packId)) return null;
  const row = await tx
    .selectFrom("credit_packs")
    .select(["id", "pack_key as key", "pack_name as name"])
    .select(["price_eur as price", "total_credit_eur as credits"])
    .where("id", "=", packId)
    .executeTakeFirst();
  return row ? toSoldPack(row) : null;
}

type Row = Record<"id" | "key" | "name" | "price" | "credits", string>;

function toSoldPack({ id, key, name, price, credits }: Row): SoldPack {
  const cents = { priceCents: centsFromNumeric(price), creditsCents: centsFromNumeric(credits) };
  return { id, key, name, ...cents };
}
