import { useEffect } from "react";
import { listOpenLots } from "#app/features/wallet/lots.server.ts";
import { listEntries } from "#app/features/wallet/statement.server.ts";
import { listSubscriptions } from "#app/features/wallet/subscriptions.server.ts";
import { Notice } from "#app/ui/notice.tsx";
import { toast } from "#app/ui/toast.ts";
import { appContext } from "#app/routes/context.server.ts";
import { PlanDialog } from "#app/routes/credits/plan-dialog.tsx";
import { answerBuyCredits } from "#app/routes/credits/plans.server.ts";
import { formFields } from "#app/forms/form-fields.server.ts";
import { viewerContext } from "#app/routes/guards.server.ts";
import { pageMeta, siteOf } from "#app/routes/meta.ts";
import type { Route } from "./+types/show";
import { BalanceHeader } from "./balance-header.tsx";
import { balanceWords } from "./balance-words.ts";
import { showEntry } from "./entry-words.ts";
import { LotList } from "./lot-list.tsx";
import { showLot } from "./lot-words.ts";
import { failed, manageSubscription } from "./manage-subscription.server.ts";
import { Statement } from "./statement.tsx";
import { SubscriptionSection } from "./subscription-section.tsx";
import { showSubscription } from "./subscription-words.ts";

const PAGE = 50;

export async function loader({ request, context }: Route.LoaderArgs) {
  const { db, now } = context.get(appContext);
  const viewer = context.get(viewerContext);
  const { userId } = viewer;
  const before = readBefore(request);
  const [entries, lots, subscriptions] = await Promise.all([
    listEntries(db, { userId, before, limit: PAGE + 1 }),
    listOpenLots(db, userId),
    listSubscriptions(db, userId),
  ]);
  const shown = entries.slice(0, PAGE);
  const instant = now();
  return {
    balance: balanceWords(viewer),
    lots: lots.map((lot) => showLot(lot, instant)),
    subscriptions: subscriptions.map(showSubscription),
    entries: shown.map(showEntry),
    olderBefore: entries.length > PAGE ? shown.at(-1)!.seq : null,
    hasNewer: before !== undefined,
  };
}

/** Where the page of the statement begins; what is no place in a ledger begins at its end. */
function readBefore(request: Request): number | undefined {
  const text = new URL(request.url).searchParams.get("before") ?? "";
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
}

export async function action({ request, context }: Route.ActionArgs) {
  const app = context.get(appContext);
  const viewer = context.get(viewerContext);
  const { intent, subscriptionId = null } = await formFields(request);
  if (intent === "buy-credits") return answerBuyCredits(app, viewer, "/wallet");
  if (intent === "manage-subscription") {
    return manageSubscription(app, { userId: viewer.userId, subscriptionId });
  }
  return failed(400);
}

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(siteOf(matches), { title: "Wallet" });

export default function Wallet({ loaderData, actionData }: Route.ComponentProps) {
  const problem = actionData && "problem" in actionData ? actionData.problem : null;
  const offer = actionData && "plans" in actionData ? actionData.plans : null;
  useEffect(() => {
    if (problem) toast({ ...problem, tone: "danger" });
  }, [problem]);
  const { balance, subscriptions, lots, ...statement } = loaderData;
  return (
    <>
      <PlanDialog plans={offer} />
      <div className="mx-auto grid max-w-6xl grid-cols-1 gap-8 px-4 pt-6 lg:grid-cols-[22rem_1fr]">
        <div className="grid content-start gap-8">
          <h1 className="-mb-4 text-xl">Wallet</h1>
          {problem && (
            <Notice tone="danger" title={problem.title}>
              {problem.description}
            </Notice>
          )}
          <BalanceHeader balance={balance} />
          <SubscriptionSection subscriptions={subscriptions} />
          <LotList lots={lots} />
        </div>
        <Statement {...statement} />
      </div>
    </>
  );
}
