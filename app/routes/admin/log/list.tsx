import {
  type EntryFilter,
  listFilterChoices,
  listAuditEntries,
} from "#app/features/audit/entries.server.ts";
import { readCursor, writeCursor } from "#app/platform/cursor.server.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { Pager } from "#app/ui/pager.tsx";
import { appContext } from "#app/routes/context.server.ts";
import { pageMeta, siteOf } from "#app/routes/meta.ts";
import { pageOf } from "#app/routes/admin/page-of.ts";
import type { Route } from "./+types/list";
import { DeedRows } from "./deed-rows.tsx";
import { actionWords, actorWords, parseDeedFilter, showDeed } from "./deed-words.ts";
import { ExportForm } from "./export-form.tsx";
import { LogFilterForm } from "./filter-form.tsx";

const SHOWN = 50;

export async function loader({ request, context }: Route.LoaderArgs) {
  const { db } = context.get(appContext);
  const query = new URL(request.url).searchParams;
  const filter = parseDeedFilter(query);
  const before = readPlace(query.get("after"));
  const [found, choices] = await Promise.all([
    listAuditEntries(db, { filter, before, limit: SHOWN + 1 }),
    listFilterChoices(db),
  ]);
  const deeds = found.slice(0, SHOWN);
  const next = found.length > SHOWN ? writeCursor([String(deeds.at(-1)!.id)]) : null;
  return {
    deeds: deeds.map(showDeed),
    filter,
    actors: choices.actors.map(({ actor, name }) => ({ actor, name: actorWords(actor, name) })),
    actions: choices.actions.map((action) => ({ action, words: actionWords(action) })),
    first: before ? pageOf("/admin/log", query, null) : null,
    next: next && pageOf("/admin/log", query, next),
  };
}

function readPlace(after: string | null): number | null {
  const [id = ""] = readCursor(after, 1) ?? [];
  return /^\d{1,15}$/.test(id) ? Number(id) : null;
}

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(siteOf(matches), { title: "Log" });

export default function Log({ loaderData }: Route.ComponentProps) {
  const { deeds, filter, actors, actions, first, next } = loaderData;
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
            Only the log of <strong>{deeds[0]?.subjectName ?? filter.subject}</strong>
          </span>
          <ButtonLink to="/admin/log">The whole log</ButtonLink>
        </p>
      )}
      <LogFilterForm filter={filter} actors={actors} actions={actions} />
      {deeds.length > 0 ? (
        <DeedRows deeds={deeds} />
      ) : (
        <EmptyState>
          {isNarrowed(filter)
            ? "Nothing in the log matches this filter."
            : "Nothing has been done yet."}
        </EmptyState>
      )}
      <Pager label="Pages of the log" first={first} next={next} />
      <ExportForm />
    </section>
  );
}

const isNarrowed = ({ actor, action: kind, subject }: EntryFilter) =>
  Boolean(actor ?? kind ?? subject);
