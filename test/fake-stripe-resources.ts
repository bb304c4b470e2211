type Objects = Map<string, StripeObject>;
type Filter = (object: StripeObject, value: Tree[string]) => boolean;

/** How one kind of object is made, changed and listed; anything else is an error. */
export interface Resource {
  object: string;
  create: string[];
  make(params: Tree, objects: Objects): StripeObject;
  update: string[];
  change(params: Tree, object: StripeObject): Partial<StripeObject>;
  filters: Record<string, Filter>;
}

const equals =
  (name: string): Filter =>
  (object, value) =>
    String(object[name]) === value;

const created: Filter = (object, value) => {
  const { gte, lte, ...rest } = value as Record<string, string>;
  if (Object.keys(rest).length > 0) throw stripeError(`unknown range: ${Object.keys(rest).join()}`);
  return object.created >= Number(gte ?? 0) && object.created <= Number(lte ?? Infinity);
};

const unchangeable = {
  create: [],
  make: () => {
    throw stripeError("it cannot be made here");
  },
  update: [],
  change: () => ({}),
};

/** By path below /v1. */
export const RESOURCES: Record<string, Resource> = {
  products: {
    object: "product",
    create: ["id", "name", "metadata"],
    make: makeProduct,
    update: ["name"],
    change: (params) => params,
    filters: {},
  },
  prices: {
    object: "price",
    create: [
      "product",
      "currency",
      "unit_amount",
      "custom_unit_amount",
      "tax_behavior",
      "recurring",
      "lookup_key",
      "transfer_lookup_key",
      "metadata",
    ],
    make: makePrice,
    update: ["metadata"],
    change: withMetadata,
    filters: {
      active: equals("active"),
      lookup_keys: ({ lookup_key }, keys) => (keys as unknown[]).includes(lookup_key),
    },
  },
  payment_links: {
    object: "payment_link",
    create: ["line_items", "after_completion", "allow_promotion_codes", "metadata"],
    make: makePaymentLink,
    update: ["active"],
    change: ({ active }) => ({ active: active === "true" }),
    filters: { active: equals("active") },
  },
  "checkout/sessions": {
    object: "checkout.session",
    ...unchangeable,
    filters: { created, status: equals("status") },
  },
  refunds: {
    object: "refund",
    // The parameters of Stripe's published description.
    create: [
      ...["amount", "charge", "currency", "customer", "expand", "instructions_email", "metadata"],
      ...["origin", "payment_intent", "reason", "refund_application_fee", "reverse_transfer"],
    ],
    make: makeRefund,
    update: ["metadata"],
    change: withMetadata,
    filters: { created, charge: equals("charge"), payment_intent: equals("payment_intent") },
  },
  invoices: { object: "invoice", ...unchangeable, filters: { created, status: equals("status") } },
  events: {
    object: "event",
    ...unchangeable,
    filters: {
      created,
      types: ({ type }, types) => (types as unknown[]).includes(type),
      delivery_success: ({ pending_webhooks }, value) =>
        (pending_webhooks === 0) === (value === "true"),
    },
  },
  "billing_portal/sessions": {
    object: "billing_portal.session",
    ...unchangeable,
    create: ["customer", "return_url"],
    make: makePortal,
    filters: {},
  },
};

function makeProduct({ id, name, metadata = {} }: Tree, objects: Objects): StripeObject {
  if (objects.has(String(id))) {
    throw stripeError("Product already exists.", { code: "resource_already_exists" });
  }
  if (!name) throw stripeError("Missing required param: name.", { code: "parameter_missing" });
  const product = object("product", "prod", { active: true, name, metadata });
  return { ...product, ...(id ? { id: String(id) } : {}) };
}

function makePrice(params: Tree, objects: Objects): StripeObject {
  const { product, currency, unit_amount, recurring, lookup_key = null } = params;
  const custom = params.custom_unit_amount ? customAmount(params) : null;
  const { tax_behavior = "unspecified", metadata = {} } = params;
  existing(objects, "product", product);
  if (!custom && !/^\d+$/.test(String(unit_amount)))
    throw stripeError("Invalid integer: unit_amount");
  const holder = [...objects.values()].find(
    (other) => lookup_key && other.lookup_key === lookup_key,
  );
  if (holder && params.transfer_lookup_key !== "true") {
    throw stripeError("A price already uses that lookup key.");
  }
  if (holder) holder.lookup_key = null;
  const interval = { interval_count: 1, usage_type: "licensed", meter: null };
  return object("price", "price", {
    active: true,
    billing_scheme: "per_unit",
    currency,
    unit_amount: custom ? null : Number(unit_amount),
    unit_amount_decimal: unit_amount ?? null,
    custom_unit_amount: custom,
    product,
    recurring: recurring ? { ...interval, ...(recurring as Tree) } : null,
    type: recurring ? "recurring" : "one_time",
    tax_behavior,
    lookup_key,
    metadata,
  });
}

/** The customer chooses; nothing below Stripe's least charge, and nothing that renews. */
function customAmount({ custom_unit_amount, unit_amount, recurring }: Tree) {
  const { enabled, minimum, maximum, preset } = custom_unit_amount as Record<string, string>;
  if (enabled !== "true" || unit_amount || recurring) throw stripeError("Invalid custom amount");
  if (Number(minimum) < 50 || Number(maximum) < Number(minimum)) {
    throw stripeError("Invalid range of a custom amount", { code: "amount_too_small" });
  }
  const cents = (text?: string) => (text === undefined ? null : Number(text));
  return { minimum: cents(minimum), maximum: cents(maximum), preset: cents(preset) };
}

/** Not more than is left of the payment intent, which a test has put there. */
function makeRefund(params: Tree, objects: Objects): StripeObject {
  const { payment_intent, reason = null, metadata = {} } = params;
  const intent = existing(objects, "payment_intent", payment_intent);
  const before = [...objects.values()].filter(
    (other) => other.object === "refund" && other.payment_intent === payment_intent,
  );
  const refunded = before.reduce((sum, { amount }) => sum + Number(amount), 0);
  const left = Number(intent.amount_received) - refunded;
  if (left === 0) {
    throw stripeError("Charge has already been refunded.", { code: "charge_already_refunded" });
  }
  const amount = Number(params.amount ?? left);
  if (!Number.isInteger(amount) || amount < 1 || amount > left) {
    throw stripeError(`Refund amount (${amount}) is greater than what is left (${left})`);
  }
  if (
    reason !== null &&
    !["duplicate", "fraudulent", "requested_by_customer"].includes(String(reason))
  ) {
    throw stripeError("Invalid reason");
  }
  const facts = { amount, currency: intent.currency, payment_intent, reason, metadata };
  return object("refund", "re", { ...facts, status: intent.next_refund ?? "succeeded" });
}

function makePaymentLink(params: Tree, objects: Objects): StripeObject {
  const [item, ...more] = params.line_items as { price: string; quantity: string }[];
  if (!item || more.length > 0) throw stripeError("line_items must be one here");
  const price = existing(objects, "price", item.price);
  if (price.custom_unit_amount && params.allow_promotion_codes === "true") {
    throw stripeError("allow_promotion_codes cannot be used with a custom amount");
  }
  const link = object("payment_link", "plink", {
    active: true,
    after_completion: params.after_completion,
    allow_promotion_codes: params.allow_promotion_codes === "true",
    metadata: params.metadata ?? {},
    currency: price.currency,
  });
  const line = object("item", "li", { price, quantity: Number(item.quantity), currency: "eur" });
  const url = `https://buy.stripe.com/test_${link.id.slice(6)}`;
  // They have an address of their own and do not show in the link.
  return Object.defineProperty({ ...link, url }, "line_items", { value: [line] });
}

function makePortal({ customer, return_url }: Tree, objects: Objects): StripeObject {
  existing(objects, "customer", customer);
  const portal = object("billing_portal.session", "bps", { customer, return_url });
  return { ...portal, url: `https://billing.stripe.com/p/session/test_${portal.id}` };
}

function withMetadata({ metadata }: Tree, { metadata: earlier }: StripeObject) {
  return { metadata: { ...(earlier as Tree), ...(metadata as Tree) } };
}

function existing(objects: Objects, kind: string, id: unknown): StripeObject {
  const found = objects.get(String(id));
  if (found?.object === kind && found.active !== false) return found;
  throw stripeError(`No such ${kind}: '${String(id)}'`, { code: "resource_missing" });
}

let number = 0;

function object(kind: string, prefix: string, fields: object): StripeObject {
  number += 1;
  const now = Math.floor(Date.now() / 1_000);
  return { id: `${prefix}_fake${number}`, object: kind, created: now, livemode: false, ...fields };
}

export type Tree = { [name: string]: string | Tree | (string | Tree)[] };

export type StripeObject = { id: string; object: string; created: number } & Record<
  string,
  unknown
>;

/** A request that Stripe would stripeError, as its error object says it. */
export class StripeError extends Error {
  status = 400;
  code: string | undefined;
}

export function stripeError(message: string, facts: { status?: number; code?: string } = {}) {
  return Object.assign(new StripeError(message), facts);
}

/** Stripe's form encoding: `line_items[0][price]=price_1`. */
export function parseForm(form: string): Tree {
  const root: Tree = {};
  for (const [key, value] of new URLSearchParams(form)) {
    const names = key.replaceAll("]", "").split("[");
    const last = names.pop()!;
    let place = root;
    for (const name of names) place = (place[name] ??= {}) as Tree;
    place[last] = value;
  }
  return Object.fromEntries(Object.entries(root).map(([name, value]) => [name, listed(value)]));
}

/** What has only numbers for names is a list. */
function listed(value: Tree[string]): Tree[string] {
  if (typeof value === "string" || Array.isArray(value)) return value;
  const entries = Object.entries(value).map(([name, inner]) => [name, listed(inner)] as const);
  if (entries.every(([name]) => /^\d+$/.test(name)))
    return entries.map(([, inner]) => inner as Tree);
  return Object.fromEntries(entries);
}
