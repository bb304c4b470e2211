import { data, redirect } from "react-router";
import { blockAuthor, unblockAuthor } from "#app/features/chat/blocks.server.ts";
import { chatInput, readInput } from "#app/features/chat/input.ts";
import { pinMessage } from "#app/features/chat/pin-message.server.ts";
import { removeMessage } from "#app/features/chat/remove-message.server.ts";
import { sendMessage, type SendResult } from "#app/features/chat/send-message.server.ts";
import { markRead, setMuted } from "#app/features/chat/unread.server.ts";
import { reportMessage } from "#app/features/support/report-message.server.ts";
import { SENT_TOO_OFTEN } from "#app/features/support/rules.ts";
import { fail, formActions, parseForm, type Posted } from "#app/forms/form-action.server.ts";
import type { FormResult } from "#app/forms/form-result.ts";
import { redirectWithToast } from "#app/forms/toast.server.ts";
import { isId } from "#app/platform/ids.ts";
import { appContext } from "#app/routes/context.server.ts";
import { requireFactor, requirePlayer } from "#app/routes/guards.server.ts";
import type { Route } from "./+types/show";
import { CHAT_VISIT, chatPage, requireChat, SUSPENDED } from "./chat-view.server.ts";

export interface ChatResult extends FormResult {
  /** The id of the sent message, for a page that stays. */
  sent?: string;
  /** The player who is now hidden, and the message at which they were blocked. */
  blocked?: { messageId: string; name: string };
  retryAfterSeconds?: number;
}

type Asked = Route.ActionArgs & { userId: string };
type Args = Asked & Posted;
type ReportReason = Extract<Awaited<ReturnType<typeof reportMessage>>, { ok: false }>["reason"];
type Reason = Extract<SendResult, { ok: false }>["reason"];

export const chatForms = formActions({
  send: { failed: "Message not sent", keep: ["message", "messageId"], run: send },
  remove: { failed: "Message not removed", run: remove },
  report: { failed: "Message not reported", run: report },
  block: { failed: "Player not blocked", run: block },
  unblock: { failed: "Player not unblocked", run: unblock },
  pin: { failed: "Message not pinned", run: (args) => pin(args, true) },
  unpin: { failed: "Message not unpinned", run: (args) => pin(args, false) },
  mute: { failed: "Chat not muted", run: (args) => mute(args, true) },
  unmute: { failed: "Chat still muted", run: (args) => mute(args, false) },
  read: { failed: "Messages not marked as read", run: read },
});

export async function chatAction(args: Route.ActionArgs) {
  const { context, request, params } = args;
  const viewer = await requireReader(context, request);
  await requireChat(context.get(appContext), params.gameId, viewer);
  return chatForms({ ...args, userId: viewer.userId });
}

/** What an admin writes stands there as the organiser's, also in a game that they play in. */
export async function requireReader(context: Route.ActionArgs["context"], request: Request) {
  const viewer = await requirePlayer(context, request, CHAT_VISIT);
  await requireFactor(context, request, viewer);
  return viewer;
}

/** `stay`: sent by the page's own script, which stays. */
async function send({ context, params: { gameId }, userId, fields }: Args) {
  const app = context.get(appContext);
  const { messageId = "", stay } = fields;
  const { message: body } = parseForm(chatInput, fields);
  const result = await sendMessage(app.db, { gameId, userId, messageId, body, now: app.now() });
  if (result.ok) return stay ? data<ChatResult>({ sent: messageId }) : redirect(latest(gameId));
  if (result.reason === "too-many") return failTooMany(result.retryAfterSeconds);
  const [status, formError] = SEND_ERRORS[result.reason];
  if (result.reason === "not-in" || result.reason === "not-found") throw data(null, { status });
  return fail<ChatResult>(status, { formError });
}

function failTooMany(seconds: number) {
  const wait = seconds < 60 ? many(seconds, "second") : many(Math.ceil(seconds / 60), "minute");
  const formError = `You are writing very fast. Wait ${wait}, then send it again.`;
  const result: ChatResult = { formError, retryAfterSeconds: seconds };
  return fail<ChatResult>(429, result, { "Retry-After": String(seconds) });
}

const many = (count: number, unit: string) => `${count} ${count === 1 ? unit : `${unit}s`}`;

const latest = (gameId: string) => `/events/${gameId}/chat#latest`;

const SEND_ERRORS: Record<Exclude<Reason, "too-many">, [status: number, message: string]> = {
  "not-found": [404, "Game not found"],
  "not-in": [403, "This chat is for those who are in the game."],
  suspended: [403, SUSPENDED],
  over: [409, "This chat is closed. Nothing was sent."],
  "form-used": [409, "This form has sent another message. Look at the chat, then send it again."],
};

async function report(args: Args) {
  const { context, params, userId, fields } = args;
  const { gameId } = params;
  const { db, jobs, env, now } = context.get(appContext);
  const { messageId = "" } = fields;
  const result = await reportMessage(db, jobs, { gameId, messageId, userId, now: now() });
  if (result.ok) return redirectWithToast(env, messagePath(args), REPORTED);
  const error = REPORT_ERRORS[result.reason];
  if (!error) throw data(null, { status: result.reason === "not-in" ? 403 : 404 });
  return fail<ChatResult>(error[0], { formError: error[1] });
}

/** `stay`: sent by the page's own script, which names the blocked player and offers to undo it. */
async function block(args: Args) {
  const { context, params, userId, fields } = args;
  const { gameId } = params;
  const { db, env, now } = context.get(appContext);
  const { messageId = "", stay } = fields;
  const result = await blockAuthor(db, { gameId, messageId, userId, now: now() });
  if (result.ok) {
    const { name } = result;
    if (stay) return data<ChatResult>({ blocked: { messageId, name } });
    return redirectWithToast(env, messagePath(args), {
      title: `${name} is blocked`,
      description: "Their messages are hidden. Undo it in the menu of any of them.",
    });
  }
  if (result.reason === "not-blockable") {
    return fail<ChatResult>(403, { formError: "Only a player who writes can be blocked." });
  }
  throw data(null, { status: result.reason === "not-in" ? 403 : 404 });
}

async function unblock(args: Args) {
  const { context, params, userId, fields } = args;
  const { messageId = "" } = fields;
  const { db, env } = context.get(appContext);
  await unblockAuthor(db, { gameId: params.gameId, messageId, userId });
  return redirectWithToast(env, messagePath(args), UNBLOCKED);
}

async function pin(args: Args, isPinned: boolean) {
  const { context, params, userId, fields } = args;
  const { db, now } = context.get(appContext);
  const { messageId = "" } = fields;
  const { gameId } = params;
  const result = await pinMessage(db, { gameId, messageId, userId, isPinned, now: now() });
  if (result.ok) return redirect(messagePath(args));
  if (result.reason === "not-pinnable") {
    return fail<ChatResult>(403, { formError: "Only organisers pin a message to all players." });
  }
  throw data(null, { status: result.reason === "not-in" ? 403 : 404 });
}

async function mute({ context, request, params: { gameId }, userId }: Args, isMuted: boolean) {
  await setMuted(context.get(appContext).db, { gameId, userId, isMuted });
  return redirect(chatPage(gameId, beforeOf(request)));
}

/** The page of earlier messages in the address. */
export function beforeOf({ url }: Request): number | null {
  const before = new URL(url).searchParams.get("before") ?? "";
  return /^\d{1,9}$/.test(before) ? Number(before) : null;
}

function messagePath({ request, params: { gameId }, fields: { messageId = "" } }: Args): string {
  const page = chatPage(gameId, beforeOf(request));
  return isId(messageId) ? `${page}#message-${messageId}` : page;
}

const UNBLOCKED = { title: "Player unblocked", description: "Their messages are shown again." };
const REPORTED = { title: "Message reported", description: "The organisers will look at it." };
const REPORT_ERRORS: Record<ReportReason, [status: number, message: string] | null> = {
  "not-found": null,
  "not-in": null,
  "not-reportable": [403, "Only a message that another player wrote can be reported."],
  "too-many": [429, SENT_TOO_OFTEN],
};

/** Posted by the page's script, which needs no reply. */
async function read({ context, params: { gameId }, userId, fields }: Args) {
  const { number } = parseForm(readInput, fields);
  await markRead(context.get(appContext).db, { gameId, userId, number });
  return data<ChatResult>({});
}

async function remove(args: Args) {
  const { context, params, userId, fields } = args;
  const { gameId } = params;
  const app = context.get(appContext);
  const { messageId = "" } = fields;
  const result = await removeMessage(app.db, { gameId, messageId, userId, now: app.now() });
  if (result.ok) return redirect(messagePath(args));
  if (result.reason === "not-yours") {
    return fail<ChatResult>(403, { formError: "Only its author or an organiser can remove it." });
  }
  throw data(null, { status: result.reason === "not-in" ? 403 : 404 });
}
