import { sql } from "kysely";
import type Stripe from "stripe";
import { changedFacts, type Facts } from "#app/platform/as-shown.ts";
import { recordAudit } from "#app/platform/audit.server.ts";
import type { Db } from "#app/platform/db.server.ts";
import { centsFromNumeric, numericFromCents } from "#app/platform/money.ts";
import { orMissing } from "#app/platform/stripe.server.ts";
import { ANY_AMOUNT, isPaymentLink } from "#app/features/wallet/rules.ts";
import { isSandboxId } from "#app/platform/sandbox.ts";
import {
  keepFormerPrice,
  packFact,
  selectPacks,
  toPack,
} from "#app/features/wallet/packs.server.ts";

interface LinkOutcome {
  packKey: string;
  /** "rejected": the link is not below PAYMENT_LINK_PREFIX and is not stored. */
  outcome: "kept" | "made" | "rejected";
  link: string;
}

interface Shop {
  stripe: Stripe;
  db: Db;
  appUrl: string;
  paymentLinkPrefix: string;
  actor?: string;
}

// Creates product, price and payment link at Stripe where a pack on sale lacks a link or its price has
// changed. Idempotent, also after an aborted run. Throws Stripe's errors, with the packs before stored.
export async function* createPaymentLinks(shop: Shop): AsyncGenerator<LinkOutcome> {
  for (const pack of await listPacksToSell(shop.db)) {
    // Taken off sale by an organiser.
    const isStopped = pack.isAnyAmount && pack.paymentLinkId && !pack.checkoutLink;
    if (!isStopped) yield await ensurePackLink(shop, pack);
  }
  await closeFormerLinks(shop);
}

/** The same for one pack, on sale or not; null where there is none. Throws where it is not as shown. */
export async function createPaymentLink(
  shop: Shop,
  { packId, shown }: { packId: string; shown?: Facts | undefined },
): Promise<LinkOutcome | null> {
  const row = await packs(shop.db).where("id", "=", packId).executeTakeFirst();
  if (!row) return null;
  const pack = toPackToSell(row);
  if (changedFacts(shown, packFact(pack)).length > 0) throw changedMeanwhile(pack);
  const outcome = await ensurePackLink(shop, pack);
  await closeFormerLinks(shop);
  return outcome;
}

async function ensurePackLink(shop: Shop, pack: PackToSell): Promise<LinkOutcome> {
  const price = await findPrice(shop.stripe, pack);
  const link = pack.awaitsLink ? null : pack.checkoutLink;
  const isKept = link !== null && isPaymentLink(link, shop.paymentLinkPrefix);
  if (!price || !isKept || !isPriceOf(price, pack)) return makeLink(shop, pack, price);
  await saveCredits(shop.stripe, price, pack);
  return { packKey: pack.key, outcome: "kept", link };
}

// Finds or makes the price and the payment link. Stripe's idempotency keys last a day, against a
// repeated request; the look-up first works for good, against a run that stopped in between.
async function makeLink(
  { stripe, db, appUrl, paymentLinkPrefix, actor = "command" }: Shop,
  pack: PackToSell,
  earlier: Stripe.Price | null,
): Promise<LinkOutcome> {
  const product = await ensureProduct(stripe, pack);
  const price = await ensurePrice(stripe, pack, product);
  const link = await ensureLink(stripe, pack, price, appUrl);
  const made = { packKey: pack.key, link: link.url };
  if (!isPaymentLink(link.url, paymentLinkPrefix)) return { ...made, outcome: "rejected" };
  await storePackLink(db, pack, { price, link, earlier, actor });
  return { ...made, outcome: "made" };
}

async function findPrice(stripe: Stripe, pack: PackToSell): Promise<Stripe.Price | null> {
  const { priceId, paymentLinkId } = pack;
  if (priceId) return orMissing(stripe.prices.retrieve(priceId));
  if (!paymentLinkId) return null;
  const items = await orMissing(stripe.paymentLinks.listLineItems(paymentLinkId));
  return items?.data[0]?.price ?? null;
}

function isPriceOf(price: Stripe.Price, pack: PackToSell): boolean {
  const { active, currency, recurring } = price;
  const isMonth = recurring?.interval === "month" && recurring.interval_count === 1;
  return (
    price.id === pack.priceId &&
    active &&
    currency === "eur" &&
    takesAmount(price, pack) &&
    (pack.isMonthly ? isMonth : !recurring)
  );
}

function takesAmount({ unit_amount, custom_unit_amount }: Stripe.Price, pack: PackToSell): boolean {
  if (!pack.isAnyAmount) return unit_amount === pack.priceCents;
  const { minimum, maximum } = custom_unit_amount ?? {};
  return minimum === ANY_AMOUNT.leastCents && maximum === ANY_AMOUNT.mostCents;
}

async function saveCredits(stripe: Stripe, price: Stripe.Price, pack: PackToSell): Promise<void> {
  const metadata = metadataOf(pack);
  if (price.metadata.credits === metadata.credits) return;
  await stripe.prices.update(price.id, { metadata });
}

const metadataOf = ({ key, isAnyAmount, creditsCents }: PackToSell) => ({
  pack_key: key,
  credits: isAnyAmount ? "as paid" : numericFromCents(creditsCents),
});

function creditsOf(price: Stripe.Price): number | null {
  const { credits } = price.metadata;
  return credits && /^\d{1,8}\.\d{2}$/.test(credits) ? centsFromNumeric(credits) : null;
}

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
  const { leastCents, mostCents } = ANY_AMOUNT;
  const { data } = await stripe.prices.list({ lookup_keys: [key], active: true });
  if (data[0]) return data[0];
  return stripe.prices.create(
    {
      product,
      currency: "eur",
      ...(pack.isAnyAmount
        ? { custom_unit_amount: { enabled: true, minimum: leastCents, maximum: mostCents } }
        : { unit_amount: pack.priceCents }),
      tax_behavior: "inclusive",
      ...(pack.isMonthly ? { recurring: { interval: "month" as const } } : {}),
      lookup_key: key,
      // An archived price keeps its key.
      transfer_lookup_key: true,
      metadata: metadataOf(pack),
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

// The same in every run until it is stored, and a new one when a former price comes back.
function dealKey(pack: PackToSell): string {
  const { leastCents, mostCents } = ANY_AMOUNT;
  const price = pack.isAnyAmount ? `${leastCents}-${mostCents}` : pack.priceCents;
  return `${pack.id}:${pack.formerPrices}:${price}`;
}

type PackToSell = ReturnType<typeof toPackToSell>;

async function listPacksToSell(db: Db): Promise<PackToSell[]> {
  const onSale = packs(db).where((eb) =>
    eb.or([
      eb("is_active", "=", true),
      eb("awaits_link", "=", true),
      eb("pack_key", "=", ANY_AMOUNT.key),
    ]),
  );
  return (await onSale.orderBy("price_eur").orderBy("pack_key").execute()).map(toPackToSell);
}

async function storePackLink(
  db: Db,
  pack: PackToSell,
  deal: {
    price: Stripe.Price;
    link: Stripe.PaymentLink;
    earlier: Stripe.Price | null;
    actor: string;
  },
): Promise<void> {
  const { price, link, earlier, actor } = deal;
  await db.transaction().execute(async (tx) => {
    const row = await packs(tx).where("id", "=", pack.id).forUpdate().executeTakeFirst();
    const isStored = row?.priceId === price.id && row.checkoutLink === link.url;
    if (isStored && !row.awaitsLink) return;
    if (!row || JSON.stringify(toPackToSell(row)) !== JSON.stringify(pack)) {
      throw changedMeanwhile(pack);
    }
    const priceId = earlier?.id ?? pack.priceId;
    if (priceId && priceId !== price.id) {
      const priceCents = earlier?.unit_amount ?? pack.priceCents;
      const creditsCents = (earlier && creditsOf(earlier)) ?? pack.creditsCents;
      await keepFormerPrice(tx, pack, { priceId, priceCents, creditsCents });
    }
    // A trigger puts a pack that waited for its link on sale.
    await tx
      .updateTable("credit_packs")
      .set({
        stripe_checkout_link: link.url,
        stripe_payment_link_id: link.id,
        stripe_price_id: price.id,
      })
      .where("id", "=", pack.id)
      .execute();
    await recordAudit(tx, { actor, action: "pack.link", subject: pack.id });
  });
}

export class PackChangedError extends Error {}

const changedMeanwhile = ({ key }: PackToSell) =>
  new PackChangedError(`${key} was changed meanwhile; run it again`);

function packs(db: Db) {
  const count = sql<number>`(select count(*) from former_pack_prices
    where pack_id = credit_packs.id)`;
  return selectPacks(db).select(count.as("formerPrices"));
}

type Row = Awaited<ReturnType<ReturnType<typeof packs>["executeTakeFirstOrThrow"]>>;

function toPackToSell(row: Row) {
  const pack = toPack(row);
  const realId = (id: string | null) => (id && !isSandboxId(id) ? id : null);
  const paymentLinkId = realId(pack.paymentLinkId);
  const checkoutLink = paymentLinkId && pack.checkoutLink;
  return { ...pack, priceId: realId(pack.priceId), paymentLinkId, checkoutLink };
}
