import { Form } from "react-router";
import { Badge } from "#app/ui/badge.tsx";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import type { GameChat as GameChatView } from "./chat-view.server.ts";
import { sendByEnter } from "./send-by-enter.ts";

export function GameChat({ chat, messageId }: { chat: GameChatView; messageId: string | null }) {
  const { path, messages, mayWrite } = chat;
  return (
    <section className="grid gap-3">
      <h2 className="text-lg">Chat</h2>
      <div className="grid gap-3 rounded-card bg-surface p-4 shadow-card">
        {messages.length === 0 && <p className="text-muted">Nobody has written yet.</p>}
        {messages.map(({ number, name, isOrganiser, text, gone }) => (
          <p key={number} dir="auto" className="line-clamp-3 wrap-anywhere">
            {name && <strong>{name} </strong>}
            {isOrganiser && (
              <>
                <Badge size="sm" tone="sky">
                  Organiser
                </Badge>{" "}
              </>
            )}
            {gone ? <em className="text-muted">{gone}</em> : text}
          </p>
        ))}
        {mayWrite && messageId && (
          <Form method="post" action={path} className="flex items-end gap-2">
            <input type="hidden" name="intent" value="send" />
            <input type="hidden" name="messageId" value={messageId} data-once="" />
            <textarea
              name="message"
              aria-label="Message"
              placeholder="Write a message"
              rows={1}
              required
              dir="auto"
              onKeyDown={sendByEnter}
              className="field-sizing-content max-h-40 resize-none min-h-11 min-w-0 grow rounded-card border border-edge bg-raised px-3 py-2"
            />
            <Button className="shrink-0">Send</Button>
          </Form>
        )}
        <ButtonLink to={`${path}#latest`} className="justify-self-start">
          Open chat
        </ButtonLink>
      </div>
    </section>
  );
}
