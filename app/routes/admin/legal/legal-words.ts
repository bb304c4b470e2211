import { missingFromTerms } from "#app/features/legal/rules.ts";
import type { LegalPageType } from "#app/features/legal/legal-pages.server.ts";
import { REFUND_FEE_CENTS, REFUND_HOURS } from "#app/features/bookings/rules.ts";
import { formatMoment } from "#app/platform/clock.ts";
import type { Difference } from "#app/forms/form-result.ts";

export const LEGAL = "/admin/legal";
export const LOAD_FAILED = "Failed to load legal pages";
export const UPDATE_FAILED = "Failed to update legal page";

export const legalPath = (type: LegalPageType) => `${LEGAL}/${type}`;
export const versionPath = (type: LegalPageType, version: number) =>
  `${legalPath(type)}/versions/${version}`;

/** What each of them is called at the desk, whatever its title says. */
export const PAGE_NAMES: Record<LegalPageType, string> = {
  terms: "Terms & Conditions",
  privacy: "Privacy Policy",
};

/** A part of the address as a type; null where it is none. */
export function legalType(text: string | undefined): LegalPageType | null {
  return text === "terms" || text === "privacy" ? text : null;
}

/** A part of the address as a version; null where it is none. */
export function versionOf(text: string | null | undefined): number | null {
  return text && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null;
}

/** "Saved Nov 21, 2026, 12:00 by Ada Lovelace". */
export function savedWords({ savedAt, savedBy }: { savedAt: Date; savedBy: string | null }) {
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

type Text = { title: string; content: string };

/** What somebody else's text says that this one does not, and the other way round, line by line. */
export function textDifferences(theirs: Text, yours: Text): Difference[] {
  const title =
    theirs.title === yours.title
      ? []
      : [{ label: "Title", theirs: theirs.title, yours: yours.title }];
  if (theirs.content === yours.content) return title;
  const content = {
    label: "Content, the lines that differ",
    theirs: linesBeyond(theirs.content, yours.content),
    yours: linesBeyond(yours.content, theirs.content),
  };
  return [...title, content];
}

function linesBeyond(text: string, other: string): string {
  const known = new Set(other.split("\n"));
  const lines = text.split("\n").filter((line) => !known.has(line));
  return lines.join("\n") || "the same lines, in another order or number";
}
