import { helsinkiDate } from "#app/platform/clock.ts";
import { appContext } from "#app/routes/context.server.ts";
import { spreadsheetResponse } from "#app/routes/responses/spreadsheets.server.ts";
import { viewerContext } from "#app/routes/guards.server.ts";
import type { Route } from "./+types/statement-file";
import { statementSpreadsheet } from "#app/routes/credits/statement-spreadsheet.server.ts";

export async function loader({ request, context }: Route.LoaderArgs) {
  const { db, now } = context.get(appContext);
  const { userId } = context.get(viewerContext);
  return spreadsheetResponse(
    request,
    `statement-${helsinkiDate(now())}`,
    statementSpreadsheet(db, userId),
  );
}
