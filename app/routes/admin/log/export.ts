import { helsinkiDate } from "#app/platform/clock.ts";
import { appContext } from "#app/routes/context.server.ts";
import { csvResponse } from "#app/routes/csv.server.ts";
import type { Route } from "./+types/export";
import { exportLines, readPeriod } from "./export-lines.server.ts";

/** The log of a period as a file, an empty date leaving it open. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const { db, now } = context.get(appContext);
  const query = new URL(request.url).searchParams;
  // Before the site was made.
  const fromDate = query.get("from") || "2025-01-01";
  const toDate = query.get("to") || helsinkiDate(now());
  const period = readPeriod(fromDate, toDate);
  if (!period) return new Response("From and To are dates such as 2026-11-21.", { status: 400 });
  return csvResponse(`log-${fromDate}-${toDate}.csv`, exportLines(db, period));
}
