import { Button } from "#app/ui/button.tsx";
import { PostForm } from "#app/forms/post-form.tsx";
import { useHydrated } from "#app/ui/use-hydrated.ts";
import { ArrowLeft, ChevronDown } from "#app/ui/icon.tsx";
import { HistoryBackLink } from "#app/ui/back-link.tsx";
import type { MessageView } from "#app/features/chat/message-view.server.ts";
import type { ChatPage } from "./chat-view.server.ts";
import { LinkedText } from "./linked-text.tsx";

export function ChatHeader({ chat }: { chat: ChatPage }) {
  const { game, isMuted, pinned, page } = chat;
  const hydrated = useHydrated();
  return (
    <header
      data-bar
      className="chat-bar sticky top-16 z-20 -mx-4 grid grid-cols-1 border-b border-line bg-canvas px-2 short:static"
    >
      <div className="flex min-h-14 items-center gap-1">
        <HistoryBackLink
          to={game.path}
          viewTransition
          aria-label="Back to the game"
          className="grid size-11 shrink-0 place-items-center rounded-pill text-muted hover:text-ink"
        >
          <ArrowLeft className="size-5" />
        </HistoryBackLink>
        <div className="min-w-0 grow py-1">
          <h1 className="truncate text-base font-bold">
            <span className="sr-only">Chat: </span>
            <span translate="no">{game.venue}</span>
          </h1>
          <p className="truncate text-sm text-muted tabular-nums">{game.line}</p>
        </div>
        {isMuted !== null && (
          // Without JavaScript the answer is a new page, which begins at its end.
          <PostForm action={hydrated ? page : `${page}#latest`} preventScrollReset>
            <input type="hidden" name="intent" value={isMuted ? "unmute" : "mute"} />
            <Button variant="quiet">{isMuted ? "Unmute" : "Mute"}</Button>
          </PostForm>
        )}
      </div>
      {isMuted && (
        <p className="px-2 pb-2 text-sm text-muted">Muted: no push messages from this chat</p>
      )}
      <Pinned messages={pinned} />
    </header>
  );
}

/** The newest in one line, which opens; the messages are also in their places. */
function Pinned({ messages }: { messages: MessageView[] }) {
  const [newest] = messages;
  if (!newest) return null;
  return (
    <details className="group/pinned -mx-2 bg-info-soft px-4">
      <summary className="flex min-h-11 list-none items-center gap-2">
        <span className="shrink-0 text-sm font-semibold text-info">Pinned</span>
        <span dir="auto" className="min-w-0 grow truncate font-semibold">
          {newest.subject}
        </span>
        <ChevronDown className="size-5 shrink-0 transition-transform group-open/pinned:rotate-180" />
      </summary>
      <ul className="grid max-h-[45svh] grid-cols-1 gap-4 overflow-y-auto pb-4">
        {messages.map(({ id, subject, parts, rest, day, time }) => (
          <li key={id}>
            <p dir="auto" className="font-bold wrap-anywhere">
              {subject}
            </p>
            <LinkedText parts={[...parts, ...(rest.length > 0 ? [{ text: "\n" }, ...rest] : [])]} />
            <p className="text-sm text-muted tabular-nums">
              {day}, {time}
            </p>
          </li>
        ))}
      </ul>
    </details>
  );
}
