import fc from "fast-check";
import { anyText } from "./any-text.ts";
import { EVENT_TYPES } from "#app/features/wallet/stripe/stripe-event.ts";
import {
  invoice,
  invoicePayment,
  charge,
  checkoutSession,
  dispute,
  type SentEvent,
  stripeId,
  subscription,
} from "#app/routes/demo/stripe-objects.ts";

/** Every type of event that is read. */
export const EVENT_TYPES_READ = EVENT_TYPES as SentEvent["type"][];

/** An object as Stripe sends it with that type, about what was paid under that id. */
export function whole(type: SentEvent["type"], id: string): object {
  const ids = { id: stripeId("ch", id), payment_intent: stripeId("pi", id) };
  const subscriptionId = stripeId("sub", id);
  if (type.startsWith("checkout.")) {
    // Belongs to no player, so that it grants nothing where it happens to stay whole.
    const client_reference_id = "00000000-0000-4000-8000-000000000000";
    return checkoutSession({ id, client_reference_id, payment_link: "plink_pay_per_game" });
  }
  if (type === "invoice.paid") return invoice({ subscriptionId, priceId: "price_monthly_4" });
  if (type === "invoice_payment.paid") return invoicePayment({ invoice: stripeId("in", id) });
  if (type.startsWith("customer.")) {
    return subscription({ id: subscriptionId, priceId: "price_monthly_4" });
  }
  if (type.startsWith("charge.dispute.")) {
    return dispute({ id: stripeId("du"), charge: ids.id, payment_intent: ids.payment_intent });
  }
  return charge({ ...ids, amount_refunded: 300 });
}

/** The same object with one to four of its fields missing, or holding what nobody expects. */
export function malformed(object: object): fc.Arbitrary<object> {
  const bends = fc.array(fc.tuple(fc.nat(), fc.option(odd, { freq: 3 })), {
    minLength: 1,
    maxLength: 4,
  });
  return bends.map((list) => {
    const copy = structuredClone(object);
    for (const [turn, value] of list) bend(copy, turn, value);
    return copy;
  });
}

const odd: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown[]>(
    "",
    "\0",
    "pi_\0",
    "\ud800",
    "x".repeat(10_000),
    -1,
    0.5,
    1e308,
    2 ** 53 - 1,
    true,
    [],
    {},
    [null],
    { id: "\0" },
    JSON.parse('{"__proto__":{"id":"pi_1"},"id":"__proto__"}'),
  ),
  anyText(),
  fc.integer(),
  fc.jsonValue(),
);

/** Changes one of the fields at any depth; null takes it away. */
function bend(object: unknown, turn: number, value: unknown): void {
  const fields = fieldsOf(object);
  const field = fields[turn % fields.length];
  if (!field) return;
  const { owner, key } = field;
  if (value === null) Reflect.deleteProperty(owner, key);
  // A copy: the same value comes again, and set into itself it would be endless.
  else Reflect.set(owner, key, structuredClone(value));
}

function fieldsOf(value: unknown): { owner: object; key: string }[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => [{ owner: value, key }, ...fieldsOf(part)]);
}
