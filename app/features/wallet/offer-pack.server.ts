import type Stripe from "stripe";
import { numericFromCents } from "#app/platform/money.ts";
import { orMissing } from "#app/platform/stripe.server.ts";
import type { PackToSell } from "./store-pack-link.server.ts";

/**
 * The price and the payment link of a pack as it stands, made at Stripe where they are not there
 * yet. Idempotency keys hold for a day, against repeats of a request; what is looked up first holds
 * for good, against a run that stopped in between. Throws Stripe's errors.
 */
export async function offerPack(stripe: Stripe, pack: PackToSell, appUrl: string) {
  const product = await ensureProduct(stripe, pack);
  const price = await ensurePrice(stripe, pack, product);
  return { price, link: await ensureLink(stripe, pack, price, appUrl) };
}

/** A product has an id of our choice, so that there is one for each pack. */
async function ensureProduct(stripe: Stripe, pack: PackToSell): Promise<string> {
  const id = `pack_${pack.id}`;
  const known = await orMissing(stripe.products.retrieve(id));
  if (!known) {
    const product = { id, name: pack.name, metadata: { pack_key: pack.key } };
    await stripe.products.create(product, { idempotencyKey: id });
  } else if (known.name !== pack.name) {
    await stripe.products.update(id, { name: pack.name });
  }
  return id;
}

async function ensurePrice(stripe: Stripe, pack: PackToSell, product: string) {
  const key = dealKey(pack);
  const { data } = await stripe.prices.list({ lookup_keys: [key], active: true });
  if (data[0]) return data[0];
  return stripe.prices.create(
    {
      product,
      currency: "eur",
      unit_amount: pack.priceCents,
      tax_behavior: "inclusive",
      ...(pack.isMonthly ? { recurring: { interval: "month" as const } } : {}),
      lookup_key: key,
      // An archived price keeps its key.
      transfer_lookup_key: true,
      metadata: { pack_key: pack.key, credits: numericFromCents(pack.creditsCents) },
    },
    { idempotencyKey: `price:${key}` },
  );
}

async function ensureLink(stripe: Stripe, pack: PackToSell, price: Stripe.Price, appUrl: string) {
  const key = dealKey(pack);
  for await (const link of stripe.paymentLinks.list({ active: true, limit: 100 })) {
    if (link.metadata.deal === key) return link;
  }
  const url = `${appUrl}/wallet/paid?session_id={CHECKOUT_SESSION_ID}`;
  return stripe.paymentLinks.create(
    {
      line_items: [{ price: price.id, quantity: 1 }],
      after_completion: { type: "redirect", redirect: { url } },
      allow_promotion_codes: false,
      metadata: { pack_key: pack.key, deal: key },
    },
    { idempotencyKey: `link:${key}` },
  );
}

/**
 * Names this pack at this price this time: the same in every run until it is stored, and another
 * one when a price comes back that the pack had before.
 */
function dealKey(pack: PackToSell): string {
  return `${pack.id}:${pack.formerPrices}:${pack.priceCents}`;
}
