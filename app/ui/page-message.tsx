import { useState } from "react";
import { useLocation } from "react-router";
import { classNames } from "./class-names.ts";
import { Check, Cross } from "./icon.tsx";
import type { Message } from "./toast.ts";
import { useHydrated } from "./use-hydrated.ts";

export interface SentMessage extends Message {
  id: string;
  /** Stays on the page, which says it nowhere else. Otherwise it is a toast, if scripts run. */
  isLasting?: boolean | undefined;
}

/** Until the next page: the message of the document itself, or one that lasts. */
export function usePageMessage(sent: SentMessage | null = null): SentMessage | null {
  const { key } = useLocation();
  const hydrated = useHydrated();
  const [kept, keep] = useState(hydrated ? null : { sent, key });
  if (sent?.isLasting && sent.id !== kept?.sent?.id) keep({ sent, key });
  return kept?.key === key ? kept.sent : null;
}

/** Above the whole page, in a live region that exists from the start. */
export function PageMessage({ message }: { message: SentMessage | null }) {
  return (
    <div aria-live="polite">
      {message && (
        <section
          aria-label={NOTIFICATIONS}
          tabIndex={-1}
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- on a page of its own it is not announced
          autoFocus={message.isLasting}
          className="bg-ink text-canvas"
        >
          <p className="mx-auto flex max-w-6xl items-start gap-3 px-4 py-3">
            <MessageMark tone={message.tone} />
            <span>
              <strong>{message.title}</strong> {message.description}
            </span>
          </p>
        </section>
      )}
    </div>
  );
}

export const NOTIFICATIONS = "Notifications";

type MessageMarkProps = { tone: Message["tone"]; className?: string };

export function MessageMark({ tone = "good", className }: MessageMarkProps) {
  const Mark = tone === "danger" ? Cross : Check;
  return (
    <span
      className={classNames(
        "grid size-6 shrink-0 place-items-center rounded-pill",
        marks[tone],
        className,
      )}
    >
      <Mark className="size-4" />
    </span>
  );
}

const marks = {
  good: "bg-accent text-on-accent",
  danger: "bg-danger-solid text-on-danger",
  info: "bg-info-soft text-info",
};
