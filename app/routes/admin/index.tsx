import { monthDay } from "#app/platform/clock.ts";
import { ChoiceField, toVenueChoice } from "#app/routes/admin/choice-field.tsx";
import { FilterForm } from "#app/routes/admin/list-page.tsx";
import { AdminPage } from "#app/routes/admin/page.tsx";
import { appContext } from "#app/routes/context.server.ts";
import { metaOf } from "#app/routes/meta.ts";
import type { Route } from "./+types/index";
import { MetricCard } from "#app/routes/admin/overview/metric-card.tsx";
import { REPORTS } from "#app/routes/admin/overview/metrics.server.ts";
import {
  csvPath,
  parseFilter,
  PERIODS,
  toQuery,
} from "#app/routes/admin/overview/report.server.ts";
import { listVenueNames } from "#app/features/venues/venues.server.ts";

export async function loader({ request, context }: Route.LoaderArgs) {
  const { db, now } = context.get(appContext);
  const venues = await listVenueNames(db);
  const filter = parseFilter(new URL(request.url).searchParams, venues);
  const query = toQuery(filter, now());
  const reports = await Promise.all(
    [...REPORTS].map(async ([key, report]) => {
      return { key, csvPath: csvPath(key, filter), ...(await report.view(db, query)) };
    }),
  );
  return {
    filter,
    periods: PERIODS.map((weeks) => [String(weeks), `Last ${weeks} weeks`] as const),
    reports,
    venues: venues.map(toVenueChoice),
    since: monthDay(query.weeks[0]!.from),
  };
}

export const meta = metaOf({ title: "Overview" });

export default function Overview({ loaderData }: Route.ComponentProps) {
  const { filter, reports, since, periods, venues } = loaderData;
  return (
    <AdminPage title="Overview" about={`From ${since} until now. Weeks begin on Monday.`}>
      <FilterForm
        path="/admin"
        filter={filter}
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
      <div className="grid items-start gap-4 lg:grid-cols-2">
        {reports.map(({ key, ...report }) => (
          <MetricCard
            key={key}
            id={key}
            report={report}
            isEveryVenue={filter.venueId !== null && !report.isByVenue}
          />
        ))}
      </div>
    </AdminPage>
  );
}
