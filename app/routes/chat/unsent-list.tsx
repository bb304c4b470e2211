import { Button } from "#app/ui/button.tsx";
import type { Unsent } from "./outbox.ts";

interface UnsentListProps {
  unsent: Unsent[];
  onRetry(message: Unsent): void;
}

/** One's own that are on their way, or did not get there; below all that have a number. */
export function UnsentList({ unsent, onRetry }: UnsentListProps) {
  return unsent.map((message) => (
    <div key={message.id} className="mt-3 grid justify-items-end gap-1">
      <p
        dir="auto"
        className="max-w-full min-w-0 overflow-hidden rounded-card border border-dashed border-edge bg-raised px-3 py-2 wrap-anywhere whitespace-pre-line text-ink sm:max-w-md"
      >
        {message.text}
      </p>
      {message.state === "sending" && <p className="text-sm text-muted">Sending…</p>}
      {message.state === "failed" && (
        <div role="alert" className="grid justify-items-end gap-1 text-sm text-danger">
          {message.why && <p>{message.why}</p>}
          <Button type="button" variant="danger" onClick={() => onRetry(message)}>
            Not sent. Try again
          </Button>
        </div>
      )}
    </div>
  ));
}
