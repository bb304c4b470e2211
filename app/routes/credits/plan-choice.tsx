import { useEffect, useState } from "react";
import { Link, useFetcher } from "react-router";
import { Dialog } from "#app/ui/dialog.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { Tabs } from "#app/ui/tabs.tsx";
import { toast } from "#app/ui/toast.ts";
import type { action } from "./checkout.tsx";
import { CheckoutBar } from "./checkout-bar.tsx";
import { PackOptions } from "./pack-options.tsx";
import type { PlanOffer } from "./plans.server.ts";

const SINGLE = "pay-per-game";
const MONTHLY = "monthly-subscription";

/** The plan dialog itself (specification, section 2). */
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
      footer={chosen && <CheckoutBar pack={chosen} problem={fetcher.data} isPaying={isPaying} />}
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

/** Posts to checkout, which leads to another site or says here why not. */
function useCheckout() {
  const fetcher = useFetcher<typeof action>();
  const { data: problem, reset } = fetcher;
  useEffect(() => {
    if (problem) toast({ ...problem, tone: "danger" });
  }, [problem]);
  useEffect(() => {
    // Who comes back by Back may find the page as it was left, still on its way to the payment.
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

/** The rule of bookings, as it is passed in. */
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
