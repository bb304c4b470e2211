import { listVenueChoices } from "../../../features/games/planned-games.server.ts";
import { helsinkiDate } from "../../../platform/clock.ts";
import { appContext } from "../../context.server.ts";
import { requireAdmin } from "../../guards.server.ts";
import type { Route } from "./+types/csv";
import { parseFilter } from "./question.ts";
import { askedAt } from "./sheet.server.ts";
import { FIGURES } from "./sheets.server.ts";

/** A figure's numbers as a file, by the filter of the page. */
export async function loader({ request, params, context }: Route.LoaderArgs) {
  await requireAdmin(context, request);
  const figure = FIGURES.get(params.figure);
  if (!figure) return new Response("Not found", { status: 404 });
  const app = context.get(appContext);
  const now = app.now();
  const venues = await listVenueChoices(app.db);
  const filter = parseFilter(new URL(request.url).searchParams, venues);
  const venueName = venues.find(({ id }) => id === filter.venueId)?.name ?? null;
  return new Response(await figure.csv(app.db, askedAt(filter, now), venueName), {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="${params.figure}-${helsinkiDate(now)}.csv"`,
      "Cache-Control": "private, no-store",
    },
  });
}

/** There is nothing to post. */
export async function action({ request, context }: Route.ActionArgs) {
  await requireAdmin(context, request);
  return new Response("Not found", { status: 404 });
}
