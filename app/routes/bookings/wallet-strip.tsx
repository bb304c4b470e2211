import { Wallet } from "#app/ui/icon.tsx";
import { BuyCredits } from "#app/routes/credits/plan-dialog.tsx";

/** The balance in whole credits. */
export function WalletStrip({ credits }: { credits: string }) {
  return (
    <div className="flex items-center justify-between gap-4 rounded-card bg-surface p-4 shadow-card">
      <p className="flex items-center gap-3">
        <Wallet className="text-muted" />
        <span>
          <strong className="text-xl tabular-nums">{credits}</strong>{" "}
          <span className="text-muted">credits</span>
        </span>
      </p>
      <BuyCredits />
    </div>
  );
}
