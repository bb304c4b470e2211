import { markAttendance } from "#app/features/roster/roster.server.ts";
import type { Posted } from "#app/forms/form-action.server.ts";
import { type StatusWord, withStatus } from "#app/forms/form-rows.server.ts";
import { OUTCOME_UNKNOWN } from "#app/forms/messages.ts";
import { formKeyOf } from "#app/platform/ids.ts";
import { log } from "#app/platform/log.server.ts";
import { OutcomeUnknownError } from "#app/platform/postgres/commit-outcome.server.ts";
import type { Attendance } from "#app/platform/schema.ts";
import type { App } from "#app/routes/context.server.ts";
import { ERRORS, gameRow } from "./roster-actions.server.ts";
import { NOT_SAVED, type TapResult } from "#app/routes/admin/tap-queue.ts";

export const tapForms = {
  attendance: gameRow({
    failed: "Failed to save attendance",
    formError: NOT_SAVED,
    run: async (args) => {
      const { result, status } = await save(args, args);
      return result.ok ? result : ({ ...result, reason: "not-saved", status } as const);
    },
    errors: { "not-saved": ({ problem, status }) => [status, problem] },
    done: (_, { path, fields }) => ({ to: `${path}#seat-${fields.bookingId}` }),
  }),
};

type Tap = { gameId: string; actor: string; fields: Posted["fields"] };
type SavedTap = { result: TapResult; status: StatusWord };

/** A repeated tap succeeds without a change. */
export async function saveTap(app: App, tapped: Tap): Promise<SavedTap> {
  try {
    return await save(app, tapped);
  } catch (error) {
    if (error instanceof OutcomeUnknownError) return notSaved(OUTCOME_UNKNOWN.title, "busy");
    log.error({ err: error }, "Failed to save a tap");
    return notSaved(NOT_SAVED, "broken");
  }
}

async function save(
  app: Pick<App, "db" | "now">,
  { gameId, actor: actorId, fields }: Tap,
): Promise<SavedTap> {
  const { intent, bookingId = "", tapId } = fields;
  const [from, to] = [readMark(fields.from), readMark(fields.to)];
  if (intent !== "attendance" || from === undefined || to === undefined)
    return notSaved(NOT_SAVED, "incomplete");
  const version = /^\d{1,9}$/.test(fields.version ?? "") ? Number(fields.version) : undefined;
  const mark = { gameId, actorId, bookingId, formKey: formKeyOf(tapId), from, to, version };
  const result = await markAttendance(app.db, { ...mark, now: app.now() });
  if (result.ok) return { result, status: "ok" };
  if (result.reason !== "changed") {
    const [status, text] = withStatus(ERRORS[result.reason]);
    return notSaved(`Not saved: ${text}`, status);
  }
  const { current, version: markVersion } = result;
  const how = current === from ? "meanwhile" : `to "${MARKS[current ?? ""]}"`;
  const problem = `Not saved: somebody else has changed it ${how}.`;
  return { result: { ok: false, problem, current, version: markVersion }, status: "conflict" };
}

function readMark(text = ""): Attendance | null | undefined {
  if (text === "") return null;
  return text === "CheckedIn" || text === "NoShow" ? text : undefined;
}

const MARKS = { CheckedIn: "Checked in", NoShow: "No-show", "": "not marked" };

function notSaved(problem: string, status: StatusWord): SavedTap {
  return { result: { ok: false, problem }, status };
}
