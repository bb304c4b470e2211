import { changedFacts, type Facts } from "#app/platform/as-shown.ts";
import type { Db } from "#app/platform/db.server.ts";
import { lockPayments } from "./apply-stripe-event.server.ts";
import { findActivePack, packFact } from "#app/features/wallet/packs.server.ts";
import { confirmationKey } from "#app/features/games/warnings.server.ts";
import {
  listPaymentsUnderWay,
  type PaymentUnderWay,
  toCome,
} from "#app/features/wallet/pending-payments.server.ts";
import { checkoutUrl } from "#app/features/wallet/rules.ts";
import { listRunningPlans, type Subscription } from "./subscriptions.server.ts";

type Checkout =
  | { ok: true; url: string }
  | { ok: false; reason: "unknown-pack" | "no-link" }
  | { ok: false; reason: "changed"; newFacts: string }
  | { ok: false; reason: "has-plan"; plan: Subscription }
  | { ok: false; reason: "pays-already"; payments: PaymentUnderWay[]; key: string };

interface Purchase {
  packId: unknown;
  userId: string;
  email: string;
  prefix: string;
  /** For the pack of any amount, which the player may still change there. */
  amountCents?: number | null;
  shown?: Facts;
  /** The key of the payments on their way that the player was asked about. */
  confirmed?: string | undefined;
  now: Date;
}

/** Where the pack is paid for. A player with a running monthly plan is sold no second one. */
export async function beginCheckout(db: Db, purchase: Purchase): Promise<Checkout> {
  const { packId, shown, amountCents = null, confirmed, now, ...payer } = purchase;
  const pack = await findActivePack(db, packId);
  if (!pack) return { ok: false, reason: "unknown-pack" };
  const fact = packFact(pack);
  if (changedFacts(shown, fact).length > 0) {
    return {
      ok: false,
      reason: "changed",
      newFacts: `This plan has changed: now ${fact[pack.id]}.`,
    };
  }
  const { plan, payments } = await findAfterEvents(db, { userId: payer.userId, now });
  if (plan && pack.isMonthly) return { ok: false, reason: "has-plan", plan };
  const key = confirmationKey(payments.map(({ sessionId }) => sessionId));
  if (payments.length > 0 && confirmed !== key) {
    return { ok: false, reason: "pays-already", payments, key };
  }
  const amount = pack.isAnyAmount ? { amountCents } : {};
  const url = checkoutUrl({ link: pack.checkoutLink, ...payer, ...amount });
  return url ? { ok: true, url } : { ok: false, reason: "no-link" };
}

/** Under the lock of Stripe's events: one that is being applied may start a plan or end a payment. */
function findAfterEvents(db: Db, who: { userId: string; now: Date }) {
  return db.transaction().execute(async (tx) => {
    await lockPayments(tx);
    const [plan] = await listRunningPlans(tx, who.userId);
    return { plan, payments: toCome(await listPaymentsUnderWay(tx, who)) };
  });
}
