import { useEffect, useState } from "react";
import { Link, useFetcher } from "react-router";
import { FormErrors } from "#app/forms/form-errors.tsx";
import { PostForm } from "#app/forms/post-form.tsx";
import { Shown } from "#app/forms/shown.tsx";
import { Button } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { Tabs } from "#app/ui/tabs.tsx";
import { useHydrated } from "#app/ui/use-hydrated.ts";
import { GameLine } from "./game-line.tsx";
import { ManageSubscription } from "./manage-subscription.tsx";
import { PackOptions } from "./pack-options.tsx";
import type { FailedCheckout, MethodTexts, PackView, PlanOffer } from "./plans.server.ts";
import { RunningPlan } from "./running-plan.tsx";

const SINGLE = "pay-per-game";
const MONTHLY = "monthly-subscription";

export default function PlanChoice({ plans }: { plans: PlanOffer }) {
  const fetcher = useCheckout();
  const { chosenId, running } = plans;
  const { packs, shown } = fetcher.data?.offer ?? plans;
  const [choice, choose] = useState({ tab: chosenId ? SINGLE : MONTHLY, packId: chosenId });
  const onSale = packs.filter((pack) => pack.isMonthly === (choice.tab === MONTHLY));
  const isSelling = onSale.length > 0 && (choice.tab === SINGLE || running.length === 0);
  const pack = packs.find(({ id }) => id === choice.packId);
  const isPaying = fetcher.state !== "idle";
  const isEmpty = packs.length === 0 && running.length === 0;
  return (
    <Dialog
      id="plans"
      title="Choose Your Plan"
      open={plans}
      footer={
        isSelling && (
          <CheckoutBar
            pack={pack}
            methods={plans.methods}
            result={fetcher.data}
            isPaying={isPaying}
          />
        )
      }
    >
      {/* Its fields name it, as a monthly plan that is running has a form of its own. */}
      <PostForm via={fetcher.Form} id="plan-form" action="/checkout">
        <input type="hidden" name="returnTo" value={plans.returnTo} />
        <Shown facts={shown} />
      </PostForm>
      <div className="grid gap-5">
        {plans.game && <GameLine game={plans.game} />}
        <Circumstances plans={plans} />
        {isEmpty ? (
          <p>No plans are on sale right now. Please look again later.</p>
        ) : (
          <PackTabs plans={{ ...plans, packs }} choice={choice} choose={choose} />
        )}
        <Policy policy={plans.policy} />
      </div>
    </Dialog>
  );
}

/** Posts to checkout, which redirects to Stripe or returns an error. */
function useCheckout() {
  const fetcher = useFetcher<FailedCheckout>();
  const { reset } = fetcher;
  useEffect(() => {
    // The back button may restore the page as it was left, with its form still pending.
    const wake = ({ persisted }: PageTransitionEvent) => persisted && reset();
    window.addEventListener("pageshow", wake);
    return () => window.removeEventListener("pageshow", wake);
  }, [reset]);
  return fetcher;
}

function Circumstances({ plans: { need, debt } }: { plans: PlanOffer }) {
  if (!need && !debt) return null;
  return (
    <div className="grid gap-2">
      {need && <Notice tone="warn">{need}</Notice>}
      {debt && <Notice tone="warn">{debt}</Notice>}
    </div>
  );
}

interface Choice {
  tab: string;
  packId: string | null;
}
type PackTabsProps = { plans: PlanOffer; choice: Choice; choose: (choice: Choice) => void };

function PackTabs({ plans: { packs, chosenId, running }, choice, choose }: PackTabsProps) {
  const optionsOf = (tab: string, label: string) => (
    <PackOptions
      label={label}
      packs={packs.filter((pack) => pack.isMonthly === (tab === MONTHLY))}
      chosenId={choice.packId}
      choose={(packId) => choose({ tab, packId })}
    />
  );
  const monthly =
    running.length > 0 ? (
      <RunningPlan running={running} packs={packs.filter((pack) => pack.isMonthly)} />
    ) : (
      optionsOf(MONTHLY, "Monthly Subscription")
    );
  const tabs = [
    { id: SINGLE, label: "Pay Per Game", panel: optionsOf(SINGLE, "Pay Per Game") },
    {
      id: MONTHLY,
      label: "Monthly Subscription",
      panel: (
        <>
          {monthly}
          <MonthlyTerms />
        </>
      ),
    },
  ];
  // Only the player chooses a plan that renews.
  const chooseTab = (tab: string) => choose({ tab, packId: tab === SINGLE ? chosenId : null });
  return <Tabs label="Kinds of plan" tabs={tabs} open={choice.tab} onChoose={chooseTab} />;
}

function MonthlyTerms() {
  return (
    <p className="mt-3 text-sm text-muted">
      Subscriptions auto-renew, cancel anytime, credits reset monthly: each renewal replaces what is
      left of the month before.
    </p>
  );
}

function Policy({ policy }: { policy: readonly string[] }) {
  return (
    <section className="text-sm text-muted">
      <h3 className="text-sm text-ink">If you cancel a game</h3>
      <ul className="mt-1 grid gap-1">
        {policy.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </section>
  );
}

type CheckoutBarProps = {
  pack: PackView | undefined;
  methods: MethodTexts;
  result: FailedCheckout | undefined;
  isPaying: boolean;
};

function CheckoutBar({ pack, methods, result, isPaying }: CheckoutBarProps) {
  // Without JavaScript it cannot follow the choice, so each pack shows it.
  const follows = useHydrated();
  const planId = result?.subscriptionId;
  if (planId && pack?.isMonthly) {
    return (
      <div className="grid gap-3">
        <FormErrors result={result} />
        <ManageSubscription subscriptionId={planId} />
      </div>
    );
  }
  return (
    <div className="grid gap-3">
      {!planId && <FormErrors result={result} toast="beside" />}
      <div aria-live="polite" aria-atomic>
        {follows && <ChosenPack pack={pack} />}
        {!follows && <HowToCancel />}
        <p className="text-sm text-muted">
          {pack && follows ? methods[pack.isMonthly ? "monthly" : "single"] : methods.either}
        </p>
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

function ChosenPack({ pack }: { pack: PackView | undefined }) {
  if (!pack) return <p className="text-lg font-bold">Choose one of the plans</p>;
  return (
    <>
      <p className="text-lg font-bold tabular-nums">Total {pack.total}</p>
      <p className="text-sm text-muted">
        {pack.renewal} {pack.isMonthly && <HowToCancel />}
      </p>
    </>
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
