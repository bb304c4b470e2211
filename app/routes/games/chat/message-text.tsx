import type { MessageView } from "#app/features/chat/message-view.server.ts";
import { LinkedText } from "./linked-text.tsx";

/** Shows its subject if it has one; the rest of a long one is behind a press. */
export function MessageText({ message: { subject, parts, rest } }: { message: MessageView }) {
  return (
    <>
      {subject && (
        <p dir="auto" className="font-bold wrap-anywhere">
          {subject}
        </p>
      )}
      <LinkedText parts={parts} />
      {rest.length > 0 && (
        <details className="group/rest">
          {/* It keeps the focus once there is nothing more to read. */}
          <summary className="flex min-h-11 list-none items-center font-semibold underline underline-offset-2 group-open/rest:sr-only">
            Read more
          </summary>
          <LinkedText parts={rest} />
        </details>
      )}
    </>
  );
}

export const messageId = ({ id }: MessageView) => ({ id: `message-${id}`, tabIndex: -1 });
export const messageClass =
  "group/message flex max-w-full scroll-mt-4 items-center gap-1 rounded-card outline-offset-4";
