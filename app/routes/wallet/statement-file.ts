import { helsinkiDate } from "#app/platform/clock.ts";
import { appContext } from "#app/routes/context.server.ts";
import { sheetResponse } from "#app/routes/responses/sheets.server.ts";
import { viewerContext } from "#app/routes/guards.server.ts";
import type { Route } from "./+types/statement-file";
import { statementSheet } from "./statement-sheet.server.ts";

export async function loader({ request, context }: Route.LoaderArgs) {
  const { db, now } = context.get(appContext);
  const { userId } = context.get(viewerContext);
  return sheetResponse(request, `statement-${helsinkiDate(now())}`, statementSheet(db, userId));
}
