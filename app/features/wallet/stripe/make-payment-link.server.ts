import Stripe from "stripe";
import { changedFacts, type Facts } from "#app/platform/as-shown.ts";
import { recordAudit } from "#app/platform/audit.server.ts";
import type { Db } from "#app/platform/db.server.ts";
import { isId } from "#app/platform/ids.ts";
import { log } from "#app/platform/log.server.ts";
import { SANDBOX_PATH, sandboxIds } from "#app/platform/sandbox.ts";
import { lockPack, packFact } from "#app/features/wallet/packs.server.ts";
import { createPaymentLink, PackChangedError } from "./payment-links.server.ts";

interface Making {
  packId: string;
  actor: string;
  appUrl: string;
  paymentLinkPrefix: string;
  /** Null in the demo, where the sandbox takes the place of Stripe. */
  stripe: Stripe | null;
  shown?: Facts | undefined;
}

type MakeLinkResult =
  | { ok: true }
  | { ok: false; reason: "gone" | "changed" | "rejected" | "key" | "unavailable" | "failed" };

/** Makes what a pack needs to be sold, in a few seconds. A repeat, also at once, makes nothing more. */
export async function makePaymentLink(db: Db, making: Making): Promise<MakeLinkResult> {
  const { packId, stripe } = making;
  if (!isId(packId)) return { ok: false, reason: "gone" };
  if (!stripe) return linkToSandbox(db, making);
  try {
    const made = await createPaymentLink({ ...making, db, stripe }, making);
    if (!made) return { ok: false, reason: "gone" };
    return made.outcome === "rejected" ? { ok: false, reason: "rejected" } : { ok: true };
  } catch (error) {
    if (error instanceof PackChangedError) return { ok: false, reason: "changed" };
    if (!(error instanceof Stripe.errors.StripeError)) throw error;
    log.warn({ err: error, packId }, "a payment link could not be made");
    return { ok: false, reason: reasonOf(error) };
  }
}

function reasonOf(error: Stripe.errors.StripeError) {
  const { StripeAuthenticationError, StripePermissionError, StripeInvalidRequestError } =
    Stripe.errors;
  if (error instanceof StripeAuthenticationError || error instanceof StripePermissionError) {
    return "key";
  }
  return error instanceof StripeInvalidRequestError ? "failed" : "unavailable";
}

async function linkToSandbox(
  db: Db,
  { packId, actor, appUrl, shown }: Making,
): Promise<MakeLinkResult> {
  return db.transaction().execute(async (tx) => {
    const pack = await lockPack(tx, packId);
    if (!pack) return { ok: false, reason: "gone" };
    if (changedFacts(shown, packFact(pack)).length > 0) return { ok: false, reason: "changed" };
    const link = appUrl + SANDBOX_PATH + pack.key;
    if (pack.checkoutLink === link && !pack.awaitsLink) return { ok: true };
    const columns = { stripe_checkout_link: link, ...sandboxIds(pack.key) };
    await tx.updateTable("credit_packs").set(columns).where("id", "=", packId).execute();
    await recordAudit(tx, { actor, action: "pack.link", subject: packId });
    return { ok: true };
  });
}
