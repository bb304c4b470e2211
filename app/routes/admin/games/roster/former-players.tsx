import { PhoneLink } from "#app/routes/admin/phone-link.tsx";
import { classNames } from "#app/ui/class-names.ts";
import { ChevronDown } from "#app/ui/icon.tsx";
import { RowForm } from "./cash-forms.tsx";
import type { Roster } from "#app/routes/admin/games/game-view.server.ts";
import type { FormerPlayerView } from "./roster-view.server.ts";

type FormerProps = { roster: Roster; former: FormerPlayerView[] };

/** Players whom a cancellation took out and, folded, those who left before. */
export function FormerPlayers({ roster, former }: FormerProps) {
  const calledOff = former.filter(({ isCalledOff }) => isCalledOff);
  const left = former.filter(({ isCalledOff }) => !isCalledOff);
  return (
    <>
      {calledOff.length > 0 && (
        <>
          <h3 className="text-base">In it when it was cancelled ({calledOff.length})</h3>
          <p className="-mt-2 text-sm text-muted">“Message all” still reaches them.</p>
          <FormerList roster={roster} former={calledOff} />
        </>
      )}
      {left.length > 0 && (
        <details className="group" open={left.some(({ cash }) => cash && !cash.isKept)}>
          <summary className="flex min-h-11 list-none items-center gap-2 font-semibold">
            <ChevronDown className="size-5 transition-transform group-open:rotate-180" />
            Cancelled ({left.length})
          </summary>
          <FormerList roster={roster} former={left} />
        </details>
      )}
    </>
  );
}

function FormerList({ roster, former }: FormerProps) {
  return (
    <ul className="grid overflow-hidden rounded-card bg-surface shadow-card">
      {former.map(({ bookingId, name, phone, how, back, reason, cash }) => (
        <li
          key={bookingId}
          id={`seat-${bookingId}`}
          className="grid scroll-mt-20 gap-1 border-t border-line px-4 py-3 first:border-t-0"
        >
          <div className="flex flex-wrap items-center justify-between gap-x-4">
            <p translate="no" className="font-bold wrap-anywhere">
              {name}
            </p>
            {phone && (
              <PhoneLink
                phone={phone}
                className="inline-flex min-h-11 items-center font-semibold underline tabular-nums"
              />
            )}
          </div>
          <p className="text-sm text-muted tabular-nums">
            {[how, back].filter(Boolean).join(" · ")}
          </p>
          {reason && <p className="text-sm wrap-anywhere">“{reason}”</p>}
          {cash && <FormerCash roster={roster} bookingId={bookingId} name={name} cash={cash} />}
        </li>
      ))}
    </ul>
  );
}

type CashProps = Pick<FormerPlayerView, "bookingId" | "name"> & {
  roster: Roster;
  cash: NonNullable<FormerPlayerView["cash"]>;
};

/** A payment by hand is given back, or kept (which can be undone), or was noted by mistake. */
function FormerCash({ roster, bookingId, name, cash }: CashProps) {
  const form = { roster, hidden: { bookingId, cashPaymentId: cash.id } };
  const to = `to ${name}`;
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
      <p
        className={classNames(
          "tabular-nums",
          cash.isKept ? "text-muted" : "font-semibold text-warn",
        )}
      >
        {cash.text}
      </p>
      <div className="ml-auto flex flex-wrap justify-end gap-1 [&_button]:px-2.5">
        {cash.isKept ? (
          <RowForm {...form} intent="owe-cash" label="Give it back after all" about={to} isQuiet />
        ) : (
          <>
            <RowForm
              {...form}
              intent="mark-unpaid"
              label="Never paid"
              about={`by ${name}`}
              isQuiet
            />
            <RowForm {...form} intent="keep-cash" label="Keep it" about={`from ${name}`} isQuiet />
            <RowForm {...form} intent="give-cash-back" label="Given back" about={to} />
          </>
        )}
      </div>
    </div>
  );
}
