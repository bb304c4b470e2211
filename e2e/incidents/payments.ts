import type { StripeObject } from "#test/fake-stripe-resources.ts";
import { singlePurchase } from "#test/payments.ts";
import type { Person } from "./people.ts";
import type { Stage } from "./stage.ts";

/** A payment that Stripe knows, with its event; nothing is delivered yet. */
export async function aPayment(stage: Stage, userId: string, cents = 999) {
  const { stripe_payment_link_id: payment_link } = await packOfOne(stage);
  const amounts = { amount_total: cents };
  const bought = singlePurchase(userId, { payment_link, ...amounts });
  const session = bought.completed.data.object as unknown as StripeObject;
  stage.stripe.objects.set(session.id, { ...session });
  stage.stripe.objects.set(bought.completed.id, { ...bought.completed } as never);
  return bought;
}

export const packOfOne = ({ database }: Stage) =>
  database.db
    .selectFrom("credit_packs")
    .selectAll()
    .where("pack_key", "=", "pay_per_game")
    .executeTakeFirstOrThrow();

export async function purchasesOf({ database }: Stage, { userId }: Person): Promise<string[]> {
  const payments = database.db.selectFrom("payments").select("stripe_object_id");
  const found = await payments.where("user_id", "=", userId).execute();
  return found.map(({ stripe_object_id }) => stripe_object_id!).sort();
}
