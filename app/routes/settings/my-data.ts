import { packData, collectPersonalData } from "#app/features/privacy/personal-data.server.ts";
import { helsinkiDate } from "#app/platform/clock.ts";
import { appContext } from "#app/routes/context.server.ts";
import { viewerContext } from "#app/routes/guards.server.ts";
import { spreadsheetBytes } from "#app/routes/responses/spreadsheets.server.ts";
import { statementSpreadsheet } from "#app/routes/credits/statement-spreadsheet.server.ts";
import type { Route } from "./+types/my-data";

export async function loader({ context }: Route.LoaderArgs) {
  const { db, env, now } = context.get(appContext);
  const { userId } = context.get(viewerContext);
  const madeAt = now();
  const data = await collectPersonalData(db, userId);
  const statement = (format: "csv" | "xlsx") =>
    new Response(spreadsheetBytes(format, statementSpreadsheet(db, userId))).bytes();
  const files = {
    "statement.csv": await statement("csv"),
    "statement.xlsx": await statement("xlsx"),
  };
  return new Response(packData(data, { brandName: env.brandName, madeAt, files }), {
    headers: {
      "Content-Type": "application/zip",
      "Content-Disposition": `attachment; filename="my-data-${helsinkiDate(madeAt)}.zip"`,
      "Cache-Control": "no-store",
    },
  });
}
