import { queryOf } from "#app/forms/form-fields.server.ts";
import { helsinkiDate } from "#app/platform/clock.ts";
import { appContext } from "#app/routes/context.server.ts";
import { csvResponse } from "#app/routes/csv.server.ts";
import { redirectWithToast } from "#app/forms/toast.server.ts";
import type { Route } from "./+types/export";
import { exportLines, readPeriod } from "./export-lines.server.ts";

export async function loader({ request, context }: Route.LoaderArgs) {
  const { db, env, now } = context.get(appContext);
  const query = queryOf(request);
  // Earlier than any entry.
  const fromDate = query.get("from") || "2025-01-01";
  const toDate = query.get("to") || helsinkiDate(now());
  const period = readPeriod(fromDate, toDate);
  if (!period) return new Response("From and To are dates such as 2026-11-21.", { status: 400 });
  if (period.from >= period.to) return redirectWithToast(env, "/admin/log", REVERSED);
  return csvResponse(`log-${fromDate}-${toDate}.csv`, exportLines(db, period));
}

const REVERSED = {
  title: "No file was made",
  description: "The day in From is after the day in To.",
  tone: "danger" as const,
  isLasting: true,
};
