import { randomUUID } from "node:crypto";
import { useEffect, useRef, useState } from "react";
import { isRouteErrorResponse, Link } from "react-router";
import { markRead } from "#app/features/chat/unread.server.ts";
import { FormErrors } from "#app/forms/form-errors.tsx";
import { resultOf } from "#app/forms/form-result.ts";
import { log } from "#app/platform/log.server.ts";
import { appContext } from "#app/routes/context.server.ts";
import { withSecondFactor, signedInOnly, viewerContext } from "#app/routes/guards.server.ts";
import { Missing, missingBoundary } from "#app/routes/error-screens.tsx";
import { pageMeta, siteOf } from "#app/routes/meta.ts";
import { Button } from "#app/ui/button.tsx";
import { ChevronDown } from "#app/ui/icon.tsx";
import { keptKey, writeKept } from "#app/ui/kept.ts";
import { Notice } from "#app/ui/notice.tsx";
import type { Route } from "./+types/show";
import { beforeOf, chatAction, type ChatResult } from "./actions.server.ts";
import { ChatHeader } from "./chat-header.tsx";
import type { MessageView } from "#app/features/chat/message-view.server.ts";
import { type ChatPage, loadChat } from "./chat-view.server.ts";
import { Composer } from "./composer.tsx";
import { MessageList } from "./message-list.tsx";
import type { Unsent } from "./outbox.ts";
import { isPrefetch } from "#app/routes/unread.server.ts";
import { UnsentList } from "./unsent-list.tsx";
import { useLatest } from "./use-latest.ts";
import { isNewTo, announcementTexts, useLiveChat } from "./use-live-chat.ts";
import { focusMessage, useMessageActions } from "./use-message-actions.ts";
import { type Outbox, useOutbox } from "./use-outbox.ts";
import { useRead } from "./use-read.ts";

// What an admin writes stands there as the organiser's, also in a game that they play in.
export const middleware: Route.MiddlewareFunction[] = [
  signedInOnly({ isForVisitors: true, at: "#latest" }),
  withSecondFactor,
];

export async function loader({ params: { gameId }, request, context }: Route.LoaderArgs) {
  const viewer = context.get(viewerContext);
  const before = beforeOf(request);
  const { userId } = viewer;
  const app = context.get(appContext);
  const chat = await loadChat(app, { gameId, viewer, before });
  const number = chat.messages.at(-1)?.number ?? 0;
  const mark = () => markRead(app.db, { gameId, userId, number });
  // The messages are there all the same, and are marked with the next ones.
  if (!isPrefetch(request)) await mark().catch((error) => log.warn({ err: error }, NOT_MARKED));
  return { chat, messageId: randomUUID() };
}

const NOT_MARKED = "messages could not be marked as read";

export const action = chatAction;

export { pageHeaders as headers } from "#app/routes/page-headers.ts";

export const handle = { noindex: true };

export const meta: Route.MetaFunction = ({ loaderData, matches }) => {
  const game = loaderData?.chat.game;
  const title = game ? `Chat: ${game.venue}, ${game.when}` : "Chat";
  return pageMeta(siteOf(matches), { title, noindex: true });
};

const NotFound = missingBoundary("Game not found", "/events", "Back to Games");

export function ErrorBoundary({ error, params }: Route.ErrorBoundaryProps) {
  const isClosed = isRouteErrorResponse(error) && error.status === 403;
  useEffect(() => {
    // Unsent messages of this account have nowhere to go.
    for (const kind of isClosed ? (["chat", "field"] as const) : []) {
      writeKept(keptKey(kind, params.gameId!), null);
    }
  }, [isClosed, params.gameId]);
  if (!isClosed) return <NotFound error={error} />;
  const back = { to: `/events/${params.gameId}`, label: "Back to the game" };
  return (
    <Missing title="This chat is for those who are in the game" back={back}>
      It opens with your booking, and closes when you leave the game.
    </Missing>
  );
}

export default function Chat(props: Route.ComponentProps) {
  const { gameId, before } = props.loaderData.chat;
  return <ChatLog key={`${gameId} ${before}`} {...props} />;
}

function ChatLog({ loaderData, actionData }: Route.ComponentProps) {
  const { chat, messageId } = loaderData;
  const result: ChatResult | undefined = actionData;
  const failed = resultOf(result, "remove", "report", "block", "pin", "unpin");
  const outboxRef = useRef<Outbox | null>(null);
  const live = useLiveChat(chat, () => outboxRef.current?.resume());
  const outbox = useOutbox(chat, live);
  useEffect(() => void (outboxRef.current = outbox));
  const field = useRef<HTMLTextAreaElement>(null);
  // It stays in place until its reader answers.
  const [firstUnread, setFirstUnread] = useState(chat.firstUnread);
  const acting = useMessageActions(chat, result?.blocked);
  const [{ messages, announced }, { unsent }] = [live, outbox];
  if (firstUnread !== null && unsent.length > 0) setFirstUnread(null);
  const { path, page } = chat;
  const isOld = chat.before !== null;
  const [first, number] = [messages[0]?.number ?? 0, messages.at(-1)?.number ?? 0];
  const latest = useLatest({ first, number, unsent, isOld });
  useRead({ path, account: chat.viewer.userId, number });
  return (
    // The layout gives it all the space, so that the form is at the bottom of an empty chat too.
    <article data-whole className="mx-auto flex w-full max-w-3xl grow flex-col px-4" {...acting}>
      <ChatHeader chat={chat} />
      {failed && <FormErrors result={failed} />}
      {(messages[0]?.number ?? 1) > 1 && (
        <Link
          // To the end of the earlier page, next to where the link was.
          to={`?before=${messages[0]!.number}#latest`}
          className="mt-4 inline-flex min-h-11 items-center self-center link font-semibold"
        >
          Earlier messages
        </Link>
      )}
      {messages.length + unsent.length === 0 && <Empty chat={chat} />}
      <MessageList messages={messages} firstUnread={firstUnread} reader={chat} page={page} />
      {isOld ? (
        <Link
          to={`${path}#latest`}
          className="my-4 inline-flex min-h-11 items-center self-center link font-semibold"
        >
          Latest messages
        </Link>
      ) : (
        <UnsentList
          outbox={outbox}
          onEdit={chat.closed ? null : (message) => edit(message, outbox, field.current)}
          onDone={() => field.current?.focus()}
        />
      )}
      <div id="latest" className="mt-auto" />
      <Announcements messages={announced} names={chat.names} />
      {chat.closed ? (
        <Notice className="my-4">{chat.closed}</Notice>
      ) : (
        <Composer {...{ path, messageId, outbox, field, isOld }} result={resultOf(result, "send")}>
          <p role="status" className="text-sm text-muted empty:hidden">
            {live.isLost && "No connection. New messages appear once you are online again."}
          </p>
          {latest.seen !== null && (
            <ToLatest
              count={
                messages.filter((each) => each.number > latest.seen! && isNewTo(each, chat)).length
              }
              onPress={() => {
                latest.showLatest();
                const last = document.getElementById(`message-${messages.at(-1)?.id}`);
                if (last) focusMessage(last);
              }}
            />
          )}
        </Composer>
      )}
    </article>
  );
}

/** Back into the field, above its text. */
function edit(message: Unsent, outbox: Outbox, field: HTMLTextAreaElement | null) {
  if (!field) return;
  field.value = [message.text, field.value].filter(Boolean).join("\n");
  field.dispatchEvent(new Event("input", { bubbles: true }));
  outbox.discard(message);
  field.focus();
}

function ToLatest({ count, onPress }: { count: number; onPress: () => void }) {
  return (
    <div className="pointer-events-none absolute inset-x-0 bottom-full mb-2 grid justify-items-center short:fixed short:bottom-0">
      <Button
        type="button"
        onClick={onPress}
        className="pointer-events-auto rounded-pill! text-sm shadow-card"
      >
        {count > 0 && count} {count === 1 ? "new message" : "new messages"}
        <ChevronDown className="size-4" />
      </Button>
    </div>
  );
}

/** Messages from others are read out, each once and in turn. */
function Announcements({ messages, names }: Pick<ChatPage, "names"> & { messages: MessageView[] }) {
  return (
    <div role="log" aria-live="polite" aria-label="New messages" className="sr-only">
      {announcementTexts(messages, names).map((text, n) => (
        <p key={`${messages.at(-1)?.number} ${n}`}>{text}</p>
      ))}
    </div>
  );
}

function Empty({ chat }: { chat: ChatPage }) {
  return (
    <p className="my-auto max-w-xs self-center py-10 text-center text-lg font-semibold text-balance">
      {chat.closed || chat.before !== null
        ? "No messages here."
        : "Nobody has written yet. Say hi, or ask what to bring."}
    </p>
  );
}
