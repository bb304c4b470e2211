import type { FormResult } from "#app/forms/form-result.ts";
import { FormKey } from "#app/forms/form-key.tsx";
import { IntentForm, SubmitButton } from "#app/routes/admin/intent-form.tsx";
import { PhoneLink } from "#app/routes/admin/phone-link.tsx";
import { PaymentBadge } from "#app/features/bookings/payment-badge.tsx";
import { Avatar } from "#app/ui/avatar.tsx";
import { Badge } from "#app/ui/badge.tsx";
import { Button } from "#app/ui/button.tsx";
import { DialogClose, DialogTrigger, Dialog } from "#app/ui/dialog.tsx";
import { useKeptFocus } from "#app/ui/page-change.tsx";
import type { Roster, RosterPlayer } from "./game-view.server.ts";
import { type RowChange, useTap } from "./use-tap.ts";

interface TapProps {
  roster: Roster;
  player: RosterPlayer;
  onChange: (change: RowChange) => void;
}
/** `removal` is the removal that failed, of any row. */
type RowProps = TapProps & { removal: FormResult | undefined };

/** One player at the pitch: who, how to reach them, whether they came and whether they paid. */
export function RosterRow({ roster, player, removal, onChange }: RowProps) {
  const { bookingId, attendance, paymentStatus } = player;
  const failed = removal?.values?.bookingId === bookingId ? removal : undefined;
  const row = useKeptFocus<HTMLLIElement>(`${attendance} ${paymentStatus}`);
  return (
    <li
      ref={row}
      id={`seat-${bookingId}`}
      tabIndex={-1}
      aria-label={player.name}
      className="grid scroll-mt-20 grid-cols-[1fr_auto] items-center gap-3 rounded-card bg-surface p-4 shadow-card outline-none md:grid-cols-[1fr_auto_auto]"
    >
      <Who player={player} />
      {roster.isOn && (
        <>
          <div className="flex flex-wrap items-start gap-2 empty:hidden max-md:col-span-2 max-md:row-start-2">
            {roster.canMark && (
              <AttendanceTap roster={roster} player={player} onChange={onChange} />
            )}
            {paymentStatus === "Unpaid" && (
              <PaidTap roster={roster} player={player} onChange={onChange} />
            )}
          </div>
          {/* On a phone out of the way of a thumb that checks in. */}
          <div className="-mr-2 self-start max-md:col-start-2 max-md:row-start-1 md:col-start-3">
            <RemoveDialog roster={roster} player={player} result={failed} />
          </div>
        </>
      )}
    </li>
  );
}

function Who({ player }: { player: RosterPlayer }) {
  const { name, position, phone, attendance, cameWith } = player;
  return (
    <div className="flex min-w-0 items-center gap-3">
      <Avatar src={player.pictureUrl} name={name} />
      <div className="flex min-w-0 grow flex-wrap items-center gap-x-3 gap-y-1 md:flex-nowrap md:justify-between">
        <div className="min-w-0 max-md:contents">
          <p className="font-bold wrap-anywhere max-md:w-full">{name}</p>
          {(position || phone || cameWith) && (
            <p className="flex flex-wrap items-center gap-x-3 text-sm text-muted">
              {position}
              {cameWith && <span>{`with ${cameWith}`}</span>}
              {phone && (
                <PhoneLink
                  phone={phone}
                  className="inline-flex min-h-11 items-center font-semibold text-ink underline tabular-nums"
                />
              )}
            </p>
          )}
        </div>
        <div className="flex flex-wrap gap-1">
          {attendance && <AttendanceBadge attendance={attendance} />}
          <PaymentBadge status={player.paymentStatus} />
        </div>
      </div>
    </div>
  );
}

function AttendanceBadge({ attendance }: { attendance: "CheckedIn" | "NoShow" }) {
  if (attendance === "CheckedIn") return <Badge tone="lime">Checked in</Badge>;
  return <Badge tone="red">No-show</Badge>;
}

function AttendanceTap({ roster, player, onChange }: TapProps) {
  const { attendance, bookingId, name } = player;
  const { isPending, pressed, problem, onClick } = useTap(roster.path, onChange);
  // The other one waits without saying so.
  const tap = (to: string, label: string, isPrimary: boolean) => (
    <Button
      name="to"
      value={to}
      variant={isPrimary ? "primary" : "secondary"}
      pending={pressed === to}
      pendingLabel="Saving…"
      aria-disabled={isPending || undefined}
      className="max-md:grow"
      onClick={onClick}
    >
      {label} <span className="sr-only">{name}</span>
    </Button>
  );
  return (
    <form method="post" action={roster.path} className="grid gap-1 max-md:grow">
      <input type="hidden" name="intent" value="attendance" />
      <input type="hidden" name="bookingId" value={bookingId} />
      <input type="hidden" name="from" value={attendance ?? ""} />
      <div className="flex gap-2">
        {attendance ? tap("", "Undo", false) : tap("CheckedIn", "Check in", true)}
        {!attendance && tap("NoShow", "No-show", false)}
      </div>
      <Unsaved>{problem}</Unsaved>
    </form>
  );
}

function PaidTap({ roster, player, onChange }: TapProps) {
  const { isPending, problem, onClick } = useTap(roster.path, onChange);
  return (
    <form method="post" action={roster.path} className="grid gap-1">
      <input type="hidden" name="intent" value="mark-paid" />
      <input type="hidden" name="bookingId" value={player.bookingId} />
      <Button pending={isPending} pendingLabel="Saving…" onClick={onClick}>
        Mark paid <span className="sr-only">{player.name}</span>
      </Button>
      <Unsaved>{problem}</Unsaved>
    </form>
  );
}

/** Always rendered, so that screen readers announce changes. */
function Unsaved({ children }: { children: string | null }) {
  return (
    <p role="status" className="text-sm font-semibold text-danger">
      {children}
    </p>
  );
}

type RemoveProps = { roster: Roster; player: RosterPlayer; result: FormResult | undefined };

/** Confirms a removal, and asks for the refund. */
function RemoveDialog({ roster, player, result }: RemoveProps) {
  const dialog = `remove-${player.bookingId}`;
  return (
    <>
      <DialogTrigger dialog={dialog} variant="quiet">
        Remove <span className="sr-only">{player.name}</span>
      </DialogTrigger>
      <Dialog id={dialog} title={`Remove ${player.name}?`} open={result}>
        <IntentForm
          intent="remove"
          hidden={{ bookingId: player.bookingId }}
          result={result}
          action={roster.path}
        >
          <FormKey />
          <p>The seat is free for someone else at once, and the player is notified by email.</p>
          {player.refund ? (
            <fieldset className="grid">
              <legend className="font-semibold">Refund</legend>
              {Object.entries({ full: player.refund, none: "Give nothing back" }).map(
                ([value, label]) => (
                  <label key={value} className="flex min-h-11 items-center gap-3">
                    <input
                      type="radio"
                      name="refund"
                      value={value}
                      defaultChecked={value === (result?.values?.refund ?? "full")}
                      className="size-5"
                    />
                    {label}
                  </label>
                ),
              )}
            </fieldset>
          ) : (
            <>
              <input type="hidden" name="refund" value="none" />
              <p className="text-muted">No credits were taken, so none are given back.</p>
            </>
          )}
          <div className="flex flex-wrap justify-end gap-3 max-md:*:grow">
            <DialogClose dialog={dialog}>Keep the player</DialogClose>
            <SubmitButton variant="danger" pendingLabel="Removing…">
              Remove player
            </SubmitButton>
          </div>
        </IntentForm>
      </Dialog>
    </>
  );
}
