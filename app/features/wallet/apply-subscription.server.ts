import { sql } from "kysely";
import type { Tx } from "#app/platform/db.server.ts";
import { findSoldPack } from "./packs.server.ts";
import type { Effect } from "./stripe-effect.ts";
import type { Invoice, SubscriptionState } from "./stripe-event.ts";

/**
 * Takes over a subscription's state, unless a newer one is known; an ended one never comes back
 * (Stripe). It moves no credits: a month that was paid for lasts to its end.
 */
export async function applySubscription(
  tx: Tx,
  subscription: SubscriptionState,
  at: Date,
): Promise<Effect> {
  const { id, customerId, status, isEnding, periodEnd, priceId } = subscription;
  const pack = await findSoldPack(tx, { priceId });
  // Stripe's times are whole seconds: what begins "incomplete" is "active" within the same one.
  await sql`
    insert into subscriptions (id, customer_id, status, cancel_at_period_end, current_period_end,
      pack_id, state_at)
    values (${id}, ${customerId}, ${status}, ${isEnding}, ${periodEnd}, ${pack?.id ?? null}, ${at})
    on conflict (id) do update set status = excluded.status,
      cancel_at_period_end = excluded.cancel_at_period_end,
      current_period_end = excluded.current_period_end,
      pack_id = coalesce(excluded.pack_id, subscriptions.pack_id), state_at = excluded.state_at
    where subscriptions.status not in ('canceled', 'incomplete_expired') and (
      excluded.status in ('canceled', 'incomplete_expired')
      or (excluded.state_at, excluded.status <> 'incomplete')
        >= (subscriptions.state_at, subscriptions.status <> 'incomplete')
    )`.execute(tx);
  return { matches: [] };
}

/** A subscription of which nothing but a paid invoice is known is running; any state is newer. */
export async function noteSubscription(tx: Tx, invoice: Invoice): Promise<void> {
  const pack = await findSoldPack(tx, { priceId: invoice.priceIds[0] ?? null });
  await tx
    .insertInto("subscriptions")
    .values({
      id: invoice.subscriptionId,
      customer_id: invoice.customerId,
      status: "active",
      current_period_end: invoice.periodEnd,
      pack_id: pack?.id ?? null,
      state_at: new Date(0),
    })
    .onConflict((conflict) => conflict.column("id").doNothing())
    .execute();
}
