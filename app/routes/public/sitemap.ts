import { listUpcomingGames } from "#app/features/games/games.server.ts";
import { listVenueIds } from "#app/features/venues/venues.server.ts";
import { appContext } from "#app/routes/context.server.ts";
import type { Route } from "./+types/sitemap";

/** The public pages: front page, upcoming games, venues and texts (sitemaps.org 0.9). */
export async function loader({ context }: Route.LoaderArgs) {
  const { db, env, now } = context.get(appContext);
  const [games, venueIds] = await Promise.all([
    listUpcomingGames(db, { now: now() }),
    listVenueIds(db),
  ]);
  const gamePaths = games.map((game) => `/events/${game.id}`);
  const venuePaths = venueIds.map((id) => `/venues/${id}`);
  const texts = ["/terms", "/privacy", "/accessibility"];
  const paths = ["/", "/venues", ...texts, ...gamePaths, ...venuePaths];
  const urls = paths.map((path) => `  <url><loc>${escape(env.appUrl + path)}</loc></url>`);
  const xml = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...urls,
    "</urlset>",
    "",
  ].join("\n");
  return new Response(xml, { headers: { "Content-Type": "application/xml; charset=utf-8" } });
}

function escape(url: string): string {
  return url.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
