import { useRef, useState, useSyncExternalStore } from "react";
import { useNavigate, useNavigation } from "react-router";
import { PostForm } from "#app/forms/post-form.tsx";
import { messageError } from "#app/features/chat/message-text.ts";
import { Avatar } from "#app/ui/avatar.tsx";
import { Badge } from "#app/ui/badge.tsx";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { keptKey, onKept } from "#app/ui/kept.ts";
import { noQueue, readQueue } from "#app/ui/send-queue.ts";
import type { GameChat as GameChatView } from "./chat-view.server.ts";
import { LinkedText } from "./linked-text.tsx";
import { addMessage, type Message } from "./outbox.ts";
import { sendByEnter } from "./send-by-enter.ts";

export function GameChat({ chat, messageId }: { chat: GameChatView; messageId: string | null }) {
  const { path, messages, mayWrite } = chat;
  return (
    <section className="grid gap-3">
      <h2 className="text-lg">Chat</h2>
      <div className="grid grid-cols-1 gap-4 rounded-card bg-surface p-4 shadow-card">
        {messages.length === 0 && <p className="text-muted">Nobody has written yet.</p>}
        {messages.map((line) => (
          <Line key={line.number} line={line} />
        ))}
        {mayWrite && messageId && <Write chat={chat} messageId={messageId} />}
        <ButtonLink to={`${path}#latest`} className="justify-self-start">
          Open chat{chat.unread && ` (${chat.unread} unread)`}
        </ButtonLink>
      </div>
    </section>
  );
}

function Line({ line }: { line: GameChatView["messages"][number] }) {
  const { name, fullName, pictureUrl, isOrganiser, when, parts, gone } = line;
  return (
    <div className="flex items-start gap-2">
      <Avatar size="sm" src={pictureUrl} name={fullName} className="mt-1" />
      <div className="grid min-w-0 grow grid-cols-1 gap-0.5">
        <p className="flex flex-wrap items-center gap-x-2 text-sm text-muted">
          {name && (
            <strong translate="no" className="min-w-0 overflow-x-clip text-ink wrap-anywhere">
              {name}
            </strong>
          )}
          {isOrganiser && (
            <Badge size="sm" tone="sky">
              Organiser
            </Badge>
          )}
          <span className="tabular-nums">{when}</span>
        </p>
        {gone ? (
          <p className="text-muted italic">{gone}</p>
        ) : (
          <LinkedText parts={parts} className="line-clamp-3" />
        )}
      </div>
    </div>
  );
}

/** The chat's own page, by JavaScript, sends it, and keeps it until it is there. */
function Write({ chat, messageId }: { chat: GameChatView; messageId: string }) {
  const { gameId, userId, path } = chat;
  const navigate = useNavigate();
  const field = useRef<HTMLTextAreaElement>(null);
  const [error, setError] = useState<string | null>(null);
  const key = keptKey("chat", gameId, userId);

  function hand(text: string) {
    const wrong = messageError(text) ?? addMessage(key, text);
    setError(wrong);
    field.current!.focus();
    if (wrong) return;
    field.current!.value = "";
    if (navigator.onLine) void navigate(`${path}#latest`);
  }

  return (
    <>
      <Unsent of={key} path={path} />
      <PostForm
        action={path}
        noValidate
        data-keeps-sending="1"
        className="flex flex-wrap items-end gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          hand(field.current!.value);
        }}
      >
        <input type="hidden" name="intent" value="send" />
        <input type="hidden" name="messageId" value={messageId} data-once="" />
        <textarea
          ref={field}
          name="message"
          aria-label="Message"
          aria-invalid={error !== null}
          placeholder="Write a message"
          rows={1}
          required
          dir="auto"
          onKeyDown={sendByEnter}
          onInput={() => setError(null)}
          className="field-sizing-content max-h-40 resize-none min-h-11 min-w-0 grow basis-0 rounded-card border border-edge bg-raised px-3 py-2"
        />
        <Button className="shrink-0">Send</Button>
        {error && (
          <p role="alert" className="basis-full text-sm font-semibold text-danger">
            {error}
          </p>
        )}
      </PostForm>
    </>
  );
}

function Unsent({ of: key, path }: { of: string; path: string }) {
  const unsent = useSyncExternalStore(onKept, () => readQueue<Message>(key), noQueue);
  const isLeaving = useNavigation().state !== "idle";
  return unsent.map(({ id, text }) => (
    <div key={id} className="grid justify-items-end gap-1">
      <p
        dir="auto"
        className="line-clamp-3 max-w-full rounded-card border border-dashed border-edge px-3 py-2 wrap-anywhere whitespace-pre-line"
      >
        {text}
      </p>
      {isLeaving ? (
        <p className="text-sm text-muted">Sending…</p>
      ) : (
        <div role="alert">
          <ButtonLink to={`${path}#latest`} variant="danger">
            Not sent. Try again
          </ButtonLink>
        </div>
      )}
    </div>
  ));
}
