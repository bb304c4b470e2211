import { queryOf } from "#app/forms/form-fields.server.ts";
import { listVenueNames } from "#app/features/venues/venues.server.ts";
import { helsinkiDate } from "#app/platform/clock.ts";
import { appContext } from "#app/routes/context.server.ts";
import { spreadsheetResponse } from "#app/routes/responses/spreadsheets.server.ts";
import type { Route } from "./+types/file";
import { REPORTS } from "./metrics.server.ts";
import { parseFilter, toQuery } from "./report.server.ts";

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const report = REPORTS.get(params.metric);
  if (!report) return new Response("Not found", { status: 404 });
  const app = context.get(appContext);
  const now = app.now();
  const venues = await listVenueNames(app.db);
  const filter = parseFilter(queryOf(request), venues);
  const venueName = venues.find(({ id }) => id === filter.venueId)?.name ?? null;
  const spreadsheet = await report.spreadsheet(app.db, toQuery(filter, now), venueName);
  return spreadsheetResponse(request, `${params.metric}-${helsinkiDate(now)}`, spreadsheet);
}
