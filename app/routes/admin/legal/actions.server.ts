import { SALE_TERMS } from "#app/features/seats/sale-terms.ts";
import { type LegalInput, legalInput } from "#app/features/legal/input.ts";
import { editLegalPage, type LegalPageType } from "#app/features/legal/legal-pages.server.ts";
import { missingFromTerms } from "#app/features/legal/rules.ts";
import { fail, formActions, parseForm, type Posted } from "#app/forms/form-action.server.ts";
import type { Difference, FormResult } from "#app/forms/form-result.ts";
import { formatMoment } from "#app/platform/clock.ts";
import { numericFromCents } from "#app/platform/money.ts";
import { adminOf, fieldDiff, versionOf } from "#app/routes/admin/admin-action.server.ts";
import type { Route } from "./+types/edit";

export const PAGE_NAMES: Record<LegalPageType, string> = {
  terms: "Terms & Conditions",
  privacy: "Privacy Policy",
};

export function parsePageType(text: string): LegalPageType | null {
  return text === "terms" || text === "privacy" ? text : null;
}

export function parseVersion(text: string | null): number | null {
  return text && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null;
}

export function toSavedView({ savedAt, savedBy }: { savedAt: Date; savedBy: string | null }) {
  const when = `Saved ${formatMoment(savedAt)}`;
  return savedBy ? `${when} by ${savedBy}` : when;
}

/** A warning if the Terms do not mention the cancellation rule. */
export function cancellationWarning(type: LegalPageType, content: string): string | null {
  if (type !== "terms") return null;
  const missing = SALE_TERMS.flatMap(({ until: refundHours, feeCents: refundFeeCents }) =>
    missingFromTerms(content, { refundHours, refundFeeCents }),
  );
  if (missing.length === 0) return null;
  const what = new Intl.ListFormat("en").format(missing);
  const rules = SALE_TERMS.map(
    ({ until, feeCents }) =>
      `until ${until} hours before kick-off, minus a €${numericFromCents(feeCents)} fee`,
  );
  return `This text does not mention ${what}. Players are refunded ${rules.join("; ")}.`;
}

/** A preview keeps what was typed, as a failed form does. */
export type LegalResult = FormResult & { preview?: LegalInput & { warning: string | null } };

const UPDATE_FAILED = "Failed to update legal page";
// In full: a text may be longer than `echoOf` allows.
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
  const warning = cancellationWarning(type, text.content);
  return fail<LegalResult>(200, { preview: { ...text, warning } });
}

async function save(args: Args) {
  const { db, now, actor, done } = adminOf(args);
  const { fields, params } = args;
  const type = parsePageType(params.pageType);
  if (!type) return fail<LegalResult>(404, NO_PAGE);
  const input = parseForm(legalInput, fields);
  const version = versionOf(fields);
  const edited = await editLegalPage(db, { type, version, input, actor, now: now() });
  if (edited.ok) {
    const description = `${PAGE_NAMES[type]}: everybody reads the new text now.`;
    return done(`/admin/legal/${type}`, "Legal page updated successfully", description);
  }
  const differences = textDifferences(edited.current, input);
  return fail<LegalResult>(409, { conflict: { version: edited.current.version, differences } });
}

const NO_PAGE = { formError: "There is no such page." };

const LABELS = { title: "Title", content: "Content, the lines that differ" };

/** Of the content only the lines that the other version lacks. */
export function textDifferences(theirs: LegalInput, yours: LegalInput): Difference[] {
  return fieldDiff(LABELS, theirs, yours).map((each) => ({
    ...each,
    ...(each.label === LABELS.content && {
      theirs: linesBeyond(each.theirs, each.yours),
      yours: linesBeyond(each.yours, each.theirs),
    }),
  }));
}

function linesBeyond(text: string, other: string): string {
  const known = new Set(other.split("\n"));
  const lines = text.split("\n").filter((line) => !known.has(line));
  return lines.join("\n") || "the same lines, in another order or number";
}
