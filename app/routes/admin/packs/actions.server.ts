import { createPack, editPack, hasLinkAtStripe } from "#app/features/wallet/edit-pack.server.ts";
import { packInput } from "#app/features/wallet/input.ts";
import { makePaymentLink } from "#app/features/wallet/stripe/make-payment-link.server.ts";
import { findPack, type Pack, packFact } from "#app/features/wallet/packs.server.ts";
import { checkLink, type LinkCheck } from "#app/features/wallet/rules.ts";
import {
  fail,
  formAction,
  formActions,
  parseForm,
  type Posted,
} from "#app/forms/form-action.server.ts";
import type { FormResult } from "#app/forms/form-result.ts";
import { creditsCount, creditsText, euros, numericFromCents } from "#app/platform/money.ts";
import { readShown, writeShown } from "#app/platform/as-shown.ts";
import { isSandbox } from "#app/platform/sandbox.ts";
import { openStripe } from "#app/platform/stripe.server.ts";
import { adminOf, failNew, fieldDiff, versionOf } from "#app/routes/admin/admin-action.server.ts";
import type { BadgeTone } from "#app/ui/badge.tsx";
import type { Route as EditRoute } from "./+types/edit";
import type { Route as NewRoute } from "./+types/new";

export function toPackView(pack: Pack, prefix: string) {
  const { id, name, isMonthly, priceCents, creditsCents } = pack;
  const link = LINKS[checkLink(pack, prefix).state];
  return {
    ...{ id, name },
    /** Whether it is on sale, or would be with its link. */
    isWanted: pack.isActive || pack.awaitsLink,
    isOnSale: pack.isActive && link.canSell,
    kind: isMonthly ? "Every month" : "Single game",
    deal: `${euros(priceCents)} for ${creditsCount(creditsCents)}`,
    link,
  };
}
export type PackView = ReturnType<typeof toPackView>;

export function toAdminPackView(pack: Pack, prefix: string) {
  const check = checkLink(pack, prefix);
  const product = "The product at Stripe, which comes with the price";
  const facts: [text: string, isThere: boolean, detail: string | null][] = [
    ["A link is stored", check.isSet, pack.checkoutLink],
    ["It begins as payment links must", check.isBelowPrefix, prefix],
    ["Its id at Stripe is known", check.hasLinkId, pack.paymentLinkId],
    ["The price’s id at Stripe is known", check.hasPriceId, pack.priceId],
  ];
  if (check.state !== "sandbox") facts.push([product, check.hasPriceId, `pack_${pack.id}`]);
  return {
    ...toPackView(pack, prefix),
    version: pack.version,
    values: valuesOf(pack),
    facts,
    shown: writeShown(packFact(pack)),
    /** A new price or number of credits invalidates the link. */
    isPriceTied: hasLinkAtStripe(pack),
  };
}
export type AdminPackView = ReturnType<typeof toAdminPackView>;

interface LinkView {
  label: string;
  tone: BadgeTone;
  /** What it means for a buyer, and how to fix it. */
  advice: string;
  canSell: boolean;
  isMendable: boolean;
}

const LINKS: Record<LinkCheck["state"], LinkView> = {
  ready: {
    ...{ label: "Link ready", tone: "green", canSell: true, isMendable: false },
    advice: "Players can buy it, and its payments are matched to it.",
  },
  sandbox: {
    ...{ label: "Demo checkout", tone: "sky", canSell: true, isMendable: false },
    advice: "Players buy it at the demo's own checkout, at the current price. No money moves.",
  },
  missing: {
    ...{ label: "No payment link", tone: "red", canSell: false, isMendable: true },
    advice: "Players are not offered it until it has a payment link.",
  },
  elsewhere: {
    ...{ label: "Link not allowed", tone: "red", canSell: false, isMendable: true },
    advice:
      "Nobody can buy it: the link leads elsewhere than payment links may. Make a new one, or have PAYMENT_LINK_PREFIX corrected.",
  },
  unmatched: {
    ...{ label: "Link incomplete", tone: "amber", canSell: true, isMendable: true },
    advice:
      "It can be bought, but its payments would not be matched to it and would wait under Payments. A new link fixes it.",
  },
};

function valuesOf({ name, priceCents, creditsCents, isActive, awaitsLink }: Pack) {
  return {
    name,
    price: numericFromCents(priceCents),
    credits: creditsText(creditsCents),
    isActive: isActive || awaitsLink ? "1" : "",
  };
}
export type PackValues = ReturnType<typeof valuesOf>;

const LABELS = { name: "Name", price: "Price", credits: "Credits", isActive: "On sale" };
const keep = [...Object.keys(LABELS), "version"];

export const createAction = formAction({ failed: "Failed to create pack", keep }, create);
export const packAction = formActions({
  save: { failed: "Failed to save pack", keep, run: edit },
  "make-link": { failed: "No payment link was made", run: makeLink },
});

/** Asks for confirmation, since the new price invalidates the payment link. */
export type PackResult = FormResult & { asksDropLink?: boolean };

async function create(args: NewRoute.ActionArgs & Posted) {
  const { db, actor, done } = adminOf(args);
  const input = parseForm(packInput, args.fields);
  const { packId = "" } = args.fields;
  const created = await createPack(db, { input, packId, actor });
  if (!created.ok) return failNew(created.reason, "created another pack");
  return done(`/admin/packs/${packId}`, "Pack created", "It is sold once it has a payment link.");
}

async function makeLink(args: EditRoute.ActionArgs & Posted) {
  const { db, env, actor, done } = adminOf(args);
  const { packId } = args.params;
  const { appUrl, paymentLinkPrefix, stripeSecretKey } = env;
  if (!isSandbox(env) && !stripeSecretKey) return fail(409, { formError: LINK_ERRORS.key });
  // The page waits for Stripe.
  const limits = { timeout: 8_000, maxNetworkRetries: 1 };
  const stripe = stripeSecretKey ? openStripe(stripeSecretKey, limits) : null;
  const shown = readShown(args.fields.shown);
  const making = { packId, actor, appUrl, paymentLinkPrefix, stripe, shown };
  const made = await makePaymentLink(db, making);
  if (made.ok) return done(`/admin/packs/${packId}`, "Payment link ready");
  if (made.reason === "changed") {
    const pack = await findPack(db, packId);
    const news = pack ? ` It is now ${packFact(pack)[packId]}.` : "";
    return fail(409, { formError: LINK_ERRORS.changed + news });
  }
  const status = made.reason === "gone" ? 404 : made.reason === "unavailable" ? 503 : 409;
  return fail(status, { formError: LINK_ERRORS[made.reason] });
}

const LINK_ERRORS = {
  gone: "There is no such pack.",
  changed: "Nothing was made: somebody has changed the pack meanwhile.",
  rejected: "Stripe made a link at an address that PAYMENT_LINK_PREFIX does not allow.",
  key: "Stripe's key is missing, wrong or may not make payment links. The site's operator sets STRIPE_SECRET_KEY.",
  unavailable: "Stripe does not respond. Nothing is lost: try again in a minute.",
  failed: "Stripe rejected it. The site's operator finds the reason in the server's log.",
};

async function edit(args: EditRoute.ActionArgs & Posted) {
  const { db, actor, done } = adminOf(args);
  const { fields, params } = args;
  const { packId } = params;
  const input = parseForm(packInput, fields);
  const [version, mayDropLink] = [versionOf(fields), Boolean(fields.dropLink)];
  const edited = await editPack(db, { packId, version, input, mayDropLink, actor });
  if (edited.ok) {
    const lost = edited.isLinkDropped
      ? "It is off sale until it has a new payment link."
      : undefined;
    return done(`/admin/packs/${packId}`, "Pack saved", lost);
  }
  if (edited.reason === "gone") {
    return fail<PackResult>(404, { formError: "There is no such pack." });
  }
  if (edited.reason === "drops-link") return fail<PackResult>(422, { asksDropLink: true });
  const { version: newest } = edited.current;
  const stored = readable(valuesOf(edited.current));
  const differences = fieldDiff(LABELS, stored, readable(fields));
  return fail<PackResult>(409, { conflict: { version: newest, differences } });
}

function readable<Values extends { isActive?: string }>(values: Values) {
  return { ...values, isActive: values.isActive ? "yes" : "no" };
}
