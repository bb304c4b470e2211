import { redirect } from "react-router";
import { markAttendance, markPaid, removePlayer } from "#app/features/bookings/roster.server.ts";
import { messagePlayers } from "#app/features/bookings/message-players.server.ts";
import { gameMessageInput } from "#app/features/bookings/input.ts";
import { checkForm } from "#app/features/accounts/input.ts";
import { OutcomeUnknownError } from "#app/platform/postgres/commit-outcome.server.ts";
import { formKeyOf } from "#app/platform/ids.ts";
import { log } from "#app/platform/log.server.ts";
import { creditsCount } from "#app/platform/money.ts";
import type { Attendance } from "#app/platform/schema.ts";
import type { App } from "#app/routes/context.server.ts";
import { OUTCOME_UNKNOWN, PROCESS_FAILED } from "#app/forms/messages.ts";
import { addToSheet } from "./sheet-add.server.ts";
import { NOT_SAVED, type Now, PROBLEMS, type TapAnswer } from "./sheet-answer.ts";
import { done, refuse, type SheetDeed } from "./sheet-reply.server.ts";
import { recordOnSheet } from "./sheet-result.server.ts";

const INTENTS = ["attendance", "mark-paid", "remove", "add", "message", "result"];

/** Whether a form is one of the sheet's. */
export function isOfSheet(intent: string): boolean {
  return INTENTS.includes(intent);
}

/** Does what a form of the sheet asks for. */
export async function doOnSheet(app: App, deed: SheetDeed) {
  const { intent = "" } = deed.fields;
  switch (intent) {
    case "attendance":
    case "mark-paid":
      return tap(app, deed);
    case "remove":
      return remove(app, deed);
    case "add":
      return addToSheet(app, deed);
    case "message":
      return message(app, deed);
    case "result":
      return recordOnSheet(app, deed);
    default:
      return refuse({ intent, problem: PROCESS_FAILED.description }, 400);
  }
}

async function tap(app: App, deed: SheetDeed) {
  const { intent = "", bookingId = "" } = deed.fields;
  const { answer, status } = await saveTap(app, deed);
  if (!answer.ok) return refuse({ intent, problem: answer.problem }, status);
  return redirect(`/admin/games/${deed.gameId}#seat-${bookingId}`);
}

interface Saved {
  answer: TapAnswer;
  status: number;
}

/** Saves what a tap on a row says; the same tap again is saved already. */
export async function saveTap(app: App, deed: SheetDeed): Promise<Saved> {
  const { intent } = deed.fields;
  const save = { attendance: saveAttendance, "mark-paid": savePayment }[intent ?? ""];
  if (!save) return unsaved(NOT_SAVED, 400);
  return save(app, deed).catch((error: unknown) => {
    if (error instanceof OutcomeUnknownError) return unsaved(OUTCOME_UNKNOWN.title, 503);
    log.error({ err: error }, "a tap on a game's sheet");
    return unsaved(NOT_SAVED, 500);
  });
}

async function saveAttendance({ db, now }: App, deed: SheetDeed): Promise<Saved> {
  const { bookingId = "", from = "", to = "" } = deed.fields;
  const marks = { from: readMark(from), to: readMark(to) };
  if (marks.from === undefined || marks.to === undefined) return unsaved(NOT_SAVED, 400);
  const { gameId, actorId } = deed;
  const mark = { gameId, bookingId, actorId, from: marks.from, to: marks.to, now: now() };
  const answer = await markAttendance(db, mark);
  if (answer.ok) return saved({ attendance: marks.to });
  if (answer.reason !== "changed") return refused(answer.reason);
  const { current } = answer;
  const words = `Not saved: somebody else has changed it to "${MARKS[current ?? ""]}".`;
  return { answer: { ok: false, problem: words, now: { attendance: current } }, status: 409 };
}

const MARKS = { CheckedIn: "Checked in", NoShow: "No-show", "": "not marked" };

/** Undefined for what is no mark. */
function readMark(text: string): Attendance | null | undefined {
  if (text === "") return null;
  return text === "CheckedIn" || text === "NoShow" ? text : undefined;
}

async function savePayment({ db }: App, deed: SheetDeed): Promise<Saved> {
  const { gameId, actorId } = deed;
  const answer = await markPaid(db, { gameId, actorId, bookingId: deed.fields.bookingId ?? "" });
  return answer.ok ? saved({ paymentStatus: "Paid" }) : refused(answer.reason);
}

function saved(now: Now): Saved {
  return { answer: { ok: true, now }, status: 200 };
}

function refused(reason: string): Saved {
  return unsaved(PROBLEMS[reason] ?? NOT_SAVED, reason === "not-found" ? 404 : 409);
}

function unsaved(problem: string, status: number): Saved {
  return { answer: { ok: false, problem }, status };
}

async function remove(app: App, deed: SheetDeed) {
  const { intent = "", bookingId = "", refund = "" } = deed.fields;
  if (refund !== "full" && refund !== "none") {
    return refuse({ intent, problem: "Choose whether anything is given back." }, 422);
  }
  const { gameId, actorId } = deed;
  const removal = {
    ...{ gameId, bookingId, actorId, withRefund: refund === "full", now: app.now() },
    formKey: formKeyOf(deed.fields.formKey),
  };
  const answer = await removePlayer(app.db, app.jobs, removal);
  if (answer.ok) {
    const back = answer.refundCents > 0 ? creditsCount(answer.refundCents) : "Nothing";
    return done(app, deed, "Player removed", `${back} given back. The player is told by mail.`);
  }
  return refuse(
    { intent, problem: PROBLEMS[answer.reason]! },
    answer.reason === "not-found" ? 404 : 409,
  );
}

async function message(app: App, deed: SheetDeed) {
  const { intent = "", messageId = "", subject = "", message: text = "" } = deed.fields;
  const values = { subject, message: text };
  const checked = checkForm(gameMessageInput, values);
  if (!checked.ok) return refuse({ intent, errors: checked.errors, values }, 422);
  const { gameId, actorId } = deed;
  const words = { ...checked.input, messageId, gameId, actorId, now: app.now() };
  const answer = await messagePlayers(app.db, app.jobs, words);
  if (!answer.ok) {
    const status = answer.reason === "not-found" ? 404 : 409;
    return refuse({ intent, problem: PROBLEMS[answer.reason]!, values }, status);
  }
  const who = answer.players === 1 ? "1 player gets" : `${answer.players} players get`;
  return done(app, deed, "Message sent", `${who} it by mail.`);
}
