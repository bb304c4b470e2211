import { queryOf } from "#app/forms/form-fields.server.ts";
import { monthDay } from "#app/platform/clock.ts";
import { ChoiceField, toVenueChoice } from "#app/routes/admin/choice-field.tsx";
import { FilterForm } from "#app/routes/admin/filter-form.tsx";
import { AdminPage, Part } from "#app/routes/admin/page.tsx";
import { appContext } from "#app/routes/context.server.ts";
import { metaOf } from "#app/routes/meta.ts";
import { readShared } from "#app/routes/shared-reads.server.ts";
import type { Route } from "./+types/overview";
import { TodaysGames, ToDoList, UnreadChats } from "./games-to-do.tsx";
import { unreadOfOrganiser } from "#app/routes/unread.server.ts";
import { loadPlanning } from "#app/routes/admin/overview/recent-venues.server.ts";
import { MetricCard } from "#app/routes/admin/overview/metric-card.tsx";
import { REPORTS } from "#app/routes/admin/overview/metrics.server.ts";
import {
  filePaths,
  parseFilter,
  PERIODS,
  toQuery,
} from "#app/routes/admin/overview/report.server.ts";
import { EndingSeriesList, Shortcuts } from "#app/routes/admin/overview/shortcuts.tsx";
import { loadToday, toUnreadView } from "#app/routes/admin/overview/today.server.ts";
import { toDoOf } from "#app/routes/admin/to-do.server.ts";
import { listVenueNames } from "#app/features/venues/venues.server.ts";

export async function loader({ request, context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const { db, now } = app;
  const [games, unread, planning, toDo, venues] = await Promise.all([
    loadToday(app),
    unreadOfOrganiser(context),
    loadPlanning(app),
    toDoOf(context),
    listVenueNames(db),
  ]);
  const filter = parseFilter(queryOf(request), venues);
  const query = toQuery(filter, now());
  const reports = await Promise.all(
    [...REPORTS].map(async ([key, report]) => {
      return {
        key,
        files: filePaths(key, filter),
        ...(await readShared(app, request, `${key} ${JSON.stringify(query)}`, (shared) =>
          report.view(shared, query),
        )),
      };
    }),
  );
  return {
    ...games,
    unread: toUnreadView(unread),
    recentVenues: planning.venues,
    ending: planning.ending,
    toDo,
    filter,
    periods: PERIODS.map((weeks) => [String(weeks), `Last ${weeks} weeks`] as const),
    reports,
    venues: venues.map(toVenueChoice),
    since: monthDay(query.weeks[0]!.from),
  };
}

export const meta = metaOf({ title: "Overview" });

export default function Overview({ loaderData }: Route.ComponentProps) {
  const { today, next, toDo, recentVenues, ending } = loaderData;
  return (
    <AdminPage title="Overview" className="grid gap-6">
      {today.length > 0 && <TodaysGames title="Today" games={today} />}
      {next.length > 0 && <TodaysGames title="Next game" games={next} />}
      <ToDoList toDo={toDo} />
      {loaderData.unread && <UnreadChats unread={loaderData.unread} />}
      {ending.length > 0 && <EndingSeriesList ending={ending} />}
      <Shortcuts venues={recentVenues} />
      <Reports {...loaderData} />
    </AdminPage>
  );
}

type ReportsProps = Pick<
  Route.ComponentProps["loaderData"],
  "filter" | "periods" | "reports" | "since" | "venues"
>;

function Reports({ filter, periods, reports, since, venues }: ReportsProps) {
  const known = reports.filter(({ found }) => found);
  const coming = reports.filter(({ found }) => !found);
  return (
    <Part title="Metrics" about={`From ${since} until now. Weeks begin on Monday.`}>
      <FilterForm
        path="/admin"
        found={`Metrics from ${since}, ${venues.find(([id]) => id === filter.venueId)?.[1] ?? "all venues"}`}
        pendingLabel="Counting…"
        className="grid grid-cols-2 gap-3 md:grid-cols-[12rem_1fr_auto] md:items-end"
      >
        <ChoiceField label="Period" name="weeks" defaultValue={filter.weeks} choices={periods} />
        <ChoiceField
          label="Venue"
          name="venue"
          defaultValue={filter.venueId ?? ""}
          none="All venues"
          choices={venues}
        />
      </FilterForm>
      {[known, coming].map((some, index) => (
        <div key={index} className={cardsClass}>
          {some.map(({ key, ...report }) => (
            <MetricCard
              key={key}
              id={key}
              report={report}
              isEveryVenue={filter.venueId !== null && !report.isByVenue}
            />
          ))}
        </div>
      ))}
    </Part>
  );
}

/** Cards of a row are equally high; an odd last one has a row of its own. */
const cardsClass = "grid grid-cols-1 gap-4 empty:hidden lg:grid-cols-2 lg:*:odd:last:col-span-2";
