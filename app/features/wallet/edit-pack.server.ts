import { recordAudit } from "#app/platform/audit.server.ts";
import type { Db, Tx } from "#app/platform/db.server.ts";
import { numericFromCents } from "#app/platform/money.ts";
import { isSandboxId } from "#app/platform/sandbox.ts";
import { type Deal, dealKey, isFarFrom, USUAL_DEAL } from "./deal-rules.ts";
import { keepFormerPrice, lockPack, type Pack } from "./packs.server.ts";
import type { PackInput } from "./input.ts";
import { isId } from "#app/platform/ids.ts";

interface Edit {
  packId: string;
  version: number;
  input: PackInput;
  mayDropLink: boolean;
  /** The `dealKey` of a price that was asked about, since it is far from the usual. */
  confirmed?: string | undefined;
  actor: string;
}

/** Nothing is saved yet: the payment link goes, or a credit costs far more or less than before. */
export interface Asked {
  ok: false;
  reason: "asks";
  dropsLink: boolean;
  isFar: boolean;
  /** Null for a new pack. */
  before: Deal | null;
}

type PackEditResult =
  | { ok: true; isLinkDropped: boolean }
  | { ok: false; reason: "gone" }
  | Asked
  | { ok: false; reason: "changed"; current: Pack };

// Another price or number of credits removes the payment link, which sells the old deal, and takes
// the pack off sale. An open link grants what it sold; subscriptions keep their terms.
export async function editPack(db: Db, edit: Edit): Promise<PackEditResult> {
  const { packId, version, input, actor } = edit;
  return db.transaction().execute(async (tx) => {
    const current = await lockPack(tx, packId);
    // What any amount buys has neither price nor credits to edit.
    if (!current || current.isAnyAmount) return { ok: false, reason: "gone" };
    const before = factsOf(current);
    if (isSame(before, input)) return { ok: true, isLinkDropped: false };
    if (current.version !== version) return { ok: false, reason: "changed", current };
    const isLinkDropped = !isSameDeal(before, input) && hasLinkAtStripe(current);
    const asked = askedOf(edit, current, isLinkDropped);
    if (asked) return asked;
    if (isLinkDropped) await dropLink(tx, current);
    const hasLink = current.checkoutLink !== null && !isLinkDropped;
    const columns = columnsOf(input, hasLink);
    await tx.updateTable("credit_packs").set(columns).where("id", "=", packId).execute();
    const details = { before, after: input, isLinkDropped };
    await recordAudit(tx, { actor, action: "pack.edit", subject: packId, details });
    return { ok: true, isLinkDropped };
  });
}

function askedOf(
  { input, mayDropLink, confirmed }: Pick<Edit, "input" | "mayDropLink" | "confirmed">,
  before: Deal | null,
  isLinkDropped: boolean,
): Asked | null {
  const isFar = isFarFrom(before ?? USUAL_DEAL, input) && confirmed !== dealKey(input);
  const dropsLink = isLinkDropped && !mayDropLink;
  return isFar || dropsLink ? { ok: false, reason: "asks", dropsLink, isFar, before } : null;
}

/** The pack of any amount is sold by its link alone; its id stays, for payments on their way. */
export async function stopSelling(
  db: Db,
  { packId, actor }: { packId: string; actor: string },
): Promise<{ ok: true } | { ok: false; reason: "gone" }> {
  return db.transaction().execute(async (tx) => {
    const pack = await lockPack(tx, packId);
    if (!pack?.isAnyAmount) return { ok: false, reason: "gone" };
    if (!pack.isActive) return { ok: true };
    const link = { stripe_checkout_link: null };
    await tx.updateTable("credit_packs").set(link).where("id", "=", packId).execute();
    const details = { before: { isActive: true }, after: { isActive: false } };
    await recordAudit(tx, { actor, action: "pack.edit", subject: packId, details });
    return { ok: true };
  });
}

/** The sandbox sells at the current price, so its link never has to go. */
export function hasLinkAtStripe(pack: Pack): boolean {
  const { checkoutLink, paymentLinkId, priceId } = pack;
  const ids = [paymentLinkId, priceId].filter((id) => id !== null);
  if (ids.length > 0 && ids.every(isSandboxId)) return false;
  return checkoutLink !== null || ids.length > 0;
}

async function dropLink(tx: Tx, pack: Pack): Promise<void> {
  const { id, priceId } = pack;
  // A link made by hand whose price is unknown keeps its id: `createPaymentLinks` asks Stripe.
  const cleared = priceId ? { stripe_price_id: null, stripe_payment_link_id: null } : {};
  if (priceId) await keepFormerPrice(tx, pack, { ...pack, priceId });
  await tx
    .updateTable("credit_packs")
    .set({ stripe_checkout_link: null, ...cleared })
    .where("id", "=", id)
    .execute();
}

/** Without a payment link nobody could buy it, so players are not offered it. */
const columnsOf = (input: PackInput, hasLink: boolean) => ({
  pack_name: input.name,
  price_eur: numericFromCents(input.priceCents),
  total_credit_eur: numericFromCents(input.creditsCents),
  is_active: input.isActive && hasLink,
  awaits_link: input.isActive && !hasLink,
});

function factsOf({ name, priceCents, creditsCents, isActive, awaitsLink }: Pack): PackInput {
  return { name, priceCents, creditsCents, isActive: isActive || awaitsLink };
}

function isSame(one: PackInput, other: PackInput): boolean {
  return one.name === other.name && one.isActive === other.isActive && isSameDeal(one, other);
}

function isSameDeal(one: PackInput, other: PackInput): boolean {
  return one.priceCents === other.priceCents && one.creditsCents === other.creditsCents;
}

/** `packId` is created with the form, so a resubmitted form creates one pack. */
export async function createPack(
  db: Db,
  creation: Pick<Edit, "input" | "packId" | "actor" | "confirmed">,
): Promise<{ ok: true } | { ok: false; reason: "no-id" | "form-used" } | Asked> {
  const { input, packId, actor } = creation;
  if (!isId(packId)) return { ok: false, reason: "no-id" };
  const asked = askedOf({ ...creation, mayDropLink: true }, null, false);
  if (asked) return asked;
  return db.transaction().execute(async (tx) => {
    const added = await tx
      .insertInto("credit_packs")
      .values({ id: packId, pack_key: `monthly_${packId}`, ...columnsOf(input, false) })
      .onConflict((conflict) => conflict.doNothing())
      .returning("id")
      .executeTakeFirst();
    if (!added) {
      const made = await lockPack(tx, packId);
      return made && isSame(factsOf(made), input)
        ? { ok: true }
        : { ok: false, reason: "form-used" };
    }
    const details = { after: input };
    await recordAudit(tx, { actor, action: "pack.create", subject: packId, details });
    return { ok: true };
  });
}
