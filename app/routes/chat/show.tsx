import { randomUUID } from "node:crypto";
import { useEffect } from "react";
import { isRouteErrorResponse, Link } from "react-router";
import { markRead } from "#app/features/chat/unread.server.ts";
import { FormErrors } from "#app/forms/form-errors.tsx";
import { resultOf } from "#app/forms/form-result.ts";
import { appContext } from "#app/routes/context.server.ts";
import { Missing, missingBoundary } from "#app/routes/error-screens.tsx";
import { requirePlayer } from "#app/routes/guards.server.ts";
import { metaOf } from "#app/routes/meta.ts";
import { BackLink } from "#app/ui/back-link.tsx";
import { Button } from "#app/ui/button.tsx";
import { Notice } from "#app/ui/notice.tsx";
import type { Route } from "./+types/show";
import { chatAction, type ChatResult } from "./actions.server.ts";
import { type ChatPage, loadChat, type MessageView } from "./chat-view.server.ts";
import { Composer } from "./composer.tsx";
import { MessageList, Pinned } from "./message-list.tsx";
import { Mute } from "./mute.tsx";
import { deleteOutboxes } from "./outbox.ts";
import { isPrefetch } from "./unread.server.ts";
import { UnsentList } from "./unsent-list.tsx";
import { useLatest } from "./use-latest.ts";
import { spokenNews, useLiveChat } from "./use-live-chat.ts";
import { useOutbox } from "./use-outbox.ts";
import { useRead } from "./use-read.ts";

export async function loader({ params: { gameId }, request, context }: Route.LoaderArgs) {
  const viewer = await requirePlayer(context, request, { to: "/auth", isForVisitors: true });
  const before = numberOf(new URL(request.url).searchParams.get("before"));
  const { userId } = viewer;
  const app = context.get(appContext);
  const chat = await loadChat(app, { gameId, viewer, before });
  const number = chat.messages.at(-1)?.number ?? 0;
  if (!isPrefetch(request)) await markRead(app.db, { gameId, userId, number });
  return { chat, messageId: randomUUID() };
}

const numberOf = (text: string | null) => (/^\d{1,9}$/.test(text ?? "") ? Number(text) : null);

export const action = chatAction;

export { revalidateOnConflict as shouldRevalidate } from "#app/forms/revalidate-on-conflict.ts";

export { pageHeaders as headers } from "#app/routes/page-headers.ts";

export const handle = { noindex: true };

export const meta = metaOf({ title: "Chat", noindex: true });

const NotFound = missingBoundary("Game not found", "/events", "Back to Games");

export function ErrorBoundary({ error, params }: Route.ErrorBoundaryProps) {
  const isClosed = isRouteErrorResponse(error) && error.status === 403;
  useEffect(() => {
    // What is left to send has nowhere to go.
    if (isClosed) deleteOutboxes(params.gameId);
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
  const failed =
    resultOf(result, "remove") ?? resultOf(result, "report") ?? resultOf(result, "block");
  const live = useLiveChat(chat);
  const outbox = useOutbox(chat, live);
  const [{ messages, news }, { unsent }] = [live, outbox];
  const { path } = chat;
  const isOld = chat.before !== null;
  const number = messages.at(-1)?.number ?? 0;
  const latest = useLatest({ number, unsent, isOld });
  useRead({ path, number });
  return (
    // The layout gives it all the space, so that the form is at the bottom of an empty chat too.
    <article data-whole className="mx-auto flex w-full max-w-3xl grow flex-col px-4 pt-4">
      <ChatHeader chat={chat} />
      {failed && <FormErrors result={failed} />}
      <Pinned messages={chat.pinned} />
      {chat.hasEarlier && (
        <Link
          to={`?before=${messages[0]!.number}`}
          className="mt-4 inline-flex min-h-11 items-center self-center link font-semibold"
        >
          Earlier messages
        </Link>
      )}
      {messages.length + unsent.length === 0 && <Empty chat={chat} />}
      <MessageList messages={messages} reader={chat} path={path} />
      {isOld ? (
        <Link
          to={`${path}#latest`}
          className="my-4 inline-flex min-h-11 items-center self-center link font-semibold"
        >
          Latest messages
        </Link>
      ) : (
        <UnsentList unsent={unsent} onRetry={outbox.again} />
      )}
      <div id="latest" className="mt-auto" />
      <SpokenNews news={news} />
      {chat.closed ? (
        <Notice className="my-4">{chat.closed}</Notice>
      ) : (
        <Composer
          path={path}
          messageId={messageId}
          result={resultOf(result, "send")}
          outbox={isOld ? null : outbox}
        >
          {latest.hasNews && <ToLatest onPress={latest.showLatest} />}
        </Composer>
      )}
    </article>
  );
}

function ToLatest({ onPress }: { onPress: () => void }) {
  return (
    <Button
      type="button"
      onClick={onPress}
      className="absolute bottom-full left-1/2 mb-2 -translate-x-1/2 shadow-card"
    >
      New messages
    </Button>
  );
}

/** What others write is read out, once and in turn; one's own is not. */
function SpokenNews({ news }: { news: MessageView[] }) {
  return (
    <div role="log" aria-live="polite" aria-label="New messages" className="sr-only">
      {spokenNews(news).map((text, n) => (
        <p key={`${news.at(-1)?.number} ${n}`}>{text}</p>
      ))}
    </div>
  );
}

function ChatHeader({ chat }: { chat: ChatPage }) {
  const { game, start } = chat;
  return (
    <header className="grid">
      <BackLink to={game.path}>Game</BackLink>
      <h1 className="text-xl">Chat</h1>
      <p className="wrap-anywhere text-muted tabular-nums">
        {game.name}, {start}
      </p>
      {chat.isMuted !== null && <Mute path={chat.path} isMuted={chat.isMuted} />}
    </header>
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
