import { data } from "react-router";
import { EmptyState } from "../../ui/empty-state.tsx";
import { requireAdmin } from "../guards.server.ts";
import { pageMeta, siteOf } from "../meta.ts";
import type { Route } from "./+types/not-found";

/** Any other admin address: to whoever is no admin it looks like those that exist. */
export async function loader({ request, context }: Route.LoaderArgs) {
  await requireAdmin(context, request);
  return data(null, { status: 404 });
}

export const action = loader;

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(siteOf(matches), { title: "Page not found", noindex: true });

export default function AdminPageNotFound() {
  return <EmptyState>Page not found</EmptyState>;
}
