import { randomUUID } from "node:crypto";
import { useId } from "react";
import { data, isRouteErrorResponse, Link } from "react-router";
import { listEarlierTickets, listNextTickets } from "#app/features/bookings/bookings.server.ts";
import { findPlayerRecord } from "#app/features/players/profiles.server.ts";
import { listEntries } from "#app/features/wallet/statement.server.ts";
import { FormErrors } from "#app/forms/form-errors.tsx";
import { resultOf } from "#app/forms/form-result.ts";
import { BackLink } from "#app/routes/admin/back-link.tsx";
import { PaymentBadge } from "#app/features/bookings/payment-badge.tsx";
import { appContext } from "#app/routes/context.server.ts";
import { ErrorScreen, Missing } from "#app/routes/error-screens.tsx";
import { viewerContext } from "#app/routes/guards.server.ts";
import { pageMeta, siteOf } from "#app/routes/meta.ts";
import { toEntryView } from "#app/routes/wallet/wallet-view.server.ts";
import { EntryTable } from "#app/routes/wallet/statement.tsx";
import { Badge } from "#app/ui/badge.tsx";
import { Pager } from "#app/ui/pager.tsx";
import type { Route } from "./+types/show";
import { playerAction } from "./actions.server.ts";
import { BalanceForm, RoleForm, SuspensionForm } from "./forms.tsx";
import { PlayerHeader } from "./player-header.tsx";
import { type BookingView, toBookingView, toPlayerView } from "./player-view.ts";

const ENTRIES = 50;
const EARLIER = 20;

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const { db, now } = context.get(appContext);
  const record = await findPlayerRecord(db, params.playerId);
  if (!record) throw data(null, { status: 404 });
  const before = readBefore(request);
  const who = { playerId: record.id, now: now() };
  const [entries, next, earlier] = await Promise.all([
    listEntries(db, { userId: record.id, before, limit: ENTRIES + 1 }),
    listNextTickets(db, who),
    listEarlierTickets(db, { ...who, limit: EARLIER + 1 }),
  ]);
  const shown = entries.slice(0, ENTRIES);
  return {
    player: toPlayerView(record),
    isSelf: record.id === context.get(viewerContext).userId,
    next: next.map(toBookingView),
    earlier: earlier.slice(0, EARLIER).map(toBookingView),
    hasMoreEarlier: earlier.length > EARLIER,
    entries: shown.map(toEntryView),
    olderBefore: entries.length > ENTRIES ? shown.at(-1)!.seq : null,
    hasNewer: before !== undefined,
    correctionKey: randomUUID(),
  };
}

/** The number of a ledger entry; the statement's page has older ones. */
function readBefore(request: Request): number | undefined {
  const text = new URL(request.url).searchParams.get("before") ?? "";
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
}

export const action = playerAction;

export { revalidateOnConflict as shouldRevalidate } from "#app/forms/revalidate-on-conflict.ts";

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  pageMeta(siteOf(matches), { title: loaderData?.player.name ?? "Player not found" });

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  if (!isRouteErrorResponse(error) || error.status !== 404) {
    return <ErrorScreen error={error} inPage />;
  }
  const back = { to: "/admin/players", label: "Back to Players" };
  return <Missing title="Player not found" back={back} />;
}

export default function Player({ loaderData: page, actionData: result }: Route.ComponentProps) {
  const { player, isSelf, correctionKey, next, earlier } = page;
  return (
    <div key={player.id} className="grid gap-6">
      <div className="grid gap-2">
        <BackLink to="/admin/players">Players</BackLink>
        <PlayerHeader player={player} />
      </div>
      <FormErrors result={resultOf(result, "")} />
      <div className="grid items-start gap-4 md:grid-cols-2">
        <BalanceForm
          key={correctionKey}
          player={player}
          correctionKey={correctionKey}
          result={resultOf(result, "correct-balance")}
        />
        <div className="grid gap-4">
          {!isSelf && (
            <SuspensionForm player={player} result={resultOf(result, "suspend", "unsuspend")} />
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
      <BookingList title="Upcoming bookings" empty="No upcoming games." bookings={next} />
      <BookingList title="Earlier bookings" empty="No earlier games." bookings={earlier}>
        {page.hasMoreEarlier && `These are the latest ${earlier.length}.`}
      </BookingList>
      <Statement {...page} />
    </div>
  );
}

interface BookingListProps {
  title: string;
  empty: string;
  bookings: BookingView[];
  children?: string | false;
}

function BookingList({ title, empty, bookings, children }: BookingListProps) {
  const heading = useId();
  return (
    <section aria-labelledby={heading} className="grid gap-3">
      <h3 id={heading} className="text-base">
        {title}
      </h3>
      {bookings.length === 0 ? (
        <p className="text-muted">{empty}</p>
      ) : (
        <ul className="divide-y divide-line rounded-card bg-surface shadow-card">
          {bookings.map((booking) => (
            <li key={booking.id}>
              <BookingRow booking={booking} />
            </li>
          ))}
        </ul>
      )}
      {children && <p className="text-sm text-muted">{children}</p>}
    </section>
  );
}

function BookingRow({ booking }: { booking: BookingView }) {
  return (
    <Link to={`/admin/games/${booking.gameId}`} className={bookingClass}>
      <span className="grid min-w-0">
        <span className="font-semibold tabular-nums">{booking.when}</span>{" "}
        <span className="wrap-anywhere text-sm text-muted">{booking.place}</span>
      </span>
      <span className="text-right text-sm whitespace-nowrap tabular-nums max-md:hidden">
        {booking.price}
      </span>
      {booking.isCalledOff ? (
        <Badge>Game cancelled</Badge>
      ) : (
        <PaymentBadge status={booking.status} />
      )}
    </Link>
  );
}

const bookingClass =
  "grid min-h-14 grid-cols-[1fr_auto] items-center gap-4 px-4 py-3 hover:bg-sunken " +
  "md:grid-cols-[1fr_auto_9rem] md:[&>:last-child]:justify-self-end focus-visible:-outline-offset-3";

type StatementProps = Pick<
  Route.ComponentProps["loaderData"],
  "player" | "entries" | "olderBefore" | "hasNewer"
>;

/** The player's ledger as they see it themselves, page by page. */
function Statement({ player, entries, olderBefore, hasNewer }: StatementProps) {
  const page = `/admin/players/${player.id}`;
  return (
    <section aria-labelledby="statement" className="grid min-w-0 gap-3">
      <h3 id="statement" className="scroll-mt-20 text-base">
        Statement
      </h3>
      {entries.length > 0 ? (
        <EntryTable entries={entries} />
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
    </section>
  );
}
