import { Form } from "react-router";
import { Button } from "#app/ui/button.tsx";
import type { MessageView } from "./chat-view.server.ts";
import { choicesOf, type Reader } from "./groups.ts";

type MenuProps = { message: MessageView; path: string; reader: Reader };

/** What the viewer may do about a message: two presses, and no script. */
export function MessageMenu({ message, path, reader }: MenuProps) {
  const choices = choicesOf(message, reader);
  const isReported = reader.reported.includes(message.id);
  const reported = isReported && <p className="shrink-0 px-2 text-sm text-muted">Reported</p>;
  if (!choices[0]) return reported;
  return (
    <>
      {reported}
      <details
        key={String(isReported)}
        className="group relative shrink-0 open:flex open:items-center"
      >
        <summary
          aria-label={`${choices[0].label} the message of ${message.time}`}
          className="grid size-11 list-none place-items-center rounded-pill text-muted hover:text-ink"
        >
          <span aria-hidden className="group-open:hidden">
            •••
          </span>
          <span aria-hidden className="hidden group-open:inline">
            ✕
          </span>
        </summary>
        <div className="grid gap-1">
          {choices.map(({ intent, label }) => (
            <Form key={intent} method="post" action={path} preventScrollReset>
              <input type="hidden" name="intent" value={intent} />
              <input type="hidden" name="messageId" value={message.id} />
              <Button>{label}</Button>
            </Form>
          ))}
        </div>
      </details>
    </>
  );
}
