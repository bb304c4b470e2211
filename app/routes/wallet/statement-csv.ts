import { helsinkiDate } from "#app/platform/clock.ts";
import { appContext } from "#app/routes/context.server.ts";
import { csvResponse } from "#app/routes/csv.server.ts";
import { viewerContext } from "#app/routes/guards.server.ts";
import type { Route } from "./+types/statement-csv";
import { csvLines } from "./wallet-view.server.ts";

export async function loader({ context }: Route.LoaderArgs) {
  const { db, now } = context.get(appContext);
  const { userId } = context.get(viewerContext);
  return csvResponse(`statement-${helsinkiDate(now())}.csv`, csvLines(db, userId));
}
