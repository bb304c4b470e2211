import { randomUUID } from "node:crypto";
import { data, redirect } from "react-router";
import {
  cancelWithdrawal,
  withdrawPurchase,
} from "#app/features/support/withdraw-purchase.server.ts";
import {
  isWithdrawn,
  listPurchases,
  listWithdrawals,
} from "#app/features/support/withdrawals.server.ts";
import { WITHDRAWAL_DAYS } from "#app/features/support/rules.ts";
import { formKeyOf } from "#app/platform/ids.ts";
import { log } from "#app/platform/log.server.ts";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { type App, appContext } from "#app/routes/context.server.ts";
import { toastCookie } from "#app/forms/toast.server.ts";
import { formFields } from "#app/forms/form-fields.server.ts";
import { viewerContext } from "#app/routes/guards.server.ts";
import { pageMeta, siteOf } from "#app/routes/meta.ts";
import { throwUnknownOutcome } from "#app/forms/unknown-outcome.server.ts";
import type { Route } from "./+types/withdraw";
import { FormProblem } from "./form-problem.tsx";
import { SettingsPage } from "./settings-page.tsx";
import { ConfirmStep } from "./withdraw-confirm.tsx";
import { PurchaseForm } from "./withdraw-purchase-form.tsx";
import { showPurchase, showWithdrawal, type WithdrawAnswer } from "./withdraw-words.ts";
import { WithdrawalList } from "./withdrawal-list.tsx";

export { pageHeaders as headers } from "#app/routes/page-headers.ts";

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(siteOf(matches), {
    title: "Withdraw from a purchase",
    path: "/settings/withdraw",
  });

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
    purchases: purchases.map(showPurchase),
    withdrawals: withdrawals.map(showWithdrawal),
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  const app = context.get(appContext);
  const { userId } = context.get(viewerContext);
  const { intent, paymentId = "", withdrawalId = "", ...fields } = await formFields(request);
  if (intent === "take-back") return takeBack(app, { userId, withdrawalId });
  const { db, jobs, now } = app;
  if (!paymentId) return answer({ failure: "Please choose a purchase." }, 422);
  if (intent === "state") {
    const purchases = await listPurchases(db, { userId, now: now() });
    const stated = purchases.find((purchase) => purchase.paymentId === paymentId);
    if (!stated) return answer(GONE, 409);
    return answer({ stated: { ...showPurchase(stated), formKey: randomUUID() } }, 200);
  }
  if (intent !== "confirm") return answer(FAILED, 400);
  try {
    const wish = { userId, paymentId, formKey: formKeyOf(fields.formKey) };
    const withdrawn = await withdrawPurchase(db, jobs, { ...wish, now: now() });
    // Sent twice, the second form is told what the first one did.
    if (!withdrawn && !(await isWithdrawn(db, wish))) return answer(GONE, 409);
  } catch (error) {
    throwUnknownOutcome(error);
    log.error({ err: error }, "a withdrawal was not taken");
    return answer(FAILED, 500);
  }
  const description = "An acknowledgement is on its way to your mail.";
  return done(app, { title: "Withdrawal received", description });
}

async function takeBack(app: App, wish: { userId: string; withdrawalId: string }) {
  try {
    const result = await cancelWithdrawal(app.db, app.jobs, { ...wish, now: app.now() });
    if (!result.ok) return answer(TOO_LATE, 409);
  } catch (error) {
    throwUnknownOutcome(error);
    log.error({ err: error }, "a withdrawal was not taken back");
    return answer(NOT_TAKEN_BACK, 500);
  }
  const description = "Its credits are back in your wallet.";
  return done(app, { title: "Withdrawal taken back", description });
}

async function done(app: App, message: { title: string; description: string }) {
  const flash = await toastCookie(app.env, message);
  return redirect("/settings/withdraw", { headers: { "Set-Cookie": flash } });
}

const answer = (what: WithdrawAnswer, status: number) => data<WithdrawAnswer>(what, { status });
const GONE = { failure: "This purchase can no longer be withdrawn from." };
const TOO_LATE = { failure: "This withdrawal can no longer be taken back." };
const NOT_TAKEN_BACK = { failure: "Failed to take the withdrawal back. Please try again." };
const FAILED = { failure: "Failed to withdraw. Please try again." };

export default function Withdraw({ loaderData, actionData }: Route.ComponentProps) {
  const { name, email, purchases, withdrawals } = loaderData;
  const isWaiting = withdrawals.some(({ state }) => state === "waiting");
  if (actionData?.stated) return <ConfirmStep purchase={actionData.stated} email={email} />;
  return (
    <SettingsPage
      title="Withdraw from a purchase"
      lead={`Within ${WITHDRAWAL_DAYS} days of a purchase you can withdraw from it, as far as its credits are unused. You need no reason.`}
    >
      {isWaiting && <WithdrawalList withdrawals={withdrawals} />}
      {purchases.length > 0 ? (
        <PurchaseForm purchases={purchases} name={name} email={email}>
          <FormProblem answer={actionData} />
        </PurchaseForm>
      ) : (
        <>
          <FormProblem answer={actionData} />
          <EmptyState>
            You have no purchase that you can withdraw from. Purchases older than {WITHDRAWAL_DAYS}{" "}
            days, used up, or not paid by you are not listed.
          </EmptyState>
        </>
      )}
      {!isWaiting && <WithdrawalList withdrawals={withdrawals} />}
    </SettingsPage>
  );
}
