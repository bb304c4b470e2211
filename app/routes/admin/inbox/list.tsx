import { Form, Link, useNavigation } from "react-router";
import { countFailedMails } from "#app/features/players/failed-mails.server.ts";
import { listInbox } from "#app/features/support/inbox.server.ts";
import { type InboxFilter, parseInboxFilter, TICKET_KINDS } from "#app/features/support/rules.ts";
import { findOutage } from "#app/platform/mail-outage.server.ts";
import { pageOf } from "#app/routes/admin/page-of.ts";
import { appContext } from "#app/routes/context.server.ts";
import { pageMeta, siteOf } from "#app/routes/meta.ts";
import { Badge } from "#app/ui/badge.tsx";
import { Button } from "#app/ui/button.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { SelectField } from "#app/ui/field.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { Pager } from "#app/ui/pager.tsx";
import type { Route } from "./+types/list";
import { KINDS, outageText, type TicketRow, toTicketRow } from "./inbox-view.ts";

const SHOWN = 50;
/** More than so many emails are "99+". */
const MOST_COUNTED = 99;

export async function loader({ request, context }: Route.LoaderArgs) {
  const { db } = context.get(appContext);
  const query = new URL(request.url).searchParams;
  const filter = parseInboxFilter(query);
  const after = query.get("after");
  const [{ tickets, next }, failed, outage] = await Promise.all([
    listInbox(db, { filter, after, limit: SHOWN }),
    countFailedMails(db, MOST_COUNTED + 1),
    findOutage(db),
  ]);
  return {
    tickets: tickets.map(toTicketRow),
    filter,
    first: after ? pageOf("/admin/inbox", query, null) : null,
    next: next && pageOf("/admin/inbox", query, next),
    undelivered: failed > MOST_COUNTED ? `${MOST_COUNTED}+` : failed > 0 ? String(failed) : null,
    outage: outageText(outage),
  };
}

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(siteOf(matches), { title: "Inbox" });

export default function Inbox({ loaderData }: Route.ComponentProps) {
  const { tickets, filter, first, next, undelivered, outage } = loaderData;
  return (
    <section aria-labelledby="inbox" className="grid gap-4">
      <h2 id="inbox" className="text-lg">
        Inbox
      </h2>
      {outage && (
        <Notice tone="warn" title="The mail server takes no emails">
          <p>{outage}</p>
        </Notice>
      )}
      {undelivered && (
        <Notice tone="warn">
          <p>
            {undelivered} {undelivered === "1" ? "email was" : "emails were"} not delivered.{" "}
            <Link to="/admin/inbox/mail" className="font-semibold underline">
              See which and why
            </Link>
          </p>
        </Notice>
      )}
      <FilterForm filter={filter} />
      {tickets.length > 0 ? (
        <TicketRows tickets={tickets} />
      ) : (
        <EmptyState>
          {filter.status === "open"
            ? "Nothing is open. Everybody has been answered."
            : "No messages match this filter."}
        </EmptyState>
      )}
      <Pager label="Pages of messages" first={first} next={next} />
    </section>
  );
}

function FilterForm({ filter }: { filter: InboxFilter }) {
  const { location, formMethod } = useNavigation();
  const isPending = location?.pathname === "/admin/inbox" && formMethod === "GET";
  return (
    <Form
      method="get"
      action="/admin/inbox"
      // The back button must not leave another filter over this list.
      key={JSON.stringify(filter)}
      className="grid grid-cols-2 gap-3 md:grid-cols-[1fr_1fr_auto] md:items-end"
    >
      <SelectField label="Kind" name="kind" defaultValue={filter.kind ?? ""}>
        <option value="">All kinds</option>
        {TICKET_KINDS.map((kind) => (
          <option key={kind} value={kind}>
            {KINDS[kind].many}
          </option>
        ))}
      </SelectField>
      <SelectField label="State" name="status" defaultValue={filter.status ?? "all"}>
        <option value="open">Open</option>
        <option value="done">Done</option>
        <option value="all">Open and done</option>
      </SelectField>
      <Button pending={isPending} pendingLabel="Showing…" className="min-h-12 max-md:col-span-2">
        Show
      </Button>
    </Form>
  );
}

/** Cards on a phone and a table on a laptop. */
function TicketRows({ tickets }: { tickets: TicketRow[] }) {
  return (
    <ul className="grid gap-3 md:gap-0 md:overflow-hidden md:rounded-card md:bg-surface md:shadow-card">
      {tickets.map(({ id, kind, state, title, text, name, when }) => (
        <li key={id} className="min-w-0 md:border-t md:border-line md:first:border-t-0">
          <Link to={`/admin/inbox/${id}`} className={rowClass}>
            <span className="flex flex-wrap items-start gap-2">
              <Badge tone={KINDS[kind].tone}>{KINDS[kind].one}</Badge>{" "}
              {state && <Badge tone={state.tone}>{state.name}</Badge>}
            </span>{" "}
            <span className="grid min-w-0 gap-0.5">
              <span className="font-semibold [overflow-wrap:anywhere]">{title}</span>{" "}
              {text && <span className="line-clamp-2 text-muted">{text}</span>}
            </span>{" "}
            <span className="text-sm text-muted md:text-right">
              <span className="block wrap-anywhere font-semibold text-ink">{name}</span>{" "}
              <span className="tabular-nums">{when}</span>
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

const rowClass =
  "grid gap-x-4 gap-y-2 rounded-card bg-surface p-4 shadow-card hover:bg-sunken " +
  "md:grid-cols-[13rem_1fr_11rem] md:rounded-none md:bg-transparent md:shadow-none " +
  "md:hover:bg-sunken focus-visible:-outline-offset-3";
