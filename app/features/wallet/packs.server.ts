import { sql, type Insertable } from "kysely";
import type { Facts } from "#app/platform/as-shown.ts";
import { type Db, inCents, type Tx } from "#app/platform/db.server.ts";
import { isId } from "#app/platform/ids.ts";
import { creditsCount, euros, numericFromCents } from "#app/platform/money.ts";
import { ANY_AMOUNT, isMonthly } from "./rules.ts";
import type { Schema } from "#app/platform/schema.ts";

export type Pack = ReturnType<typeof toPack>;

export async function listActivePacks(db: Db): Promise<Pack[]> {
  return (await listPacks(db)).filter(({ isActive, isAnyAmount }) => isActive && !isAnyAmount);
}

/** Null until it has a payment link. */
export async function findAnyAmountPack(db: Db): Promise<Pack | null> {
  const row = await selectPacks(db).where("pack_key", "=", ANY_AMOUNT.key).executeTakeFirst();
  const pack = row && toPack(row);
  return pack?.isActive ? pack : null;
}

/** What a form that sells it promises, by its id: of several packs one is chosen. */
export const packFact = (pack: Pack): Facts => ({ [pack.id]: `${pack.name}, ${dealText(pack)}` });

function dealText({ isAnyAmount, isMonthly: renews, priceCents, creditsCents }: Pack): string {
  if (isAnyAmount) return "as many as you pay for";
  return `${euros(priceCents)}, ${creditsCount(creditsCents)}${renews ? " a month" : ""}`;
}

/** What a payment for the pack grants. */
export function creditsFor(pack: Pack, amountCents: number): number {
  return pack.isAnyAmount ? amountCents : pack.creditsCents;
}

export async function listPacks(db: Db): Promise<Pack[]> {
  const packs = selectPacks(db).orderBy("is_active", "desc").orderBy("price_eur");
  return (await packs.orderBy("pack_key").execute()).map(toPack);
}

export async function findActivePack(db: Db, packId: unknown): Promise<Pack | null> {
  const pack = await findPack(db, packId);
  return pack?.isActive ? pack : null;
}

export async function findPack(db: Db, packId: unknown): Promise<Pack | null> {
  const row = isId(packId) && (await byId(db, packId).executeTakeFirst());
  return row ? toPack(row) : null;
}

export async function lockPack(tx: Tx, packId: string): Promise<Pack | null> {
  const row = isId(packId) && (await byId(tx, packId).forUpdate().executeTakeFirst());
  return row ? toPack(row) : null;
}

const byId = (db: Db, packId: string) => selectPacks(db).where("id", "=", packId);

export async function findSoldPack(
  db: Db,
  { priceId = null, paymentLinkId = null }: Partial<Record<"priceId" | "paymentLinkId", Id>>,
): Promise<Pack | null> {
  const sold = { priceIds: [priceId], paymentLinkIds: [paymentLinkId] };
  return (await listSoldPacks(db, sold))[0] ?? null;
}

type Id = string | null;

/** Includes the price at which each id sells, which may be a former one. */
export async function listSoldPacks(
  db: Db,
  { priceIds, paymentLinkIds }: Record<"priceIds" | "paymentLinkIds", Id[]>,
): Promise<Pack[]> {
  const { rows } = await sql<PackRow>`
    select pack.id, version, pack_key as key, pack_name as name, is_active as "isActive",
      awaits_link as "awaitsLink",
      stripe_checkout_link as "checkoutLink", sold.price_id as "priceId",
      sold.link_id as "paymentLinkId", ${inCents("sold.price_eur")} as "priceCents",
      ${inCents("sold.total_credit_eur")} as "creditsCents"
    from (
      select id as pack_id, price_eur, total_credit_eur, stripe_price_id as price_id,
        stripe_payment_link_id as link_id
      from credit_packs
      union all
      select pack_id, price_eur, total_credit_eur, stripe_price_id, stripe_payment_link_id
      from former_pack_prices
    ) sold join credit_packs pack on pack.id = sold.pack_id
    where sold.price_id = any(${priceIds}::text[])
      or sold.link_id = any(${paymentLinkIds}::text[])`.execute(db);
  return rows.map(toPack);
}

/** `checkoutLink` as stored: isPaymentLink says whether it may be followed. */
export function selectPacks(db: Db) {
  return db
    .selectFrom("credit_packs")
    .select(["id", "version", "pack_key as key", "pack_name as name", "is_active as isActive"])
    .select("awaits_link as awaitsLink")
    .select(["stripe_price_id as priceId", "stripe_payment_link_id as paymentLinkId"])
    .select(["stripe_checkout_link as checkoutLink", inCents("price_eur").as("priceCents")])
    .select(inCents("total_credit_eur").as("creditsCents"));
}

type PackRow = Awaited<ReturnType<ReturnType<typeof selectPacks>["executeTakeFirstOrThrow"]>>;

export function toPack<Row extends PackRow>(row: Row) {
  const isAnyAmount = row.key === ANY_AMOUNT.key;
  // The column stays false, so that the version before lists it nowhere; the link sells it.
  const isActive = isAnyAmount ? row.checkoutLink !== null : row.isActive;
  return { ...row, isActive, isMonthly: isMonthly(row.key), isAnyAmount };
}

/** Links open in a browser are still paid, and subscriptions renew at the price they began with. */
export async function keepFormerPrice(
  tx: Tx,
  { id, paymentLinkId }: Pack,
  former: { priceId: string; priceCents: number; creditsCents: number },
): Promise<void> {
  await tx
    .insertInto("former_pack_prices")
    .values({
      stripe_price_id: former.priceId,
      stripe_payment_link_id: paymentLinkId,
      pack_id: id,
      price_eur: numericFromCents(former.priceCents),
      total_credit_eur: numericFromCents(former.creditsCents),
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** The packs that the product is sold in (specification, section 2, Credit plans dialog). */
export const DEFAULT_PACKS = [
  defaultPack("pay_per_game", "Single game", "9.99", "10"),
  defaultPack("monthly_4", "4 games a month", "34.00", "40"),
  defaultPack("monthly_8", "8 games a month", "64.00", "80"),
  defaultPack("monthly_12", "12 games a month", "90.00", "120"),
];

const LEAST = numericFromCents(ANY_AMOUNT.leastCents);

/** Beside them, what is missing for a game. */
export const ANY_AMOUNT_PACK = {
  ...defaultPack(ANY_AMOUNT.key, "Credits", LEAST, LEAST),
  is_active: false,
};

function defaultPack(pack_key: string, name: string, price: string, credits: string) {
  return { pack_key, pack_name: name, price_eur: price, total_credit_eur: credits };
}

export async function addPack(db: Db, pack: Insertable<Schema["credit_packs"]>): Promise<void> {
  await db
    .insertInto("credit_packs")
    .values(pack)
    .onConflict((conflict) => conflict.column("pack_key").doNothing())
    .execute();
}
