import { Form, useNavigation } from "react-router";
import { monthDay } from "#app/platform/clock.ts";
import { appContext } from "#app/routes/context.server.ts";
import { pageMeta, siteOf } from "#app/routes/meta.ts";
import { Button } from "#app/ui/button.tsx";
import { SelectField } from "#app/ui/field.tsx";
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
    periods: PERIODS,
    reports,
    venues: venues.map(({ id, name, city }) => ({ id, name: `${name}, ${city}` })),
    since: monthDay(query.weeks[0]!.from),
  };
}

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(siteOf(matches), { title: "Overview" });

export default function Overview({ loaderData }: Route.ComponentProps) {
  const { filter, reports, since } = loaderData;
  return (
    <section aria-labelledby="overview" className="grid gap-4">
      <div>
        <h2 id="overview" className="text-lg">
          Overview
        </h2>
        <p className="text-muted">From {since} until now. Weeks begin on Monday.</p>
      </div>
      <FilterForm {...loaderData} />
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
    </section>
  );
}

type FilterFormProps = Pick<Route.ComponentProps["loaderData"], "filter" | "periods" | "venues">;

function FilterForm({ filter, periods, venues }: FilterFormProps) {
  const { location, formMethod } = useNavigation();
  const isPending = location?.pathname === "/admin" && formMethod === "GET";
  return (
    <Form
      method="get"
      action="/admin"
      // The back button must not leave another filter over these numbers.
      key={JSON.stringify(filter)}
      className="grid grid-cols-2 gap-3 md:grid-cols-[12rem_1fr_auto] md:items-end"
    >
      <SelectField label="Period" name="weeks" defaultValue={filter.weeks}>
        {periods.map((weeks) => (
          <option key={weeks} value={weeks}>
            Last {weeks} weeks
          </option>
        ))}
      </SelectField>
      <SelectField label="Venue" name="venue" defaultValue={filter.venueId ?? ""}>
        <option value="">All venues</option>
        {venues.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      <Button pending={isPending} pendingLabel="Counting…" className="min-h-12 max-md:col-span-2">
        Show
      </Button>
    </Form>
  );
}
