import { Link } from "react-router";
import type { LotWords } from "./lot-words.ts";

const SHOWN = 4;

/** What the balance consists of, in the order in which it is spent, and the way to give it back. */
export function LotList({ lots }: { lots: LotWords[] }) {
  if (lots.length === 0) return null;
  const [first, others] = [lots.slice(0, SHOWN), lots.slice(SHOWN)];
  return (
    <section aria-labelledby="lots">
      <h2 id="lots" className="text-lg">
        Your credits
      </h2>
      <p className="mb-3 text-sm text-muted">Spent from the top: what expires first goes first.</p>
      <div className="rounded-card bg-surface shadow-card">
        <Lots lots={first} />
        {others.length > 0 && (
          <details className="border-t border-line">
            <summary className="min-h-11 px-4 py-3 text-sm font-semibold">
              {others.length} more
            </summary>
            <Lots lots={others} />
          </details>
        )}
      </div>
      <p className="mt-3">
        <Link to="/settings/withdraw" className="link inline-flex min-h-11 items-center">
          Withdraw from a purchase
        </Link>
      </p>
    </section>
  );
}

function Lots({ lots }: { lots: LotWords[] }) {
  return (
    <ol className="divide-y divide-line">
      {lots.map((lot) => (
        <li key={lot.id} className="flex items-baseline justify-between gap-4 px-4 py-3">
          <div>
            <p className="font-semibold">{lot.source}</p>
            <p className="text-sm text-muted tabular-nums">{lot.lasts}</p>
          </div>
          <p className="whitespace-nowrap tabular-nums">{lot.credits}</p>
        </li>
      ))}
    </ol>
  );
}
