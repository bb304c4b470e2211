import { randomUUID } from "node:crypto";
import { suspendAccount } from "#app/features/accounts/account-status.server.ts";
import type { Db } from "#app/platform/db.server.ts";
import { addPack } from "#app/features/wallet/packs.server.ts";

/** A suspended player, a pack of the demo's, and one of before that Stripe sold. */
export async function stagePlayersDesk(db: Db, suspended: string) {
  const { id: actor } = await db
    .selectFrom("users")
    .select("id")
    .where("email", "=", "admin@uni.example")
    .executeTakeFirstOrThrow();
  const reason = "Two red cards in two weeks. Talk first, then lift it.";
  await suspendAccount(db, { userId: suspended, reason, actor }, new Date());
  const retired = randomUUID();
  await addPack(db, {
    ...{ id: retired, pack_key: "monthly_retired", pack_name: "Spring term" },
    ...{ price_eur: "120.00", total_credit_eur: "160", is_active: false },
    stripe_checkout_link: "https://buy.stripe.com/28o5kE0Xw1",
    stripe_payment_link_id: "plink_1SpringTerm",
    stripe_price_id: "price_1SpringTerm",
  });
  const pack = db.selectFrom("credit_packs").select("id").where("pack_key", "=", "monthly_4");
  return { suspended, pack: (await pack.executeTakeFirstOrThrow()).id, retiredPack: retired };
}
