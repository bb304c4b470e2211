import { WITHDRAWAL_DAYS } from "#app/features/support/rules.ts";
import {
  listPurchases,
  listWithdrawals,
  type WithdrawalState,
} from "#app/features/support/withdrawals.server.ts";
import { FormErrors } from "#app/forms/form-errors.tsx";
import { IntentForm, ShortForm, SubmitButton } from "#app/forms/intent-form.tsx";
import { appContext } from "#app/routes/context.server.ts";
import { viewerContext } from "#app/routes/guards.server.ts";
import { metaOf } from "#app/routes/meta.ts";
import { Badge, type BadgeTone } from "#app/ui/badge.tsx";
import { ButtonLink } from "#app/ui/button.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { Notice } from "#app/ui/notice.tsx";
import type { Route } from "./+types/withdraw";
import { SettingsPage } from "./settings-page.tsx";
import {
  type PurchaseView,
  toPurchaseView,
  toWithdrawalView,
  withdrawAction,
  type WithdrawalView,
  type WithdrawResult,
} from "./withdraw-actions.server.ts";

export { pageHeaders as headers } from "#app/routes/page-headers.ts";

export const meta = metaOf({ title: "Withdraw from a purchase", path: "/settings/withdraw" });

export async function loader({ context }: Route.LoaderArgs) {
  const { db, now } = context.get(appContext);
  const viewer = context.get(viewerContext);
  const { userId } = viewer;
  const [purchases, withdrawals] = await Promise.all([
    listPurchases(db, { userId, now: now() }),
    listWithdrawals(db, userId),
  ]);
  return {
    name: `${viewer.firstName} ${viewer.lastName}`,
    email: viewer.email,
    purchases: purchases.map(toPurchaseView),
    withdrawals: withdrawals.map(toWithdrawalView),
  };
}

export const action = withdrawAction;

export default function Withdraw({ loaderData, actionData }: Route.ComponentProps) {
  const { name, email, purchases, withdrawals } = loaderData;
  const result: WithdrawResult | undefined = actionData;
  const isWaiting = withdrawals.some(({ state }) => state === "waiting");
  if (result?.stated) return <ConfirmStep purchase={result.stated} email={email} result={result} />;
  return (
    <SettingsPage
      title="Withdraw from a purchase"
      lead={`Within ${WITHDRAWAL_DAYS} days of a purchase you can withdraw from it, as far as its credits are unused. You need no reason.`}
    >
      <FormErrors result={result} />
      {isWaiting && <WithdrawalList withdrawals={withdrawals} />}
      {purchases.length > 0 ? (
        <PurchaseForm purchases={purchases} name={name} email={email} />
      ) : (
        <EmptyState>
          You have no purchase that you can withdraw from. Purchases older than {WITHDRAWAL_DAYS}{" "}
          days, used up, or not paid by you are not listed.
        </EmptyState>
      )}
      {!isWaiting && <WithdrawalList withdrawals={withdrawals} />}
    </SettingsPage>
  );
}

type ConfirmStepProps = {
  purchase: NonNullable<WithdrawResult["stated"]>;
  email: string;
  result: WithdrawResult;
};

function ConfirmStep({ purchase, email, result }: ConfirmStepProps) {
  const { paymentId, formKey, shown } = purchase;
  return (
    <SettingsPage title="Confirm your withdrawal">
      <blockquote className="rounded-card bg-surface p-5 text-lg shadow-card">
        I withdraw from my purchase of {purchase.packName}, as far as its credits are unused.
        <p className="mt-2 text-sm text-muted tabular-nums">{purchase.paid}</p>
        <p className="text-sm break-all text-muted">{purchase.reference}</p>
      </blockquote>
      <ul className="grid list-disc gap-2 pl-5">
        <li>
          {purchase.unused}: {purchase.refund} will be refunded to your means of payment within 14
          days.
        </li>
        <li>
          The credits leave your wallet at once. Until the refund is made you can take the
          withdrawal back, and have them again.
        </li>
        <li>An acknowledgement goes to {email} at once.</li>
      </ul>
      {purchase.isMonthly && (
        <Notice tone="warn">
          This is a month of a subscription. To stop the next ones, end it in your wallet under
          Manage subscription.
        </Notice>
      )}
      <ShortForm
        intent="confirm"
        hidden={{ paymentId, formKey, shown }}
        result={result.formError ? result : null}
        variant="danger"
        submit="Confirm withdrawal"
        pendingLabel="Confirming..."
      />
      <ButtonLink to="/settings/withdraw" wide className="-mt-3">
        Go back
      </ButtonLink>
    </SettingsPage>
  );
}

type PurchaseFormProps = Omit<Route.ComponentProps["loaderData"], "withdrawals">;

function PurchaseForm({ purchases, name, email }: PurchaseFormProps) {
  return (
    <ShortForm intent="state" submit="Withdraw from this purchase">
      <fieldset>
        <legend className="mb-1.5 font-semibold">I withdraw from</legend>
        <div className="grid gap-2">
          {purchases.map((purchase) => (
            <Choice key={purchase.paymentId} purchase={purchase} isOnly={purchases.length === 1} />
          ))}
        </div>
      </fieldset>
      <p className="text-sm text-muted">
        You withdraw as {name}. We acknowledge it by email to {email}.
      </p>
    </ShortForm>
  );
}

function Choice({ purchase, isOnly }: { purchase: PurchaseView; isOnly: boolean }) {
  const { paymentId, packName, paid, unused, refund, until } = purchase;
  return (
    <label htmlFor={paymentId} className={choiceClass}>
      <input
        id={paymentId}
        type="radio"
        name="paymentId"
        value={paymentId}
        defaultChecked={isOnly}
        className="row-span-3 mt-0.5 size-5 accent-(--ink)"
      />
      <span className="font-semibold">{packName}</span>
      <span className="text-sm text-muted tabular-nums">{paid}</span>
      <span className="text-sm tabular-nums">
        {unused}: {refund} back, <span className="whitespace-nowrap">{until}</span>
      </span>
    </label>
  );
}

const choiceClass =
  "grid grid-cols-[auto_1fr] gap-x-3 rounded-card border border-edge bg-raised p-4 hover:border-ink has-checked:border-ink";

function WithdrawalList({ withdrawals }: { withdrawals: WithdrawalView[] }) {
  if (withdrawals.length === 0) return null;
  return (
    <section aria-labelledby="withdrawals">
      <h2 id="withdrawals" className="mb-3 text-lg">
        Your withdrawals
      </h2>
      <ul className="divide-y divide-line rounded-card bg-surface shadow-card">
        {withdrawals.map((withdrawal) => (
          <WithdrawalRow key={withdrawal.id} withdrawal={withdrawal} />
        ))}
      </ul>
      {withdrawals.some(({ canCancelWithdrawal }) => canCancelWithdrawal) && (
        <p className="mt-2 text-sm text-muted">
          The refund takes up to 14 days. Until it is made you can take the withdrawal back, and its
          credits return to your wallet.
        </p>
      )}
    </section>
  );
}

function WithdrawalRow({ withdrawal }: { withdrawal: WithdrawalView }) {
  const { id, packName, stated, what, state, canCancelWithdrawal, rejectionReason } = withdrawal;
  return (
    <li className="grid gap-3 p-4">
      <div className="flex items-center justify-between gap-3">
        <div>
          <p className="font-semibold">{packName}</p>
          <p className="text-sm text-muted tabular-nums">
            {stated} · {what}
          </p>
        </div>
        <Badge tone={STATES[state].tone}>{STATES[state].name}</Badge>
      </div>
      {rejectionReason && <p className="wrap-anywhere whitespace-pre-line">{rejectionReason}</p>}
      {canCancelWithdrawal && (
        <IntentForm intent="take-back" hidden={{ withdrawalId: id }} preventScrollReset>
          <SubmitButton pendingLabel="Taking back…" className="md:justify-self-start">
            Take back<span className="sr-only"> the withdrawal from {packName}</span>
          </SubmitButton>
        </IntentForm>
      )}
    </li>
  );
}

const STATES: Record<WithdrawalState, { name: string; tone: BadgeTone }> = {
  waiting: { name: "Waiting", tone: "sky" },
  "paid-back": { name: "Refunded", tone: "green" },
  refused: { name: "Rejected", tone: "red" },
  "taken-back": { name: "Taken back", tone: "neutral" },
};
