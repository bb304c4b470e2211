import { recordAudit } from "#app/platform/audit.server.ts";
import type { Db, Tx } from "#app/platform/db.server.ts";
import { numericFromCents } from "#app/platform/money.ts";
import { isSandboxId } from "#app/platform/sandbox.ts";
import { type AdminPack, lockPack } from "./packs.server.ts";
import type { PackInput } from "./input.ts";
import { isId } from "#app/platform/ids.ts";

interface Edit {
  packId: string;
  version: number;
  input: PackInput;
  mayDropLink: boolean;
  actor: string;
}

type PackEditResult =
  | { ok: true; isLinkDropped: boolean }
  | { ok: false; reason: "gone" }
  | { ok: false; reason: "drops-link" }
  | { ok: false; reason: "changed"; current: AdminPack };

// Another price or number of credits removes the payment link, which sells the old deal. A link that
// is still open grants what it sold, and subscriptions renew as they began.
export async function editPack(db: Db, edit: Edit): Promise<PackEditResult> {
  const { packId, version, input, mayDropLink, actor } = edit;
  return db.transaction().execute(async (tx) => {
    const current = await lockPack(tx, packId);
    if (!current) return { ok: false, reason: "gone" };
    const before = factsOf(current);
    if (isSame(before, input)) return { ok: true, isLinkDropped: false };
    if (current.version !== version) return { ok: false, reason: "changed", current };
    const isLinkDropped = !isSameDeal(before, input) && hasLinkAtStripe(current);
    if (isLinkDropped && !mayDropLink) return { ok: false, reason: "drops-link" };
    if (isLinkDropped) await dropLink(tx, current);
    await writeFacts(tx, packId, input);
    const details = { before, after: input, isLinkDropped };
    await recordAudit(tx, { actor, action: "pack.edit", subject: packId, details });
    return { ok: true, isLinkDropped };
  });
}

/** The sandbox sells at the current price, so its link never has to go. */
export function hasLinkAtStripe(pack: AdminPack): boolean {
  const { checkoutLink, paymentLinkId, priceId } = pack;
  const ids = [paymentLinkId, priceId].filter((id) => id !== null);
  if (ids.length > 0 && ids.every(isSandboxId)) return false;
  return checkoutLink !== null || ids.length > 0;
}

async function dropLink(tx: Tx, { id, priceId, ...pack }: AdminPack): Promise<void> {
  // A link made by hand whose price is unknown keeps its id: `stripe:links` asks Stripe.
  const cleared = priceId ? { stripe_price_id: null, stripe_payment_link_id: null } : {};
  if (priceId) {
    await tx
      .insertInto("former_pack_prices")
      .values({
        stripe_price_id: priceId,
        stripe_payment_link_id: pack.paymentLinkId,
        pack_id: id,
        price_eur: numericFromCents(pack.priceCents),
        total_credit_eur: numericFromCents(pack.creditsCents),
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  await tx
    .updateTable("credit_packs")
    .set({ stripe_checkout_link: null, ...cleared })
    .where("id", "=", id)
    .execute();
}

async function writeFacts(tx: Tx, id: string, input: PackInput): Promise<void> {
  await tx
    .updateTable("credit_packs")
    .set({
      pack_name: input.name,
      price_eur: numericFromCents(input.priceCents),
      total_credit_eur: numericFromCents(input.creditsCents),
      is_active: input.isActive,
    })
    .where("id", "=", id)
    .execute();
}

function factsOf({ name, priceCents, creditsCents, isActive }: AdminPack): PackInput {
  return { name, priceCents, creditsCents, isActive };
}

function isSame(one: PackInput, other: PackInput): boolean {
  return one.name === other.name && one.isActive === other.isActive && isSameDeal(one, other);
}

function isSameDeal(one: PackInput, other: PackInput): boolean {
  return one.priceCents === other.priceCents && one.creditsCents === other.creditsCents;
}

/** `packId` is made with the form: one that arrives twice makes one pack. */
export async function createPack(
  db: Db,
  { input, packId, actor }: { input: PackInput; packId: string; actor: string },
): Promise<{ ok: true } | { ok: false; reason: "no-id" | "id-used" }> {
  if (!isId(packId)) return { ok: false, reason: "no-id" };
  return db.transaction().execute(async (tx) => {
    const added = await tx
      .insertInto("credit_packs")
      .values({
        id: packId,
        pack_key: `monthly_${packId}`,
        pack_name: input.name,
        price_eur: numericFromCents(input.priceCents),
        total_credit_eur: numericFromCents(input.creditsCents),
        is_active: input.isActive,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning("id")
      .executeTakeFirst();
    if (!added) {
      const made = await lockPack(tx, packId);
      return made && isSame(made, input) ? { ok: true } : { ok: false, reason: "id-used" };
    }
    const details = { after: input };
    await recordAudit(tx, { actor, action: "pack.create", subject: packId, details });
    return { ok: true };
  });
}
