import { sql, type Insertable } from "kysely";
import type { Db, Tx } from "#app/platform/db.server.ts";
import { isId } from "#app/platform/ids.ts";
import { centsFromNumeric } from "#app/platform/money.ts";
import { isMonthly } from "./rules.ts";
import type { Schema } from "#app/platform/schema.ts";

export interface Pack {
  id: string;
  key: string;
  name: string;
  priceCents: number;
  creditsCents: number;
  isMonthly: boolean;
  isActive: boolean;
  priceId: string | null;
  paymentLinkId: string | null;
  /** As stored: isPaymentLink says whether it may be followed. */
  checkoutLink: string | null;
}

export async function listActivePacks(db: Db): Promise<Pack[]> {
  const onSale = selectPacks(db).where("is_active", "=", true);
  return (await onSale.orderBy("price_eur").orderBy("pack_key").execute()).map(toPack);
}

export async function listPacks(db: Db): Promise<Pack[]> {
  const rows = await selectPacks(db)
    .orderBy("is_active", "desc")
    .orderBy("price_eur")
    .orderBy("pack_key")
    .execute();
  return rows.map(toPack);
}

export async function findActivePack(db: Db, packId: unknown): Promise<Pack | null> {
  const pack = await findPack(db, packId);
  return pack?.isActive ? pack : null;
}

export async function findPack(db: Db | Tx, packId: unknown): Promise<Pack | null> {
  if (!isId(packId)) return null;
  const row = await selectPacks(db).where("id", "=", packId).executeTakeFirst();
  return row ? toPack(row) : null;
}

export async function findSoldPack(
  db: Db | Tx,
  by: { paymentLinkId: string | null } | { priceId: string | null },
): Promise<Pack | null> {
  const id = "priceId" in by ? by.priceId : by.paymentLinkId;
  if (!id) return null;
  const sold = "priceId" in by ? { priceIds: [id] } : { paymentLinkIds: [id] };
  const [pack] = await listSoldPacks(db, sold);
  return pack ?? null;
}

export async function listSoldPacks(
  db: Db | Tx,
  { priceIds = [], paymentLinkIds = [] }: { priceIds?: string[]; paymentLinkIds?: string[] },
): Promise<Pack[]> {
  const { rows } = await sql<PackRow>`
    select pack.id, pack.pack_key, pack.pack_name, pack.is_active, pack.stripe_checkout_link,
      sold.price_eur, sold.total_credit_eur, sold.stripe_price_id, sold.stripe_payment_link_id
    from (
      select id as pack_id, price_eur, total_credit_eur, stripe_price_id, stripe_payment_link_id
      from credit_packs
      union all
      select pack_id, price_eur, total_credit_eur, stripe_price_id, stripe_payment_link_id
      from former_pack_prices
    ) sold join credit_packs pack on pack.id = sold.pack_id
    where sold.stripe_price_id = any(${priceIds}::text[])
      or sold.stripe_payment_link_id = any(${paymentLinkIds}::text[])`.execute(db);
  return rows.map(toPack);
}

export function selectPacks(db: Db | Tx) {
  return db
    .selectFrom("credit_packs")
    .select(["id", "pack_key", "pack_name", "price_eur", "total_credit_eur", "is_active"])
    .select(["stripe_price_id", "stripe_payment_link_id", "stripe_checkout_link"]);
}

type PackRow = Awaited<ReturnType<ReturnType<typeof selectPacks>["executeTakeFirstOrThrow"]>>;

export function toPack(row: PackRow): Pack {
  return {
    id: row.id,
    key: row.pack_key,
    name: row.pack_name,
    priceCents: centsFromNumeric(row.price_eur),
    creditsCents: centsFromNumeric(row.total_credit_eur),
    isMonthly: isMonthly(row.pack_key),
    isActive: row.is_active,
    priceId: row.stripe_price_id,
    paymentLinkId: row.stripe_payment_link_id,
    checkoutLink: row.stripe_checkout_link,
  };
}

export interface AdminPack extends Pack {
  version: number;
}

export async function lockPack(tx: Tx, packId: string): Promise<AdminPack | null> {
  if (!isId(packId)) return null;
  return toAdminPack(
    await versionedPacks(tx).where("id", "=", packId).forUpdate().executeTakeFirst(),
  );
}

export async function findAdminPack(db: Db, packId: string | undefined): Promise<AdminPack | null> {
  if (!isId(packId)) return null;
  return toAdminPack(await versionedPacks(db).where("id", "=", packId).executeTakeFirst());
}

function versionedPacks(db: Db | Tx) {
  return selectPacks(db).select("version");
}

type Row = Awaited<ReturnType<ReturnType<typeof versionedPacks>["executeTakeFirst"]>>;

function toAdminPack(row: Row): AdminPack | null {
  return row ? { ...toPack(row), version: row.version } : null;
}

/** The packs that the product is sold in (specification, section 2, Credit plans dialog). */
export const DEFAULT_PACKS = [
  defaultPack("pay_per_game", "Single game", "9.99", "10"),
  defaultPack("monthly_4", "4 games a month", "34.00", "40"),
  defaultPack("monthly_8", "8 games a month", "64.00", "80"),
  defaultPack("monthly_12", "12 games a month", "90.00", "120"),
];

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
