import { buttonClass, ButtonLink } from "#app/ui/button.tsx";
import { Calendar, External } from "#app/ui/icon.tsx";
import { CentreCircle } from "#app/ui/pitch-lines.tsx";

interface TicketGame {
  id: string;
  date: string;
  longDate: string;
  start: string;
  end: string;
  venue: { name: string; place: string; mapsUrl: string | null };
}

/** When and where to be, for a player who is in, and what most do next. */
export function GameTicket({ game }: { game: TicketGame }) {
  const { id, venue, longDate, date, start, end } = game;
  return (
    <div className="grid w-full gap-3 text-left">
      <div className="relative isolate grid gap-1 overflow-hidden rounded-card bg-pitch p-5 text-chalk">
        <CentreCircle className="top-1/2 -right-28 w-64 -translate-y-1/2 text-chalk/20 large:hidden max-[22rem]:hidden" />
        <time dateTime={date} className="text-sm font-semibold">
          {longDate}
        </time>
        <p className="text-xl font-bold tabular-nums">{`${start} – ${end}`}</p>
        <p translate="no" className="font-semibold">
          {venue.name}
        </p>
        <p translate="no" className="text-sm">
          {venue.place}
        </p>
      </div>
      <div className="flex flex-wrap gap-3 *:grow">
        {venue.mapsUrl && (
          <ButtonLink to={venue.mapsUrl} rel="noreferrer" target="_blank">
            Directions <External className="size-4" />
          </ButtonLink>
        )}
        <a href={`/events/${id}.ics`} className={buttonClass({})}>
          <Calendar className="size-5" /> Add to calendar
        </a>
      </div>
    </div>
  );
}
