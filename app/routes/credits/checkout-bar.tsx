import { Link } from "react-router";
import { Button } from "#app/ui/button.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { useHydrated } from "#app/ui/use-hydrated.ts";
import type { PackWords } from "./plan-words.ts";

type CheckoutBarProps = {
  pack: PackWords;
  problem: { title: string; description: string } | undefined;
  isPaying: boolean;
};

/** What the chosen pack costs in all, and the button that leads to paying it. */
export function CheckoutBar({ pack, problem, isPaying }: CheckoutBarProps) {
  // Without JavaScript it could not follow the choice; the packs say it themselves then.
  const follows = useHydrated();
  return (
    <div className="grid gap-3">
      {problem && (
        <Notice tone="danger" title={problem.title}>
          {problem.description}
        </Notice>
      )}
      <div aria-live="polite" aria-atomic>
        {follows && (
          <>
            <p className="text-lg font-bold tabular-nums">Total {pack.total}</p>
            <p className="text-sm text-muted">
              {pack.renewal} {pack.isMonthly && <HowToCancel />}
            </p>
          </>
        )}
        {!follows && <HowToCancel />}
      </div>
      <Button
        form="plan-form"
        variant="primary"
        size="lg"
        wide
        pending={isPaying}
        pendingLabel="Opening payment…"
      >
        START PLAYING
      </Button>
    </div>
  );
}

function HowToCancel() {
  return (
    <span className="text-sm text-muted">
      Cancel any time under Manage subscription in{" "}
      <Link to="/wallet" className="link">
        your wallet
      </Link>
      .
    </span>
  );
}
