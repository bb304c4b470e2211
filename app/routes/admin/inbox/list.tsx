import { parseInboxFilter } from "../../../features/support/inbox-filter.ts";
import { listInbox } from "../../../features/support/inbox.server.ts";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { Pager } from "../../../ui/pager.tsx";
import { appContext } from "../../context.server.ts";
import { requireAdmin } from "../../guards.server.ts";
import { pageMeta, siteOf } from "../../meta.ts";
import { pageOf } from "../page-of.ts";
import type { Route } from "./+types/list";
import { InboxFilterForm } from "./filter-form.tsx";
import { showRow } from "./letter-words.ts";
import { InboxRows } from "./rows.tsx";

const SHOWN = 50;

export async function loader({ request, context }: Route.LoaderArgs) {
  const { db } = context.get(appContext);
  await requireAdmin(context, request);
  const query = new URL(request.url).searchParams;
  const filter = parseInboxFilter(query);
  const after = query.get("after");
  const { letters, next } = await listInbox(db, { filter, after, limit: SHOWN });
  return {
    letters: letters.map(showRow),
    filter,
    first: after ? pageOf("/admin/inbox", query, null) : null,
    next: next && pageOf("/admin/inbox", query, next),
  };
}

export const action = loader;

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(siteOf(matches), { title: "Inbox", noindex: true });

export default function Inbox({ loaderData }: Route.ComponentProps) {
  const { letters, filter, first, next } = loaderData;
  return (
    <section aria-labelledby="inbox" className="grid gap-4">
      <h2 id="inbox" className="text-lg">
        Inbox
      </h2>
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
