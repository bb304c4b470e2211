import { createPack, editPack, hasLinkAtStripe } from "#app/features/wallet/edit-pack.server.ts";
import { packInput } from "#app/features/wallet/input.ts";
import type { AdminPack, Pack } from "#app/features/wallet/packs.server.ts";
import { checkLink, type LinkCheck } from "#app/features/wallet/rules.ts";
import { fail, formAction, parseForm, type Posted } from "#app/forms/form-action.server.ts";
import type { Difference, FormResult } from "#app/forms/form-result.ts";
import { redirectWithToast } from "#app/forms/toast.server.ts";
import { creditsCount, creditsText, euros, numericFromCents } from "#app/platform/money.ts";
import { appContext } from "#app/routes/context.server.ts";
import { viewerContext } from "#app/routes/guards.server.ts";
import type { BadgeTone } from "#app/ui/badge.tsx";
import type { Route as EditRoute } from "./+types/edit";
import type { Route as NewRoute } from "./+types/new";

/** A pack of the list. */
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

/** A pack as its page shows it. */
export function toAdminPackView(pack: AdminPack, prefix: string) {
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
    /** What selling it needs. */
    facts,
    /** A new deal takes the link away. */
    isPriceTied: hasLinkAtStripe(pack),
  };
}
export type AdminPackView = ReturnType<typeof toAdminPackView>;

interface LinkView {
  label: string;
  tone: BadgeTone;
  /** What that means for a buyer, and what to do about it. */
  advice: string;
  /** `npm run stripe:links` puts it right. */
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

/** The texts of a pack's form; a ticked box is "1". */
function valuesOf({ name, priceCents, creditsCents, isActive }: AdminPack) {
  return {
    name,
    price: numericFromCents(priceCents),
    credits: creditsText(creditsCents),
    isActive: isActive ? "1" : "",
  };
}
export type PackValues = ReturnType<typeof valuesOf>;

const LABELS = { name: "Name", price: "Price", credits: "Credits", isActive: "On sale" };
const FIELDS = Object.keys(LABELS) as (keyof PackValues)[];
const keep = [...FIELDS, "version"];

export const createAction = formAction({ failed: "Failed to create pack", keep }, create);
export const editAction = formAction({ failed: "Failed to save pack", keep }, edit);

/** The new deal takes the link away: asked before it is saved. */
export type PackResult = FormResult & { asksDropLink?: boolean };

async function create({ context, fields }: NewRoute.ActionArgs & Posted) {
  const { db, env } = context.get(appContext);
  const { userId: actor } = context.get(viewerContext);
  const input = parseForm(packInput, fields);
  const { packId = "" } = fields;
  const created = await createPack(db, { input, packId, actor });
  if (created.ok) {
    return redirectWithToast(env, `/admin/packs/${packId}`, {
      title: "Pack created",
      description: "Next it needs a payment link.",
    });
  }
  if (created.reason === "no-id") {
    return fail<PackResult>(400, { formError: "The form was not complete. Please try again." });
  }
  const formError = "This form has created another pack before. Send it again for one more.";
  return fail<PackResult>(409, { formError });
}

async function edit({ context, params: { packId }, fields }: EditRoute.ActionArgs & Posted) {
  const { db, env } = context.get(appContext);
  const { userId: actor } = context.get(viewerContext);
  const input = parseForm(packInput, fields);
  const [version, mayDropLink] = [Number(fields.version), Boolean(fields.dropLink)];
  const edited = await editPack(db, { packId, version, input, mayDropLink, actor });
  if (edited.ok) {
    const lost = { description: "Its payment link is gone: make a new one." };
    const toast = { title: "Pack saved", ...(edited.isLinkDropped && lost) };
    return redirectWithToast(env, `/admin/packs/${packId}`, toast);
  }
  if (edited.reason === "gone") {
    return fail<PackResult>(404, { formError: "There is no such pack." });
  }
  if (edited.reason === "drops-link") return fail<PackResult>(422, { asksDropLink: true });
  const differences = differencesOf(valuesOf(edited.current), fields);
  return fail<PackResult>(409, { conflict: { version: edited.current.version, differences } });
}

function differencesOf(theirs: PackValues, fields: Record<string, string>): Difference[] {
  return FIELDS.map((field) => ({
    label: LABELS[field],
    theirs: textOf(field, theirs[field]),
    yours: textOf(field, fields[field] ?? ""),
  })).filter((each) => each.theirs !== each.yours);
}

function textOf(field: keyof PackValues, value: string): string {
  if (field !== "isActive") return value;
  return value ? "yes" : "no";
}
