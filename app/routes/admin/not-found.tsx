import { data } from "react-router";
import { pageMeta, siteOf } from "#app/routes/meta.ts";
import { Missing } from "#app/routes/error-screens.tsx";
import type { Route } from "./+types/not-found";

/** Any other admin address: without the admin role it looks like those that exist. */
export async function loader() {
  return data(null, { status: 404 });
}

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(siteOf(matches), { title: "Page not found" });

export default function AdminPageNotFound() {
  return <Missing title="Page not found" back={{ to: "/admin", label: "To the overview" }} />;
}
