import { Avatar } from "#app/ui/avatar.tsx";
import { Badge } from "#app/ui/badge.tsx";
import { Button } from "#app/ui/button.tsx";
import { useKeptFocus } from "#app/ui/page-change.tsx";
import { PaymentBadge } from "#app/features/bookings/payment-badge.tsx";
import { RemoveDialog } from "./remove-dialog.tsx";
import type { Sheet, RosterPlayer } from "./sheet.server.ts";
import type { Now } from "./sheet-answer.ts";
import { PhoneLink } from "#app/routes/admin/phone-link.tsx";
import { useTap } from "./use-tap.ts";

type RowProps = {
  sheet: Sheet;
  player: RosterPlayer;
  /** Told what the row has become. */
  onNow: (now: Now) => void;
};

/** One player at the pitch: who, how to reach them, whether they came and whether they paid. */
export function SheetRow({ sheet, player, onNow }: RowProps) {
  const { bookingId, attendance, paymentStatus } = player;
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
      {sheet.isOn && (
        <>
          <div className="flex flex-wrap items-start gap-2 empty:hidden max-md:col-span-2 max-md:row-start-2">
            {sheet.canMark && <AttendanceTap sheet={sheet} player={player} onNow={onNow} />}
            {paymentStatus === "Unpaid" && <PaidTap sheet={sheet} player={player} onNow={onNow} />}
          </div>
          {/* On a phone out of the way of a thumb that checks in. */}
          <div className="-mr-2 self-start max-md:col-start-2 max-md:row-start-1 md:col-start-3">
            <RemoveDialog sheet={sheet} player={player} />
          </div>
        </>
      )}
    </li>
  );
}

function Who({ player }: { player: RosterPlayer }) {
  const { name, position, phone, attendance } = player;
  return (
    <div className="flex min-w-0 items-center gap-3">
      <Avatar src={player.pictureUrl} name={name} />
      <div className="flex min-w-0 grow flex-wrap items-center gap-x-3 gap-y-1 md:flex-nowrap md:justify-between">
        <div className="min-w-0 max-md:contents">
          <p className="font-bold break-words max-md:w-full">{name}</p>
          {(position || phone) && (
            <p className="flex flex-wrap items-center gap-x-3 text-sm text-muted">
              {position}
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

function AttendanceTap({ sheet, player, onNow }: RowProps) {
  const { attendance, bookingId, name } = player;
  const { isPending, pressed, problem, onClick } = useTap(sheet.path, onNow);
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
    <form method="post" action={sheet.path} className="grid gap-1 max-md:grow">
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

function PaidTap({ sheet, player, onNow }: RowProps) {
  const { isPending, problem, onClick } = useTap(sheet.path, onNow);
  return (
    <form method="post" action={sheet.path} className="grid gap-1">
      <input type="hidden" name="intent" value="mark-paid" />
      <input type="hidden" name="bookingId" value={player.bookingId} />
      <Button pending={isPending} pendingLabel="Saving…" onClick={onClick}>
        Mark paid <span className="sr-only">{player.name}</span>
      </Button>
      <Unsaved>{problem}</Unsaved>
    </form>
  );
}

/** Stands there from the start, so that what appears in it is read out. */
function Unsaved({ children }: { children: string | null }) {
  return (
    <p role="status" className="text-sm font-semibold text-danger">
      {children}
    </p>
  );
}
