import { ButtonLink } from "#app/ui/button.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { EntryAmount, EntryPurpose } from "./entry-parts.tsx";
import { byMonth, type EntryWords } from "./entry-words.ts";

type StatementProps = {
  entries: EntryWords[];
  /** Where older entries begin; null at the ledger's first. */
  olderBefore: number | null;
  /** Whether newer ones stand on a page before this one. */
  hasNewer: boolean;
};

/** A player's ledger as a bank would print it, month by month. */
export function Statement({ entries, olderBefore, hasNewer }: StatementProps) {
  return (
    <section aria-labelledby="statement" className="min-w-0">
      <div className="mb-3 flex items-center justify-between gap-4">
        <h2 id="statement" className="text-lg">
          Statement
        </h2>
        {entries.length > 0 && (
          <ButtonLink to="/wallet/statement.csv" reloadDocument download>
            Download CSV
          </ButtonLink>
        )}
      </div>
      {entries.length === 0 ? (
        <EmptyState>{hasNewer ? "There is nothing older." : "No transactions yet."}</EmptyState>
      ) : (
        <EntryTable entries={entries} />
      )}
      <nav aria-label="Statement pages" className="mt-3 flex justify-between gap-4">
        {hasNewer && <ButtonLink to="/wallet#statement">Newest entries</ButtonLink>}
        {olderBefore !== null && (
          <ButtonLink to={`/wallet?before=${olderBefore}#statement`} className="ml-auto">
            Older entries
          </ButtonLink>
        )}
      </nav>
    </section>
  );
}

/** Entries under their months. */
export function EntryTable({ entries }: { entries: EntryWords[] }) {
  return (
    <table className="w-full rounded-card bg-surface shadow-card">
      <thead className="text-sm text-muted">
        <tr>
          <th scope="col" className={`${cell} text-left max-md:hidden`}>
            Date
          </th>
          <th scope="col" className={`${cell} text-left`}>
            Entry
          </th>
          <th scope="col" className={`${cell} text-right`}>
            Amount
          </th>
          <th scope="col" className={`${cell} text-right`}>
            Balance
          </th>
        </tr>
      </thead>
      {byMonth(entries).map(({ month, entries: ofMonth }) => (
        <tbody key={month}>
          <tr>
            <th scope="rowgroup" colSpan={4} className="bg-sunken px-4 py-2 text-left text-sm">
              {month}
            </th>
          </tr>
          {ofMonth.map((entry) => (
            <EntryRow key={entry.seq} entry={entry} />
          ))}
        </tbody>
      ))}
    </table>
  );
}

function EntryRow({ entry }: { entry: EntryWords }) {
  const when = (
    <time dateTime={entry.iso}>
      {entry.monthDay}, {entry.time}
    </time>
  );
  return (
    <tr className="border-t border-line align-top tabular-nums">
      <td className={`${cell} whitespace-nowrap text-muted max-md:hidden`}>{when}</td>
      <td className={`${cell} max-md:w-full`}>
        <EntryPurpose entry={entry} />
        <span className="block text-sm text-muted md:hidden">{when}</span>
      </td>
      <td className={`${cell} text-right`}>
        <EntryAmount amount={entry.amount} />
      </td>
      <td className={`${cell} text-right whitespace-nowrap text-muted`}>{entry.balance}</td>
    </tr>
  );
}

const cell = "px-3 py-3 font-normal first:pl-4 last:pr-4 max-md:[&:nth-child(2)]:pl-4";
