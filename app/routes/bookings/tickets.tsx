import { Suspense } from "react";
import { Link } from "react-router";
import { PaymentBadge } from "#app/features/bookings/payment-badge.tsx";
import { spotsText, spotsTone } from "#app/features/games/rules.ts";
import { Badge } from "#app/ui/badge.tsx";
import { ButtonLink } from "#app/ui/button.tsx";
import { DialogTrigger, Dialog } from "#app/ui/dialog.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { classNames } from "#app/ui/class-names.ts";
import { ChevronDown, External } from "#app/ui/icon.tsx";
import { Picture } from "#app/ui/picture.tsx";
import { Rolling } from "#app/ui/rolling.tsx";
import { ChangedSince } from "#app/live/changed-since.tsx";
import { LiveSpots } from "#app/live/live-spots.tsx";
import type { Live } from "#app/live/use-live-games.ts";
import type { SpotInPayment } from "#app/routes/credits/held-spot.server.ts";
import { HeldUntil } from "#app/routes/credits/held-until.tsx";
import { ContinueToPayment, PAYMENT_PENDING } from "#app/routes/credits/pending-payment.tsx";
import { CancelForm } from "#app/routes/own-spot/cancel-form.tsx";
import type { NextTicketView } from "./ticket-view.ts";
import { ChatLink } from "./chat-link.tsx";

type NextTicketsProps = {
  tickets: NextTicketView[];
  /** A spot while its player pays, which ends soonest. */
  held: SpotInPayment | null;
  live: Live;
  /** Where something else follows. */
  isShort: boolean;
  /** A spot that is offered above is more urgent than another game. */
  hasOffer: boolean;
};

export function NextTickets({ tickets, held, live, isShort, hasOffer }: NextTicketsProps) {
  return (
    <section aria-labelledby="next-games">
      <h2 id="next-games" className="wide mb-3 text-base font-extrabold">
        NEXT GAMES
      </h2>
      {tickets.length === 0 && !held ? (
        <EmptyState
          isShort={isShort}
          action={
            <ButtonLink to="/" variant={hasOffer ? "secondary" : "primary"}>
              FIND A GAME
            </ButtonLink>
          }
        >
          You are not attending any game yet.
        </EmptyState>
      ) : (
        <ul className="grid gap-4">
          {held && (
            <li>
              <HeldTicket held={held} />
            </li>
          )}
          {tickets.map((ticket, index) => (
            <li key={ticket.id}>
              <Suspense>
                <TicketCard
                  ticket={{ ...ticket, ...live[ticket.gameId], id: ticket.id }}
                  isLive={ticket.gameId in live}
                  isNext={index === 0}
                />
              </Suspense>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** No booking yet: no price, badge or cancellation. */
function HeldTicket({ held }: { held: SpotInPayment }) {
  return (
    <article className="flex flex-wrap items-end justify-between gap-4 rounded-card bg-surface p-4 shadow-card">
      <div className="grid gap-1 max-sm:grow">
        <p className="flex flex-wrap items-baseline gap-x-3 text-sm">
          <span className="wide font-extrabold">{held.weekday}</span>
          <time dateTime={held.date} className="text-muted">
            {held.monthDay}
          </time>
        </p>
        <p className="text-xl font-bold tabular-nums">
          {held.start} – {held.end}
        </p>
        <h3 className="-my-2 text-lg">
          <Link translate="no" to={held.path} className="inline-block py-2.5 hover:underline">
            {held.venueName}
          </Link>
        </h3>
        <HeldUntil {...held} />
        {held.isPending && <p className="text-muted">{PAYMENT_PENDING}</p>}
      </div>
      {!held.isPending && <ContinueToPayment />}
    </article>
  );
}

type TicketProps = { ticket: NextTicketView; isLive: boolean; isNext: boolean };

function TicketCard({ ticket, isLive, isNext }: TicketProps) {
  const name = <span className="sr-only">{`${ticket.venueName}, ${ticket.weekday}`}</span>;
  return (
    <article className="overflow-hidden rounded-card bg-surface shadow-card">
      <LiveSpots
        text={`${ticket.venueName}, ${ticket.weekday}: ${spotsText(ticket.spots)}`}
        isLive={isLive}
      />
      {isNext && ticket.photoUrl && (
        <div className="relative isolate aspect-21/9 overflow-hidden bg-night text-chalk">
          <Picture
            src={ticket.photoUrl}
            alt=""
            priority
            sizes="(min-width: 768px) 736px, 100vw"
            className="size-full object-cover"
          />
          <p className="absolute inset-x-0 bottom-0 bg-[linear-gradient(to_top_in_oklab,color-mix(in_oklab,var(--night)_90%,transparent),transparent)] px-4 pt-12 pb-3 text-lg font-bold">
            Kick-off {ticket.countdown}
          </p>
        </div>
      )}
      <div className="grid gap-4 overflow-hidden p-4 sm:grid-cols-[1fr_auto]">
        <TicketFacts ticket={ticket} isLive={isLive} isNext={isNext} />
        <div className="ticket-stub flex flex-wrap gap-1.5 sm:flex-col sm:gap-2">
          {ticket.mapsUrl && (
            <ButtonLink
              to={ticket.mapsUrl}
              rel="noreferrer"
              target="_blank"
              className={actionClass}
            >
              Directions {name} <External className="size-4 max-sm:hidden" />
            </ButtonLink>
          )}
          <ButtonLink to={`/events/${ticket.gameId}.ics`} reloadDocument className={actionClass}>
            Add to calendar {name}
          </ButtonLink>
          {ticket.quote && <CancelDialog ticket={ticket} quote={ticket.quote} />}
        </div>
      </div>
    </article>
  );
}

const actionClass = "max-sm:grow max-sm:px-2 max-sm:text-sm";

function TicketFacts({ ticket, isLive, isNext }: TicketProps) {
  const isOverPhoto = isNext && ticket.photoUrl;
  return (
    <div className="grid content-start gap-1">
      <p className="flex flex-wrap items-baseline gap-x-3 text-sm">
        <span className="wide font-extrabold">{ticket.weekday}</span>
        <time dateTime={ticket.date} className="text-muted">
          {ticket.monthDay}
        </time>
        {!isOverPhoto && <span className="text-muted">{ticket.countdown}</span>}
      </p>
      <p
        className={classNames(
          "font-bold tabular-nums",
          isNext ? "text-2xl max-[22rem]:text-xl" : "text-xl",
        )}
      >
        {ticket.start} – {ticket.end}
      </p>
      <h3 className="-my-2 text-lg">
        <Link
          translate="no"
          to={`/events/${ticket.gameId}`}
          className="inline-block py-2.5 hover:underline"
        >
          {ticket.venueName}
        </Link>
      </h3>
      <p translate="no" className="text-muted">
        {ticket.place}
      </p>
      <ChangedSince facts={[`${ticket.monthDay}, ${ticket.start} – ${ticket.end}`, ticket.place]} />
      <p className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
        <PaymentBadge status={ticket.paymentStatus} />
        <span className="tabular-nums">{ticket.price}</span>
        <Badge tone={spotsTone(ticket.spots)} size="sm">
          <Rolling text={spotsText(ticket.spots)} isLive={isLive} />
        </Badge>
      </p>
      <ChatLink ticket={ticket} />
      {ticket.held && (
        <Link
          to={`/events/${ticket.gameId}#friends`}
          className="link flex min-h-11 items-center text-sm font-semibold tabular-nums"
        >
          {ticket.held}
        </Link>
      )}
      {ticket.minimum && <p className="text-sm tabular-nums">{ticket.minimum}</p>}
      {ticket.terms && <p className="text-sm text-muted">{ticket.terms}</p>}
      {ticket.notes && <Notes text={ticket.notes} />}
    </div>
  );
}

function Notes({ text }: { text: string }) {
  return (
    <details className="group mt-1">
      <summary className="flex min-h-11 list-none items-center gap-2 font-semibold">
        From the organiser
        <ChevronDown className="size-5 transition-transform group-open:rotate-180" />
      </summary>
      <p className="pb-2 whitespace-pre-line wrap-anywhere">{text}</p>
    </details>
  );
}

function CancelDialog({ ticket, quote }: { ticket: NextTicketView; quote: string }) {
  const dialog = `cancel-${ticket.id}`;
  return (
    <>
      <DialogTrigger dialog={dialog} variant="quiet" className={actionClass}>
        Cancel <span className="sr-only">{`${ticket.venueName}, ${ticket.weekday}`}</span>
      </DialogTrigger>
      <Dialog id={dialog} title="Cancel this booking?">
        <p className="font-semibold">
          {ticket.venueName}, {ticket.monthDay}, {ticket.start}
        </p>
        <CancelForm
          dialog={dialog}
          booking={{ id: ticket.id, quote, shown: ticket.shown }}
          holdsForFriend={ticket.held !== null}
        />
      </Dialog>
    </>
  );
}
