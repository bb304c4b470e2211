import { data, Link } from "react-router";
import { FollowProgress } from "#app/routes/admin/follow-progress.tsx";
import { AdminPage, Part } from "#app/routes/admin/page.tsx";
import { appContext } from "#app/routes/context.server.ts";
import { missingBoundary } from "#app/routes/error-screens.tsx";
import { metaOf } from "#app/routes/meta.ts";
import { Notice } from "#app/ui/notice.tsx";
import { Progress } from "#app/ui/progress.tsx";
import type { Route } from "./+types/cancellation";
import { toCancellationView } from "./cancellation-view.server.ts";
import { findCancellation } from "#app/features/organise/stored-cancellations.server.ts";

export async function loader({ params, context }: Route.LoaderArgs) {
  const { db, now } = context.get(appContext);
  const cancellation = await findCancellation(db, params.cancellationId);
  if (!cancellation) throw data(null, 404);
  return toCancellationView(cancellation, now());
}

export const meta = metaOf({ title: "Cancelled games" });

export const ErrorBoundary = missingBoundary(
  "Cancellation not found",
  "/admin/games",
  "Back to Games",
);

/** The games that one form has cancelled, and how far their refunds are. */
export default function CancellationPage({ loaderData }: Route.ComponentProps) {
  const { title, warning, about, count, done, isFinished, state, sums } = loaderData;
  const { stuck, skipped, games } = loaderData;
  const back = { to: "/admin/games", label: "All games" };
  return (
    <AdminPage back={back} title={title} about={about} className="grid max-w-2xl gap-6">
      <FollowProgress isFinished={isFinished} />
      {warning && <Notice tone="warn" title={warning} />}
      <div className="grid gap-2 rounded-card bg-surface p-4 shadow-card">
        <div role="status" className="tabular-nums">
          <p className="font-semibold">{state}</p>
          <p>{sums}</p>
        </div>
        {!isFinished && (
          <Progress label="Refunded" text={`${done}/${count}`} value={done} max={count} />
        )}
        {!isFinished && (
          <p className="text-muted">This goes on by itself; you may leave this page.</p>
        )}
      </div>
      {stuck && <Notice>{stuck}</Notice>}
      {skipped.length > 0 && (
        <Part title="Not cancelled" about="These games stay as they are.">
          <Rows games={skipped} />
        </Part>
      )}
      <Part title="Cancelled">
        <Rows games={games} />
      </Part>
    </AdminPage>
  );
}

type View = Route.ComponentProps["loaderData"];

function Rows({ games }: { games: View["games"] }) {
  return (
    <ul className="divide-y divide-line overflow-hidden rounded-card bg-surface shadow-card">
      {games.map(({ id, title, day, notes, again }) => (
        <li key={id}>
          <Link to={`/admin/games/${id}`} className={rowClass}>
            <span className="font-semibold tabular-nums">{day}</span>{" "}
            <span className="min-w-0 wrap-anywhere">{title}</span>{" "}
            <span className="text-muted tabular-nums">{notes}</span>
          </Link>
          {again && (
            <Link
              to={again}
              className="link mb-2 inline-flex px-4 min-h-11 items-center font-semibold"
            >
              Look at it again
            </Link>
          )}
        </li>
      ))}
    </ul>
  );
}

const rowClass = "grid min-h-12 gap-x-4 px-4 py-2 hover:bg-sunken focus-visible:-outline-offset-3";
