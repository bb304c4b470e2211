import type { Db, Tx } from "#app/platform/db.server.ts";
import { numericFromCents } from "#app/platform/money.ts";
import { isSandboxId } from "#app/platform/sandbox.ts";
import { type Pack, selectPacks, toPack } from "./packs.server.ts";

/** A pack as it stands at Stripe: the sandbox's ids and link count as none. */
export interface PackToSell extends Pack {
  /** How many prices it was sold at before. */
  formerPrices: number;
}

interface Deal {
  priceId: string;
  paymentLinkId: string;
  link: string;
  /** What it was sold at until now, as Stripe knows it; null where it was not. */
  earlier: { priceId: string; priceCents: number; creditsCents: number } | null;
}

/** Every pack on sale, cheapest first. */
export async function listPacksToSell(db: Db): Promise<PackToSell[]> {
  const onSale = packs(db).where("is_active", "=", true);
  return (await onSale.orderBy("price_eur").orderBy("pack_key").execute()).map(toPackToSell);
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
    if (!row || JSON.stringify(toPackToSell(row)) !== JSON.stringify(pack)) {
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

function packs(db: Db | Tx) {
  return selectPacks(db).select((query) =>
    query
      .selectFrom("former_pack_prices")
      .whereRef("pack_id", "=", "credit_packs.id")
      .select(({ fn }) => fn.countAll<number>().as("count"))
      .as("former_prices"),
  );
}

type Row = Awaited<ReturnType<ReturnType<typeof packs>["executeTakeFirstOrThrow"]>>;

function toPackToSell(row: Row): PackToSell {
  const pack = toPack(row);
  const realId = (id: string | null) => (id && !isSandboxId(id) ? id : null);
  const paymentLinkId = realId(pack.paymentLinkId);
  return {
    ...pack,
    priceId: realId(pack.priceId),
    paymentLinkId,
    checkoutLink: paymentLinkId && pack.checkoutLink,
    formerPrices: Number(row.former_prices),
  };
}
