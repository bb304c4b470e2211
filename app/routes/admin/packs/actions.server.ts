import { createPack, editPack, hasLinkAtStripe } from "#app/features/wallet/edit-pack.server.ts";
import { packInput } from "#app/features/wallet/input.ts";
import type { Pack } from "#app/features/wallet/packs.server.ts";
import { checkLink, type LinkCheck } from "#app/features/wallet/rules.ts";
import { fail, formAction, parseForm, type Posted } from "#app/forms/form-action.server.ts";
import type { FormResult } from "#app/forms/form-result.ts";
import { creditsCount, creditsText, euros, numericFromCents } from "#app/platform/money.ts";
import { adminOf, failNew, fieldDiff, versionOf } from "#app/routes/admin/admin-action.server.ts";
import type { BadgeTone } from "#app/ui/badge.tsx";
import type { Route as EditRoute } from "./+types/edit";
import type { Route as NewRoute } from "./+types/new";

export function toPackView(pack: Pack, prefix: string) {
  const { id, name, isActive, isMonthly, priceCents, creditsCents } = pack;
  return {
    ...{ id, name, isActive },
    kind: isMonthly ? "Every month" : "Single game",
    deal: `${euros(priceCents)} for ${creditsCount(creditsCents)}`,
    link: LINKS[checkLink(pack, prefix).state],
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
    /** What it needs to be sold. */
    facts,
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
  /** `npm run stripe:links` fixes it. */
  isMendable: boolean;
}

const LINKS: Record<LinkCheck["state"], LinkView> = {
  ready: {
    ...{ label: "Link ready", tone: "green", isMendable: false },
    advice: "Players can buy it, and its payments are matched to it.",
  },
  sandbox: {
    ...{ label: "Demo checkout", tone: "sky", isMendable: false },
    advice: "Players buy it at the demo's own checkout, at the current price. No money moves.",
  },
  missing: {
    ...{ label: "No payment link", tone: "red", isMendable: true },
    advice: "Nobody can buy it. The site's operator creates the link with this command:",
  },
  elsewhere: {
    ...{ label: "Link not allowed", tone: "red", isMendable: true },
    advice:
      "Nobody can buy it: the link leads elsewhere than payment links may. Have PAYMENT_LINK_PREFIX corrected, or a new link created with this command:",
  },
  unmatched: {
    ...{ label: "Link incomplete", tone: "amber", isMendable: true },
    advice:
      "It can be bought, but its payments would not be matched to it and would wait under Payments. This command fixes it:",
  },
};

/** A ticked checkbox is "1". */
function valuesOf({ name, priceCents, creditsCents, isActive }: Pack) {
  return {
    name,
    price: numericFromCents(priceCents),
    credits: creditsText(creditsCents),
    isActive: isActive ? "1" : "",
  };
}
export type PackValues = ReturnType<typeof valuesOf>;

const LABELS = { name: "Name", price: "Price", credits: "Credits", isActive: "On sale" };
const keep = [...Object.keys(LABELS), "version"];

export const createAction = formAction({ failed: "Failed to create pack", keep }, create);
export const editAction = formAction({ failed: "Failed to save pack", keep }, edit);

/** Asks for confirmation, since the new price invalidates the payment link. */
export type PackResult = FormResult & { asksDropLink?: boolean };

async function create(args: NewRoute.ActionArgs & Posted) {
  const { db, actor, done } = adminOf(args);
  const input = parseForm(packInput, args.fields);
  const { packId = "" } = args.fields;
  const created = await createPack(db, { input, packId, actor });
  if (!created.ok) return failNew(created.reason, "created another pack");
  return done(`/admin/packs/${packId}`, "Pack created", "Next it needs a payment link.");
}

async function edit(args: EditRoute.ActionArgs & Posted) {
  const { db, actor, done } = adminOf(args);
  const { fields, params } = args;
  const { packId } = params;
  const input = parseForm(packInput, fields);
  const [version, mayDropLink] = [versionOf(fields), Boolean(fields.dropLink)];
  const edited = await editPack(db, { packId, version, input, mayDropLink, actor });
  if (edited.ok) {
    const lost = edited.isLinkDropped ? "Its payment link is gone: make a new one." : undefined;
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
