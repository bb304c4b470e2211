import { Form, Link, useNavigation } from "react-router";
import {
  type EntryFilter,
  listAuditEntries,
  listFilterChoices,
} from "#app/features/audit/entries.server.ts";
import { readCursor, writeCursor } from "#app/platform/cursor.server.ts";
import { pageOf } from "#app/routes/admin/page-of.ts";
import { appContext } from "#app/routes/context.server.ts";
import { pageMeta, siteOf } from "#app/routes/meta.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { SelectField, TextField } from "#app/ui/field.tsx";
import { Pager } from "#app/ui/pager.tsx";
import type { Route } from "./+types/list";
import { actionText, actorName, type EntryView, toEntryView } from "./entry-view.ts";

const SHOWN = 50;

export async function loader({ request, context }: Route.LoaderArgs) {
  const { db } = context.get(appContext);
  const query = new URL(request.url).searchParams;
  const filter = parseFilter(query);
  const before = parsePosition(query.get("after"));
  const [found, choices] = await Promise.all([
    listAuditEntries(db, { filter, before, limit: SHOWN + 1 }),
    listFilterChoices(db),
  ]);
  const entries = found.slice(0, SHOWN);
  const next = found.length > SHOWN ? writeCursor([String(entries.at(-1)!.id)]) : null;
  return {
    entries: entries.map(toEntryView),
    filter,
    actors: choices.actors.map(({ actor, name }) => [actor, actorName(actor, name)] as const),
    actions: choices.actions.map((action) => [action, actionText(action)] as const),
    first: before ? pageOf("/admin/log", query, null) : null,
    next: next && pageOf("/admin/log", query, next),
  };
}

/** What is not given or cannot be stored matches everything. */
function parseFilter(query: URLSearchParams): EntryFilter {
  const given = (name: string) =>
    (query.get(name) ?? "").replaceAll("\0", "").trim().slice(0, 200) || null;
  return { actor: given("actor"), action: given("action"), subject: given("subject") };
}

function parsePosition(after: string | null): number | null {
  const [id = ""] = readCursor(after, 1) ?? [];
  return /^\d{1,15}$/.test(id) ? Number(id) : null;
}

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(siteOf(matches), { title: "Log" });

export default function Log({ loaderData }: Route.ComponentProps) {
  const { entries, filter, actors, actions, first, next } = loaderData;
  const isFiltered = Object.values(filter).some(Boolean);
  return (
    <section aria-labelledby="log" className="grid gap-4">
      <div>
        <h2 id="log" className="text-lg">
          Log
        </h2>
        <p className="text-muted">What the organisers did. Nobody can change it.</p>
      </div>
      {filter.subject && (
        <p className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <span className="wrap-anywhere">
            Only the log of <strong>{entries[0]?.subjectName ?? filter.subject}</strong>
          </span>
          <ButtonLink to="/admin/log">The whole log</ButtonLink>
        </p>
      )}
      <FilterForm filter={filter} actors={actors} actions={actions} />
      {entries.length === 0 ? (
        <EmptyState>
          {isFiltered ? "Nothing in the log matches this filter." : "Nothing has been done yet."}
        </EmptyState>
      ) : (
        <ol className="divide-y divide-line rounded-card bg-surface shadow-card">
          {entries.map((entry) => (
            <li key={entry.id} className="grid gap-x-6 gap-y-2 p-4 md:grid-cols-[1fr_1.2fr]">
              <Entry entry={entry} />
              {entry.changes.length > 0 && <Changes changes={entry.changes} />}
            </li>
          ))}
        </ol>
      )}
      <Pager label="Pages of the log" first={first} next={next} />
      <ExportForm />
    </section>
  );
}

type Choices = (readonly [value: string, label: string])[];
type FilterFormProps = { filter: EntryFilter; actors: Choices; actions: Choices };

function FilterForm({ filter, actors, actions }: FilterFormProps) {
  const { location, formMethod } = useNavigation();
  const isPending = location?.pathname === "/admin/log" && formMethod === "GET";
  return (
    <Form
      method="get"
      action="/admin/log"
      // Fresh for each filter, so that going back shows the one that is applied.
      key={JSON.stringify(filter)}
      className="grid gap-3 md:grid-cols-[1fr_1.3fr_auto] md:items-end"
    >
      <SelectField label="Who" name="actor" defaultValue={filter.actor ?? ""}>
        <option value="">Anybody</option>
        {optionsOf(actors)}
      </SelectField>
      <SelectField label="What" name="action" defaultValue={filter.action ?? ""}>
        <option value="">Anything</option>
        {optionsOf(actions)}
      </SelectField>
      {filter.subject && <input type="hidden" name="subject" value={filter.subject} />}
      <Button pending={isPending} pendingLabel="Showing…" className="min-h-12">
        Show
      </Button>
    </Form>
  );
}

function optionsOf(choices: Choices) {
  return choices.map(([value, label]) => (
    <option key={value} value={value}>
      {label}
    </option>
  ));
}

function Entry({ entry }: { entry: EntryView }) {
  const { who, what, when, subject, subjectName, page } = entry;
  return (
    <div className="min-w-0">
      <p className="[overflow-wrap:anywhere]">
        <strong>{who}</strong> {what}
      </p>
      <p className="flex flex-wrap items-center gap-x-4 [overflow-wrap:anywhere]">
        {page ? (
          <Link to={page} className={linkClass}>
            {subjectName}
          </Link>
        ) : (
          <span>{subjectName}</span>
        )}
        <Link to={`/admin/log?subject=${encodeURIComponent(subject)}`} className={linkClass}>
          History<span className="sr-only"> of {subjectName}</span>
        </Link>
      </p>
      <p className="text-sm text-muted tabular-nums">{when}</p>
    </div>
  );
}

const linkClass = "link inline-flex min-h-11 min-w-11 items-center text-sm";

function Changes({ changes }: Pick<EntryView, "changes">) {
  return (
    <dl className="grid min-w-0 content-start gap-1 text-sm">
      {changes.map(({ name, before, after }) => (
        <div key={name} className="grid grid-cols-[7rem_1fr] gap-x-2">
          <dt className="text-muted">{name}</dt>
          <dd className="max-h-48 min-w-0 overflow-y-auto [overflow-wrap:anywhere] whitespace-pre-line">
            {before !== null && <del className="text-muted">{before}</del>}
            {before !== null && " → "}
            {after === null ? <em>nothing</em> : <ins className="no-underline">{after}</ins>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** The log of a period as a file. A plain form: the response is no page. */
function ExportForm() {
  return (
    <form
      method="get"
      action="/admin/log.csv"
      className="grid gap-3 border-t border-line pt-4 min-[24rem]:grid-cols-2 md:grid-cols-[1fr_1fr_auto] md:items-end"
    >
      <TextField type="date" label="From" name="from" />
      <TextField type="date" label="To" name="to" />
      <Button className="min-h-12 max-md:col-span-full">Download CSV</Button>
    </form>
  );
}
