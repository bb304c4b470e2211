import type Stripe from "stripe";
import type { Db } from "#app/platform/db.server.ts";
import { centsFromNumeric, numericFromCents } from "#app/platform/money.ts";
import { orMissing } from "#app/platform/stripe.server.ts";
import { isPaymentLink } from "./payment-link.ts";
import { offerPack } from "./offer-pack.server.ts";
import { listPacksToSell, type PackToSell, storePackLink } from "./store-pack-link.server.ts";

interface LinkOutcome {
  packKey: string;
  /** "refused": the link is not below PAYMENT_LINK_PREFIX, and a new one is not stored. */
  outcome: "kept" | "made" | "refused";
  link: string;
}

interface Shop {
  stripe: Stripe;
  db: Db;
  appUrl: string;
  paymentLinkPrefix: string;
}

/**
 * Gives every pack on sale a product, a price and a payment link at Stripe, where it has no link or
 * its price is another one by now; tells each pack as it is done. Nothing is made twice, however
 * often it runs or stops in between. Throws Stripe's errors, with the packs before stored.
 */
export async function* createPaymentLinks(shop: Shop): AsyncGenerator<LinkOutcome> {
  for (const pack of await listPacksToSell(shop.db)) {
    const price = await findPrice(shop.stripe, pack);
    if (price && pack.checkoutLink && isPriceOf(price, pack)) {
      await noteCredits(shop.stripe, price, pack);
      const outcome = isPaymentLink(pack.checkoutLink, shop.paymentLinkPrefix) ? "kept" : "refused";
      yield { packKey: pack.key, outcome, link: pack.checkoutLink };
    } else {
      yield await makeLink(shop, pack, price);
    }
  }
  await closeFormerLinks(shop);
}

async function makeLink(
  { stripe, db, appUrl, paymentLinkPrefix }: Shop,
  pack: PackToSell,
  earlier: Stripe.Price | null,
): Promise<LinkOutcome> {
  const { price, link } = await offerPack(stripe, pack, appUrl);
  const told = { packKey: pack.key, link: link.url };
  if (!isPaymentLink(link.url, paymentLinkPrefix)) return { ...told, outcome: "refused" };
  await storePackLink(db, pack, {
    priceId: price.id,
    paymentLinkId: link.id,
    link: link.url,
    earlier: earlier && {
      priceId: earlier.id,
      priceCents: earlier.unit_amount ?? pack.priceCents,
      creditsCents: creditsOf(earlier) ?? pack.creditsCents,
    },
  });
  return { ...told, outcome: "made" };
}

/** What the pack is sold at so far; a link that was made by hand tells its price itself. */
async function findPrice(stripe: Stripe, pack: PackToSell): Promise<Stripe.Price | null> {
  const { priceId, paymentLinkId } = pack;
  if (priceId) return orMissing(stripe.prices.retrieve(priceId));
  if (!paymentLinkId) return null;
  const items = await orMissing(stripe.paymentLinks.listLineItems(paymentLinkId));
  return items?.data[0]?.price ?? null;
}

function isPriceOf(price: Stripe.Price, pack: PackToSell): boolean {
  const { active, currency, unit_amount, recurring } = price;
  const isMonth = recurring?.interval === "month" && recurring.interval_count === 1;
  return (
    price.id === pack.priceId &&
    active &&
    currency === "eur" &&
    unit_amount === pack.priceCents &&
    (pack.isMonthly ? isMonth : !recurring)
  );
}

/** Stripe remembers what the price grants, for the day when the pack has changed in both. */
async function noteCredits(stripe: Stripe, price: Stripe.Price, pack: PackToSell): Promise<void> {
  if (creditsOf(price) === pack.creditsCents) return;
  const credits = numericFromCents(pack.creditsCents);
  await stripe.prices.update(price.id, { metadata: { pack_key: pack.key, credits } });
}

function creditsOf(price: Stripe.Price): number | null {
  const { credits } = price.metadata;
  return credits && /^\d{1,8}\.\d{2}$/.test(credits) ? centsFromNumeric(credits) : null;
}

/** Former links sell no more; whoever opened one before is still granted what it sold. */
async function closeFormerLinks({ stripe, db }: Shop): Promise<void> {
  const current = db
    .selectFrom("credit_packs")
    .select("stripe_payment_link_id")
    .where("stripe_payment_link_id", "is not", null);
  const former = await db
    .selectFrom("former_pack_prices")
    .select("stripe_payment_link_id as id")
    .where("stripe_payment_link_id", "not in", current)
    .execute();
  const ids = new Set(former.map(({ id }) => id));
  const open: string[] = [];
  for await (const { id } of stripe.paymentLinks.list({ active: true, limit: 100 })) {
    if (ids.has(id)) open.push(id);
  }
  for (const id of open) await stripe.paymentLinks.update(id, { active: false });
}
