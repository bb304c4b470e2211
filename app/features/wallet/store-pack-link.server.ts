import type { Db, Tx } from "../../platform/db.server.ts";
import { centsFromNumeric, numericFromCents } from "../../platform/money.ts";

export interface PackToSell {
  id: string;
  key: string;
  name: string;
  priceCents: number;
  creditsCents: number;
  /** Stripe's ids and link as stored; the sandbox's count as none. */
  priceId: string | null;
  paymentLinkId: string | null;
  link: string | null;
  /** How many prices it was sold at before. */
  formerPrices: number;
}

export interface Deal {
  priceId: string;
  paymentLinkId: string;
  link: string;
  /** What it was sold at until now, as Stripe knows it; null where it was not. */
  earlier: { priceId: string; priceCents: number; creditsCents: number } | null;
}

/** Every pack on sale, as it stands at Stripe. */
export async function listPacksToSell(db: Db): Promise<PackToSell[]> {
  const rows = await packs(db).where("is_active", "=", true).orderBy("price_eur").execute();
  return rows.map(toPack);
}

/**
 * Stores what a pack is sold by from now on. What it was sold by before stays known: links that are
 * open in a browser are still paid, and subscriptions renew at the price they began with. Throws
 * when the pack has changed since it was read.
 */
export async function storePackLink(db: Db, pack: PackToSell, deal: Deal): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const row = await packs(tx).where("id", "=", pack.id).forUpdate().executeTakeFirst();
    // Another run was faster, with the same deal.
    if (row?.stripe_price_id === deal.priceId && row.stripe_checkout_link === deal.link) return;
    if (!row || JSON.stringify(toPack(row)) !== JSON.stringify(pack)) {
      throw new Error(`${pack.key} was changed meanwhile; run it again`);
    }
    await keepFormer(tx, pack, deal);
    await tx
      .updateTable("credit_packs")
      .set({
        stripe_checkout_link: deal.link,
        stripe_payment_link_id: deal.paymentLinkId,
        stripe_price_id: deal.priceId,
      })
      .where("id", "=", pack.id)
      .execute();
  });
}

async function keepFormer(tx: Tx, pack: PackToSell, deal: Deal): Promise<void> {
  const priceId = deal.earlier?.priceId ?? pack.priceId;
  if (!priceId || priceId === deal.priceId) return;
  const { priceCents, creditsCents } = deal.earlier ?? pack;
  await tx
    .insertInto("former_pack_prices")
    .values({
      stripe_price_id: priceId,
      stripe_payment_link_id: pack.paymentLinkId,
      pack_id: pack.id,
      price_eur: numericFromCents(priceCents),
      total_credit_eur: numericFromCents(creditsCents),
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

function packs(db: Db) {
  return db
    .selectFrom("credit_packs")
    .select(["id", "pack_key", "pack_name", "price_eur", "total_credit_eur"])
    .select(["stripe_price_id", "stripe_payment_link_id", "stripe_checkout_link"])
    .select((query) =>
      query
        .selectFrom("former_pack_prices")
        .whereRef("pack_id", "=", "credit_packs.id")
        .select(({ fn }) => fn.countAll<number>().as("count"))
        .as("former_prices"),
    );
}

type Row = Awaited<ReturnType<ReturnType<typeof packs>["executeTakeFirstOrThrow"]>>;

function toPack(row: Row): PackToSell {
  const isReal = (id: string | null) => id !== null && !/^(price|plink)_demo_/.test(id);
  const paymentLinkId = isReal(row.stripe_payment_link_id) ? row.stripe_payment_link_id : null;
  return {
    id: row.id,
    key: row.pack_key,
    name: row.pack_name,
    priceCents: centsFromNumeric(row.price_eur),
    creditsCents: centsFromNumeric(row.total_credit_eur),
    priceId: isReal(row.stripe_price_id) ? row.stripe_price_id : null,
    paymentLinkId,
    link: paymentLinkId && row.stripe_checkout_link,
    formerPrices: Number(row.former_prices),
  };
}
