import { EmptyState } from "#app/ui/empty-state.tsx";
import { ParkedCard } from "./parked-card.tsx";
import type { PackChoice, ParkedWords } from "./parked-words.ts";
import type { Refusal } from "./settle-form.ts";

type ParkedListProps = {
  payments: ParkedWords[];
  hasMore: boolean;
  packs: PackChoice[];
  refusal: Refusal | undefined;
};

/** What an admin has to settle, the oldest first. */
export function ParkedList({ payments, hasMore, packs, refusal }: ParkedListProps) {
  if (payments.length === 0) {
    return <EmptyState>Nothing to settle. Every payment has found its player.</EmptyState>;
  }
  return (
    <>
      <ol className="grid gap-4">
        {payments.map((payment) => (
          <li key={payment.id}>
            <ParkedCard
              payment={payment}
              packs={packs}
              refusal={refusal?.eventId === payment.id ? refusal : undefined}
            />
          </li>
        ))}
      </ol>
      {hasMore && (
        <p className="text-center text-muted">
          These are the oldest {payments.length}. There are more, which follow as these are settled.
        </p>
      )}
    </>
  );
}
