import { useMemo, useState } from "react";
import { Link } from "react-router";
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
import { useCheckout } from "./use-checkout.ts";
import type { FailedCheckout, PackView, PlanOffer } from "./plans.server.ts";
import { RunningPlan } from "./running-plan.tsx";

const SINGLE = "pay-per-game";
const MONTHLY = "monthly-subscription";

type PlanChoiceProps = { plans: PlanOffer; result?: FailedCheckout | undefined };

/** `result`: of a form that has left the page, without JavaScript. */
export default function PlanChoice({ plans, result: sent }: PlanChoiceProps) {
  const fetcher = useCheckout();
  const result = fetcher.data ?? sent;
  const { chosenId, running } = plans;
  const confirms = result?.confirms;
  const { packs, shown } = result?.offer ?? plans;
  const [choice, choose] = useState({ tab: chosenId ? SINGLE : MONTHLY, packId: chosenId });
  const onSale = packs.filter((pack) => pack.isMonthly === (choice.tab === MONTHLY));
  const isSelling = onSale.length > 0 && (choice.tab === SINGLE || running.length === 0);
  const pack = packs.find(({ id }) => id === choice.packId);
  const isPaying = fetcher.state !== "idle";
  const missing = useMissing(pack ? undefined : result);
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
            methods={plans.methods[choice.tab === MONTHLY ? "monthly" : "single"]}
            either={plans.methods.either}
            result={result}
            isPaying={isPaying}
          />
        )
      }
    >
      {/* Its fields name it, as a monthly plan that is running has a form of its own. */}
      <PostForm via={fetcher.Form} id="plan-form" action="/checkout">
        <input type="hidden" name="returnTo" value={plans.returnTo} />
        <Shown facts={shown} />
        {confirms && <input type="hidden" name="confirmed" value={confirms} />}
        {plans.formKey && !result?.buysCreditsAlone && (
          <input type="hidden" name="formKey" value={plans.formKey} data-once="" />
        )}
        <AmountField packs={packs} />
      </PostForm>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
        {plans.game && (
          <div className="rounded-card bg-sunken px-4 py-3">
            <GameLine game={plans.game} need={plans.need} />
          </div>
        )}
        {plans.debt && <Notice tone="warn">{plans.debt}</Notice>}
        {isEmpty ? (
          <p>No plans are on sale right now. Please look again later.</p>
        ) : (
          <PackTabs plans={{ ...plans, packs }} {...{ choice, choose, missing }} />
        )}
        <Policy policy={plans.policy} />
      </div>
    </Dialog>
  );
}

function AmountField({ packs }: { packs: PackView[] }) {
  const { difference } = packs.find((pack) => pack.difference) ?? {};
  return difference && <input type="hidden" name="amount" value={difference.amountCents} />;
}

/** What a form without a choice was answered, as a new object for each answer. */
function useMissing(result: FailedCheckout | undefined) {
  return useMemo(() => {
    const text = result?.fieldErrors?.["packId"];
    return text ? { text } : null;
  }, [result]);
}

interface Choice {
  tab: string;
  packId: string | null;
}
type PackTabsProps = {
  plans: PlanOffer;
  choice: Choice;
  choose: (choice: Choice) => void;
  missing: { text: string } | null;
};

function PackTabs({ plans, choice, choose, missing }: PackTabsProps) {
  const { packs, chosenId, running } = plans;
  const hydrated = useHydrated();
  const optionsOf = (tab: string, label: string) => (
    <PackOptions
      label={label}
      packs={packs.filter((pack) => pack.isMonthly === (tab === MONTHLY))}
      chosenId={choice.packId}
      choose={(packId) => choose({ tab, packId })}
      missing={tab === choice.tab ? missing : null}
    />
  );
  const monthly =
    running.length > 0 ? (
      <RunningPlan running={running} packs={packs.filter((pack) => pack.isMonthly)} />
    ) : (
      optionsOf(MONTHLY, "Monthly Subscription")
    );
  const single = packs.find((pack) => !pack.isMonthly);
  const tabs = [
    {
      id: SINGLE,
      label: "Pay Per Game",
      panel: (
        <>
          {optionsOf(SINGLE, "Pay Per Game")}
          {hydrated && single && <p className="mt-3 text-sm text-muted">{single.renewal}</p>}
        </>
      ),
    },
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
      Subscriptions auto-renew, cancel anytime, credits reset monthly.
    </p>
  );
}

function Policy({ policy: { inShort, rules } }: Pick<PlanOffer, "policy">) {
  return (
    <details className="text-sm text-muted">
      <summary className="min-h-11 list-none">
        {inShort} <span className="link font-semibold">Read the rules</span>
      </summary>
      <ul className="mt-2 grid list-disc gap-1 pl-5">
        {rules.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
        <li>
          Each renewal of a subscription replaces what is left of the month before. You cancel it
          under Manage subscription in{" "}
          <Link to="/wallet" className="link">
            your wallet
          </Link>
          .
        </li>
      </ul>
    </details>
  );
}

type CheckoutBarProps = {
  pack: PackView | undefined;
  /** How the chosen kind of plan is paid. */
  methods: string;
  either: string;
  result: FailedCheckout | undefined;
  isPaying: boolean;
};

const NEXT = "Next: secure payment";

function CheckoutBar({ pack, methods, either, result, isPaying }: CheckoutBarProps) {
  // Without JavaScript it cannot follow the choice, so each pack shows it.
  const follows = useHydrated();
  const total = follows && (pack ? `Total ${pack.total}` : "Choose one of the plans");
  const next = `${(follows && pack?.next) || NEXT} ${follows ? methods : either}`;
  const planId = result?.subscriptionId;
  const confirms = result?.confirms;
  const isLasting = result?.offer || result?.buysCreditsAlone;
  if (planId && pack?.isMonthly) {
    return (
      <div className="grid gap-3">
        <FormErrors result={result} />
        <ManageSubscription subscriptionId={planId} />
      </div>
    );
  }
  return (
    <div className="grid items-center gap-x-4 gap-y-2 short:min-[30rem]:grid-cols-[1fr_auto]">
      {!planId && !result?.fieldErrors && (
        <div className="col-span-full empty:hidden">
          {confirms ? (
            <Notice tone="warn" title={result.title} isUrgent>
              <p className="tabular-nums">{result.formError}</p>
            </Notice>
          ) : (
            /* The specification quotes toasts; what else there is stays beside the button. */
            <FormErrors result={result} toast={isLasting ? undefined : "instead"} />
          )}
        </div>
      )}
      <p aria-live="polite" aria-atomic className="text-lg font-bold tabular-nums empty:hidden">
        {total}
      </p>
      <Button
        form="plan-form"
        variant={follows && !pack ? "waiting" : "primary"}
        size="lg"
        wide
        pending={isPaying}
        pendingLabel="Opening payment…"
        aria-describedby="plan-next"
        className="short:min-[30rem]:col-start-2 short:min-[30rem]:row-span-2"
      >
        {confirms ? "Pay anyway" : (follows && pack?.difference?.payLabel) || "START PLAYING"}
      </Button>
      <p id="plan-next" className="text-sm text-muted tabular-nums">
        {next}
      </p>
    </div>
  );
}
