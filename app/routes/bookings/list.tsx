import { randomUUID } from "node:crypto";
import { useEffect } from "react";
import { data, redirect } from "react-router";
import type { Route } from "./+types/list";
import { listEarlierTickets, listNextTickets } from "#app/features/bookings/bookings.server.ts";
import { cancelBooking } from "#app/features/bookings/cancel-booking.server.ts";
import { wholeCredits } from "#app/platform/money.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { toast } from "#app/ui/toast.ts";
import { WholePage } from "#app/ui/empty-state.tsx";
import { type App, appContext } from "#app/routes/context.server.ts";
import { PlanDialog } from "#app/routes/credits/plan-dialog.tsx";
import { answerBuyCredits } from "#app/routes/credits/plans.server.ts";
import { toastCookie } from "#app/forms/toast.server.ts";
import { readForm } from "#app/forms/form-fields.server.ts";
import { getViewer, requirePlayer } from "#app/routes/guards.server.ts";
import { logFailure } from "#app/forms/log-failure.server.ts";
import { pageMeta, siteOf } from "#app/routes/meta.ts";
import { cancelledMessage, parseCancel } from "./cancel-form.ts";
import { EarlierTickets, NextTickets } from "./tickets.tsx";
import { showTicket } from "./ticket-view.ts";
import { Wallet } from "#app/ui/icon.tsx";
import { BuyCredits } from "#app/routes/credits/buy-credits.tsx";

const PAGE = 20;

export async function loader({ request, context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const viewer = await getViewer(context);
  if (!viewer) return { viewer: null };
  const after = new URL(request.url).searchParams.get("after");
  return {
    viewer: { firstName: viewer.firstName, credits: wholeCredits(viewer.balanceCents) },
    ...(await loadTickets(app, viewer.userId, after)),
    formKey: randomUUID(),
  };
}

async function loadTickets({ db, now }: App, playerId: string, after: string | null) {
  const instant = now();
  const [next, earlier] = await Promise.all([
    listNextTickets(db, { playerId, now: instant }),
    listEarlierTickets(db, { playerId, now: instant, after, limit: PAGE + 1 }),
  ]);
  const show = (ticket: (typeof next)[number]) => showTicket(ticket, instant);
  const shown = earlier.slice(0, PAGE);
  return {
    next: next.map(show),
    earlier: shown.map(show),
    pages: {
      first: after === null ? null : "/bookings#earlier-games",
      next: earlier.length > PAGE ? `/bookings?after=${shown.at(-1)!.id}#earlier-games` : null,
    },
  };
}

export { revalidateOnConflict as shouldRevalidate } from "#app/forms/revalidate-on-conflict.ts";

export async function action({ request, context }: Route.ActionArgs) {
  const app = context.get(appContext);
  const { db, jobs, env, now } = app;
  const viewer = await requirePlayer(context, request, { to: "/auth" });
  const formData = await readForm(request);
  if (formData.get("intent") === "buy-credits") return answerBuyCredits(app, viewer, "/bookings");
  const form = parseCancel(formData);
  if (!form) return problem(CANCEL_FAILED, 400);
  const cancellation = { ...form, playerId: viewer.userId, now: now() };
  const answer = await cancelBooking(db, jobs, cancellation).catch(
    logFailure("cancelling a booking"),
  );
  if (!answer) return problem(CANCEL_FAILED, 500);
  if (!answer.ok) {
    const [description, status] = REFUSALS[answer.reason];
    return problem(description, status);
  }
  const cookie = await toastCookie(env, cancelledMessage(answer.refundCents));
  return redirect("/bookings", { headers: { "Set-Cookie": cookie } });
}

const REFUSALS = {
  "not-found": ["This booking does not exist or is not yours.", 404],
  "already-cancelled": ["This booking is already cancelled.", 409],
  "not-cancellable": ["This booking can no longer be cancelled.", 409],
} as const;
const CANCEL_FAILED = "Failed to cancel booking. Please try again.";

function problem(description: string, status: number) {
  return data({ title: "Error", description }, status);
}

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(siteOf(matches), { title: "My Games", noindex: true });

export default function MyGames({ loaderData, actionData }: Route.ComponentProps) {
  const plans = actionData && "plans" in actionData ? actionData.plans : null;
  const refusal = actionData && "title" in actionData ? actionData : null;
  useEffect(() => {
    if (!refusal) return;
    document.querySelector<HTMLDialogElement>("dialog[open]")?.close();
    toast({ ...refusal, tone: "danger" });
  }, [refusal]);
  if (!loaderData.viewer) return <SignedOut />;
  const { viewer, next, earlier, pages } = loaderData;
  return (
    <>
      <PlanDialog plans={plans} />
      <div className="mx-auto grid max-w-3xl gap-8 px-4 pt-6">
        <header className="grid gap-4">
          <h1 className="text-xl">Hi {viewer.firstName || "there"}</h1>
          <WalletStrip credits={viewer.credits} />
        </header>
        {refusal && (
          <Notice tone="danger" title={refusal.title}>
            {refusal.description}
          </Notice>
        )}
        <NextTickets tickets={next} />
        <EarlierTickets tickets={earlier} pages={pages} />
      </div>
    </>
  );
}

function SignedOut() {
  return (
    <WholePage
      title="Please sign in to view your bookings"
      action={
        <ButtonLink to="/auth?redirectTo=%2Fbookings" variant="primary" size="lg">
          Sign In
        </ButtonLink>
      }
    />
  );
}

/** The balance in whole credits. */
export function WalletStrip({ credits }: { credits: string }) {
  return (
    <div className="flex items-center justify-between gap-4 rounded-card bg-surface p-4 shadow-card">
      <p className="flex items-center gap-3">
        <Wallet className="text-muted" />
        <span>
          <strong className="text-xl tabular-nums">{credits}</strong>{" "}
          <span className="text-muted">credits</span>
        </span>
      </p>
      <BuyCredits />
    </div>
  );
}
