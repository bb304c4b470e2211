import { Link } from "react-router";
import { IntentForm, SubmitButton } from "#app/forms/intent-form.tsx";
import { Part } from "#app/routes/admin/page.tsx";
import type { AssignedView } from "./event-view.ts";

/** What organisers gave to players, each with one tap that takes it back. */
export function AssignedLately({ assigned }: { assigned: AssignedView[] }) {
  if (assigned.length === 0) return null;
  return (
    <Part title="Assigned in the last 30 days" id="assigned" className="mt-4 grid gap-3">
      <ul className="divide-y divide-line rounded-card bg-surface shadow-card">
        {assigned.map(({ id, playerId, name, when, amount, became }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-3 px-4 py-3">
            <p className="min-w-0 wrap-anywhere">
              <span className="font-semibold tabular-nums">{amount}</span> to{" "}
              <Link to={`/admin/players/${playerId}`} className="link">
                {name}
              </Link>
              <span className="block text-sm text-muted tabular-nums">
                {became} · {when}
              </span>
            </p>
            <IntentForm intent="take-back" hidden={{ assignmentId: id }} className="">
              <SubmitButton pendingLabel="Taking back…">
                Take back<span className="sr-only">{` ${amount} from ${name}`}</span>
              </SubmitButton>
            </IntentForm>
          </li>
        ))}
      </ul>
    </Part>
  );
}
