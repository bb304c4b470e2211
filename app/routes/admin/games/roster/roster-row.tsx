import type { MouseEvent } from "react";
import { Link } from "react-router";
import { PaymentBadge } from "#app/features/bookings/payment-badge.tsx";
import { isSeatPaymentOpen } from "#app/features/roster/unpaid-rules.ts";
import { resultOf } from "#app/forms/form-result.ts";
import { PostForm } from "#app/forms/post-form.tsx";
import { PhoneLink } from "#app/routes/admin/phone-link.tsx";
import type { Attendance } from "#app/platform/schema.ts";
import { Avatar } from "#app/ui/avatar.tsx";
import { Badge } from "#app/ui/badge.tsx";
import { Button } from "#app/ui/button.tsx";
import { classNames } from "#app/ui/class-names.ts";
import { DialogTrigger } from "#app/ui/dialog.tsx";
import { ChevronDown } from "#app/ui/icon.tsx";
import { MarkPaid, PayDialog, RowForm } from "./cash-forms.tsx";
import type { Roster, RosterPlayer } from "#app/routes/admin/games/game-view.server.ts";
import { removeDialog, RemoveDialog } from "./remove-dialog.tsx";
import type { RowStatus } from "#app/routes/admin/tap-queue.ts";
import type { Taps } from "./use-taps.ts";
import { HiddenName } from "#app/routes/admin/games/hidden-name.tsx";
import type { RosterResult } from "./roster-actions.server.ts";

interface TapProps {
  roster: Roster;
  player: RosterPlayer;
  /** From kick-off. */
  canMiss: boolean;
  onTap: Taps["tap"];
}
type RowProps = TapProps & {
  status: RowStatus | undefined;
  result: RosterResult | undefined;
};

/** One player at the pitch: one line once marked; all details unfold. */
export function RosterRow({ roster, player, canMiss, result, status, onTap }: RowProps) {
  const { bookingId, attendance, paymentStatus, name } = player;
  const { isOn, canMark } = roster;
  const isUnpaid = isOn && paymentStatus === "Unpaid";
  const isPaymentOpen = isUnpaid && isSeatPaymentOpen(player);
  return (
    <li
      id={`seat-${bookingId}`}
      tabIndex={-1}
      aria-label={name}
      className="group/row flex scroll-mt-20 flex-wrap items-center justify-end gap-x-1.5 rounded-card bg-surface px-3 py-1.5 shadow-card outline-none"
    >
      <Who roster={roster} player={player} />
      {!canMark && <Phone player={player} />}
      {roster.canRecord && attendance === "NoShow" && !player.isExcused && (
        <Link
          to={`/admin/players/${player.playerId}#no-shows`}
          className="link inline-flex min-h-11 items-center px-1"
        >
          Excuse <HiddenName>{name}</HiddenName>
        </Link>
      )}
      <Mark player={player} status={status} />
      {canMark && <AttendanceTap {...{ roster, player, canMiss, onTap }} />}
      {isPaymentOpen && (
        <div className="flex basis-full justify-end pt-1 md:basis-auto md:pt-0">
          <MarkPaid player={player} />
        </div>
      )}
      <More roster={roster} player={player} />
      {isUnpaid && (
        <PayDialog roster={roster} player={player} result={resultOf(result, "mark-paid")} />
      )}
      {isOn && <RemoveDialog roster={roster} player={player} result={resultOf(result, "remove")} />}
    </li>
  );
}

function Who({ roster, player }: Pick<RowProps, "roster" | "player">) {
  const { name, paymentStatus, isNotCollected, isSuspended, noShows } = player;
  const { position, cameWith } = player;
  // On match day there is only room for what must be seen.
  const hasRoom = !roster.canMark;
  return (
    <details className="group min-w-30 grow basis-0">
      <summary className="flex min-h-11 list-none items-center gap-3">
        <Avatar
          src={player.pictureUrl}
          name={name}
          size="sm"
          className={roster.canMark ? "max-md:hidden" : undefined}
        />
        <span className="grid min-w-0 gap-0.5">
          <span className="flex items-center gap-1 font-bold">
            <span translate="no" className="min-w-0 wrap-anywhere">
              {name}
            </span>
            <ChevronDown className="size-4 shrink-0 text-muted transition-transform group-open:rotate-180" />
          </span>
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted empty:hidden">
            {isNotCollected ? (
              <Badge>Not collected</Badge>
            ) : (
              paymentStatus === "Unpaid" && <PaymentBadge status={paymentStatus} />
            )}
            {hasRoom && paymentStatus === "Paid" && <span>Paid</span>}
            {hasRoom && position && <span>{position}</span>}
            {hasRoom && cameWith && <span>{`with ${cameWith}`}</span>}
            {isSuspended && <Badge tone="red">Suspended</Badge>}
            {noShows && <Badge tone="amber">{noShows}</Badge>}
          </span>
        </span>
      </summary>
    </details>
  );
}

function More({ roster, player }: Pick<RowProps, "roster" | "player">) {
  const { bookingId, cashPaymentId, name, position, cameWith, cash, paymentStatus } = player;
  const paid = paymentStatus === "Paid" && `Paid${cash ? ` ${cash}` : ""}`;
  const isUnpaid = roster.isOn && paymentStatus === "Unpaid";
  const isPaymentOpen = isUnpaid && isSeatPaymentOpen(player);
  const facts = [position, cameWith && `with ${cameWith}`, paid];
  return (
    <div className="order-last hidden basis-full gap-2 pt-1 pb-2 group-has-[details[open]]/row:grid">
      <p className="text-sm text-muted tabular-nums empty:hidden">
        {facts.filter(Boolean).join(" · ")}
      </p>
      <div className="flex flex-wrap items-center justify-end gap-2">
        {roster.canMark && <Phone player={player} />}
        <span className="grow" />
        {roster.isOn && cash && (
          <RowForm
            {...{ roster, about: name, hidden: { bookingId, cashPaymentId } }}
            intent="mark-unpaid"
            label="Mark unpaid"
          />
        )}
        {isUnpaid && !isPaymentOpen && <MarkPaid player={player} />}
        {roster.canRecord && (isPaymentOpen || player.isNotCollected) && (
          <RowForm
            {...{ roster, about: name, hidden: { bookingId } }}
            intent={player.isNotCollected ? "collected" : "not-collected"}
            label={player.isNotCollected ? "Collect after all" : "Not collected"}
            isQuiet
          />
        )}
        {roster.isOn && (
          <DialogTrigger dialog={removeDialog(player)} variant="quiet">
            Remove <HiddenName>{name}</HiddenName>
          </DialogTrigger>
        )}
      </div>
    </div>
  );
}

function Phone({ player: { phone } }: Pick<RowProps, "player">) {
  if (!phone) return null;
  return (
    <PhoneLink
      phone={phone}
      className="inline-flex min-h-11 items-center font-semibold underline tabular-nums"
    />
  );
}

/** Is as tall as a button, so that the row below stays under the thumb; a problem takes a line. */
function Mark({ player, status }: Pick<RowProps, "player" | "status">) {
  return (
    <div className={status?.state === "failed" ? "contents" : "grid justify-items-end"}>
      {player.attendance && <AttendanceBadge {...player} attendance={player.attendance} />}
      <StatusText status={status} />
    </div>
  );
}

type MarkProps = { attendance: Attendance; isExcused: boolean };

function AttendanceBadge({ attendance, isExcused }: MarkProps) {
  if (attendance === "CheckedIn") {
    return (
      <Badge size="sm" tone="green">
        Checked in
      </Badge>
    );
  }
  return (
    <Badge size="sm" tone={isExcused ? "neutral" : "red"}>
      {isExcused ? "Excused" : "No-show"}
    </Badge>
  );
}

/** Always rendered, so that screen readers announce changes. */
function StatusText({ status }: { status: RowStatus | undefined }) {
  return (
    <p role="status" className={classNames("text-sm leading-5", status && TONES[status.state])}>
      {status && (status.problem ?? STATUS_TEXTS[status.state])}
      {status?.state === "waiting" && <span className="max-md:sr-only"> for a connection</span>}
    </p>
  );
}

const TONES: Record<RowStatus["state"], string> = {
  saving: "text-muted",
  saved: "text-muted",
  waiting: "font-semibold text-warn",
  failed: "order-last basis-full py-0.5 text-right font-semibold text-danger",
};

const STATUS_TEXTS: Record<RowStatus["state"], string> = {
  saving: "Saving…",
  saved: "Saved",
  waiting: "Waiting",
  failed: "Not saved",
};

function AttendanceTap({ roster, player, canMiss, onTap }: TapProps) {
  const { attendance, markVersion, bookingId, name } = player;
  // Not by the form's submit event: without a connection that is held for the whole page.
  const tap = (to: Attendance | "") => (event: MouseEvent) => {
    event.preventDefault();
    onTap(player, to, event.timeStamp);
  };
  const button = (to: Attendance | "", label: string, variant?: "primary" | "quiet") => (
    <Button name="to" value={to} variant={variant} className="px-2.5!" onClick={tap(to)}>
      {label} <HiddenName>{name}</HiddenName>
    </Button>
  );
  return (
    <PostForm via="form" action={roster.path} className="flex gap-2">
      <input type="hidden" name="intent" value="attendance" />
      <input type="hidden" name="bookingId" value={bookingId} />
      <input type="hidden" name="from" value={attendance ?? ""} />
      <input type="hidden" name="version" value={markVersion} />
      {attendance ? button("", "Undo", "quiet") : button("CheckedIn", "Check in", "primary")}
      {!attendance && canMiss && button("NoShow", "No-show")}
    </PostForm>
  );
}
