import { EmptyState } from "#app/ui/empty-state.tsx";
import { EntryAmount, EntryPurpose } from "./entry-parts.tsx";
import type { EntryWords } from "./entry-words.ts";

/** The specification's wallet history: the last of a player's transactions, newest first. */
export const HISTORY_LENGTH = 10;

export function WalletHistory({ entries }: { entries: EntryWords[] }) {
  if (entries.length === 0) return <EmptyState>No transactions yet.</EmptyState>;
  return (
    <ul className="divide-y divide-line rounded-card bg-surface shadow-card">
      {entries.map((entry) => (
        <li key={entry.seq} className="flex items-start justify-between gap-4 px-4 py-3">
          <div className="min-w-0">
            <EntryPurpose entry={entry} />
            <time dateTime={entry.iso} className="block text-sm text-muted tabular-nums">
              {entry.monthDayYear}
            </time>
          </div>
          <span className="tabular-nums">
            <EntryAmount amount={entry.amount} />
          </span>
        </li>
      ))}
    </ul>
  );
}
