import { monthDay } from "#app/platform/clock.ts";
import { appContext } from "#app/routes/context.server.ts";
import { pageMeta, siteOf } from "#app/routes/meta.ts";
import type { Route } from "./+types/index";
import { FigureCard } from "#app/routes/admin/overview/figure-card.tsx";
import { OverviewFilter } from "#app/routes/admin/overview/overview-filter.tsx";
import { csvPath, parseFilter } from "#app/routes/admin/overview/question.ts";
import { askedAt } from "#app/routes/admin/overview/sheet.server.ts";
import { FIGURES } from "#app/routes/admin/overview/sheets.server.ts";
import { listVenueNames } from "#app/features/venues/venues.server.ts";

export async function loader({ request, context }: Route.LoaderArgs) {
  const { db, now } = context.get(appContext);
  const venues = await listVenueNames(db);
  const filter = parseFilter(new URL(request.url).searchParams, venues);
  const question = askedAt(filter, now());
  const figures = await Promise.all(
    [...FIGURES].map(async ([key, figure]) => {
      return { key, csvPath: csvPath(key, filter), ...(await figure.show(db, question)) };
    }),
  );
  return {
    filter,
    figures,
    venues: venues.map(({ id, name, city }) => ({ id, name: `${name}, ${city}` })),
    since: monthDay(question.spans[0]!.from),
  };
}

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(siteOf(matches), { title: "Overview" });

export default function Overview({ loaderData }: Route.ComponentProps) {
  const { filter, figures, venues, since } = loaderData;
  return (
    <section aria-labelledby="overview" className="grid gap-4">
      <div>
        <h2 id="overview" className="text-lg">
          Overview
        </h2>
        <p className="text-muted">From {since} until now. Weeks begin on Monday.</p>
      </div>
      <OverviewFilter filter={filter} venues={venues} />
      <div className="grid items-start gap-4 lg:grid-cols-2">
        {figures.map(({ key, ...figure }) => (
          <FigureCard
            key={key}
            id={key}
            figure={figure}
            isEveryVenue={filter.venueId !== null && !figure.isByVenue}
          />
        ))}
      </div>
    </section>
  );
}
