import { mayOrganise } from "#app/features/accounts/sessions.server.ts";
import { findGameCalendar } from "#app/features/bookings/calendar.server.ts";
import { noCalendar, sendCalendar } from "#app/routes/responses/calendar-response.server.ts";
import { appContext } from "#app/routes/context.server.ts";
import { getViewer } from "#app/routes/guards.server.ts";
import type { Route } from "./+types/calendar-file";

export async function loader({ request, params: { gameId }, context }: Route.LoaderArgs) {
  const { db, env, now } = context.get(appContext);
  const viewer = await getViewer(context);
  const as = viewer && { playerId: viewer.userId, isAdmin: mayOrganise(viewer, env) };
  const calendar = await findGameCalendar(db, env, { gameId, ...as, now: now() });
  return calendar ? sendCalendar(request, calendar, "game") : noCalendar();
}
