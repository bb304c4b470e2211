import { redirect } from "react-router";
import { markAttendance } from "#app/features/roster/roster.server.ts";
import { fail, type Posted } from "#app/forms/form-action.server.ts";
import { STATUSES } from "#app/forms/form-rows.server.ts";
import { OUTCOME_UNKNOWN } from "#app/forms/messages.ts";
import { formKeyOf } from "#app/platform/ids.ts";
import { log } from "#app/platform/log.server.ts";
import { OutcomeUnknownError } from "#app/platform/postgres/commit-outcome.server.ts";
import type { Attendance } from "#app/platform/schema.ts";
import type { App } from "#app/routes/context.server.ts";
import { ERRORS, type GameArgs, gameOf, type RosterResult } from "./roster-actions.server.ts";
import { NOT_SAVED, type TapResult } from "./tap-queue.ts";

export const tapForms = {
  attendance: { failed: "Failed to save attendance", formError: NOT_SAVED, run: tap },
};

async function tap(args: GameArgs) {
  const { path, gameId, actor: actorId, ...app } = gameOf(args);
  const { result, status } = await save(app, { gameId, actorId, fields: args.fields });
  if (!result.ok) return fail<RosterResult>(status, { formError: result.problem });
  return redirect(`${path}#seat-${args.fields.bookingId}`);
}

type Tap = { gameId: string; actorId: string; fields: Posted["fields"] };
type SavedTap = { result: TapResult; status: number };

/** A repeated tap succeeds without a change. */
export async function saveTap(app: App, tapped: Tap): Promise<SavedTap> {
  try {
    return await save(app, tapped);
  } catch (error) {
    if (error instanceof OutcomeUnknownError) return notSaved(OUTCOME_UNKNOWN.title, 503);
    log.error({ err: error }, "Failed to save a tap");
    return notSaved(NOT_SAVED, 500);
  }
}

async function save(app: App, { gameId, actorId, fields }: Tap): Promise<SavedTap> {
  const { intent, bookingId = "", tapId } = fields;
  const [from, to] = [readMark(fields.from), readMark(fields.to)];
  if (intent !== "attendance" || from === undefined || to === undefined)
    return notSaved(NOT_SAVED, 400);
  const version = /^\d{1,9}$/.test(fields.version ?? "") ? Number(fields.version) : undefined;
  const mark = { gameId, actorId, bookingId, formKey: formKeyOf(tapId), from, to, version };
  const result = await markAttendance(app.db, { ...mark, now: app.now() });
  if (result.ok) return { result, status: 200 };
  if (result.reason !== "changed") {
    const [status, text] = ERRORS[result.reason];
    return notSaved(`Not saved: ${text}`, STATUSES[status]);
  }
  const { current, version: markVersion } = result;
  const how = current === from ? "meanwhile" : `to "${MARKS[current ?? ""]}"`;
  const problem = `Not saved: somebody else has changed it ${how}.`;
  return { result: { ok: false, problem, current, version: markVersion }, status: 409 };
}

function readMark(text = ""): Attendance | null | undefined {
  if (text === "") return null;
  return text === "CheckedIn" || text === "NoShow" ? text : undefined;
}

const MARKS = { CheckedIn: "Checked in", NoShow: "No-show", "": "not marked" };

function notSaved(problem: string, status: number): SavedTap {
  return { result: { ok: false, problem }, status };
}
