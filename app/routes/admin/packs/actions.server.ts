import { type Deal, dealKey, priceOf } from "#app/features/wallet/deal-rules.ts";
import { GAME_PRICE_CENTS } from "#app/features/games/rules.ts";
import {
  type Asked,
  createPack,
  editPack,
  hasLinkAtStripe,
  stopSelling,
} from "#app/features/wallet/edit-pack.server.ts";
import { packFields, type PackInput, packInput } from "#app/features/wallet/input.ts";
import { makePaymentLink } from "#app/features/wallet/stripe/make-payment-link.server.ts";
import { findPack, type Pack, packFact } from "#app/features/wallet/packs.server.ts";
import { ANY_AMOUNT, checkLink, type LinkCheck } from "#app/features/wallet/rules.ts";
import { formAction, formActions } from "#app/forms/form-action.server.ts";
import type { FormResult } from "#app/forms/form-result.ts";
import { rejected } from "#app/forms/form-rows.server.ts";
import { creditsCount, creditsText, euros, numericFromCents } from "#app/platform/money.ts";
import { readShown, writeShown } from "#app/platform/as-shown.ts";
import { isSandbox } from "#app/platform/sandbox.ts";
import { openStripe } from "#app/platform/stripe.server.ts";
import { adminRows, versionOf } from "#app/routes/admin/admin-action.server.ts";
import { editForm, type FormView, newForm } from "#app/routes/admin/entity/form-view.server.ts";
import { conflictOf, createErrors, entityAction } from "#app/routes/admin/entity/rows.server.ts";
import type { BadgeTone } from "#app/ui/badge.tsx";

export function toPackView(pack: Pack, prefix: string) {
  const { id, name, isMonthly, isAnyAmount, priceCents, creditsCents } = pack;
  const link = LINKS[checkLink(pack, prefix).state];
  return {
    ...{ id, name },
    /** Whether it is on sale, or would be with its link. */
    isWanted: pack.isActive || pack.awaitsLink,
    isOnSale: pack.isActive && link.canSell,
    isAnyAmount,
    kind: isAnyAmount ? "What is missing" : isMonthly ? "Every month" : "Single game",
    deal: isAnyAmount
      ? `${euros(ANY_AMOUNT.leastCents)} or more, as many credits`
      : `${euros(priceCents)} for ${creditsCount(creditsCents)}`,
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

/** A new pack has none. A new price or number of credits invalidates the link. */
export function packForm(pack: Pack | null): FormView {
  if (!pack) return newForm("pack", packFields);
  const price = { ...packFields.price, ...(hasLinkAtStripe(pack) && { hint: NEW_DEAL }) };
  const { version } = pack;
  return editForm({ ...packFields, price }, { version, ...valuesOf(pack) });
}

const NEW_DEAL =
  "A payment link sells one deal: with another price or other credits the pack needs a new one.";

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
      "Nobody can buy it: the link does not begin as this site's payment links do. Make a new one. If that does not help, the people who run the site have to look at it.",
  },
  unmatched: {
    ...{ label: "Link incomplete", tone: "amber", canSell: true, isMendable: true },
    advice:
      "It can be bought, but its payments would not be matched to it and would wait under Payments. A new link fixes it.",
  },
};

function valuesOf({ name, priceCents, creditsCents, ...pack }: PackInput | Pack) {
  return {
    name,
    price: numericFromCents(priceCents),
    credits: creditsText(creditsCents),
    isActive: pack.isActive || ("awaitsLink" in pack && pack.awaitsLink),
  };
}

/** Asks before the payment link goes, and before a credit costs far more or less than so far. */
export type PackResult = FormResult & { asks?: ReturnType<typeof questionsOf> };

function questionsOf({ dropsLink, isFar, before }: Asked, input: PackInput) {
  const usual = before ? `until now ${perCredit(before)}` : `usual is about ${euros(100)}`;
  return {
    dropsLink,
    /** The new price as people compare it, and as it was. */
    price: `${perCredit(input)}: ${euros(priceOf(GAME_PRICE_CENTS, input) ?? 0)} a game; ${usual}.`,
    unusual: isFar ? { label: `${perCredit(input)} is right`, key: dealKey(input) } : null,
  };
}

const perCredit = (deal: Deal) => `${euros(priceOf(100, deal) ?? 0)} a credit`;

const row = adminRows<PackResult>();
const gone = ["missing", "There is no such pack."] as const;
const keep = [...Object.keys(packFields), "version", "dropLink", "confirmed"];

const create = row({
  ...{ failed: "Failed to create pack", keep, input: packInput },
  run: ({ db, actor, fields: { packId = "", confirmed }, input }) =>
    createPack(db, { input, packId, actor, confirmed }),
  errors: {
    ...createErrors("created another pack"),
    asks: (asked, { input }) => ["invalid", { asks: questionsOf(asked, input) }],
  },
  done: (_, { fields }) => ({
    ...{ to: `/admin/packs/${fields.packId}`, title: "Pack created" },
    description: "It is sold once it has a payment link.",
  }),
});

const save = row({
  ...{ failed: "Failed to save pack", keep, input: packInput },
  run: ({ db, actor, fields, params: { packId = "" }, input }) => {
    const [version, mayDropLink] = [versionOf(fields), Boolean(fields.dropLink)];
    const { confirmed } = fields;
    return editPack(db, { packId, version, input, mayDropLink, confirmed, actor });
  },
  errors: {
    gone,
    asks: (asked, { input }) => ["invalid", { asks: questionsOf(asked, input) }],
    changed: ({ current: { version, ...pack } }, { input }) =>
      conflictOf(packFields, { version, ...valuesOf(pack) }, valuesOf(input)),
  },
  done: ({ isLinkDropped }) => ({
    title: "Pack saved",
    ...(isLinkDropped && { description: "It is off sale until it has a new payment link." }),
  }),
});

const makeLink = row({
  failed: "No payment link was made",
  run: async ({ db, env, actor, fields, params: { packId = "" } }) => {
    const { appUrl, paymentLinkPrefix, stripeSecretKey } = env;
    if (!isSandbox(env) && !stripeSecretKey) return rejected("key");
    // The page waits for Stripe.
    const limits = { timeout: 8_000, maxNetworkRetries: 1 };
    const stripe = stripeSecretKey ? openStripe(stripeSecretKey, limits) : null;
    const shown = readShown(fields.shown);
    return makePaymentLink(db, { packId, actor, appUrl, paymentLinkPrefix, stripe, shown });
  },
  errors: {
    gone,
    changed: async (_, { db, params: { packId = "" } }) => {
      const pack = await findPack(db, packId);
      const newFacts = pack ? ` It is now ${packFact(pack)[packId]}.` : "";
      return `Nothing was made: somebody has changed the pack meanwhile.${newFacts}`;
    },
    rejected:
      "Stripe made a link that does not begin as this site's payment links do. The people who run the site have to look at it.",
    key: "Stripe's key is missing, wrong or may not make payment links. The people who run the site can set it.",
    unavailable: ["busy", "Stripe does not respond. Nothing is lost: try again in a minute."],
    failed: "Stripe rejected it. The people who run the site find the reason in the server's log.",
  },
  done: { title: "Payment link ready" },
});

const stop = row({
  failed: "It is still on sale",
  run: ({ db, actor, params: { packId = "" } }) => stopSelling(db, { packId, actor }),
  errors: { gone },
  done: { title: "Not on sale any more" },
});

export const packAction = entityAction(
  { noun: "pack" },
  formActions({ save, "make-link": makeLink, "stop-selling": stop }),
  formAction(create, create.run),
);
