import { ButtonLink } from "#app/ui/button.tsx";
import type { BalanceWords } from "#app/routes/wallet/balance-words.ts";
import type { EntryWords } from "#app/routes/wallet/entry-words.ts";
import { WalletHistory } from "#app/routes/wallet/wallet-history.tsx";

type WalletSectionProps = { balance: BalanceWords; entries: EntryWords[] };

/** What there is to spend, and where it went last. */
export function WalletSection({ balance, entries }: WalletSectionProps) {
  return (
    <section aria-labelledby="wallet-history" className="min-w-0">
      <div className="mb-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div>
          <h2 id="wallet-history" className="text-lg">
            Wallet history
          </h2>
          <p className="text-muted tabular-nums">
            {balance.credits} · {balance.games}
          </p>
        </div>
        <ButtonLink to="/wallet">Full statement</ButtonLink>
      </div>
      <WalletHistory entries={entries} />
    </section>
  );
}
