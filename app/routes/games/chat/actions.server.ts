import { blockAuthor, unblockAuthor } from "#app/features/chat/blocks.server.ts";
import { chatInput, readInput } from "#app/features/chat/input.ts";
import { pinMessage } from "#app/features/chat/pin-message.server.ts";
import { removeMessage } from "#app/features/chat/remove-message.server.ts";
import { sendMessage } from "#app/features/chat/send-message.server.ts";
import { markRead, setMuted } from "#app/features/chat/unread.server.ts";
import { reportMessage } from "#app/features/support/report-message.server.ts";
import { SENT_TOO_OFTEN } from "#app/features/support/rules.ts";
import { formActions, type Posted } from "#app/forms/form-action.server.ts";
import type { FormResult } from "#app/forms/form-result.ts";
import { formRows } from "#app/forms/form-rows.server.ts";
import { isId } from "#app/platform/ids.ts";
import { appContext } from "#app/routes/context.server.ts";
import { viewerContext } from "#app/routes/guards.server.ts";
import type { Route } from "./+types/show";
import { chatPage, requireChat, SUSPENDED } from "./chat-view.server.ts";

export interface ChatResult extends FormResult {
  sent?: string;
  /** The player who is now hidden, and the message at which they were blocked. */
  blocked?: { messageId: string; name: string };
  retryAfterSeconds?: number;
}

type ChatArgs = Route.ActionArgs & Posted;

function chatOf({ request, context, params: { gameId }, fields }: ChatArgs) {
  const app = context.get(appContext);
  const { userId } = context.get(viewerContext);
  const { messageId = "", stay } = fields;
  const page = chatPage(gameId, beforeOf(request));
  return {
    ...{ ...app, messageId, page },
    /** Sent by the page's own script, which stays. */
    stays: !!stay,
    path: isId(messageId) ? `${page}#message-${messageId}` : page,
    reader: { gameId, userId },
    change: { gameId, userId, messageId, now: app.now() },
  };
}

const chatRow = formRows<ChatArgs, ReturnType<typeof chatOf>, ChatResult>(chatOf);

/** The page of an error, which says it. */
const NOT_HERE = { "not-found": ["missing"], "not-in": ["forbidden"] } as const;

const pin = (failed: string, isPinned: boolean) =>
  chatRow({
    failed,
    run: ({ db, change }) => pinMessage(db, { ...change, isPinned }),
    errors: {
      ...NOT_HERE,
      "not-pinnable": ["forbidden", "Only organisers pin a message to all players."],
    },
    done: {},
  });

const mute = (failed: string, isMuted: boolean) =>
  chatRow({
    failed,
    run: ({ db, reader }) => setMuted(db, { ...reader, isMuted }),
    errors: {},
    done: (_, { page }) => ({ to: page }),
  });

export const chatForms = formActions({
  send: chatRow({
    failed: "Message not sent",
    keep: ["message", "messageId"],
    input: chatInput,
    run: ({ db, change, input }) => sendMessage(db, { ...change, body: input.message }),
    errors: {
      ...NOT_HERE,
      suspended: ["forbidden", SUSPENDED],
      over: "This chat is closed. Nothing was sent.",
      "form-used": "This form has sent another message. Look at the chat, then send it again.",
      "too-many": ({ retryAfterSeconds }) => {
        const formError = `You are writing very fast. Wait ${waitText(retryAfterSeconds)}, then send it again.`;
        const headers = { "Retry-After": String(retryAfterSeconds) };
        return ["too-many", { formError, retryAfterSeconds }, headers];
      },
    },
    done: (_, { stays, messageId, params }) =>
      stays ? { shows: { sent: messageId } } : { to: `/events/${params.gameId}/chat#latest` },
  }),
  remove: chatRow({
    failed: "Message not removed",
    run: ({ db, change }) => removeMessage(db, change),
    errors: {
      ...NOT_HERE,
      "not-yours": ["forbidden", "Only its author or an organiser can remove it."],
    },
    done: {},
  }),
  report: chatRow({
    failed: "Message not reported",
    run: ({ db, jobs, change }) => reportMessage(db, jobs, change),
    errors: {
      ...NOT_HERE,
      "not-reportable": ["forbidden", "Only a message that another player wrote can be reported."],
      "too-many": ["too-many", SENT_TOO_OFTEN],
    },
    done: { title: "Message reported", description: "The organisers will look at it." },
  }),
  block: chatRow({
    failed: "Player not blocked",
    run: ({ db, change }) => blockAuthor(db, change),
    errors: {
      ...NOT_HERE,
      "not-blockable": ["forbidden", "Only a player who writes can be blocked."],
    },
    // The page's script names the blocked player itself, and offers to undo it.
    done: ({ name }, { stays, messageId }) =>
      stays
        ? { shows: { blocked: { messageId, name } } }
        : {
            title: `${name} is blocked`,
            description: "Their messages are hidden. Undo it in the menu of any of them.",
          },
  }),
  unblock: chatRow({
    failed: "Player not unblocked",
    run: ({ db, reader, messageId }) => unblockAuthor(db, { ...reader, messageId }),
    errors: {},
    done: { title: "Player unblocked", description: "Their messages are shown again." },
  }),
  pin: pin("Message not pinned", true),
  unpin: pin("Message not unpinned", false),
  mute: mute("Chat not muted", true),
  unmute: mute("Chat still muted", false),
  // Posted by the page's script, which needs no reply.
  read: chatRow({
    failed: "Messages not marked as read",
    input: readInput,
    run: ({ db, reader, input }) => markRead(db, { ...reader, ...input }),
    errors: {},
    done: { shows: {} },
  }),
});

/** Checks who may read the chat before it reads the form. */
export async function chatAction(args: Route.ActionArgs) {
  const { context, params } = args;
  await requireChat(context.get(appContext), params.gameId, context.get(viewerContext));
  return chatForms(args);
}

export function beforeOf({ url }: Request): number | null {
  const before = new URL(url).searchParams.get("before") ?? "";
  return /^\d{1,9}$/.test(before) ? Number(before) : null;
}

function waitText(seconds: number): string {
  return seconds < 60 ? many(seconds, "second") : many(Math.ceil(seconds / 60), "minute");
}

const many = (count: number, unit: string) => `${count} ${count === 1 ? unit : `${unit}s`}`;
