import { Badge } from "../../ui/badge.tsx";
import type { WithdrawalWords } from "./withdraw-words.ts";

/** What was withdrawn from, newest first; nothing at all where there is none. */
export function WithdrawalList({ withdrawals }: { withdrawals: WithdrawalWords[] }) {
  if (withdrawals.length === 0) return null;
  return (
    <section aria-labelledby="withdrawals">
      <h2 id="withdrawals" className="mb-3 text-lg">
        Your withdrawals
      </h2>
      <ul className="divide-y divide-line rounded-card bg-surface shadow-card">
        {withdrawals.map((withdrawal) => (
          <li key={withdrawal.id} className="flex items-center justify-between gap-3 p-4">
            <div>
              <p className="font-semibold">{withdrawal.packName}</p>
              <p className="text-sm text-muted tabular-nums">
                {withdrawal.stated} · {withdrawal.what}
              </p>
            </div>
            <Badge tone={withdrawal.isRefunded ? "green" : "sky"}>
              {withdrawal.isRefunded ? "Refunded" : "Received"}
            </Badge>
          </li>
        ))}
      </ul>
      <p className="mt-2 text-sm text-muted">
        The refund takes up to 14 days. The credits leave your wallet when it is made.
      </p>
    </section>
  );
}
