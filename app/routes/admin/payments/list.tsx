import { randomUUID } from "node:crypto";
import { sumPayments } from "#app/features/wallet/metrics.server.ts";
import { listPacks } from "#app/features/wallet/packs.server.ts";
import { listUnmatchedEvents } from "#app/features/wallet/stripe/unmatched-events.server.ts";
import { FormErrors } from "#app/forms/form-errors.tsx";
import { AdminPage } from "#app/routes/admin/page.tsx";
import { appContext } from "#app/routes/context.server.ts";
import { metaOf } from "#app/routes/meta.ts";
import { EmptyState } from "#app/ui/empty-state.tsx";
import type { Route } from "./+types/list";
import { paymentAction } from "./actions.server.ts";
import { EventCard } from "./event-card.tsx";
import { toEventView, toPackChoice, totalText } from "./event-view.ts";

const SHOWN = 100;
const RECENT_MS = 30 * 86_400_000;

export async function loader({ context }: Route.LoaderArgs) {
  const { db, now } = context.get(appContext);
  const [events, packs, recent] = await Promise.all([
    listUnmatchedEvents(db, SHOWN + 1),
    listPacks(db),
    sumPayments(db, new Date(now().getTime() - RECENT_MS)),
  ]);
  return {
    events: events.slice(0, SHOWN).map(toEventView),
    hasMore: events.length > SHOWN,
    packs: packs.map(toPackChoice),
    recent: totalText(recent),
    formKey: randomUUID(),
  };
}

export const action = paymentAction;

export { revalidateOnConflict as shouldRevalidate } from "#app/forms/revalidate-on-conflict.ts";

export const meta = metaOf({ title: "Payments to settle" });

export default function Payments({ loaderData, actionData: result }: Route.ComponentProps) {
  const { events, hasMore, packs, recent } = loaderData;
  const failedId = result?.values?.eventId;
  return (
    <AdminPage title="Payments to settle" about={recent}>
      {!events.some(({ id }) => id === failedId) && <FormErrors result={result} />}
      {events.length === 0 ? (
        <EmptyState>Nothing to settle. Every payment has found its player.</EmptyState>
      ) : (
        // Oldest first.
        <ol className="grid gap-4">
          {events.map((event) => (
            <li key={event.id}>
              <EventCard
                event={event}
                packs={packs}
                result={failedId === event.id ? result : undefined}
              />
            </li>
          ))}
        </ol>
      )}
      {hasMore && (
        <p className="text-center text-muted">
          These are the oldest {events.length}. There are more, which follow as these are settled.
        </p>
      )}
    </AdminPage>
  );
}
