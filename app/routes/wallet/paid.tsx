import { useEffect, useRef } from "react";
import { createContext, data, Link, redirect } from "react-router";
import { GameTicket } from "#app/features/games/game-ticket.tsx";
import { IntentForm, SubmitButton } from "#app/forms/intent-form.tsx";
import { appContext } from "#app/routes/context.server.ts";
import { ContinuePayment } from "#app/routes/credits/continue-payment.tsx";
import { GameLine } from "#app/routes/credits/game-line.tsx";
import { clearReturn } from "#app/routes/credits/plans.server.ts";
import { rereadViewer, viewerContext } from "#app/routes/guards.server.ts";
import { metaOf } from "#app/routes/meta.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { classNames } from "#app/ui/class-names.ts";
import { Check, Clock, Cross } from "#app/ui/icon.tsx";
import { Mail } from "#app/ui/other-icons.tsx";
import { CentreCircle } from "#app/ui/pitch-lines.tsx";
import type { Route } from "./+types/paid";
import { PaidGameCard } from "./paid-game.tsx";
import {
  findPayment,
  loadPaidPage,
  type PaidPage,
  type PaidState,
  readSessionId,
} from "./paid-page.server.ts";
import { useArrival, useLeadOn } from "./use-arrival.ts";

const paymentContext = createContext<Awaited<ReturnType<typeof findPayment>>>();

/** Before the header and the page are read, which show the same credits. */
export const middleware: Route.MiddlewareFunction[] = [
  async ({ request, context }) => {
    if (request.method === "POST") return;
    const { userId } = context.get(viewerContext);
    const sessionId = readSessionId(request);
    if (!sessionId) throw redirect("/wallet");
    const payment = await findPayment(context.get(appContext), { userId, sessionId });
    context.set(paymentContext, payment);
    await rereadViewer(context);
  },
];

/** Where Stripe returns to: waits for the credits and the booking that they pay for, or leads back. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const { balanceCents, debtCents } = context.get(viewerContext);
  const payment = { ...context.get(paymentContext), balanceCents, debtCents };
  const page = await loadPaidPage(app, request, payment);
  // Cleared, so that a later visit does not redirect.
  return data(page, { headers: page.onward ? { "Set-Cookie": await clearReturn(app.env) } : {} });
}

export const meta = metaOf({ title: "Your payment" });

export default function Paid({ loaderData: page }: Route.ComponentProps) {
  const watch = useArrival(page);
  const isLong = page.isLong || (page.state === "waiting" && watch.isLong);
  const { title, text } = isLong ? LONG : page.message;
  const ticket = page.paidGame?.state === "in" && page.paidGame.ticket;
  return (
    <div className="mx-auto grid max-w-xl gap-4 px-4 pt-6 pb-4 text-center">
      <h1 className="text-base font-semibold text-muted">Your payment</h1>
      {/* A ticket is a card of its own. */}
      <div
        className={classNames(
          "grid justify-items-center gap-4",
          !ticket && "rounded-card bg-surface p-5 shadow-card",
        )}
      >
        <PaidMark state={page.mark} isSmall={page.paidGame !== null || page.game !== null} />
        <div role="status">
          <p className="text-xl font-bold text-balance">{title}</p>
        </div>
        {ticket && <GameTicket game={ticket} />}
        <div role="status" className="grid max-w-md gap-2">
          <p className="text-balance">{text}</p>
          {page.state === "unconfirmed" && page.game?.held && (
            <p className="font-semibold">You are not in the game yet.</p>
          )}
        </div>
        {page.game && (
          <div className="w-full border-t border-line pt-4">
            <GameLine game={page.game} />
          </div>
        )}
        <PaidActions page={page} isLong={isLong} hasStopped={watch.hasStopped} />
        {page.receipt && (
          <Link to={page.receipt} className="link inline-flex min-h-11 items-center text-sm">
            See the receipt
          </Link>
        )}
      </div>
      {page.refreshes && (
        <noscript>
          <meta httpEquiv="refresh" content={`5;url=${page.again}`} />
        </noscript>
      )}
    </div>
  );
}

const LONG = {
  title: "This is taking longer than usual",
  text:
    "Nothing is lost. You may leave this page and look again later; your credits will arrive " +
    "automatically. If they are not there within an hour, write to us.",
};

function PaidMark({ state, isSmall }: { state: PaidState; isSmall: boolean }) {
  const { icon: Icon, look } = MARKS[state];
  return (
    <div
      className={classNames(
        "relative isolate grid w-full place-items-center overflow-hidden short:hidden",
        !isSmall && "h-52",
      )}
    >
      {!isSmall && <CentreCircle className="top-1/2 left-1/2 w-64 -translate-1/2" />}
      <span
        className={classNames(
          "relative grid place-items-center rounded-pill",
          isSmall ? "size-16" : "size-20",
          look,
        )}
      >
        <Icon className="size-9" />
        {(state === "waiting" || state === "booking") && (
          <span
            aria-hidden
            className="absolute inset-0 animate-spin rounded-pill border-3 border-ink border-r-transparent motion-reduce:hidden"
          />
        )}
      </span>
    </div>
  );
}

const MARKS = {
  waiting: { icon: Clock, look: "bg-sunken" },
  booking: { icon: Clock, look: "bg-sunken" },
  declined: { icon: Cross, look: "bg-warn-soft text-warn" },
  unconfirmed: { icon: Clock, look: "bg-info-soft text-info" },
  failed: { icon: Cross, look: "bg-danger-soft text-danger" },
  unmatched: { icon: Mail, look: "bg-info-soft text-info" },
  settled: { icon: Check, look: "bg-info-soft text-info" },
  arrived: { icon: Check, look: "bg-accent text-on-accent" },
};

type PaidActionsProps = { page: PaidPage; isLong: boolean; hasStopped: boolean };

function PaidActions({ page, isLong, hasStopped }: PaidActionsProps) {
  const { state, again } = page;
  if (page.paidGame) return <PaidGameCard game={page.paidGame} isSaid={page.hasOutcome} />;
  if (state === "arrived") return <Onward page={page} />;
  if (state === "failed") return <BuyAgain page={page} />;
  return (
    <div className="grid w-full gap-4 justify-items-center">
      {(isLong || state === "unmatched" || state === "settled") && <Contact page={page} />}
      {hasStopped && <p className="text-muted">This page no longer updates by itself.</p>}
      <div className="grid w-full gap-2 sm:grid-cols-2">
        <ButtonLink to={page.game?.path ?? "/events"}>
          {page.game ? "Go back to the game" : "Find a game"}
        </ButtonLink>
        <ButtonLink to={again} reloadDocument variant="quiet">
          Check again
        </ButtonLink>
      </div>
    </div>
  );
}

function Onward({ page: { onward } }: { page: PaidPage }) {
  const ref = useRef<HTMLAnchorElement>(null);
  const { isLeading, stop } = useLeadOn(onward?.to ?? null);
  useEffect(() => ref.current?.focus(), []);
  const { to, label } = onward ?? { to: "/events", label: "Find a game" };
  return (
    <div className="grid justify-items-center gap-3">
      <ButtonLink ref={ref} to={to} variant="primary" size="lg">
        {label}
      </ButtonLink>
      {isLeading && (
        <p className="flex flex-wrap items-center justify-center gap-x-2 text-sm text-muted">
          Taking you there…
          <Button type="button" variant="quiet" onClick={stop}>
            Stay here
          </Button>
        </p>
      )}
    </div>
  );
}

function BuyAgain({ page: { game, retry } }: { page: PaidPage }) {
  return (
    <div className="grid w-full gap-2">
      {retry ? (
        <ContinuePayment begun={retry} size="lg">
          {`Try again · ${retry.price}`}
        </ContinuePayment>
      ) : (
        !game && (
          <IntentForm intent="buy-credits" action="/wallet">
            <SubmitButton variant="primary" size="lg" wide pendingLabel="Opening plans…">
              Try again
            </SubmitButton>
          </IntentForm>
        )
      )}
      {game && (
        <ButtonLink to={game.path} {...(retry ? {} : { variant: "primary", size: "lg" })} wide>
          Go back to the game
        </ButtonLink>
      )}
    </div>
  );
}

function Contact({ page: { contactEmail, sessionId } }: { page: PaidPage }) {
  const subject = encodeURIComponent(`Payment ${sessionId}`);
  return (
    <p className="max-w-md text-sm text-muted">
      <a
        translate="no"
        href={`mailto:${contactEmail}?subject=${subject}`}
        className="link text-ink"
      >
        {contactEmail}
      </a>
      , reference <span className="font-mono break-all">{sessionId}</span>
    </p>
  );
}
