import { redirect } from "react-router";
import type { Route } from "./+types/old-address";

/** Structured data elsewhere names /games/{id}; the page lives at /events/{id}. */
export const loader = ({ params }: Route.LoaderArgs) =>
  redirect(`/events/${encodeURIComponent(params.gameId)}`, 301);
