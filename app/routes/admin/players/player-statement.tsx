import { Pager } from "#app/ui/pager.tsx";
import type { EntryWords } from "#app/routes/wallet/wallet-view.server.ts";
import { EntryTable } from "#app/routes/wallet/statement.tsx";

interface PlayerStatementProps {
  playerId: string;
  entries: EntryWords[];
  /** Where older entries begin; null at the ledger's first. */
  olderBefore: number | null;
  /** Whether newer ones stand on a page before this one. */
  hasNewer: boolean;
}

/** A player's ledger as they see it themselves, page by page. */
export function PlayerStatement(props: PlayerStatementProps) {
  const { playerId, entries, olderBefore, hasNewer } = props;
  const page = `/admin/players/${playerId}`;
  return (
    <section aria-labelledby="statement" className="grid min-w-0 gap-3">
      <h3 id="statement" className="scroll-mt-20 text-base">
        Statement
      </h3>
      {entries.length > 0 ? (
        <EntryTable entries={entries} />
      ) : (
        <p className="text-muted">
          {hasNewer ? "There is nothing older." : "No transactions yet."}
        </p>
      )}
      <Pager
        label="Pages of the statement"
        first={hasNewer ? `${page}#statement` : null}
        next={olderBefore === null ? null : `${page}?before=${olderBefore}#statement`}
      />
    </section>
  );
}
