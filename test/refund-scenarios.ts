import fc from "fast-check";
import { charge, dispute, event, type SentEvent } from "#app/routes/demo/stripe-objects.ts";

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
export function moneyBack(payment: Payment): fc.Arbitrary<MoneyBack> {
  const { amountCents } = payment;
  const nothing = fc.constant<MoneyBack>({ events: [], returnedCents: 0 });
  // The bank returns no more than what is left of the payment.
  const both = fc
    .integer({ min: 1, max: amountCents - 1 })
    .chain((cents) => fc.tuple(refunds(payment, cents), disputed(payment, amountCents - cents)))
    .map(([first, second]) => ({
      events: [...first.events, ...second.events],
      returnedCents: first.returnedCents + second.returnedCents,
    }));
  return fc.oneof(
    { weight: 3, arbitrary: nothing },
    refunds(payment, amountCents),
    disputed(payment, amountCents),
    both,
  );
}

/** One to three refunds up to an amount; Stripe sends the sum so far with each. */
function refunds(payment: Payment, upToCents: number): fc.Arbitrary<MoneyBack> {
  const { amountCents: amount } = payment;
  return fc.array(fc.integer({ min: 1, max: upToCents }), { maxLength: 2 }).map((parts) => ({
    events: [...new Set([...parts, upToCents])]
      .toSorted((a, b) => a - b)
      .map((amount_refunded) =>
        event("charge.refunded", charge({ ...payment.charge, amount, amount_refunded })),
      ),
    returnedCents: upToCents,
  }));
}

/** A dispute from its beginning to its end, or an inquiry that moves no money. */
function disputed(payment: Payment, amount: number): fc.Arbitrary<MoneyBack> {
  const { id, payment_intent } = payment.charge;
  const send = (what: Step, status: Status) =>
    event(
      `charge.dispute.${what}`,
      dispute({ id: payment.disputeId, charge: id, payment_intent, amount, status }),
    );
  const inquiry = send("created", "warning_needs_response");
  const inquiryOnly = { events: [inquiry, send("closed", "warning_closed")], returnedCents: 0 };
  const beginning = fc.oneof(
    { weight: 3, arbitrary: fc.constant(inquiry) },
    { weight: 7, arbitrary: fc.constant(send("created", "needs_response")) },
  );
  const end = fc.constantFrom<MoneyBack[]>(
    { events: [], returnedCents: amount },
    { events: [send("closed", "lost")], returnedCents: amount },
    { events: [send("closed", "won"), send("funds_reinstated", "won")], returnedCents: 0 },
  );
  const middle = [send("funds_withdrawn", "needs_response"), send("updated", "under_review")];
  return fc.oneof(
    { weight: 1, arbitrary: fc.constant(inquiryOnly) },
    {
      weight: 4,
      arbitrary: fc.tuple(beginning, end).map(([first, { events, returnedCents }]) => ({
        events: [first, ...middle, ...events],
        returnedCents,
      })),
    },
  );
}

type Step = "created" | "updated" | "closed" | "funds_withdrawn" | "funds_reinstated";
type Status =
  | "warning_needs_response"
  | "warning_closed"
  | "needs_response"
  | "under_review"
  | "won"
  | "lost";
