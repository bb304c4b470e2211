import { countFailedMails } from "#app/features/players/failed-mails.server.ts";
import { parseInboxFilter } from "#app/features/support/rules.ts";
import { listInbox } from "#app/features/support/inbox.server.ts";
import { formatMoment } from "#app/platform/clock.ts";
import { findOutage } from "#app/platform/mail-outage.server.ts";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { Pager } from "#app/ui/pager.tsx";
import { appContext } from "#app/routes/context.server.ts";
import { pageMeta, siteOf } from "#app/routes/meta.ts";
import { pageOf } from "#app/routes/admin/page-of.ts";
import type { Route } from "./+types/list";
import { InboxFilterForm } from "./filter-form.tsx";
import { showRow } from "./letter-words.ts";
import { MailOutage, UndeliveredNotice } from "./mail-notes.tsx";
import { InboxRows } from "./rows.tsx";

const SHOWN = 50;
/** More than so many emails are "99+". */
const MOST_COUNTED = 99;

export async function loader({ request, context }: Route.LoaderArgs) {
  const { db } = context.get(appContext);
  const query = new URL(request.url).searchParams;
  const filter = parseInboxFilter(query);
  const after = query.get("after");
  const [{ tickets: letters, next }, failed, outage] = await Promise.all([
    listInbox(db, { filter, after, limit: SHOWN }),
    countFailedMails(db, MOST_COUNTED + 1),
    findOutage(db),
  ]);
  return {
    letters: letters.map(showRow),
    filter,
    first: after ? pageOf("/admin/inbox", query, null) : null,
    next: next && pageOf("/admin/inbox", query, next),
    undelivered: failed > MOST_COUNTED ? `${MOST_COUNTED}+` : failed > 0 ? String(failed) : null,
    outage: outage && { since: formatMoment(outage.since), waiting: outage.waiting },
  };
}

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(siteOf(matches), { title: "Inbox" });

export default function Inbox({ loaderData }: Route.ComponentProps) {
  const { letters, filter, first, next, undelivered, outage } = loaderData;
  return (
    <section aria-labelledby="inbox" className="grid gap-4">
      <h2 id="inbox" className="text-lg">
        Inbox
      </h2>
      {outage && <MailOutage {...outage} />}
      {undelivered && <UndeliveredNotice count={undelivered} />}
      <InboxFilterForm filter={filter} />
      {letters.length > 0 ? (
        <InboxRows letters={letters} />
      ) : (
        <EmptyState>
          {filter.status === "open"
            ? "Nothing is open. Everybody has been answered."
            : "No letters match this filter."}
        </EmptyState>
      )}
      <Pager label="Pages of letters" first={first} next={next} />
    </section>
  );
}
