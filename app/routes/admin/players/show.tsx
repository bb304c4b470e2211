import { randomUUID } from "node:crypto";
import { data, Link } from "react-router";
import {
  listEarlierTickets,
  listNextTickets,
  type Ticket,
} from "#app/features/bookings/bookings.server.ts";
import { listCashOf } from "#app/features/roster/cash-payments.server.ts";
import { listNoShows } from "#app/features/roster/no-shows.server.ts";
import { findPlayerRecord } from "#app/features/players/profiles.server.ts";
import { findTicket, listTicketsOf } from "#app/features/support/inbox.server.ts";
import { listPaymentsUnderWay } from "#app/features/wallet/pending-payments.server.ts";
import { listPurchasesOf } from "#app/features/wallet/stripe/refund-purchase.server.ts";
import { FormErrors } from "#app/forms/form-errors.tsx";
import { resultOf } from "#app/forms/form-result.ts";
import {
  type BookingView,
  toBookingView,
  toNoShowsView,
  toPlayersTicket,
  toPlayerView,
  toUnanswered,
} from "./player-view.ts";
import { ListLink, Part } from "#app/routes/admin/page.tsx";
import { PaymentBadge } from "#app/features/bookings/payment-badge.tsx";
import { appContext } from "#app/routes/context.server.ts";
import { missingBoundary } from "#app/routes/error-screens.tsx";
import { viewerContext } from "#app/routes/guards.server.ts";
import { pageMeta, siteOf } from "#app/routes/meta.ts";
import { loadStatement, type StatementPage } from "#app/routes/credits/wallet-view.server.ts";
import { EntryTable } from "#app/routes/credits/statement.tsx";
import { Badge } from "#app/ui/badge.tsx";
import { FirstFew } from "#app/ui/first-few.tsx";
import { Pager } from "#app/ui/pager.tsx";
import type { Route } from "./+types/show";
import { playerAction } from "./actions.server.ts";
import { BalanceForm, RoleForm, SuspensionForm } from "./forms.tsx";
import { JumpLinks, PlayerHeader } from "./player-header.tsx";
import { Messages } from "./messages.tsx";
import { NoShows } from "./no-shows.tsx";
import { Purchases } from "./purchases.tsx";
import { toPurchaseView } from "./purchase-view.server.ts";

const EARLIER = 20;
/** So that the statement and the forms are not far below. */
const UNFOLDED = 5;
const MESSAGES = 3;

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const { db, env, now } = context.get(appContext);
  const record = await findPlayerRecord(db, params.playerId);
  if (!record) throw data(null, { status: 404 });
  const who = { playerId: record.id, now: now() };
  const [statement, next, earlier, noShows, tickets, payments, purchases] = await Promise.all([
    loadStatement(db, record.id, request),
    listNextTickets(db, who),
    listEarlierTickets(db, { ...who, limit: EARLIER + 1 }),
    listNoShows(db, who),
    listTicketsOf(db, record.id, MESSAGES),
    listPaymentsUnderWay(db, { userId: record.id, now: who.now }),
    listPurchasesOf(db, record.id),
  ]);
  // A game that has begun is no longer to come.
  const begun = next.filter(({ startsAt }) => startsAt <= who.now).toReversed();
  const shown = [...begun, ...earlier.slice(0, EARLIER)];
  const cash = await listCashOf(
    db,
    [...next, ...shown].map(({ id }) => id),
  );
  const open = tickets.find(({ kind, status }) => kind === "message" && status === "open");
  const toView = (ticket: Ticket) => toBookingView(ticket, cash);
  return {
    player: toPlayerView(record, payments),
    isSelf: record.id === context.get(viewerContext).userId,
    next: next.filter(({ startsAt }) => startsAt > who.now).map(toView),
    earlier: shown.map(toView),
    noShows: toNoShowsView(noShows),
    tickets: tickets.map(toPlayersTicket),
    unanswered: open ? toUnanswered(await findTicket(db, open.id)) : null,
    answer: { answerId: randomUUID(), repliesTo: env.supportReplies ? null : env.contactEmail },
    purchases: purchases.map((purchase) => toPurchaseView(purchase, env)),
    hasMoreEarlier: earlier.length > EARLIER,
    ...statement,
    formKey: randomUUID(),
  };
}

export const action = playerAction;

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  pageMeta(siteOf(matches), { title: loaderData?.player.name ?? "Player not found" });

export const ErrorBoundary = missingBoundary(
  "Player not found",
  "/admin/players",
  "Back to Players",
);

export default function Player({ loaderData: page, actionData: result }: Route.ComponentProps) {
  const { player, isSelf, formKey, next, earlier, noShows } = page;
  return (
    <div key={player.id} className="grid gap-6">
      <div className="grid gap-2">
        <div className="flex flex-wrap items-center justify-between gap-x-4">
          <ListLink to="/admin/players">Players</ListLink>
          <Link
            to={`/admin/log?subject=${player.id}`}
            className="link inline-flex min-h-11 items-center"
          >
            History<span className="sr-only"> of {player.name}</span>
          </Link>
        </div>
        <PlayerHeader player={player} noShows={noShows?.count ?? null}>
          <JumpLinks player={player} isSelf={isSelf} hasNoShows={noShows !== null} />
        </PlayerHeader>
      </div>
      <FormErrors result={resultOf(result, "")} />
      <BookingList
        id="upcoming"
        title="Upcoming bookings"
        empty="No upcoming games."
        bookings={next}
      />
      <BookingList title="Earlier bookings" empty="No earlier games." bookings={earlier}>
        {page.hasMoreEarlier && `These are the latest ${earlier.length}.`}
      </BookingList>
      <Statement page={`/admin/players/${player.id}`} {...page} />
      {page.purchases.length > 0 && (
        <Purchases purchases={page.purchases} result={resultOf(result, "refund")} />
      )}
      {noShows && <NoShows noShows={noShows} result={resultOf(result, "excuse", "unexcuse")} />}
      <Messages tickets={page.tickets} unanswered={page.unanswered} {...page.answer} />
      <div className="divide-y divide-line rounded-card bg-surface shadow-card">
        <BalanceForm key={formKey} player={player} result={resultOf(result, "correct-balance")} />
        {!isSelf && (
          <SuspensionForm
            player={player}
            upcoming={next.length}
            result={resultOf(result, "suspend", "unsuspend")}
          />
        )}
        {(player.isAdmin || !player.suspension) && (
          <RoleForm
            player={player}
            isSelf={isSelf}
            result={resultOf(result, "make-admin", "unmake-admin")}
          />
        )}
      </div>
    </div>
  );
}

interface BookingListProps {
  id?: string;
  title: string;
  empty: string;
  bookings: BookingView[];
  children?: string | false;
}

function BookingList({ id, title, empty, bookings, children }: BookingListProps) {
  return (
    <Part id={id} title={title} className="grid scroll-mt-20 gap-3">
      {bookings.length === 0 ? (
        <p className="text-muted">{empty}</p>
      ) : (
        <FirstFew items={bookings} count={UNFOLDED}>
          {(some) => (
            <ul className="divide-y divide-line">
              {some.map((booking) => (
                <li key={booking.id}>
                  <BookingRow booking={booking} />
                </li>
              ))}
            </ul>
          )}
        </FirstFew>
      )}
      {children && <p className="text-sm text-muted">{children}</p>}
    </Part>
  );
}

function BookingRow({ booking }: { booking: BookingView }) {
  return (
    <Link to={`/admin/games/${booking.gameId}`} className={bookingClass}>
      <span className="grid min-w-0">
        <span className="font-semibold tabular-nums">{booking.when}</span>{" "}
        <span className="wrap-anywhere text-sm text-muted">{booking.place}</span>{" "}
        <span className="text-sm tabular-nums md:hidden">{booking.price}</span>{" "}
        {booking.cash.length > 0 && (
          <span className="text-sm tabular-nums">{booking.cash.join(" · ")}</span>
        )}
      </span>
      <span className="text-right text-sm whitespace-nowrap tabular-nums max-md:hidden">
        {booking.price}
      </span>
      <span className="flex flex-wrap justify-end gap-2 max-md:max-w-40">
        {booking.attendance && (
          <Badge tone={booking.attendance.tone}>{booking.attendance.text}</Badge>
        )}
        {booking.isCalledOff && <Badge>Game cancelled</Badge>}
        {booking.isRemoved && <Badge>Removed</Badge>}
        {!booking.isCalledOff && !(booking.isRemoved && booking.status === "Cancelled") && (
          <PaymentBadge status={booking.status} />
        )}
      </span>
    </Link>
  );
}

const bookingClass =
  "grid min-h-14 grid-cols-[1fr_auto] items-center gap-4 px-4 py-3 hover:bg-sunken " +
  "md:grid-cols-[1fr_auto_13rem] focus-visible:-outline-offset-3";

type StatementProps = StatementPage & { page: string };

function Statement({ page, entries, olderBefore, hasNewer }: StatementProps) {
  return (
    <Part title="Statement" id="statement" className="grid min-w-0 scroll-mt-20 gap-3">
      {entries.length > 0 ? (
        <EntryTable entries={entries} games="/admin/games" />
      ) : (
        <p className="text-muted">
          {hasNewer ? "There is nothing older." : "No transactions yet."}
        </p>
      )}
      <Pager
        label="Pages of the statement"
        first={hasNewer ? `${page}#statement` : null}
        next={olderBefore === null ? null : `${page}?before=${olderBefore}#statement`}
      />
    </Part>
  );
}
