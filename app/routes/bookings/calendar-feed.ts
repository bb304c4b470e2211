import { findFeedCalendar } from "#app/features/bookings/calendar.server.ts";
import { noCalendar, sendCalendar } from "#app/routes/responses/calendar-response.server.ts";
import { addressContext, appContext } from "#app/routes/context.server.ts";
import type { Route } from "./+types/calendar-feed";

/** Calendars ask every hour: without a cookie, by a secret address. */
export async function loader({ request, params: { feedToken }, context }: Route.LoaderArgs) {
  const { accounts, db, env, now } = context.get(appContext);
  const seconds = await accounts.limits.count("calendar", context.get(addressContext));
  if (seconds) {
    return new Response("Too many requests", {
      status: 429,
      headers: { "Retry-After": String(seconds) },
    });
  }
  const calendar = await findFeedCalendar(db, env, { token: feedToken, now: now() });
  return calendar ? sendCalendar(request, calendar, "games") : noCalendar();
}
