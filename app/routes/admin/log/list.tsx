import { Fragment } from "react";
import { Link } from "react-router";
import {
  findNamed,
  listAuditEntries,
  listFilterChoices,
} from "#app/features/audit/entries.server.ts";
import { readCursor, writeCursor } from "#app/platform/cursor.server.ts";
import { ChoiceField } from "#app/routes/admin/choice-field.tsx";
import { FilterForm, foundText } from "#app/routes/admin/filter-form.tsx";
import { ListPage } from "#app/routes/admin/list-page.tsx";
import { listQuery } from "#app/routes/admin/list-query.server.ts";
import { appContext } from "#app/routes/context.server.ts";
import { metaOf } from "#app/routes/meta.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { TextField } from "#app/ui/field.tsx";
import type { Route } from "./+types/list";
import { actorName, type LogEntryView, subjectName, toLogEntryView } from "./entry-view.server.ts";
import type { Part } from "./parts.ts";
import { actionLabel } from "./sentences.server.ts";

const ENTRIES_SHOWN = 50;

export async function loader({ request, context }: Route.LoaderArgs) {
  const { db } = context.get(appContext);
  const { word, after, pages } = listQuery(request, "/admin/log");
  // Null, which matches everything, if nothing usable is given.
  const given = (name: string) => word(name, 200) || null;
  const filter = { actor: given("actor"), action: given("action"), subject: given("subject") };
  const before = parsePosition(after);
  const [found, choices, named] = await Promise.all([
    listAuditEntries(db, { filter, before, limit: ENTRIES_SHOWN + 1 }),
    listFilterChoices(db),
    filter.subject === null ? null : findNamed(db, filter.subject),
  ]);
  const entries = found.slice(0, ENTRIES_SHOWN);
  const next = found.length > ENTRIES_SHOWN ? writeCursor([String(entries.at(-1)!.id)]) : null;
  return {
    entries: entries.map(toLogEntryView),
    filter,
    about: named && subjectName(entries[0], named),
    actors: choices.actors.map(({ actor, name }) => [actor, actorName(actor, name)] as const),
    actions: choices.actions.map((action) => [action, actionLabel(action)] as const),
    pages: pages(next),
  };
}

function parsePosition(after: string | null): number | null {
  const [id = ""] = readCursor(after, 1) ?? [];
  return /^\d{1,15}$/.test(id) ? Number(id) : null;
}

export const meta = metaOf({ title: "Log" });

export default function Log({ loaderData }: Route.ComponentProps) {
  const { entries, filter, about, actors, actions, pages } = loaderData;
  const isFiltered = Object.values(filter).some(Boolean);
  return (
    <ListPage
      title="Log"
      path="/admin/log"
      about="What the organisers did. Nobody can change it."
      rows={entries}
      toRow={(entry) => <Entry entry={entry} />}
      empty={isFiltered ? "Nothing in the log matches this filter." : "Nothing has been done yet."}
      pages={pages}
      plural="the log"
      end={<ExportForm />}
    >
      {about && (
        <p className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <span className="wrap-anywhere">
            History of <strong translate="no">{about}</strong>
          </span>
          <ButtonLink to="/admin/log">The whole log</ButtonLink>
        </p>
      )}
      <FilterForm
        path="/admin/log"
        found={foundText(entries.length, pages)}
        className="grid gap-3 md:grid-cols-[1fr_1.3fr_auto] md:items-end"
      >
        <ChoiceField
          label="Who"
          name="actor"
          defaultValue={filter.actor ?? ""}
          none="Anybody"
          choices={actors}
        />
        <ChoiceField
          label="What"
          name="action"
          defaultValue={filter.action ?? ""}
          none="Anything"
          choices={actions}
        />
        {filter.subject && <input type="hidden" name="subject" value={filter.subject} />}
      </FilterForm>
    </ListPage>
  );
}

function Entry({ entry }: { entry: LogEntryView }) {
  const { who, what, when, subject, name, changes, all } = entry;
  return (
    <>
      <p className="max-w-3xl wrap-anywhere">
        <strong translate="no">{who}</strong> <Sentence parts={what} />
      </p>
      <div className="flex flex-wrap items-center gap-x-4 text-sm text-muted">
        <span className="tabular-nums">{when}</span>
        <Link to={`/admin/log?subject=${encodeURIComponent(subject)}`} className={smallLinkClass}>
          History<span className="sr-only"> of {name}</span>
        </Link>
        {(changes.length > 0 || all.length > 0) && (
          <details className="open:basis-full">
            <summary className={`${smallLinkClass} cursor-pointer`}>Details</summary>
            {changes.length > 0 && <Changes changes={changes} />}
            {all.length > 0 && (
              <ul className="grid gap-1 pb-3">
                {all.map((parts, index) => (
                  <li key={index}>
                    <Sentence parts={parts} />
                  </li>
                ))}
              </ul>
            )}
          </details>
        )}
      </div>
    </>
  );
}

const smallLinkClass = "link inline-flex min-h-11 min-w-11 items-center";

function Sentence({ parts }: { parts: Part[] }) {
  return parts.map((part, index) =>
    typeof part === "string" ? (
      <Fragment key={index}>{part}</Fragment>
    ) : (
      <Link key={index} translate="no" to={part.to} className="link">
        {part.text}
      </Link>
    ),
  );
}

function Changes({ changes }: Pick<LogEntryView, "changes">) {
  return (
    <dl className="grid min-w-0 gap-1 pb-3">
      {changes.map(({ label, before, after }) => (
        <div key={label} className="grid grid-cols-[7rem_1fr] gap-x-2">
          <dt>{label}</dt>
          <dd className="max-h-48 min-w-0 overflow-y-auto wrap-anywhere whitespace-pre-line text-ink">
            {before !== null && <del className="text-muted">{before}</del>}
            {before !== null && " → "}
            {after === null ? <em>none</em> : <ins className="no-underline">{after}</ins>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** A plain form, since the response is a file and not a page. */
function ExportForm() {
  return (
    <form
      method="get"
      action="/admin/log.xlsx"
      className="grid gap-3 border-t border-line pt-4 min-[24rem]:grid-cols-2 md:items-end"
    >
      <TextField type="date" label="From" name="from" />
      <TextField type="date" label="To" name="to" />
      <Button className="min-h-12">Download Excel</Button>
      <Button className="min-h-12" formAction="/admin/log.csv">
        Download CSV
      </Button>
    </form>
  );
}
