import { listVenueNames } from "#app/features/venues/venues.server.ts";
import { helsinkiDate } from "#app/platform/clock.ts";
import { appContext } from "#app/routes/context.server.ts";
import { csvResponse } from "#app/routes/csv.server.ts";
import type { Route } from "./+types/csv";
import { parseFilter } from "./question.ts";
import { askedAt } from "./sheet.server.ts";
import { FIGURES } from "./sheets.server.ts";

/** A figure's numbers as a file, by the filter of the page. */
export async function loader({ request, params, context }: Route.LoaderArgs) {
  const figure = FIGURES.get(params.figure);
  if (!figure) return new Response("Not found", { status: 404 });
  const app = context.get(appContext);
  const now = app.now();
  const venues = await listVenueNames(app.db);
  const filter = parseFilter(new URL(request.url).searchParams, venues);
  const venueName = venues.find(({ id }) => id === filter.venueId)?.name ?? null;
  const lines = await figure.csv(app.db, askedAt(filter, now), venueName);
  return csvResponse(`${params.figure}-${helsinkiDate(now)}.csv`, lines);
}
