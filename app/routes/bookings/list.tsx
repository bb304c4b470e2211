import { randomUUID } from "node:crypto";
import { lazy, Suspense, useEffect, useEffectEvent, useLayoutEffect } from "react";
import type { Viewer } from "#app/features/accounts/sessions.server.ts";
import { listEarlierTickets, listNextTickets } from "#app/features/bookings/bookings.server.ts";
import { describePendingCash } from "#app/features/bookings/pending-cash.server.ts";
import { listCountedNoShows } from "#app/features/roster/no-shows.server.ts";
import { leaveWaitlist } from "#app/features/waitlist/join-waitlist.server.ts";
import { listOwnEntries } from "#app/features/waitlist/entries.server.ts";
import { LEAVE_ERRORS, LEFT_WAITLIST } from "#app/routes/waitlist/leave.ts";
import { isLive } from "#app/features/seats/rules.ts";
import { unreadText } from "#app/features/chat/rules.ts";
import { formActions } from "#app/forms/form-action.server.ts";
import { FormErrors } from "#app/forms/form-errors.tsx";
import type { FormResult } from "#app/forms/form-result.ts";
import { readShown } from "#app/platform/as-shown.ts";
import { dateAndTime, wallClock } from "#app/platform/clock.ts";
import { wholeCredits } from "#app/platform/money.ts";
import { type App, appContext } from "#app/routes/context.server.ts";
import { unreadOf } from "#app/routes/unread.server.ts";
import { findSpotInPayment } from "#app/routes/credits/held-spot.server.ts";
import { BuyCredits, PlanDialog } from "#app/routes/credits/plan-dialog.tsx";
import { answerBuyCredits, type Plans } from "#app/routes/credits/plans.server.ts";
import { findAboutEntries } from "#app/routes/waitlist/view.server.ts";
import { useKeptResult } from "#app/live/kept-result.ts";
import { useRereading } from "#app/live/rereading.ts";
import { CANCEL } from "#app/routes/own-spot/cancel-row.server.ts";
import { getViewer, signedInToSend } from "#app/routes/guards.server.ts";
import { useLiveGames } from "#app/live/use-live-games.ts";
import { playerRows } from "#app/routes/player-row.server.ts";
import { metaOf } from "#app/routes/meta.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { WholePage } from "#app/ui/empty-state.tsx";
import { deleteKept, keptKey, writeKept } from "#app/ui/kept.ts";
import { Wallet } from "#app/ui/other-icons.tsx";
import type { Route } from "./+types/list";
import { EarlierTickets, OpenSpots } from "./earlier-tickets.tsx";
import {
  type NextTicketView,
  noShowsNotice,
  toNextTicketView,
  toWaitlistTicket,
  toTicketView,
} from "./ticket-view.ts";
import { NextTickets } from "./tickets.tsx";
import { WaitlistEntries } from "./waitlist-entries.tsx";

const InstallCard = lazy(() => import("./install-card.tsx").catch(() => ({ default: () => null })));

const PAGE = 20;
const INSTALL_AFTER_GAMES = 2;

export async function loader({ request, context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const viewer = await getViewer(context);
  if (!viewer) return { viewer: null };
  const after = new URL(request.url).searchParams.get("after");
  return {
    brandName: app.env.brandName,
    viewer: { firstName: viewer.firstName, credits: wholeCredits(viewer.balanceCents) },
    ...(await loadTickets(app, viewer, { after, unread: unreadOf(context, viewer.userId) })),
    formKey: randomUUID(),
  };
}

interface Wanted {
  after: string | null;
  unread: ReturnType<typeof unreadOf>;
}

async function loadTickets(app: App, viewer: Viewer, { after, unread }: Wanted) {
  const { db } = app;
  const { userId: playerId } = viewer;
  const instant = app.now();
  const [next, held, entries, earlier, noShows, unreadIn] = await Promise.all([
    listNextTickets(db, { playerId, now: instant }),
    findSpotInPayment(app, playerId),
    listOwnEntries(db, { playerId, now: instant }),
    listEarlierTickets(db, { playerId, now: instant, after, limit: PAGE + 1 }),
    listCountedNoShows(db, { playerId, now: instant }),
    unread,
  ]);
  const shown = earlier.slice(0, PAGE);
  const ended = shown.filter(({ paymentStatus }) => !isLive(paymentStatus));
  const [about, cashBack] = await Promise.all([
    findAboutEntries(app, entries, viewer),
    describePendingCash(db, { bookingIds: ended.map(({ id }) => id) }),
  ]);
  const withUnread = <T extends { gameId: string }>(ticket: T) => {
    const count = unreadIn.get(ticket.gameId);
    return { ...ticket, unread: count ? unreadText(count) : null };
  };
  const joined = [...next, ...earlier].filter(({ paymentStatus }) => isLive(paymentStatus));
  return {
    offersInstall: joined.length >= INSTALL_AFTER_GAMES,
    saved: dateAndTime(wallClock(instant)),
    next: next.map((ticket) => withUnread(toNextTicketView(ticket, instant))),
    held,
    entries: entries.map((entry) => toWaitlistTicket(entry, about.get(entry.entryId), instant)),
    noShows: noShowsNotice(noShows),
    earlier: shown.map((ticket) => ({
      ...withUnread(toTicketView(ticket, instant)),
      cashBack: cashBack.get(ticket.id) ?? null,
    })),
    pages: {
      first: after === null ? null : "/bookings#earlier-games",
      next: earlier.length > PAGE ? `/bookings?after=${shown.at(-1)!.id}#earlier-games` : null,
    },
  };
}

export const middleware: Route.MiddlewareFunction[] = [signedInToSend()];

const row = playerRows<FormResult & { plans?: Plans }>();

const leave = row({
  failed: "Failed to leave the waitlist",
  run: ({ db, jobs, now, viewer: { userId: playerId }, fields: { gameId = "", shown } }) =>
    leaveWaitlist(db, jobs, { gameId, playerId, shown: readShown(shown), now: now() }),
  errors: LEAVE_ERRORS,
  done: LEFT_WAITLIST,
});

const buyCredits = row({
  failed: "Failed to load credit packs",
  run: ({ viewer, ...app }) => answerBuyCredits(app, viewer, "/bookings"),
  errors: {},
  done: (shown) => shown,
});

export const action = formActions({
  cancel: row(CANCEL),
  "leave-waitlist": leave,
  "buy-credits": buyCredits,
});

export const meta = metaOf({ title: "My Games", noindex: true });

export default function MyGames({ loaderData, actionData }: Route.ComponentProps) {
  const shown = useKeptResult(actionData);
  const plans = shown?.plans ?? null;
  const result = plans ? null : shown;
  // Before the error takes the focus, which the dialog would keep.
  useLayoutEffect(() => {
    if (result) document.querySelector<HTMLDialogElement>("dialog[open]")?.close();
  }, [result]);
  useEffect(() => {
    deleteKept("tickets");
    if (loaderData.viewer) saveTickets(loaderData);
  }, [loaderData]);
  const games = loaderData.viewer ? followedGames(loaderData) : [];
  const startRereading = useRereading();
  const live = useLiveGames({ of: loaderData, games, startRereading });
  const begin = useEffectEvent(() => startRereading());
  useEffect(() => {
    // No stream of games has new chat messages.
    const { soon, stop } = begin();
    const look = () => document.hidden || soon();
    document.addEventListener("visibilitychange", look);
    return () => {
      document.removeEventListener("visibilitychange", look);
      stop();
    };
  }, []);
  if (!loaderData.viewer) return <SignedOut />;
  const { viewer, next, held, entries, earlier, pages, ...rest } = loaderData;
  // A spot that is offered is held for hours at most.
  const isWaitlistFirst = entries.some(({ state }) => state === "offered");
  return (
    <>
      <PlanDialog plans={plans} />
      <div className="mx-auto grid max-w-3xl gap-8 px-4 pt-6">
        <header className="grid gap-4">
          <h1 className="text-xl">Hi {viewer.firstName || "there"}</h1>
          <WalletStrip credits={viewer.credits} isPaying={held !== null} />
        </header>
        <FormErrors result={result} toast={result?.form === "cancel" ? "instead" : undefined} />
        {isWaitlistFirst && <WaitlistEntries entries={entries} />}
        <NextTickets
          {...{ tickets: next, held, live }}
          isShort={entries.length > 0}
          hasOffer={isWaitlistFirst}
        />
        <OpenSpots tickets={earlier} />
        {!isWaitlistFirst && <WaitlistEntries entries={entries} />}
        {rest.offersInstall && (
          <Suspense>
            <InstallCard brandName={rest.brandName} />
          </Suspense>
        )}
        <Suspense>
          <EarlierTickets tickets={earlier} pages={pages} noShows={rest.noShows} />
        </Suspense>
      </div>
    </>
  );
}

/** Shown without a connection by routes/public/offline-tickets.js. */
function saveTickets({ saved, next }: { saved: string; next: NextTicketView[] }): void {
  if (!navigator.serviceWorker) return;
  const tickets = next.map(
    ({ weekday, monthDay, start, end, venueName, place, mapsUrl, terms, notes, endsAt }) => ({
      ...{ weekday, monthDay, start, end, venueName, place, mapsUrl, terms, notes, endsAt },
    }),
  );
  writeKept(keptKey("tickets", "next"), { saved, tickets });
}

type Tickets = Pick<
  Awaited<ReturnType<typeof loadTickets>>,
  "next" | "held" | "entries" | "earlier"
>;

/** Also games whose given-back spot may still be taken, so that credits come back. */
function followedGames({ next, held, entries, earlier }: Tickets) {
  const given = earlier.filter(({ openSpot }) => openSpot);
  return [...next, ...(held ? [held] : []), ...entries, ...given].map(({ gameId, ...game }) => ({
    ...game,
    id: gameId,
  }));
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

function WalletStrip({ credits, isPaying }: { credits: string; isPaying: boolean }) {
  return (
    <div className="flex items-center justify-between gap-4 rounded-card bg-surface p-4 shadow-card">
      <p className="flex items-center gap-3">
        <Wallet className="text-muted max-[22rem]:hidden" />
        <span>
          <strong className="text-xl tabular-nums">{credits}</strong>{" "}
          <span className="text-muted">credits</span>
        </span>
      </p>
      <BuyCredits variant={credits === "0" && !isPaying ? "primary" : undefined} />
    </div>
  );
}
