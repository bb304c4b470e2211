import { data, redirect } from "react-router";
import { checkForm } from "#app/features/accounts/input.ts";
import { editLegalPage, type LegalPageType } from "#app/features/legal/legal-pages.server.ts";
import { legalInput } from "#app/features/legal/input.ts";
import { log } from "#app/platform/log.server.ts";
import type { App } from "#app/routes/context.server.ts";
import { toastCookie } from "#app/forms/toast.server.ts";
import { throwUnknownOutcome } from "#app/forms/unknown-outcome.server.ts";
import type { Difference } from "#app/forms/form-result.ts";
import {
  cancellationWarning,
  legalPath,
  PAGE_NAMES,
  textDifferences,
  UPDATE_FAILED,
} from "./legal-words.ts";

/** What the editor's form is answered with while it stays on its page. */
export interface LegalAnswer {
  /** Why nothing was stored. */
  failure?: { title: string; description: string };
  errors?: Record<string, string>;
  values: { title: string; content: string };
  /** After a conflict: what the form edits now, and what stands there. */
  version: number;
  differences?: Difference[];
  /** The text is to be looked at. */
  preview?: { title: string; content: string; warning: string | null };
}

interface Deed {
  type: LegalPageType;
  actor: string;
  fields: Record<string, string>;
}

/** `intent=preview` shows the text, `intent=save` stores it. */
export async function answerLegal(app: App, { type, actor, fields }: Deed) {
  const { intent, title = "", content = "" } = fields;
  const version = Number(fields.version);
  const typed = { values: { title, content }, version };
  const failed = { ...typed, failure: { title: UPDATE_FAILED, description: "Please try again." } };
  const isPreview = intent === "preview";
  if (!isPreview && intent !== "save") return answer(failed, 400);
  const checked = checkForm(legalInput, fields);
  if (!checked.ok) return answer({ ...typed, errors: checked.errors }, 422);
  const { input } = checked;
  if (isPreview) {
    const preview = { ...input, warning: cancellationWarning(type, input.content) };
    return answer({ ...typed, preview }, 200);
  }
  try {
    const edit = { type, version, input, actor, now: app.now() };
    const edited = await editLegalPage(app.db, edit);
    if (edited.ok) return await done(app, type);
    const differences = textDifferences(edited.current, input);
    return answer({ ...typed, version: edited.current.version, differences }, 409);
  } catch (error) {
    throwUnknownOutcome(error);
    log.error({ err: error }, UPDATE_FAILED);
    return answer(failed, 500);
  }
}

const answer = (what: LegalAnswer, status: number) => data<LegalAnswer>(what, { status });

async function done(app: App, type: LegalPageType) {
  const description = `${PAGE_NAMES[type]}: everybody reads the new text now.`;
  const message = { title: "Legal page updated successfully", description };
  const headers = { "Set-Cookie": await toastCookie(app.env, message) };
  return redirect(legalPath(type), { headers });
}
