import { type NotNull, sql } from "kysely";
import { type Db, inCents } from "#app/platform/db.server.ts";
import { SANDBOX_PATH, sandboxIds } from "#app/platform/sandbox.ts";
import { ANY_AMOUNT } from "#app/features/wallet/rules.ts";
import { listPacks } from "#app/features/wallet/packs.server.ts";

const PAYMENTS_SHOWN = 50;

export type OwnSubscription = Awaited<ReturnType<typeof listOwnSubscriptions>>[number];

export function listOwnSubscriptions(db: Db, userId: string) {
  return db
    .selectFrom("subscriptions as plan")
    .innerJoin("stripe_customers as customer", "customer.customer_id", "plan.customer_id")
    .innerJoin("credit_packs as pack", "pack.id", "plan.pack_id")
    .select(["plan.id", "plan.customer_id as customerId", "plan.status"])
    .select(["plan.cancel_at_period_end as isEnding", "plan.current_period_end as periodEnd"])
    .select("plan.state_at as stateAt")
    .select(["pack.pack_name as name", "pack.stripe_price_id as priceId"])
    .select(inCents("pack.price_eur").as("priceCents"))
    .where("customer.user_id", "=", userId)
    .where("plan.current_period_end", "is not", null)
    .where("pack.stripe_price_id", "is not", null)
    .$narrowType<{ periodEnd: NotNull; priceId: NotNull }>()
    .orderBy("plan.current_period_end", "desc")
    .orderBy("plan.id")
    .limit(PAYMENTS_SHOWN)
    .execute();
}

export interface OwnPayment {
  id: string;
  name: string;
  createdAt: Date;
  paymentIntentId: string;
  paidCents: number;
  refundedCents: number;
  dispute: { id: string; amountCents: number; status: string } | null;
}

export async function listOwnPayments(db: Db, userId: string): Promise<OwnPayment[]> {
  const { rows } = await sql<OwnPayment>`
    select payments.stripe_object_id as id, pack.pack_name as name,
      ${inCents("payments.amount_eur")} as "paidCents",
      ${inCents("payments.refunded_eur")} as "refundedCents",
      payments.created_at as "createdAt", intent.id as "paymentIntentId", (
        select json_build_object('id', id, 'amountCents', ${inCents("amount_eur")}, 'status', status)
        from disputes where payment_id = payments.id order by id limit 1
      ) as dispute
    from payments
    join credit_packs pack on pack.id = payments.pack_id
    join lateral (
      select id from payment_references
      where stripe_object_id = payments.stripe_object_id and id like 'pi!_%' escape '!'
      order by id limit 1
    ) intent on true
    where payments.user_id = ${userId}
    order by payments.created_at desc, payments.id limit ${PAYMENTS_SHOWN}`.execute(db);
  return rows;
}

/** Points the demo's packs at its own checkout; a link that was stored by hand stays, and what an
 * organiser no longer sells has none. */
export async function linkPacksToSandbox(db: Db, appUrl: string): Promise<void> {
  for (const { id, key } of await listPacks(db)) {
    const path = SANDBOX_PATH + key;
    await db
      .updateTable("credit_packs")
      .set({ stripe_checkout_link: appUrl + path })
      .where("id", "=", id)
      .where("stripe_payment_link_id", "=", sandboxIds(key).stripe_payment_link_id)
      .where((eb) =>
        eb.or([
          eb("stripe_checkout_link", "is", null).and("pack_key", "<>", ANY_AMOUNT.key),
          eb("stripe_checkout_link", "like", `%${path}`),
        ]),
      )
      .execute();
  }
}
