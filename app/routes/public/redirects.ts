import { redirect } from "react-router";
import type { Route } from "./+types/redirects";

export function loader({ params, url }: Route.LoaderArgs) {
  // Structured data elsewhere links to /games/{id}.
  if (params.gameId) return redirect(`/events/${encodeURIComponent(params.gameId)}`, 301);
  if (url.pathname.startsWith("/home")) return redirect("/events");
  // Password managers look for the form here (W3C, change-password URL).
  return redirect("/settings/change-password");
}
