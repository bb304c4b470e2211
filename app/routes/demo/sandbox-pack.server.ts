import { isMonthly } from "../../features/wallet/rules.ts";
import type { Db } from "../../platform/db.server.ts";
import { centsFromNumeric } from "../../platform/money.ts";

/** A pack with what Stripe knows it by. */
export interface SandboxPack {
  name: string;
  priceCents: number;
  creditsCents: number;
  isMonthly: boolean;
  paymentLinkId: string | null;
  priceId: string;
}

/** The pack of a payment link; null where it is not on sale, as Stripe closes its links. */
export async function findSandboxPack(db: Db, packKey: string): Promise<SandboxPack | null> {
  if (!/^[\w.-]{1,100}$/.test(packKey)) return null;
  const row = await db
    .selectFrom("credit_packs")
    .selectAll()
    .where("pack_key", "=", packKey)
    .where("is_active", "=", true)
    .executeTakeFirst();
  if (!row) return null;
  return {
    name: row.pack_name,
    priceCents: centsFromNumeric(row.price_eur),
    creditsCents: centsFromNumeric(row.total_credit_eur),
    isMonthly: isMonthly(row.pack_key),
    paymentLinkId: row.stripe_payment_link_id,
    // Stripe always has one; that we have not stored it shows when the invoice arrives.
    priceId: row.stripe_price_id ?? `price_unknown_${row.pack_key}`,
  };
}
