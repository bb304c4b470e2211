import { charge, dispute, event, type SentEvent } from "#app/routes/demo/stripe-objects.ts";
import type { Dice } from "./dice.ts";

/** A payment, as refunds and disputes name it. */
interface Payment {
  charge: { id: string; payment_intent: string };
  disputeId: string;
  amountCents: number;
}

interface MoneyBack {
  events: SentEvent[];
  /** What the payer has back in the end. */
  returnedCents: number;
}

/** What may happen to the money of a payment afterwards; mostly nothing. */
export function moneyBack(dice: Dice, payment: Payment): MoneyBack {
  const plot = dice.pick(["nothing", "nothing", "nothing", "refund", "dispute", "both"] as const);
  if (plot === "nothing") return { events: [], returnedCents: 0 };
  if (plot === "refund") return refunds(dice, payment, payment.amountCents);
  if (plot === "dispute") return disputed(dice, payment, payment.amountCents);
  // The bank returns no more than what is left of the payment.
  const first = refunds(dice, payment, dice.whole(1, payment.amountCents - 1));
  const second = disputed(dice, payment, payment.amountCents - first.returnedCents);
  return {
    events: [...first.events, ...second.events],
    returnedCents: first.returnedCents + second.returnedCents,
  };
}

/** One to three refunds up to an amount; Stripe tells the sum so far with each. */
function refunds(dice: Dice, payment: Payment, upToCents: number): MoneyBack {
  const ends = Array.from({ length: dice.whole(0, 2) }, () => dice.whole(1, upToCents));
  const sums = [...new Set([...ends, upToCents])].toSorted((a, b) => a - b);
  const { amountCents: amount } = payment;
  return {
    events: sums.map((amount_refunded) =>
      event("charge.refunded", charge({ ...payment.charge, amount, amount_refunded })),
    ),
    returnedCents: upToCents,
  };
}

/** A dispute from the bank's letter to its end, or an inquiry that moves no money. */
function disputed(dice: Dice, payment: Payment, amount: number): MoneyBack {
  const { id, payment_intent } = payment.charge;
  const tell = (what: Step, status: Status) =>
    event(
      `charge.dispute.${what}`,
      dispute({ id: payment.disputeId, charge: id, payment_intent, amount, status }),
    );
  const inquiry = tell("created", "warning_needs_response");
  if (dice.chance(0.2)) {
    return { events: [inquiry, tell("closed", "warning_closed")], returnedCents: 0 };
  }
  const opened = [
    ...(dice.chance(0.3) ? [inquiry] : [tell("created", "needs_response")]),
    tell("funds_withdrawn", "needs_response"),
    tell("updated", "under_review"),
  ];
  const ends = {
    open: { events: [], returnedCents: amount },
    lost: { events: [tell("closed", "lost")], returnedCents: amount },
    won: { events: [tell("closed", "won"), tell("funds_reinstated", "won")], returnedCents: 0 },
  };
  const { events, returnedCents } = ends[dice.pick(["open", "lost", "won"] as const)];
  return { events: [...opened, ...events], returnedCents };
}

type Step = "created" | "updated" | "closed" | "funds_withdrawn" | "funds_reinstated";
type Status =
  | "warning_needs_response"
  | "warning_closed"
  | "needs_response"
  | "under_review"
  | "won"
  | "lost";
