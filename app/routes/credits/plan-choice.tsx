import { useEffect, useState } from "react";
import { Link, useFetcher } from "react-router";
import { FormErrors } from "#app/forms/form-errors.tsx";
import type { FormResult } from "#app/forms/form-result.ts";
import { Button } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { Tabs } from "#app/ui/tabs.tsx";
import { useHydrated } from "#app/ui/use-hydrated.ts";
import type { action } from "./checkout.tsx";
import type { PackView, PlanOffer } from "./plans.server.ts";

const SINGLE = "pay-per-game";
const MONTHLY = "monthly-subscription";

export default function PlanChoice({ plans }: { plans: PlanOffer }) {
  const fetcher = useCheckout();
  const [chosenId, choose] = useState(plans.chosenId);
  const chosen = plans.packs.find(({ id }) => id === chosenId);
  const isPaying = fetcher.state !== "idle";
  return (
    <Dialog
      id="plans"
      title="Choose Your Plan"
      open={plans}
      footer={chosen && <CheckoutBar pack={chosen} result={fetcher.data} isPaying={isPaying} />}
    >
      <fetcher.Form id="plan-form" method="post" action="/checkout" className="grid gap-5">
        <input type="hidden" name="returnTo" value={plans.returnTo} />
        <Circumstances plans={plans} />
        {chosen ? (
          <PackTabs plans={plans} chosenId={chosen.id} choose={choose} />
        ) : (
          <p>No plans are on sale right now. Please look again later.</p>
        )}
        <Policy policy={plans.policy} />
      </fetcher.Form>
    </Dialog>
  );
}

/** Posts to checkout, which redirects to Stripe or returns an error. */
function useCheckout() {
  const fetcher = useFetcher<typeof action>();
  const { reset } = fetcher;
  useEffect(() => {
    // The back button may restore the page as it was left, with its form still pending.
    const wake = ({ persisted }: PageTransitionEvent) => persisted && reset();
    window.addEventListener("pageshow", wake);
    return () => window.removeEventListener("pageshow", wake);
  }, [reset]);
  return fetcher;
}

function Circumstances({ plans: { need, debt, hasMonthlyPlan } }: { plans: PlanOffer }) {
  if (!need && !debt && !hasMonthlyPlan) return null;
  return (
    <div className="grid gap-2">
      {need && <Notice tone="warn">{need}</Notice>}
      {debt && <Notice tone="warn">{debt}</Notice>}
      {hasMonthlyPlan && (
        <Notice>
          You already have a monthly subscription.{" "}
          <Link to="/wallet" className="link font-semibold">
            See your wallet
          </Link>
        </Notice>
      )}
    </div>
  );
}

type PackTabsProps = { plans: PlanOffer; chosenId: string; choose: (packId: string) => void };

function PackTabs({ plans: { packs }, chosenId, choose }: PackTabsProps) {
  const single = packs.filter((pack) => !pack.isMonthly);
  const monthly = packs.filter((pack) => pack.isMonthly);
  const groupOf = (id: string) => (id === SINGLE ? single : monthly);
  const panelOf = (id: string, label: string) => (
    <PackOptions label={label} packs={groupOf(id)} chosenId={chosenId} choose={choose} />
  );
  const tabs = [
    { id: SINGLE, label: "Pay Per Game", panel: panelOf(SINGLE, "Pay Per Game") },
    {
      id: MONTHLY,
      label: "Monthly Subscription",
      panel: (
        <>
          {panelOf(MONTHLY, "Monthly Subscription")}
          <MonthlyTerms />
        </>
      ),
    },
  ];
  const chooseGroup = (id: string) => {
    const group = groupOf(id);
    const first = group.find(({ isPopular }) => isPopular) ?? group[0];
    if (first) choose(first.id);
  };
  const open = single.some(({ id }) => id === chosenId) ? SINGLE : MONTHLY;
  return <Tabs label="Kinds of plan" tabs={tabs} open={open} onChoose={chooseGroup} />;
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

type PackOptionsProps = Omit<PackTabsProps, "plans"> & { label: string; packs: PackView[] };

function PackOptions({ label, packs, chosenId, choose }: PackOptionsProps) {
  if (packs.length === 0) return <p>None on sale right now.</p>;
  return (
    <fieldset className="grid gap-3">
      <legend className="sr-only">{label}</legend>
      {packs.map((pack) => (
        <PackOption
          key={pack.id}
          pack={pack}
          isChosen={pack.id === chosenId}
          choose={() => choose(pack.id)}
        />
      ))}
    </fieldset>
  );
}

type PackOptionProps = { pack: PackView; isChosen: boolean; choose: () => void };

function PackOption({ pack, isChosen, choose }: PackOptionProps) {
  const hydrated = useHydrated();
  return (
    <label className={optionClass}>
      <input
        type="radio"
        name="packId"
        value={pack.id}
        checked={isChosen}
        onChange={choose}
        className="size-5 shrink-0 accent-ink focus-visible:outline-none"
      />
      <span className="grid grow gap-y-0.5">
        <span className="flex flex-wrap justify-between gap-x-2 font-bold tabular-nums">
          <span>{pack.name}</span>
          <span>{pack.perGame}</span>
        </span>
        <span className="text-sm text-muted tabular-nums">
          {pack.credits} · {pack.total}
        </span>
        {/* The last lines of the dialog say it of the chosen one, once they can follow the choice. */}
        {!hydrated && <span className="text-sm">{pack.renewal}</span>}
      </span>
      {pack.isPopular && (
        <span className="wide absolute -top-3 right-3 rounded-pill bg-ink px-2.5 text-sm font-bold text-canvas">
          MOST POPULAR
        </span>
      )}
    </label>
  );
}

const optionClass =
  "relative flex items-center gap-3 rounded-card border border-edge px-3 py-4 hover:border-ink " +
  "has-checked:border-ink has-checked:bg-sunken has-checked:shadow-[inset_0_0_0_1px_var(--ink)] " +
  "has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus";

type CheckoutBarProps = { pack: PackView; result: FormResult | undefined; isPaying: boolean };

function CheckoutBar({ pack, result, isPaying }: CheckoutBarProps) {
  // Without JavaScript it cannot follow the choice; each pack then shows it.
  const follows = useHydrated();
  return (
    <div className="grid gap-3">
      <FormErrors result={result} hasToast />
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
