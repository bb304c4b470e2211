import { helsinkiDate } from "#app/platform/clock.ts";
import { appContext } from "#app/routes/context.server.ts";
import { csvResponse } from "#app/routes/csv.server.ts";
import type { Route } from "./+types/export";
import { deedLines } from "./deed-lines.server.ts";
import { readPeriod } from "./period.ts";

/** The deeds of a period as a file, oldest first; without an end of it until now. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const { db, now } = context.get(appContext);
  const query = new URL(request.url).searchParams;
  const today = helsinkiDate(now());
  const period = readPeriod(query.get("from"), query.get("to"), today);
  if (!period) return new Response("From and To are dates such as 2026-11-21.", { status: 400 });
  return csvResponse(`log-${period.fromDate}-${period.toDate}.csv`, deedLines(db, period));
}
