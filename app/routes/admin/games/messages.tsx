import { Part } from "#app/routes/admin/page.tsx";
import { ChevronDown } from "#app/ui/icon.tsx";
import type { SentMessage } from "./messages-view.server.ts";

export function SentMessages({ messages }: { messages: SentMessage[] }) {
  if (messages.length === 0) return null;
  return (
    <Part id="messages" title="Messages" about="Sent by email and to the chat. Kept for a year.">
      <ol className="divide-y divide-line rounded-card bg-surface shadow-card">
        {messages.map(({ id, subject, message, facts }) => (
          <li key={id}>
            <details className="group">
              <summary className="flex min-h-12 cursor-pointer items-center justify-between gap-3 px-4 py-2 hover:bg-sunken focus-visible:-outline-offset-3">
                <span className="grid min-w-0">
                  <span className="font-semibold wrap-anywhere">{subject}</span>
                  <span className="text-sm text-muted tabular-nums">{facts}</span>
                </span>
                <ChevronDown className="size-5 shrink-0 group-open:rotate-180" />
              </summary>
              <p className="px-4 pt-1 pb-4 wrap-anywhere whitespace-pre-line">{message}</p>
            </details>
          </li>
        ))}
      </ol>
    </Part>
  );
}
