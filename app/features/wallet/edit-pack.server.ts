import { recordDeed } from "#app/platform/audit.server.ts";
import type { Db, Tx } from "#app/platform/db.server.ts";
import { numericFromCents } from "#app/platform/money.ts";
import { isSandboxId } from "#app/platform/sandbox.ts";
import { type DeskPack, lockPack } from "./packs.server.ts";
import type { PackInput } from "./input.ts";
import { isId } from "#app/platform/ids.ts";

interface Edit {
  packId: string;
  /** Of what was edited. */
  version: number;
  input: PackInput;
  /** Whether a payment link that sells the old deal may go; without that it is asked. */
  mayDropLink: boolean;
  actor: string;
}

export type PackEditAnswer =
  /** `isLinkDropped`: until a new one is made, nobody can buy it. */
  | { ok: true; isLinkDropped: boolean }
  | { ok: false; reason: "gone" }
  | { ok: false; reason: "drops-link" }
  | { ok: false; reason: "changed"; current: DeskPack };

/**
 * Changes a pack; refused as "changed" where somebody else did so meanwhile. Another
 * price or another number of credits takes the payment link away, for it sells the old deal. What
 * was sold stays: who has the old link open is granted what it sold, and subscriptions renew as
 * they began.
 */
export async function editPack(db: Db, edit: Edit): Promise<PackEditAnswer> {
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
    await recordDeed(tx, { actor, action: "pack.edit", subject: packId, details });
    return { ok: true, isLinkDropped };
  });
}

/** The sandbox sells at the price of the day, so that its link always fits. */
export function hasLinkAtStripe(pack: DeskPack): boolean {
  const { checkoutLink, paymentLinkId, priceId } = pack;
  const ids = [paymentLinkId, priceId].filter((id) => id !== null);
  if (ids.length > 0 && ids.every(isSandboxId)) return false;
  return checkoutLink !== null || ids.length > 0;
}

async function dropLink(tx: Tx, { id, priceId, ...pack }: DeskPack): Promise<void> {
  // A link that was made by hand and has told no price keeps its id: `stripe:links` asks Stripe.
  const forgotten = priceId ? { stripe_price_id: null, stripe_payment_link_id: null } : {};
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
    .set({ stripe_checkout_link: null, ...forgotten })
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

function factsOf({ name, priceCents, creditsCents, isActive }: DeskPack): PackInput {
  return { name, priceCents, creditsCents, isActive };
}

/** Whether two packs are sold alike. */
export function isSame(one: PackInput, other: PackInput): boolean {
  return one.name === other.name && one.isActive === other.isActive && isSameDeal(one, other);
}

/** Whether as much is given for as much money. */
function isSameDeal(one: PackInput, other: PackInput): boolean {
  return one.priceCents === other.priceCents && one.creditsCents === other.creditsCents;
}

interface NewPack {
  input: PackInput;
  /** Made with the form, so that one that arrives twice makes one pack. */
  packId: string;
  actor: string;
}

export type PackCreateAnswer = { ok: true } | { ok: false; reason: "no-id" | "id-used" };

/**
 * Adds a monthly pack. The single game is the one pack whose key says so, and there is one of it.
 * It is sold once it has a payment link. Refused as "id-used" where the form has made another pack:
 * a form that is gone back to may hold another one.
 */
export async function createPack(
  db: Db,
  { input, packId, actor }: NewPack,
): Promise<PackCreateAnswer> {
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
    await recordDeed(tx, { actor, action: "pack.create", subject: packId, details });
    return { ok: true };
  });
}
