import { Link } from "react-router";
import { IntentForm, SubmitButton } from "#app/routes/admin/intent-form.tsx";
import { Part } from "#app/routes/admin/page.tsx";
import type { ReportedView } from "./inbox-view.server.ts";

type ReportedProps = { authorId: string; reported: ReportedView | null };

export function Reported({ authorId, reported }: ReportedProps) {
  return (
    <Part title="Where it was written">
      <p className="flex flex-wrap gap-x-6">
        <Link to={`/admin/players/${authorId}`} className={linkClass}>
          The player who wrote it
        </Link>
        {reported && (
          <>
            <Link to={`/admin/games/${reported.gameId}`} className={linkClass}>
              {reported.game}
            </Link>
            <Link to={reported.path} className={linkClass}>
              Open it in the chat
            </Link>
          </>
        )}
      </p>
      {reported ? <InChat reported={reported} /> : <p>The chat of that game is deleted.</p>}
    </Part>
  );
}

const linkClass = "link inline-flex min-h-11 items-center font-semibold";

function InChat({ reported: { id, before, isRemoved } }: { reported: ReportedView }) {
  return (
    <>
      {before.length > 0 && (
        <ol aria-label="Before it" className="grid gap-2 border-l-4 border-line pl-3">
          {before.map((line) => (
            <li key={line.id} className="wrap-anywhere">
              <span className="block text-sm text-muted tabular-nums">
                {line.name}, {line.when}
              </span>
              <span dir="auto" className="block whitespace-pre-line">
                {line.text}
              </span>
            </li>
          ))}
        </ol>
      )}
      {isRemoved ? (
        <p className="font-semibold">It is removed from the chat.</p>
      ) : (
        <IntentForm intent="remove-message" hidden={{ messageId: id }} preventScrollReset>
          <SubmitButton variant="danger" pendingLabel="Removing…" className="max-md:w-full">
            Remove it from the chat
          </SubmitButton>
        </IntentForm>
      )}
    </>
  );
}
