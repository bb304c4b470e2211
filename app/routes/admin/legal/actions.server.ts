import { REFUND_FEE_CENTS, REFUND_HOURS } from "#app/features/bookings/rules.ts";
import { legalInput } from "#app/features/legal/input.ts";
import { editLegalPage, type LegalPageType } from "#app/features/legal/legal-pages.server.ts";
import { missingFromTerms } from "#app/features/legal/rules.ts";
import { fail, formActions, parseForm, type Posted } from "#app/forms/form-action.server.ts";
import type { Difference, FormResult } from "#app/forms/form-result.ts";
import { redirectWithToast } from "#app/forms/toast.server.ts";
import { formatMoment } from "#app/platform/clock.ts";
import { appContext } from "#app/routes/context.server.ts";
import { viewerContext } from "#app/routes/guards.server.ts";
import type { Route } from "./+types/edit";

/** What each of them is called in admin, whatever its title says. */
export const PAGE_NAMES: Record<LegalPageType, string> = {
  terms: "Terms & Conditions",
  privacy: "Privacy Policy",
};

/** A part of the address as a type; null where it is none. */
export function parsePageType(text: string): LegalPageType | null {
  return text === "terms" || text === "privacy" ? text : null;
}

/** A part of the address as a version; null where it is none. */
export function parseVersion(text: string | null): number | null {
  return text && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null;
}

/** "Saved Nov 21, 2026, 12:00 by Ada Lovelace". */
export function toSavedView({ savedAt, savedBy }: { savedAt: Date; savedBy: string | null }) {
  const when = `Saved ${formatMoment(savedAt)}`;
  return savedBy ? `${when} by ${savedBy}` : when;
}

/** What the Terms should say of cancelling and do not; null where they do. */
export function cancellationWarning(type: LegalPageType, content: string): string | null {
  if (type !== "terms") return null;
  const rule = { refundHours: REFUND_HOURS, refundFeeCents: REFUND_FEE_CENTS };
  const missing = missingFromTerms(content, rule);
  if (missing.length === 0) return null;
  const what = new Intl.ListFormat("en").format(missing);
  const fee = (REFUND_FEE_CENTS / 100).toFixed(2);
  return (
    `This text does not mention ${what}. Players are refunded until ${REFUND_HOURS} hours before ` +
    `kick-off, minus a €${fee} fee.`
  );
}

interface LegalText {
  title: string;
  content: string;
}

/** A preview is no failure, but keeps what was typed too. */
export type LegalResult = FormResult & { preview?: LegalText & { warning: string | null } };

const UPDATE_FAILED = "Failed to update legal page";
// In full: a text is longer than what other forms show again.
const keep = ({ fields }: Posted) => {
  const { title = "", content = "", version = "" } = fields;
  return { title, content, version };
};

export const editAction = formActions({
  preview: { failed: UPDATE_FAILED, keep, run: preview },
  save: { failed: UPDATE_FAILED, keep, run: save },
});

type Args = Route.ActionArgs & Posted;

async function preview({ params, fields }: Args) {
  const type = parsePageType(params.pageType);
  if (!type) return fail<LegalResult>(404, NO_PAGE);
  const text = parseForm(legalInput, fields);
  return fail<LegalResult>(200, {
    preview: { ...text, warning: cancellationWarning(type, text.content) },
  });
}

async function save({ context, params, fields }: Args) {
  const { db, env, now } = context.get(appContext);
  const { userId: actor } = context.get(viewerContext);
  const type = parsePageType(params.pageType);
  if (!type) return fail<LegalResult>(404, NO_PAGE);
  const input = parseForm(legalInput, fields);
  const version = Number(fields.version);
  const edited = await editLegalPage(db, { type, version, input, actor, now: now() });
  if (edited.ok) {
    return redirectWithToast(env, `/admin/legal/${type}`, {
      title: "Legal page updated successfully",
      description: `${PAGE_NAMES[type]}: everybody reads the new text now.`,
    });
  }
  const differences = textDifferences(edited.current, input);
  return fail<LegalResult>(409, { conflict: { version: edited.current.version, differences } });
}

const NO_PAGE = { formError: "There is no such page." };

/** The lines that only the other admin's text has, and those that only this one has. */
export function textDifferences(theirs: LegalText, yours: LegalText): Difference[] {
  const title = { label: "Title", theirs: theirs.title, yours: yours.title };
  const content = {
    label: "Content, the lines that differ",
    theirs: linesBeyond(theirs.content, yours.content),
    yours: linesBeyond(yours.content, theirs.content),
  };
  return [
    ...(theirs.title === yours.title ? [] : [title]),
    ...(theirs.content === yours.content ? [] : [content]),
  ];
}

function linesBeyond(text: string, other: string): string {
  const known = new Set(other.split("\n"));
  const lines = text.split("\n").filter((line) => !known.has(line));
  return lines.join("\n") || "the same lines, in another order or number";
}
