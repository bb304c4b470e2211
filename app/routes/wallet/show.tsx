import { Link, redirectDocument } from "react-router";
import { GAME_PRICE_CENTS } from "#app/features/games/rules.ts";
import { listOpenLots } from "#app/features/wallet/lots.server.ts";
import { listPaymentsUnderWay } from "#app/features/wallet/pending-payments.server.ts";
import { listSubscriptions, openPortal } from "#app/features/wallet/stripe/subscriptions.server.ts";
import { Badge } from "#app/ui/badge.tsx";
import { FirstFew } from "#app/ui/first-few.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { CornerArc } from "#app/ui/pitch-lines.tsx";
import { appContext } from "#app/routes/context.server.ts";
import { FormErrors } from "#app/forms/form-errors.tsx";
import { IntentForm, SubmitButton } from "#app/forms/intent-form.tsx";
import { type Difference, findDifference } from "#app/routes/credits/difference.server.ts";
import { findSpotInPayment, type SpotInPayment } from "#app/routes/credits/held-spot.server.ts";
import { HeldUntil } from "#app/routes/credits/held-until.tsx";
import { ContinueToPayment } from "#app/routes/credits/pending-payment.tsx";
import { ManageSubscription } from "#app/routes/credits/manage-subscription.tsx";
import { BuyCredits, PlanDialog } from "#app/routes/credits/plan-dialog.tsx";
import {
  type SubscriptionView,
  toSubscriptionView,
} from "#app/routes/credits/subscription-view.server.ts";
import { UnderWay } from "#app/routes/credits/under-way.tsx";
import { toUnderWayView } from "#app/routes/credits/under-way.server.ts";
import { viewerContext } from "#app/routes/guards.server.ts";
import { metaOf } from "#app/routes/meta.ts";
import type { Route } from "./+types/show";
import { Statement } from "#app/routes/credits/statement.tsx";
import {
  type BalanceView,
  loadStatement,
  type LotView,
  toBalanceView,
  toLotView,
} from "#app/routes/credits/wallet-view.server.ts";
import { formActions } from "#app/forms/form-action.server.ts";
import type { FormResult } from "#app/forms/form-result.ts";
import { rejected } from "#app/forms/form-rows.server.ts";
import { PROCESS_FAILED } from "#app/forms/messages.ts";
import { log } from "#app/platform/log.server.ts";
import { isSandbox } from "#app/platform/sandbox.ts";
import { openStripe } from "#app/platform/stripe.server.ts";
import { answerBuyCredits, type Plans } from "#app/routes/credits/plans.server.ts";
import { playerRows } from "#app/routes/player-row.server.ts";

export async function loader({ request, context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const { db } = app;
  const viewer = context.get(viewerContext);
  const { userId } = viewer;
  const instant = app.now();
  const at = { env: app.env, now: instant };
  const [statement, held, lots, subscriptions, payments, difference] = await Promise.all([
    loadStatement(db, userId, request),
    findSpotInPayment(app, userId),
    listOpenLots(db, userId),
    listSubscriptions(db, userId),
    listPaymentsUnderWay(db, { userId, now: instant }),
    findDifference(db, GAME_PRICE_CENTS, viewer),
  ]);
  return {
    held,
    // Bought for no game it would give the held spot back; the plans of that game have it.
    balance: toBalanceView(viewer, held ? null : difference),
    payments: payments.map((payment) => toUnderWayView(payment, at)),
    lots: lots.map((lot) => toLotView(lot, instant)),
    subscriptions: subscriptions.map(toSubscriptionView),
    ...statement,
  };
}

const { title: failed, description: formError } = PROCESS_FAILED;

const row = playerRows<FormResult & { plans?: Plans }>();

export const action = formActions({
  "buy-credits": row({
    ...{ failed, formError },
    run: ({ viewer, ...app }) => answerBuyCredits(app, viewer, "/wallet"),
    errors: {},
    done: (shown) => shown,
  }),
  /** Redirects to where a subscription is changed or cancelled. */
  "manage-subscription": row({
    ...{ failed, formError },
    run: async ({ env, db, viewer: { userId }, fields: { subscriptionId = null } }) => {
      // Anything else is no Stripe id, and PostgreSQL rejects NUL.
      if (subscriptionId !== null && !/^\w{1,255}$/.test(subscriptionId)) return rejected("none");
      try {
        const stripe = isSandbox(env) ? null : openStripe(env.stripeSecretKey ?? "");
        const own = { db, stripe, appUrl: env.appUrl, userId, subscriptionId };
        return (await openPortal(own)) ?? rejected("none");
      } catch (error) {
        log.error({ err: error }, "opening the customer portal");
        return rejected("not-opened");
      }
    },
    errors: { none: ["missing", formError], "not-opened": ["other-side", formError] },
    done: (url) => redirectDocument(url, 303),
  }),
});

export const meta = metaOf({ title: "Wallet" });

export default function Wallet({ loaderData, actionData }: Route.ComponentProps) {
  const { balance, held, payments, subscriptions, lots, ...statement } = loaderData;
  return (
    <>
      <PlanDialog plans={actionData?.plans ?? null} />
      <div className="mx-auto grid max-w-6xl grid-cols-1 gap-8 px-4 pt-6 lg:grid-cols-[22rem_1fr]">
        <div className="grid content-start gap-8">
          <h1 className="-mb-4 text-xl">Wallet</h1>
          <FormErrors result={actionData?.plans ? null : actionData} />
          <BalanceHeader balance={balance} isPaying={held !== null} />
          {/* A payment that is under way says so of the spot too. */}
          {held && !(held.isPending && payments.some(({ tone }) => tone === "info")) && (
            <HeldLine held={held} />
          )}
          <UnderWay payments={payments} className="-mt-4" />
          <SubscriptionSection subscriptions={subscriptions} />
          <LotList lots={lots} />
        </div>
        <Statement {...statement} />
      </div>
    </>
  );
}

function HeldLine({ held }: { held: SpotInPayment }) {
  return (
    <section
      aria-label="Spot held for you"
      className="-mt-4 grid gap-3 rounded-card bg-surface p-4 shadow-card sm:flex sm:items-center sm:justify-between lg:grid"
    >
      <div className="min-w-0">
        <Link translate="no" to={held.path} className="font-bold hover:underline">
          {held.venueName}
        </Link>
        <p className="tabular-nums">{`${held.monthDay}, ${held.start}`}</p>
        <HeldUntil {...held} />
      </div>
      {!held.isPending && <ContinueToPayment />}
    </section>
  );
}

type BalanceHeaderProps = { balance: BalanceView; isPaying: boolean };

function BalanceHeader({ balance, isPaying }: BalanceHeaderProps) {
  const isMain = !balance.canPlay && !balance.difference && !isPaying;
  return (
    <div className="grid gap-4">
      <div className="relative isolate grid gap-4 overflow-clip rounded-card bg-surface p-5 shadow-card">
        <CornerArc className="top-0 right-0 size-16 rotate-180" />
        <div>
          <p className="text-2xl font-extrabold tabular-nums">{balance.credits}</p>
          <p className="mt-1 text-lg tabular-nums">{balance.buys}</p>
        </div>
        <div className="flex flex-wrap items-center gap-3 max-[22rem]:*:grow">
          {balance.difference && <PayDifference difference={balance.difference} />}
          <BuyCredits variant={isMain ? "primary" : "secondary"} />
        </div>
        {balance.difference?.note && (
          <p className="text-sm text-muted">{balance.difference.note}</p>
        )}
      </div>
      {balance.debt && (
        <Notice tone="warn" title={balance.debt}>
          Your next purchase pays that first. Then you can join games again.
        </Notice>
      )}
    </div>
  );
}

function PayDifference({ difference }: { difference: Difference }) {
  const { packId, amountCents: amount, price } = difference;
  return (
    <IntentForm action="/checkout" hidden={{ packId, amount, returnTo: "/wallet" }}>
      <SubmitButton variant="primary" pendingLabel="Opening payment…">
        {`Pay ${price}`}
      </SubmitButton>
    </IntentForm>
  );
}

function SubscriptionSection({ subscriptions }: { subscriptions: SubscriptionView[] }) {
  if (subscriptions.length === 0) return null;
  const running = subscriptions.filter(({ isRunning }) => isRunning).length;
  return (
    <section aria-labelledby="subscription">
      <h2 id="subscription" className="mb-3 text-lg">
        Subscription
      </h2>
      {running > 1 && (
        <Notice tone="warn" className="mb-3">
          {`${running} subscriptions are running, and each is charged by itself. Cancel the ones you don't need.`}
        </Notice>
      )}
      <div className="grid divide-y divide-line rounded-card bg-surface shadow-card">
        {subscriptions.map(({ id, name, state, tone, grants, next, origin }) => (
          <div key={id} className="p-4">
            <p className="flex flex-wrap items-center justify-between gap-2">
              <span className="font-semibold">{name}</span>
              <Badge tone={tone}>{state}</Badge>
            </p>
            {grants && <p className="mt-1 text-sm tabular-nums">{grants}</p>}
            <p className="text-sm text-muted">{next}</p>
            <p className="mb-4 text-sm text-muted">{origin}</p>
            <ManageSubscription subscriptionId={id} />
          </div>
        ))}
      </div>
    </section>
  );
}

const LOTS_SHOWN = 4;

/** The lots of the balance in spending order, and the link to withdraw. */
function LotList({ lots }: { lots: LotView[] }) {
  if (lots.length === 0) return null;
  return (
    <section aria-labelledby="lots">
      <h2 id="lots" className="text-lg">
        Your credits
      </h2>
      <p className="mb-3 text-sm text-muted">Credits that expire soonest are used first.</p>
      <FirstFew items={lots} count={LOTS_SHOWN}>
        {(some) => <Lots lots={some} />}
      </FirstFew>
      <p className="mt-3">
        <Link to="/settings/withdraw" className="link inline-flex min-h-11 items-center">
          Withdraw from a purchase
        </Link>
      </p>
    </section>
  );
}

function Lots({ lots }: { lots: LotView[] }) {
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
