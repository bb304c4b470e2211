import type { ArrivalState } from "#app/features/wallet/payments.server.ts";
import { classNames } from "#app/ui/class-names.ts";
import { Check, Clock, Cross, Mail } from "#app/ui/icon.tsx";
import { CentreCircle } from "#app/ui/pitch-lines.tsx";

/** The state as a sign; the words beside it say it. */
export function PaidMark({ state }: { state: ArrivalState }) {
  const { icon: Icon, look } = MARKS[state];
  return (
    <div className="relative isolate grid h-52 w-full place-items-center overflow-hidden">
      <CentreCircle className="top-1/2 left-1/2 w-64 -translate-1/2" />
      <span className={classNames("relative grid size-20 place-items-center rounded-pill", look)}>
        <Icon className="size-9" />
        {state === "waiting" && (
          <span
            aria-hidden
            className="absolute inset-0 animate-spin rounded-pill border-3 border-ink border-r-transparent motion-reduce:hidden"
          />
        )}
      </span>
    </div>
  );
}

const MARKS = {
  waiting: { icon: Clock, look: "bg-sunken" },
  unconfirmed: { icon: Clock, look: "bg-info-soft text-info" },
  failed: { icon: Cross, look: "bg-danger-soft text-danger" },
  parked: { icon: Mail, look: "bg-info-soft text-info" },
  settled: { icon: Check, look: "bg-info-soft text-info" },
  arrived: { icon: Check, look: "bg-accent text-on-accent" },
};
