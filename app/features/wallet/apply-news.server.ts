import type { Tx } from "#app/platform/db.server.ts";
import { applyDispute, applyRefund } from "./apply-return.server.ts";
import { applyCheckout, applyInvoice } from "./apply-sale.server.ts";
import { applySubscription } from "./apply-subscription.server.ts";
import { noteReferences } from "./payment-references.server.ts";
import type { Effect, Told } from "./stripe-effect.ts";
import type { StripeNews } from "./stripe-event.ts";

/** Does what the news asks for, or says why it cannot. Wants the payments locked. */
export async function applyNews(tx: Tx, news: StripeNews, told: Told): Promise<Effect> {
  switch (news.kind) {
    case "checkout":
      return applyCheckout(tx, news.session, told.now);
    case "checkout-failed":
      return { matches: [] };
    case "invoice":
      return applyInvoice(tx, news.invoice, told);
    case "invoice-payment":
      return { matches: await noteReferences(tx, news.invoiceId, news.references) };
    case "subscription":
      return applySubscription(tx, news.subscription, told.at);
    case "refund":
      return applyRefund(tx, news, told);
    case "refund-failed":
      return { parked: "refund-failed" };
    case "dispute":
      return applyDispute(tx, news, told);
  }
}
