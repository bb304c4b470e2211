import { FOLDED } from "#app/features/chat/rules.ts";
import { ChevronDown } from "#app/ui/icon.tsx";
import type { Group, Reader } from "./groups.ts";
import { LinkedText } from "./linked-text.tsx";
import { MessageMenu } from "./message-menu.tsx";

type FoldedProps = { group: Group; path: string; reader: Reader };

/** Messages of a player whom the viewer has blocked: who it is, and what, only once it is unfolded. */
export function FoldedMessages({ group, ...viewing }: FoldedProps) {
  return group.messages.map((message) =>
    message.gone ? (
      <p
        key={message.id}
        id={`message-${message.id}`}
        className="justify-self-start rounded-card border border-line px-3 py-2 text-muted italic"
      >
        {message.gone}
      </p>
    ) : (
      <details
        key={message.id}
        id={`message-${message.id}`}
        className="scroll-mt-24 justify-self-start"
      >
        <summary className="flex min-h-11 list-none items-center gap-2 rounded-card border border-line px-3 text-muted italic">
          {FOLDED}
          <ChevronDown className="size-5" />
        </summary>
        <div className="mt-1 flex items-center gap-1">
          <div className="min-w-0 overflow-hidden rounded-card bg-surface px-3 py-2 shadow-card sm:max-w-md">
            <p className="text-sm font-semibold text-muted">
              {message.name} <span className="font-normal tabular-nums">{message.time}</span>
            </p>
            <LinkedText parts={message.parts} />
          </div>
          <MessageMenu message={message} {...viewing} />
        </div>
      </details>
    ),
  );
}
