import { Link } from "react-router";
import { buttonClass, ButtonLink } from "#app/ui/button.tsx";
import { FileLinks } from "#app/ui/file-links.tsx";
import { FirstFew } from "#app/ui/first-few.tsx";
import type { EntryView, StatementPage } from "./wallet-view.server.ts";

export function Statement({ entries, olderBefore, hasNewer }: StatementPage) {
  return (
    <section aria-labelledby="statement" className="min-w-0">
      <div className="mb-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2 id="statement" className="text-lg">
          Statement
        </h2>
        {entries.length > 0 && (
          <div className="flex flex-wrap gap-2">
            <FileLinks files={FILES} name="your statement" className={buttonClass({})} />
          </div>
        )}
      </div>
      {entries.length === 0 ? <NoEntries hasNewer={hasNewer} /> : <EntryTable entries={entries} />}
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

const FILES = { xlsx: "/wallet/statement.xlsx", csv: "/wallet/statement.csv" };

function NoEntries({ hasNewer = false }) {
  return (
    <div className="grid justify-items-start gap-3 rounded-card border border-line bg-surface p-5">
      <p className="font-semibold">
        {hasNewer ? "There is nothing older." : "No transactions yet."}
      </p>
      {!hasNewer && (
        <>
          <p className="text-muted">The credits you get and the games you join are listed here.</p>
          <ButtonLink to="/events">Find a game</ButtonLink>
        </>
      )}
    </div>
  );
}

type EntryTableProps = {
  entries: EntryView[];
  games?: "/events" | "/admin/games";
};

export function EntryTable({ entries, games }: EntryTableProps) {
  return (
    // Large text makes it wider than a phone; texts for screen readers scroll with it.
    <div className="relative overflow-x-auto rounded-card bg-surface shadow-card">
      <table className="w-full">
        <thead className="text-sm text-muted">
          <tr>
            {COLUMNS.map(([name, look]) => (
              <th key={name} scope="col" className={`${cell} ${look}`}>
                {name}
              </th>
            ))}
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
              <EntryRow key={entry.seq} entry={entry} games={games} />
            ))}
          </tbody>
        ))}
      </table>
    </div>
  );
}

const COLUMNS = [
  ["Date", "text-left max-md:hidden"],
  ["Entry", "text-left"],
  ["Amount", "text-right"],
  ["Balance", "text-right"],
] as const;

/** Entries under their months, "November 2026", in their order. */
export function byMonth(entries: EntryView[]) {
  // Some supported browsers lack Map.groupBy.
  const months = new Map<string, EntryView[]>();
  for (const entry of entries) {
    months.set(entry.month, [...(months.get(entry.month) ?? []), entry]);
  }
  return [...months].map(([month, ofMonth]) => ({
    month: MONTH.format(new Date(`${month}-01T00:00:00Z`)),
    entries: ofMonth,
  }));
}

const NAME = { month: "long", year: "numeric", timeZone: "UTC" } as const;
const MONTH = new Intl.DateTimeFormat("en-US", NAME);

type EntryRowProps = { entry: EntryView; games: EntryTableProps["games"] };

function EntryRow({ entry, games }: EntryRowProps) {
  const when = (
    <time dateTime={entry.iso}>
      {entry.monthDay}, {entry.time}
    </time>
  );
  return (
    <tr className="border-t border-line align-top tabular-nums">
      <td className={`${cell} whitespace-nowrap text-muted max-md:hidden`}>{when}</td>
      <td className={`${cell} max-md:w-full`}>
        <EntryPurpose entry={entry} games={games} />
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

const ENTRIES_SHOWN = 3;

/** The last transactions; those after the first few open on demand. */
export function WalletHistory({ entries }: { entries: EntryView[] }) {
  if (entries.length === 0) return <NoEntries />;
  return (
    <FirstFew items={entries} count={ENTRIES_SHOWN}>
      {(some) => <HistoryList entries={some} />}
    </FirstFew>
  );
}

function HistoryList({ entries }: { entries: EntryView[] }) {
  return (
    <ul className="divide-y divide-line">
      {entries.map((entry) => (
        <li key={entry.seq} className="flex items-start justify-between gap-4 px-4 py-3">
          <div className="min-w-0">
            <EntryPurpose entry={entry} />
            {!entry.game && (
              <time dateTime={entry.iso} className="block text-sm text-muted tabular-nums">
                {entry.monthDayYear}
              </time>
            )}
          </div>
          <span className="tabular-nums">
            <EntryAmount amount={entry.amount} />
          </span>
        </li>
      ))}
    </ul>
  );
}

function EntryPurpose({ entry, games = "/events" }: Partial<EntryRowProps> & { entry: EntryView }) {
  const { name, note, game, receipt } = entry;
  return (
    <>
      <span className="font-semibold">{name}</span>
      {note && <span className="text-sm text-muted max-md:block"> {note}</span>}
      {receipt && games === "/events" && (
        <Link
          to={`/wallet/receipts/${receipt.id}`}
          className="-my-3 block w-fit py-3 text-sm underline"
        >
          {receipt.name}
        </Link>
      )}
      {receipt && games !== "/events" && <span className="block text-sm">{receipt.name}</span>}
      {game && (
        <Link
          to={`${games}/${game.id}`}
          className="-my-3 block w-fit py-3 text-sm wrap-anywhere hover:underline"
        >
          <span translate="no">{game.venue}</span>
          <span className="max-md:hidden"> · </span>
          <span className="max-md:block min-[22rem]:whitespace-nowrap">{game.when}</span>
        </Link>
      )}
    </>
  );
}

function EntryAmount({ amount }: Pick<EntryView, "amount">) {
  return (
    <span className={`font-semibold whitespace-nowrap ${amount.isGain ? "text-good" : ""}`}>
      <span aria-hidden>{amount.shown}</span>
      <span className="sr-only">{amount.spoken}</span>
    </span>
  );
}
