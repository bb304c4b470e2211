import { minusFee } from "#app/features/seats/rules.ts";
import { SALE_TERMS } from "#app/features/seats/sale-terms.ts";
import { planLegalPage, withdrawComingPage } from "#app/features/legal/coming-pages.server.ts";
import { type LegalInput, legalPlanInput } from "#app/features/legal/input.ts";
import { editLegalPage, type LegalPageType } from "#app/features/legal/legal-pages.server.ts";
import { missingFromLegalText } from "#app/features/legal/rules.ts";
import {
  type ActionArgs,
  formActions,
  parseForm,
  type Posted,
} from "#app/forms/form-action.server.ts";
import type { Difference, FormResult } from "#app/forms/form-result.ts";
import { rejected } from "#app/forms/form-rows.server.ts";
import { formatMoment, helsinkiDate, monthDayYear } from "#app/platform/clock.ts";
import { versionOf } from "#app/routes/admin/admin-action.server.ts";
import { appContext } from "#app/routes/context.server.ts";
import { differencesOf } from "#app/routes/admin/entity/form-view.server.ts";
import { adminRows } from "#app/routes/admin/admin-action.server.ts";

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
  const missing = SALE_TERMS.flatMap((step) => missingFromLegalText(content, step));
  if (missing.length === 0) return null;
  const what = new Intl.ListFormat("en").format(missing);
  const rules = SALE_TERMS.map(
    (step) => `until ${step.until} hours before kick-off,${minusFee(step) || " in full"}`,
  );
  return `This text does not mention ${what}. Players are refunded ${rules.join("; ")}.`;
}

/** A preview keeps what was typed, as a failed form does. */
export type LegalResult = FormResult & { preview?: LegalInput & { warning: string | null } };

type Posting = ActionArgs & Posted & { params: { pageType?: string } };

const row = adminRows<LegalResult>();
const shared = {
  failed: "Failed to update legal page",
  // In full: a text may be longer than `echoOf` allows.
  keep: ({ fields: { title = "", content = "", version = "", holdsFrom = "" } }: Posted) => ({
    ...{ title, content, version, holdsFrom },
  }),
  input: ({ fields, context, params: { pageType = "" } }: Posting) => {
    const type = parsePageType(pageType);
    const today = helsinkiDate(context.get(appContext).now());
    return type && { type, ...parseForm(legalPlanInput({ today }), fields) };
  },
};
const PLAN_CHANGED =
  "Somebody else has changed the coming text meanwhile. Look at it, then press the button again.";
const missing = ["missing", "There is no such page."] as const;

export const editAction = formActions({
  preview: row({
    ...shared,
    run: async ({ input }) => {
      if (!input) return rejected("no-page");
      const { type, ...text } = input;
      const preview = { ...text, warning: cancellationWarning(type, text.content) };
      return { ok: false, reason: "preview", preview } as const;
    },
    // Not a success: the form stays as it was typed.
    errors: { "no-page": missing, preview: ({ preview }) => ["ok", { preview }] },
    done: {},
  }),
  save: row({
    ...shared,
    run: async ({ db, now, actor, fields, input }) => {
      if (!input) return rejected("no-page");
      const { type, holdsFrom, ...text } = input;
      if (holdsFrom) {
        const version = versionOf({ version: fields.comingVersion ?? "" });
        const plan = { type, version, input: { ...text, holdsFrom }, actor, now: now() };
        const planned = await planLegalPage(db, plan);
        return planned.ok ? planned : rejected("plan-changed");
      }
      const edit = { type, version: versionOf(fields), input: text, actor, now: now() };
      return editLegalPage(db, edit);
    },
    errors: {
      "no-page": missing,
      "plan-changed": PLAN_CHANGED,
      changed: ({ current }, { input }) => {
        const differences = textDifferences(current, input!);
        return { conflict: { version: current.version, differences } };
      },
    },
    done: (_, { input }) => ({
      title: "Legal page updated successfully",
      description: input!.holdsFrom
        ? `${PAGE_NAMES[input!.type]}: the new text holds from ${monthDayYear(input!.holdsFrom)}. Now tell everybody.`
        : `${PAGE_NAMES[input!.type]}: everybody reads the new text now.`,
    }),
  }),
  withdraw: row({
    failed: "Failed to withdraw the coming text",
    run: async ({ db, now, actor, fields, params }) => {
      const type = parsePageType(params.pageType ?? "");
      if (!type) return rejected("no-page");
      const version = versionOf({ version: fields.comingVersion ?? "" });
      return withdrawComingPage(db, { type, version, actor, now: now() });
    },
    errors: { "no-page": missing, changed: PLAN_CHANGED },
    done: { title: "Coming text withdrawn", description: "The present one stays." },
  }),
});

/** Compares the content by the lines that the other version lacks. */
export function textDifferences(theirs: LegalInput, yours: LegalInput): Difference[] {
  return differencesOf(LABELS, theirs, yours).map((each) => ({
    ...each,
    ...(each.label === LABELS.content.label && {
      theirs: linesBeyond(each.theirs, each.yours),
      yours: linesBeyond(each.yours, each.theirs),
    }),
  }));
}

const LABELS = {
  title: { label: "Title" },
  content: { label: "Content, the lines that differ" },
};

function linesBeyond(text: string, other: string): string {
  const known = new Set(other.split("\n"));
  const lines = text.split("\n").filter((line) => !known.has(line));
  return lines.join("\n") || "the same lines, in another order or number";
}
