import { Link } from "react-router";
import { countFailedMails } from "#app/features/players/failed-mails.server.ts";
import { listInbox } from "#app/features/support/inbox.server.ts";
import { parseInboxFilter, TICKET_KINDS } from "#app/features/support/rules.ts";
import { findOutage } from "#app/platform/mail-outage.server.ts";
import { ChoiceField } from "#app/routes/admin/choice-field.tsx";
import { FilterForm, foundText } from "#app/routes/admin/filter-form.tsx";
import { ListPage } from "#app/routes/admin/list-page.tsx";
import { listQuery } from "#app/routes/admin/list-query.server.ts";
import { appContext } from "#app/routes/context.server.ts";
import { metaOf } from "#app/routes/meta.ts";
import { Badge } from "#app/ui/badge.tsx";
import { Notice } from "#app/ui/notice.tsx";
import type { Route } from "./+types/list";
import { outageText, toTicketRow } from "./inbox-view.server.ts";
import { KINDS } from "#app/routes/admin/tickets.ts";

const TICKETS_SHOWN = 50;
/** More are shown as "99+". */
const MOST_COUNTED = 99;

export async function loader({ request, context }: Route.LoaderArgs) {
  const { db, now } = context.get(appContext);
  const { query, after, pages } = listQuery(request, "/admin/inbox");
  const filter = parseInboxFilter(query);
  const [{ tickets, next }, failed, outage] = await Promise.all([
    listInbox(db, { filter, after, limit: TICKETS_SHOWN }),
    countFailedMails(db, MOST_COUNTED + 1),
    findOutage(db),
  ]);
  return {
    tickets: tickets.map((ticket) => toTicketRow(ticket, now())),
    filter,
    pages: pages(next),
    undelivered: failed > MOST_COUNTED ? `${MOST_COUNTED}+` : failed > 0 ? String(failed) : null,
    outage: outageText(outage),
  };
}

export const meta = metaOf({ title: "Inbox" });

export default function Inbox({ loaderData }: Route.ComponentProps) {
  const { tickets, filter, pages, undelivered, outage } = loaderData;
  return (
    <ListPage
      title="Inbox"
      path="/admin/inbox"
      rows={tickets}
      toRow={(ticket) => <TicketRow ticket={ticket} />}
      rowClass="md:grid-cols-[13rem_1fr_11rem] md:items-start"
      empty={
        filter.status === "open"
          ? "Nothing is open. Everybody has been answered."
          : "No messages match this filter."
      }
      pages={pages}
      plural="messages"
    >
      {outage && (
        <Notice tone="warn" title="The mail server takes no emails">
          {outage}
        </Notice>
      )}
      {undelivered && (
        <Notice tone="warn">
          {undelivered} {undelivered === "1" ? "email was" : "emails were"} not delivered.{" "}
          <Link to="/admin/inbox/mail" className="font-semibold underline">
            See which and why
          </Link>
        </Notice>
      )}
      <FilterForm
        path="/admin/inbox"
        found={foundText(tickets.length, pages)}
        className="grid grid-cols-2 gap-3 md:grid-cols-[1fr_1fr_auto] md:items-end"
      >
        <ChoiceField
          label="Kind"
          name="kind"
          defaultValue={filter.kind ?? ""}
          none="All kinds"
          choices={TICKET_KINDS.map((kind) => [kind, KINDS[kind].many])}
        />
        <ChoiceField
          label="State"
          name="status"
          defaultValue={filter.status ?? "all"}
          choices={STATES}
        />
      </FilterForm>
    </ListPage>
  );
}

const STATES = [
  ["open", "Open"],
  ["done", "Done"],
  ["all", "Open and done"],
] as const;

function TicketRow({ ticket }: { ticket: ReturnType<typeof toTicketRow> }) {
  const { kind, state, title, text, name, when } = ticket;
  return (
    <>
      <span className="flex flex-wrap items-start gap-2">
        <Badge tone={KINDS[kind].tone}>{KINDS[kind].one}</Badge>{" "}
        {state && <Badge tone={state.tone}>{state.name}</Badge>}
      </span>{" "}
      <span className="grid min-w-0 gap-0.5">
        <span className="font-semibold wrap-anywhere">{title}</span>{" "}
        {text && <span className="line-clamp-2 text-muted">{text}</span>}
      </span>{" "}
      <span className="text-sm text-muted md:text-right">
        <span translate="no" className="block wrap-anywhere font-semibold text-ink">
          {name}
        </span>{" "}
        <span className="tabular-nums">{when}</span>
      </span>
    </>
  );
}
