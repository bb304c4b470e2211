import { sql } from "kysely";
import type { Db } from "#app/platform/db.server.ts";
import { centsFromNumeric } from "#app/platform/money.ts";
import { SANDBOX_PATH, sandboxIds } from "#app/platform/sandbox.ts";
import { listPacks } from "./packs.server.ts";

const SHOWN = 50;

export type OwnSubscription = Awaited<ReturnType<typeof listOwnSubscriptions>>[number];

export async function listOwnSubscriptions(db: Db, userId: string) {
  const rows = await db
    .selectFrom("subscriptions as plan")
    .innerJoin("stripe_customers as customer", "customer.customer_id", "plan.customer_id")
    .innerJoin("credit_packs as pack", "pack.id", "plan.pack_id")
    .select(["plan.id", "plan.customer_id", "plan.status", "plan.cancel_at_period_end"])
    .select(["plan.current_period_end", "pack.pack_name", "pack.price_eur"])
    .select(["pack.stripe_price_id"])
    .where("customer.user_id", "=", userId)
    .where("plan.current_period_end", "is not", null)
    .where("pack.stripe_price_id", "is not", null)
    .orderBy("plan.current_period_end", "desc")
    .orderBy("plan.id")
    .limit(SHOWN)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    customerId: row.customer_id,
    name: row.pack_name,
    priceId: row.stripe_price_id!,
    priceCents: centsFromNumeric(row.price_eur),
    status: row.status,
    isEnding: row.cancel_at_period_end,
    periodEnd: row.current_period_end!,
  }));
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

interface PaymentRow extends Pick<OwnPayment, "id" | "name" | "createdAt" | "paymentIntentId"> {
  paid: string;
  refunded: string;
  disputeId: string | null;
  disputed: string | null;
  disputeStatus: string | null;
}

export async function listOwnPayments(db: Db, userId: string): Promise<OwnPayment[]> {
  const { rows } = await sql<PaymentRow>`
    select payments.stripe_object_id as id, pack.pack_name as name, payments.amount_eur as paid,
      payments.refunded_eur as refunded, payments.created_at as "createdAt",
      intent.id as "paymentIntentId", dispute.id as "disputeId", dispute.amount_eur as disputed,
      dispute.status as "disputeStatus"
    from payments
    join credit_packs pack on pack.id = payments.pack_id
    join lateral (
      select id from payment_references
      where stripe_object_id = payments.stripe_object_id and id like 'pi!_%' escape '!'
      order by id limit 1
    ) intent on true
    left join lateral (
      select * from disputes where payment_id = payments.id order by id limit 1
    ) dispute on true
    where payments.user_id = ${userId}
    order by payments.created_at desc, payments.id limit ${SHOWN}`.execute(db);
  return rows.map(toPayment);
}

function toPayment(row: PaymentRow): OwnPayment {
  const { paid, refunded, disputeId, disputed, disputeStatus, ...payment } = row;
  const isDisputed = disputeId !== null && disputed !== null && disputeStatus !== null;
  return {
    ...payment,
    paidCents: centsFromNumeric(paid),
    refundedCents: centsFromNumeric(refunded),
    dispute: isDisputed
      ? { id: disputeId, amountCents: centsFromNumeric(disputed), status: disputeStatus }
      : null,
  };
}

/** Points the demo's packs at its own checkout; a link that was stored by hand stays. */
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
          eb("stripe_checkout_link", "is", null),
          eb("stripe_checkout_link", "like", `%${path}`),
        ]),
      )
      .execute();
  }
}
