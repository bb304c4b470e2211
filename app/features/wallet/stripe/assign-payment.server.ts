import { findPlayerByAddress } from "#app/features/players/search-players.server.ts";
import { type Deal, dealOf, differenceKey } from "#app/features/wallet/deal-rules.ts";
import { findPack } from "#app/features/wallet/packs.server.ts";
import {
  findCustomerOwner,
  grantPayment,
  monthOf,
  type PaymentJobs,
  saveCustomer,
  saveReferences,
} from "#app/features/wallet/payments.server.ts";
import type { Tx } from "#app/platform/db.server.ts";
import type { StripeEvent, UnmatchedReason } from "#app/platform/schema.ts";
import { applyWaiting, markResolved } from "./apply-stripe-event.server.ts";
import { listPacksOfSales, readSale, toPaidSale, withoutPayer } from "./sales.server.ts";

interface Assigning {
  email: string;
  packId: string | null;
  confirmed?: string;
  jobs: PaymentJobs;
  isLive: boolean;
  now: Date;
}

export type AssignFailure =
  | { ok: false; reason: "no-player" | "no-pack" | "another-player" | "not-assignable" }
  | Differs;

/** Another sum was paid than the pack costs: the same form with this key gives it nevertheless. */
interface Differs {
  ok: false;
  reason: "differs";
  paidCents: number;
  pack: Deal & { name: string };
  key: string;
}

/** Grants an unmatched payment to a player, under Stripe's lock. `details` are for the log. */
export async function assignPayment(tx: Tx, event: StripeEvent, command: Assigning) {
  const { jobs, isLive, now } = command;
  const sale = Boolean(event.livemode) === isLive ? readSale(event) : null;
  if (!sale) return fail("not-assignable");
  const userId = await findPlayerByAddress(tx, command.email);
  if (!userId) return fail("no-player");
  const { id, amountCents, references, customerId, isCreditable, month } = sale;
  if (!customerId && !isCreditable) return fail("not-assignable");
  const chosen = isCreditable ? await findPack(tx, command.packId) : null;
  if (!chosen && isCreditable) return fail("no-pack");
  const owner = customerId && (await findCustomerOwner(tx, customerId));
  if (owner && owner !== userId) return fail("another-player");
  const sold = (await listPacksOfSales(tx, [sale])).get(sale.soldBy) ?? null;
  const paidSale = toPaidSale(sale, sold);
  const deal = chosen && dealOf(chosen, paidSale);
  const isOther = deal !== null && deal.priceCents !== amountCents;
  if (isOther) {
    const key = differenceKey(chosen!, deal, paidSale);
    const pack = { ...deal, name: chosen!.name };
    if (command.confirmed !== key)
      return { ok: false, reason: "differs", paidCents: amountCents, pack, key } satisfies Differs;
  }
  const matches = [];
  const reason = await reasonOf(tx, event);
  if (customerId) {
    const effect = await saveCustomer(tx, customerId, userId);
    if ("unmatched" in effect) return fail("another-player");
    matches.push(...effect.matches);
  }
  const openedAt = "openedAt" in sale ? sale.openedAt : null;
  const paid = {
    ...{ id, userId, amountCents, openedAt },
    ...(month && { month: monthOf(month, now) }),
  };
  const isGranted =
    chosen && deal
      ? await grantPayment(tx, jobs, { ...paid, pack: { ...chosen, ...deal } }, now)
      : false;
  matches.push(...(await saveReferences(tx, id, references)));
  await markResolved(tx, event);
  if (isGranted && reason) {
    const newCustomerId = owner ? null : customerId;
    await keepAssignment(tx, event, {
      objectId: id,
      userId,
      customerId: newCustomerId,
      reason,
      now,
    });
  }
  await applyWaiting(tx, matches, command);
  const given = chosen && { packId: chosen.id, pack: chosen.name, ...deal };
  const details = { ...given, ...(isOther && { isConfirmed: true }) };
  return { ok: true, isGranted, playerId: userId, details } as const;
}

async function reasonOf(tx: Tx, event: StripeEvent): Promise<UnmatchedReason | null> {
  const stored = tx.selectFrom("stripe_events").select("reason").where("id", "=", event.id);
  return (await stored.executeTakeFirst())?.reason ?? null;
}

interface Kept {
  objectId: string;
  userId: string;
  customerId: string | null;
  reason: UnmatchedReason;
  now: Date;
}

/** What `takeBackAssignment` needs to make it unmatched again. */
async function keepAssignment(tx: Tx, event: StripeEvent, kept: Kept): Promise<void> {
  const { objectId, userId, customerId, reason, now } = kept;
  const payment = tx.selectFrom("payments").select("id").where("stripe_object_id", "=", objectId);
  const { id: payment_id } = await payment.executeTakeFirstOrThrow();
  const about = { event_id: event.id, payment_id, user_id: userId, customer_id: customerId };
  const payload = JSON.stringify(withoutPayer(event));
  await tx
    .insertInto("payment_assignments")
    .values({ ...about, payload, reason, assigned_at: now })
    .execute();
}

const fail = <Reason extends string>(reason: Reason) => ({ ok: false, reason }) as const;
