import type { ArrivalState } from "../../features/wallet/arrival.server.ts";
import { classNames } from "../../ui/class-names.ts";
import { Check, Clock, Cross, Mail } from "../../ui/icon.tsx";

/** The state as a sign; the words beside it say it. */
export function PaidMark({ state }: { state: ArrivalState }) {
  const { icon: Icon, look } = MARKS[state];
  return (
    <span className={classNames("relative grid size-20 place-items-center rounded-pill", look)}>
      <Icon className="size-9" />
      {state === "waiting" && (
        <span
          aria-hidden
          className="absolute inset-0 animate-spin rounded-pill border-3 border-ink border-r-transparent motion-reduce:hidden"
        />
      )}
    </span>
  );
}

const MARKS = {
  waiting: { icon: Clock, look: "bg-sunken" },
  unconfirmed: { icon: Clock, look: "bg-info-soft text-info" },
  failed: { icon: Cross, look: "bg-danger-soft text-danger" },
  parked: { icon: Mail, look: "bg-info-soft text-info" },
  arrived: { icon: Check, look: "bg-accent text-on-accent" },
};
