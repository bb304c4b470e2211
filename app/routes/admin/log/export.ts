import { queryOf } from "#app/forms/form-fields.server.ts";
import { helsinkiDate, readDate } from "#app/platform/clock.ts";
import { appContext } from "#app/routes/context.server.ts";
import { recordDownload } from "#app/features/audit/entries.server.ts";
import { viewerContext } from "#app/routes/guards.server.ts";
import { spreadsheetResponse } from "#app/routes/responses/spreadsheets.server.ts";
import { redirectWithToast } from "#app/forms/toast.server.ts";
import type { Route } from "./+types/export";
import { exportLines, LOG_COLUMNS, readPeriod } from "./export-lines.server.ts";

export async function loader({ request, context }: Route.LoaderArgs) {
  const { db, env, now } = context.get(appContext);
  const query = queryOf(request);
  // Earlier than any entry.
  const fromDate = readDate(query.get("from") || "2025-01-01") ?? "";
  const toDate = readDate(query.get("to") || helsinkiDate(now())) ?? "";
  const period = readPeriod(fromDate, toDate);
  if (!period) return new Response("From and To are dates such as 21.11.2026.", { status: 400 });
  if (period.from >= period.to) return redirectWithToast(env, "/admin/log", REVERSED);
  const details = { from: fromDate, to: toDate };
  const { userId: actor } = context.get(viewerContext);
  await recordDownload(db, { actor, action: "log.download", subject: actor, details });
  const spreadsheet = { columns: LOG_COLUMNS, rows: exportLines(db, period) };
  return spreadsheetResponse(request, `log-${fromDate}-${toDate}`, spreadsheet);
}

const REVERSED = {
  title: "No file was made",
  description: "The day in From is after the day in To.",
  tone: "danger" as const,
  isLasting: true,
};
