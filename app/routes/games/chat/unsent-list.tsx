import { useEffect, useState } from "react";
import { Button } from "#app/ui/button.tsx";
import type { Unsent } from "./outbox.ts";
import type { Outbox } from "./use-outbox.ts";

interface UnsentListProps {
  outbox: Pick<Outbox, "unsent" | "again" | "discard">;
  onEdit: ((message: Unsent) => void) | null;
  /** The pressed button is gone then. */
  onDone: () => void;
}

/** One's own messages that are on the way or failed; below all that have a number. */
export function UnsentList({ outbox, onEdit, onDone }: UnsentListProps) {
  const { unsent } = outbox;
  const firstHeld = unsent.find(({ notBefore }) => notBefore);
  const waiting = unsent.filter(({ state, notBefore }) => state === "waiting" && !notBefore);
  const messages = unsent.map((message) => (
    <div key={message.id} className="mt-3 grid justify-items-end gap-1 text-right">
      <p
        dir="auto"
        className="max-w-full min-w-0 overflow-hidden rounded-card border border-dashed border-edge bg-raised px-3 py-2 text-left wrap-anywhere whitespace-pre-line text-ink sm:max-w-md"
      >
        {message.text}
      </p>
      {message.state === "sending" && <p className="text-sm text-muted">Sending…</p>}
      {(message.state === "waiting" || message.state === "rejected") && (
        <>
          {message.notBefore ? (
            <Held message={message} isFirst={message === firstHeld} />
          ) : (
            message.why && (
              <p role="alert" className="text-sm text-danger">
                {message.why}
              </p>
            )
          )}
          <div className="flex flex-wrap justify-end gap-2">
            {onEdit && (
              <Button type="button" variant="quiet" onClick={() => onEdit(message)}>
                Edit
              </Button>
            )}
            <Button
              type="button"
              variant="quiet"
              onClick={() => {
                outbox.discard(message);
                onDone();
              }}
            >
              Discard
            </Button>
            {!message.notBefore && (
              <div role="alert">
                <Button
                  type="button"
                  variant="danger"
                  onClick={() => {
                    outbox.again(message);
                    onDone();
                  }}
                >
                  Not sent. Try again
                </Button>
              </div>
            )}
          </div>
        </>
      )}
    </div>
  ));
  return (
    <>
      {messages}
      {waiting.length > 0 && (
        <p className="mt-2 text-right text-sm text-muted">
          {waiting.length === 1 ? "It" : "They"} will be sent when you are online again.
        </p>
      )}
    </>
  );
}

/** Too many at once: it goes by itself. Screen readers hear why, but not every second. */
function Held({ message: { notBefore = 0, why }, isFirst }: { message: Unsent; isFirst: boolean }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  if (!isFirst) return <p className="text-sm text-muted">Waiting…</p>;
  const seconds = Math.max(1, Math.ceil((notBefore - now) / 1_000));
  const left = seconds < 60 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
  return (
    <p className="text-sm text-danger">
      <span role="alert">{why} It will be sent automatically</span>
      <span aria-hidden className="tabular-nums">
        {" "}
        in {left}
      </span>
    </p>
  );
}
