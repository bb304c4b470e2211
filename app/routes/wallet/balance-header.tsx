import { Notice } from "#app/ui/notice.tsx";
import { CentreCircle } from "#app/ui/pitch-lines.tsx";
import { BuyCredits } from "#app/routes/credits/buy-credits.tsx";
import type { BalanceWords } from "./balance-words.ts";

/** What a player has, what it pays for, and what is owed. */
export function BalanceHeader({ balance }: { balance: BalanceWords }) {
  return (
    <div className="grid gap-4">
      <div className="relative isolate grid gap-4 overflow-clip rounded-card bg-surface p-5 shadow-card">
        <CentreCircle className="-top-8 -right-28 size-64" />
        <div>
          <p className="text-2xl font-extrabold tabular-nums">{balance.credits}</p>
          {balance.exactly && (
            <p className="text-sm text-muted tabular-nums">Exactly {balance.exactly}</p>
          )}
          <p className="mt-1 text-lg tabular-nums">{balance.games}</p>
        </div>
        <div className="justify-self-start">
          <BuyCredits />
        </div>
      </div>
      {balance.debt && (
        <Notice tone="warn" title={balance.debt}>
          Your next purchase pays that first. Then you can join games again.
        </Notice>
      )}
    </div>
  );
}
