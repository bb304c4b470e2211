import { Link } from "react-router";
import { type EntryState, UNANSWERED_TEXT } from "#app/features/waitlist/rules.ts";
import { classNames } from "#app/ui/class-names.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { HeldUntil } from "#app/routes/credits/held-until.tsx";
import { Changes, LeaveWaitlist, EntryTerms } from "#app/routes/waitlist/entry-parts.tsx";
import type { WaitlistTicket } from "./ticket-view.ts";

/** Clearly no bookings: no ticket's shape, price or badge. Only a spot that is held is solid. */
export function WaitlistEntries({ entries }: { entries: WaitlistTicket[] }) {
  if (entries.length === 0) return null;
  return (
    <section aria-labelledby="waitlist">
      <h2 id="waitlist" className="text-lg">
        Waitlist
      </h2>
      <p className="mb-3 text-sm text-muted">Not booked. Leaving is always free.</p>
      <ul className="grid gap-3">
        {entries.map((entry) => (
          <li
            key={entry.entryId}
            className={classNames(
              "grid gap-3 rounded-card p-4 sm:flex sm:items-center sm:justify-between",
              entry.state === "offered"
                ? "bg-surface shadow-card"
                : "border-2 border-dashed border-edge",
            )}
          >
            <Place entry={entry} />
            <Actions entry={entry} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Place({ entry }: { entry: WaitlistTicket }) {
  return (
    <div className="min-w-0">
      <p className="flex flex-wrap items-baseline gap-x-3 text-sm tabular-nums">
        <span className="wide font-extrabold">{entry.weekday}</span>
        <time dateTime={entry.date} className="text-muted">
          {entry.monthDay}
        </time>
        <span className="font-semibold">
          {entry.start} – {entry.end}
        </span>
      </p>
      <h3 className="-my-1 text-base">
        <Link
          translate="no"
          to={`/events/${entry.gameId}`}
          className="inline-block py-2 hover:underline"
        >
          {entry.venueName}
        </Link>
      </h3>
      <div aria-live="polite" className="font-semibold tabular-nums">
        {entry.state === "offered" ? <HeldUntil {...entry.offer!} /> : TEXTS[entry.state](entry)}
      </div>
      <Changes changes={entry.changes} />
      {entry.state === "waiting" && <EntryTerms entry={entry} />}
    </div>
  );
}

const TEXTS: Record<Exclude<EntryState, "offered">, (entry: WaitlistTicket) => string | null> = {
  unanswered: () => UNANSWERED_TEXT,
  changed: ({ changed }) => changed,
  waiting: ({ position }) => position,
};

/** The page of the game, where the entry's question is answered. */
const ANSWERS: Record<EntryState, { to: string; label?: string } | null> = {
  offered: { to: "?offer=1" },
  unanswered: { to: "#join", label: "Look and answer" },
  changed: { to: "#join", label: "Look and agree" },
  waiting: null,
};

function Actions({ entry }: { entry: WaitlistTicket }) {
  const name = <span className="sr-only">{`${entry.venueName}, ${entry.weekday}`}</span>;
  const answer = ANSWERS[entry.state];
  return (
    <div className="flex flex-wrap gap-3 max-sm:*:grow sm:shrink-0 sm:flex-col">
      {answer && (
        <ButtonLink to={`/events/${entry.gameId}${answer.to}`} variant="primary">
          {answer.label ?? entry.take} {name}
        </ButtonLink>
      )}
      <LeaveWaitlist gameId={entry.gameId} entry={entry} name={name} />
    </div>
  );
}
