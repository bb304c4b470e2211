import { hiddenText } from "#app/features/chat/message-rules.ts";
import { ChevronDown } from "#app/ui/icon.tsx";
import type { Group, Reader } from "./groups.ts";
import { MessageMenu } from "./message-menu.tsx";
import { messageClass, messageId, MessageText } from "./message-text.tsx";

type FoldedProps = { group: Group; page: string; reader: Reader };

export function FoldedMessages({ group: { messages, name }, ...viewing }: FoldedProps) {
  return (
    <details className="max-w-full justify-self-start">
      <summary className="flex min-h-11 list-none items-center gap-2 rounded-card border border-line px-3 text-muted italic">
        {hiddenText(messages.length)}
        <ChevronDown className="size-5" />
      </summary>
      <div className="mt-1 grid grid-cols-1 gap-1">
        {messages.map((message) => (
          <div key={message.id} {...messageId(message)} className={messageClass}>
            {message.gone ? (
              <p className="rounded-card border border-line px-3 py-2 text-muted italic">
                {message.gone}
              </p>
            ) : (
              <div className="min-w-0 overflow-hidden rounded-card bg-surface px-3 py-2 shadow-card sm:max-w-md">
                <p className="text-sm font-semibold text-muted">
                  {name} <span className="font-normal tabular-nums">{message.time}</span>
                </p>
                <MessageText message={message} />
              </div>
            )}
            <MessageMenu message={message} {...viewing} />
          </div>
        ))}
      </div>
    </details>
  );
}
